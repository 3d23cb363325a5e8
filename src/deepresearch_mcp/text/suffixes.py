"""Whose a host is: the public suffixes under which users register names, and the registered name.

The list is the one that the package `tld` brings with it. It is never downloaded: an update comes with the package.
"""

from functools import lru_cache

from tld.utils import MozillaTLDSourceParser, process_url
from typing_extensions import override

from deepresearch_mcp.text.stopwords import word_set

_SHELVES = word_set(
    "wordpress.com substack.com tumblr.com medium.com neocities.org weebly.com livejournal.com typepad.com "
    "over-blog.com hatenablog.com hashnode.dev ghost.io jimdofree.com bandcamp.com"
)
"""Domains whose subdomains belong to their users, and that the public list does not hold."""
_BLOGS = "blogspot"
"""It stands under many countries, and left the public list."""


class BundledList(MozillaTLDSourceParser):
    """The list in the package; without it, no list: the base class would download one."""

    uid = "deepresearch_bundled"

    @classmethod
    @override
    def update_tld_names(cls, fail_silently: bool = False) -> bool:
        return False


@lru_cache(maxsize=4096)
def registrable(host: str) -> str:
    """Return the registrable domain of a host name in ASCII: `bbc.co.uk` of `news.bbc.co.uk`.

    A public suffix by itself is its own; below an unlisted suffix the last two labels count.
    """
    labels = host.split(".")
    readable = [_readable(label) for label in labels]
    depth = max(_depth(readable), 2)
    for size in (2, 3):
        if ".".join(readable[-size:]) in _SHELVES or (len(readable) > size and readable[-size] == _BLOGS):
            depth = max(depth, size + 1)
    return ".".join(labels[-depth:])


def _depth(labels: list[str]) -> int:
    """Count the labels of the registrable domain by the public list; 0 where it says nothing."""
    try:
        parts, at, _ = process_url(f"http://{'.'.join(labels)}", parser_class=BundledList)
    except (OSError, ValueError):
        # No list, a suffix that it does not have, or a host that is none.
        return 0
    if parts is None or at is None:
        return 0
    # The suffix begins at this label; a host that is one itself has -1.
    return len(parts) if at < 0 else len(parts) - at + 1


def _readable(label: str) -> str:
    """Return a label as the list has it: in the letters of its language."""
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label
