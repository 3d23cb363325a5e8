"""A page's date is the one that it gives for itself, and no other date that stands on it."""

from datetime import date

import pytest

from deepresearch_mcp.web.pages.page_dates import iso_date, written_date
from deepresearch_mcp.web.pages.tree import load_page

TODAY = date(2026, 11, 23)
LONG = "<p>" + "Dates are compared as they stand in a document. " * 40 + "</p>"


@pytest.mark.parametrize(
    ("body", "published"),
    [
        (f"<h1>Functions</h1>{LONG}<p>A sample is 2015-08-01, as a timestamp.</p>{LONG}", None),
        (f"<h1>Types</h1>{LONG}<table><tr><td>1999-01-08</td><td>ISO 8601</td></tr></table>{LONG}", None),
        (f"<h1>Use</h1>{LONG}<p>This page last modified on 2022-12-14 01:02:03 UTC</p>", date(2022, 12, 14)),
        (f"<nav>{LONG}</nav><h1>Release 3.5.4</h1><p>On 2007-12-14</p>{LONG}", date(2007, 12, 14)),
        (f"<h1>News</h1>{LONG}<span class='entry-date'>7 June 2021</span>{LONG}", date(2021, 6, 7)),
        (f"<nav>Up to 1.8.16</nav><h1>Release notes 1.8.16</h1><p>November 1, 2016</p>{LONG}", None),
    ],
)
def test_a_sample_value_in_the_text_is_not_the_page_s_date(body: str, published: date | None) -> None:
    page = load_page(f"<html><body>{body}</body></html>")
    assert page is not None

    assert written_date(page, TODAY) == published


@pytest.mark.parametrize(
    ("head", "published"),
    [
        ("<pre>Date: Fri, 9 Nov 2007 08:28:38 -0800\nFrom: A. Writer\nSubject: Lost object</pre>", date(2007, 11, 9)),
        ("<pre>On Fri, 9 Nov 2007, A. Writer wrote:\n&gt; Did not help.</pre>", date(2007, 11, 9)),
        ("<p>Date: 9 Nov 2007 is a line of no mail.</p>", date(2025, 10, 7)),
        ("<pre>On Fri, 39 Nov 2007, A. Writer wrote:</pre>", date(2025, 10, 7)),
    ],
)
def test_a_mail_has_its_own_date_and_not_that_of_the_page_it_stands_on(head: str, published: date) -> None:
    page = load_page(
        f"<html><body><h1>A mail</h1>{head}{LONG}<p>Last updated 2025-10-07 12:22:08 UTC</p></body></html>"
    )
    assert page is not None

    assert written_date(page, TODAY) == published


def test_a_day_is_read_from_the_beginning_of_a_text_and_never_one_of_the_future() -> None:
    assert iso_date("2021/6/7 and more", TODAY) == date(2021, 6, 7)
    assert iso_date("2027-01-01", TODAY) is None
    assert iso_date("2021-13-01", TODAY) is None
    assert iso_date("in 2021-06-07", TODAY) is None
