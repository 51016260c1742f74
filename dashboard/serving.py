"""The process of the server: gets ready what every page needs while the browser is on its way.

Started as ``python -m dashboard.serving run APP …``; the words are Streamlit's.
"""

import contextlib
import importlib
import os
import pkgutil
import threading
from pathlib import Path
from typing import Final

import dashboard
from dashboard.server import STORE_VARIABLE

_LIBRARIES: Final = ("pandas", "pyarrow.compute", "altair")
"""What Streamlit and the charts import at the first field or chart."""
_NOT_PAGES: Final = frozenset({"agent", "app", "cli", "serving"})


def warm(db: Path | None) -> None:
    """Import what pages need, prepare their templates, and count the runs of a large store."""
    for name in _LIBRARIES:
        importlib.import_module(name)
    for module in pkgutil.iter_modules(dashboard.__path__):
        if not module.ispkg and module.name not in _NOT_PAGES:
            importlib.import_module(f"dashboard.{module.name}")
    from dashboard import figures, markup
    from dashboard.errors import InputError
    from ingest.errors import StoreError

    markup.prepare()
    if db is not None:
        with contextlib.suppress(StoreError, InputError):
            figures.runs(db)


def main() -> None:
    """Serve; a store that cannot be read is told by the pages."""
    found = os.environ.get(STORE_VARIABLE)
    waiting = threading.Thread(target=warm, args=(Path(found) if found else None,), daemon=True)
    waiting.start()
    from streamlit.web import cli

    cli.main(prog_name="streamlit")


if __name__ == "__main__":
    main()
