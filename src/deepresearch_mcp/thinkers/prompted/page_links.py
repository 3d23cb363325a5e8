"""The links of pages that a reader may ask to be opened, as text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.sources import DocumentCard, Link, Passage
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.urls import site_of
from deepresearch_mcp.thinkers.prompted.material import Labels

LINKS = 6
"""Links of the pages that a reader is shown at most."""
_LETTERS = 3
"""Letters of a word that says something."""
_NOWHERE = re.compile(
    r"(?:click |read |see |more |this |the |go |back |up |next |previous )*(?:here|more|page|link|this|top|"
    r"next|previous|back|up|home|index|contents|modules|source|details)",
    re.IGNORECASE,
)
_CODE = re.compile(r"[._():/\d-]|[a-z][A-Z]")
"""Signs of a name that is no common word: `core.fsync`, `TaskGroup`, `git-replace(1)`."""
_LINKED = 70
"""Characters on each side of a link that say what it is about."""
_PATH = 4
"""Words of a link's address that are shown."""


@dataclass(frozen=True, slots=True)
class ShownLink:
    """A link, and the words around it on its own page: another page of the batch may hold the same words."""

    link: Link
    around: str


def links_shown(passages: Sequence[Passage], pages: Mapping[str, DocumentCard], wanted: str) -> list[ShownLink]:
    """The links within the passages, those that are nearest to what is `wanted` first; a few.

    Only words that stand in a passage are shown of a link, since a reader may see them already.
    """
    texts: dict[str, list[str]] = {}
    for passage in passages:
        texts.setdefault(passage.source_id, []).append(passage.text)
    found: dict[str, ShownLink] = {}
    for name, page in pages.items():
        for link in page.links:
            words, target = link.text.strip(), link.url.partition("#")[0]
            if target == page.url.partition("#")[0] or target in found or not _says_where(words, link.url):
                continue
            if around := _around(words, texts.get(name, ())):
                found[target] = ShownLink(link, around)
    links = list(found.values())
    said = [f"{one.around} {_path(one.link.url)}" for one in links]
    return [links[at] for at in Ranker(said).top(wanted, LINKS)]


def _says_where(words: str, url: str) -> bool:
    """Whether the words of a link tell where it leads: several of them, a name in code, or a word of its address."""
    said = re.findall(r"[^\W\d_]+", words)
    telling = [one for one in said if len(one) >= _LETTERS]
    if not telling or _NOWHERE.fullmatch(words):
        return False
    address = re.split(r"[\W_]+", url.partition("#")[0].split("://")[-1].partition("/")[2].casefold())
    return len(said) > 1 or bool(_CODE.search(words)) or telling[0].casefold() in address


def _standing(words: str) -> re.Pattern[str]:
    """Where the words stand by themselves, not within a longer word or name."""
    return re.compile(rf"(?<![\w.]){re.escape(words)}(?!\w)")


def links_text(labels: Labels[ShownLink], nonce: str) -> str:
    """Each link with the words around it, its site and the last words of its address, fenced; "" without any."""
    rows = (
        f"{name} “{one.around}” ({f'{site_of(one.link.url)} {_path(one.link.url)}'.strip()})"
        for name, one in labels.named()
    )
    return fence("links", "", "\n".join(rows), nonce) if labels.items else ""


def _around(words: str, texts: Sequence[str]) -> str:
    """The words of a link within the line that they stand in, cut between words; "" where they do not stand."""
    found = next((match for one in texts if (match := _standing(words).search(one))), None)
    if found is None:
        return ""
    text, at = found.string, found.start()
    low, high = text.rfind("\n", 0, at) + 1, text.find("\n", at + len(words))
    high = len(text) if high < 0 else high
    start, end = max(low, at - _LINKED), min(high, at + len(words) + _LINKED)
    before, after = text[start:at], text[at + len(words) : end]
    if start > low:
        before = f"…{before.partition(' ')[2]}"
    if end < high:
        after = f"{after.rpartition(' ')[0]}…"
    alone = not any(map(str.isalnum, before + after))
    return one_line(words, 80) if alone else one_line(f"{before}[{one_line(words, 80)}]{after}", 300)


def _path(url: str) -> str:
    """The last words of an address, which often name its subject; "" where they address a machine."""
    last = url.partition("#")[0].partition("?")[0].split("://")[-1].rstrip("/").split("/")[1:][-1:]
    said = " ".join(re.findall(r"[^\W_]{2,20}", last[0].partition(".")[0])[:_PATH]) if last else ""
    return "" if is_screened(said) else said
