from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.settings.web import PersonalData
from deepresearch_mcp.text.redaction import KINDS, MASK, redacted


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("email", "ann.lee+x@mail.example.co.uk"),
        ("email", "ann [at] mail.example"),
        ("email", "ärzte@müller.example"),
        ("phone", "+44 20 7946 0958"),
        ("phone", "+1 (415) 555-2671"),
        ("phone", "+4930123456"),
        ("phone", "(415) 555-2671"),
        ("phone", "415-555-2671"),
        ("phone", "030 1234 5678"),
        ("card", "4111 1111 1111 1111"),
        ("card", "5555-5555-5555-4444"),
        ("card", "378282246310005"),
        ("iban", "DE89 3704 0044 0532 0130 00"),
        ("iban", "GB82WEST12345698765432"),
        ("ssn", "536-90-4399"),
    ],
)
def test_personal_data_is_masked_and_the_words_around_it_stay(kind: str, data: str) -> None:
    text = f"Ask Ann ({data}), or write."

    assert redacted(text, [kind]) == text.replace(data, MASK * len(data))
    assert redacted(text, KINDS) == text.replace(data, MASK * len(data))


@pytest.mark.parametrize(
    "text",
    [
        "Revenue was $4,111,111,111.11 in 2024, up 12.5 % from 3,998,221,017.",
        "ISBN 978-3-16-148410-0, DOI 10.1000/182, arXiv:2401.01234, RFC 9309, CVE-2026-12345.",
        "4111 1111 1111 1112 is no card, DE88 3704 0044 0532 0130 00 no account, 000-12-3456 no number.",
        "From 2026-11-23 to 2026-12-01, 10:30-11:45, pages 100-200, version 3.11.7, 192.168.0.1.",
        "Follow @ann on the site; see a@b, and 1234567890123456789012345.",
        "The years 1914 1918 1939 1945 and 0000 0000 0000 0000.",
    ],
)
def test_figures_that_belong_to_no_one_stay(text: str) -> None:
    assert redacted(text, KINDS) == text


def test_only_the_kinds_that_are_named_are_masked() -> None:
    assert redacted("a@b.example 536-90-4399", ["ssn"]) == f"a@b.example {MASK * 11}"
    assert redacted("a@b.example", []) == "a@b.example"
    with pytest.raises(KeyError):
        redacted("", ["name"])


def test_the_settings_know_the_same_kinds() -> None:
    assert set(get_args(PersonalData)) == KINDS.keys()


@given(st.text(alphabet="a@.1+-( )4DE", max_size=80))
def test_masking_keeps_the_length_and_twice_is_as_good_as_once(text: str) -> None:
    once = redacted(text, KINDS)

    assert len(once) == len(text)
    assert redacted(once, KINDS) == once
