"""The prompts that a client offers its user, each a Markdown file in `prompts/offered`."""

import re
from collections.abc import Callable, Collection
from typing import Annotated, Any

from mcp.server.mcpserver.prompts import Prompt
from pydantic import Field

from deepresearch_mcp.mcp_server.looks import ICONS

EFFORTS = ("quick", "standard", "deep", "exhaustive")
"""What completes `effort`."""


_MAY_BE_CUT = """
Some clients (Claude Code) hand over only the first word of each part. Where a part above looks cut off, as a single
word or half a sentence, the whole text stands between <command-args> and </command-args> in this same message: take all
of it from there, as what was meant for the first part."""
_WAS_CUT = """
Only the first words were handed over: the whole text stands between <command-args> and </command-args> in this same
message. Take all of it from there as what is asked, and not what stands above."""


def _filled(name: str, *, cut: bool = False, **values: str) -> str:
    """A prompt with its parts; `cut`: one of them cannot be what it should be, so they are pieces of one text."""
    from importlib.resources import files
    from string import Template

    text = (files("deepresearch_mcp.prompts") / "offered" / f"{name}.md").read_text(encoding="utf-8")
    return f"{Template(text).substitute(values).strip()}\n{_WAS_CUT if cut else _MAY_BE_CUT}"


def research(
    question: Annotated[str, Field(description="What to find out.")],
    effort: Annotated[str, Field(description="quick, standard, deep or exhaustive.")] = "standard",
) -> str:
    """Find out, with a source for every sentence."""
    if effort in EFFORTS:
        return _filled("research", question=question, effort=effort)
    return _filled("research", cut=True, question=question, effort="standard")


def fact_check(text: Annotated[str, Field(description="What to check, with its citations if it has any.")]) -> str:
    """Hold a text against its sources, or against what can be found."""
    return _filled("fact_check", text=text)


def compare(
    subjects: Annotated[str, Field(description="What to compare: two or more things.")],
    criteria: Annotated[str, Field(description="What matters, as price, safety.")] = "",
) -> str:
    """Several things side by side, each cell with its source."""
    return _filled("compare", subjects=subjects, criteria=criteria or "what their users decide by")


def literature_review(
    topic: Annotated[str, Field(description="The field or question.")],
    since: Annotated[str, Field(description="Earliest year or day, as 2020.")] = "",
) -> str:
    """What research has established, what it disputes, and how well."""
    dated = not since or re.fullmatch(r"\s*\d{4}([-./]\d\d?){0,2}\s*", since)
    return _filled("literature_review", cut=not dated, topic=topic, since=since if since and dated else "any time")


def briefing(
    topic: Annotated[str, Field(description="What it is about.")],
    audience: Annotated[str, Field(description="Who reads it.")] = "",
) -> str:
    """One page for somebody who has to decide."""
    return _filled("briefing", topic=topic, audience=audience or "somebody who has to decide")


def prompts_for(tools: Collection[str]) -> list[Prompt]:
    """The prompts whose tools are offered, as they are listed."""
    titles: dict[Callable[..., Any], str] = {
        research: "Research a question",
        fact_check: "Check facts",
        compare: "Compare",
        literature_review: "Review the literature",
        briefing: "Write a briefing",
    }
    needs = {fact_check: {"check_citations", "deep_research"}}
    return [
        Prompt.from_function(fn, title=title, description=fn.__doc__, icons=ICONS)
        for fn, title in titles.items()
        if needs.get(fn, {"deep_research"}) <= {*tools}
    ]
