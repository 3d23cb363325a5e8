"""Gate 3: sources that have their words from one another are one."""

from collections.abc import Sequence

from changing_places import at_once
from deepresearch_mcp.pipeline.witnesses import Witnesses, publisher
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.sources import Document
from pipeline_fakes import claim, page

SAID = "The board will build a second quay by next summer."
RELEASE = (
    "The harbour board of the town met on Monday evening to talk about the ferries to the islands. "
    f"{SAID} It will cost less than had been feared in spring, as the old stones can be used again, "
    "and nobody who lives near the water will have to move away while the work is going on."
)


def own(number: int, length: int = 400) -> str:
    """Words that no other page has."""
    return " ".join(f"word{number}x{at}" for at in range(length)) + "."


def counted(documents: Sequence[Document], said: str = SAID) -> int:
    quotes = [claim(one, said).quotes[0] for one in documents]
    whole = claim(documents[0], said).model_copy(update={"quotes": tuple(quotes)})
    return Witnesses({one.source_id: one for one in documents}).count(whole).independent


def pages(*texts: str) -> list[Document]:
    return [page(f"https://site{number}.example/1", text) for number, text in enumerate(texts)]


def test_one_press_release_inside_two_pages_is_one_source() -> None:
    edited = RELEASE.replace("on Monday evening", "on Monday").replace("in spring", "at first")

    assert counted(pages(f"{own(0)} {RELEASE} {own(1)}", f"{own(2)} {edited} {own(3)}")) == 1


def test_pages_that_share_one_short_sentence_are_two_sources() -> None:
    assert counted(pages(f"{own(0)} {SAID} {own(1)}", f"{own(2)} {SAID} {own(3)}")) == 2


def test_two_sentences_of_one_release_are_one_source_though_the_words_quoted_differ() -> None:
    one, other = pages(f"{own(0)} {RELEASE} {own(1)}", f"{own(2)} {RELEASE} {own(3)}")
    cost = "It will cost less than had been feared in spring"
    both = claim(one, SAID).model_copy(update={"quotes": (claim(one, SAID).quotes[0], claim(other, cost).quotes[0])})

    assert Witnesses({d.source_id: d for d in (one, other)}).count(both).independent == 1


def test_a_short_notice_that_stands_in_a_longer_page_is_that_page() -> None:
    notice = f"The harbour board of the town met on Monday evening to talk about the ferries to the islands. {SAID}"

    assert counted(pages(notice, f"{own(2)} {notice} {own(3)}")) == 1


def test_a_sentence_that_both_have_from_one_agency_is_one_source() -> None:
    sentence = "The board of the harbour will build a second quay for the ferries by next summer."
    first = f"{own(0)} According to Reuters, {own(1, 9)} {sentence} {own(1)}"
    second = f"OSLO (Reuters) - {own(2)} {sentence} {own(3)}"
    third = f"{own(4)} {sentence} {own(5)}"

    assert counted(pages(first, second), sentence) == 1
    assert counted(pages(first, third), sentence) == 2


def test_what_is_one_with_a_third_is_one() -> None:
    release = pages(f"{own(0)} {RELEASE} {own(1)}", f"{own(2)} {RELEASE} {own(3)}")
    neighbour = page("https://www.site1.example/2", f"{own(4)} {SAID} {own(5)}")

    assert counted([*release, neighbour]) == 1


def test_two_publishers_are_not_one_for_good_because_one_reprinted_the_other_once() -> None:
    article = " ".join(f"Sentence number {number} of the article says something." for number in range(30))
    reprints = [page(f"https://{site}.example/copy", article) for site in ("a", "b")]
    others = [page(f"https://{site}.example/own", f"{own(n)} {SAID} {own(n + 7)}") for n, site in enumerate("ab")]
    quotes = tuple(claim(one, SAID).quotes[0] for one in others)
    whole = claim(others[0], SAID).model_copy(update={"quotes": quotes})

    assert Witnesses({d.source_id: d for d in (*reprints, *others)}).count(whole).independent == 2


def test_copies_of_copies_are_one_text() -> None:
    parts = [own(number, 9) for number in range(60)]
    first, second = " ".join(parts[:36]), " ".join(parts[24:])
    documents = pages(f"{SAID} {first}", f"{second} {SAID}", f"{SAID} {' '.join(parts)}")

    assert counted(documents[:2]) == 2
    assert counted(documents) == 1


def test_a_longer_copy_that_no_one_quotes_shows_that_two_pages_are_one_text() -> None:
    parts = [own(number, 9) for number in range(60)]
    one, other = pages(f"{SAID} {' '.join(parts[:36])}", f"{' '.join(parts[24:])} {SAID}")
    whole = page("https://whole.example/1", " ".join(parts))
    both = claim(one, SAID).model_copy(update={"quotes": (claim(one, SAID).quotes[0], claim(other, SAID).quotes[0])})

    assert Witnesses({d.source_id: d for d in (one, other, whole)}).count(both).independent == 1


def test_a_page_that_is_not_at_hand_is_a_source_of_its_own() -> None:
    one, other = pages(f"{SAID} {own(0)}", f"{SAID} {own(1)}")
    whole = claim(one, SAID)
    whole = Claim(**(dict(whole) | {"quotes": (*whole.quotes, *claim(other, SAID).quotes)}))

    assert Witnesses({}).count(whole).independent == 2
    assert publisher(one) == "site0.example"


def test_sources_that_are_not_good_enough_are_counted_and_back_nothing() -> None:
    documents = pages(f"{own(0)} {SAID}", f"{own(1)} {SAID}", f"{own(2)} {SAID}")
    quotes = tuple(claim(one, SAID).quotes[0] for one in documents)
    whole = claim(documents[0], SAID).model_copy(update={"quotes": quotes})
    known = {one.source_id: one for one in documents}

    found = Witnesses(known, lambda document: document is documents[0]).count(whole)

    assert (found.independent, found.corroborating, found.backing, found.thin) == (3, 1, 1, True)
    assert Witnesses(known).count(whole).backing == 3


def test_a_copy_on_a_good_site_makes_its_text_good_enough() -> None:
    first, second = pages(f"{own(0)} {SAID} {own(1)}", f"{own(0)} {SAID} {own(1)}")
    quotes = tuple(claim(one, SAID).quotes[0] for one in (first, second))
    both = claim(first, SAID).model_copy(update={"quotes": quotes})

    found = Witnesses({d.source_id: d for d in (first, second)}, lambda document: document is second).count(both)

    assert (found.independent, found.corroborating) == (1, 1)


def test_a_claim_of_a_run_of_before_is_backed_by_all_its_sources() -> None:
    old = claim(pages(own(0) + SAID)[0], SAID).model_copy(update={"independent": 2})

    assert (old.corroborating, old.backing, old.thin) == (None, 2, False)


def test_equal_pages_can_be_counted_by_many_runs_at_once() -> None:
    def run() -> set[int]:
        # Each run holds pages of its own, equal to those of the others, and lets them go while others count.
        one, other = pages(SAID, SAID)
        return {
            counted([document.model_copy(update={"screening": None}) for document in (one, other)]) for _ in range(600)
        }

    assert at_once(run) == [{1}] * 8
