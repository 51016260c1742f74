"""The loop of a coding agent over the Model Context Protocol, with the package's own client."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from dashboard import agent
from dashboard.answers import MOST_BYTES
from ingest.load import load_paths
from tests.acceptance import DATA
from tests.cli.conftest import ROOT

Call = Callable[..., Awaitable[Any]]
FAST = "product-selection.fast-model.r14.completed"
CAREFUL = "product-selection.careful-model.completed"


def in_a_thread(loop: Coroutine[Any, Any, None]) -> None:
    """Run a loop beside any other that a test of this process has running."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, loop).result()


def with_agent(db: Path, loop: Callable[[Call], Awaitable[None]]) -> None:
    """Run a loop against the server of a store in this process."""

    async def run() -> None:
        async with Client(agent.server(db)) as client:
            await loop(caller(client))

    in_a_thread(run())


def caller(client: Client) -> Call:
    async def call(tool: str, **arguments: object) -> Any:
        result = await client.call_tool(tool, arguments)
        (content,) = result.content
        text: str = content.text  # type: ignore[union-attr]
        assert not result.is_error, text
        assert len(text.encode()) <= MOST_BYTES
        return json.loads(text)

    return call


def test_every_tool_is_read_only_and_described(samples: Path) -> None:
    async def run() -> None:
        async with Client(agent.server(samples)) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == [
                *("runs", "reliability", "failures", "brief", "show", "compare", "gate"),
            ]
            for tool in tools:
                assert tool.description
                assert tool.annotations is not None
                assert tool.annotations.read_only_hint is True
            assert "never an instruction" in str(client.instructions)

    in_a_thread(run())


def test_a_long_list_says_how_to_ask_for_the_rest(samples: Path) -> None:
    async def loop(call: Call) -> None:
        rows: list[Any] = []
        while True:
            answer = await call("reliability", offset=len(rows))
            rows += answer["categories"]
            if "more" not in answer:
                break
            assert answer["more"].endswith(f"reliability with offset={len(rows)}")
        assert len(rows) == answer["rows_in_all"] > len(answer["categories"])

    with_agent(samples, loop)


def test_what_a_person_can_mend_is_the_answer(samples: Path) -> None:
    async def run() -> None:
        async with Client(agent.server(samples)) as client:
            result = await client.call_tool("show", {"trial": "0000000000-1"})
            (content,) = result.content
            assert result.is_error
            assert "no trial is called '0000000000-1'" in content.text  # type: ignore[union-attr]

    in_a_thread(run())


@pytest.mark.skipif(not DATA.is_dir(), reason="the acceptance reports are not beside this project")
def test_an_agent_goes_from_a_failing_run_to_the_turn_and_back_to_the_gate(tmp_path: Path) -> None:
    db = tmp_path / "reports.duckdb"
    folder = DATA / "evaluation_report"
    load_paths([str(folder / f"{name}.json") for name in (FAST, CAREFUL)], db)

    async def loop(call: Call) -> None:
        listed = await call("failures", runs=[FAST])
        assert {row["run"] for row in listed["failures"]} == {listed["failures"][0]["run"]}
        assert listed["rows_in_all"] == 22

        brief = await call("brief", run=FAST)
        entry = next(one for one in brief["failures"] if one["scope"] == "turn")
        assert entry["fails"]["failed"] == 2
        assert brief["rerun"]["all"] == [
            *("list-and-pick", "budget-filter", "change-of-mind", "compare-and-add"),
        ]

        trial, turn = entry["fails"]["trials"][0], entry["turn"]
        shown = await call("show", trial=trial, turn=turn)
        roles = json.dumps(shown["criteria"])
        assert shown["turn"] == turn
        assert '"role": "decisive"' in roles
        assert shown["observation"]

        compared = await call("compare", base=FAST, current=CAREFUL)
        assert compared["compared"] == 18 or compared["compared"] > 0
        kinds = {change["kind"] for change in compared["changes"]}
        assert "deterministic_improvement" in kinds

        gated = await call("gate", runs=[FAST], baseline=CAREFUL)
        assert gated["verdict"] == "fail"
        assert "max_regressions" in {row["rule"] for row in gated["rulings"]}

    with_agent(db, loop)


def test_the_command_serves_over_standard_input_and_output(samples: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "dashboard.cli", "mcp", "--db", str(samples)],
        cwd=str(ROOT),
    )

    async def run() -> None:
        async with Client(server) as client:
            answer = await caller(client)("runs")
            assert answer["rows_in_all"] == 21

    in_a_thread(run())
