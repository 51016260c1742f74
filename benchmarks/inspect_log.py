"""Writes an evaluation report as a log of inspect_ai: as many samples and messages, as long.

    python inspect_log.py REPORT LOG

Run by an interpreter that has inspect_ai.
"""

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Score


def sample(case: dict[str, Any]) -> EvalSample:
    """Return a case as a sample: two messages a turn, the observation as the answer."""
    messages: list[Any] = []
    for turn in case["turns"]:
        messages.append(ChatMessageUser(content=turn["input"]["message"]))
        messages.append(ChatMessageAssistant(content=json.dumps(turn["observation"])))
    return EvalSample(
        id=case["scenarioId"],
        epoch=case["repetition"] + 1,
        input=messages[0].content,
        target="",
        messages=messages,
        output=ModelOutput.from_content("mockllm/model", messages[-1].content[:80]),
        scores={"check": Score(value="C" if case["status"] == "passed" else "I")},
    )


def main() -> None:
    """Convert one report."""
    source, target = sys.argv[1:]
    report = json.loads(Path(source).read_bytes())
    spec = EvalSpec(
        created=report["startedAt"],
        task=report["suite"]["id"],
        dataset=EvalDataset(),
        model="mockllm/model",
        config=EvalConfig(),
    )
    log = EvalLog(eval=spec, status="success", samples=[sample(case) for case in report["cases"]])
    write_eval_log(log, target, format="json")


if __name__ == "__main__":
    main()
