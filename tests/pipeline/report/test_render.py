"""The report as Markdown."""

from datetime import date

from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.gaps import Missing
from deepresearch_mcp.pipeline.report.render import body, closing, evidence_line
from deepresearch_mcp.pipeline.report_frame import markdown, own_not_read
from deepresearch_mcp.records.report import Block, ClaimCount, Draft, Sentence, Table, WrittenSection
from deepresearch_mcp.records.run import Metrics
from deepresearch_mcp.records.sources import TOO_LATE, EngineFailure, Unread
from deepresearch_mcp.text.citations import NOTE
from pipeline_fakes import brief, claim, page

ICE = page("https://one.example/ice", "Ice floats.", title="All about [ice]").model_copy(
    update={"published": date(2026, 2, 12)}
)
PDF = page("https://two.example/ice.pdf", "Ice floats\nin print.").model_copy(update={"kind": "pdf"})
SINKS = claim(PDF, "Ice floats\nin print.", "Ice sinks.")
FLOATS = claim(ICE, "Ice floats.", disputes=(SINKS.claim_id,), reason="they speak of *different* dates")
SAID = Sentence(text="Ice floats.", claim_ids=(FLOATS.claim_id,))
DRAFT = Draft(
    title="Ice",
    in_short=(SAID,),
    sections=(WrittenSection.of_prose("Why", ((SAID,), (SAID, SAID))),),
    differences=(SAID, Sentence(text="Ice sinks.", claim_ids=(SINKS.claim_id,))),
)


def numbering() -> Numbering:
    return Numbering(
        {FLOATS.claim_id: FLOATS, SINKS.claim_id: SINKS}, {ICE.source_id: ICE, PDF.source_id: PDF}, DRAFT.sentences
    )


def test_a_page_that_a_setting_keeps_out_is_told_with_the_cause_and_the_setting_and_without_its_address():
    private = {"detail": "The address is a private one.", "action": "See the setting web.allow_private."}
    unread = [
        *(Unread(url="http://10.0.0.7/x", reason="address_refused", **private),) * 2,
        Unread(
            url="http://a.example:81/",
            reason="address_refused",
            detail="Port 81 is not one.",
            action="See the setting web.ports.",
        ),
        Unread(url="http://b.example/", reason="not_found", detail="HTTP 404"),
    ]

    last = closing("Evidence", unread, [], Metrics(), "extractive", [])

    assert (
        "not read: 3 refused as unsafe addresses (The address is a private one. See the setting web.allow_private. "
        "Port 81 is not one. See the setting web.ports.), 1 not found"
    ) in last
    assert "10.0.0.7" not in last


def test_the_pages_that_the_user_named_are_named_where_they_were_not_read():
    mine, found = ("https://Me.example/a#part", "https://other.example/"), "https://other.example/found"
    unread = [Unread(url=url, reason="robots") for url in ("https://me.example/a", found)]

    assert own_not_read(unread, mine) == (
        "Not read of the pages that you named: https://me.example/a (refused by robots.txt)."
    )
    assert own_not_read(unread[1:], mine) == ""


def test_a_report_opens_with_the_answer_and_names_what_is_missing():
    sections = body(brief(), DRAFT, numbering(), Missing("Sought:", ("How *old*\nis it?",), ("Cold: why",)))

    assert [one.heading for one in sections] == [
        "In short",
        "Why",
        "Where sources differ",
        "What could not be established",
    ]
    assert sections[1].markdown == "Ice floats [1].\n\nIce floats. Ice floats. [1]"
    assert sections[2].markdown == r"- Ice floats [1]. — Ice sinks [2]. (they speak of \*different\* dates)"
    assert sections[3].markdown == "- Cold: why\n\nSought:\n\n- How \\*old\\* is it?"


def test_an_answer_is_the_opening_alone():
    sections = body(brief(mode="answer"), Draft(title="Ice", in_short=(SAID,)), numbering(), Missing(others=("gap",)))

    assert [one.heading for one in sections] == ["In short"]


def test_a_draft_without_anything_renders_nothing():
    assert body(brief(), Draft(title="Ice"), numbering(), Missing()) == []


def test_the_line_under_the_opening_says_what_the_sources_describe():
    draft = DRAFT.model_copy(
        update={"described": (Sentence(text="Sources describe ice of 2026.", claim_ids=SAID.claim_ids),)}
    )

    [opening, *_] = body(brief(), draft, numbering(), Missing())

    assert opening.markdown == "Ice floats [1].\n\nSources describe ice of 2026 [1]."
    assert opening.sentences == (SAID, *draft.described)


def test_a_list_of_versions_becomes_a_sentence():
    draft = DRAFT.model_copy(update={"described": (Sentence(text="Ice 15.20", claim_ids=SAID.claim_ids),)})

    [opening, *_] = body(brief(), draft, numbering(), Missing())

    assert opening.markdown == "Ice floats [1].\n\nThe sources describe Ice 15.20 [1]."
    assert opening.sentences == (SAID, *draft.described)


def test_the_opening_has_a_mark_a_paragraph_that_names_pages_alone():
    twice = page("https://three.example/", "Ice floats. Ice melts.")
    said = {one.claim_id: one for one in (claim(twice, "Ice floats."), claim(twice, "Ice melts."), FLOATS)}
    first, second, third = (Sentence(text=f"Ice {n}.", claim_ids=(name,)) for n, name in enumerate(said))
    draft = Draft(title="Ice", in_short=(first, second, third), sections=(WrittenSection.of_prose("Why", ((first,),)),))
    numbers = Numbering(said, {twice.source_id: twice, ICE.source_id: ICE}, draft.sentences)

    opening, why = body(brief(), draft, numbers, Missing())
    [answer] = body(brief(mode="answer"), draft, numbers, Missing())
    alone, _ = body(brief(), draft.model_copy(update={"in_short": (first,)}), numbers, Missing())

    assert opening.markdown == "Ice 0. Ice 1. Ice 2. [1, 2]"
    assert why.markdown == "Ice 0 [1a]."
    assert (answer.markdown, alone.markdown) == ("Ice 0. Ice 1. Ice 2. [1, 2]", "Ice 0 [1a].")


def test_the_opening_keeps_its_paragraphs_and_what_the_mark_of_a_judgement_means_is_said_once():
    ours = Sentence(text="Take ice.", kind="judgement", premises=SAID.claim_ids, opens=True)
    draft = DRAFT.model_copy(
        update={"in_short": (SAID, ours), "sections": (WrittenSection.of_prose("Which", ((ours,),)),)}
    )

    opening, which, *_ = body(brief(), draft, numbering(), Missing())

    assert opening.markdown == f"Ice floats [1].\n\nTake ice [cf. 1].\n\n{NOTE}"
    assert which.markdown == "Take ice [cf. 1]."


def test_labels_of_the_opening_stand_out():
    said = tuple(SAID.model_copy(update={"text": f"{name}: Ice floats.", "opens": True}) for name in ("Why", "How"))

    opening, *_ = body(brief(), DRAFT.model_copy(update={"in_short": said}), numbering(), Missing())

    assert opening.markdown == "**Why:** Ice floats [1].\n\n**How:** Ice floats [1]."
    assert "**In short.**\n\n**Why:** Ice" in markdown("Ice", [opening], "")


def test_three_labelled_paragraphs_of_the_opening_are_a_list():
    said = tuple(SAID.model_copy(update={"label": label, "opens": True}) for label in ("", "Why", "How", "What to do"))

    opening, *_ = body(brief(), DRAFT.model_copy(update={"in_short": said}), numbering(), Missing())

    assert opening.markdown == (
        "Ice floats [1].\n\n- **Why:** Ice floats [1].\n- **How:** Ice floats [1].\n- **What to do:** Ice floats [1]."
    )


def test_the_first_section_that_judges_says_so_where_the_opening_does_not():
    ours = Sentence(text="Take ice.", kind="judgement", premises=SAID.claim_ids)
    sections = tuple(WrittenSection.of_prose(name, ((one,),)) for name, one in (("A", SAID), ("B", ours), ("C", ours)))

    _, *found = body(
        brief(), DRAFT.model_copy(update={"sections": sections, "differences": ()}), numbering(), Missing()
    )

    assert [NOTE in one.markdown for one in found] == [False, True, False]


def test_a_section_of_the_run_object_has_its_sentences_and_the_cells_of_its_tables():
    ours = Sentence(text="Take ice.", kind="judgement", premises=SAID.claim_ids)
    table = Block(kind="table", head=("Solid", "Floats"), rows=((Sentence(text="Ice"), SAID),), title="Solids")
    written = WrittenSection(heading="Why", blocks=(Block(rows=((SAID, ours),)), table))

    [section] = body(brief(), Draft(title="Ice", sections=(written,)), numbering(), Missing())

    assert section.sentences == (SAID, ours)
    assert section.tables == (Table(title="Solids", head=table.head, rows=table.rows),)


def test_the_report_closes_with_a_line_each_on_what_it_answers_what_was_read_and_what_it_cost():
    unread = [Unread(url=f"https://a.example/{n}", reason="robots") for n in range(2)]
    unread.append(Unread(url="https://b.example", reason="mislaid"))
    unread.append(Unread(url="https://c.example", reason="ceiling"))
    failures = [EngineFailure(engine="tavily", query="ice", reason="key refused")]
    failures += [EngineFailure(engine=name, query="ice", reason=TOO_LATE) for name in ("tavily", "github", "arxiv")]
    metrics = Metrics(
        usd=0.114,
        input_tokens=50_000,
        output_tokens=2_340,
        searches=13,
        pages=22,
        seconds=71.2,
        engines={
            "duckduckgo": {"asked": 9, "answered": 9},
            "tavily": {"asked": 4},
            "github": {"asked": 2, "answered": 1},
            "arxiv": {"asked": 1},
        },
    )

    text = closing(
        "Answered: 2 of 2 points",
        unread,
        failures,
        metrics,
        "openai:a (planning), extractive",
        ["A *note*", "And more."],
    )

    assert text.split("  \n") == [
        "Answered: 2 of 2 points",
        "Read: 22 pages; not read: 2 refused by robots.txt, 1 mislaid"
        " · searched: duckduckgo, tavily answered 0 of 4 (key refused), github",
        "Cost: $0.11 · 71 s · model: openai:a",
        r"Note: A \*note\*. And more.",
    ]


def test_where_nothing_was_assessed_the_supported_claims_are_counted():
    counts = ClaimCount(claims=8, verdicts={"supported": 3, "unsupported": 4, "unverifiable": 1})

    assert evidence_line(counts) == "Evidence: 3 of 8 claims supported"


def test_an_unknown_price_is_said_to_be_unknown_and_nothing_is_nothing():
    text = closing("", [], [], Metrics(usd_known=False), "extractive", [])

    assert text.startswith("Read: 0 pages · searched: no engine")
    assert "Cost: $0.00 and calls of unknown price · " in text


def test_a_small_cost_a_long_time_and_several_notes_are_short():
    metrics = Metrics(usd=0.0042, seconds=961)

    text = closing("Answered: 1 of 1 point", [], [], metrics, "openai:a, client", ["One.", "two"])

    assert text.split("  \n")[2:] == ["Cost: $0.0042 · 16 min · model: openai:a, client", "Note: One. two."]
