"""The README names every command and option, and the samples' README every sample."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from dashboard.cli import app

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_reports"
PROGRAM = "unaveraged"
MOST_LINES = 150


def commands() -> Iterator[tuple[str, click.Command]]:
    """Each command that the help shows, with the words that call it."""
    waiting: list[tuple[str, click.Command]] = [(PROGRAM, app)]
    while waiting:
        words, command = waiting.pop()
        if isinstance(command, click.Group):
            waiting.extend(
                (f"{words} {name}", child)
                for name, child in command.commands.items()
                if not child.hidden
            )
        else:
            yield words, command


def long_options(command: click.Command) -> Iterator[str]:
    """The options of a command in their long form, less the help that every command has."""
    for parameter in command.params:
        for option in parameter.opts:
            if option.startswith("--") and option != "--help":
                yield option


def is_named(words: str, text: str) -> bool:
    """True where the words stand on their own: `--case` is not named by `--case-id`."""
    return re.search(rf"(?<![\w-]){re.escape(words)}(?![\w-])", text) is not None


def readme() -> str:
    return (ROOT / "README.md").read_text()


def test_a_longer_option_does_not_name_a_shorter_one() -> None:
    assert not is_named("--case", "use --case-id or --no--case")
    assert is_named("--case", "(`--case`)")


def test_the_readme_can_be_read_in_one_sitting() -> None:
    assert len(readme().splitlines()) <= MOST_LINES


def test_the_readme_names_every_command() -> None:
    text = readme()
    names = [words for words, _ in commands()]

    assert names
    assert [name for name in names if not is_named(name, text)] == []


def test_the_readme_names_every_option_of_every_command() -> None:
    text = readme()
    options = {(words, option) for words, command in commands() for option in long_options(command)}

    assert options
    assert [option for option in sorted(options) if not is_named(option[1], text)] == []


def test_the_samples_readme_names_every_sample() -> None:
    text = (SAMPLES / "README.md").read_text()
    samples = [path.name for path in SAMPLES.rglob("*") if path.is_file()]

    assert [name for name in samples if name != "README.md" and not is_named(name, text)] == []
