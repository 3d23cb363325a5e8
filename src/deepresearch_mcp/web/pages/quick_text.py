"""Asks trafilatura's quick extraction what it would keep of a page: one of the signs by which main text is chosen."""

from copy import copy
from importlib import import_module
from typing import Any, Final, cast

from trafilatura import html2txt

from deepresearch_mcp.web.pages.quick_paths import appended, comments, extractor
from deepresearch_mcp.web.pages.tree import Node

_CLEANING: Any = import_module("trafilatura.htmlprocessing")
_CORE: Any = import_module("trafilatura.core")
_SETTINGS: Any = import_module("trafilatura.settings")
"""Parts of trafilatura that come with few types."""
_EXTRACTING: Any = extractor()
_OPTIONS: Final[Any] = _SETTINGS.Extractor(fast=True, comments=False, formatting=True, output_format="markdown")
_AGAIN: Final[Any] = _SETTINGS.Extractor(
    fast=True, comments=False, formatting=True, output_format="markdown", recall=True
)
_SHORT, _SHARE = _CORE.ESCALATION_MAX_LENGTH, _CORE.ESCALATION_PAGE_SHARE
"""Characters, and share of a page's, up to which trafilatura tries again."""
_THREAD = '"DiscussionForumPosting"'


def quick_text(tree: Node, page_chars: int) -> list[str]:
    """Return the pieces of text that trafilatura's quick extraction keeps of a page of `page_chars` characters.

    These are the steps of its `bare_extraction`. That measures every page, which takes a third of its time; we know
    the size already, and let it measure only where little was kept.
    """
    is_thread = any(_THREAD in (script.text or "") for script in tree.iter("script"))
    try:
        own, held = _own(tree, is_thread=is_thread)
        body, text = _kept(own, _OPTIONS)
        is_least = len(text) < _OPTIONS.min_extracted_size
        if is_least or len(text) < min(_SHORT, _SHARE * page_chars):
            # Most pages end before: a copy of their tree for this costs more than to make it again for the others.
            own, held = _own(tree, is_thread=is_thread)
            if is_least:
                body, text = _rescued(own, body, text)
            if 0 < len(text) < _SHORT and len(text) < _SHARE * len(html2txt(own)):
                body, text = _retried(own, body, text)
        held.clear()
    except (TypeError, ValueError):  # as `bare_extraction` does: odd trees have no quick text
        return []
    return list(body.itertext()) if len(text) >= _OPTIONS.min_output_size else []


def _own(tree: Node, *, is_thread: bool) -> tuple[Any, list[Any]]:
    """Return a copy of the page without follow-up articles and, unless it is a thread of posts, without comments.

    Its elements come with it: while they are held, lxml does not make them again for each walk.
    """
    own = copy(cast(Any, tree))
    held = list(own.iter())
    own = _CLEANING.prune_unwanted_nodes(own, [appended])
    return own if is_thread else _CLEANING.prune_unwanted_nodes(own, [comments]), held


def _kept(own: Any, options: Any) -> tuple[Any, str]:  # noqa: ANN401 - lxml has no types
    """Return what the main extractor keeps of a tree, which it takes apart."""
    converted = _CLEANING.convert_tags(_CLEANING.tree_cleaning(own, options), options, None)
    return cast("tuple[Any, str]", _EXTRACTING.extract_content(converted, options))


def _rescued(tree: Any, body: Any, text: str) -> tuple[Any, str]:  # noqa: ANN401 - lxml has no types
    """Return what simpler rules find on a page of which the first steps keep next to nothing, if it is more."""
    simple, found, size = _CORE.baseline(tree)
    return (simple, found) if size > len(text) else (body, text)


def _retried(tree: Any, body: Any, text: str) -> tuple[Any, str]:  # noqa: ANN401 - lxml has no types
    """Return what a second try finds that keeps more, if it is much more."""
    try:
        again, found = _kept(tree, _AGAIN)
    except Exception:  # noqa: BLE001 - as trafilatura does
        return body, text
    is_more = len(found) >= _OPTIONS.min_extracted_size and len(found) > _CORE.ESCALATION_ACCEPT_RATIO * len(text)
    return (again, found) if is_more else (body, text)
