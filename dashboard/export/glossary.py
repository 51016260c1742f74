"""The words of a report, for somebody who meets them there for the first time."""

from typing import Final

GLOSSARY: Final = (
    ("run", "One execution of a suite against one subject: usually one report file."),
    ("suite", "The set of items that were tried."),
    ("subject", "The model or system under evaluation."),
    ("item", "One scenario of the suite."),
    ("cell", "An item with one choice of variants, within one run."),
    ("trial", "One repetition of a cell, from its first turn to its last."),
    ("turn", "One exchange of a trial: what was said, and what was observed."),
    ("criterion", "What a trial must satisfy; it may be an expression of several checks."),
    ("graded", "Passed or failed. Only graded trials enter a rate."),
    (
        "ungraded",
        "Neither passed nor failed: it errored, was blocked, skipped, cancelled, or never ran. It "
        "enters no rate, and how far it could have moved the rate is said beside it.",
    ),
    (
        "errored criterion",
        "A criterion whose evaluator broke. It says nothing about the subject until it is mended.",
    ),
    (
        "decisive",
        "A check that explains why its criterion came out as it did. A check that failed where "
        "another alternative held explains nothing and is only context.",
    ),
    (
        "category",
        "What a criterion is about. Every criterion has one, put there by a rule that can be "
        "read. Categories are never added up.",
    ),
    ("held", "Measured, and no criterion of the category failed."),
    (
        "these items again",
        "An interval that answers: would these items give this rate if they ran again?",
    ),
    (
        "items like these",
        "A wider interval that answers: what is the rate on other items of the same kind?",
    ),
    (
        "ungraded could make it",
        "No interval of chance: where the rate would lie had the ungraded trials been graded.",
    ),
    ("flaky", "Repetitions of one cell that came out both ways."),
    ("vote", "One opinion of a judge about one trial. It measures the judge, and enters no rate."),
    (
        "first divergence",
        "The first turn at which a failing repetition differs from one of the same cell that "
        "passed.",
    ),
)
