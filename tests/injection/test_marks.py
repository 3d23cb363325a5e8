from itertools import pairwise

from deepresearch_mcp.injection.marks import ENGLISH, LIKELY, SURE, mark


def test_every_mark_is_worth_leaving_out_and_says_why() -> None:
    assert LIKELY < SURE
    assert all(LIKELY <= one.confidence <= 1 and one.reason and one.needles for one in ENGLISH)
    assert all(needle == needle.lower() and needle for one in ENGLISH for needle in one.needles)


def test_marks_of_one_reason_stand_together() -> None:
    reasons = [one.reason for one in ENGLISH]

    assert len([one for one, other in pairwise(reasons) if one != other]) < len(reasons)


def test_a_mark_is_made_of_its_needles_and_a_pattern_for_any_case_and_line() -> None:
    made = mark("does this", 0.6, "one|two", r"^one\b", whole=False)

    assert made.needles == ("one", "two")
    assert made.pattern.search("none\nONE two")
    assert not made.whole
