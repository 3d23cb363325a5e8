"""Shortcomings: what a report has to say of itself: what was tried, what was not made, what is told of too thinly."""

from collections.abc import Sequence

from deepresearch_mcp.injection.about_reading import is_about_reading
from deepresearch_mcp.injection.screen import MACHINE
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.records.evidence import Claim, Verdict
from deepresearch_mcp.text.urls import addresses_in
from deepresearch_mcp.thinkers.prompted.answers import FAULTS

_LISTED = 5
"""Queries, parts or claims that one sentence names."""
_SHOWN = 160
"""Characters of a claim that is named."""

_DOUBTFUL: tuple[tuple[Verdict, str], ...] = (
    ("partly", "Partly supported"),
    ("unsupported", "Left out, because the page does not support the claim made from these words"),
    ("unverifiable", "Left out, because the claim could not be checked against these words"),
)
_SAID_IN_PART: frozenset[Verdict] = frozenset({"partly"})
_ORDERS = (MACHINE, FAULTS["order"], "the words address whoever reads the page")
"""How the reason begins of a claim that was refused as an order; the last is that of earlier versions."""


def limitations(findings: Findings, why: str) -> list[str]:
    """What was not made where a research was cut short, and what it tells of too thinly; `why` is the reason."""
    said: list[str] = []
    depth = findings.brief.request.shape.depth
    missing = depth - findings.rounds
    if 0 < missing < depth and not findings.enough:
        said.append(f"{missing} of {depth} rounds of research {_was(missing)} not made: {why}.")
    tried = {query_key(query) for state in findings.states.values() for query in state.tried}
    planned = [query for part in findings.sub_questions for query in part.queries]
    unasked = list(dict.fromkeys(query for query in planned if query_key(query) not in tried))
    if unasked and not findings.enough:
        many = "query was" if len(unasked) == 1 else "queries were"
        said.append(f"{len(unasked)} planned {many} not asked: {_listed(unasked)}.")
    thin = [part.sub_question.text for part in findings.claims_by_sub_question if len(part.claims) == 1]
    if thin:
        said.append(f"Only one claim was found on: {_listed(thin)}.")
    return said


def queries_tried(findings: Findings) -> list[str]:
    """Each query with what each engine answered, and the limits that all of them were under."""
    answers: dict[str, list[str]] = {}
    for one in findings.searched:
        many = "1 hit" if one.hits == 1 else f"{one.hits} hits"
        answers.setdefault(one.query, []).append(f"{one.engine} {many}")
    for failure in findings.failures:
        answers.setdefault(failure.query, []).append(f"{failure.engine} no answer ({failure.reason.rstrip('.')})")
    said = [f"“{query}”: {' · '.join(heard)}" for query, heard in answers.items()]
    request = findings.brief.request
    limits = [
        *(f"only {domain}" for domain in request.include_domains),
        *(f"not {domain}" for domain in request.exclude_domains),
        *([f"published from {request.published_after}"] if request.published_after else []),
        *([f"published until {request.published_before}"] if request.published_before else []),
    ]
    return [*said, *([f"Limits: {', '.join(limits)}"] if limits and said else [])]


def doubtful(claims: Sequence[Claim], asked: str = "") -> list[str]:
    """Claims that are not fully supported, a sentence for each verdict; `asked` is the question.

    A partly supported claim is named by its own text. Of an unsupported one the page's words are quoted, since a report
    repeats nothing that is on no page. What may be an order to a machine is left out: a model may read the report.
    """
    said: list[str] = []
    for verdict, words in _DOUBTFUL:
        own = [claim for claim in claims if claim.verdict == verdict and not claim.reason.startswith(_ORDERS)]
        texts = [claim.text if verdict in _SAID_IN_PART else claim.quotes[0].text for claim in own]
        names = [text for text in texts if not _may_be_an_order(text, asked) and not addresses_in(text)]
        if names:
            said.append(f"{words}: {_listed(names)}.")
    return said


def _may_be_an_order(text: str, asked: str) -> bool:
    return is_screened(text) or is_about_reading(text, asked)


def _listed(texts: Sequence[str]) -> str:
    shown = "; ".join(f"“{_cut(text)}”" for text in texts[:_LISTED])
    return f"{shown} and {len(texts) - _LISTED} more" if len(texts) > _LISTED else shown


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1].rstrip()}…"


def _was(number: int) -> str:
    return "was" if number == 1 else "were"
