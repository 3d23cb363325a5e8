"""Decides which addresses may be fetched: public ones, and private ones that the settings name."""

import ipaddress
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NoReturn

import httpx2
import idna
from typing_extensions import override

from deepresearch_mcp.exceptions import FetchRefused, SettingsError
from deepresearch_mcp.web.fetching.fetcher import Fetcher, Request, Response

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

LONGEST_URL = 8_000
"""Characters; servers commonly accept this many."""

_NOT_PUBLIC_4 = tuple(
    ipaddress.IPv4Network(block)
    for block in (
        "192.0.0.0/24",  # protocol assignments; holds one vendor's metadata service
        "192.88.99.0/24",  # 6to4 relays
        "168.63.129.16/32",  # a cloud provider's host agent, on an address that looks public
    )
)
_PUBLIC_6 = ipaddress.IPv6Network("2000::/3")
"""All unicast space assigned so far (RFC 4291). The rest is refused, even if it is assigned later."""
_NOT_PUBLIC_6 = tuple(
    ipaddress.IPv6Network(block)
    for block in (
        "2001::/23",  # Teredo, benchmarking, ORCHID
        "2001:db8::/32",
        "3fff::/20",
    )
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")

_LOCAL_NAMES = frozenset(
    ("localhost", "local", "internal", "localdomain", "lan", "intranet", "corp", "home", "private")
)
"""Last labels that never belong to a public host. They are refused before a resolver or proxy sees them."""

_SPLIT = re.compile(r"(https?)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.IGNORECASE | re.DOTALL)
_UNSAFE = re.compile(r"[^!#$%&'()*+,\-./0-9:;=?@A-Z_a-z~\[\]]")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")


def is_public(address: str | IPAddress) -> bool:
    """Return whether an address belongs to the public internet.

    An IPv6 address that carries an IPv4 address (mapped, 6to4, NAT64) is public if that address is. Teredo,
    documentation, multicast and unassigned addresses are not public. This is stricter than
    `ipaddress.is_global`, whose tables differ between Python releases.
    """
    ip = ipaddress.ip_address(address) if isinstance(address, str) else address
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not (ip.is_multicast or ip.is_reserved or _within(ip, _NOT_PUBLIC_4))
    if ip.scope_id:
        return False
    carried = ip.ipv4_mapped or ip.sixtofour
    if carried is None and ip in _NAT64:
        carried = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
    if carried is not None:
        return is_public(carried)
    return ip in _PUBLIC_6 and not _within(ip, _NOT_PUBLIC_6)


@dataclass(frozen=True, slots=True)
class AllowList:
    """Private hosts that the settings allow.

    An entry is a host, a network (`10.0.0.0/8`), or either with a port
    (`wiki.corp:8443`, `127.0.0.0/8:8900`, `[::1]:8080`). With a port it allows
    only that port, even if `web.ports` does not list it.
    """

    hosts: frozenset[tuple[str, int | None]]
    networks: tuple[tuple[IPNetwork, int | None], ...]

    @classmethod
    def of(cls, entries: Iterable[str]) -> "AllowList":
        """Parse the entries of `settings.web.allow_private`.

        Raises:
            SettingsError: An entry is neither a host nor a network.
        """
        hosts: set[tuple[str, int | None]] = set()
        networks: list[tuple[IPNetwork, int | None]] = []
        for entry in entries:
            name, port = _entry(entry.strip())
            try:
                networks.append((ipaddress.ip_network(name, strict=False), port))
            except ValueError:
                host = _ascii_host(name)
                if not host:
                    raise SettingsError(
                        f"web.allow_private: {entry!r} is neither a host nor a network.",
                        "Write it as wiki.corp, wiki.corp:8443 or 10.0.0.0/8.",
                    ) from None
                hosts.add((host, port))
        return cls(frozenset(hosts), tuple(networks))

    def has_host(self, host: str, port: int) -> bool:
        """Return whether this name or literal address is allowed at this port."""
        if (host, port) in self.hosts or (host, None) in self.hosts:
            return True
        ip = _literal(host)
        return ip is not None and self.has_address(ip, port)

    def has_address(self, address: str | IPAddress, port: int) -> bool:
        """Return whether an address that a name resolved to is allowed at this port."""
        ip = ipaddress.ip_address(address) if isinstance(address, str) else address
        return any(ip in network and of in {None, port} for network, of in self.networks)

    def opens_port(self, host: str, port: int) -> bool:
        """Return whether an entry names exactly this port of the host."""
        ip = _literal(host)
        return (host, port) in self.hosts or (
            ip is not None and any(ip in network and of == port for network, of in self.networks)
        )


NOTHING_PRIVATE = AllowList(frozenset(), ())


def check_url(url: str, allow: AllowList = NOTHING_PRIVATE, ports: Iterable[int] = (80, 443)) -> httpx2.URL:
    """Return the address to fetch, in one canonical spelling and without its fragment.

    An address that two parsers could read differently (backslashes, control characters, credentials, percent signs
    in the host, odd spellings of a private IP address) is refused, so that the connection goes to the host that was
    checked. `PinnedBackend` checks every address that a name resolves to when it connects.

    Raises:
        FetchRefused: Not http or https, no valid host, a private address, or a port that is not allowed.
    """
    found = _SPLIT.fullmatch(url.strip("\x00\t\n\f\r "))
    if found is None:
        _refuse(url, "Only http and https addresses are fetched.", "Give an address that begins with https://.")
    scheme, authority, path, query = (found[1].lower(), found[2], found[3], found[4] or "")
    if len(url) > LONGEST_URL or _has_control(url.strip("\x00\t\n\f\r ")):
        _refuse(url, "The address is too long or holds control characters.")
    if "@" in authority:
        _refuse(url, "Addresses with a user name or password in them are not fetched.", "Leave out the part before @.")
    host, port = _authority(url, authority)
    port = port or (443 if scheme == "https" else 80)
    _check_host(url, host, port, allow)
    if port not in set(ports) and not allow.opens_port(host, port):
        _refuse(url, f"Port {port} is not one that pages are read from.", "See the setting web.ports.")
    shown = f"[{host}]" if ":" in host else host
    suffix = "" if port == (443 if scheme == "https" else 80) else f":{port}"
    try:
        made = httpx2.URL(f"{scheme}://{shown}{suffix}{_quoted(path) or '/'}{_quoted(query)}")
    except httpx2.InvalidURL:
        _refuse(url, "This is not an address that can be fetched.")
    if (made.raw_host.decode("ascii"), made.port) != (host, int(suffix[1:]) if suffix else None):
        # No known input reaches this line. If httpx2 parsed another host than we did, it must not be asked.
        _refuse(url, "The address can be read in two ways.")
    return made


def _check_host(url: str, host: str, port: int, allow: AllowList) -> None:
    if allow.has_host(host, port):
        return
    ip = _literal(host)
    if ip is not None:
        if not is_public(ip):
            _refuse(url, "The address is a private one.", "See the setting web.allow_private.")
    elif "." not in host or host.rpartition(".")[2] in _LOCAL_NAMES or host.endswith(".home.arpa"):
        _refuse(url, "The host is a name of a private network.", "See the setting web.allow_private.")


def _authority(url: str, authority: str) -> tuple[str, int | None]:
    name, port = _entry(authority)
    host = _ascii_host(name)
    if not host or (":" in host) != authority.startswith("["):
        _refuse(url, "The address has no host that could be asked.")
    if port is not None and not 0 < port <= 65_535:
        _refuse(url, "The address has a port that does not exist.")
    return host, port


def _entry(text: str) -> tuple[str, int | None]:
    """Split `host:port`, `[v6]:port` and `network:port`; a bare IPv6 address or network has no port."""
    bracketed = re.fullmatch(r"\[([^\]]*)\](?::([0-9]{0,5}))?", text)
    if bracketed:
        return bracketed[1], int(bracketed[2]) if bracketed[2] else None
    name, colon, port = text.rpartition(":")
    if colon and ":" not in name and re.fullmatch(r"[0-9]{0,5}", port):
        return name, int(port) if port else None
    return text, None


def _ascii_host(name: str) -> str:
    """Return the host in lower-case ASCII, an IP address in its usual spelling; "" if it is not a valid host."""
    if ":" in name:
        try:
            return str(ipaddress.IPv6Address(name)) if "%" not in name else ""
        except ValueError:
            return ""
    if not name.isascii():
        if _NUMBER.fullmatch("".join(str(unicodedata.decimal(char, char)) for char in name.rpartition(".")[2])):
            # A name server takes digits of other scripts for letters; some clients read them as an IP address.
            name = unicodedata.normalize("NFKC", name)
            if not name.isascii():
                return ""
        try:
            name = idna.encode(name, uts46=True, transitional=False).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            return ""
    host = name.lower().removesuffix(".")
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        return ""
    return _numeric(labels) if _NUMBER.fullmatch(labels[-1]) else host


def _numeric(labels: list[str]) -> str:
    """Return the IPv4 address that the URL standard reads in these labels; "" if they are not an address.

    A host whose last label is a number must be an address (WHATWG URL, "ends in a number").
    """
    if len(labels) > 4 or not all(_NUMBER.fullmatch(label) for label in labels):
        return ""
    try:
        parts = [_integer(label) for label in labels]
    except ValueError:
        return ""
    *heads, last = parts
    if any(part > 255 for part in heads) or last >= 256 ** (5 - len(parts)):
        return ""
    value = last + sum(part << (8 * (3 - place)) for place, part in enumerate(heads))
    return str(ipaddress.IPv4Address(value))


def _integer(label: str) -> int:
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    return int(label, 8) if label.startswith("0") else int(label)


def _literal(host: str) -> IPAddress | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _within(ip: IPAddress, blocks: Iterable[IPNetwork]) -> bool:
    return any(ip in block for block in blocks)


def _has_control(text: str) -> bool:
    return any(ord(char) < 32 or ord(char) == 127 for char in text)


def _quoted(part: str) -> str:
    return _UNSAFE.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace")), part)


def _refuse(url: str, why: str, action: str = "") -> NoReturn:
    raise FetchRefused(url, "address_refused", why, action)


class GuardedFetcher(Fetcher):
    """A fetcher that requests only addresses that `check_url` accepts, in canonical spelling."""

    def __init__(self, inner: Fetcher, allow: AllowList, ports: Iterable[int]) -> None:
        self._inner = inner
        self._allow = allow
        self._ports = frozenset(ports)

    @override
    async def get(self, ask: Request) -> Response:
        return await self._inner.get(replace(ask, url=check_url(str(ask.url), self._allow, self._ports)))
