"""Searches stored documents, best passages first."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.ports.documents import Documents, FoundPassage
from deepresearch_mcp.ports.masking import Masker
from deepresearch_mcp.records.conditions import HOW, Condition, condition_in
from deepresearch_mcp.text.ranking import query_coverage

ENOUGH = 0.5
"""Share of the query's words from which a passage comes first; full-text search finds any passage with one word."""
_WIDER = 4
"""Candidates per requested passage: full-text search may rank those with many of the words lower."""


async def look_up(
    documents: Documents,
    query: str,
    *,
    caller: str,
    collections: Collection[str] | None = None,
    limit: int,
    where: Sequence[Condition] = (),
    masker: Masker | None = None,
) -> list[FoundPassage]:
    """Return the best `limit` passages: those with half of the query's words first, each group in the order found.

    Passages with fewer words are kept, because an answer may use other forms of the words than the question, above
    all in languages with many endings or without spaces.

    `collections` limits the search; None searches all collections that the `caller` sees and every page that one of
    its runs has read. `where` limits it to files of collections of which all conditions hold. `masker` masks personal
    data: what was stored before the settings asked for that, and files, are kept as they are.
    """
    found = await documents.search(query, caller=caller, collections=collections, limit=limit * _WIDER, where=where)
    best = sorted(found, key=lambda one: query_coverage(query, f"{one.title}\n{one.text}") < ENOUGH)[:limit]
    if masker is None:
        return best
    words = await masker.masked([text for one in best for text in (one.title, one.text, one.heading)])
    return [
        replace(one, title=title, text=text, heading=heading)
        for one, title, text, heading in zip(best, words[::3], words[1::3], words[2::3], strict=True)
    ]


def conditions_of(written: Sequence[str]) -> list[Condition]:
    """Read conditions such as `type=pdf`.

    Raises:
        InvalidRequest: One of them is not of the form key=value.
    """
    found: list[Condition] = []
    for one in written:
        if (condition := condition_in(one)) is None:
            raise InvalidRequest(
                f"{one[:80]!r} is no condition.",
                f"{HOW[0].upper()}{HOW[1:]}.",
            )
        found.append(condition)
    return found
