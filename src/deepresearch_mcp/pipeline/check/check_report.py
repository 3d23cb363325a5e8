"""The report of a check: statement by statement with the deciding words, those that do not hold first."""

from collections import Counter
from collections.abc import Iterable, Sequence

from deepresearch_mcp.injection.screen import planted_in
from deepresearch_mcp.pipeline import report_frame
from deepresearch_mcp.pipeline.check.checking import CheckFindings
from deepresearch_mcp.pipeline.check.rechecking import GONE
from deepresearch_mcp.pipeline.check.verdicts import RANK
from deepresearch_mcp.pipeline.check.wording import CAUTION, HEADINGS, ORDER, worded
from deepresearch_mcp.pipeline.report_frame import Facts, how_many, page_warnings
from deepresearch_mcp.records.assessment import RunAssessment, confidence
from deepresearch_mcp.records.checks import CheckedClaim, Stretch
from deepresearch_mcp.records.evidence import Verdict
from deepresearch_mcp.records.report import ClaimCount, Section, SourceRow
from deepresearch_mcp.records.run import BY_RULE, QuoteCount, Run
from deepresearch_mcp.records.sources import Document, Unread
from deepresearch_mcp.text.markdown import escape, visible
from deepresearch_mcp.text.url_secrets import without_secrets
from deepresearch_mcp.thinkers.base import EXTRACTIVE

_GROUPS: tuple[tuple[Verdict, str, str], ...] = (
    ("disputed", "Disputed: a cited page says otherwise", "disputed"),
    ("unsupported", "Unsupported: not found on the cited pages", "unsupported"),
    ("partly", "Carried in part", "carried in part"),
    ("unverifiable", "Could not be checked", "not checkable"),
    ("supported", "Supported", "supported"),
)
_DEAD = frozenset({"not_found", "unreachable", "parked"})
"""Reasons for which a link counts as dead. All other pages exist for some reader."""
_QUOTED = 400
"""Characters of a statement and of a quote that are shown."""
_LISTED = 50
"""Lines of one list; the run object has all of them."""


def assemble_check(findings: CheckFindings, facts: Facts) -> Run:
    """Count and render: the run object of a check."""
    by_words = facts.provenance.thinker == EXTRACTIVE
    checks = tuple(map(worded, findings.checks)) if by_words else findings.checks
    counts = ClaimCount(claims=len(checks), verdicts=dict(Counter(one.verdict for one in checks)))
    cited = findings.cited
    dangling = [Stretch(text=findings.request.text[m.start : m.end], start=m.start, end=m.end) for m in cited.dangling]
    unused = [
        Stretch(text=one.title or without_secrets(one.url) or f"[{one.key}]", start=one.start, end=one.end)
        for one in cited.unused
    ]
    uncited = [Stretch(text=one.text, start=one.start, end=one.end) for one in cited.uncited]
    dead = [one for one in findings.unread if one.reason in _DEAD]
    short = _in_short(findings, checks, dead)
    sections = [*report_frame.without_model(facts.without_model), Section(heading="In short", markdown=short)]
    if findings.old:
        sections += _differences(findings)
    sections += [_group(heading, own) for heading, own in _grouped(checks, by_words=by_words) if own]
    sections += filter(
        None,
        (
            _list("Dead links", [_dead(one) for one in dead]),
            _list("Marks without a reference", [escape(one.text) for one in _each_once(dangling)]),
            _list("References that nothing cites", [escape(_cut(one.text)) for one in unused]),
            _list("Statements without a citation", [escape(_cut(one.text)) for one in uncited]),
        ),
    )
    metrics = facts.metrics.model_copy(update={"counts": counts})
    warnings = tuple(dict.fromkeys((*_warnings(findings), *facts.warnings)))
    last = _closing(findings, checks, metrics.pages, facts, warnings)
    return Run(
        run_id=facts.run_id,
        status=facts.status,
        stage="ended",
        question=findings.request.question,
        answer=short,
        report=report_frame.markdown(findings.request.question, sections, last),
        sections=tuple(sections),
        sources=tuple(_row(one, checks) for one in findings.documents.values()),
        unread=tuple(findings.unread),
        warnings=warnings,
        checks=checks,
        dead=tuple(dead),
        dangling=tuple(dangling),
        unused=tuple(unused),
        uncited=tuple(uncited),
        quotes=findings.quotes if findings.old else _located(findings),
        assessment=_assessment(findings, facts),
        metrics=metrics,
        provenance=facts.provenance.model_copy(update={"request": findings.request.outline()}),
        path=facts.path,
    )


def _grouped(checks: Sequence[CheckedClaim], *, by_words: bool) -> list[tuple[str, list[CheckedClaim]]]:
    if by_words:
        return [(HEADINGS[name], [one for one in checks if one.wording == name]) for name in ORDER]
    return [(heading, _of(checks, verdict)) for verdict, heading, _ in _GROUPS]


def _assessment(findings: CheckFindings, facts: Facts) -> RunAssessment:
    """How sure the check is: the share of statements that the sources decide."""
    undecided = len(_of(findings.checks, "unverifiable"))
    decided = len(findings.checks) - undecided
    sufficiency = max(1, round(10 * decided / len(findings.checks))) if findings.checks else 0
    left = (f"{undecided} of {len(findings.checks)} statements could not be checked",) if undecided else ()
    return RunAssessment(
        sufficiency=sufficiency,
        confidence=confidence(sufficiency, complete=facts.status == "completed", missing=bool(undecided)),
        limitations=left,
        why=(findings.ceiling or (BY_RULE if facts.without_model else "")) if facts.status == "partial" else "",
    )


def _of(checks: Sequence[CheckedClaim], verdict: Verdict) -> list[CheckedClaim]:
    return [one for one in checks if one.verdict == verdict]


def _row(document: Document, checks: Sequence[CheckedClaim]) -> SourceRow:
    known = document.model_dump(include=set(SourceRow.model_fields))
    decided = any(quote.source_id == document.source_id for one in checks for quote in one.quotes)
    return SourceRow.model_validate(known | {"cited": decided})


def _located(findings: CheckFindings) -> QuoteCount:
    """How many quotes are in their snapshots: checked, not assumed."""
    quotes = [quote for one in findings.checks for quote in one.quotes]
    stands = sum(
        (document := findings.documents.get(quote.source_id)) is not None
        and document.snapshot == quote.snapshot
        and document.text[quote.start : quote.end] == quote.text
        for quote in quotes
    )
    return QuoteCount(located=stands, total=len(quotes))


def _in_short(findings: CheckFindings, checks: Sequence[CheckedClaim], dead: Sequence[Unread]) -> str:
    one, more = ("claim of the run", "claims of the run") if findings.old else ("cited statement", "cited statements")
    if not checks:
        return f"There are no {more} to check."
    loose = [
        _some(len(dead), "dead link", "dead links"),
        _some(len(findings.cited.dangling), "mark without a reference", "marks without a reference"),
        _some(len(findings.cited.uncited), "statement without a citation", "statements without a citation"),
    ]
    told = list(filter(None, loose))
    also = f" There {'is' if told[0][:2] == '1 ' and len(told) == 1 else 'are'} also {', '.join(told)}." if told else ""
    caution = f" {CAUTION}" if any(check.wording for check in checks) else ""
    return f"Of {_some(len(checks), one, more)}: {', '.join(_figures(checks))}.{also}{caution}"


def _figures(checks: Sequence[CheckedClaim]) -> list[str]:
    worded = Counter(check.wording for check in checks if check.wording)
    if worded:
        return [f"{name}: {number}" for name in reversed(ORDER) if (number := worded[name])]
    words = {verdict: word for verdict, _, word in _GROUPS}
    judged = Counter(check.verdict for check in checks)
    return [f"{number} {words[verdict]}" for verdict in RANK if (number := judged[verdict])]


def found_line(checks: Sequence[CheckedClaim]) -> str:
    """What a check found, in a sentence or two for the end of it."""
    told = f"{how_many(len(checks), 'statement', 'statements')}: {', '.join(_figures(checks))}."
    by_words = any(check.wording for check in checks)
    return f"{told} No model has judged them: words alone were compared." if by_words else told


def _some(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}" if number else ""


def _differences(findings: CheckFindings) -> list[Section]:
    """What has changed since the run was made."""
    old = findings.old
    if old is None:
        return []
    lines: list[str] = []
    quotes = findings.quotes
    lines.append(f"{quotes.located} of {quotes.total} quotes stand at their offsets in the snapshots stored then.")
    missing = [one for one in old.run.sources if one.source_id not in old.documents]
    lines += [
        f"The snapshot of {escape(one.title or one.url)} {old.unusable.get(one.source_id, GONE)}."
        for one in missing[:_LISTED]
    ]
    moved = [one for one in findings.checks if one.before and one.before != one.verdict]
    lines += [f"“{escape(_cut(one.text))}” was {one.before}, and is {one.verdict} now." for one in moved[:_LISTED]]
    if not moved:
        lines.append("Every claim has the verdict that it had then.")
    return [Section(heading="Compared with then", markdown="\n".join(f"- {line}" for line in lines))]


def _group(heading: str, checks: Sequence[CheckedClaim]) -> Section:
    return Section(heading=heading, markdown="\n".join(_lines(checks)))


def _lines(checks: Sequence[CheckedClaim]) -> Iterable[str]:
    for one in checks:
        cites = " ".join(escape(name) for name in one.cites[:_MARKS])
        more = f" and {len(one.cites) - _MARKS} more" if len(one.cites) > _MARKS else ""
        closed = ", by the mark that closes its paragraph" if one.closed else ""
        reason = f"  \n  {escape(one.reason[:1].upper() + one.reason[1:])}." if one.reason else ""
        yield f"- {escape(_cut(one.text))} {cites}{more}{closed}{reason}{_words(one)}"


_MARKS = 6


def _words(one: CheckedClaim) -> str:
    """The deciding words, or the nearest ones, which are named as such."""
    if not one.quotes:
        return ""
    nearest = "Nearest words: " if one.verdict in {"unsupported", "unverifiable"} else ""
    shown = " … ".join(_cut(" ".join(quote.text.split())) for quote in one.quotes[: 1 if nearest else 2])
    link = f" [↗](<{one.link}>)" if one.link.startswith("http") else f" {escape(one.link)}" if one.link else ""
    page = f", p. {one.quotes[0].page}" if one.quotes[0].page else ""
    return f"  \n  {nearest}“{escape(shown)}”{page}{link}"


def _dead(page: Unread) -> str:
    return f"<{visible(page.url)}> · {escape(page.detail or page.reason)}"


def _list(heading: str, lines: Sequence[str]) -> Section | None:
    if not lines:
        return None
    shown = [f"- {line}" for line in lines[:_LISTED]]
    if len(lines) > _LISTED:
        shown.append(f"- and {len(lines) - _LISTED:,} more, in the run object")
    return Section(heading=heading, markdown="\n".join(shown))


def _each_once(stretches: Iterable[Stretch]) -> list[Stretch]:
    return list({one.text: one for one in stretches}.values())


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1].rstrip()}…"


def _warnings(findings: CheckFindings) -> list[str]:
    warnings = page_warnings(findings.documents.values(), _flags)
    if findings.ceiling:
        warnings.append(f"The check was cut short: {findings.ceiling} was met.")
    then = findings.old.run.provenance if findings.old else None
    if then:
        warnings.append(f"The run was judged by {then.thinker} then.")
    return warnings


def _flags(document: Document) -> frozenset[str]:
    """The flags of a page, with `planted` if anything was left out of it: that could have decided."""
    return frozenset((*document.flags, *(("planted",) if planted_in(document) else ())))


def _closing(
    findings: CheckFindings, checks: Sequence[CheckedClaim], pages: int, facts: Facts, warnings: Sequence[str]
) -> str:
    metrics = facts.metrics
    unread = report_frame.not_read(findings.unread)
    usd = f"${metrics.usd:.2f}" if metrics.usd_known else f"${metrics.usd:.2f} and calls of unknown price"
    tokens = metrics.input_tokens + metrics.output_tokens
    lines = [
        f"Checked: {' · '.join([f'{len(checks)} statements', *_figures(checks)])}",
        f"Not read: {unread or 'nothing'}",
        f"Cost: {usd}, {tokens:,} tokens, {pages} pages, {metrics.seconds:.0f} s"
        f" · judged by {facts.provenance.thinker}",
        *(f"Note: {escape(warning)}" for warning in warnings),
    ]
    return "  \n".join(lines)
