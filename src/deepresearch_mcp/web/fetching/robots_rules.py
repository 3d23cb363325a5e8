"""Reads robots.txt as Google's parser does (RFC 9309), and says whether a path may be read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

LONGEST_LINE = 16_663
"""Bytes of one line that are read, as in Google's parser (eight addresses of 2,083); the rest of it is ignored."""
LONGEST_DELAY = 86_400.0
"""Seconds; a longer Crawl-delay is taken for a mistake and ignored."""

_AGENTS = ("user-agent", "useragent", "user agent")
_ALLOW = ("allow",)
_DISALLOW = ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")
"""Names by which lines begin, common misspellings included: `disallowed` counts too, as in Google's parser."""
_PRODUCT = re.compile(r"[A-Za-z_-]*")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_ESCAPED = re.compile(r"%[0-9a-fA-F]{2}|[\x80-\xff]")
_PATH_SIGN = re.compile("[/?;]")
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?")
_NO_INPUT = re.compile(r"(?:^|[,\s])ai-input\s{0,9}=\s{0,9}no(?![\w-])", re.IGNORECASE)
_BOM = b"\xef\xbb\xbf"


class _Rule(NamedTuple):
    allows: bool
    pattern: str


@dataclass(frozen=True, slots=True)
class Rules:
    """What a robots.txt says to one product."""

    rules: tuple[_Rule, ...] = ()
    crawl_delay: float = 0.0
    """Seconds between two requests; 0: none asked for. Not part of RFC 9309, but honoured."""
    no_ai_input: bool = False
    """A `Content-Signal` line says `ai-input=no`: no use of the pages as material for answers."""

    @staticmethod
    def parse(body: bytes, product: str) -> "Rules":
        """Read the lines for `product`, or those for `*` if no line names it.

        Never fails: a line that cannot be read is ignored, as are groups of other products. The work grows
        linearly with the file.
        """
        reader = _Reader(product.casefold())
        for key, value in _lines(body):
            reader.read(key, value)
        return reader.rules()

    def allow(self, path: str) -> bool:
        """Return whether a path with its query may be read: the longest matching rule decides, Allow wins a tie."""
        allowed = refused = 0
        for rule in self.rules:
            length = len(rule.pattern)
            # Matching costs more than comparing lengths, and a shorter rule changes nothing.
            if length <= (allowed if rule.allows else refused):
                continue
            if not _matches(path, rule.pattern) and (
                not rule.allows or (length := _index_length(path, rule.pattern)) <= allowed
            ):
                continue
            if rule.allows:
                allowed = length
            else:
                refused = length
        return refused <= allowed


def path_of(url: str) -> str:
    """Return path, parameters and query of an address, which rules are matched with; `/` if it has none."""
    start = 2 if url.startswith("//") else 0
    scheme = url.find("://", start)
    early = _PATH_SIGN.search(url, start)
    if scheme >= 0 and not (early and early.start() < scheme):
        start = scheme + 3
    found = _PATH_SIGN.search(url, start)
    fragment = url.find("#", 2 if url.startswith("//") else 0)
    if found is None or -1 < fragment < found.start():
        return "/"
    path = url[found.start() : fragment if fragment >= 0 else None]
    return path if path.startswith("/") else f"/{path}"


class _Reader:
    """Collects the rules of the groups for one product and of those for all."""

    def __init__(self, product: str) -> None:
        self._product = product
        self._ours, self._all = _Group(), _Group()
        self._named = False
        """A line named the product: then the groups for all do not apply, even if its own group is empty."""
        self._active: list[_Group] = []
        self._rule_seen = False

    def read(self, key: str, value: str) -> None:
        key = key.casefold()
        if key.startswith(_AGENTS):
            self._agent(value)
        elif key.startswith(_ALLOW) or key.startswith(_DISALLOW):
            # Other lines do not end the list of agents of a group: RFC 9309 §2.2.1, and Google's parser.
            self._rule_seen = self._rule_seen or bool(self._active)
            rule = _Rule(key.startswith(_ALLOW), _escaped(value))
            for group in self._active:
                group.rules.append(rule)
        elif key == "crawl-delay":
            if (match := _SECONDS.fullmatch(value)) and (delay := float(match[0])) <= LONGEST_DELAY:
                for group in self._active:
                    group.delay = group.delay or delay
        elif key == "content-signal":
            for group in self._active:
                group.no_ai_input = group.no_ai_input or bool(_NO_INPUT.search(value))

    def _agent(self, value: str) -> None:
        if self._rule_seen:
            self._active, self._rule_seen = [], False
        if value[:1] == "*" and not value[1:2].strip():
            self._active = [*self._active, self._all] if self._all not in self._active else self._active
            return
        found = _PRODUCT.match(value)
        if found and found[0] and found[0].casefold() == self._product:
            self._named = True
            self._active = [*self._active, self._ours] if self._ours not in self._active else self._active

    def rules(self) -> Rules:
        group = self._ours if self._named else self._all
        return Rules(tuple(dict.fromkeys(group.rules)), group.delay, group.no_ai_input)


class _Group:
    def __init__(self) -> None:
        self.rules: list[_Rule] = []
        self.delay = 0.0
        self.no_ai_input = False


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    """Yield name and value of each line that has both; bytes above 127 as the characters of Latin-1."""
    # Google's parser also skips the beginning of a byte order mark.
    start = next((size for size in (3, 2, 1) if body.startswith(_BOM[:size])), 0)
    for raw in _LINE_END.split(body[start:]):
        line = raw[:LONGEST_LINE].decode("latin-1").partition("#")[0].strip(" \t\v\f\0")
        key, colon, value = line.partition(":")
        if not colon:
            # `Disallow /private`: a forgotten colon is understood if the line has two words.
            words = line.split()
            if len(words) != 2:
                continue
            key, value = words
        if key.strip():
            yield key.strip(), value.strip()


def _escaped(pattern: str) -> str:
    """Percent-encode a pattern as addresses are: bytes above 127, and hexadecimal digits in upper case."""
    return _ESCAPED.sub(lambda found: found[0].upper() if len(found[0]) == 3 else f"%{ord(found[0]):02X}", pattern)


def _matches(path: str, pattern: str) -> bool:
    """Return whether the pattern fits the beginning of the path. `*` fits anything, a final `$` only the end."""
    if ends := pattern.endswith("$"):
        pattern = pattern[:-1]
    first, *rest = pattern.split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    if not rest:
        return not ends or at == len(path)
    last = rest.pop() if ends else ""
    for piece in rest:
        if piece:
            at = path.find(piece, at)
            if at < 0:
                return False
            at += len(piece)
    return not ends or (len(path) - at >= len(last) and path.endswith(last))


def _index_length(path: str, pattern: str) -> int:
    """Return the length of the rule that `Allow: /dir/index.html` implies for `/dir/`; 0 if it does not match."""
    folder, slash, page = pattern.rpartition("/")
    implied = f"{folder}/$"
    return len(implied) if slash and page.startswith("index.htm") and _matches(path, implied) else 0
