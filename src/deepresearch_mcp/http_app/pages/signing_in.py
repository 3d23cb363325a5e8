"""Signing in and out: a token pasted once, or a code that a command of this machine has put into the address."""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.http_app.caller_rates import CallerRates
from deepresearch_mcp.http_app.context import HttpContext
from deepresearch_mcp.http_app.gate import COOKIE, cookie_name, cookie_of
from deepresearch_mcp.http_app.pages.forms import BEFORE, FIELD, check_form, form_key, form_of, new_visit, session_of
from deepresearch_mcp.http_app.pages.templates import rendered
from deepresearch_mcp.http_app.problems import Endpoint, status_of

SIGN_IN = "/sign-in"
SIGN_OUT = "/sign-out"
OPEN_PATHS = (SIGN_IN, SIGN_OUT)
"""Answered without a token: they show and change nothing but the browser's own cookie."""

_LONGEST_TOKEN = 8_000
"""Characters; a token of an identity server may have thousands."""
_TRIES = 30
"""Tokens that one address may try in a minute: an identity server may have to be asked about each."""


def local_path(text: str) -> str:
    """A path of this server that an address names as the next page; "/" for anything that could lead elsewhere."""
    parts = urlsplit(text) if text.startswith("/") and "\\" not in text and text.isprintable() else None
    return text if parts and not parts.netloc and not text.startswith("//") else "/"


def routes(context: HttpContext) -> list[Route]:
    """The page that asks for a token, and what it sends to."""
    desk = _SignIn(context)
    return [
        Route(SIGN_IN, _told(desk.shown, "Signing in did not work"), methods=["GET"]),
        Route(SIGN_IN, _told(desk.sent, "Signing in did not work"), methods=["POST"]),
        Route(SIGN_OUT, _told(desk.out, "Signing out did not work"), methods=["POST"]),
    ]


def _told(endpoint: Endpoint, title: str) -> Endpoint:
    """Show an error of ours as a page."""

    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except DeepResearchError as error:
            values = {"title": title, "message": error.message, "action": error.action}
            return rendered("bare_error.html", values, status_of(error))

    return answered


class _SignIn:
    def __init__(self, context: HttpContext) -> None:
        self._context = context
        self._tries = CallerRates(_TRIES, context.clock)

    async def shown(self, request: Request) -> Response:
        """The page; with a code the browser is signed in at once."""
        following = local_path(request.query_params.get("next", "/"))
        if code := request.query_params.get("code", ""):
            codes = self._context.codes
            if codes is None or (session := codes.redeem(code)) is None:
                return await self._page(request, "This link was used already, or is too old. Run the command again.")
            return self._signed_in(request, session, "/")
        # A link elsewhere led here: browsers keep a strict cookie back until a page of ours goes on.
        if request.headers.get("sec-fetch-site") == "cross-site" and "next" in request.query_params:
            return rendered("onward.html", {"next": following, "title": "One moment"})
        return await self._page(request)

    async def sent(self, request: Request) -> Response:
        """Keep a valid token in the browser."""
        form = await form_of(request)
        check_form(request, form, await self._key())
        if self._tries.wait(request.client.host if request.client else ""):
            return await self._page(request, "Too many tries from your address. Wait a minute.")
        token, known = form.text("token").removeprefix("Bearer ").strip(), None
        if self._context.authenticator and token.isascii() and len(token) <= _LONGEST_TOKEN:
            known = await self._context.authenticator.principal(token)
        if known is None:
            return await self._page(request, "This token is not known here, or no longer valid.")
        return self._signed_in(request, token, local_path(form.text("next")))

    async def out(self, request: Request) -> Response:
        """Forget the token in the browser."""
        check_form(request, await form_of(request), await self._key())
        answer = rendered("onward.html", {"next": SIGN_IN, "title": "Signed out"})
        for name in (cookie_name(request), COOKIE):
            if cookie_of(request, name):
                answer.delete_cookie(name, path="/", httponly=True, samesite="strict")
        return answer

    async def _key(self) -> bytes:
        return await (await self._context.server.jobs()).runtime.store.keys.of("forms")

    async def _page(self, request: Request, problem: str = "") -> Response:
        visit = session_of(request) or new_visit()
        values = {
            "next": local_path(request.query_params.get("next", "/")),
            "problem": problem,
            "form_field": FIELD,
            "form_key": form_key(await self._key(), visit),
        }
        answer = rendered("sign_in.html", values, 401 if problem else 200)
        if not session_of(request):
            self._set(answer, BEFORE, visit)
        return answer

    def _signed_in(self, request: Request, token: str, following: str) -> Response:
        """Keep the token in a cookie, and go on by a page of ours, as a redirect may still count as another site's."""
        answer = rendered("onward.html", {"next": following, "title": "Signed in"})
        self._set(answer, cookie_name(request), token)
        answer.delete_cookie(BEFORE, path="/", httponly=True, samesite="strict")
        return answer

    def _set(self, answer: Response, name: str, value: str) -> None:
        """A cookie that no script reads, no other site sends, and that ends with the browser."""
        secure = self._context.settings.http.public_url.startswith("https://")
        answer.set_cookie(name, value, path="/", httponly=True, secure=secure, samesite="strict")
