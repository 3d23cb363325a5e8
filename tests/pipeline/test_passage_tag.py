"""What the tag of a passage carries of a claim, and what it does not."""

from datetime import date

import pytest

from deepresearch_mcp.pipeline.machine_gate import by_machine
from deepresearch_mcp.records.evidence import Verdict
from pipeline_fakes import claim, page

LIST = "The tokenizers are these:\n\n- plain\n- folded\n- stemmed\n\nThey may differ. It waits for 5 seconds."
TOKENS = page(
    "https://docs.example/searchlib/4.1/tokens",
    f"# The 12-step setup\n\n## 3 Tokenizers\n\n{LIST} The lock of OtherThing 9.9+ is kept.",
    title="searchlib.text.tokens: four modes of use",
).model_copy(update={"published": date(2022, 9, 24)})
ITEMS = "The tokenizers are these:\n\n- plain\n- folded\n- stemmed"


def verdict(quote: str, text: str) -> Verdict:
    made = claim(TOKENS, quote, text, verdict="unverifiable")
    headed = made.quotes[0].model_copy(update={"heading": f"{TOKENS.title} › The 12-step setup › 3 Tokenizers"})
    return by_machine(made.model_copy(update={"quotes": (headed,)}), {TOKENS.source_id: TOKENS}).verdict


@pytest.mark.parametrize(
    "text",
    [
        "According to the page dated 2022-09-24, it waits for 5 seconds.",
        "The page (2022-09-24) says that it waits for 5 seconds.",
        "The documentation of 24 September 2022 says that it waits for 5 seconds.",
        "As of September 2022, it waits for 5 seconds.",
        "As of 2022, it waits for 5 seconds.",
        "In searchlib 4.1, it waits for 5 seconds.",
        "The 12-step setup waits for 5 seconds.",
        "The twelve-step setup waits for 5 seconds.",
        "In the 4 modes it waits for 5 seconds.",
        "searchlib.text.tokens waits for 5 seconds.",
        "It waits for five seconds.",
        "It waits for 5 seconds in all three.",
        "Of these only the first two wait for 5 seconds, and it waits between the two.",
        "It waits for 5 seconds (2022-09-24).",
        "It waits for 5 seconds (searchlib of 2022).",
        "A tutorial of 2022 says that it waits for 5 seconds.",
        "It waits for 5 seconds, says the 2022 Searchlib how-to.",
    ],
)
def test_what_the_tag_says_needs_no_quote(text: str) -> None:
    assert verdict("It waits for 5 seconds.", text) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "It waits for 5 seconds since 2022-09-24.",
        "Since 24 September 2022 it waits for 5 seconds.",
        "In 2022 it waited for 5 seconds.",
        "As of 2021, it waits for 5 seconds.",
        "According to the page dated 2022-09-25, it waits for 5 seconds.",
        "According to the page, it waits for 2022 seconds.",
        "In searchlib 4.2, it waits for 5 seconds.",
        "In otherlib 4.1, it waits for 5 seconds.",
        "It waits for 4.1 seconds.",
        "It waits for 12 seconds.",
        "It waits in 12 places for 5 seconds.",
        "It has 3 tokenizers, and it waits for 5 seconds.",
        "It waits for four seconds.",
        "It waits three times for 5 seconds.",
        "evil.text.tokens.example waits for 5 seconds.",
        "It waits for 5 seconds (2022-09-25).",
        "It waits for 5 seconds (2021).",
        "It waits for 5 seconds (4.2).",
        "It waits for 5 seconds (2 times).",
        "It waits for 5 seconds after the first two attempts.",
        "The 2021 how-to says that it waits for 5 seconds.",
    ],
)
def test_a_number_of_the_matter_is_never_taken_from_the_tag(text: str) -> None:
    assert verdict("It waits for 5 seconds.", text) == "unsupported"


CHANGES = page(
    "https://docs.example/changes",
    "# Changes\n\nDeprecate the lock in favour of the key. It will be removed in 4.3.",
    title="Changes — Searchlib 4.2.25 documentation",
).model_copy(update={"published": date(2019, 7, 10)})


@pytest.mark.parametrize(
    ("under", "text", "expected"),
    [
        (
            "Searchlib 4.1.0 alpha 3 › Library",
            "The changelog of Searchlib 4.1.0 alpha 3 deprecates the lock.",
            "supported",
        ),
        (
            "Searchlib 4.1.0 alpha 3 › Library",
            "In 4.1 (changelog of 4.1.0 alpha 3) the lock is obsolete.",
            "unsupported",
        ),
        ("Searchlib 4.1.0 alpha 3", "Searchlib 4.1 (changelog of 4.1.0 alpha 3) deprecates the lock.", "supported"),
        ("Searchlib 4.1.0 alpha 3", "The changelog of Searchlib 4.1.0 alpha 4 deprecates the lock.", "unsupported"),
        ("Searchlib 4.1.0 alpha 3", "The lock is deprecated in 3 ways.", "unsupported"),
        ("What’s New In Searchlib 4.1", "What's new in Searchlib 4.1 deprecates the lock.", "supported"),
        ("What’s New In Searchlib 4.1", "What's new in Searchlib 4.0 deprecates the lock.", "unsupported"),
        ("Searchlib Release 4.1.9 On 2019-07-10", "Searchlib 4.1.9 (2019-07-10) deprecates the lock.", "supported"),
        ("Searchlib Release 4.1.9 On 2019-07-10", "Searchlib 4.1.8 (2019-07-10) deprecates the lock.", "unsupported"),
        ("Searchlib Release 4.1.9 On 2019-07-10", "Otherlib 4.1.9 deprecates the lock.", "unsupported"),
        ("1.4 Changes › 4.1.40 › core", "Searchlib 4.1.40 deprecates the lock.", "supported"),
        ("PEP 654: Keys", "PEP 654 deprecates the lock.", "supported"),
        ("PEP 654: Keys", "The lock is deprecated for 654 users.", "unsupported"),
        ("Locks", "Searchlib's documentation (4.2) deprecates the lock.", "supported"),
        ("Locks", "Searchlib deprecates the lock (version 4).", "supported"),
        ("Locks", "Searchlib deprecates the lock (4 of them).", "unsupported"),
        ("13.3. Locks", "Searchlib deprecates the lock (13.3).", "unsupported"),
    ],
)
def test_a_version_is_told_as_the_title_and_the_headings_give_it(under: str, text: str, expected: Verdict) -> None:
    made = claim(CHANGES, "Deprecate the lock in favour of the key.", text, verdict="unverifiable")
    headed = made.quotes[0].model_copy(update={"heading": f"{CHANGES.title} › {under}"})

    checked = by_machine(made.model_copy(update={"quotes": (headed,)}), {CHANGES.source_id: CHANGES})

    assert checked.verdict == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There are three tokenizers: plain, folded and stemmed.", "supported"),
        ("There are four tokenizers: plain, folded and stemmed.", "unsupported"),
        ("The tokenizers are plain, folded and stemmed, three times each.", "unsupported"),
        ("The tokenizers, plain, folded and stemmed, wait three seconds.", "unsupported"),
    ],
)
def test_the_number_of_listed_entries_is_counted_and_measures_are_not(text: str, expected: Verdict) -> None:
    assert verdict(ITEMS, text) == expected


def test_the_version_of_another_thing_does_not_hide_that_of_the_title() -> None:
    document = page("https://a.example/", "The lock of OtherThing 9.9+ is kept.", title="Searchlib 4.1.2 documentation")
    documents = {document.source_id: document}

    def said(text: str) -> Verdict:
        return by_machine(claim(document, "The lock of OtherThing 9.9+ is kept.", text), documents).verdict

    assert said("In Searchlib 4.1 the lock of OtherThing is kept.") == "supported"
    assert said("In Searchlib 4.2 the lock of OtherThing is kept.") == "unsupported"


def test_of_an_endless_title_only_the_start_gives_a_version_and_of_headings_the_end() -> None:
    title = " › ".join(f"Lib {at}.1.0" for at in range(2_000))
    document = page("https://a.example/", "It waits.", title=title)

    def said(text: str, heading: str) -> Verdict:
        made = claim(document, "It waits.", text, verdict="unverifiable")
        headed = made.quotes[0].model_copy(update={"heading": heading})
        return by_machine(made.model_copy(update={"quotes": (headed,)}), {document.source_id: document}).verdict

    assert said("It waits (3.1.0).", "") == "supported"
    assert said("It waits (1999.1.0).", "") == "unsupported"
    assert said("It waits (1999.1.0).", title) == "supported"
    assert said("It waits (1000.1.0).", title) == "unsupported"
