"""Access tokens of an identity server: signed ones are checked with its public keys, opaque ones by asking it."""

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import anyio
import httpx2
import jwt

from deepresearch_mcp.exceptions import ProviderError, RateLimited
from deepresearch_mcp.records.principal import SCOPES, Principal, Scope

if TYPE_CHECKING:
    from deepresearch_mcp.http_app.caller_rates import CallerRates
    from deepresearch_mcp.ports.clock import Clock
    from deepresearch_mcp.settings.http import OAuthSettings

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""With public keys alone: `none` proves nothing, and HS256 would take a public key for a secret."""

_LONGEST = 16_384
"""Characters of a token."""
_LEEWAY = 30.0
"""Seconds by which the clocks of two machines may differ."""
_KEYS_LAST = 3_600.0
"""Seconds after which keys are read again, so that one that was withdrawn opens nothing for long."""
_KEYS_REST = 30.0
"""Seconds between two readings for keys that are not known: strangers can name any number of those."""
_AWAY_REST = 5.0
"""The same after a reading that failed."""
_KNOWN = 30.0
"""Seconds for which the identity server's word about an opaque token is kept; so long a revoked one may still open."""
_MOST = 1_000
"""Opaque tokens whose answers are kept."""
_TIMEOUT = 10.0


class OAuthTokens:
    """An `Authenticator` for the tokens of one identity server."""

    def __init__(
        self,
        settings: "OAuthSettings",
        audience: str,
        http: httpx2.AsyncClient,
        clock: "Clock",
        rates: "CallerRates | None" = None,
    ) -> None:
        """`rates` limits, by address, how many tokens that were not valid before are asked about."""
        self._settings = settings
        self._audience = settings.audience or audience
        self._http = http
        self._clock = clock
        self._rates = rates
        self._keys: dict[str, jwt.PyJWK] = {}
        self._read_at = float("-inf")
        self._tried_at = float("-inf")
        self._away: ProviderError | None = None
        """Why the last reading failed."""
        self._reading = anyio.Lock()
        self._told: dict[str, tuple[float, Mapping[str, Any]]] = {}

    async def principal(self, token: str, *, host: str = "") -> Principal | None:
        """See `Authenticator`.

        Raises:
            RateLimited: This host has shown too many unknown tokens.
            ProviderError: The identity server could not be asked.
        """
        if not token or len(token) > _LONGEST:
            return None
        if token.count(".") == 2 and self._settings.jwks_url:
            claims = await self._signed(token)
        else:
            claims = await self._introspected(token, host) if self._settings.introspection_url else None
        return self._principal(claims) if claims is not None and self._holds(claims) else None

    async def _signed(self, token: str) -> Mapping[str, Any] | None:
        """The claims of a token that its issuer has signed; None if it has not."""
        try:
            header = jwt.get_unverified_header(token)
            algorithm, name = header.get("alg"), header.get("kid")
            if algorithm not in ALGORITHMS or not isinstance(name, str | None):
                return None
            key = await self._key(name or "")
            if key is None:
                return None
            return jwt.decode(
                token,
                key.key,
                algorithms=[algorithm],
                audience=self._audience,
                issuer=self._settings.issuer,
                # Its times are checked by our own clock.
                options={
                    "require": ["exp", "iss", "aud", "sub"],
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
        except (jwt.PyJWTError, ValueError, TypeError):
            return None

    async def _key(self, name: str) -> jwt.PyJWK | None:
        # A key that is there waits for no reading: a stranger's token can start one, and the server may be away.
        if (key := self._known_key(name)) is not None and self._clock.monotonic() - self._read_at <= _KEYS_LAST:
            return key
        async with self._reading:
            now = self._clock.monotonic()
            rest = _AWAY_REST if self._away else _KEYS_REST
            if now - self._tried_at > rest and (now - self._read_at > _KEYS_LAST or name not in self._keys):
                self._tried_at, self._away = now, None
                try:
                    self._keys = await self._read_keys()
                    self._read_at = now
                except ProviderError as error:
                    self._away = error
            key = self._known_key(name)
            if self._away and (key is None or now - self._read_at > _KEYS_LAST):
                raise self._away
            return key

    def _known_key(self, name: str) -> jwt.PyJWK | None:
        return next(iter(self._keys.values())) if not name and len(self._keys) == 1 else self._keys.get(name)

    async def _read_keys(self) -> dict[str, jwt.PyJWK]:
        found: dict[str, jwt.PyJWK] = {}
        answer = await self._asked("GET", self._settings.jwks_url)
        rows: object = answer.get("keys")
        for row in cast("list[object]", rows) if isinstance(rows, list) else []:
            key = cast("dict[str, Any]", row) if isinstance(row, dict) else {}
            if key.get("use", "sig") != "sig" or key.get("kty") not in {"RSA", "EC", "OKP"}:
                continue
            try:
                found[str(key.get("kid") or "")] = jwt.PyJWK.from_dict(key)
            except (jwt.PyJWTError, ValueError, TypeError):
                continue  # One key of a kind that we do not know leaves the others as they are.
        return found

    async def _introspected(self, token: str, host: str) -> Mapping[str, Any] | None:
        now, name = self._clock.monotonic(), hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
        then, claims = self._told.get(name, (float("-inf"), {}))
        if now - then > _KNOWN:
            # Each guess of a stranger would else be a request to the identity server.
            fresh = host and claims.get("active") is not True
            if self._rates and fresh and (seconds := self._rates.wait(host)):
                raise RateLimited("identity server", "too many unknown tokens", retry_after=seconds)
            claims = await self._asked(
                "POST", self._settings.introspection_url, {"token": token, "token_type_hint": "access_token"}
            )
            self._told.pop(name, None)
            self._told[name] = (now, claims)
            while len(self._told) > _MOST:
                del self._told[next(iter(self._told))]
        audience: object = claims.get("aud")
        meant = cast("list[object]", audience) if isinstance(audience, list) else [audience]
        ours = claims.get("iss", self._settings.issuer) == self._settings.issuer and self._audience in meant
        if claims.get("active") is not True or not ours:
            return None
        # A program that acts for itself has no `sub` there.
        own = {"sub": f"client:{claims['client_id']}"} if claims.get("client_id") else {}
        return {**own, **claims}

    async def _asked(self, method: str, url: str, form: dict[str, str] | None = None) -> Mapping[str, Any]:
        secret = self._settings.client_secret
        auth = (self._settings.client_id, secret.get_secret_value() if secret else "") if form else None
        try:
            answer = await self._http.request(method, url, data=form, auth=auth, timeout=_TIMEOUT)
            told: object = json.loads(answer.raise_for_status().content)
        except (httpx2.HTTPError, ValueError) as error:
            raise ProviderError("identity server", type(error).__name__, retryable=True) from error
        return cast("dict[str, Any]", told) if isinstance(told, dict) else {}

    def _holds(self, claims: Mapping[str, Any]) -> bool:
        """Whether it is its time, and it names whose it is."""
        now, ends, begins = self._clock.now().timestamp(), claims.get("exp"), claims.get("nbf", 0)
        if not isinstance(ends, int | float) or not isinstance(begins, int | float):
            return False
        told = claims.get("sub")
        return isinstance(told, str) and bool(told) and begins - _LEEWAY <= now < ends + _LEEWAY

    def _principal(self, claims: Mapping[str, Any]) -> Principal | None:
        theirs = _words(claims.get("scope")) | _words(claims.get("scp"))
        if not theirs.issuperset(self._settings.required_scopes):
            return None
        mapped = {ours for one in theirs for ours in self._settings.scope_map.get(one, ())} | theirs
        granted: frozenset[Scope] = frozenset(one for one in SCOPES if one in mapped)
        who = json.dumps([self._settings.issuer, claims["sub"]])
        name = str(claims.get("preferred_username") or claims.get("client_id") or "")[:100]
        return Principal(f"oidc:{hashlib.sha256(who.encode()).hexdigest()[:32]}", granted, name)


def _words(value: object) -> set[str]:
    if isinstance(value, str):
        return {*value.split()}
    return {str(one) for one in cast("list[object]", value)} if isinstance(value, list) else set()
