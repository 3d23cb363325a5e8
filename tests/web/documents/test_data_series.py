from typing import Any

import pytest

from deepresearch_mcp.web.documents.data_series import data_series

REVENUE: dict[str, Any] = {
    "cik": 320193,
    "taxonomy": "us-gaap",
    "tag": "Revenues",
    "label": "Revenues",
    "description": "Amount of revenue\nrecognized | from goods.",
    "entityName": "Apple Inc.",
    "units": {
        "USD": [
            {"start": "2022-09-25", "end": "2023-09-30", "val": 383285000000, "form": "10-K", "filed": "2023-11-03"},
            {"start": "2022-09-25", "end": "2023-09-30", "val": 383285000000, "form": "10-K", "filed": "2024-11-01"},
            {"start": "2022-12-31", "end": "2023-04-01", "val": 94836000000, "form": "10-Q", "filed": "2023-05-05"},
            {"start": "2022-09-25", "end": "2023-04-01", "val": 211990000000, "form": "10-Q", "filed": "2023-05-05"},
            {"start": "2021-09-26", "end": "2022-09-24", "val": 394328000000, "form": "10-K", "filed": "2022-10-28"},
            {"end": "not a day", "val": 1},
            {"end": "2020-01-01"},
            "junk",
        ]
    },
}
GDP = [
    {"page": 1, "pages": 1, "per_page": 1000, "total": 3, "sourceid": "2", "lastupdated": "2026-10-07"},
    [
        {
            "indicator": {"id": "NY.GDP.MKTP.CD", "value": "GDP (current US$)"},
            "country": {"id": "DE", "value": "Germany"},
            "countryiso3code": "DEU",
            "date": date,
            "value": value,
        }
        for date, value in (("2025", None), ("2024", 4659929334991.36), ("2023", 4525703903627))
    ],
]
RATE = {
    "realtime_start": "2026-11-20",
    "observation_start": "1776-07-04",
    "units": "lin",
    "count": 3,
    "observations": [
        {"realtime_start": "2026-11-20", "date": "2026-08-01", "value": "4.3"},
        {"realtime_start": "2026-11-20", "date": "2026-09-01", "value": "."},
        {"realtime_start": "2026-11-20", "date": "2026-10-01", "value": "4.4"},
    ],
}


def shown(value: Any) -> tuple[str, str, str]:
    series = data_series(value)
    assert series is not None
    return series


def test_facts_of_a_company_are_told_by_period_each_once_as_first_filed() -> None:
    title, text, published = shown(REVENUE)

    assert (title, published) == ("Revenues, Apple Inc.", "2023-11-03")
    assert text == (
        "# Revenues, Apple Inc.\n\nAmount of revenue recognized \\| from goods.\n\nAs filed with the SEC, newest first."
        "\n\n## Annual figures: fiscal years\n\n| Period | Revenues | Form | Filed |\n| --- | --- | --- | --- |\n"
        "| Year ended 2023-09-30 | 383,285,000,000 USD | 10-K | 2023-11-03 |\n"
        "| Year ended 2022-09-24 | 394,328,000,000 USD | 10-K | 2022-10-28 |"
        "\n\n## Quarterly figures: three months\n\n| Period | Revenues | Form | Filed |\n| --- | --- | --- | --- |\n"
        "| Three months ended 2023-04-01 | 94,836,000,000 USD | 10-Q | 2023-05-05 |"
        "\n\n## Figures of six months\n\n| Period | Revenues | Form | Filed |\n| --- | --- | --- | --- |\n"
        "| Six months ended 2023-04-01 | 211,990,000,000 USD | 10-Q | 2023-05-05 |"
    )


def test_a_figure_at_a_date_has_no_months() -> None:
    facts = [{"end": "2023-09-30", "val": 352583000000, "form": "10-K", "filed": "2023-11-03"}]
    _, text, _ = shown(REVENUE | {"units": {"USD": facts}})

    assert "## At the end of a period" in text
    assert "| At 2023-09-30 | 352,583,000,000 USD | 10-K | 2023-11-03 |" in text


@pytest.mark.parametrize(
    ("start", "filed", "fp", "told"),
    [
        ("2022-10-01", "2023-11-03", "FY", "Year ended 2023-09-30 (fiscal year 2023)"),
        ("2023-07-01", "2023-11-03", "Q4", "Three months ended 2023-09-30 (fourth quarter of fiscal 2023)"),
        # As a later report repeats it, whose fiscal year is another.
        ("2022-10-01", "2024-11-01", "FY", "Year ended 2023-09-30"),
        ("2023-01-01", "2023-11-03", "Q3", "Nine months ended 2023-09-30"),
        ("2023-06-01", "2023-11-03", "Q3", "4 months ended 2023-09-30"),
        ("", "2023-11-03", "FY", "At 2023-09-30"),
    ],
)
def test_a_figure_tells_its_fiscal_period_where_its_own_report_does(start: str, filed: str, fp: str, told: str) -> None:
    fact = {"start": start, "end": "2023-09-30", "val": 5, "fy": 2023, "fp": fp, "form": "10-K", "filed": filed}
    _, text, _ = shown(REVENUE | {"units": {"USD": [fact]}})

    assert text.endswith(f"| {told} | 5 USD | 10-K | {filed} |")


def test_a_restated_figure_stands_beside_the_first() -> None:
    first = REVENUE["units"]["USD"][0]
    _, text, _ = shown(REVENUE | {"units": {"USD": [first, first | {"val": 1.25, "filed": "2024-11-01"}]}})

    assert "383,285,000,000 USD" in text
    assert "1.25 USD" in text


def test_an_indicator_of_a_country_is_told_by_year_without_empty_years() -> None:
    title, text, published = shown(GDP)

    assert (title, published) == ("GDP (current US$), Germany", "2026-10-07")
    assert text == (
        "# GDP (current US$), Germany\n\nWorld Bank, last updated 2026-10-07.\n\n"
        "| Country | Year | GDP (current US$) |\n| --- | --- | --- |\n"
        "| Germany | 2024 | 4,659,929,334,991.36 |\n| Germany | 2023 | 4,525,703,903,627 |"
    )


def test_observations_are_told_newest_first_without_missing_ones() -> None:
    _, text, _ = shown(RATE)

    assert text.endswith("| Date | Value |\n| --- | --- |\n| 2026-10-01 | 4.4 |\n| 2026-08-01 | 4.3 |")


OTHERS: list[Any] = [
    None,
    3,
    "text",
    {},
    {"tag": "a", "units": {}},
    {"tag": "a", "units": {"USD": 5}},
    {"tag": "a", "units": {"USD": [{"end": 5, "val": True}]}},
    {"observation_start": "x", "observations": [3]},
    [{"page": 1, "total": 0}, []],
    [{"page": 1, "total": 1}, [{"indicator": 5, "country": {}, "value": 3}]],
]


@pytest.mark.parametrize("value", OTHERS)
def test_any_other_json_is_no_series(value: Any) -> None:
    assert data_series(value) is None
