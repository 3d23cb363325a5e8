"""A power keeps its mark, and the number of a footnote never becomes part of a figure."""

from datetime import date

import pytest

from deepresearch_mcp.web.pages.html import parse_html


def read(body: str) -> str:
    page = parse_html(f"<html><body><main><p>{body}</p></main></body></html>", "https://a.example/", 9_999, date.max)
    return page.get("text", "")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("At most 2<sup>48</sup> bytes are kept.", "At most 2^48 bytes are kept."),
        ("About 10<sup>-6</sup> of them, or 10<sup>−9</sup>.", "About 10^-6 of them, or 10^-9."),
        ("It has 2<sup>n-1</sup> nodes.", "It has 2^(n-1) nodes."),
        ("It takes O(n<sup>2</sup>) steps.", "It takes O(n^2) steps."),
        ("With <i>x</i><sup>2</sup> it grows.", "With x^2 it grows."),
        ("The limit (2<sup>31</sup>-1) holds.", "The limit (2^31-1) holds."),
        ("In <code>2<sup>30</sup></code> lies a limit.", "In 2^30 lies a limit."),
        ("On the 21<sup>st</sup> day it ran.", "On the 21st day it ran."),
        ("It covers 5 km<sup>2</sup> of land.", "It covers 5 km2 of land."),
        ("The Mark<sup>TM</sup> of it is known.", "The MarkTM of it is known."),
        ('It came in 2019<sup><a href="#fn1">1</a></sup> to us.', "It came in 2019 to us."),
        ('It came in 2019<a href="#fn1"><sup>12</sup></a> to us.', "It came in 2019 to us."),
        (
            'Most said so.<sup class="reference"><a href="#cite-3">[3]</a></sup> Others not.',
            "Most said so. Others not.",
        ),
        ('It is 5<sup class="footnote">*</sup> of 6.', "It is 5 of 6."),
        ("An empty <sup></sup> one says nothing.", "An empty one says nothing."),
    ],
)
def test_powers_are_written_and_marks_of_footnotes_left_out(body: str, text: str) -> None:
    assert read(body) == text
