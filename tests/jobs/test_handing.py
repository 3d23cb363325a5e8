"""Whole runs whose thinking is done by the model of whoever asked, round by round."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.jobs.handing import hand_in, work_of
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.work import Answered, Packet
from deepresearch_mcp.text.tokens import estimate
from scholar import Scholar
from small_web import small_web
from whole_runs import checked, opened, researched

Answer = Callable[[Packet], Any]


def by(scholar: Scholar) -> Answer:
    return lambda packet: scholar.answer(
        {"schema": packet.answer_schema, "prompt": packet.prompt, "system": packet.system}
    )


async def to_the_end(jobs: Jobs, run: Run, answer: Answer) -> tuple[Run, list[list[Packet]]]:
    """Answer round after round; the run in its end, and what was asked in each round."""
    rounds: list[list[Packet]] = []
    while run.waiting:
        rounds.append(list(run.waiting.open))
        work = {packet.packet_id: answer(packet) for packet in run.waiting.open}
        await hand_in(jobs, run.run_id, work_of(work))
        await jobs.follow(run.run_id)
        run = await jobs.result(run.run_id)
    return run, rounds


async def test_a_standard_run_thought_by_its_client_takes_no_more_than_eight_rounds(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run = await researched(jobs, effort="standard", model="client")
        run, rounds = await to_the_end(jobs, run, by(Scholar()))

        await checked(jobs, run)
        for packets in rounds:
            print([(p.packet_id, p.task, estimate(p.prompt)) for p in packets])
        print(run.report)
        assert 0
