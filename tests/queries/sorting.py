"""What the rules make of one criterion or one stop."""

from typing import Any, Final

from queries import categories
from tests import builders

EVALUATION: Final = "evaluation-report"
ROW: Final = "trial-row"
SAMPLE: Final = "sample-report"


def assigned(
    form: str, *nodes: dict[str, Any], rules: str = "", tags: tuple[str, ...] = ()
) -> tuple[str, str | None]:
    """Category and rule of one criterion."""
    book = categories.read({"mine.toml": rules})
    frame = categories.assign(
        builders.definitions(*nodes),
        builders.items({"tags": list(tags)}),
        builders.runs({"format": form}),
        book,
    )
    _, _, category, rule = frame.collect().row(0)
    return category, rule


def stopped(form: str, rules: str = "", **columns: object) -> tuple[str | None, str | None]:
    """Category and rule of one stopped trial."""
    stops = builders.trials(columns).select("run", "item", "outcome", "native_status", "error_code")
    book = categories.read({"mine.toml": rules})
    frame = categories.codes(stops, builders.items({}), builders.runs({"format": form}), book)
    return frame.select("category", "rule").collect().row(0)
