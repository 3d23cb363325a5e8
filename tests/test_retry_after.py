import httpx2
import pytest

import clocks
from deepresearch_mcp.retry_after import retry_after

NOON = "Fri, 20 Nov 2026 12:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After": "Fri, 20 Nov 2026 12:00:30 GMT", "Date": NOON}, 30),
        ({"Retry-After": "Fri, 20 Nov 2026 12:00:30 -0000", "Date": NOON}, 30),
        ({"Retry-After": "Fri, 20 Nov 2026 11:00:00 GMT", "Date": NOON}, 0),
        ({"Retry-After": "Fri, 20 Nov 2026 11:00:00 GMT", "Date": "Fri, 20 Nov 2026 12:00:00 -0000"}, 0),
        ({"Retry-After": "Fri, 20 Nov 2026 12:00:30 GMT"}, None),
        ({"Retry-After": "-3"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "9" * 5_000}, None),
        ({"Retry-After": "Fri, 20 Nov 99999 12:00:30 GMT", "Date": NOON}, None),
    ],
)
def test_a_wait_is_a_number_or_a_date_against_the_answers_own(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(httpx2.Response(429, headers=headers).headers) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120.0),
        ("0", 0.0),
        ("Fri, 20 Nov 2026 12:00:30 GMT", 30.0),
        ("Fri, 20 Nov 2026 12:00:30", 30.0),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("Fri, 99 Nov 99999999999 12:00:30 GMT", None),
        ("٣", None),
    ],
)
def test_a_date_is_held_against_our_clock_where_the_answer_has_no_date(text: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": text}, clocks.NOON) == seconds
    assert retry_after({"retry-after": "Fri, 20 Nov 2026 12:00:30 GMT", "date": NOON}, clocks.NOON) == 30.0
