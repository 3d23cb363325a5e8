"""Stores answers of a client's own model as they arrive; the run resumes once they are complete."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.replies import reply
from deepresearch_mcp.llm.json_text import extract_json
from deepresearch_mcp.llm.shapes import fit
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.run import RunRow
from deepresearch_mcp.records.work import ClientAnswer, ModelTask

LONGEST = 60_000
"""Most characters of an answer: several times the longest requested one."""


class HandedIn(NamedTuple):
    """The outcome of storing answers."""

    row: RunRow
    faults: Mapping[str, str]
    """Maps a packet's name to why its answer was unusable; the packet may be answered once more."""


async def hand_in(
    jobs: Jobs,
    run_id: str,
    answers: Mapping[str, ClientAnswer],
    caller: str = LOCAL_CALLER,
    *,
    check: bool = True,
    enough: bool = False,
    take_up: bool = True,
) -> HandedIn:
    """Store answers to the packets that a run waits for; the last answer resumes the run.

    Args:
        jobs: The jobs of this process.
        run_id: The run.
        answers: By packet name. Answers to earlier rounds, as in a repeated call, are ignored; unknown names are
            faults.
        caller: The owner of the run.
        check: Refuse an answer of the wrong shape once per packet, while its writer still has the context. Otherwise
            the packet is sent again in the next round, with all its material.
        enough: Resume with the answers so far. With none, the rest of the run is done without a model.
        take_up: Whether this process may resume the run: see `reply`.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: The run does not wait for work.
    """
    store = jobs.runtime.store
    row = await jobs.get(run_id, caller)
    inquiry = await store.inquiries.open(row.run_id) if row.status == "input_required" else None
    if inquiry is None or inquiry.kind != "work":
        if inquiry is None and answers and await _heard(jobs, row.run_id, answers):
            return HandedIn(row, {})
        waits = "for its user, not for work" if inquiry else f"for no work: it is {row.status}"
        raise InvalidRequest(f"Run {row.run_id} waits {waits}.", "Check its status with get_report.")
    asked = {packet.packet_id: packet for packet in inquiry.open}
    good, faults = _sorted(asked, answers) if check else (_shortened(asked, answers), {})
    filled = await store.inquiries.fill(row.run_id, inquiry.inquiry_id, good, faults)
    faults |= dict.fromkeys(_unknown(inquiry, answers), "no packet has this name")
    if filled and (enough or not filled.open):
        row = await reply(jobs, row.run_id, Reply(decision="approve"), caller, take_up=take_up)
        return HandedIn(row, {})
    return HandedIn(await jobs.get(row.run_id, caller), faults)


async def _heard(jobs: Jobs, run_id: str, answers: Mapping[str, ClientAnswer]) -> bool:
    """Return whether all these answers belong to one earlier round, with which the run has resumed."""
    [number, *others] = {name.partition(".")[0] for name in answers}
    known = None if others else await jobs.runtime.store.inquiries.replied(run_id, steps.work(number[:6]))
    return known is not None and {one.packet_id for one in known[0].packets} >= answers.keys()


def _unknown(inquiry: InputRequest, answers: Mapping[str, ClientAnswer]) -> list[str]:
    """Return the names that no packet of this or an earlier round can have."""
    known = {packet.packet_id for packet in inquiry.packets}
    now = steps.round_of(inquiry.inquiry_id)
    rounds = {name: name.partition(".")[0] for name in answers if name not in known}
    return [
        name
        for name, number in rounds.items()
        if not (number.isdecimal() and number.isascii() and int(number[:9]) < now)
    ]


def _sorted(
    asked: Mapping[str, ModelTask], answers: Mapping[str, ClientAnswer]
) -> tuple[dict[str, ClientAnswer], dict[str, str]]:
    """Return the answers to keep, and the faults of the others."""
    good: dict[str, ClientAnswer] = {}
    faults: dict[str, str] = {}
    for name, answer in answers.items():
        packet = asked.get(name)
        if packet is None:
            continue
        fault = fault_of(answer.text, packet)
        if not fault:
            good[name] = answer
        elif packet.faulty:
            good[name] = answer.model_copy(update={"unusable": True})
        else:
            faults[name] = fault
    return good, faults


def _shortened(asked: Mapping[str, ModelTask], answers: Mapping[str, ClientAnswer]) -> dict[str, ClientAnswer]:
    return {
        name: answer if len(answer.text) <= LONGEST else ClientAnswer(text=answer.text[:LONGEST], cut=True)
        for name, answer in answers.items()
        if name in asked
    }


def fault_of(text: str, packet: ModelTask) -> str:
    """Return why an answer does not fit its packet's schema; "" if it does."""
    if not text.strip():
        return "it is empty"
    if len(text) > LONGEST:
        return f"it has {len(text):,} characters, and at most {LONGEST:,} are read"
    schema: Mapping[str, Any] = dict(packet.answer_schema or {})
    if not schema:
        return ""
    try:
        value = fit(extract_json(text), schema)
    except (ValueError, RecursionError):
        return "there is no JSON in it that can be read"
    if not isinstance(value, dict):
        return "it is not a JSON object"
    required: list[str] = schema.get("required", [])
    if required and not any(name in value for name in required):
        return f"it has none of {', '.join(map(repr, required))}"
    return ""


def unusable(faults: Mapping[str, str]) -> InvalidRequest:
    """Return the error for unusable answers, for a surface that cannot ask again at once."""
    named = "; ".join(f"{name}: {fault}" for name, fault in faults.items())
    return InvalidRequest(f"Some answers could not be used ({named}).", "The others are kept: give these once more.")


def work_of(given: Mapping[str, Any]) -> dict[str, ClientAnswer]:
    """Return answers by packet name, from JSON values or text."""
    return {
        str(name).strip(): ClientAnswer(text=value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for name, value in given.items()
    }
