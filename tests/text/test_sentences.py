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
        ("x" * 130 + "\nNext paragraph", ["x" * 130, "Next paragraph"]),
        ("J. Smith came.\na. lettered item", ["J. Smith came.", "lettered item"]),
        ("Born on 3. Mai, aged 7. Then more", ["Born on 3. Mai, aged 7.", "Then more"]),
        ("", []),
        (" \n ", []),
        ("***", []),
    ],
)
def test_a_text_is_cut_where_its_sentences_end(text: str, parts: list[str]) -> None:
    assert cut(text) == parts


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
