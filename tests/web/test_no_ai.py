import pytest

from deepresearch_mcp.web.no_ai import headers_say_no, metas_say_no


@pytest.mark.parametrize(
    ("headers", "no"),
    [
        ({"x-robots-tag": "noai"}, True),
        ({"x-robots-tag": "noindex, NoAI"}, True),
        ({"x-robots-tag": "OtherBot: noai"}, False),
        ({"x-robots-tag": "otherbot: noindex, noai"}, False),
        ({"x-robots-tag": "otherbot: noindex, ourbot: noai"}, True),
        ({"x-robots-tag": "unavailable_after: 25 Jun 2027 15:00:00 PST, noai"}, True),
        ({"x-robots-tag": "noimageai"}, False),
        ({"x-robots-tag": ",:,::"}, False),
        ({"tdm-reservation": " 1 "}, True),
        ({"tdm-reservation": "0"}, False),
        ({}, False),
    ],
)
def test_a_header_for_all_robots_or_for_ours_counts(headers: dict[str, str], *, no: bool) -> None:
    assert headers_say_no(headers, "OurBot") is no


@pytest.mark.parametrize(
    ("metas", "no"),
    [
        ({"robots": "index, noai"}, True),
        ({"robots": "noimageai; follow"}, False),
        ({"ourbot": "noai"}, True),
        ({"otherbot": "noai"}, False),
        ({"tdm-reservation": "1"}, True),
    ],
)
def test_a_tag_for_all_robots_or_for_ours_counts(metas: dict[str, str], *, no: bool) -> None:
    assert metas_say_no(metas, "OurBot") is no
