"""The prompts that a client offers its user, each a Markdown file in `prompts/offered`."""

from collections.abc import Callable, Collection
from importlib.resources import files
from string import Template
from typing import Annotated

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.prompts import Prompt
from pydantic import Field

from deepresearch_mcp.mcp_server.callers import CLAUDE_CODE, name_of
from deepresearch_mcp.mcp_server.looks import ICONS
from deepresearch_mcp.mcp_server.server_context import ServerContext

_Ctx = Context[ServerContext]

EFFORTS = ("quick", "standard", "deep", "exhaustive")
"""What completes `effort`."""


_MAY_BE_CUT = """
Some clients (Claude Code) hand over only the first word of each part. Where a part above looks cut off, as a single
word or half a sentence, the whole text stands between <command-args> and </command-args> in this same message: take all
of it from there, as what was meant for the first part."""
_WAS_CUT = """
Only the first words were handed over: the whole text stands between <command-args> and </command-args> in this same
message. Take all of it from there as what is asked, and not what stands above."""


def _filled(name: str, ctx: _Ctx, *, odd: bool = False, **values: str) -> str:
    """A prompt with its parts; `odd`: one of them cannot be what it should be, as where Claude Code cut a text."""
    cut = odd and name_of(ctx.session) == CLAUDE_CODE
    text = (files("deepresearch_mcp.prompts") / "offered" / f"{name}.md").read_text(encoding="utf-8")
    return f"{Template(text).substitute(values).strip()}\n{_WAS_CUT if cut else _MAY_BE_CUT}"


def research_prompt(
    question: Annotated[str, Field(description="What to find out.")],
    ctx: _Ctx,
    effort: Annotated[str, Field(description="quick, standard, deep or exhaustive.")] = "standard",
) -> str:
    """Find out, with a source for every sentence."""
    wanted = effort.strip().casefold() or "standard"
    known = wanted in EFFORTS
    return _filled("research", ctx, odd=not known, question=question, effort=wanted if known else "standard")


def fact_check_prompt(
    text: Annotated[str, Field(description="What to check, with its citations if it has any.")], ctx: _Ctx
) -> str:
    """Hold a text against its sources, or against what can be found."""
    return _filled("fact_check", ctx, text=text)


def compare_prompt(
    subjects: Annotated[str, Field(description="What to compare: two or more things.")],
    ctx: _Ctx,
    criteria: Annotated[str, Field(description="What matters, as price, safety.")] = "",
) -> str:
    """Several things side by side, each cell with its source."""
    return _filled("compare", ctx, subjects=subjects, criteria=criteria or "what their users decide by")


def literature_review_prompt(
    topic: Annotated[str, Field(description="The field or question.")],
    ctx: _Ctx,
    since: Annotated[str, Field(description="Earliest year or day, as 2020.")] = "",
) -> str:
    """What research has established, what it disputes, and how well."""
    # "since=ice" is the second word of a topic that was cut; any number may say a time.
    odd = bool(since.strip()) and not any(char.isdecimal() for char in since)
    return _filled("literature_review", ctx, odd=odd, topic=topic, since=since.strip() or "any time")


def briefing_prompt(
    topic: Annotated[str, Field(description="What it is about.")],
    ctx: _Ctx,
    audience: Annotated[str, Field(description="Who reads it.")] = "",
) -> str:
    """One page for someone who has to decide."""
    return _filled("briefing", ctx, topic=topic, audience=audience or "someone who has to decide")


def prompts_for(tools: Collection[str]) -> list[Prompt]:
    """The prompts whose tools are offered, as they are listed."""
    offered: tuple[tuple[str, Callable[..., str], str], ...] = (
        ("research", research_prompt, "Research a question"),
        ("fact_check", fact_check_prompt, "Check facts"),
        ("compare", compare_prompt, "Compare"),
        ("literature_review", literature_review_prompt, "Review the literature"),
        ("briefing", briefing_prompt, "Write a briefing"),
    )
    needs = {"fact_check": {"check_citations", "deep_research"}}
    return [
        Prompt.from_function(fn, name, title=title, description=fn.__doc__, icons=ICONS)
        for name, fn, title in offered
        if needs.get(name, {"deep_research"}) <= {*tools}
    ]
