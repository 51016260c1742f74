"""The bar of a long piece of work."""

import io
import sys

import pytest

from dashboard import meter
from dashboard.meter import Meter


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_far_it_is_and_a_clean_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "PATIENCE", 0)
    monkeypatch.setattr(meter, "INTERVAL", 0)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Meter("rows") as tell:
        tell(1, 4, 250)
        tell(4, 4, 750)

    assert " 25%  250 rows" in terminal.getvalue()
    assert "100%  1000 rows" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_pipe_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "PATIENCE", 0)
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    with Meter("rows") as tell:
        tell(1, 1, 1)

    assert pipe.getvalue() == ""


def test_quick_work_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Meter("rows") as tell:
        tell(1, 1, 1)

    assert terminal.getvalue() == ""
