"""Finds the registrable domain of a host by the public suffix list.

The list comes with the package `tld` and is never downloaded: a new version of the package updates it.
"""

from functools import lru_cache

from tld.utils import MozillaTLDSourceParser, process_url
from typing_extensions import override

from deepresearch_mcp.text.stopwords import word_set

_SHELVES = word_set(
    "wordpress.com substack.com tumblr.com medium.com neocities.org weebly.com livejournal.com typepad.com "
    "over-blog.com hatenablog.com hashnode.dev ghost.io jimdofree.com bandcamp.com"
)
"""Domains whose subdomains belong to their users, missing from the public list."""
_BLOGS = "blogspot"
"""A label that exists under many country domains and was removed from the public list."""


class BundledList(MozillaTLDSourceParser):
    """The list in the package. If it is missing there is no list: the base class would download one."""

    uid = "deepresearch_bundled"

    @classmethod
    @override
    def update_tld_names(cls, fail_silently: bool = False) -> bool:
        return False


@lru_cache(maxsize=4096)
def registrable(host: str) -> str:
    """Return the registrable domain of a host name in ASCII: `bbc.co.uk` of `news.bbc.co.uk`.

    A public suffix alone is returned unchanged; below an unlisted suffix, the last two labels count.
    """
    labels = host.split(".")
    readable = [_readable(label) for label in labels]
    depth = max(_depth(readable), 2)
    for size in (2, 3):
        if ".".join(readable[-size:]) in _SHELVES or (len(readable) > size and readable[-size] == _BLOGS):
            depth = max(depth, size + 1)
    return ".".join(labels[-depth:])


def _depth(labels: list[str]) -> int:
    """Count the labels of the registrable domain by the public list; 0 if the list does not cover the host."""
    try:
        parts, at, _ = process_url(f"http://{'.'.join(labels)}", parser_class=BundledList)
    except (OSError, ValueError):
        # There is no list, it does not have the suffix, or the host is invalid.
        return 0
    if parts is None or at is None:
        return 0
    # `at` is the label at which the suffix begins; it is -1 for a host that is itself a suffix.
    return len(parts) if at < 0 else len(parts) - at + 1


def _readable(label: str) -> str:
    """Return a label in the letters of its language, as the list writes it."""
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label
