from typing import Any

import pytest

from deepresearch_mcp.web.documents.text_files import parse_text

RSS = """<?xml version="1.0"?><rss xmlns:dc="urn:dc"><channel><title>News</title><item><title>Ice</title>
<pubDate>Fri, 20 Nov 2026</pubDate><description>&lt;p&gt;It &lt;b&gt;floats&lt;/b&gt;.&lt;/p&gt;</description></item>
<item><dc:creator>Ada</dc:creator></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><entry><title>One</title><summary>First.</summary></entry></feed>"""


def parsed(text: str, kind: Any, limit: int = 10_000) -> Any:
    return parse_text(text, kind, limit)


def test_plain_text_is_kept_and_called_by_its_first_line() -> None:
    page = parsed("\r\n  Ice floats.\r\n\r\n\r\n\r\nIt does.\r\n", "text")

    assert (page["text"], page["title"], page["flags"]) == ("Ice floats.\n\nIt does.", "Ice floats.", [])


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Some words\n\n## Why ice floats ##\n\nText", "Why ice floats"),
        ("---\ndate: x\ntitle: 'On ice'\n---\n# Other", "On ice"),
        ("No heading here", "No heading here"),
    ],
)
def test_markdown_is_called_by_its_heading(text: str, title: str) -> None:
    assert parsed(text, "markdown")["title"] == title


def test_json_is_indented_where_it_is_json() -> None:
    assert parsed('{"a":["ü"]}', "json")["text"] == '{\n "a": [\n  "ü"\n ]\n}'
    assert parsed("{broken", "json")["text"] == "{broken"
    assert parsed("[" * 100_000, "json", 10)["flags"] == ["truncated"]
    assert parsed("{}", "json")["title"] == ""


def test_json_of_a_statistical_service_becomes_tables_dated_by_their_update() -> None:
    row = '{"indicator": {"value": "GDP"}, "country": {"value": "Peru"}, "date": "2024", "value": 5}'
    page = parsed(f'[{{"page": 1, "total": 1, "lastupdated": "2026-10-07"}}, [{row}]]', "json")

    assert (page["title"], page["published"]) == ("GDP, Peru", "2026-10-07")
    assert page["text"].endswith("| Peru | 2024 | 5 |")


def test_a_feed_becomes_headed_entries() -> None:
    page = parsed(RSS, "xml")

    assert page["title"] == "News"
    assert page["text"] == "# News\n\n## Ice\nFri, 20 Nov 2026\nIt floats .\n\n##\nAda"
    assert parsed(ATOM, "xml")["text"] == "# Log\n\n## One\nFirst."
    assert parsed("<feed><entry><title>One</title></entry></feed>", "xml")["text"] == "## One"


def test_other_xml_becomes_its_words() -> None:
    page = parsed("<doc><title>T</title><a>one <b>two</b> three</a></doc>", "xml")

    assert (page["title"], page["text"]) == ("T", "T\none\ntwo\nthree")


def test_items_of_xml_that_is_no_feed_lose_no_words() -> None:
    # As in the status of a bill at GovInfo.
    action = "<item><actionDate>2021-11-15</actionDate><text>Became Public Law.</text></item>"

    assert parsed(f"<billStatus><actions>{action}</actions></billStatus>", "xml")["text"] == (
        "2021-11-15\nBecame Public Law."
    )


@pytest.mark.parametrize(
    ("text", "kind"), [("", "text"), (" \n", "markdown"), ("", "xml"), ("<a/>", "xml"), ("\x00", "text")]
)
def test_a_file_without_words_is_empty(text: str, kind: str) -> None:
    assert parsed(text, kind)["reason"] == "empty"


def test_xml_that_is_none_is_read_without_its_tags() -> None:
    assert "words" in parsed("words only", "xml")["text"]
