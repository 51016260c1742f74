"""Inputs, observations, signatures and reasons of a generated store: JSON text of real size.

A text is put together from pieces drawn once; ids are put in between, so that no two are equal and
they compress about as reports do.
"""

from functools import cache
from typing import Final

import numpy as np
import polars as pl

from benchmarks.reports import EVENTS, WORDS

SENTENCES: Final = 4_096
IDS: Final = 65_536


def turns(rng: np.random.Generator, number: np.ndarray) -> dict[str, pl.Series]:
    """Return ``input``, ``observation`` and ``bytes`` of turns; 0.4 to 1 KB each turn."""
    sentences, ids = _sentences(), _ids()
    size = len(number)
    asked, said, planned, first, second = (
        sentences.gather(rng.integers(0, SENTENCES, size)) for _ in range(5)
    )
    names = [ids.gather(rng.integers(0, IDS, size)) for _ in range(3)]
    kinds = pl.Series(EVENTS).gather(rng.integers(0, len(EVENTS), size))
    frame = pl.DataFrame(
        {
            "asked": asked,
            "said": said,
            "planned": planned,
            "first": first,
            "second": second.set(pl.Series(rng.random(size) < 0.4), None),
            "case": names[0],
            "event": names[1],
            "thread": names[2],
            "kind": kinds,
            "tokens": rng.integers(300, 9_000, size),
            "number": number,
        }
    )
    texts = frame.select(
        input=pl.concat_str(pl.lit('{"message":"'), "asked", pl.lit('"}')),
        observation=pl.concat_str(
            pl.lit('{"response":{"status":"completed","grounded":true,"message":"'),
            "said",
            pl.lit('"},"facts":[{"id":"'),
            "case",
            pl.lit('","type":"loan","value":'),
            "number",
            pl.lit('}],"usage":{"inputTokens":'),
            "tokens",
            pl.lit(',"outputTokens":180},"events":[{"id":"'),
            "event",
            pl.lit('","type":"'),
            "kind",
            pl.lit('","sequence":1,"data":{"proposal":"'),
            "planned",
            pl.lit('"}},{"id":"'),
            "thread",
            pl.lit('","type":"turn.completed","sequence":2,"data":{"note":"'),
            "first",
            pl.col("second").fill_null(""),
            pl.lit('"}}]}'),
        ),
    )
    return {
        "input": texts["input"],
        "observation": texts["observation"],
        "bytes": texts.select(
            pl.col("input").str.len_bytes().cast(pl.Int64)
            + pl.col("observation").str.len_bytes().cast(pl.Int64)
        ).to_series(),
    }


def values(rng: np.random.Generator, size: int) -> pl.Series:
    """Return short JSON values."""
    return _values().gather(rng.integers(0, SENTENCES, size))


def sentences(rng: np.random.Generator, size: int) -> pl.Series:
    """Return sentences of 60 to 240 characters."""
    return _sentences().gather(rng.integers(0, SENTENCES, size))


@cache
def _sentences() -> pl.Series:
    rng = np.random.default_rng(1)
    words = np.array(WORDS)
    lengths = rng.integers(9, 36, SENTENCES)
    return pl.Series([" ".join(words[rng.integers(0, len(words), one)]) for one in lengths])


@cache
def _values() -> pl.Series:
    return pl.Series([f'"{text[:40]}"' for text in _sentences()])


@cache
def _ids() -> pl.Series:
    rng = np.random.default_rng(2)
    drawn = rng.bytes(16 * IDS).hex()
    return pl.Series([drawn[place : place + 32] for place in range(0, len(drawn), 32)])
