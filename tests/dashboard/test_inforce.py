"""The files the pages were started with: category rules and channels, read again on change."""

import os
from pathlib import Path

import pytest

from dashboard import leaving, server
from dashboard.export.about import Selection
from tests.dashboard.conftest import Opened
from tests.dashboard.equal import Row
from tests.dashboard.reading import markup, rows, text
from tests.dashboard.said import said
from tests.dashboard.stored import run_of

SWIFT = "library-desk.swift-model.json"
CHANNELS = 'models = ["a", "b"]\nmax_age_days = 400\n[channel]\n"*" = "envelope"\n'
RULES = '[[rule]]\ncategory = "{}"\nformat = "evaluation-report"\n'


@pytest.fixture
def channels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "channels.toml"
    path.write_text(CHANNELS)
    monkeypatch.setenv(server.CHANNELS_VARIABLE, str(path))
    return path


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(RULES.format("user_experience"))
    monkeypatch.setenv(server.RULES_VARIABLE, str(path))
    return path


def codes(ways: list[Row]) -> list[tuple[str, str, str]]:
    return sorted((row["code"], row["channel"], str(len(row["models"]))) for row in ways)


def test_routing_follows_the_channels_and_names_them(
    opened: Opened, samples: Path, channels: Path
) -> None:
    page = opened(samples, "routing")
    found = said(samples, "routing", "--channels", str(channels))

    assert "Channels in force: channels.toml , 1 pattern of scenarios, 2 configured" in text(page)
    assert "a code on 2 models is work on its channel" in text(page)
    for title, way in (
        ("Work on a channel: the same fault on enough models", "channel"),
        ("Recorded: on too few models to say", "recorded"),
    ):
        drawn = rows(markup(page), title)
        told = [(line[0].split()[0], line[1], line[3]) for line in drawn]
        assert sorted(told) == codes(found[way])
        assert told


def test_the_export_of_the_page_follows_the_channels(samples: Path, channels: Path) -> None:
    own = leaving.made(str(samples), "routing", "csv", Selection(channels=channels))

    assert b"envelope" in own


def test_the_pages_follow_the_rules_and_the_file_as_it_changes(
    opened: Opened, samples: Path, rules: Path
) -> None:
    run = run_of(samples, SWIFT)
    first = opened(samples, "reliability", run=run)
    rules.write_text(RULES.format("abandonment"))
    os.utime(rules, ns=(1, 1))
    second = opened(samples, "reliability", run=run)

    assert "rules of mine.toml" in text(first)
    assert "user experience" in text(first).partition("Covered:")[0]
    assert "abandonment" in text(second).partition("Covered:")[0]
    assert "user experience" not in text(second).partition("Covered:")[0]


def test_a_file_that_can_no_longer_be_used_is_said(
    opened: Opened, samples: Path, rules: Path
) -> None:
    rules.write_text("category =")
    page = opened(samples, "reliability", run=run_of(samples, SWIFT))

    assert not page.exception
    assert "A file of settings cannot be used" in text(page)
    assert "mine.toml" in text(page)
