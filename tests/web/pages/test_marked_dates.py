"""A page's date is found in its marks where its metadata names none."""

from datetime import date

import pytest

from deepresearch_mcp.web.pages.marked_dates import marked_date, pictured_date, scripted_date, scripts_of
from deepresearch_mcp.web.pages.tree import load_page

TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("body", "day"),
    [
        (
            "<time itemprop='dateCreated' datetime='2014-03-28T11:38:28'>then</time><h1>T</h1>",
            date(2014, 3, 28),
        ),
        ("<h1>T</h1><p>By Ann</p><time datetime='2025-12-19'>19 December</time>", date(2025, 12, 19)),
        ("<h1>T</h1><div class='related-card'><p><time datetime='2025-12-19'>x</time></p></div>", None),
        (f"<h1>T</h1><p>{'word ' * 200}</p><time datetime='2025-12-19'>19 December</time>", None),
        ("<time datetime='2025-12-19'>a page in a menu</time><h1>T</h1>", None),
        ("<app-post created-timestamp='2026-03-03T09:47:05+0000'>x</app-post>", date(2026, 3, 3)),
        ("<time itemprop='datePublished' datetime='2027-03-28'>not yet</time>", None),
    ],
)
def test_the_mark_of_the_page_counts_and_not_that_of_another(body: str, day: date | None) -> None:
    page = load_page(f"<html><body>{body}</body></html>")
    assert page is not None

    assert marked_date(page, TODAY) == day


@pytest.mark.parametrize(
    ("script", "day"),
    [
        ('{"publication_date": "2020-12-06 00:15"}', date(2020, 12, 6)),
        (r"{\"publishedAt\":\"2020-12-06T00:15Z\"}", date(2020, 12, 6)),
        ('{"published_at": "2020-12-06"}, {"published_at": "2020-12-07"}', None),
        ('{"expires": "2020-12-06"}', None),
    ],
)
def test_scripts_date_a_page_where_they_agree(script: str, day: date | None) -> None:
    page = load_page(f"<html><head><script>{script}</script></head><body><p>Ice floats.</p></body></html>")
    assert page is not None

    assert scripted_date(scripts_of(page), TODAY) == day


@pytest.mark.parametrize(
    ("address", "day"),
    [
        ("https://a.example/images/20201007120909561.jpg", date(2020, 10, 7)),
        ("https://a.example/up/2020-01-18T115832Z_1.jpg", date(2020, 1, 18)),
        ("https://a.example/2020/01/ice.jpg", None),
        ("https://a.example/202013071.jpg", None),
    ],
)
def test_a_picture_s_address_dates_a_page_by_a_whole_day(address: str, day: date | None) -> None:
    assert pictured_date(address, TODAY) == day
