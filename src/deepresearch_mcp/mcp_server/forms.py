"""Makes a form of what a run asks its user, and a reply of the filled form."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp import types

from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.tasks import Ctx
from deepresearch_mcp.mcp_server.texts import asked_line
from deepresearch_mcp.text.markdown import visible

if TYPE_CHECKING:
    from deepresearch_mcp.records.consent import InputRequest, Reply
    from deepresearch_mcp.records.run import Run

_SHOWN = 6_000
"""Characters of a message; a plan of seven parts takes half of them."""


def shows_forms(ctx: Ctx) -> bool:
    """Whether this client can put a form before its user."""
    capabilities = ctx.session.client_capabilities
    can = capabilities.elicitation if capabilities else None
    # An empty object is how clients say that they show forms.
    return can is not None and (can.form is not None or can.url is None)


def form_of(run: "Run") -> types.ElicitRequestFormParams:
    """The question of a run that waits; rendered the same whenever it is asked for."""
    inquiry = run.waiting
    if inquiry is None:
        raise ValueError("the run asks nothing")
    lines = [f"Research: {asked_line(run)}", "", inquiry.text, "", *lazy.described.inquiry_lines(inquiry)]
    if inquiry.kind == "budget":
        fields = _budget(inquiry)
    else:
        fields = _answers(inquiry) if inquiry.kind == "clarification" else _approval(inquiry) | _answers(inquiry)
    schema: dict[str, Any] = {"type": "object", "properties": fields}
    if inquiry.kind == "approval":
        schema["required"] = ["approve"]
    message = visible("\n".join(lines))
    return types.ElicitRequestFormParams(
        message=message if len(message) <= _SHOWN else f"{message[: _SHOWN - 1]}…", requested_schema=schema
    )


def _approval(inquiry: "InputRequest") -> dict[str, Any]:
    change = (
        "In your words; the plan is made anew."
        if inquiry.hears_notes
        else "Other sub-questions, separated by semicolons; they are taken word for word."
    )
    return {
        "approve": {
            "type": "boolean",
            "title": "Follow this plan",
            "description": "No ends the research. If you name a change below, the changed plan is shown again.",
            "default": True,
        },
        "change": {"type": "string", "title": "What to change", "description": change},
        "max_usd": {"type": "number", "title": "Spend at most, in dollars", "minimum": 0},
    }


def _budget(inquiry: "InputRequest") -> dict[str, Any]:

    ways = lazy.described.ways_on(inquiry)
    return {
        "decision": {
            "type": "string",
            "title": "What to do",
            "oneOf": [{"const": name, "title": title} for name, title in ways.items()],
            "default": "narrow",
        }
    }


def _answers(inquiry: "InputRequest") -> dict[str, Any]:

    return {
        f"answer_{number}": {
            "type": "string",
            "title": visible(one.question)[:200],
            "description": visible(
                f"Likely: {'; '.join(one.options)}" if one.options else "Empty: the planner decides"
            )[:500],
        }
        for number, one in enumerate(inquiry.questions, 1)
    }


def reply_from(inquiry: "InputRequest", answer: Mapping[str, Any]) -> "Reply | None":
    """The reply that a filled form stands for; None where it was closed without an answer.

    Raises:
        InvalidRequest: What it holds is no reply.
    """
    action = answer.get("action")
    if action == "decline":
        # Without an answer to a question the planner decides; a plan or a price that is declined ends the run.
        return lazy.asking.reply_of(approve=inquiry.kind == "clarification")
    if action != "accept":
        return None
    content: Mapping[str, Any] = answer.get("content") or {}
    if inquiry.kind == "budget":
        return lazy.replies.decided(inquiry, str(content.get("decision") or "narrow"))
    answers = [str(content.get(f"answer_{number}") or "") for number in range(1, len(inquiry.questions) + 1)]
    given: dict[str, Any] = {"answers": answers} if any(answers) else {}
    if inquiry.kind == "clarification":
        return lazy.asking.reply_of(approve=None if given else True, **given)
    if change := str(content.get("change") or "").strip():
        parts = [part.strip() for part in change.replace("\n", ";").split(";") if part.strip()]
        given |= {"note": change} if inquiry.hears_notes else {"sub_questions": parts}
    if content.get("max_usd") is not None:
        given["max_usd"] = content["max_usd"]
    approved = content.get("approve", True) is True
    return lazy.asking.reply_of(approve=True if approved else None if given else False, **given)
