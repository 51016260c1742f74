"""Every command that counts, as it is asked in tests of equality."""

from typing import Final

BASE: Final = "2026-11-02-loans-x4-swift-model"
CURRENT: Final = "2026-11-02-loans-x4-patient-model"
QUESTIONS: Final[tuple[tuple[str, ...], ...]] = (
    ("runs", "--json"),
    ("reliability", "--json"),
    ("reliability", "--by", "item", "--json"),
    ("reliability", "--by", "tag", "--json"),
    ("reliability", "--by", "axis", "--json"),
    ("variance", "--json"),
    ("votes", "--json"),
    ("routing", "--json"),
    ("export", "reliability", "--format", "csv"),
    ("export", "variance", "--format", "csv"),
    ("export", "votes", "--format", "csv"),
)
"""Asked of any store."""
OF_SAMPLES: Final[tuple[tuple[str, ...], ...]] = (
    ("compare", BASE, CURRENT, "--json"),
    ("gate", CURRENT, "--json"),
    ("gate", CURRENT, "--baseline", BASE, "--json"),
    ("export", "comparison", "--run", BASE, "--run", CURRENT, "--format", "csv"),
)
"""Asked of the sample reports."""
