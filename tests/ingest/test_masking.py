"""What differs run by run is masked, and nothing else."""

import pytest

from ingest.masking import mask


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("", ""),
        ("saved 123e4567-e89b-12d3-a456-426614174000.", "saved <id>."),
        ("hash 0123456789abcdef and 0123456789ABCDEF", "hash <id> and <id>"),
        ("fifteen digits 0123456789abcde stay", "fifteen digits 0123456789abcde stay"),
        ("a word of letters: abcdefabcdefabcdef", "a word of letters: abcdefabcdefabcdef"),
        ("inside a word: x0123456789abcdef0", "inside a word: x0123456789abcdef0"),
        ("long number 12345678901234567890", "long number <id>"),
    ],
)
def test_masks(text: str, masked: str) -> None:
    assert mask(text) == masked
