"""What a build asks of a run before it may merge: the fields of a gate's policy file.

Every field has the value that refuses most, so that an empty file, or none, is the strict policy:
the run completed, every selected trial passed, every criterion of the suite passed, and nothing was
left unmeasured.
"""

import re
import tomllib
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from queries.rules import Category

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Text = Annotated[str, Field(min_length=1)]
_STRICT: Final = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class PolicyError(Exception):
    """A policy cannot be used; the text says which field and what to write instead."""


class Skip(BaseModel):
    """A reviewed exclusion: trials that were skipped and may be, reported as such."""

    model_config = _STRICT

    item: Text
    """The item; `*` stands for any characters, `?` for one."""
    reason: Text
    """Why skipping it is accepted, and who said so."""

    def names(self, item: str) -> bool:
        """Return whether this exclusion is about the item."""
        parts = {"*": ".*", "?": "."}
        pieces = re.split(r"([*?])", self.item)
        pattern = "".join(parts.get(piece) or re.escape(piece) for piece in pieces)
        return re.fullmatch(pattern, item, re.DOTALL) is not None


class CategoryThreshold(BaseModel):
    """What one category must reach, for these items run again."""

    model_config = _STRICT

    min_rate: Share
    """Pass: the interval's lower end reaches it. Fail: the upper end does not. Else: no verdict."""
    level: Annotated[float, Field(gt=0, lt=1)] = 0.95
    """Confidence of the two-sided Clopper-Pearson interval."""


class Policy(BaseModel):
    """A gate's policy."""

    model_config = _STRICT

    require_completed: bool = True
    """The run says it completed; a running, cancelled or limited one is refused."""
    allow_rejected_records: bool = False
    """Records of the run that could not be loaded do not matter."""
    allow_duplicates: bool = False
    """A repetition of one cell may be there twice."""
    max_missing_trials: Count = 0
    """Planned trials that may be missing: pending, absent, or never written."""
    max_unmeasured_trials: Count = 0
    """Trials that may be without a result: errors, blocked, rate limited, cancelled."""
    allow_errored_criteria: bool = False
    """Criteria whose evaluator broke do not matter."""
    allow_empty_categories: bool = False
    """A category that criteria demand, or a threshold names, may be without a measured trial."""
    skip: tuple[Skip, ...] = ()
    """Reviewed exclusions; a skipped trial none of them names counts as unmeasured."""

    require_suite_criteria: bool = True
    """Every criterion of the suite itself passed."""
    every_trial_passes: bool | None = None
    """Name every cell that did not always pass. Unset: for evaluation reports."""
    min_deterministic_pass_rate: Share = 1.0
    """Passed of all trials, the ungraded ones included: the lowest rate there can have been."""
    forbid_side_effect_failures: bool = True
    """One failure of side-effect integrity refuses the run, whatever the rate."""
    max_abandonment_rate: Share = 0.0
    """Abandoned of all trials."""
    allow_flaky_items: bool = False
    """An item some of whose repetitions passed may pass."""
    min_judge_score: Annotated[float, Field(ge=1, le=5)] | None = None
    """The lowest mean score of any judge criterion. Unset: judges are not asked."""
    category: dict[Category, CategoryThreshold] = {}
    """Thresholds by category."""

    max_regressions: Count = 0
    """Cells that may have got worse than the baseline's, beyond the noise of a control pair."""
    unmeasured_noise: Literal["fail", "inconclusive"] = "fail"
    """What a cell that got worse means without a control pair to weigh it against."""
    regression_level: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """A category fails when its paired test, adjusted by Holm, is below this and it got worse."""
    regression_margin: Share | None = None
    """How much worse a category may be; where set, one that could be worse is inconclusive."""
    max_excluded_share: Share = 0.1
    """Above this share of unpaired cells nothing is said about regressions."""
    pass_rate_epsilon: Share = 0.0
    """A movement of a cell's pass rate up to this much is none."""

    @classmethod
    def read(cls, text: str, source: str = "policy") -> Self:
        """Return the policy a TOML text declares.

        Raises:
            PolicyError: When it is no TOML or says something a policy may not.
        """
        try:
            return cls.model_validate(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise PolicyError(f"{source} is no TOML: {error}") from error
        except ValidationError as error:
            lines = "\n".join(_explain(source, fault) for fault in error.errors())
            raise PolicyError(lines) from error

    def skips(self, item: str) -> Skip | None:
        """Return the reviewed exclusion that names this item."""
        return next((skip for skip in self.skip if skip.names(item)), None)


def _explain(source: str, fault: ErrorDetails) -> str:
    place = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        nested: dict[str, type[BaseModel]] = {"skip": Skip, "category": CategoryThreshold}
        owner = nested.get(str(fault["loc"][0]), Policy) if len(fault["loc"]) > 1 else Policy
        return f"{source}: unknown field '{place}'; known are: {', '.join(owner.model_fields)}"
    if fault["type"] == "missing":
        return f"{source}: '{place}' is missing"
    return f"{source}: {place} = {fault['input']!r}: {fault['msg']}"
