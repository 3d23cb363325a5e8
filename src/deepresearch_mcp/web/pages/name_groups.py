"""Groups of the words that sites use in classes and ids, as bits."""

import re
from functools import lru_cache
from typing import Final

from deepresearch_mcp.text.stopwords import word_set

GROUPS: Final = {
    "navigation": "nav navbar navigation menu menus submenu breadcrumb breadcrumbs crumb crumbs toc topnav sitemap",
    "foot": "footer foot colophon copyright legal bottom imprint disclaimer",
    "head": "header masthead topbar banner branding logo",
    "side": "sidebar side aside widget widgets rail secondary right left sticky",
    "comments": "comment comments reply replies respond disqus discussion commentlist",
    "share": "share sharing social follow facebook twitter sharedaddy addtoany addthis",
    "related": "related recommended recommend recommendations more similar also popular trending latest recent"
    " next prev upsell crosssell suggestions featured readmore",
    "promo": "ad ads advert advertisement promo promotion sponsor sponsored newsletter subscribe subscription signup"
    " optin marketing offer campaign dfp",
    "dialog": "cookie cookies consent gdpr modal popup overlay dialog lightbox tooltip toast alert notice drawer",
    "content": "content article articlebody post entry story body main text maincontent richtext rte wysiwyg copy prose"
    " markdown primary page",
    "product": "product products price pricing sku description spec specs specification specifications detail details"
    " attribute attributes feature features summary",
    "reviews": "review reviews rating ratings testimonial testimonials stars feedback",
    "forum": "thread topic message messages posts postbody forum question answer answers conversation quote bbcode",
    "items": "list grid card cards item items tile tiles result results listing listings row teaser collection gallery",
    "meta": "author byline meta date time timestamp tag tags category categories cat posted published info credit bio",
    "caption": "caption image img photo figure media picture thumbnail thumb icon video",
    "search": "search filter filters sort facet facets refine form input field login select options",
    "button": "button btn cta action actions link links toolbar buy cart checkout add wishlist",
    "panel": "tab tabs accordion faq collapse toggle panel section block module component container",
    "hero": "hero title headline subtitle heading intro lead lede standfirst tagline dek",
    "pages": "pagination pager paging page-numbers loadmore",
    "table": "table cell thead tbody col column columns",
    "code": "code highlight pre snippet codeblock syntax api doc docs documentation",
    "user": "user avatar profile member username poster signature stats rank",
    "unseen": "hidden hide sr screen visually skip print mobile none collapsed offscreen",
}
"""A bit each, in this order. The scores depend on it: train them again after a change."""

_BITS = {word: 1 << at for at, words in enumerate(GROUPS.values()) for word in words.split()}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LONGEST = 300
"""Characters of a class attribute that are read."""


_PHRASE = 5
"""Words of an id from which it is a heading's, made into an anchor: `new-features-related-to-type-hints`."""
_SMALL = word_set("a an the of to in on for and or with from by what how why when is are s")


def named_by(own_id: str) -> str:
    """Return an id, or "" for an anchor made of a heading's words, which name the matter and not a part of a page."""
    words = own_id.lower().replace("_", "-").split("-")
    is_phrase = len(words) >= _PHRASE or (len(words) > 2 and not _SMALL.isdisjoint(words))
    return "" if is_phrase else own_id


@lru_cache(maxsize=4_096)
def groups_of(names: str) -> int:
    """Return the groups of the words in a class or id, as bits: of "postBody", those of "post" and of "body"."""
    found = 0
    for name in names[:_LONGEST].split():
        whole = name.lower()
        found |= _BITS.get(whole, 0)
        for word in _WORD.findall(name):
            found |= _BITS.get(word.lower(), 0)
    return found
