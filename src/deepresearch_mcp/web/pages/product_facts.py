"""Reads what a shop's page says of its product in JSON-LD or in its meta tags."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import Any, cast

from deepresearch_mcp.web.pages.block_features import PRODUCTS
from deepresearch_mcp.web.pages.facts import words_of

_AMOUNT = re.compile(r"\d{1,9}(?:[.,]\d{1,3}){0,3}")
_CURRENCY = re.compile(r"[A-Z]{3}")
_AVAILABILITY = {
    "instock": "in stock",
    "instoreonly": "in stores only",
    "onlineonly": "online only",
    "limitedavailability": "limited availability",
    "outofstock": "out of stock",
    "soldout": "sold out",
    "preorder": "for pre-order",
    "presale": "for pre-order",
    "backorder": "on back-order",
    "discontinued": "discontinued",
}
"""schema.org's ItemAvailability, in lower case without its address → our words."""
_LONGEST_NAME, _LONGEST_BRAND = 150, 60
"""Characters. A longer text is a description, or an attempt to speak to machines."""
_LONGEST_DESCRIPTION = 50_000
_ENDS = re.compile(r"<(?:br|/p|/li|/div|/h[1-6])\b[^<>]{0,40}>", re.IGNORECASE)
"""Tags behind which a line ends."""
_MOST = 40
"""Objects of a list that are looked at."""


@dataclass(frozen=True, slots=True)
class Product:
    """A product as its page describes it to machines; fields that it does not give are empty."""

    name: str
    brand: str = ""
    price: str = ""
    """With the currency: `19.99 USD`, or `19.99–24.99 USD` for several offers."""
    availability: str = ""
    rating: str = ""
    """`4.5 of 5 (123 ratings)`."""
    description: str = ""
    """Plain text, in lines."""

    def line(self, text: str) -> str:
        """Return in one line, behind the name, the facts that the page's text does not hold; empty if there are none.

        Whether the product can be had is told only beside the price: pages say it in many words.
        """
        below = f"{self.name}\n{text}".casefold()
        has_price = all(_value(one) in below for one in self.price.partition(" ")[0].split("–"))
        facts = (
            f"brand {self.brand}" if self.brand and self.brand.casefold() not in below else "",
            *((f"price {self.price}", self.availability) if not has_price else ()),
            f"rated {self.rating}" if self.rating and self.rating.partition(" ")[0] not in below else "",
        )
        told = "; ".join(filter(None, facts))
        return f"{self.name}: {told}." if told else ""


def product_of(named: Mapping[str, str], things: Sequence[Mapping[str, Any]]) -> Product | None:
    """Return the one product that a page is about; None if it is about none, or about several."""
    products = [thing for thing in things if _types(thing) & PRODUCTS - {"offer"}]
    names = list(dict.fromkeys(words_of([dict(thing) for thing in products], "name")))
    if len(names) > 1 or (products and not names):
        return None
    nothing: Mapping[str, Any] = {}
    thing = next((one for one in products if one.get("name")), nothing)
    name = names[0] if names else named.get("og:title", "")
    price = _price(thing) or _amount(
        named.get("product:price:amount", named.get("og:price:amount", "")),
        named.get("product:price:currency", named.get("og:price:currency", "")),
    )
    name = " ".join(re.sub(r"<[^<>]{0,40}>", "", unescape(name)).split())
    if not name or len(name) > _LONGEST_NAME or not (products or price):
        return None
    brand = next(words_of([dict(thing)], "brand"), "")
    return Product(
        name=name,
        brand=brand if len(brand) <= _LONGEST_BRAND else "",
        price=price,
        availability=_availability(thing),
        rating=_rating(thing.get("aggregateRating")),
        description=max((_plain(str(one.get("description") or "")) for one in products), key=len, default=""),
    )


def _plain(text: str) -> str:
    """Return the words of HTML, of which shops escape some twice."""
    text = _ENDS.sub("\n", unescape(unescape(text[:_LONGEST_DESCRIPTION])))
    lines = (" ".join(line.split()) for line in re.sub(r"<[^<>]{0,300}>", "", text).splitlines())
    return "\n".join(filter(None, lines))


def _types(thing: Mapping[str, Any]) -> set[str]:
    return {str(one).rpartition("/")[2].lower() for one in _list(thing.get("@type"))}


def _offers(thing: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the offers of a product, and the price specifications within them."""
    for offer in _objects(thing.get("offers")):
        yield offer
        yield from _objects(offer.get("priceSpecification"))
        yield from _objects(offer.get("offers"))


def _price(thing: Mapping[str, Any]) -> str:
    found: dict[str, tuple[float, str]] = {}
    currency = ""
    for offer in _offers(thing):
        currency = currency or str(offer.get("priceCurrency") or "").strip().upper()
        for key in ("price", "lowPrice", "highPrice"):
            text = str(offer.get(key) or "").strip()
            if _AMOUNT.fullmatch(text):
                found.setdefault(text, (_number(text), text))
    ranked = sorted(found.values())
    if not ranked:
        return ""
    low, high = ranked[0], ranked[-1]
    return _amount(low[1], currency) if low[0] == high[0] else _amount(f"{low[1]}–{high[1]}", currency)


def _amount(text: str, currency: str) -> str:
    """Return an amount, or two, with its currency; empty if it is no amount."""
    if not all(_AMOUNT.fullmatch(one) for one in text.strip().split("–")):
        return ""
    known = currency.strip().upper()
    return f"{text.strip()} {known}" if _CURRENCY.fullmatch(known) else text.strip()


def _value(amount: str) -> str:
    """Return an amount as a page may write it: without zeros behind the point."""
    return re.sub(r"[.,]0{1,2}\Z", "", amount)


def _number(text: str) -> float:
    """Return the value of an amount, of whose separators the last is the point, but a comma before three digits."""
    text = re.sub(r",(?=\d{3}(?!\d))", "", text)
    whole, point, part = text.replace(",", ".").rpartition(".")
    return float(f"{whole.replace('.', '')}.{part}" if point else part)


def _availability(thing: Mapping[str, Any]) -> str:
    """Return whether the product can be had; empty if its offers disagree or do not say."""
    told = {
        _AVAILABILITY.get(str(offer["availability"]).rpartition("/")[2].strip().lower(), "")
        for offer in _offers(thing)
        if offer.get("availability")
    }
    return told.pop() if len(told) == 1 else ""


def _rating(value: object) -> str:
    for thing in _objects(value):
        given = str(thing.get("ratingValue") or "").strip()
        best = str(thing.get("bestRating") or "5").strip()
        count = str(thing.get("ratingCount") or thing.get("reviewCount") or "").strip()
        if _AMOUNT.fullmatch(given) and _AMOUNT.fullmatch(best):
            return f"{given} of {best}" + (f" ({count} ratings)" if count.isdecimal() and len(count) < 10 else "")
    return ""


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    for one in islice(_list(value), _MOST):
        if isinstance(one, dict):
            yield cast("Mapping[str, Any]", one)


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else [value]
