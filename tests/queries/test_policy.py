"""A policy file says what a build asks for; a mistake in it is named with its remedy."""

import pytest

from queries.policy import CategoryThreshold, Policy, PolicyError, Skip


def test_an_empty_file_is_the_strict_policy() -> None:
    assert Policy.read("") == Policy()


def test_a_file_may_say_everything() -> None:
    policy = Policy.read(
        """
        min_deterministic_pass_rate = 0.9
        allow_flaky_items = true

        [category.clarification]
        min_rate = 0.8

        [[skip]]
        item = "refund.*"
        reason = "reviewed"
        """
    )

    assert policy.min_deterministic_pass_rate == 0.9
    assert policy.category == {"clarification": CategoryThreshold(min_rate=0.8)}
    assert policy.skips("refund.a") == Skip(item="refund.*", reason="reviewed")
    assert policy.skips("a.refund.a") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("= 1", "policy is no TOML"),
        ("min_pass_rate = 1", "unknown field 'min_pass_rate'; known are: require_completed"),
        ("[[skip]]\nitem = 'a'", "'skip.0.reason' is missing"),
        ("[category.tone]\nmin_rate = 1", "category.tone"),
        ("[category.clarification]\nrate = 1", "known are: min_rate, level"),
        ("max_abandonment_rate = 2", "max_abandonment_rate = 2: Input should be less than or"),
    ],
)
def test_a_mistake_is_named_with_its_remedy(text: str, message: str) -> None:
    with pytest.raises(PolicyError) as raised:
        Policy.read(text)

    assert message in str(raised.value)


def test_every_field_is_documented() -> None:
    for model in (Policy, Skip, CategoryThreshold):
        assert [name for name, field in model.model_fields.items() if not field.description] == []
