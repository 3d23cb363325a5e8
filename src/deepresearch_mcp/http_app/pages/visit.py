"""One visit of a page: who visits, what is rendered for them, and errors as pages instead of problem details."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from types import MappingProxyType
from typing import Literal
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest, NotAuthorized, UnknownRun
from deepresearch_mcp.http_app.context import HttpContext, admitted
from deepresearch_mcp.http_app.pages.forms import FIELD, Form, check_form, form_key, form_of, session_of
from deepresearch_mcp.http_app.pages.templates import HEADERS, rendered
from deepresearch_mcp.http_app.problems import Endpoint, status_of
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.records.principal import Principal, Scope

_log = logging.getLogger(__name__)

TOLD: Mapping[str, str] = MappingProxyType(
    {
        "cancelling": "The run ends now; what it found is written up.",
        "answered": "Your answer is stored, and the run goes on.",
        "deleted": "The run is deleted, with everything that it alone held.",
        "rated": "Your rating is stored.",
        "added": "The document is in the library, and can be found.",
        "removed": "It is removed from the library.",
        "resumed": "The run is resumed; no finished step is repeated.",
    }
)
"""What a page says after a form was done, by the name that its address carries."""

NAVIGATION = (
    ("/", "Ask"),
    ("/runs", "Runs"),
    ("/check", "Check"),
    ("/library", "Library"),
    ("/budgets", "Budgets"),
    ("/settings", "Settings"),
)


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for a page."""

    context: HttpContext
    request: Request
    principal: Principal

    @property
    def caller(self) -> str:
        """To whom everything belongs that this visit sees or makes."""
        return self.principal.caller

    @property
    def run_id(self) -> str:
        """The id of the run in the path.

        Raises:
            UnknownRun: It has not the form of one.
        """
        name = str(self.request.path_params["run_id"])
        if not (name.isascii() and name.isalnum()):
            raise UnknownRun(name)
        return name

    async def jobs(self) -> Jobs:
        """The jobs of this process, opened on first use."""
        return await self.context.server.jobs()

    def asked(self, name: str) -> str:
        """A parameter behind the `?`; "" if there is none."""
        return self.request.query_params.get(name, "").strip()

    async def key(self) -> bytes:
        """The key behind the hidden fields of forms."""
        return await (await self.jobs()).runtime.store.keys.of("forms")

    async def form(self) -> Form:
        """The form that was sent.

        Raises:
            InvalidRequest: It was not sent from a page that was shown to this session.
        """
        form = await form_of(self.request)
        check_form(self.request, form, await self.key())
        return form

    async def show(self, template: str, status: int = 200, /, **values: object) -> Response:
        """Render a page for this visit."""
        shown = [(path, name) for path, name in NAVIGATION if path != "/settings" or self.principal.may("admin")]
        common = {
            "path": self.request.url.path,
            "navigation": shown,
            "form_field": FIELD,
            "form_key": form_key(await self.key(), session_of(self.request)),
            "may_write": self.principal.may("runs:write"),
            "may_library": self.principal.may("library:write"),
            "who": self.principal.name,
            "signed_in": self.context.authenticator is not None,
            "told": TOLD.get(self.asked("told"), ""),
        }
        return rendered(template, {**common, **values}, status)


def to(path: str, **query: str) -> Response:
    """Send the browser to another page, after a form: loading that one again sends nothing twice."""
    return RedirectResponse(f"{path}?{urlencode(query)}" if query else path, 303, dict(HEADERS))


Handler = Callable[[Visit], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Page:
    """A method of a path, and the scope that it needs."""

    method: Literal["GET", "POST"]
    path: str
    handler: Handler
    scope: Scope = "runs:read"


def route_of(pages: list[Page], context: HttpContext) -> Route:
    """The route of the pages of one path."""
    by_method = {page.method: _endpoint(page, context) for page in pages}

    async def endpoint(request: Request) -> Response:
        return await by_method["POST" if request.method == "POST" else "GET"](request)

    return Route(pages[0].path, endpoint, methods=list(by_method))


def _endpoint(page: Page, context: HttpContext) -> Endpoint:
    @wraps(page.handler)
    async def endpoint(request: Request) -> Response:
        # A signed-in user may see that a page is not for them.
        visit = Visit(context, request, admitted(request))
        try:
            if not visit.principal.may(page.scope):
                raise NotAuthorized(page.scope)
            return await page.handler(visit)
        except DeepResearchError as error:
            return await _failed(visit, error)
        except Exception as error:  # noqa: BLE001 - told as a page, and logged
            _log.error("%s %s failed unexpectedly", page.method, page.path, exc_info=error)
            unknown = DeepResearchError(
                "The page failed because of an error in this server; see its log.", "Try again."
            )
            return await _failed(visit, unknown)

    return endpoint


async def _failed(visit: Visit, error: DeepResearchError) -> Response:
    """The page of an error: what was wrong, and what to do."""
    status = status_of(error)
    title = "Not found" if status == HTTPStatus.NOT_FOUND else "This did not work"
    if isinstance(error, InvalidRequest):
        title = "Please check what you entered"
    if isinstance(error, NotAuthorized):
        title = "Your token does not allow this"
    # The page links to all runs itself; the action names a tool.
    action = "" if isinstance(error, UnknownRun) else error.action
    values = {"title": title, "message": error.message, "action": action}
    try:
        return await visit.show("error.html", status, **values)
    except DeepResearchError:
        # The store itself does not answer, so there is no key for forms: the page has none.
        return rendered("bare_error.html", values, status)
