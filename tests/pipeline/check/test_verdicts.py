from deepresearch_mcp.cited_text.parse import parse_cited_text
from deepresearch_mcp.pipeline.check.evidence import CitedPage
from deepresearch_mcp.pipeline.check.verdicts import CitedPair, checked, name_of_mark, paired
from deepresearch_mcp.records.evidence import Judgement, Verdict
from deepresearch_mcp.records.sources import Unread
from pipeline_fakes import page

ICE = page("https://ice.example/a", "Ice floats on water. Lakes freeze from above.", title="Ice")
TEXT = "Ice floats on water [1][2][3].\n\n[1]: https://ice.example/a\n[2]: https://b.example\n[3]: https://c.example"
[STATEMENT] = parse_cited_text(TEXT).claims


def read(number: int, verdict: Verdict, reason: str = "") -> CitedPair:
    return CitedPair(
        STATEMENT.marks[number], CitedPage(ICE).find(STATEMENT.text), read=True, verdict=verdict, reason=reason
    )


def unread(number: int) -> CitedPair:
    url = STATEMENT.marks[number].url
    return paired(CitedPair(STATEMENT.marks[number], unread=Unread(url=url, reason="not_found")), {})


def judged(pair: CitedPair, verdict: Verdict, reason: str = "") -> CitedPair:
    assert pair.found
    name = pair.found.claim.claim_id
    return paired(pair, {name: Judgement(claim_id=name, verdict=verdict, reason=reason)})


def test_any_page_that_supports_wins_and_its_words_are_shown() -> None:
    one = checked(STATEMENT, [read(0, "unsupported"), read(1, "supported"), unread(2)], {ICE.source_id: ICE})

    assert (one.verdict, one.reason, one.cites) == ("supported", "", ("[1]", "[2]", "[3]"))
    assert one.quotes[0].text == "Ice floats on water."
    assert one.url == ICE.url
    assert one.link == f"{ICE.url}#:~:text=Ice%20floats%20on%20water."
    assert TEXT[one.start : one.end] == "Ice floats on water [1][2][3]."


def test_a_number_for_many_quotes_of_a_page_is_named_as_it_is_written() -> None:
    letters = [*"abcdefg"]
    quotes = [f"  - {one} “Ice floats {one}.” [↗](<{ICE.url}#s:~:text=Ice%20floats%20{one}.>)" for one in letters]
    listed = "\n".join(["## References", "", "- [1] “Ice”, ice.example, undated", *quotes])

    [some] = parse_cited_text(f"Ice floats on water [1a,b].\n\n{listed}").claims
    [whole] = parse_cited_text(f"Ice floats on water [1].\n\n{listed}").claims

    found = [CitedPair(mark, CitedPage(ICE).find(whole.text), read=True, verdict="supported") for mark in whole.marks]
    assert len(found) == len(letters)
    one = checked(whole, found, {ICE.source_id: ICE})
    assert (one.verdict, one.cites, one.urls) == ("supported", ("[1]",), (f"{ICE.url}#s",))
    assert checked(some, found[:2], {}).cites == ("[1a]", "[1b]")


def test_a_part_wins_over_a_dispute_and_a_dispute_over_silence() -> None:
    pairs = [read(0, "unsupported", "no"), read(1, "disputed", "otherwise"), read(2, "partly", "less")]

    assert checked(STATEMENT, pairs, {}).verdict == "partly"
    assert checked(STATEMENT, pairs[:2], {}).reason == "[2]: otherwise"


def test_silence_is_told_apart_from_a_page_that_no_one_could_read() -> None:
    silent = checked(STATEMENT, [read(0, "unsupported", "not said"), read(1, "unsupported", "not said")], {})
    unsure = checked(STATEMENT, [read(0, "unsupported", "not said"), unread(1)], {})
    dead = checked(STATEMENT, [unread(1)], {})

    assert (silent.verdict, silent.reason) == ("unsupported", "[1]: not said")
    assert (unsure.verdict, unsure.reason) == ("unverifiable", "[1]: not said; [2]: the page was not read: not found")
    assert (dead.verdict, dead.reason, dead.quotes) == ("unverifiable", "the page was not read: not found", ())


def test_a_shut_gate_needs_no_judge_and_an_open_one_needs_one() -> None:
    found = CitedPage(ICE).find("Ice floats on 12 waters.", "en")
    shut = CitedPair(STATEMENT.marks[0], found, read=True)
    open_pair = CitedPair(STATEMENT.marks[0], CitedPage(ICE).find(STATEMENT.text), read=True)

    assert judged(shut, "supported").verdict == "disputed"
    assert judged(open_pair, "supported").verdict == "supported"
    assert judged(open_pair, "unsupported", "it says less").reason == "it says less"
    assert paired(open_pair, {}).verdict == "unverifiable"
    assert paired(CitedPair(STATEMENT.marks[0], None, read=True), {}).verdict == "unsupported"


def test_a_judge_cannot_find_what_hardly_stands_there() -> None:
    text = "Zebras and lions and camels and giraffes drink water every morning."
    found = CitedPage(ICE).find(text, "en")
    pair = CitedPair(STATEMENT.marks[0], found, read=True)

    assert (judged(pair, "supported").verdict, judged(pair, "supported").by) == ("unsupported", "machine")


def test_in_another_language_only_a_yes_counts() -> None:
    pair = CitedPair(STATEMENT.marks[0], CitedPage(ICE).find(STATEMENT.text), read=True, foreign=True)

    assert judged(pair, "supported").verdict == "supported"
    assert judged(pair, "unsupported").verdict == "unverifiable"
    assert paired(pair, {}).reason == "the page is in another language: only a model could compare them"
    assert paired(CitedPair(STATEMENT.marks[0], None, read=True, foreign=True), {}).verdict == "unverifiable"


def test_marks_that_lead_nowhere_say_why() -> None:
    body = "Ice floats [1][7], says Doe (Doe, 2001), so [it is](https://a.example)."
    text = (
        f"{body} Lakes freeze from above in winter [2].\n\n## References\n[1] A book.\n[2] Ice. library://docs/ice.md"
    )
    statement, shelved = parse_cited_text(text).claims
    reasons = [paired(CitedPair(mark), {}).reason for mark in statement.marks]

    assert reasons == [
        "the reference names no address",
        "there is no such reference",
        "it names an author and a year, and no address",
        "the page was not read: past a limit of the run",
    ]
    assert [name_of_mark(mark) for mark in statement.marks] == ["[1]", "[7]", "(Doe, 2001)", "a.example"]
    assert paired(CitedPair(shelved.marks[0]), {}).reason.startswith("it is a document of a local collection")


def test_a_denial_that_may_be_none_shuts_the_gate_to_everybody_but_a_reader() -> None:
    page_of = page("https://lock.example/a", "Other ships are prevented from entering or leaving the port in winter.")
    found = CitedPage(page_of).find("Other ships cannot enter or leave the port in winter.", "en")
    pair = CitedPair(STATEMENT.marks[0], found, read=True)
    assert found
    assert found.unsure
    name = found.claim.claim_id

    assert judged(pair, "supported").verdict == "supported"
    assert judged(pair, "unverifiable").by == "machine"
    alone = paired(pair, {name: Judgement(claim_id=name, verdict="supported", by="machine")})
    assert alone.verdict != "supported"
    assert paired(pair, {}).verdict == alone.verdict


def test_a_flat_denial_is_no_readers_business() -> None:
    found = CitedPage(ICE).find("Ice never floats on water.", "en")

    assert found
    assert not found.unsure
    assert judged(CitedPair(STATEMENT.marks[0], found, read=True), "supported").by == "machine"
