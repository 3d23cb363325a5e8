"""Scope: the brief that all later stages start from, and the plan of a run that has no other."""

from collections.abc import Sequence
from datetime import date, timedelta

from deepresearch_mcp.pipeline.queries import usable_queries
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.plan import Brief, Deliverable, Plan, Scope, SubQuestion
from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.report_template import ReportTemplate
from deepresearch_mcp.records.request import Filters, ResearchRequest
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.topics import is_another_topic
from deepresearch_mcp.text.urls import in_domains

_GENERAL, _SETTINGS, _NO_TEMPLATE = Profile(), ResearchSettings(), ReportTemplate()


def carried_over(request: AnyRequest, background: str) -> str:
    """The words that a follow-up takes over from the run before it; "" if the question has another topic."""
    if isinstance(request, CheckRequest) or not background:
        return background
    return "" if is_another_topic(request.question, background) else background


def scope(
    request: ResearchRequest,
    today: date,
    background: str = "",
    profile: Profile = _GENERAL,
    settings: ResearchSettings = _SETTINGS,
    template: ReportTemplate = _NO_TEMPLATE,
) -> Brief:
    """The brief of a request: its question on one line, its language, and the day on which it is asked."""
    question = " ".join(request.question.split())
    return Brief(
        profile=profile,
        template=template,
        limits=limits_of(request, today, profile, settings),
        question=question,
        language=request.language or guess(question),
        today=today,
        request=request,
        background=background,
    )


def limits_of(request: ResearchRequest, today: date, profile: Profile, settings: ResearchSettings) -> Filters:
    """The limits on sources of a request, with the lasting lists of the settings and those of its profile.

    A domain that the request includes is read although a profile excludes it; nothing opens what the settings deny.
    Where they allow only some domains, a request can narrow these and not widen them.
    """
    asked = request.filters
    allowed = settings.allow_domains
    include = asked.include_domains
    if allowed:
        include = (
            *(one for one in include if _is_within(one, allowed)),
            *(one for one in allowed if _is_within(one, include)),
        )
        include = include or ((_NOWHERE,) if asked.include_domains else allowed)
    unwanted = (one for one in profile.exclude_domains if not _is_within(one, include))
    first = asked.published_after
    if profile.newest_days and not first and today > date.min + timedelta(profile.newest_days):
        first = min(today - timedelta(profile.newest_days), asked.published_before or today)
    exclude = dict.fromkeys((*asked.exclude_domains, *settings.deny_domains, *unwanted))
    # What is denied leaves the list of what is included, which may hold it under the same name.
    kept = tuple(one for one in dict.fromkeys(include) if one not in exclude)
    return asked.model_copy(
        update={
            "include_domains": kept or ((_NOWHERE,) if include else ()),
            "exclude_domains": tuple(exclude),
            "published_after": first,
        }
    )


_NOWHERE = "nowhere.invalid"
"""A domain that no page has: what a request includes is denied, and an empty list would mean everything."""


def _is_within(domain: str, domains: Sequence[str]) -> bool:
    return in_domains(f"https://{domain}/", domains)


def default_plan(brief: Brief) -> Plan:
    """A plan whose only sub-question is the question."""
    part = SubQuestion(
        id="q1", text=brief.question[:1000], priority="high", queries=usable_queries((), brief.question, brief)
    )
    return Plan(sub_questions=(part,), scope=default_scope(brief), made_by="default")


def default_scope(brief: Brief) -> Scope:
    """The question itself is what is to be delivered."""
    return Scope(deliverables=(Deliverable(id="d1", text=brief.question[:1000]),))
