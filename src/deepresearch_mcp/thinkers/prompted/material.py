"""What a model is shown: short local names, and pages, claims and sub-questions as text."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief, Hypothesis, Scope, SubQuestion
from deepresearch_mcp.records.profile import GENERAL
from deepresearch_mcp.records.sources import DocumentCard, Passage
from deepresearch_mcp.text.passages import SEPARATOR
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.prompted.template_text import for_planner

T = TypeVar("T")

SHORT_QUESTION = 400
"""Characters of the question where a part of it is enough; planner and opening see all of it."""
BACKGROUND = 8_000
"""Characters of an earlier run's findings."""
WISH = 6_000
"""Characters of the user's answer to a plan, with the plan itself."""
_SHORT = 160
_CLAIM = 320
"""Characters of a claim: what decides often stands at its end."""
"""Characters of a claim, or of a lead, in a list of many."""
_LEADS = 8
"""Leads of one sub-question that an analyst is shown."""
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
    asked, filters = brief.request, brief.filters
    lines = (
        ("Kind of research", "" if brief.profile.name == GENERAL else brief.profile.title),
        ("To be minded", one_line(brief.profile.mind, 1_000).rstrip(" .")),
        ("Form of the report", for_planner(brief.template)),
        ("Words of the field", ", ".join(brief.profile.terminology)),
        ("Only these domains", ", ".join(filters.include_domains)),
        # Those of settings and profile are left out: they may be hundreds, and hits are held to them anyway.
        ("None of these domains", ", ".join(asked.exclude_domains)),
        ("Published on or after", str(filters.published_after or "")),
        ("Published on or before", str(filters.published_before or "")),
        ("Region", asked.region),
        ("Domains that come first", ", ".join(asked.prefer_domains)),
        ("Languages of the sources: write queries in each of them", ", ".join(asked.source_languages)),
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


def asked(sub_question: SubQuestion, others: Sequence[SubQuestion] = ()) -> str:
    """The sub-question on one line, or several as a list; for a lead from a page, the sub-question and the lead."""
    if others:
        return f"Sub-questions:\n{_listed(dict.fromkeys(map(_asked, (sub_question, *others))))}"
    return f"Sub-question: {_asked(sub_question)}"


def _asked(sub_question: SubQuestion) -> str:
    if not sub_question.within:
        return one_line(sub_question.text)
    return f"{one_line(sub_question.within)} Looked for here, as a page pointed to it: {one_line(sub_question.text)}"


def passages_text(labels: Labels[Passage], pages: Mapping[str, DocumentCard], nonce: str) -> str:
    """Each passage fenced, with its headings in the tag, which show what "it" is, and the date of its page."""

    def dated(passage: Passage) -> str:
        page = pages.get(passage.source_id)
        return page.published.isoformat() if page and page.published else ""

    return "\n".join(
        fence("passage", name, passage.text, nonce, under=headings(passage.heading), dated=dated(passage))
        for name, passage in labels.named()
    )


def points(scope: Scope, hypotheses: Sequence[Hypothesis] = ()) -> str:
    """What is to be delivered, with the ids that a claim names; "" before there is a plan.

    Premises that stand among the `hypotheses` are not named a second time.
    """
    delivered = [f"{one.id} {one.kind}: {one_line(one.text)}" for one in scope.deliverables]
    cells = [f"{one.id} {one_line(one.subject)}: {one_line(one.aspect)}" for one in scope.cells]
    guessed = {one.statement for one in hypotheses}
    taken = [one_line(one) for one in scope.premises if one not in guessed]
    named = (("To deliver", delivered), ("Cells of the comparison", cells), ("Taken for granted in it", taken))
    return "\n".join(f"{title}:\n{_listed(rows)}" for title, rows in named if rows)


def hypotheses_text(hypotheses: Sequence[Hypothesis]) -> str:
    """The statements to look for, with their ids; "" without any."""
    rows = [f"{one.id} {one_line(one.statement)}" for one in hypotheses]
    return f"Confirm, correct or refute:\n{_listed(rows)}" if rows else ""


def _listed(rows: Iterable[str]) -> str:
    return "\n".join(f"- {row}" for row in rows)


def _when(claim: Claim) -> str:
    # The claim may already state its date.
    return f" (as of {one_line(claim.dated, 40)})" if claim.dated and claim.dated not in claim.text else ""


def points_text(brief: Brief) -> str:
    """What is to be covered, one point a line with its id: deliverables, then the cells of the grid."""
    scope = brief.scope
    lines = [f"{one.id} ({one.kind.replace('_', '-')}): {one_line(one.text)}" for one in scope.deliverables]
    lines += [f"{one.id}: {one_line(one.subject)}, {one_line(one.aspect)}" for one in scope.cells]
    return "\n".join(lines) or f"d1: {one_line(brief.question, SHORT_QUESTION)}"


def clusters_text(clusters: Sequence[Sequence[Claim]], labels: Labels[Claim], nonce: str) -> str:
    """The pages by a letter each, then one claim a line with its date, a blank line between clusters."""
    named = {id(claim): name for name, claim in labels.named()}
    letters: dict[str, str] = {}
    pages: list[str] = []
    for claim in labels.items:
        quote = claim.quotes[0]
        if quote.source_id not in letters:
            letters[quote.source_id] = _letter(len(letters))
            title = one_line(quote.heading.split(SEPARATOR, 1)[0], 60) or "untitled"
            pages.append(f"{letters[quote.source_id]}: {title}{f', {quote.published}' if quote.published else ''}")
    rows = (
        "\n".join(
            f"{named[id(one)]} {letters[one.quotes[0].source_id]} {one_line(one.text)}{_when(one)}" for one in cluster
        )
        for cluster in clusters
    )
    return fence("claims", "", "\n\n".join(("\n".join(pages), *rows)), nonce)


def _letter(number: int) -> str:
    """A to Z, then AA, AB and so on."""
    first, last = divmod(number, 26)
    return (_letter(first - 1) if first else "") + chr(ord("A") + last)


def claims_by_point(parts: Sequence[SubQuestionEvidence], nonce: str, share: float) -> str:
    """The best share of the claims in short form, each below the point that it speaks of, a cell before the rest."""
    listed: dict[str, list[str]] = {}
    for part in parts:
        for claim in kept(sorted(part.claims, key=lambda claim: -claim.score), share):
            # s1a2 before d1, and both before h1.
            points = sorted(claim.covers, key=lambda name: ("sdh".find(name[:1]), name))
            listed.setdefault(points[0] if points else "", []).append(
                f"- {one_line(claim.text, _CLAIM)}{_weight(claim)}"
            )
    names = sorted(listed, key=lambda name: ("sdh".find(name[:1]) if name else len("sdh"), name))
    rows = (row for name in names for row in (f"{name or 'of no point by name'}:", *listed[name]))
    return fence("claims", "", "\n".join(rows), nonce) if listed else "No claims yet."


def parts_tried(labels: Labels[SubQuestionEvidence], nonce: str) -> str:
    """Each sub-question with how many claims it has, the queries that were sent, and where pages point to."""
    return "\n".join(fence("sub_question", name, "\n".join(_part(part)), nonce) for name, part in labels.named())


def _part(part: SubQuestionEvidence) -> list[str]:
    number = len(part.claims) + part.more
    has = f"{number} claim{'s' * (number > 1)}" if number else "no claims yet"
    beside = f", {part.more} of them not shown" if part.more else ""
    lines = [
        f"{one_line(part.sub_question.text, SHORT_QUESTION)} ({part.sub_question.priority}; {has}{beside})",
        f"Tried: {'; '.join(part.tried)}" if part.tried else "Nothing was searched for it yet.",
    ]
    if part.leads:
        lines.append(f"Pages point to: {'; '.join(one_line(lead, _SHORT) for lead in part.leads[:_LEADS])}")
    return lines


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
