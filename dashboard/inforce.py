"""What the server of the pages was started with beside its store: category rules, channels.

Both are files of a person, read again whenever they change, so that a page needs no restart.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dashboard import battery, figures
from dashboard.server import CHANNELS_VARIABLE, RULES_VARIABLE
from queries.channels import Channels
from queries.rules import RuleBook

Settings = dict[str, str]

_NEVER: Final = 0


def settings(rules: Sequence[Path], channels: Path | None) -> Settings:
    """Return the environment variables that tell a server of these files.

    Raises:
        InputError: When one of them cannot be used.
    """
    figures.rules(rules)
    battery.channels(channels)
    return {
        RULES_VARIABLE: os.pathsep.join(str(path.absolute()) for path in rules),
        CHANNELS_VARIABLE: "" if channels is None else str(channels.absolute()),
    }


def rule_files() -> tuple[Path, ...]:
    """Return the files of category rules that come before the shipped ones."""
    named = os.environ.get(RULES_VARIABLE, "")
    return tuple(Path(name) for name in named.split(os.pathsep) if name)


def channels_file() -> Path | None:
    """Return the file of channels."""
    named = os.environ.get(CHANNELS_VARIABLE, "")
    return Path(named) if named else None


def rulebook() -> RuleBook:
    """Return the category rules in force.

    Raises:
        InputError: When a file can no longer be used.
    """
    return figures.rules(rule_files())


def channels() -> Channels | None:
    """Return the channels in force; None without a file.

    Raises:
        InputError: When the file can no longer be used.
    """
    return battery.channels(channels_file())


def stamp() -> str:
    """Return what changes when one of these files does."""
    own = (*rule_files(), *filter(None, [channels_file()]))
    return "".join(f"\n{path} {_changed(path)}" for path in own)


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return _NEVER
