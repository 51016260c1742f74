"""Which trials of a cell did the same: one pass over trials or checks, counts per behaviour."""

from typing import Final

import narwhals as nw
from narwhals.typing import IntoLazyFrameT

from queries.counting import count, is_root

CELL: Final = ("run", "item", "variants")
ORDINALS: Final = 1 << 22
_PRIME: Final = (1 << 31) - 1
_OFFSETS: Final = (1_103_515_245, 1_664_525_021)
DIGESTS: Final = ("digest0", "digest1")
_ERRORED, _FAILED, _LEAF = 1, 2, 4


def signed(trials: IntoLazyFrameT, column: str) -> IntoLazyFrameT:
    """Trials per (run, item, variants, signature), of those that recorded one.

    ``first`` is twice the number of the first of them, plus one when that one passed.

    Args:
        trials: Rows of the table ``trial``.
        column: ``signature`` or ``masked_signature``.
    """
    signature = nw.col(column).alias("signature")
    frame = nw.from_native(trials).filter(~nw.col(column).is_null())
    return (
        frame.select(*CELL, signature, _first())
        .group_by(*CELL, "signature")
        .agg(count().alias("trials"), nw.col("first").min())
        .to_native()
    )


def traced(checks: IntoLazyFrameT, trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Graded trials per behaviour, of formats without a signature: as :func:`signed`.

    Trials of a cell did the same when they evaluated the same criteria with the same results for
    the same decisive leaves, and stopped with the same code. Told apart by the number of those
    facts and two sums of 31-bit digests of them, whatever their order in the table.
    """
    told = ("facts", *DIGESTS)
    return (
        nw.from_native(trials)
        .filter(nw.col("signature").is_null() & nw.col("graded"))
        .select("trial", *CELL, "error_code", _first())
        .join(_facts(checks), on="trial", how="left")
        .with_columns(nw.col(*told).fill_null(0).cast(nw.Int64))
        .group_by(*CELL, *told, "error_code")
        .agg(count().alias("trials"), nw.col("first").min())
        .to_native()
    )


def each(trials: IntoLazyFrameT, checks: IntoLazyFrameT, shown: IntoLazyFrameT) -> IntoLazyFrameT:
    """The trials of the cells in ``shown`` (item, variants), each with what tells behaviours apart.

    Trials of a cell behaved alike when they agree in ``signature`` where they have one, else in the
    facts, their digests and the error code; ungraded trials without a signature tell nothing.
    """
    told = ("facts", *DIGESTS)
    cells = nw.from_native(shown).select("item", "variants")
    columns = (*CELL, "trial", "repetition", "outcome", "graded", "error_code")
    return (
        nw.from_native(trials)
        .join(cells, on=["item", "variants"])
        .select(*columns, "signature", "masked_signature")
        .join(_facts(checks), on="trial", how="left")
        .with_columns(nw.col(*told).fill_null(0).cast(nw.Int64))
        .to_native()
    )


def _facts(checks: IntoLazyFrameT) -> nw.LazyFrame[IntoLazyFrameT]:
    """Per trial how many facts its criteria and decisive leaves are, and their two sums."""
    frame: nw.LazyFrame[IntoLazyFrameT] = nw.from_native(checks)
    return (
        frame.filter(is_root() | (nw.col("decisive") & (nw.col("scope") != "run")))
        .select("trial", _fact().alias("fact"))
        .select("trial", *(_digest(o).alias(d) for d, o in zip(DIGESTS, _OFFSETS, strict=True)))
        .group_by("trial")
        .agg(count().alias("facts"), *(nw.col(digest).sum() for digest in DIGESTS))
    )


def _first() -> nw.Expr:
    passed = nw.when(nw.col("outcome") == "passed").then(nw.lit(1)).otherwise(nw.lit(0))
    return (nw.col("trial") * 2 + passed.cast(nw.Int64)).alias("first")


def _fact() -> nw.Expr:
    """Number of a criterion with its result, or of a decisive leaf, within its run."""
    failed = nw.when(nw.col("passed")).then(nw.lit(0)).otherwise(nw.lit(_FAILED))
    result = nw.when(nw.col("errored")).then(nw.lit(_ERRORED)).otherwise(failed)
    leaf = nw.col("position").cast(nw.Int64) * 8 + nw.lit(_LEAF)
    criterion = (nw.col("definition") % ORDINALS) * 8 + result
    return nw.when(nw.col("parent").is_null()).then(criterion).otherwise(leaf).cast(nw.Int64)


def _digest(offset: int) -> nw.Expr:
    """Scatter a number over 31 bits: its distance from the offset to the 8th, in a prime field.

    Two offsets, and not two factors: a factor would only multiply every digest.
    """
    digest = (nw.col("fact") + offset) % _PRIME
    for _ in range(3):
        digest = digest * digest % _PRIME
    return digest
