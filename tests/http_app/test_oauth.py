import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

import anyio
import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from mcp.server.transport_security import TransportSecuritySettings

from clocks import HandClock
from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.http_app.caller_rates import CallerRates
from deepresearch_mcp.http_app.gate import Gate
from deepresearch_mcp.http_app.oauth import OAuthTokens
from deepresearch_mcp.settings.http import OAuthSettings

ISSUER, AUDIENCE = "https://login.example.com", "https://research.example.com/mcp"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class IdentityServer:
    """Publishes keys, and says of opaque tokens what it was told to."""

    def __init__(self) -> None:
        self.keys = {"one": KEY}
        self.known: dict[str, dict[str, Any]] = {}
        self.asked: list[str] = []
        self.fails = False

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request.url.path)
        if self.fails:
            return httpx2.Response(503)
        if request.url.path == "/jwks":
            rows = [
                json.loads(RSAAlgorithm.to_jwk(key.public_key())) | {"kid": name, "use": "sig"}
                for name, key in self.keys.items()
            ]
            return httpx2.Response(200, json={"keys": [*rows, {"kty": "oct", "kid": "secret", "k": "c2VjcmV0"}, 7]})
        assert request.headers["authorization"].startswith("Basic ")
        token = dict(httpx2.QueryParams(request.content.decode()))["token"]
        return httpx2.Response(200, json=self.known.get(token, {"active": False}))


@pytest.fixture
def identity() -> IdentityServer:
    return IdentityServer()


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def tokens(identity: IdentityServer, clock: HandClock) -> OAuthTokens:
    settings = OAuthSettings.model_validate(
        {
            "issuer": ISSUER,
            "jwks_url": f"{ISSUER}/jwks",
            "introspection_url": f"{ISSUER}/introspect",
            "client_id": "us",
            "client_secret": "secret",
            "required_scopes": ["openid"],
            "scope_map": {"research": ["runs:read", "runs:write"]},
        }
    )
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(identity))
    return OAuthTokens(settings, AUDIENCE, http, clock)


def claims(clock: HandClock, **changed: Any) -> dict[str, Any]:
    now = int(clock.now().timestamp())
    told = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": now + 60, "scope": "openid research"} | changed
    return {name: value for name, value in told.items() if value is not None}


def signed(told: Mapping[str, Any], key: Any = KEY, name: str = "one", algorithm: str = "RS256") -> str:
    return jwt.encode(dict(told), key, algorithm, headers={"kid": name})


def coded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def confused(told: Mapping[str, Any], public: bytes) -> str:
    """A token whose secret is the public key, as libraries that trust a token's own `alg` accept it."""
    text = ".".join(coded(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": "one"}, dict(told)))
    return f"{text}.{coded(hmac.digest(public, text.encode(), hashlib.sha256))}"


async def test_a_signed_token_names_its_caller_and_what_it_may_do(tokens: OAuthTokens, clock: HandClock) -> None:
    ada = await tokens.principal(signed(claims(clock, preferred_username="Ada")))
    again = await tokens.principal(signed(claims(clock, aud=["other", AUDIENCE], scope="openid runs:read")))
    bob = await tokens.principal(signed(claims(clock, sub="bob")))

    assert ada
    assert again
    assert bob
    assert (ada.scopes, ada.name) == (frozenset({"runs:read", "runs:write"}), "Ada")
    assert (ada.caller, again.scopes) == (again.caller, frozenset({"runs:read"}))
    assert ada.caller.startswith("oidc:")
    assert "ada" not in ada.caller
    assert bob.caller != ada.caller


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://evil.example"},
        {"aud": "https://other.example/mcp"},
        {"aud": None},
        {"iss": None},
        {"sub": None},
        {"sub": ""},
        {"exp": None},
        {"exp": 1},
        {"exp": "tomorrow"},
        {"nbf": 9_999_999_999},
        {"scope": "research"},
        {"scope": None},
    ],
)
async def test_a_token_that_is_not_for_us_or_not_now_opens_nothing(
    tokens: OAuthTokens, clock: HandClock, changed: dict[str, Any]
) -> None:
    assert await tokens.principal(signed(claims(clock, **changed))) is None


async def test_a_token_that_its_issuer_has_not_signed_opens_nothing(tokens: OAuthTokens, clock: HandClock) -> None:
    told = claims(clock)
    public = KEY.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    head = coded(b'{"alg":"none","kid":"one"}')
    good = signed(told)
    forged = [
        signed(told, OTHER),
        confused(told, public),
        signed(told, b"secret-secret-secret-secret-secret", "secret", "HS256"),
        f"{head}.{good.split('.')[1]}.",
        good[:-4] + "AAAA",
        "a.b.c",
        "..",
        "x" * 20_000,
    ]

    assert [await tokens.principal(one) for one in forged] == [None] * len(forged)


async def test_a_new_key_is_read_once_and_a_withdrawn_one_is_forgotten(
    tokens: OAuthTokens, clock: HandClock, identity: IdentityServer
) -> None:
    assert await tokens.principal(signed(claims(clock)))
    identity.keys = {"two": OTHER}
    assert await tokens.principal(signed(claims(clock), OTHER, "two")) is None
    clock.advance(31)
    assert await tokens.principal(signed(claims(clock), OTHER, "two"))
    assert await tokens.principal(signed(claims(clock))) is None
    for number in range(20):
        await tokens.principal(signed(claims(clock), OTHER, str(number)))

    assert identity.asked == ["/jwks", "/jwks"]


async def test_an_opaque_token_is_what_the_identity_server_says_for_half_a_minute(
    tokens: OAuthTokens, clock: HandClock, identity: IdentityServer
) -> None:
    identity.known = {
        "good": {"active": True, **claims(clock, exp=9_999_999_999)},
        "foreign": {"active": True, **claims(clock, aud="other")},
        "nobody's": {"active": True, **claims(clock, aud=None)},
        "words": {"active": "true", **claims(clock)},
    }
    found = {name: await tokens.principal(name) for name in (*identity.known, "unknown", "good")}
    asked = len(identity.asked)
    del identity.known["good"]
    clock.advance(31)

    assert [name for name, principal in found.items() if principal] == ["good"]
    assert asked == 5
    assert await tokens.principal("good") is None


async def test_an_identity_server_that_is_away_is_no_refusal(
    tokens: OAuthTokens, clock: HandClock, identity: IdentityServer
) -> None:
    identity.fails = True
    for token in (signed(claims(clock)), "opaque"):
        with pytest.raises(ProviderError, match="identity server"):
            await tokens.principal(token)


async def test_strangers_make_nobody_wait_for_an_identity_server_that_does_not_answer(
    clock: HandClock, identity: IdentityServer
) -> None:
    answers = anyio.Event()

    async def silent(request: httpx2.Request) -> httpx2.Response:
        if identity.fails:
            await answers.wait()
        return identity(request)

    settings = OAuthSettings.model_validate({"issuer": ISSUER, "jwks_url": f"{ISSUER}/jwks"})
    tokens = OAuthTokens(settings, AUDIENCE, httpx2.AsyncClient(transport=httpx2.MockTransport(silent)), clock)
    assert await tokens.principal(signed(claims(clock)))
    clock.advance(31)
    identity.fails = True
    refusals: list[str] = []

    async def guess(number: int) -> None:
        try:
            await tokens.principal(signed(claims(clock), OTHER, str(number)))
        except ProviderError as error:
            refusals.append(str(error))

    async with anyio.create_task_group() as strangers:
        for number in range(5):
            strangers.start_soon(guess, number)
        await anyio.wait_all_tasks_blocked()
        with anyio.fail_after(2):
            assert await tokens.principal(signed(claims(clock)))
        answers.set()

    assert (len(refusals), identity.asked) == (5, ["/jwks", "/jwks"])
    identity.fails = False
    clock.advance(31)
    assert await tokens.principal(signed(claims(clock), OTHER, "two")) is None
    assert identity.asked == ["/jwks"] * 3


async def test_guesses_from_one_address_are_not_all_passed_on_to_the_identity_server(
    clock: HandClock, identity: IdentityServer
) -> None:
    told = {"issuer": ISSUER, "introspection_url": f"{ISSUER}/introspect", "client_id": "us", "client_secret": "secret"}
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(identity))
    tokens = OAuthTokens(OAuthSettings.model_validate(told), AUDIENCE, http, clock, CallerRates(3, clock))
    identity.known = {"good": {"active": True, **claims(clock, exp=9_999_999_999)}}
    security = TransportSecuritySettings(allowed_hosts=["a"], allowed_origins=[])
    transport = httpx2.ASGITransport(Gate(there, security, tokens), client=("192.0.2.1", 1))
    async with httpx2.AsyncClient(transport=transport, base_url="http://a") as caller:

        async def shown(token: str) -> httpx2.Response:
            return await caller.get("/x", headers={"authorization": f"Bearer {token}"})

        statuses = [(await shown(token)).status_code for token in ("good", *map(str, range(9)))]
        late = await shown("another")
        clock.advance(31)  # What is known of a valid token has to be asked for again.
        identity.asked.clear()
        again = [(await shown(token)).status_code for token in ("new", "newer", "good")]

    assert statuses == [200, 401, 401, *[429] * 7]
    assert late.headers["retry-after"] == "20"
    assert (again, len(identity.asked)) == ([401, 429, 200], 2)


async def there(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"in"})
