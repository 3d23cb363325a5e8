import gzip
import json
import re
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith and Prof. J. K. Jones met in the U.S. Senate today.",
        "See Fig. 3, No. 5 and pp. 12 ff. for more.",
        "Inflation fell to 2.3 percent in version 1.2.3 of example.com today.",
        "Miller et al. Found nothing in Acme Inc. Reports.",
        "He came at 5 p.m. Monday vs. e.g. 6 a.m. on other days.",
        "It was … strange and ... odd.",
        "It locks rows, generating a SELECT ... FOR UPDATE statement.",
        "Backends which support `SELECT ...` FOR UPDATE raise an error.",
        "Suppress it with a try … … except CancelledError … Finally block.",
        "He held that “the court [...] Must decide” (...) Soon.",
        "The Congress . . . Shall have power.",
        "... Shall have power.",
        "“Really?” he asked.",
        "Am 3. Oktober war es z.B. Herrn Dr. Meier recht.",
        "On Jan. 5 it rained.",
        "It fell (see St. Louis) again.",
        "A line that is\nwrapped softly in the middle of things by its author\nhas one sentence.",
    ],
)
def test_no_sentence_ends_at_an_abbreviation_number_or_soft_break(text: str) -> None:
    assert cut(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("He lives in the U.S. The rest moved.", ["He lives in the U.S.", "The rest moved."]),
        ("They sell etc. However, they stopped.", ["They sell etc.", "However, they stopped."]),
        ("He said “Go.” Then he left.", ["He said “Go.”", "Then he left."]),
        ("(It rained.) Nobody came.", ["(It rained.)", "Nobody came."]),
        ("It fell.[3] Then it rose.[1][2] End.", ["It fell.[3]", "Then it rose.[1][2]", "End."]),
        ("He said no. Then he left. No.", ["He said no.", "Then he left.", "No."]),
        ("Wait... What? yes. Done", ["Wait...", "What?", "yes.", "Done"]),
        ("It rained ... . Then not. ... Then more", ["It rained ... .", "Then not.", "... Then more"]),
        ("It ended. . . . Then it began…” Or not", ["It ended. . . .", "Then it began…”", "Or not"]),
        ("It rained . Then it did not !", ["It rained .", "Then it did not !"]),
        ("今天很好。明天呢？好！", ["今天很好。", "明天呢？", "好！"]),
        ("यह सच है। वह नहीं।", ["यह सच है।", "वह नहीं।"]),
        ("هل هذا صحيح؟ نعم.", ["هل هذا صحيح؟", "نعم."]),
        ("A first paragraph\n\nand a second", ["A first paragraph", "and a second"]),
        (
            "# A title\nText here.\n- one item\n- two. Two more.\n1. numbered",
            ["A title", "Text here.", "one item", "two.", "Two more.", "numbered"],
        ),
        ("Title\n=====\nText", ["Title", "Text"]),
        ("a | b | c\n|--|--|\n| 1. | 2. |", ["a | b | c", "|--|--|", "| 1. | 2. |"]),
        ("> quoted text\n> goes on here and on", ["quoted text", "goes on here and on"]),
        ("```\nx = 1. y\nz\n```\nText.", ["x = 1. y", "z", "Text."]),
        ("Home\nAbout us\nContact", ["Home", "About us", "Contact"]),
        (
            "A.\nOne " + "word " * 40 + "\n" + "Next " * 80,
            ["A.", ("One " + "word " * 40).strip(), ("Next " * 80).strip()],
        ),
        ("J. Smith came.\na. lettered item", ["J. Smith came.", "lettered item"]),
        ("Born on 3. Mai, aged 7. Then more", ["Born on 3. Mai, aged 7.", "Then more"]),
        ("", []),
        (" \n ", []),
        ("***", []),
    ],
)
def test_a_text_is_cut_where_its_sentences_end(text: str, parts: list[str]) -> None:
    assert cut(text) == parts


_WORDS = st.text(alphabet="abcdefghijklmno", min_size=1, max_size=11)
_SMALL_WORDS = st.sampled_from(["of", "the", "in", "and", "a", "400", "1.5", "(see", "Rome", "NATO", "iPhone"])


@st.composite
def prose(draw: st.DrawFn) -> str:
    """Sentences whose longer words are mostly small, as they are in running text."""
    said: list[str] = []
    for _ in range(draw(st.integers(1, 6))):
        first = draw(_WORDS).capitalize()
        pairs = [(draw(_WORDS), draw(_SMALL_WORDS)) for _ in range(draw(st.integers(1, 14)))]
        said.append(" ".join([first, *(" ".join(pair) for pair in pairs), "abcd."]))
    return " ".join(said)


def wrapped(text: str, width: int) -> str:
    return "\n".join(textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False))


def folded(text: str) -> list[str]:
    return [" ".join(one.split()) for one in cut(text)]


@pytest.mark.parametrize("width", [60, 90, 130, 200])
@given(text=prose())
def test_the_width_at_which_a_text_is_wrapped_changes_none_of_its_sentences(width: int, text: str) -> None:
    assert folded(wrapped(text, width)) == folded(text)


_SHARED = Path(__file__).parents[3] / "shared/data/html_wcxb/dev/ground-truth.jsonl.gz"


@pytest.mark.skipif(not _SHARED.exists(), reason="the shared data set html_wcxb is not here")
@pytest.mark.parametrize("width", [60, 90, 130, 200])
def test_real_articles_have_the_same_sentences_at_any_width(width: int) -> None:
    with gzip.open(_SHARED, "rt", encoding="utf-8") as lines:
        pages = [row["main_content"] for row in map(json.loads, lines) if row["page_type"] == "article"]
    told = (" ".join(line.split()) for page in pages for line in page.split("\n"))
    texts = [text for text in told if len(text) > 120 and text.endswith(".")]

    changed = [text for text in texts if folded(wrapped(text, width)) != folded(text)]

    assert len(texts) > 2000
    assert len(changed) <= len(texts) / 200, changed[:5]


@pytest.mark.parametrize("width", [60, 90, 130, 200])
def test_rows_of_tables_items_of_lists_and_headings_are_never_joined(width: int) -> None:
    prose = wrapped("The pump must be oiled after every interval of use that the maker gives for it. " * 3, width)
    kept = [
        "Net Sales and Cost of Sales",
        prose,
        "- oil for the pump\n- grease for the shaft that\n- 2 filters",
        "1. Open the valve\n2. Close the valve\n3. Wait",
        "| Interval | Hours |\n| Oil | 400 |\n| Grease | 800 |",
        "Products $ 63,355 $ 63,948\nServices 19,604 17,486\nTotal net sales 82,959 81,434",
        "Opened      1998      Leeds\nClosed      2003      York",
        "Year\tSold\n2001\t17\n2002\t19",
        prose,
    ]

    found = folded("\n".join(kept))

    lists = [line.strip("| ") if line.startswith("|") else line for part in kept[2:8] for line in part.split("\n")]
    for line in [kept[0], *lists]:
        bare = re.sub(r"^(?:- |\d\. )", "", line)
        assert any(one.strip("| ") == " ".join(bare.split()) for one in found), line
    assert found.count("The pump must be oiled after every interval of use that the maker gives for it.") == 6


@pytest.mark.parametrize(
    "text",
    [
        "The bearings of the pump and the seals of its housing must be oiled by the operator of the plant after every "
        "interval of use of\n400 hours, or sooner.",
        "It grew in the war – which the larger of the two lost –\nby half.",
        "The larger of both the companies was founded by an engineer of the\nAmerican railways.",
        "All the members of the committee voted at its second meeting and it was decided by\n3. The vote",
        "The share of those who answered in the survey of the year was lower in the north of the country – and this"
        "\n– so it held – had its reasons.",
    ],
)
def test_a_wrapped_line_goes_on_whatever_the_next_one_opens_with(text: str) -> None:
    assert cut(text)[0].startswith(text[:40])
    assert "\n" in cut(text)[0]


def test_the_running_title_of_a_page_is_no_part_of_the_sentence_below_it() -> None:
    text = (
        "Table of Contents\noption to account for the shares that the company holds in other ones, as it said before."
    )

    assert cut(text)[0] == "Table of Contents"


@given(st.text(alphabet='aB1. !?。\n|-#>*`[]()"…', max_size=200))
def test_sentences_are_in_order_trimmed_and_apart(text: str) -> None:
    at = 0
    for start, end in sentences(text):
        assert at <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        at = end


def test_a_bracketed_number_of_an_account_is_no_mark_of_a_list() -> None:
    text = "(2) Revenue fell.\n\n(886) Higher unit cost of the new products."

    assert [text[start:end] for start, end in sentences(text)] == [
        "Revenue fell.",
        "(886) Higher unit cost of the new products.",
    ]
