"""Renders the JSON of statistical services as tables: XBRL facts of the SEC, World Bank indicators, FRED series."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple, cast

_MONTH: Final = 365.25 / 12
"""Days."""
_SPANS: Final = {
    12: ("Year", "Annual figures: fiscal years"),
    3: ("Three months", "Quarterly figures: three months"),
    6: ("Six months", "Figures of six months"),
    9: ("Nine months", "Figures of nine months"),
}
"""Months that reports cover → how a row and a heading tell them, in the order in which their tables are shown.

In the words of reports and of questions, because passages are chosen by words."""

_QUARTERS: Final = {"Q1": "first", "Q2": "second", "Q3": "third", "Q4": "fourth"}
_FILED_WITHIN: Final = range(121)
"""Days after a period in which its own report is filed. A fact's fiscal year is that of the report which holds it."""
_LONGEST, _LONGEST_UNIT = 2_000, 60
"""Most characters of a text in a cell, and of a unit, which every row repeats."""


class Series(NamedTuple):
    """A series as a page."""

    title: str
    text: str
    """Markdown: a heading, and tables with one figure a row."""
    published: str
    """ISO date of the last figure's filing or update; "" if unknown."""


def data_series(value: object) -> Series | None:
    """Return the tables of a decoded JSON answer that is known; None for any other JSON.

    Each row tells its period and unit, so that it can be quoted alone: a column of bare figures would not say whether
    one is of three or of twelve months.
    """
    match value:
        case {"tag": str(), "units": dict()}:
            return _xbrl(cast("Mapping[str, object]", value))
        case [{"page": int(), "total": int()}, list()]:
            meta, rows = cast("tuple[Mapping[str, object], list[object]]", value)
            return _world_bank(meta, rows)
        case {"observation_start": str(), "observations": list()}:
            return _fred(cast("Mapping[str, object]", value))
        case _:
            return None


class _Fact(NamedTuple):
    months: int
    """0: a figure at a date."""
    end: str
    row: str
    filed: str


def _xbrl(concept: Mapping[str, object]) -> Series | None:
    facts = list(_facts(cast("Mapping[str, object]", concept["units"])))
    if not facts:
        return None
    label = _cell(concept.get("label")) or _cell(concept["tag"])
    title = f"{label}, {_cell(concept.get('entityName'))}"
    parts = [f"# {title}", _cell(concept.get("description")), "As filed with the SEC, newest first."]
    by_span: dict[int, list[_Fact]] = {months: [] for months in _SPANS}
    for fact in sorted(facts, key=lambda fact: (fact.end, fact.months), reverse=True):
        by_span.setdefault(fact.months, []).append(fact)
    for months, of_span in by_span.items():
        if of_span:
            parts.append(f"## {_span(months)[1]}")
            parts.append(_table(("Period", label, "Form", "Filed"), (fact.row for fact in of_span)))
    return Series(title, _joined(parts), _day(max(fact.filed for fact in facts)))


def _facts(units: Mapping[str, object]) -> Iterable[_Fact]:
    """Yield each figure once, as it was first filed: later reports repeat those of earlier periods."""
    for unit, values in units.items():
        first: dict[tuple[str, str, str], _Fact] = {}
        told = _cell(unit)[:_LONGEST_UNIT]
        for value in _objects(values):
            start, end, figure = _cell(value.get("start")), _day(_cell(value.get("end"))), _figure(value.get("val"))
            if not end or not figure:
                continue
            months = _months(start, end)
            filed = _cell(value.get("filed"))
            period = f"{_span(months)[0]} {'ended ' if months else ''}{end}{_fiscal(value, months, end, filed)}"
            row = f"| {period} | {figure} {told} | {_cell(value.get('form'))} | {filed} |"
            known = first.get((start, end, figure))
            if known is None or filed < known.filed:
                first[start, end, figure] = _Fact(months, end, row, filed)
        yield from first.values()


def _fiscal(fact: Mapping[str, object], months: int, end: str, filed: str) -> str:
    """Return the fiscal year or quarter of a figure in words; "" where the fact tells only that of a later report."""
    year, part = fact.get("fy"), fact.get("fp")
    quarter = _QUARTERS.get(part) if isinstance(part, str) else None
    if not isinstance(year, int) or _days(end, filed) not in _FILED_WITHIN:
        return ""
    if months == 12 and part == "FY":
        return f" (fiscal year {year})"
    return f" ({quarter} quarter of fiscal {year})" if months == 3 and quarter else ""


def _span(months: int) -> tuple[str, str]:
    """Return how a row and a heading tell a span."""
    if not months:
        return "At", "At the end of a period"
    return _SPANS.get(months) or (f"{months} months", f"Figures of {months} months")


def _world_bank(meta: Mapping[str, object], rows: Sequence[object]) -> Series | None:
    names: dict[str, None] = {}
    countries: dict[str, None] = {}
    found: list[str] = []
    for row in _objects(rows):
        indicator, country = row.get("indicator"), row.get("country")
        figure = _figure(row.get("value"))
        if not isinstance(indicator, dict) or not isinstance(country, dict) or not figure:
            continue
        name = _cell(cast("Mapping[str, object]", indicator).get("value"))
        where = _cell(cast("Mapping[str, object]", country).get("value"))
        names[name] = countries[where] = None
        found.append(f"| {where} | {_cell(row.get('date'))} | {figure} |")
    if not found:
        return None
    title = ", ".join(names)[:300]
    of = f", {next(iter(countries))}" if len(countries) == 1 else ""
    updated = _day(_cell(meta.get("lastupdated")))
    told = f"World Bank, last updated {updated}." if updated else "World Bank."
    table = _table(("Country", "Year", title), found)
    return Series(f"{title}{of}", _joined([f"# {title}{of}", told, table]), updated)


def _fred(answer: Mapping[str, object]) -> Series | None:
    units = _cell(answer.get("units"))
    rows = [
        f"| {_cell(row.get('date'))} | {_cell(row.get('value'))} |"
        for row in _objects(answer["observations"])
        # A missing value is a full stop.
        if _cell(row.get("value")) not in {"", "."}
    ]
    if not rows:
        return None
    title = "Observations of a FRED series"
    # `lin` says that the figures are as published; the series' page tells their unit.
    head = ("Date", f"Value ({units})" if units not in {"", "lin"} else "Value")
    return Series(title, _joined([f"# {title}", _table(head, reversed(rows))]), "")


def _table(head: Sequence[str], rows: Iterable[str]) -> str:
    return "\n".join((f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *rows))


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _objects(values: object) -> Iterable[Mapping[str, object]]:
    if isinstance(values, list):
        for value in cast("list[object]", values):
            if isinstance(value, dict):
                yield cast("Mapping[str, object]", value)


def _cell(value: object) -> str:
    """Return a string on one line, without the sign that ends a cell; "" for anything but a string."""
    return " ".join(value[:_LONGEST].split()).replace("|", "\\|") if isinstance(value, str) else ""


def _figure(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.15g}"


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return ""


def _months(start: str, end: str) -> int:
    """Return the months of a period, rounded: fiscal years have 52 or 53 weeks. 0 for a date."""
    days = _days(start, end)
    return max(1, round(days / _MONTH)) if days is not None else 0


def _days(start: str, end: str) -> int | None:
    try:
        return (date.fromisoformat(end) - date.fromisoformat(start)).days
    except ValueError:
        return None
