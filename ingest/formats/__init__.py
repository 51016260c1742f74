"""The report formats: a new one is a module with these four names, and its line in ``READERS``."""

from typing import Final, Protocol

from ingest.batch import Batch, Source
from ingest.formats import evaluation_report, sample_report, trial_row


class Reader(Protocol):
    """What a format module offers."""

    NAME: str
    """The format's stable name, as in the store."""

    TITLE: str
    """One line for an error message: the name and the members that mark it."""

    def claims(self, members: frozenset[str]) -> bool:
        """Return whether a JSON object with these members is meant to be of this format."""

    def read(self, source: Source, batch: Batch) -> None:
        """Read every document of a file into the batch; what cannot be read is rejected there."""


READERS: Final[tuple[Reader, ...]] = (evaluation_report, trial_row, sample_report)
