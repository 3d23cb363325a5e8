"""Asks trafilatura's quick extraction what it would keep of a page: one of the signs by which main text is chosen."""

from copy import copy
from importlib import import_module
from typing import Any, Final, cast

from trafilatura import bare_extraction

from deepresearch_mcp.web.pages.tree import Node

_CLEANING: Any = import_module("trafilatura.htmlprocessing")
_EXTRACTING: Any = import_module("trafilatura.main_extractor")
_XPATHS: Any = import_module("trafilatura.xpaths")
"""Parts of trafilatura that come with few types."""
_OPTIONS: Final[Any] = import_module("trafilatura.settings").Extractor(
    fast=True, comments=False, formatting=True, output_format="markdown"
)
_SHORT, _SHARE = 3_000, 0.2
"""Characters, and share of a page's, up to which `bare_extraction` tries again."""
_THREAD = '"DiscussionForumPosting"'


def quick_text(tree: Node, page_chars: int) -> list[str]:
    """Return the pieces of text that trafilatura's quick extraction keeps of a page of `page_chars` characters.

    These are the first steps of its `bare_extraction`. That goes on to measure the whole page, which takes a third of
    its time, and tries again with other settings where it kept little; we know the size already, and ask it only then.
    """
    own = _CLEANING.prune_unwanted_nodes(copy(cast(Any, tree)), _XPATHS.RAW_TREE_PRUNE_XPATH)
    if not any(_THREAD in (script.text or "") for script in tree.iter("script")):
        own = _CLEANING.prune_unwanted_nodes(own, _XPATHS.REMOVE_COMMENTS_AND_LISTS_XPATH)
    try:
        converted = _CLEANING.convert_tags(_CLEANING.tree_cleaning(own, _OPTIONS), _OPTIONS, None)
        body, text = _EXTRACTING.extract_content(converted, _OPTIONS)
    except (TypeError, ValueError):  # as `bare_extraction` does: odd trees have no quick text
        return []
    is_little = len(text) < min(_SHORT, _SHARE * page_chars)
    return _whole(tree) if is_little or len(text) < _OPTIONS.min_extracted_size else list(body.itertext())


def _whole(tree: Node) -> list[str]:
    """Return what all steps find, for a page of which the first ones keep little."""
    found = cast(
        Any,
        bare_extraction(
            cast(Any, tree), fast=True, include_comments=False, include_formatting=True, output_format="markdown"
        ),
    )
    return list(found.body.itertext()) if found is not None and found.body is not None else []
