"""Shortcomings: what was tried, what was not done, and what rests on too little."""

from collections.abc import Sequence

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.report_frame import how_many
from deepresearch_mcp.records.ceilings import limit_words
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.run import RunStatus

_LISTED = 5
"""Queries or parts that one sentence names."""
_SHOWN = 100
"""Characters of one of them."""


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


def ended_early(findings: Findings, status: RunStatus, by_rules: str = "") -> str:
    """What a reader should know of a run that reached a limit or was ended; `by_rules`: what rules did for a model."""
    if status in {"cancelled", "failed"}:
        return f"The run {'was cancelled' if status == 'cancelled' else 'failed'} before it was done."
    if not findings.ceiling:
        return ""
    unasked = 0 if findings.enough else len(_unasked(findings))
    left = [
        *([f"{how_many(unasked, 'planned search was', 'planned searches were')} left out"] if unasked else []),
        *(["its last steps were done without the model"] if by_rules and only_limits(findings, by_rules) else []),
    ]
    told = f": {' and '.join(left)}" if left else ""
    return f"The run reached {limit_words(findings.ceiling)} ({findings.ceiling}){told}."


def only_limits(findings: Findings, by_rules: str) -> bool:
    """Whether rules did a model's work for no other reason than the limit that the run reached."""
    reason = f", as {limit_words(findings.ceiling)} was reached; rules did it instead."
    return bool(findings.ceiling) and by_rules.endswith(reason) and by_rules.count("; rules did it instead") == 1


def single_source(claims: Sequence[Claim], findings: Findings) -> str:
    """The end of the first closing line of a report whose facts rest on one source each."""
    supported = [claim for claim in claims if claim.verdict == "supported" and not findings.digest]
    alone = supported and all(claim.independent < 2 for claim in supported)
    return "; each fact rests on one source" if alone else ""


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
    filters = findings.brief.filters
    limits = [
        *(f"only {domain}" for domain in filters.include_domains),
        *(f"not {domain}" for domain in filters.exclude_domains),
        *([f"published from {filters.published_after}"] if filters.published_after else []),
        *([f"published until {filters.published_before}"] if filters.published_before else []),
    ]
    return [*said, *([f"Limits: {', '.join(limits)}"] if limits and said else [])]


def _listed(texts: Sequence[str], most: int = _LISTED) -> str:
    shown = "; ".join(f"“{_cut(text)}”" for text in texts[:most])
    return f"{shown} and {len(texts) - most} more" if len(texts) > most else shown


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1].rstrip()}…"


def _was(number: int) -> str:
    return "was" if number == 1 else "were"
