"""What a model is shown: short local names, and pages, claims and sub-questions as text."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import OTHERWISE, Claim
from deepresearch_mcp.records.plan import Brief, Hypothesis, Scope, SubQuestion
from deepresearch_mcp.records.sources import DocumentCard, Passage
from deepresearch_mcp.text.passages import SEPARATOR
from deepresearch_mcp.thinkers.base import Pair, SubQuestionEvidence
from deepresearch_mcp.thinkers.extractive.wording import kind_of

T = TypeVar("T")

SHORT_QUESTION = 400
"""Characters of the question where a part of it is enough; planner and opening see all of it."""
BACKGROUND = 8_000
"""Characters of an earlier run's findings."""
WISH = 6_000
"""Characters of the user's answer to a plan, with the plan itself."""
POINT = 200
"""Characters of a deliverable or a hypothesis, as a reader is told of all of them."""
HEADINGS = 140
"""Characters of the headings above a passage."""


class Labels(Generic[T]):
    """Short names of the pieces of one call (p1, p2 …): they cost few tokens and carry no meaning."""

    def __init__(self, letter: str, items: Sequence[T]) -> None:
        self._letter = letter
        self.items = list(items)
        self._shape = re.compile(rf"\W*{letter}?(\d{{1,6}})\W*", re.IGNORECASE)

    def named(self) -> Iterable[tuple[str, T]]:
        """The names with their pieces."""
        return ((f"{self._letter}{number}", item) for number, item in enumerate(self.items, 1))

    def find(self, name: str) -> T | None:
        """The piece of a name: `p3`, `[P3]` and `3` are the same; None for an unknown name."""
        found = self._shape.fullmatch(name)
        number = int(found.group(1)) if found else 0
        return self.items[number - 1] if 1 <= number <= len(self.items) else None

    def find_all(self, names: Iterable[str]) -> list[T]:
        """The pieces of the names, each once, without unknown ones; a name may hold several (`c1, c2`)."""
        numbers = {id(item): item for name in names for part in re.split(r"[,;\s]+", name) if (item := self.find(part))}
        return list(numbers.values())

    def name_of(self, wanted: Callable[[T], bool]) -> list[str]:
        """The names of the pieces that are wanted."""
        return [name for name, item in self.named() if wanted(item)]


def kept(items: Sequence[T], share: float) -> Sequence[T]:
    """The first share of the items; at least one, if there are any."""
    return items[: math.ceil(len(items) * share)]


def short_question(brief: Brief) -> str:
    """The question on one line."""
    return one_line(brief.question, SHORT_QUESTION)


def language(brief: Brief) -> str:
    """The language that the user will read."""
    return brief.language or "that of the question"


def background(brief: Brief, nonce: str, share: float) -> str:
    """Earlier findings, fenced because they come from pages."""
    known = kept(brief.background[:BACKGROUND], share)
    return fence("background", "", str(known), nonce) if known else ""


def limits(brief: Brief) -> str:
    """The limits of the search and the kind of research, one a line; "" without any."""
    asked = brief.request
    lines = (
        ("Kind of research", "" if asked.profile == "general" else asked.profile),
        ("Only these domains", ", ".join(asked.include_domains)),
        ("None of these domains", ", ".join(asked.exclude_domains)),
        ("Published on or after", str(asked.published_after or "")),
        ("Published on or before", str(asked.published_before or "")),
        ("Region", asked.region),
        ("Local collections searched" if asked.web else "Searched instead of the web", ", ".join(asked.collections)),
        *(("The user has added, and it counts as part of the question", one_line(wish, WISH)) for wish in brief.wishes),
    )
    return "\n".join(f"{name}: {value}." for name, value in lines if value)


def headings(path: str) -> str:
    """The title of a page and as many of the innermost headings as fit, each of them whole.

    The title shows whose words these are and of which version; the innermost heading shows what "it" is. `…` marks
    what is left out between them.
    """
    title, *rest = path.split(SEPARATOR)
    kept: list[str] = []
    title = one_line(title, HEADINGS)
    for one in reversed(rest):
        if one == title:
            continue
        if kept and len(SEPARATOR.join((title, one, *kept))) > HEADINGS:
            return SEPARATOR.join((title, "…", *kept))
        kept.insert(0, one_line(one, HEADINGS))
    return SEPARATOR.join((title, *kept))


def asked(sub_question: SubQuestion) -> str:
    """The sub-question on one line; for a lead from a page, both the sub-question and the lead."""
    if not sub_question.within:
        return one_line(sub_question.text)
    return f"{one_line(sub_question.within)}\nLooked for here, as a page pointed to it: {one_line(sub_question.text)}"


def passages_text(labels: Labels[Passage], pages: Mapping[str, DocumentCard], nonce: str) -> str:
    """Each passage fenced, with its headings in the tag, which show what "it" is, and the date of its page."""

    def dated(passage: Passage) -> str:
        page = pages.get(passage.source_id)
        return page.published.isoformat() if page and page.published else ""

    return "\n".join(
        fence("passage", name, passage.text, nonce, under=headings(passage.heading), dated=dated(passage))
        for name, passage in labels.named()
    )


def points(scope: Scope) -> str:
    """What is to be delivered, with the ids that a claim names; "" before there is a plan."""
    delivered = [f"{one.id} {one.kind}: {one_line(one.text, POINT)}" for one in scope.deliverables]
    cells = [f"{one.id} {one_line(one.subject)}: {one_line(one.aspect)}" for one in scope.cells]
    taken = [one_line(one) for one in scope.premises]
    named = (("To deliver", delivered), ("Cells of the comparison", cells), ("Taken for granted in it", taken))
    return "\n".join(f"{title}:\n{_listed(rows)}" for title, rows in named if rows)


def hypotheses_text(hypotheses: Sequence[Hypothesis]) -> str:
    """The statements to look for, with their ids; "" without any."""
    rows = [f"{one.id} {one_line(one.statement, POINT)}" for one in hypotheses]
    return f"Confirm, correct or refute:\n{_listed(rows)}" if rows else ""


def _listed(rows: Iterable[str]) -> str:
    return "\n".join(f"- {row}" for row in rows)


def pairs_text(labels: Labels[Pair], nonce: str) -> str:
    """Both claims of each pair, with their dates if the page gives any."""
    return "\n".join(
        fence("pair", name, "\n".join(f"- {one_line(claim.text)}{_when(claim)}" for claim in pair), nonce)
        for name, pair in labels.named()
    )


def _when(claim: Claim) -> str:
    # The claim may already state its date.
    return f" (as of {one_line(claim.dated, 40)})" if claim.dated and claim.dated not in claim.text else ""


def claims_to_write(labels: Labels[Claim], nonce: str) -> str:
    """One claim a line, with its limits; the page's words are added only if the claim says more than they do."""
    return fence("claims", "", "\n".join(f"[{name}] {_claim(claim, labels)}" for name, claim in labels.named()), nonce)


def _claim(claim: Claim, labels: Labels[Claim]) -> str:
    text = one_line(claim.text)
    # Added only if the claim's own words do not show it: else "about nine" becomes an estimate of about nine.
    notes = [claim.kind] if claim.kind != "fact" and kind_of(text) == "fact" else []
    if claim.verdict == "partly":
        notes.append(f"partly: the page says “{one_line(claim.quotes[0].text)}”")
    elif claim.verdict == "disputed" or claim.disputes:
        others = labels.name_of(lambda other: other.claim_id in claim.disputes)
        by = f" by {', '.join(others)}" if others else ""
        why = f": {one_line(claim.reason)}" if claim.reason and (not others or claim.reason != OTHERWISE) else ""
        notes.append(f"disputed{by}{why}")
    return f"{text} ({'; '.join(notes)})" if notes else text


def points_text(brief: Brief) -> str:
    """What is to be covered, one point a line with its id: deliverables, then the cells of the grid."""
    scope = brief.scope
    lines = [f"{one.id} ({one.kind.replace('_', '-')}): {one_line(one.text)}" for one in scope.deliverables]
    lines += [f"{one.id}: {one_line(one.subject)}, {one_line(one.aspect)}" for one in scope.cells]
    return "\n".join(lines) or f"d1: {one_line(brief.question, SHORT_QUESTION)}"


def clusters_text(clusters: Sequence[Sequence[Claim]], labels: Labels[Claim], nonce: str) -> str:
    """Each cluster fenced, one claim a line with its date and its source's title if the page gives any."""
    named = {id(claim): name for name, claim in labels.named()}
    return "\n".join(
        fence(
            "cluster",
            "",
            "\n".join(f"[{named[id(one)]}] {one_line(one.text)}{_when(one)}{_titled(one)}" for one in cluster),
            nonce,
        )
        for cluster in clusters
    )


def _titled(claim: Claim) -> str:
    title = one_line(claim.quotes[0].heading.split(SEPARATOR)[0], 60)
    return f" — {title}" if title else ""


def parts_text(labels: Labels[SubQuestionEvidence], nonce: str, share: float, *, tried: bool) -> str:
    """Each sub-question with the best share of its claims and, with `tried`, the queries that were sent."""
    return "\n".join(
        fence("sub_question", name, "\n".join(_part(part, share, tried=tried)), nonce) for name, part in labels.named()
    )


def _part(part: SubQuestionEvidence, share: float, *, tried: bool) -> list[str]:
    lines = [f"{one_line(part.sub_question.text, SHORT_QUESTION)} ({part.sub_question.priority})"]
    if tried:
        lines.append(f"Tried: {'; '.join(part.tried)}" if part.tried else "Nothing was searched for it yet.")
        if part.leads:
            lines.append(f"Pages point to: {'; '.join(one_line(lead) for lead in part.leads)}")
    best = kept(sorted(part.claims, key=lambda claim: -claim.score), share)
    lines += [f"- {one_line(claim.text)}{_weight(claim)}{_covers(claim)}" for claim in best]
    if more := part.more + len(part.claims) - len(best):
        lines.append(f"and {more} more claim{'s' * (more > 1)}")
    return lines if part.claims else [*lines, "No claims yet."]


def _covers(claim: Claim) -> str:
    return f" [{', '.join(claim.covers)}]" if claim.covers else ""


def _weight(claim: Claim) -> str:
    notes = [claim.verdict] if claim.verdict in {"partly", "disputed"} else []
    if claim.independent > 1:
        good = f", {claim.backing} of them good enough to corroborate" if claim.backing < claim.independent else ""
        notes.append(f"{claim.independent} independent sources{good}")
    return f" ({', '.join(notes)})" if notes else ""


_LOCAL_MARK = re.compile(r"\s*[\[(](?:[cspq]\d{1,3}(?:\s*[,;]\s*|\s+and\s+|\s*))+[\])]", re.IGNORECASE)


def prose(text: str) -> str:
    """The sentence without the local names that some models add to it."""
    return one_line(_LOCAL_MARK.sub("", text))
