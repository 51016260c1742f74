"""What the command line says, to hold a page against."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from dashboard.cli import app


def said(db: Path, *arguments: str) -> Any:
    """The figures of a command, as its JSON."""
    result = CliRunner().invoke(app, [*arguments, "--db", str(db), "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
