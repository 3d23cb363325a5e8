"""Secrets in addresses: found by the name of a parameter or by the look of its value, and cut."""

import re
from urllib.parse import unquote_plus, urlsplit, urlunsplit

from deepresearch_mcp.text.stopwords import listed

_NAMES = listed(
    "token accesstoken authtoken idtoken refreshtoken sessiontoken securitytoken csrftoken usertoken apitoken"
    " bearertoken oauthtoken jwt apikey accesskey secretkey privatekey subscriptionkey appkey clientsecret secret"
    " password passwd pwd passphrase signature sig authorization credential credentials xamzsignature xamzcredential"
    " xamzsecuritytoken xgoogsignature xgoogcredential awsaccesskeyid keypairid phpsessid jsessionid aspsessionid"
    " sessionid sessid onetimepassword otp magiclink"
)
"""Names, in lower case and without signs, whose value is a secret whatever it looks like."""
_PERHAPS = listed("key auth session sid code ticket pass login user hash access sign policy invite share")
"""Names that also number pages: their value is cut where it looks drawn by chance."""
_LONG = 16
_DRAWN = re.compile(rf"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_\-+/=.~]{{{_LONG},}}")
"""Letters and digits mixed, longer than words and numbers get."""
_KNOWN = re.compile(r"(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza|eyJ)[-_A-Za-z0-9]{12,}")
"""How keys of known services begin; `eyJ` opens a JSON web token."""
_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#;]*", re.IGNORECASE)


def without_secrets(url: str) -> str:
    """Return an address without what opens a door: credentials, tokens, signatures, session ids.

    Everything else stays as it is written, so that the address still leads to a public page. An address that cannot
    be taken apart is returned up to its query.
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
    """Whether `without_secrets` would cut anything."""
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
    return plain in _PERHAPS and _DRAWN.fullmatch(value) is not None
