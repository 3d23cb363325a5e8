from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection
from deepresearch_mcp.thinkers.prompted.marked_rendering import render_blocks, render_report
from deepresearch_mcp.thinkers.prompted.marked_text import parse_blocks, parse_report


def known(name: str) -> str | None:
    """`c1` … `c9` are claims."""
    return name.replace("c", "id") if name.startswith("c") and len(name) == 2 else None


def name_of(claim: str) -> str:
    return claim.replace("id", "c")


WORDS = st.lists(st.sampled_from(["ice", "water", "floats", "`a. b`", "3.5", "x-y", "(so)"]), min_size=1, max_size=6)
IDS = st.lists(st.integers(1, 9).map(lambda n: f"id{n}"), min_size=1, max_size=3, unique=True).map(tuple)


@st.composite
def a_sentence(draw: st.DrawFn, *, cell: bool = False) -> Sentence:
    text = "The " + " ".join(draw(WORDS)) + ("" if cell else ".")
    kind = draw(st.sampled_from(["fact", "synthesis", "judgement", "plain", "absence"]))
    ids = draw(IDS)
    if kind == "judgement":
        return Sentence(text=text, kind="judgement", premises=ids)
    if kind == "synthesis" and len(ids) > 1:
        return Sentence(text=text, kind="synthesis", claim_ids=ids)
    if kind == "absence":
        return Sentence(text=text, absence=True)
    return Sentence(text=text, claim_ids=() if kind == "plain" else ids)


@st.composite
def a_block(draw: st.DrawFn) -> Block:
    kind = draw(st.sampled_from(["prose", "list", "steps", "table"]))
    title = draw(st.sampled_from(["", "On ice"]))
    if kind == "table":
        width = draw(st.integers(1, 3))
        cells = st.lists(a_sentence(cell=True), min_size=width, max_size=width).map(tuple)
        rows = tuple(draw(st.lists(cells, min_size=1, max_size=3)))
        return Block(kind=kind, head=tuple(f"Column {n}" for n in range(width)), rows=rows, title=title)
    row = st.lists(a_sentence(), min_size=1, max_size=3).map(tuple)
    most = 1 if kind == "prose" else 3
    rows = draw(st.lists(row, min_size=1, max_size=most))
    label = draw(st.sampled_from(["", "Ice 1.5"]))
    rows[0] = (rows[0][0].model_copy(update={"label": label}), *rows[0][1:])
    return Block(kind=kind, rows=tuple(rows), title=title)


def apart(blocks: list[Block]) -> list[Block]:
    """Without two lists of a kind in a row, which are one list in Markdown."""
    return [
        one
        for n, one in enumerate(blocks)
        if not n or one.title or one.kind != blocks[n - 1].kind or one.kind == "prose"
    ]


@given(st.lists(a_block(), max_size=4).map(apart))
def test_what_is_written_back_reads_the_same(blocks: list[Block]) -> None:
    assert list(parse_blocks(render_blocks(blocks, name_of), known)) == blocks


@given(
    st.lists(a_sentence(), min_size=1, max_size=3),
    st.lists(st.lists(a_block(), min_size=1, max_size=3).map(apart), max_size=3),
)
def test_a_whole_report_written_back_reads_the_same(opening: list[Sentence], parts: list[list[Block]]) -> None:
    sections = tuple(WrittenSection(heading=f"Part {n}", blocks=tuple(blocks)) for n, blocks in enumerate(parts))
    opening = [one.model_copy(update={"opens": at == 2}) for at, one in enumerate(opening)]
    draft = Draft(title="Ice", in_short=tuple(opening), described=(Sentence(text="Ice of 2024."),), sections=sections)

    found = parse_report(render_report(draft, name_of), known)

    assert (found.title, found.opening, found.described, found.sections) == (
        draft.title, draft.in_short, draft.described, draft.sections,
    )  # fmt: skip
    assert f"## 1. {sections[0].heading}" in render_report(draft, name_of, numbered=True) if sections else True


def test_a_mark_stands_before_a_full_stop_and_behind_an_ellipsis() -> None:
    row = tuple(Sentence(text=text, claim_ids=("id1",)) for text in ("Ice floats.", "And so on...", "Ice"))

    assert render_blocks([Block(rows=(row,))], name_of) == "Ice floats [c1]. And so on... [c1] Ice [c1]"
    assert render_blocks([Block(rows=(row[:1],))], lambda _: "") == "Ice floats."
