import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.stopwatch import spent

from deepresearch_mcp.text.normalise import link_marks, normalise


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("", ""),
        ("The  Cat\tsat\n on", "the cat sat on"),
        ("“Board” ‘won’t’ « oui » ‹x›", "\"board\" 'won't' \" oui \" 'x'"),
        ("March — a drop – of −5", "march - a drop - of -5"),
        ("2.3\u00a0% soft\u00adhyphen zero\u200bwidth\ufeff", "2.3 % softhyphen zerowidth"),
        ("an exam-\nple and exam\u00ad\n  ple", "an example and example"),
        ("2019-\n2020 and Anglo-\nSaxon", "2019- 2020 and anglo- saxon"),
        ("exam\u00ad\n\nPle", "exam ple"),
        ("oﬃcial ﬁeld Straße", "official field strasse"),
        ("e\u0301t\u00e9 ＦＵＬＬ，１２", "été full,12"),
        ("10² m² 2½ ½ x₂ 5²³", "10^2 m2 2 1/2 1/2 x2 5^23"),
        ("**bold** _it_ `code` ~~gone~~ ***both***", "bold it code gone both"),
        ("un**believ**able a_name_b 2*3 2**3 a * b ~5", "unbelievable a_name_b 2*3 2**3 a * b ~5"),
        ("don`t", "don't"),
        (r"5 \* 3 a\_b \[x\]", "5 * 3 a_b [x]"),
        ("see [the text](http://x.y/a_(b) 'T') and ![alt](<u v>) end", "see the text and alt end"),
        ("[![logo](a.png)](http://x.y) [3] [a] (b) arr[0]", "logo [3] [a] (b) arr[0]"),
        ("# Title\n- one\n* two\n> quoted\n>> deep\n-5", "title one two quoted deep -5"),
        ("İstanbul", "i̇stanbul"),
    ],
)
def test_one_plain_form_for_each_way_of_writing(text: str, plain: str) -> None:
    assert normalise(text).text == plain


def test_the_index_has_one_offset_a_character_and_one_for_the_end() -> None:
    found = normalise("A “b”\n\n c")

    assert len(found.index) == len(found.text) + 1
    assert found.index[-1] == len("A “b”\n\n c")


def test_what_was_dropped_around_a_span_stays_outside() -> None:
    text = "so **very bold** [link](http://x.y) end\u00ad."
    found = normalise(text)

    def original(part: str) -> str:
        start = found.text.index(part)
        a, b = found.original(start, start + len(part))
        return text[a:b]

    assert original("very bold") == "very bold"
    assert original("link") == "link"
    assert original("bold link") == "bold** [link"
    assert original("end") == "end"


def test_a_part_of_a_ligature_maps_to_the_whole_of_it() -> None:
    found = normalise("oﬀer")

    assert found.original(1, 2) == (1, 2)
    assert found.original(2, 4) == (1, 3)
    assert found.original(2, 2) == (1, 1)


WORDS = st.lists(
    st.one_of(
        st.from_regex(r"\A[a-zA-Z0-9éßÀﬁ½²Жя中ा\u0301]{1,6}\Z"),
        st.sampled_from(
            ["“Board”", "won’t", "**bold**", "_it_", "`x`", "2.3\u00a0%", "—", "-", "exam-\nple", "so\u00adft"]
        ),
        st.sampled_from(
            ["[a](http://b)", "a_b", "2*3", "* ", "\n- ", "\n# ", "\u200b", "…", "(x)", "\\*", "a\u0301\u0323"]
        ),
    ),
    min_size=1,
    max_size=12,
)


@given(WORDS, st.sampled_from([" ", "  ", "\n", "\t", "\u3000"]), st.data())
def test_mapping_back_gives_a_span_whose_normal_form_is_the_one_searched(
    words: list[str], gap: str, data: st.DataObject
) -> None:
    text = gap.join(words)
    found = normalise(text)
    # Words of the normalised text: what a quote is made of.
    starts = [
        i for i, c in enumerate(found.text) if c.isalpha() and c.isascii() and (not i or found.text[i - 1] == " ")
    ]
    if not starts:
        return
    start = data.draw(st.sampled_from(starts))
    spaces = [i for i, c in enumerate(found.text + " ") if c == " " and i > start and found.text[i - 1].isalnum()]
    if not spaces:
        return
    end = data.draw(st.sampled_from(spaces))
    a, b = found.original(start, end)
    # A link of which only a part was searched is no link by itself.
    assume(all((a <= opening < b) == (a <= closing < b) for opening, closing in _links(text)))
    assert normalise(text[a:b]).text.strip() == found.text[start:end].strip()


def _links(text: str) -> list[tuple[int, int]]:
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    for start in sorted(link_marks(text)):
        if text[start] == "]":
            found.append((opened.pop(), start))
        else:
            opened.append(start)
    return found


@given(st.text(alphabet=st.characters(), max_size=400))
def test_no_text_is_refused_and_offsets_never_run_backwards(text: str) -> None:
    found = normalise(text)

    assert len(found.index) == len(found.text) + 1
    assert list(found.index) == sorted(found.index)
    for i in range(len(found.text)):
        start, end = found.original(i, i + 1)
        assert 0 <= start < end <= len(text)


def test_links_are_found_by_their_marks() -> None:
    assert link_marks("a [b](c) d ] e](f) [g](h i") == {2: 3, 4: 8}


def test_plain_ascii_text_is_read_at_five_megabytes_a_second() -> None:
    text = (
        "The committee did not raise rates above the level of March, and it won't.\nNobody objected to that.  " * 20_000
    )

    best = min(_seconds(text) for _ in range(3))

    # Measured 0.13 s for each megabyte; the bound leaves room for a busy machine.
    assert best / (len(text) / 1e6) < 0.8


def _seconds(text: str) -> float:
    with spent() as taken:
        normalise(text)
    return taken.seconds
