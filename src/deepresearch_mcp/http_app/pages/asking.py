"""`/`: ask a question, with its limits and an estimate; and `/ask`, which takes the form."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.pages.forms import Form
from deepresearch_mcp.http_app.pages.visit import Page, Visit, to
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.records.plan import Estimate
from deepresearch_mcp.records.request import EFFORTS, MAX_QUESTION, ResearchRequest
from deepresearch_mcp.records.specs import PROFILE_NAMES, TEMPLATE_NAMES
from deepresearch_mcp.settings.defaults import DefaultSettings

_RECENT = 6
_EFFORTS: Mapping[str, str] = {
    "quick": "A first look",
    "standard": "For most questions",
    "deep": "More sources, more rounds",
    "exhaustive": "All that can be found",
}
_CEILINGS = ("max_usd", "max_tokens", "max_searches", "max_pages", "max_minutes")
_DOMAINS = ("include_domains", "exclude_domains")
_MAY_BE_EMPTY = ("language", "template")
"""Where an empty field says something: as the question has it."""
_BOXES = ("web", "clarify", "approve_plan", "fresh")


async def home(visit: Visit) -> Response:
    """The form, and the latest runs."""
    asked = {"question": visit.asked("question"), "follow_up_of": visit.asked("follow_up_of")}
    return await _page(visit, _Given(_shown(visit.context.settings.defaults) | asked))


async def ask(visit: Visit) -> Response:
    """Estimate what was asked, or start it."""
    form = await visit.form()
    given = _Given.of(form)
    try:
        request = request_of(form, visit.context.settings.defaults)
        jobs = await visit.jobs()
        if form.text("action") != "start":
            return await _page(visit, given, estimate=await jobs.runtime.estimate(request, visit.caller))
        row = await jobs.start_or_join(request, visit.caller, fresh=form.has("fresh"))
    except InvalidRequest as error:
        return await _page(visit, given, problem=f"{error.message} {error.action}", status=422)
    visit.context.server.watch(jobs, row.run_id, visit.caller)
    return to(f"/runs/{row.run_id}")


def _shown(defaults: DefaultSettings) -> dict[str, str]:
    """What a form shows at first. Ceilings are left empty: each effort has its own."""
    texts = {name: getattr(defaults, name) for name in ("effort", "profile", "length", *_MAY_BE_EMPTY)}
    return texts | {name: ", ".join(getattr(defaults, name)) for name in _DOMAINS}


def request_of(form: Form, defaults: DefaultSettings) -> ResearchRequest:
    """The research that the form asks for; `defaults` hold for what it does not show.

    Raises:
        InvalidRequest: A value is wrong, alone or beside another.
    """
    names = ("question", "effort", "model", "profile", "length", "region", "follow_up_of", "mode", *_MAY_BE_EMPTY)
    arguments: dict[str, Any] = {name: form.text(name) or None for name in names}
    arguments["question"] = form.text("question")  # An empty one is said to be empty, and not to be missing.
    arguments |= {
        "max_usd": form.number("max_usd"),
        "max_tokens": form.whole("max_tokens"),
        "max_searches": form.whole("max_searches"),
        "max_pages": form.whole("max_pages"),
        "max_minutes": form.number("max_minutes"),
        "urls": form.lines("urls"),
        "collections": form.texts("collections"),
        "published_after": form.day("published_after"),
        "published_before": form.day("published_before"),
    }
    # A form of few fields, as for a follow-up, has none of these: then the defaults hold. A whole form has shown them.
    if form.has("boxes"):
        arguments |= {name: form.text(name) for name in _MAY_BE_EMPTY}
        arguments |= {name: form.lines(name) for name in _DOMAINS}
        arguments |= {
            "web": form.has("web"),
            "clarify": "auto" if form.has("clarify") else "never",
            "approve_plan": form.has("approve_plan"),
        }
    return checked_request(arguments, asks=True, defaults=defaults)


class _Given:
    """What the form held, for showing it again."""

    def __init__(
        self, texts: Mapping[str, str], collections: list[str] | None = None, boxes: set[str] | None = None
    ) -> None:
        self._texts = texts
        self.collections = collections or []
        self.boxes = {"web", "clarify", "approve_plan"} if boxes is None else boxes

    @classmethod
    def of(cls, form: Form) -> "_Given":
        names = ("question", "effort", "model", "profile", "length", "mode", "follow_up_of", "urls", *_MAY_BE_EMPTY)
        dates = ("published_after", "published_before")
        texts = {name: form.text(name) for name in (*names, *_CEILINGS, *_DOMAINS, *dates)}
        boxes = {name for name in _BOXES if form.has(name)} if form.has("boxes") else None
        return cls(texts, form.texts("collections"), boxes)

    def __getitem__(self, name: str) -> str:
        return self._texts.get(name, "")


async def _page(
    visit: Visit, given: _Given, *, estimate: Estimate | None = None, problem: str = "", status: int = 200
) -> Response:
    jobs = await visit.jobs()
    recent = await jobs.find(visit.caller, limit=_RECENT)
    return await visit.show(
        "ask.html",
        status,
        given=given,
        effort=given["effort"] or visit.context.settings.defaults.effort,
        efforts=[(name, _EFFORTS[name], shape) for name, shape in EFFORTS.items()],
        profiles=PROFILE_NAMES,
        templates=TEMPLATE_NAMES,
        collections=[row.name for row in await jobs.runtime.store.collections.of(visit.caller).all()],
        recent=recent,
        longest=MAX_QUESTION,
        estimate=estimate,
        problem=problem,
    )


PAGES = (Page("GET", "/", home), Page("POST", "/ask", ask, "runs:write"))
