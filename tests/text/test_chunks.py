from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.chunks import LEAST, MOST, best_part, chunks
from deepresearch_mcp.text.tokens import estimate

SENTENCE = "The committee looked at the figures of the third quarter and found them sound. "


def section(title: str, sentences: int) -> str:
    return f"# {title}\n\n" + "\n\n".join(SENTENCE * 5 for _ in range(sentences // 5)) + "\n\n"


def test_chunks_of_a_long_text_hold_800_to_1200_tokens() -> None:
    text = section("Report", 600)
    sizes = [estimate(text[one.start : one.end]) for one in chunks(text)]

    assert len(sizes) > 5
    assert all(LEAST <= size <= MOST for size in sizes[:-1])


def test_a_chunk_repeats_the_last_sentences_of_the_one_before_under_the_same_heading() -> None:
    text = section("Report", 300)

    for before, after in pairwise(chunks(text)):
        assert before.start < after.start < before.end
        assert text[after.start :].startswith("The committee")


def test_a_full_chunk_ends_at_the_next_heading_and_repeats_nothing_across_it() -> None:
    text = section("First", 60) + section("Second", 60)

    first, second = chunks(text)

    assert (first.heading, second.heading) == ("First", "Second")
    assert "Second" not in text[first.start : first.end]
    assert second.start > first.end


def test_small_sections_share_a_chunk_under_what_they_have_in_common() -> None:
    text = "# Birds\n\n## Owls\n\nThey hunt at night.\n\n## Gulls\n\nThey fish by day."

    [one] = chunks(text)

    assert one.heading == "Birds"
    assert "hunt" in text[one.start : one.end]
    assert "fish" in text[one.start : one.end]


def test_the_part_shown_is_the_one_that_answers() -> None:
    text = section("Report", 20) + "## Fees\n\nThe fee rose to nine euros.\n\n" + section("End", 20)
    [one] = chunks(text)

    part = best_part(text, one, "What is the fee?")

    assert "nine euros" in text[part.start : part.end]
    assert part.end - part.start < 1_400
    assert part.heading.endswith("Fees")
    assert best_part(text, one, "zebra").start >= one.start


@given(st.text(max_size=3_000))
def test_chunks_cover_every_word_in_order(text: str) -> None:
    found = chunks(text)

    assert all(one.start < other.start and one.end <= other.end for one, other in pairwise(found))
    for one in found:
        part = best_part(text, one, "a b")
        assert one.start <= part.start < part.end <= one.end
