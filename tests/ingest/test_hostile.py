"""Odd and hostile files: what is said about each, and what is kept of it."""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import pytest
import zstandard

from tests.ingest.stores import ingest, rows, write
from tests.ingest.test_evaluation_report import REPORT
from tests.ingest.test_trial_row import CONTRACT

TEXT: Final = json.dumps(REPORT).encode()
LINE: Final = json.dumps(CONTRACT).encode()
OTHER: Final = json.dumps(CONTRACT | {"repetition": 7}).encode()


def deep(levels: int) -> bytes:
    return b'{"a":' * levels + b"1" + b"}" * levels


def observed(value: bytes) -> bytes:
    return TEXT.replace(b'{"facts": [0, 0, 0, 1.5]}', b'{"v": ' + value + b"}")


class Odd(NamedTuple):
    """One odd file: its name and bytes, the rules that refuse something, the trials kept."""

    what: str
    name: str
    data: bytes
    rules: list[str]
    kept: int
    said: str = ""


TABLE: Final = [
    Odd("a UTF-8 byte order mark", "a.json", b"\xef\xbb\xbf" + TEXT, [], 1),
    Odd("a byte order mark before lines", "a.jsonl", b"\xef\xbb\xbf" + LINE + b"\n" + OTHER, [], 2),
    Odd("UTF-16", "a.json", TEXT.decode().encode("utf-16"), ["encoding"], 0, "UTF-16"),
    Odd("CRLF", "a.jsonl", LINE + b"\r\n" + OTHER + b"\r\n", [], 2),
    Odd("no newline at the end", "a.jsonl", LINE + b"\n" + OTHER, [], 2),
    Odd("blank lines", "a.jsonl", b"\n" + LINE + b"\n\n  \n" + OTHER + b"\n\n", [], 2),
    Odd("NaN in a payload", "a.json", observed(b"NaN"), ["not-a-number"], 0, ".observation.v"),
    Odd("-Infinity", "a.json", observed(b"[1, -Infinity]"), ["not-a-number"], 0, "v[1]"),
    Odd(
        "NaN in a row",
        "a.jsonl",
        LINE + b"\n" + OTHER.replace(b"2.5", b"NaN"),
        ["not-a-number"],
        1,
        "retry_delay_secs",
    ),
    Odd("minus zero", "a.json", observed(b"-0"), [], 1),
    Odd("an integer past 64 bits", "a.json", observed(b"9" * 40), [], 1),
    Odd(
        "a repetition past 64 bits",
        "a.jsonl",
        LINE + b"\n" + OTHER.replace(b'"repetition": 7', b'"repetition": ' + b"9" * 30),
        ["B12"],
        1,
    ),
    Odd("a number no float can hold", "a.json", observed(b"1e999"), [], 1),
    Odd(
        "a member written twice in a case",
        "a.json",
        TEXT.replace(
            b'"status": "failed", "turns"', b'"status": "passed", "status": "failed", "turns"'
        ),
        ["repeated-member"],
        0,
        '"passed" and as "failed"',
    ),
    Odd(
        "a member written twice in the envelope",
        "a.json",
        TEXT.replace(b'"runId"', b'"runId": "other", "runId"'),
        ["repeated-member"],
        0,
    ),
    Odd(
        "a member written twice deep in a criterion",
        "a.json",
        TEXT.replace(
            b'"id": "k2", "passed": false', b'"id": "k2", "passed": true, "passed": false'
        ),
        ["repeated-member"],
        0,
    ),
    Odd(
        "a member written twice in a row",
        "a.jsonl",
        LINE + b"\n" + OTHER.replace(b'"tool": ', b'"tool": "x", "tool": '),
        ["repeated-member"],
        1,
    ),
    Odd("a member written twice in a payload", "a.json", observed(b'{"a": 1, "a": 2}'), [], 1),
    Odd("half a character in a payload", "a.json", observed(b'"\\ud83d"'), [], 1),
    Odd(
        "half a character in a row",
        "a.jsonl",
        LINE.replace(b"a note", b"\\udc00") + b"\n" + OTHER,
        [],
        2,
    ),
    Odd("an escaped NUL", "a.json", TEXT.replace(b"case skip", b"a\\u0000b"), [], 1),
    Odd("a bare NUL", "a.json", TEXT.replace(b"case skip", b"a\x00b"), ["invalid-json"], 0),
    Odd("invalid UTF-8 in a payload", "a.json", observed(b'"\xff"'), ["encoding"], 0),
    Odd(
        "invalid UTF-8 in a name",
        "a.json",
        TEXT.replace(b"case skip", b"\xff"),
        ["json_invalid"],
        0,
    ),
    Odd("50 levels", "a.json", observed(deep(50)), [], 1),
    Odd("a depth bomb", "a.json", observed(b"[" * 100_000), ["too-deep"], 0),
    Odd(
        "a depth bomb in a row",
        "a.jsonl",
        LINE + b"\n" + b'{"checks":' + b"[" * 100_000,
        ["too-deep"],
        1,
    ),
    Odd("cut off", "a.json", TEXT[:-40], ["truncated"], 0, "still being written"),
    Odd("a last line cut off", "a.jsonl", LINE + b"\n" + OTHER[:-40], ["truncated"], 1),
    Odd("an array of rows", "a.json", b"[" + LINE + b"," + OTHER + b"]", [], 2),
    Odd("one row", "a.json", LINE, [], 1),
    Odd("one pretty-printed row", "a.json", json.dumps(CONTRACT, indent=2).encode(), [], 1),
    Odd("a bad line first", "a.jsonl", b"{oops\n" + LINE + b"\n" + OTHER, ["B1"], 2),
    Odd(
        "half a character in a later row",
        "a.jsonl",
        LINE + b"\n" + OTHER.replace(b"a note", b"\\udc00"),
        [],
        2,
    ),
    Odd("a line that is no object", "a.jsonl", LINE + b"\n[1]\n" + OTHER, ["B1"], 2),
    Odd("an empty file", "a.json", b"", ["empty-file"], 0, "missing evidence"),
    Odd("only spaces", "a.jsonl", b" \n\n", ["empty-file"], 0, "missing evidence"),
    Odd("an empty array", "a.json", b"[]", ["no-rows"], 0, "missing evidence"),
    Odd(
        "JSON but no report",
        "a.json",
        b'{"zeta": 1, "alpha": 2}',
        ["unknown-format"],
        0,
        "alpha, zeta",
    ),
    Odd("a bare number", "a.json", b"42", ["invalid-json"], 0),
    Odd("text", "a.json", b"hello", ["invalid-json"], 0),
    Odd("a report in lines", "a.jsonl", TEXT + b"\n" + TEXT.replace(b"native-run", b"n2"), [], 2),
    Odd(
        "a newer version",
        "a.json",
        TEXT.replace(b'{"schemaVersion": 1, "runId"', b'{"schemaVersion": 2, "runId"'),
        ["unsupported-version"],
        0,
    ),
]


PACKERS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": lambda data: zstandard.ZstdCompressor().compress(data),
}


@pytest.mark.parametrize("odd", [pytest.param(odd, id=odd.what) for odd in TABLE])
@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
def test_what_is_said_and_what_is_kept(tmp_path: Path, odd: Odd, packed: str) -> None:
    path = write(tmp_path, f"{odd.name}{packed}", PACKERS[packed](odd.data))
    old = path.stat().st_mtime - 60
    os.utime(path, (old, old))
    db = tmp_path / "store.duckdb"
    result = ingest(db, path)
    assert [each.rule for each in result.rejected] == odd.rules, result.rejected
    assert sum(each.trials for each in result.loaded) == odd.kept == len(rows(db, "trial"))
    told = " ".join(f"{each.place} {each.message}" for each in result.rejected)
    assert odd.said in told
    assert all(each.remedy for each in result.rejected)
    assert len(rows(db, "rejection")) == len(odd.rules)
