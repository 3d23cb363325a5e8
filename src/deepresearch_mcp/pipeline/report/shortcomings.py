"""Shortcomings: what was tried, what was not done, and what rests on too little."""

from collections.abc import Sequence

from deepresearch_mcp.injection.about_reading import is_about_reading
from deepresearch_mcp.injection.screen import MACHINE
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.report_frame import how_many
from deepresearch_mcp.records.ceilings import limit_words
from deepresearch_mcp.records.evidence import Claim, Verdict
from deepresearch_mcp.records.run import RunStatus
from deepresearch_mcp.text.urls import addresses_in
from deepresearch_mcp.thinkers.prompted.answers import FAULTS

_LISTED = 5
"""Queries or parts that one sentence names."""
_NAMED = 3
"""Claims that one sentence names."""
_SHOWN = 100
"""Characters of a claim that is named."""

_DOUBTFUL: tuple[tuple[Verdict, str], ...] = (
    ("partly", "Partly supported"),
    ("unsupported", "Left out, because the page does not support the claim made from these words"),
    ("unverifiable", "Left out, because the claim could not be checked against these words"),
)
_SAID_IN_PART: frozenset[Verdict] = frozenset({"partly"})
_ORDERS = (MACHINE, FAULTS["order"], "the words address whoever reads the page")
"""How the reason of a claim that was refused as an order begins; the last one is of earlier versions."""


def limitations(findings: Findings, why: str) -> list[str]:
    """What a research that was cut short did not do, and what rests on one claim; `why` is the reason."""
    said: list[str] = []
    depth = findings.brief.request.shape.depth
    missing = depth - findings.rounds
    if 0 < missing < depth and not findings.enough:
        said.append(f"{missing} of {depth} rounds of research {_was(missing)} not made: {why}.")
    unasked = _unasked(findings)
    if unasked and not findings.enough:
        many = "query was" if len(unasked) == 1 else "queries were"
        said.append(f"{len(unasked)} planned {many} not asked: {_listed(unasked)}.")
    thin = [part.sub_question.text for part in findings.claims_by_sub_question if len(part.claims) == 1]
    if thin:
        said.append(f"Only one claim was found on: {_listed(thin)}.")
    return said


def ended_early(findings: Findings, status: RunStatus) -> list[str]:
    """A line for the end of a report on why a research ended before its plan was done, and how much of it was."""
    why = {"cancelled": "it was cancelled", "failed": "it failed"}.get(status, "")
    if not why and findings.ceiling:
        why = f"{limit_words(findings.ceiling)} ({findings.ceiling}) was reached"
    if not why:
        return []
    depth = findings.brief.request.shape.depth
    made = findings.rounds
    rounds = f"{made} of at most {depth} rounds {_was(made)} made" if 0 < made < depth else ""
    unasked = len(_unasked(findings))
    searches = f"{how_many(unasked, 'planned search was', 'planned searches were')} left out" if unasked else ""
    done = " and ".join(filter(None, (rounds, searches))) if not findings.enough else ""
    return [f"The research ended early, as {why}{f': {done}' if done else ''}."]


def _unasked(findings: Findings) -> list[str]:
    """Planned queries that were never asked."""
    tried = {query_key(query) for state in findings.states.values() for query in state.tried}
    planned = [query for part in findings.sub_questions for query in part.queries]
    return list(dict.fromkeys(query for query in planned if query_key(query) not in tried))


def queries_tried(findings: Findings) -> list[str]:
    """Each query with the answer of each engine, and the limits of all queries."""
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

    A partly supported claim is named by its own text. For an unsupported one the page is quoted, since a report repeats
    nothing that is on no page. What may be an order to a machine is left out, as a model may read the report.
    """
    said: list[str] = []
    for verdict, words in _DOUBTFUL:
        own = [claim for claim in claims if claim.verdict == verdict and not claim.reason.startswith(_ORDERS)]
        texts = [claim.text if verdict in _SAID_IN_PART else claim.quotes[0].text for claim in own]
        names = [text for text in texts if not _may_be_an_order(text, asked) and not addresses_in(text)]
        if names:
            said.append(f"{words}: {_listed(names, _NAMED)}.")
    return said


def _may_be_an_order(text: str, asked: str) -> bool:
    return is_screened(text) or is_about_reading(text, asked)


def _listed(texts: Sequence[str], most: int = _LISTED) -> str:
    shown = "; ".join(f"“{_cut(text)}”" for text in texts[:most])
    return f"{shown} and {len(texts) - most} more" if len(texts) > most else shown


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1].rstrip()}…"


def _was(number: int) -> str:
    return "was" if number == 1 else "were"
