"""Settings for fetching pages, and for how requests identify themselves to sites."""

import re
import string
from typing import Literal, get_args
from urllib.parse import quote

from pydantic import Field, field_validator

from deepresearch_mcp.settings.bounds import SettingsModel
from deepresearch_mcp.settings.late import library
from deepresearch_mcp.settings.project import DISTRIBUTION
from deepresearch_mcp.settings.values import is_proxy
from deepresearch_mcp.version import __version__

_MAIL = re.compile(r"(?P<before>[^@,;:]{1,64}@)(?P<host>[\w-]+(?:\.[\w-]+)+)")
_PAGE = re.compile(r"(?P<before>https?://)(?P<host>[\w-]+(?:\.[\w-]+)*)(?P<behind>(?::\d+)?(?:[/?#].*)?)")
_NETWORK = re.compile(r"\[?([0-9A-Fa-f.:]+/\d{1,3})\]?(?::\d{1,5})?")
_UNSENDABLE = frozenset(' ()<>"\\')
"""Characters not allowed in a contact, because they would break the `User-Agent` comment that contains it."""
_LONGEST = 200
"""Longest contact as sent, in characters."""


class ContactSettings(SettingsModel):
    """How requests identify themselves."""

    user_agent: str = Field(
        default=f"{DISTRIBUTION}/{__version__}",
        description="Sent with every request; robots.txt is read for its first word.",
    )
    contact: str = Field(
        default="",
        description="Your mail or web address, sent with every request so that site owners can reach you; empty: none.",
    )

    @field_validator("contact")
    @classmethod
    def _reachable(cls, contact: str) -> str:
        """Return the address in ASCII, as a header requires."""
        if not contact:
            return contact
        advice = "give one mail address, or one web address that begins with https://"
        if wrong := next((char for char in contact if char in _UNSENDABLE or not char.isprintable()), ""):
            raise ValueError(f"it holds {'a space' if wrong == ' ' else ascii(wrong)}, which cannot be sent; {advice}")
        if not (parts := _MAIL.fullmatch(contact) or _PAGE.fullmatch(contact)):
            raise ValueError(advice)
        sent = "".join(_in_ascii(name, text) for name, text in parts.groupdict().items())
        if len(sent) > _LONGEST:
            raise ValueError(f"it has {len(sent)} characters, and at most {_LONGEST} are sent; {advice}")
        return sent

    @property
    def sent_as(self) -> str:
        """The `User-Agent` of requests: product, version, and the contact if there is one."""
        if not self.contact:
            return self.user_agent
        return f"{self.user_agent} ({'+' if '://' in self.contact else 'mailto:'}{self.contact})"


def _in_ascii(name: str, text: str) -> str:
    """Convert a part of an address to ASCII: a host by IDNA, anything else by percent-encoding."""
    if text.isascii():
        return text
    if name != "host":
        return quote(text, safe=string.punctuation)
    idna = library("idna")
    try:
        return idna.encode(text, uts46=True).decode()
    except idna.IDNAError:
        raise ValueError(f"{text!r} is not a host name; correct it") from None


PersonalData = Literal["email", "phone", "card", "iban", "ssn"]
"""Kinds of personal data that can be masked; `text/redaction.py` finds them."""
PRESIDIO = "presidio"
"""All that Presidio finds of a person; `presidio:ENTITY` is one of its entities alone. See `web/presidio.py`."""
_ENTITY = re.compile(rf"{PRESIDIO}(?::[A-Z][A-Z_]*)?")


class WebSettings(ContactSettings):
    """How pages are fetched."""

    robots: bool = Field(default=True, description="Obey robots.txt.")
    respect_noai: bool = Field(
        default=False,
        description="Leave pages unread that ask not to be used by AI: noai tags and headers, ai-input=no, TDM.",
    )
    allow_private: tuple[str, ...] = Field(
        default=(), description="Private hosts, host:port pairs or networks that may be read: intranets, tests."
    )
    ports: tuple[int, ...] = Field(default=(80, 443, 8080, 8443), description="Ports that may be connected to.")
    timeout: float = Field(default=15.0, gt=0, description="Seconds for one page, redirects and body included.")
    connect_timeout: float = Field(default=5.0, gt=0, description="Seconds to connect.")
    max_wire_bytes: int = Field(default=15_000_000, ge=1_000, description="Compressed bytes of one page or file.")
    max_body_bytes: int = Field(default=30_000_000, ge=1_000, description="Bytes after decompression.")
    max_text: int = Field(default=2_000_000, ge=1_000, description="Characters of main text kept of one document.")
    next_pages: int = Field(
        default=3, ge=0, le=10, description="Further pages of an article or a thread that are read as parts of it."
    )
    redirects: int = Field(default=5, ge=0, le=20, description="Followed for one page.")
    host_concurrency: int = Field(default=6, ge=1, le=50, description="Requests at once to one host.")
    host_rate: float = Field(
        default=5.0, gt=0, description="Requests a second to one host, after a burst of host_burst."
    )
    host_burst: int = Field(default=20, ge=1, description="Requests to one host that need not wait.")
    concurrency: int = Field(default=24, ge=1, le=200, description="Requests at once to all hosts.")
    retries: int = Field(
        default=1, ge=0, le=5, description="More tries after 429, 502, 503, 504 or a broken connection."
    )
    retry_wait: float = Field(default=10.0, ge=0, description="Longest Retry-After, in seconds, that is waited for.")
    breaker_failures: int = Field(default=5, ge=1, description="Failures in a row after which a host is left alone.")
    breaker_seconds: float = Field(default=30.0, gt=0, description="How long it is left alone.")
    cache_seconds: float = Field(default=3600.0, ge=0, description="How long a page is used again without asking.")
    cache_document_seconds: float = Field(
        default=604_800.0, ge=0, description="The same for PDF and office files, which seldom change."
    )
    archive: str = Field(
        default="https://archive.org/wayback/available",
        description="Availability API of the web archive in which dead pages are looked up; empty: none.",
    )
    proxy: str = Field(
        default="",
        description="HTTP proxy. It resolves names itself: we cannot keep it from reaching private addresses.",
    )
    ca_file: str = Field(default="", description="PEM file of a private certificate authority.")
    redact: tuple[str, ...] = Field(
        default=(),
        description="Personal data masked in pages and hits before they are kept, cited or exported: "
        f"{', '.join(get_args(PersonalData))}; with the extra presidio also presidio or presidio:ENTITY.",
    )
    browser: bool = Field(
        default=True,
        description="Run the scripts of pages that hold no text without them, where the extra browser is installed.",
    )
    browser_program: str = Field(default="", description="Path of the Chromium to start; empty: the system's.")
    browser_seconds: float = Field(default=12.0, gt=0, le=120, description="Seconds for one page in the browser.")
    workers: int = Field(default=2, ge=1, le=16, description="Processes that parse pages.")
    parse_timeout: float = Field(
        default=20.0,
        gt=0,
        description="Seconds after which a parser process is killed; up to three times as long for pages of megabytes.",
    )

    @field_validator("allow_private")
    @classmethod
    def _networks(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse what looks like a network and is none; the guard of pages knows the hosts."""
        for entry in entries:
            network = _NETWORK.fullmatch(entry.strip())
            if "/" in entry and (network is None or not _is_network(network[1])):
                raise ValueError(f"{entry[:60]!r} is no network: write it like 10.0.0.0/8")
        return entries

    @field_validator("redact")
    @classmethod
    def _kinds(cls, kinds: tuple[str, ...]) -> tuple[str, ...]:
        known = get_args(PersonalData)
        if wrong := next((one for one in kinds if one not in known and not _ENTITY.fullmatch(one)), None):
            raise ValueError(
                f"{wrong!r} is no kind of personal data. There are: {', '.join(known)}, and with the extra presidio "
                f"{PRESIDIO} or {PRESIDIO}:ENTITY, such as {PRESIDIO}:PERSON"
            )
        return kinds

    @field_validator("proxy")
    @classmethod
    def _address(cls, proxy: str) -> str:
        if proxy and not is_proxy(proxy):
            raise ValueError("it should be written like http://host:port")
        return proxy


def _is_network(text: str) -> bool:
    try:
        library("ipaddress").ip_network(text, strict=False)
    except ValueError:
        return False
    return True
