"""The prompts that a client offers its user, each a Markdown file in `prompts/offered`."""

from collections.abc import Callable, Collection
from typing import Annotated, Any

from mcp.server.mcpserver.prompts import Prompt
from pydantic import Field

from deepresearch_mcp.mcp_server.looks import ICONS

EFFORTS = ("quick", "standard", "deep", "exhaustive")
"""What completes `effort`."""


def _filled(name: str, **values: str) -> str:
    from importlib.resources import files
    from string import Template

    text = (files("deepresearch_mcp.prompts") / "offered" / f"{name}.md").read_text(encoding="utf-8")
    return Template(text).substitute(values).strip()


def research(
    question: Annotated[str, Field(description="What to find out.")],
    effort: Annotated[str, Field(description="quick, standard, deep or exhaustive.")] = "standard",
) -> str:
    """Find out, with a source for every sentence."""
    return _filled("research", question=question, effort=effort if effort in EFFORTS else "standard")


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
    return _filled("literature_review", topic=topic, since=since or "any time")


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
