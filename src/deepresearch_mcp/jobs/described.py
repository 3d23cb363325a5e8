"""Renders a run's questions, plan and estimate as lines for every surface."""

from collections.abc import Mapping, Sequence
from typing import Any

from deepresearch_mcp.records.consent import RULED, InputRequest
from deepresearch_mcp.records.plan import Estimate, Plan
from deepresearch_mcp.records.request import Limits, Shape
from deepresearch_mcp.records.work import ModelTask
from deepresearch_mcp.text.markdown import visible


def inquiry_lines(inquiry: InputRequest) -> list[str]:
    """Return the plan with its estimate, or the questions, without instructions on how to reply."""
    if inquiry.kind == "clarification":
        return question_lines(inquiry)
    if inquiry.kind == "work":
        return packet_lines(inquiry.open)
    if inquiry.kind == "budget":
        return ["What it is likely to use:", *estimate_lines(inquiry.estimate)] if inquiry.estimate else []
    lines = [*scope_lines(inquiry.plan), "The plan:", *plan_lines(inquiry.plan)] if inquiry.plan else []
    if inquiry.questions:
        lines += ["", "The planner would like to know:", *question_lines(inquiry)]
    if inquiry.plan and inquiry.plan.estimate:
        lines += ["", "What it is likely to use:", *estimate_lines(inquiry.plan.estimate)]
    if inquiry.ceilings:
        lines += [f"It never uses more than {ceilings_line(inquiry.ceilings)}."]
    return lines


def ways_on(inquiry: InputRequest) -> dict[str, str]:
    """Return the options if a research would exceed its ceiling: a word for each, and its meaning."""
    raised = {name: value for name, value in (inquiry.raised or Limits()) if value is not None}
    to = " and ".join(f"{name} to {_ceiling(name, value)}" for name, value in raised.items())
    return {
        **({"raise": f"Raise {to}"} if raised else {}),
        "narrow": "Run narrowed, within the ceiling",
        "stop": "Do not run it",
    }


def _ceiling(name: str, value: float) -> str:
    return f"${value:g}" if name == "max_usd" else f"{value:,}"


def packet_lines(packets: Sequence[ModelTask]) -> list[str]:
    """Return packets of work: the instructions once per task, followed by the material of each packet."""
    lines: list[str] = []
    for system in dict.fromkeys(packet.system for packet in packets):
        alike = [packet for packet in packets if packet.system == system]
        shapes = {shape_line(packet.answer_schema) for packet in alike if packet.answer_schema}
        shape = shapes.pop() if len(shapes) == 1 else ""
        lines += [f"# Task: {alike[0].task} (packet {', '.join(packet.packet_id for packet in alike)})", "", system, ""]
        lines += [f"Each answer is one JSON object: {shape}", ""] if shape else []
        for packet in alike:
            lines += [f"## Packet {packet.packet_id}", "", packet.prompt, ""]
            if shapes and packet.answer_schema:
                lines += [f"Its answer is one JSON object: {shape_line(packet.answer_schema)}", ""]
    return lines[:-1]


def shape_line(schema: Mapping[str, Any]) -> str:
    """Return a short example of JSON that fits a schema."""
    if words := schema.get("enum"):
        return f'"{"|".join(map(str, words))}"'
    match schema.get("type"):
        case "object":
            inside = ", ".join(f'"{name}": {shape_line(part)}' for name, part in schema.get("properties", {}).items())
            return f"{{{inside}}}"
        case "array":
            return f"[{shape_line(schema.get('items', {}))}, …]"
        case "integer" | "number":
            low, high = schema.get("minimum"), schema.get("maximum")
            return "1" if low is None or high is None else f"{low}–{high}"
        case "boolean":
            return "true|false"
        case _:
            return '"…"'


def scope_lines(plan: Plan) -> list[str]:
    """What the question asks for, and an empty line; nothing where the planner took it as it stands."""
    scope = plan.scope
    if plan.made_by in RULED or not scope.deliverables:
        return []
    grid = f"{', '.join(scope.subjects)}, by {', '.join(scope.aspects)}" if scope.cells else ", ".join(scope.subjects)
    notes = (("About", grid), ("Within", "; ".join(scope.constraints)), ("To be tested", "; ".join(scope.premises)))
    return [
        "What is asked for:",
        *(
            f"{number}. {visible(one.text)} ({_KINDS.get(one.kind, one.kind)})"
            for number, one in enumerate(scope.deliverables, 1)
        ),
        *(f"   {name}: {visible(text)}" for name, text in notes if text),
        "",
    ]


_KINDS = {"how_to": "how-to"}


def plan_lines(plan: Plan) -> list[str]:
    """Each sub-question with its queries below it, and how many statements are tested beside them."""
    lines: list[str] = []
    for number, part in enumerate(plan.sub_questions, 1):
        rank = "" if part.priority == "medium" or len(plan.sub_questions) == 1 else f" ({part.priority} priority)"
        lines.append(f"{number}. {visible(part.text)}{rank}")
        lines.append(f"   searches: {visible(' · '.join(part.queries))}")
    if count := len(plan.hypotheses):
        lines.append(
            f"Beside these, {count} expected answer{' is' if count == 1 else 's are'} tested, with a search each."
        )
    return lines


def question_lines(inquiry: InputRequest) -> list[str]:
    """Return each question to the user, with its likely answers."""
    return [
        f"{number}. {visible(one.question)} {visible(_either(one.options))}".rstrip()
        for number, one in enumerate(inquiry.questions, 1)
    ]


def _either(options: Sequence[str]) -> str:
    return f"({', '.join(options[:-1])} or {options[-1]})" if len(options) > 1 else ""


def estimate_lines(found: Estimate) -> list[str]:
    """Return the estimate of a research, by stage and in total."""
    lines = [
        f"{stage.stage:<10} {stage.tokens:>9,} tokens  {_dollars(stage.usd):>14}  {stage.model}"
        for stage in found.stages
    ]
    if found.search_usd:
        lines.append(f"{'searches':<10} {0:>9} tokens  {_dollars(found.search_usd):>14}  {found.searches} queries")
    rest = f"{found.searches} searches, {found.pages} pages, about {found.seconds / 60:.1f} minutes"
    lines.append(f"{'In all':<10} {found.tokens:>9,} tokens  {_dollars(found.usd):>14}  {rest}")
    if (shape := found.ceilings) is None:
        return lines
    most = f"{shape.max_searches} searches, {shape.max_pages} pages, {shape.max_minutes:g} minutes"
    lines.append(f"{'At most':<10} {shape.max_tokens:>9,} tokens  {_dollars(shape.max_usd):>14}  {most}")
    return [*lines, f"Confidence: {found.confidence} ({_basis(found)}){_between(found)}", *_pressed_lines(found)]


def _basis(found: Estimate) -> str:
    runs = "run" if found.runs == 1 else "runs"
    if found.confidence == "low":
        known = f"only {found.runs} similar {runs}" if found.runs else "no similar run yet"
        return f"{known}; the real figure may be half or double"
    return f"based on the last {found.runs} similar {runs}"


def _between(found: Estimate) -> str:
    ranges: list[str] = []
    if found.usd_range and found.usd_range[0] < found.usd_range[1]:
        ranges.append(f"{_dollars(found.usd_range[0])} to {_dollars(found.usd_range[1])}")
    if found.tokens_range:
        ranges.append(f"{found.tokens_range[0]:,} to {found.tokens_range[1]:,} tokens")
    return f": {', '.join(ranges)}" if ranges else ""


def _pressed_lines(found: Estimate) -> list[str]:
    """Return the ceilings that the run would exceed or use to at least 80 %."""
    return [
        f"This exceeds {one.ceiling}." if one.over else f"{one.ceiling} would be at least 80 % used."
        for one in found.pressed
    ]


def ceilings_line(shape: Shape) -> str:
    """Return the five ceilings in words."""
    return (
        f"${shape.max_usd:.2f}, {shape.max_tokens:,} tokens, {shape.max_searches} searches, "
        f"{shape.max_pages} pages and {shape.max_minutes:g} minutes"
    )


def _dollars(usd: float | None) -> str:
    return "price unknown" if usd is None else f"${usd:.4f}"
