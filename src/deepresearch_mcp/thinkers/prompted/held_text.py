"""What is shown of finished sentences: each claim behind them once, under its page, and the sentences with its name."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.thinkers.base import Sweep
from deepresearch_mcp.thinkers.prompted import material
from deepresearch_mcp.thinkers.prompted.material import Labels

_WORDS = 500
"""Characters of a page's words below a claim."""
_BEFORE = 200
"""Characters of the sentence before one that leans on it."""


def claim_labels(claims: Iterable[Claim]) -> Labels[Claim]:
    """Names for the claims, each once, those of one place on a page together."""
    once = {claim.claim_id: claim for claim in claims}
    first = {_place(claim): at for at, claim in reversed(list(enumerate(once.values())))}
    pages = {place[0]: at for place, at in reversed(list(first.items()))}
    return Labels("c", sorted(once.values(), key=lambda one: (pages[_place(one)[0]], first[_place(one)])))


def words_needed(text: str, claims: Sequence[Claim]) -> set[str]:
    """Ids of the claims whose page's words a reader of this sentence needs.

    A claim that was found to be supported has all that its page says there. Its page's words are needed where they hold
    a word of the sentence that no claim of it has.
    """
    lacking = _stems(text) - _stems(" ".join(claim.text for claim in claims))
    return {
        claim.claim_id for claim in claims if claim.verdict != "supported" or lacking & _stems(claim.quotes[0].text)
    }


def claims_text(labels: Labels[Claim], needed: Collection[str], nonce: str) -> str:
    """Each claim under its page and headings; those whose ids are `needed` with the page's words."""
    lines: list[str] = []
    for _, group in groupby(labels.named(), key=lambda named: _place(named[1])):
        own = list(group)
        lines.append(above(own[0][1]))
        for name, claim in own:
            lines.append(f"{name}: {claimed(claim)}")
            words = one_line(claim.quotes[0].text, _WORDS)
            if claim.claim_id in needed and words != one_line(claim.text):
                lines.append(f"   “{words}”")
    return fence("claims", "", "\n".join(lines), nonce)


def premises_text(labels: Labels[Claim], nonce: str) -> str:
    """Each claim on a line."""
    return fence("premises", "", "\n".join(f"{name}: {claimed(claim)}" for name, claim in labels.named()), nonce)


def names_of(claims: Sequence[Claim], labels: Labels[Claim]) -> str:
    """The names of these claims in this call."""
    wanted = {claim.claim_id for claim in claims}
    return ", ".join(labels.name_of(lambda one: one.claim_id in wanted))


def under_headings(rows: Sequence[str], headings: Sequence[str]) -> str:
    """The rows, a line each; where a section of the report begins, its heading above them."""
    lines: list[str] = []
    for heading, group in groupby(zip(headings, rows, strict=True), key=lambda one: one[0]):
        # What stands under no heading, behind what does, stands apart.
        lines += [*([f"# {one_line(heading) or '–'}"] if heading or lines else []), *(row for _, row in group)]
    return "\n".join(lines)


def behind(before: str, shown: Mapping[str, str]) -> str:
    """The note on a sentence that leans on the one before it; empty without one. `shown`: name by text in this call."""
    if not before:
        return ""
    return f" [after {shown[before]}]" if before in shown else f" [after: “{one_line(before, _BEFORE)}”]"


def look_at(sweep: Sweep | None, labels: Labels[Claim]) -> str:
    """The note on words of a sentence that may go beyond its claims; empty without any."""
    if sweep is None:
        return ""
    beside = f"; also known: {names_of(sweep.beside, labels)}" if sweep.beside else ""
    return f"; look at: {quoted(sweep.words)}{beside}"


def quoted(words: Sequence[str]) -> str:
    """Words of a sentence, each in quotation marks."""
    return ", ".join(f"“{one}”" for one in words)


def claimed(claim: Claim) -> str:
    """A claim's text with what is not to be taken for sure: its page carries it in part, or a source contradicts it."""
    doubt = {"partly": " (its page carries it only in part)", "disputed": " (disputed)"}.get(claim.verdict, "")
    return f"{one_line(claim.text)}{doubt}"


def _place(claim: Claim) -> tuple[str, str]:
    return claim.quotes[0].source_id, claim.quotes[0].heading


def above(claim: Claim) -> str:
    """What a claim's words stand under: the page with its date, and the headings, which often name their subject."""
    quote = claim.quotes[0]
    dated = f" of {quote.published.isoformat()}" if quote.published else ""
    under = material.headings(one_line(quote.heading))
    return f"Page{dated}, “{under}”:" if under else f"Page{dated}:"


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)}
