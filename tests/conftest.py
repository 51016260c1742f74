"""Options of the whole test run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate-goldens",
        action="store_true",
        help="Write tests/golden/ anew from what the commands print now; review the difference.",
    )
    parser.addoption(
        "--pictures",
        metavar="FOLDER",
        help="Keep the pictures that the browser tests take of every page in this folder.",
    )
