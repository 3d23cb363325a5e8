import httpx2
import pytest

from deepresearch_mcp.text.waits import retry_after

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
