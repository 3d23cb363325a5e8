"""Removes secrets from addresses: parameters with a secret's name or a secret-looking value."""

import re
from urllib.parse import unquote_plus, urlsplit, urlunsplit

from deepresearch_mcp.text.stopwords import word_set

_NAMES = word_set(
    "token accesstoken authtoken idtoken refreshtoken sessiontoken securitytoken csrftoken usertoken apitoken"
    " bearertoken oauthtoken jwt apikey accesskey secretkey privatekey subscriptionkey appkey clientsecret secret"
    " password passwd pwd passphrase signature sig authorization credential credentials xamzsignature xamzcredential"
    " xamzsecuritytoken xgoogsignature xgoogcredential awsaccesskeyid keypairid phpsessid jsessionid aspsessionid"
    " sessionid sessid onetimepassword otp magiclink"
)
"""Parameter names, in lower case and without signs, whose value is always a secret."""
_PERHAPS = word_set("key auth session sid code ticket pass hash access sign invite share")
"""Parameter names that also identify public pages: their value is removed if it looks random."""
_KNOWN = re.compile(
    r"(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AIza|eyJ)[-_A-Za-z0-9]{12,}"
    r"|(?:AKIA|ASIA)(?=[A-Z]*[0-9])[A-Z0-9]{16}(?![-_A-Za-z0-9])"
    r"|[sp]k[-_](?:[a-z0-9]{1,10}[-_]){0,3}(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{16,}"
    r"|rk[-_](?:live|test)[-_][A-Za-z0-9]{16,}"
)
"""How keys of known services begin; `eyJ` begins a JSON web token."""
_TOKEN = re.compile(r"[A-Za-z0-9_\-+/=.~]{16,}")
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
"""A word, as names are composed of them, or a number."""
_LONGEST_PIECE = 2.7
"""Mean characters per piece: random values have about 2, `NationalSecurity2022` and `LEGITEXT000006070721` 7."""
_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#;]*", re.IGNORECASE)


def without_secrets(url: str) -> str:
    """Return an address without its secrets: credentials, tokens, signatures, session ids.

    Everything else stays as written, so that the address still leads to a public page. An address that cannot be parsed
    is cut before its query.
    """
    try:
        parts = urlsplit(url)
        netloc = parts.netloc.rpartition("@")[2]
    except ValueError:
        return url.partition("?")[0].partition("#")[0]
    path = _IN_PATH.sub("", parts.path) if ";" in parts.path else parts.path
    query = _kept(parts.query)
    fragment = _kept(parts.fragment) if "=" in parts.fragment else parts.fragment
    if (netloc, path, query, fragment) == (parts.netloc, parts.path, parts.query, parts.fragment):
        return url
    return urlunsplit((parts.scheme, netloc, path, query, fragment))


def holds_secret(url: str) -> bool:
    """Return whether `without_secrets` would remove anything."""
    return without_secrets(url) != url


def _kept(query: str) -> str:
    return "&".join(pair for pair in query.split("&") if not _is_secret(pair))


def _is_secret(pair: str) -> bool:
    name, found, value = pair.partition("=")
    value = unquote_plus(value)
    if not found or not value:
        return False
    plain = re.sub(r"[^a-z0-9]", "", unquote_plus(name).casefold())
    if plain in _NAMES or _KNOWN.match(value):
        return True
    return plain in _PERHAPS and _is_random(value)


def _is_random(value: str) -> bool:
    """Return whether letters and digits alternate faster than in composed names, words and numbers."""
    if not _TOKEN.fullmatch(value):
        return False
    pieces = _PIECE.findall(value)
    mixed = any(piece.isdigit() for piece in pieces) and any(piece.isalpha() for piece in pieces)
    return mixed and sum(map(len, pieces)) <= _LONGEST_PIECE * len(pieces)
