"""A user's rules: what they match, whose rule decides, and what a bad file is told."""

import pytest

from queries import categories
from tests import builders
from tests.queries.sorting import EVALUATION, ROW, assigned, stopped


def test_a_rule_about_the_criterion_beats_one_about_a_leaf() -> None:
    rules = """
        [[rule]]
        path = "/facts"
        category = "clarification"
        [[rule]]
        criterion = "crit*n"
        category = "user_experience"
    """

    found = assigned(EVALUATION, {"target": '["facts"]'}, rules=rules)

    assert found == ("user_experience", "mine.toml rule 2")


def test_a_users_rule_comes_first_though_it_matches_a_later_leaf() -> None:
    nodes = [
        {"kind": "all", "leaf": False},
        {"position": 1, "path": "criterion/a", "target": '["facts"]'},
        {"position": 2, "path": "criterion/b", "kind": "custom", "evaluator": "shop.tone"},
    ]
    rules = 'rule = [{ name = "tone", evaluator = "shop.*", category = "user_experience" }]'

    assert assigned(EVALUATION, *nodes, rules=rules) == ("user_experience", "tone")


@pytest.mark.parametrize(
    ("match", "holds"),
    [
        ('suite = "suite"', True),
        ('suite = "s?ite"', True),
        ('suite = "suit"', False),
        ('item = "i*"', True),
        ('item = "i.*"', False),
        ('tag = "smoke"', True),
        ('tag = "smo*"', True),
        ('tag = "slow"', False),
        ('dialect = "live-runner"', True),
        ('dialect = "replay-report"', False),
        ('fault = "agent"', True),
        ('code = "ERR_*"', True),
        ('criterion = "other"', False),
        ('format = "trial-row"\nitem = "other"', False),
        ('expectation = "commands"', False),
        ('path = "/facts"', False),
        ('evaluator = "*"', False),
    ],
)
def test_a_rule_matches_what_all_its_fields_match(match: str, *, holds: bool) -> None:
    frame = categories.assign(
        builders.definitions({"fault": "agent", "code": "ERR_BRAND_NEW"}),
        builders.items({"tags": ["en", "smoke"]}),
        builders.runs({"format": ROW, "dialect": "contract + live-runner"}),
        categories.read({"mine.toml": f'[[rule]]\ncategory = "user_experience"\n{match}'}),
    )

    assert (frame.collect()["category"].item() == "user_experience") is holds


def test_a_users_rule_sorts_stops() -> None:
    rules = 'rule = [{ error_code = "SHOP_*", item = "item", category = "provider_failure" }]'

    assert stopped(EVALUATION, rules, outcome="error", error_code="SHOP_RATE_LIMITED") == (
        "provider_failure",
        "mine.toml rule 1",
    )


def test_a_rule_about_stops_does_not_sort_criteria() -> None:
    rules = 'rule = [{ outcome = "error", category = "provider_failure" }]'

    assert assigned(EVALUATION, {"target": '["facts"]'}, rules=rules)[1] == "A facts"


def test_names_with_regex_signs_match_themselves_only() -> None:
    rules = 'rule = [{ path = "/a.b/c[0]", category = "clarification" }]'

    assert assigned(EVALUATION, {"target": '["a.b","c[0]"]'}, rules=rules)[0] == "clarification"
    assert assigned(EVALUATION, {"target": '["axb","c[0]"]'}, rules=rules)[0] == "unmapped"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule = [", "mine.toml is no TOML: "),
        ("rules = []", "mine.toml: unknown field 'rules'; known are: rule"),
        (
            '[[rule]]\ncategory = "speed"\nitem = "a"',
            "mine.toml, rule 1: category = 'speed'; allowed are: 'side_effect_integrity', ",
        ),
        ('[[rule]]\nitem = "a"', "mine.toml, rule 1: 'category' is missing; one of: side_effect"),
        (
            '[[rule]]\ncategory = "unmapped"\nitem = "a"\n[[rule]]\nid = "a"',
            "mine.toml, rule 2: 'category' is missing; one of: ",
        ),
        (
            '[[rule]]\ncategory = "unmapped"\nid = "a"',
            "mine.toml, rule 1: unknown field 'id'; known are: category, name, reason, format,",
        ),
        (
            '[[rule]]\ncategory = "unmapped"\nfault = "model"',
            "mine.toml, rule 1: fault = 'model'; allowed are: 'agent' or 'tool'",
        ),
        (
            '[[rule]]\ncategory = "unmapped"\npath = "facts"',
            "mine.toml, rule 1: path = 'facts'; write it as /response/interaction",
        ),
        ('[[rule]]\ncategory = "unmapped"', "mine.toml, rule 1: matches everything; say what"),
        (
            '[[rule]]\ncategory = "unmapped"\nerror_code = "A"\npath = "/a"',
            "mine.toml, rule 1: 'error_code' sorts stops and 'path' criteria; make two rules",
        ),
        (
            '[[rule]]\ncategory = "unmapped"\nitem = 3',
            "mine.toml, rule 1: item = 3: Input should be a valid string",
        ),
    ],
)
def test_a_bad_file_is_told_where_and_what(text: str, message: str) -> None:
    with pytest.raises(categories.RulesError) as caught:
        categories.read({"mine.toml": text})

    assert str(caught.value).startswith(message)
