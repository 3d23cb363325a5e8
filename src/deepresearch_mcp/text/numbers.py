"""Reads the numbers of a text in canonical form, together with its dates."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from deepresearch_mcp.text.dates import found_dates, months_named
from deepresearch_mcp.text.normalise import normalise
from deepresearch_mcp.text.number_words import ending, in_digits


def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text in canonical form.

    "1,000", "1 000" and "a thousand" become `1000`; "2.3 per cent" `2.3%`; "2 percentage points" `2 pp`; "$5 million"
    `5000000 usd`; "third" and "3rd" `3rd`. Years count as numbers; the parts of fuller dates do not. Other units are
    left out; `read_details` keeps them.
    """
    return frozenset(found.canonical() for found in read_details(text, one=True).numbers)


_SCALES = {
    "thousand": 3, "tausend": 3, "million": 6, "millions": 6, "millionen": 6, "millones": 6, "mio": 6, "mn": 6,
    "mln": 6,
    "billion": 9, "billions": 9, "bn": 9, "milliard": 9, "milliards": 9, "milliarde": 9, "milliarden": 9, "mrd": 9,
    "trillion": 12, "trillions": 12, "tn": 12, "hundred": 2, "dozen": 0,
}  # fmt: skip
_LETTERS = {"k": 3, "m": 6, "b": 9, "t": 12}
_CURRENCIES = {
    "$": "usd", "us$": "usd", "dollar": "usd", "dollars": "usd", "€": "eur", "euro": "eur", "euros": "eur", "£": "gbp",
    "pound": "gbp", "pounds": "gbp", "¥": "jpy", "yen": "jpy", "₹": "inr", "rupees": "inr", "a$": "aud", "c$": "cad",
    "chf": "chf", "francs": "chf", "yuan": "cny", "cny": "cny", "usd": "usd", "eur": "eur", "gbp": "gbp", "jpy": "jpy",
    "inr": "inr", "aud": "aud", "cad": "cad",
}  # fmt: skip
_UNIT_NAMES = (
    "km kilometre kilometres kilometer kilometers", "mi mile miles", "m metre metres meter meters", "cm centimetres",
    "mm millimetres", "ft foot feet", "in inch inches", "kg kilogram kilograms kilos", "g gram grams",
    "mg milligrams", "t tonne tonnes tons ton", "lb lbs", "°c celsius", "°f fahrenheit",
    "h hour hours stunden heures horas", "min minute minutes minuten", "s seconds sec", "ms milliseconds",
    "day days tage jours días", "week weeks wochen", "month months monate mois meses", "year years jahre ans años",
    "w watts", "kw kilowatts", "mw megawatts", "gw gigawatts", "kwh", "mwh", "gwh", "twh", "hz", "khz", "mhz", "ghz",
    "kb kilobytes kilobyte", "mb megabytes megabyte", "gb gigabytes gigabyte", "tb terabytes terabyte",
    "mph", "km/h kph", "l litre litres liters", "ml",
    "ha hectares hectare", "acres acre",
)  # fmt: skip
UNITS = {name: names.split()[0] for names in _UNIT_NAMES for name in names.split()}
_PERCENT = r"%|per\s?cent|pct|prozent|pour cent|por ciento"


def _any(found: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(found, key=len, reverse=True))


_NUMBER = re.compile(
    rf"(?P<pre>(?:us|a|c)\$|[$€£¥₹]|\b(?:usd|eur|gbp|jpy|chf|inr|cny|aud|cad)(?=[\s\d]))?\s?"
    rf"(?P<sign>(?<![\w)\]]-)(?<![\w)\]])-)?"
    rf"(?:(?<![\w.,])|(?<=\bv))(?P<digits>\d{{1,3}}(?:[, ']\d{{3}})+(?![\d])(?:\.\d+)?|\d+(?:[.,]\d+)*)"
    rf"(?:(?P<ordinal>st|nd|rd|th)\b|(?P<letter>[kmbt])(?!\w))?"
    rf"(?:[\s-](?P<scale>{_any(_SCALES)})\b\.?|(?P<glued>bn|mn|tn|mln)\b)?"
    rf"(?:[\s-]?(?P<points>(?:percentage|basis)[\s-]points?\b|pp\b)|\s?(?P<percent>{_PERCENT})"
    rf"|[\s-]?(?P<currency>{_any({k: v for k, v in _CURRENCIES.items() if len(k) > 2 or not k.isascii()})})(?!\w)"
    rf"|[\s-]?(?P<unit>{_any(UNITS)})(?![\w/]))?"
)


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a text with its possible readings."""

    values: tuple[str, ...]
    """All readings, the likeliest first: 1.000 may be one or a thousand."""
    kind: str
    """The suffix in the canonical form, such as "%", " usd" or "rd"."""
    unit: str

    def canonical(self) -> str:
        """Return the likeliest reading with its suffix."""
        return self.values[0] + self.kind


def _plain(value: Decimal | str) -> str:
    """Write a value without trailing zeros only if it is whole: 5.0 is 5, but 3.10 may be a version and stays."""
    text = value if isinstance(value, str) else format(value, "f")
    whole, _, fraction = text.partition(".")
    return text if fraction.strip("0") else whole


@dataclass(frozen=True, slots=True)
class Details:
    """The numbers and dates of a text."""

    numbers: tuple[Number, ...]
    dates: tuple[tuple[str, ...], ...]
    """All readings of each date."""
    months: frozenset[int]


@lru_cache(maxsize=256)  # every sentence and cell of a report is held against the same few long texts
def read_details(text: str, *, one: bool) -> Details:
    """Read the numbers and dates of a text; `one=False` ignores the word "one", which is mostly a pronoun."""
    flat = normalise(text).text
    dated = found_dates(flat)
    readings = tuple(found for found, _, _ in dated)
    return Details(tuple(_found(flat, dated, one=one)), readings, months_named(flat, readings))


_ACCOUNTED = re.compile(
    rf"(?P<sign>[$€£¥]\s?)\((?P<a>\d[\d.,]*)\)|\((?P<b>\d[\d.,]*)\)(?=\s?(?:{_PERCENT}|(?:thousand|million|billion|trillion)\b))"
)
"""A loss as accounts write it: "$(10.4) billion"."""


def _found(flat: str, dated: list[tuple[tuple[str, ...], int, int]], *, one: bool) -> list[Number]:
    """Find the numbers of a normalised text outside its dates."""
    kept: list[str] = []
    at = 0
    for _, start, end in dated:
        if start >= at and not flat[start:end].isdigit():
            kept += [flat[at:start], " ; "]
            at = end
    text = _ACCOUNTED.sub(lambda found: f"{found['sign'] or ''}{found['a'] or found['b']}", "".join([*kept, flat[at:]]))
    text = in_digits(text, one=one)
    return [_number(match) for match in _NUMBER.finditer(text)]


def _number(match: re.Match[str]) -> Number:
    digits = match.group("digits")
    values = _values(digits)
    letter, pre = match.group("letter"), match.group("pre")
    unit = UNITS.get(match.group("unit") or "", "")
    if scale := match.group("scale") or match.group("glued"):
        values = tuple(value * 10 ** _SCALES[scale] * (12 if scale == "dozen" else 1) for value in values)
    elif letter:
        scaled = tuple(value * 10 ** _LETTERS[letter] for value in values)
        # After a currency sign, 5m is five million; otherwise it may be five metres, and 5k may be a race.
        values = scaled if pre else (*values, *scaled) if letter in "mt" else (*scaled, *values)
    if match.group("sign"):
        values = tuple(-value for value in values)
    currency = pre or match.group("currency")
    kind = (match.group("ordinal") and ending(int(values[0]))) or ""
    if points := match.group("points"):
        kind = " bp" if points.startswith("basis") else " pp"
    elif match.group("percent"):
        kind = "%"
    elif currency:
        kind = f" {_CURRENCIES[currency]}"
    written = (digits,) if digits.count(".") > 1 and len(values) > 1 else tuple(map(_plain, values))
    return Number(written, kind, unit)


def _values(digits: str) -> tuple[Decimal, ...]:
    if re.fullmatch(r"\d{1,3}(?:[, ']\d{3})+(?:\.\d+)?", digits):
        whole = Decimal(re.sub(r"[, ']", "", digits))
        # A space may separate thousands, or two numbers.
        return (whole, *(Decimal(re.sub(r"[,']", "", part)) for part in digits.split())) if " " in digits else (whole,)
    if re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", digits):
        return Decimal(digits), Decimal(digits.replace(".", ""))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:\.\d{3})+,\d+", digits):
        return (Decimal(digits.replace(".", "").replace(",", ".")),)
    if re.fullmatch(r"\d+,\d+", digits):
        return (Decimal(digits.replace(",", ".")),)
    if re.fullmatch(r"\d+(?:\.\d+)?", digits):
        return (Decimal(digits),)
    # 3.2.1 and 1,2,3 are not single numbers.
    return tuple(Decimal(part) for part in re.split(r"[.,]", digits))
