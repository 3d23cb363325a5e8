"""Check a written sentence or cell against its claims, with the rules of `entailment` and by its kind."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from deepresearch_mcp.entailment.check import (
    NEGATION,
    Evidence,
    Finding,
    check,
    details_missing_from,
    missing_details,
    untold_kind,
)
from deepresearch_mcp.pipeline.report.own_figures import records_of, unexplained, unreckoned, unscaled
from deepresearch_mcp.pipeline.report.pieces import Piece, is_lead_in, pieces_in
from deepresearch_mcp.records.evidence import KEPT, Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Draft, Sentence
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.markdown import without_markdown
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.urls import may_be_called, typed_addresses


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict of the machine on a sentence."""

    problem: str = ""
    """Why it may not stay; empty if it may."""
    uncertain: bool = False
    """A reader is asked, and the reader's word counts; the problem stands only where no reader answers."""


NO_CLAIM = "it names no claim"
NO_PREMISE = "it names no premise"
NOT_ABSENT = "it says that nothing was found, and the pages that were read may have something on it"


def check_sentence(
    sentence: Sentence, claims: Mapping[str, Claim], titles: Mapping[str, str], language: str = ""
) -> Checked:
    """What can be told of a sentence of running text without understanding it; see `check_piece`."""
    return check_piece(Piece(sentence), claims, titles, language)


def check_piece(
    piece: Piece, claims: Mapping[str, Claim], titles: Mapping[str, str], language: str = "", known: str = ""
) -> Checked:
    """What can be told without understanding: wrong, nearly a repetition of its claims, or uncertain.

    `known` is what may be spoken of without a source: the question, and all claims of the report.

    A *fact* is wrong if it names no claim that may be written; if its sources do not hold one of its addresses,
    numbers, dates or names; if it flatly denies what one of them states; or if an opinion is told as a fact. A reader
    judges the rest: words, causes, comparisons and extremes that the sources do not have, a denial that may be none,
    and a name that the report knows from elsewhere. In a report's `language` over sources in another, only addresses,
    numbers and dates are compared.

    A count of what it names, and a date or version from the record of its page, are for a reader too. A *synthesis*,
    over two or more claims, may also reckon with their figures, and a reader always judges its relation. A *judgement*
    is wrong if it names no premise, or brings in a figure, an address, a date or a name that neither its premises nor
    the question has; a reader judges whether it follows. A sentence without a claim stands at once only as a lead-in.
    What says which versions and dates the sources describe stands if the records of the sources have each of them.

    The rules were adjusted on the first 93 wordings of tests/audit_cases.py and then tried on 22 more, all of the same
    hand; test_check_sentence.py holds the bars.
    """
    sentence = piece.sentence
    if not any(char.isalnum() for char in sentence.text):
        return Checked("it says nothing")
    if piece.described:
        return _described(sentence, claims, titles, known)
    if sentence.kind == "judgement":
        return _judgement(piece, claims, titles, known)
    return _stated(piece, claims, titles, language, known) if sentence.claim_ids else _bare(piece, known)


def _stated(piece: Piece, claims: Mapping[str, Claim], titles: Mapping[str, str], language: str, known: str) -> Checked:
    """A fact or a synthesis."""
    sentence = piece.sentence
    own = [claims[name] for name in sentence.claim_ids if name in claims]
    if len(own) < len(sentence.claim_ids):
        return Checked("it names a claim that there is not")
    if any(claim.verdict not in KEPT for claim in own):
        return Checked("its claim is not supported")
    if piece.passage and _is_verbatim(sentence.text, own):
        return Checked()
    evidence = replace(evidence_of(own, titles), kinds=_kinds(sentence.text, own))
    finding = check(sentence.text, evidence, language)
    if piece.row or piece.column:
        return _cell(piece, finding, own, f"{evidence.words}\n{evidence.titles}", known)
    joins = sentence.kind == "synthesis" and len(own) > 1
    if not finding.why:
        return Checked(uncertain=finding.uncertain or joins)
    return Checked(finding.why, finding.uncertain or _for_a_reader(finding, own, known, joins=joins))


def _for_a_reader(finding: Finding, own: Sequence[Claim], known: str, *, joins: bool) -> bool:
    """Whether a reader may find the sentence sound all the same: only its wording speaks against it."""
    statement = finding.statement
    if finding.addresses or finding.flatly_denied or unowned(statement, own):
        return False
    # The reader may be the model that wrote it, so a fact about something else is not left to its word. What joins
    # facts has words of its own ("the three differ in what is on the disk by then").
    if finding.hardly_covered and not finding.foreign and not joins:
        return False
    names = names_in(statement)
    missing = unexplained(finding.missing, statement, own, finding.evidence.titles, joins=joins, known=known)
    if any(one not in names for one in unreckoned(missing, own)):
        return False
    missing = tuple(one for one in missing if one in names)
    # A name that the report knows from elsewhere was not made up.
    return not missing or (bool(known) and not set(missing) & set(details_missing_from(statement, known)))


def _cell(piece: Piece, finding: Finding, own: Sequence[Claim], evidence: str, known: str) -> Checked:
    """A cell alone is too short for most rules: figures decide, and a reader sees it with its row and column."""
    # A margin or a difference that is reckoned from figures of one row or of two is a cell like any other.
    missing = unexplained(finding.missing, finding.statement, own, finding.evidence.titles, joins=True)
    lost = [one for one in unscaled(unreckoned(missing, own), own) if one not in names_in(finding.statement)]
    if finding.addresses or lost:
        return Checked(finding.faults)
    where = f"{piece.row}\n{piece.column}"
    figures = [one for one in missing_details(where, evidence) if any(char.isdigit() for char in one)]
    if figures:
        # What the whole report knows is long: it is the same text for every cell, which is read once.
        elsewhere = set(missing_details(where, known))
        figures = [one for one in figures if one in elsewhere]
    strange = unexplained(figures, where, own, "", joins=True, known=f"{evidence}\n{known}")
    if strange:
        return Checked(f"its sources do not speak of {', '.join(strange)}, which its row or column names")
    return Checked(finding.why, uncertain=True)


def _judgement(piece: Piece, claims: Mapping[str, Claim], titles: Mapping[str, str], known: str) -> Checked:
    sentence = piece.sentence
    own = [claims[name] for name in sentence.premises if name in claims]
    if not own or len(own) < len(sentence.premises):
        return Checked(NO_PREMISE if not sentence.premises else "it names a premise that there is not")
    if any(claim.verdict not in KEPT for claim in own):
        return Checked("its premise is not supported")
    evidence = evidence_of(own, titles)
    held = "\n".join((known, evidence.words, evidence.titles, evidence.limited))
    # Code has names of its own; a reader judges whether it does what its premises say.
    details = [] if piece.code else _new_details(sentence.text, held)
    new = unexplained(details, sentence.text, own, evidence.titles, joins=True)
    typed = typed_addresses(sentence.text, held, held)
    if piece.code:
        typed = tuple(one for one in typed if not may_be_called(one.casefold()))
    if strange := [*typed, *new]:
        return Checked(f"it brings in what its premises do not have: {', '.join(dict.fromkeys(strange))}")
    return Checked(uncertain=True)


def _new_details(text: str, held: str) -> list[str]:
    return [one for one in details_missing_from(text, held) if one != NEGATION]


def _described(sentence: Sentence, claims: Mapping[str, Claim], titles: Mapping[str, str], known: str) -> Checked:
    """Which versions and dates the sources describe: a record of a source has to have each, and no page need say it."""
    own = [claims[name] for name in sentence.rests_on if name in claims]
    held = "\n".join((known, *titles.values(), records_of(claims.values(), titles), evidence_of(own, titles).words))
    new = unexplained(_new_details(sentence.text, held), sentence.text, own, held, joins=True)
    if strange := (*typed_addresses(sentence.text, held, held), *new):
        return Checked(f"no record of a source has {', '.join(dict.fromkeys(strange))}")
    dated = any(char.isdigit() for char in sentence.text)
    # What tells more than versions and dates is for a reader.
    if dated and check(sentence.text, Evidence(words=held)).on_the_subject:
        return Checked()
    return Checked("" if own else NO_CLAIM, uncertain=True)


def check_topic(piece: Piece, claims: Mapping[str, Claim], titles: Mapping[str, str], known: str = "") -> Checked:
    """A sentence that heads or sums up a paragraph, over the claims of that paragraph.

    It is wrong if it brings in an address, a figure or a name that nothing has; the rest is for a reader, as its words
    are seldom those of its claims. Where no reader answers, it names no claim.
    """
    own = [claims[name] for name in piece.sentence.rests_on if name in claims and claims[name].verdict in KEPT]
    if not own:
        return _bare(piece, known)
    text, evidence = piece.sentence.text, evidence_of(own, titles)
    held = "\n".join((known, evidence.words, evidence.titles, evidence.limited))
    new = unexplained(_new_details(text, held), text, own, evidence.titles, joins=True)
    if strange := [*typed_addresses(text, held, held), *new]:
        return Checked(f"its sources do not say: {', '.join(dict.fromkeys(strange))}")
    return Checked(NO_CLAIM, uncertain=True)


def _bare(piece: Piece, known: str) -> Checked:
    """A sentence without a claim."""
    text = piece.sentence.text
    new = unexplained(_new_details(text, known), text, (), "", joins=True)
    if piece.row or piece.column or typed_addresses(text, known, known) or new:
        return Checked(NO_CLAIM)
    return Checked() if is_lead_in(piece.sentence) else Checked(NO_CLAIM, uncertain=True)


def _is_verbatim(text: str, own: Sequence[Claim]) -> bool:
    """Whether it stands in the words around a quote, as a passage of a page should."""
    said = _folded(text)
    return any(said in _folded(quote.context or quote.text) for claim in own for quote in claim.quotes)


def _folded(text: str) -> str:
    return " ".join(without_markdown(text).split())


def evidence_of(own: Sequence[Claim], titles: Mapping[str, str]) -> Evidence:
    """All that may carry a sentence of these claims; a claim that is partly supported lends no words of its own."""
    quotes = [quote for claim in own for quote in claim.quotes]
    said = [claim.text for claim in own if claim.verdict != "partly"]
    around = [part for one in quotes for part in (one.context or one.text, titles.get(one.source_id, ""))]
    words = "\n\n".join(dict.fromkeys((*said, *around)))
    return Evidence(
        words=words,
        titles=records_of(own, titles),
        addresses=words,
        pieces=(*said, *(without_markdown(one.context or one.text) for one in quotes)),
        claimed=tuple(claim.text for claim in own if claim.verdict == "supported"),
        limited=" ".join(claim.text for claim in own),
    )


def unowned(text: str, own: Sequence[Claim]) -> str:
    """The kind of claim that a sentence tells as a fact: `estimate`, `opinion` or `forecast`; empty for none."""
    return untold_kind(text, _kinds(text, own))


def _kinds(text: str, own: Sequence[Claim]) -> tuple[str, ...]:
    """The kinds of the claims of a sentence; what says nothing of times to come tells no forecast.

    A reader calls a page's "is not expected to be used" one, and the sentence tells only what the thing is for.
    """
    past = guess(text) in {"", "en"} and not _FUTURE.search(text)
    return tuple(claim.kind for claim in own if not (past and claim.kind == "forecast"))


_FUTURE = re.compile(
    r"(?i)\b(?:will|won['’]t|would|shall|going to|to (?:be|become|grow|rise|fall|reach)|expect\w*|forecast\w*"
    r"|predict\w*|project\w*|plan(?:s|ned|ning)?|likely|future|upcoming|coming|next|soon|\d{4})\b"
)


def known_of(brief: Brief, claims: Iterable[Claim], titles: Mapping[str, str]) -> str:
    """What a report may name without a source of its own: what was asked, and what all its claims and pages name."""
    asked = (
        brief.question,
        *(one.text for one in brief.scope.deliverables),
        *brief.scope.subjects,
        *brief.scope.aspects,
        *brief.scope.constraints,
    )
    said = (part for claim in claims for part in (claim.text, *(quote.heading for quote in claim.quotes)))
    return "\n".join(dict.fromkeys((*asked, *said, *titles.values())))


def problem_of(sentence: Sentence, claims: Mapping[str, Claim], titles: Mapping[str, str], language: str = "") -> str:
    """Why a sentence may not stand as far as a machine can tell; empty when it may. See `check_sentence`."""
    return check_sentence(sentence, claims, titles, language).problem


def soundness(draft: Draft, claims: Mapping[str, Claim], titles: Mapping[str, str], language: str = "") -> float:
    """The share of a draft's sentences in which a machine finds nothing wrong, 0 to 1; 0 for a draft without any."""
    pieces = list(pieces_in(draft))
    sound = sum(not check_piece(piece, claims, titles, language).problem for piece in pieces)
    return sound / max(1, len(pieces))
