"""Finds the elements that trafilatura's costliest expressions find, at a fraction of their cost.

Its expressions call a Python function for each test of each element. Here the elements that have a fitting attribute
at all are found by lxml alone, and what a class or an id says is remembered: a page repeats few of them many times.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any, Final, cast

_ETREE: Any = import_module("lxml.etree")
_PATHS: Any = import_module("trafilatura.xpaths")
"""Parts of lxml and trafilatura that come with few types."""

Path = Callable[[Any], Sequence[Any]]
"""Returns the elements inside another one that it matches."""
_LONGEST = 300
"""Characters of an attribute whose meaning is remembered: a hostile page shall not fill the memory with long ones."""


def extractor() -> ModuleType:
    """Return a main extractor of our own: trafilatura's, with these paths in place of its expressions."""
    spec = cast(ModuleSpec, find_spec("trafilatura.main_extractor"))
    module: Any = module_from_spec(spec)
    cast(Loader, spec.loader).exec_module(module)
    module.BODY_XPATH = [*BODIES, *_PATHS.BODY_XPATH[len(BODIES) :]]
    module.OVERALL_DISCARD_XPATH = [boilerplate]
    module.TEASER_DISCARD_XPATH = [teasers]
    module.DISCARD_IMAGE_ELEMENTS = [captions]
    return cast(ModuleType, module)


def appended(tree: Any) -> Sequence[Any]:  # noqa: ANN401 - lxml has no types
    """Find follow-up articles and share buttons: `RAW_TREE_PRUNE_XPATH`."""
    if not any(_is_named(found, _may_append) for found in tree.iterdescendants("div", "section", "aside")):
        return []
    return [found for path in _PATHS.RAW_TREE_PRUNE_XPATH for found in path(tree)]


def comments(tree: Any) -> Sequence[Any]:  # noqa: ANN401 - lxml has no types
    """Find comments and lists of them: `REMOVE_COMMENTS_AND_LISTS_XPATH`."""
    return [found for found in tree.iterdescendants(*_COMMENTING) if _is_comment(found)]


def teasers(tree: Any) -> Sequence[Any]:  # noqa: ANN401 - lxml has no types
    """Find teasers of other pages: `TEASER_DISCARD_XPATH`."""
    return [found for found in tree.iterdescendants(*_HOLDING) if _is_named(found, _teaser)]


def captions(tree: Any) -> Sequence[Any]:  # noqa: ANN401 - lxml has no types
    """Find captions of pictures: `DISCARD_IMAGE_ELEMENTS`."""
    return [found for found in tree.iterdescendants(*_HOLDING) if _is_named(found, _caption)]


def boilerplate(tree: Any) -> Sequence[Any]:  # noqa: ANN401 - lxml has no types
    """Find the outermost elements that both expressions of `OVERALL_DISCARD_XPATH` find."""
    found: list[Any] = []
    last = None
    for element in _NAMED(tree):
        if not _is_boilerplate(element):
            continue
        if last is None or not any(above is last for above in element.iterancestors()):
            found.append(element)
            last = element
    return found


def _first(may: Any, is_one: Callable[[Any], bool]) -> Path:  # noqa: ANN401 - lxml has no types
    def first(tree: Any) -> Sequence[Any]:  # noqa: ANN401 - lxml has no types
        return [*_until_one(iter(may(tree)), is_one)]

    return first


def _until_one(elements: Iterator[Any], is_one: Callable[[Any], bool]) -> Iterator[Any]:
    for element in elements:
        if is_one(element):
            yield element
            return


def _matcher(pattern: str, flags: int = 0) -> Callable[[str], bool]:
    """Return a remembering search for a pattern."""
    compiled = re.compile(pattern, flags)

    @lru_cache(maxsize=4_096)
    def known(text: str) -> bool:
        return compiled.search(text) is not None

    return lambda text: bool(text) and (known(text) if len(text) <= _LONGEST else compiled.search(text) is not None)


def _any_of(*names: str) -> str:
    return cast(str, _PATHS._alt(tuple(token for name in names for token in getattr(_PATHS, name))))


_SECTIONS: Final = "self::article or self::div or self::main or self::section"
_NAMED: Final = _ETREE.XPath(
    ".//*[@id or @class or @style or @aria-hidden or @role or @data-lp-replacement-content or @data-component]"
)
_MAY_BE_BODY: Final = _ETREE.XPath(f".//*[{_SECTIONS}][@id or @class or @itemprop]")
_MAY_BE_STORY: Final = _ETREE.XPath(f".//*[{_SECTIONS}][@id or @class or @role]")
_MAY_BE_CONTENT: Final = _ETREE.XPath(f".//*[{_SECTIONS}][@id or @class]")

_LISTS: Final = frozenset({"ol", "ul"})
_COMMENTING: Final = ("div", "list", "section", "details", "ol", "ul")
_HOLDING: Final = frozenset({"div", "item", "list", "p", "section", "span"})
_may_append = _matcher("mvp-post-add-|infinite|elementor-share-buttons")
_teaser = _matcher("[Tt]easer")
_caption = _matcher("caption")
_comment_id = _matcher(f"^(?:{_PATHS._COMMENTS_ID}|disqus_thread|dsq-comments)")
_comment_list_id = _matcher(f"^(?:{_PATHS._COMMENTS_ID})")
_comment_class = _matcher(cast(str, _PATHS._COMMENTS_CLASS))


def _is_named(element: Any, is_one: Callable[[str], bool]) -> bool:  # noqa: ANN401 - lxml has no types
    get = element.get
    return is_one(get("class", "")) or is_one(get("id", ""))


def _is_comment(element: Any) -> bool:  # noqa: ANN401 - lxml has no types
    of_id = _comment_list_id if element.tag in _LISTS else _comment_id
    return of_id(element.get("id", "")) or _comment_class(element.get("class", ""))


_cookie = _matcher(_any_of("_CONSENT_ID_CLASS_TOKENS"))
_boilerplate_id = _matcher(_any_of("_OVERALL_DISCARD_BOTH_TOKENS", "_OVERALL_DISCARD_ID_TOKENS"))
_boilerplate_class = _matcher(_any_of("_OVERALL_DISCARD_BOTH_TOKENS", "_OVERALL_DISCARD_CLASS_TOKENS"))
_reader_id = _matcher("reader-comments|akismet")
_hiding_class = _matcher(
    "^hide-|comments-title|nocomments|-reply-|message|akismet|suggest-links|-hide-|hide-print| hidden| hide|noprint"
    "|notloaded"
)


def _is_boilerplate(element: Any) -> bool:  # noqa: ANN401 - lxml has no types
    get = element.get
    named, classes, style = get("id", ""), get("class", ""), get("style", "")
    if _hiding_class(classes) or get("aria-hidden") == "true" or _reader_id(named):
        return True
    if style and ("display:none" in style or "display: none" in style):
        return True
    if (style or named) and "hidden" in _earlier(element, "id", "style"):
        return True
    if (named or classes) and _earlier(element, "id", "class").startswith("reply-"):
        return True
    if element.tag not in _HOLDING:
        return False
    return (
        _boilerplate_class(classes)
        or _boilerplate_id(named)
        or ("cookie" in named + classes and _cookie(_earlier(element, "id", "class")))
        or "nav" in get("role", "").replace("N", "n")
        or get("data-lp-replacement-content") is not None
        or "MostPopularStories" in get("data-component", "")
    )


def _earlier(element: Any, *names: str) -> str:  # noqa: ANN401 - lxml has no types
    """Return the attribute that stands first in the source: XPath's text of a set of attributes."""
    return next((element.get(key) for key in element.keys() if key in names), "")  # noqa: SIM118 - no mapping


_body_id = _matcher(_any_of("_ARTICLE_CONTENT_ID_TOKENS"))
_body_class = _matcher(_any_of("_ARTICLE_CONTENT_CLASS_TOKENS"))
_story_id = _matcher(_any_of("_STORY_ID_TOKENS"))
_story_class = _matcher(_any_of("_STORY_CLASS_TOKENS"))
_full_text = _matcher("fulltext", re.IGNORECASE)
_content_id = _matcher(_any_of("_MAIN_CONTENT_ID_TOKENS"))
_content_class = _matcher(_any_of("_MAIN_CONTENT_CLASS_TOKENS"))


def _is_body(element: Any) -> bool:  # noqa: ANN401 - lxml has no types
    named, classes = element.get("id", ""), element.get("class", "")
    return (
        _body_class(classes)
        or classes in {"post", "entry"}
        or _body_id(named)
        or named == "articleContent"
        or element.get("itemprop") == "articleBody"
    )


def _is_story(element: Any) -> bool:  # noqa: ANN401 - lxml has no types
    named, classes = element.get("id", ""), element.get("class", "")
    return (
        _story_class(classes)
        or classes in {"postarea", "art-postcontent", "text", "cell", "story"}
        or _full_text(classes)
        or _story_id(named)
        or named in {"article", "story"}
        or element.get("role") == "article"
    )


def _is_content(element: Any) -> bool:  # noqa: ANN401 - lxml has no types
    named, classes = element.get("id", ""), element.get("class", "")
    small = classes.replace("C", "c").replace("M", "m")
    return (
        _content_class(classes)
        or "content" in {named, classes}
        or _content_id(named)
        or "main-content" in small
        or "main-content" in named.replace("C", "c").replace("M", "m")
        or "page-content" in classes.replace("C", "c").replace("P", "p")
    )


BODIES: Final[Sequence[Path]] = (
    _first(_MAY_BE_BODY, _is_body),
    cast(Path, _PATHS.BODY_XPATH[1]),
    _first(_MAY_BE_STORY, _is_story),
    _first(_MAY_BE_CONTENT, _is_content),
)
"""Find the first element of `BODY_XPATH`'s first four expressions."""
