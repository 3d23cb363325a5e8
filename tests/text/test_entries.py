from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.entries import enclosing, entries

TEXT = """Intro.
* timeout(delay)
: Limits the time.

  - a point
  * class Timeout
  * class Timer
  : What is made.
    ```
: no entry
* none
    ```
  It may be nested.
: Said twice.
* alone

* next
: The last.
Outro."""


def titled(text: str) -> list[tuple[str, str]]:
    return [(one.title, text[one.start : one.end]) for one in entries(text)]


def test_an_entry_holds_its_terms_and_all_that_is_said_under_them() -> None:
    found = entries(TEXT)

    assert [one.title for one in found] == ["timeout(delay)", "class Timeout, class Timer", "next"]
    assert TEXT[found[0].start : found[0].end] == TEXT[TEXT.index("* timeout") : TEXT.index("\n* alone")]
    assert TEXT[found[1].start : found[1].end].endswith("* none\n    ```")
    assert TEXT[found[2].start : found[2].end] == "* next\n: The last."
    assert [one.above for one in found] == [None, found[0], None]


def test_a_stretch_stands_in_the_entries_that_hold_the_whole_of_it() -> None:
    found = entries(TEXT)

    def over(words: str) -> list[str]:
        at = TEXT.index(words)
        return [one.title for one in enclosing(found, at, at + len(words))]

    assert over("What is made.") == ["timeout(delay)", "class Timeout, class Timer"]
    assert over("It may be nested.") == ["timeout(delay)"]
    assert over("Said twice.\n* alone") == []
    assert over("Intro.") == over("Outro.") == over("alone") == []


def test_a_long_signature_is_named_without_its_parameters_and_a_long_term_cut_between_words() -> None:
    long = "argument, " * 20

    assert titled(f"* run({long})\n: Runs.")[0][0] == "run(…)"
    assert titled(f"* --all\n* --{'x' * 120}\n: All.")[0][0] == "--all"
    assert titled(f"* {long}\n: All.")[0][0] == "argument, " * 11 + "argument,…"


def test_a_list_without_definitions_and_a_listing_have_no_entries() -> None:
    assert entries("* one\n* two\n- three\n: no term\n```\n* a\n: b\n```") == []
    assert entries("") == []


def test_a_long_list_takes_no_endless_time() -> None:
    assert entries("* item\n" * 100_000 + "- end") == []


@given(st.text(alphabet="ab*: \n`-", max_size=200))
def test_entries_are_in_order_and_within_those_above_them(text: str) -> None:
    at = -1
    for one in entries(text):
        assert at < one.start < one.end <= len(text)
        assert one.above is None or (one.above.start < one.start and one.end <= one.above.end)
        at = one.start
