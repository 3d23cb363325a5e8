"""Why a report states nothing: nothing was asked, found, read, or said."""

from collections.abc import Sequence

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report_frame import how_many
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.run import RunStatus
from deepresearch_mcp.text.markdown import escape
from deepresearch_mcp.text.urls import site_of


def why_nothing(findings: Findings, claims: Sequence[Claim], status: RunStatus) -> str:
    """A sentence that tells apart: no engine was asked, no page was found, none was read, none says it."""
    early = {"cancelled": "The run was cancelled", "failed": "The run failed"}.get(status, "")
    early = early or (f"{findings.ceiling} was met" if findings.ceiling else "")
    if findings.nearest_only:
        read = how_many(len(findings.documents), "page was", "pages were")
        return f"{read} read, and no words that answer the question were found; what comes nearest stands below."
    if claims:
        return (
            f"{how_many(len(claims), 'claim was', 'claims were')} verified, but no sentence made of them could be kept."
        )
    if findings.brief.request.shape.depth == 0:
        return f"{early} before there was an answer; nothing was searched, as depth=0 asks for."
    if findings.documents:
        read = f"{how_many(len(findings.documents), 'page was', 'pages were')} read"
        if early:
            return f"{early} when {read}, and no words that answer the question were found in what was looked at."
        return f"{read[0].upper()}{read[1:]}, and no words that answer the question were found."
    if any(page.reason not in {"off_limits", "slow"} for page in findings.unread):
        found = how_many(len(findings.unread), "page that was found was", "pages that were found were")
        return f"{early + '. ' if early else ''}None of the {found} read; why stands below."
    if not any(fared["answered"] for fared in findings.engines.values()):
        # Engines that were still being asked when the user stopped the run have not failed.
        told = findings.failures and status != "cancelled"
        failed = "No search engine answered; which failed and why stands below." if told else ""
        return " ".join(filter(None, (early and f"{early} before anything was found.", failed))) or _NONE_ASKED
    return _too_slow(findings, early) or (f"{early} before a page was read." if early else _outside_limits(findings))


def _too_slow(findings: Findings, early: str) -> str:
    """A sentence on pages that did not answer in time; empty if there are none."""
    slow = sum(page.reason == "slow" for page in findings.unread)
    if not slow:
        return ""
    found = f"{slow} pages were found and none of them" if slow > 1 else "1 page was found and did not"
    found += " answered in time" if slow > 1 else " answer in time"
    return f"{early + '. ' if early else ''}{found}; raise max_minutes, or ask again."


def _outside_limits(findings: Findings) -> str:
    """A sentence on the limit of the request that excluded every page, and what to do about it."""
    filters = findings.brief.filters
    beyond = [page for page in findings.unread if page.reason == "off_limits"]
    if filters.include_domains:
        sites = ", ".join(map(escape, filters.include_domains))
        other = list(dict.fromkeys(site for page in beyond if (site := site_of(page.url))))
        found = (
            f"the engines returned {how_many(len(beyond), 'page', 'pages')} of other sites"
            f" ({', '.join(map(escape, other[:_SITES]))}{', …' if len(other) > _SITES else ''})"
            if beyond
            else "the engines returned none"
        )
        return (
            f"No page of {sites} (include_domains) was found: {found}."
            " Check how the domain is written, or ask again without include_domains."
        )
    if beyond:
        return (
            f"Every page that was found lies outside the limits asked for ({how_many(len(beyond), 'page', 'pages')}):"
            " widen the dates, or exclude fewer domains."
        )
    return "The search found no page for this question."


_NONE_ASKED = "No search engine was asked."


_SITES = 3
"""Sites that a sentence names."""
