"""What an analyst is shown of the claims."""

from deepresearch_mcp.pipeline.research.analyst_notes import SHOWN, notes_by_point, point_of
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from pipeline_fakes import claim, page, part

WORDS = ("storm", "glacier", "lantern", "harvest", "compass", "violin", "meadow", "granite", "feather", "anchor")


def facts(number: int, point: str) -> list[Claim]:
    texts = [f"{WORDS[at % 10]} {WORDS[at // 10 % 10]}s number {at} {point}x{at}." for at in range(number)]
    whole = page(f"https://{point}.example/1", " ".join(texts))
    return [claim(whole, text, covers=(point,)) for text in texts]


def test_a_point_with_few_claims_shows_all_of_them_beside_one_with_hundreds() -> None:
    many, few = facts(90, "s1a1"), facts(4, "s2a1")
    [shown] = notes_by_point([SubQuestionEvidence(part(), (*many, *few))], 400)

    assert [one for one in shown.claims if one in few] == few
    assert sum(estimate(one.text[:SHOWN]) for one in shown.claims) <= 400
    assert len(shown.claims) + shown.more == 94


def test_what_repeats_a_claim_on_the_same_point_is_counted_and_not_shown() -> None:
    text = "Ice floats on cold water. Ice floats on the cold water too."
    first, second = (
        claim(page("https://a.example/1", text), said, covers=("d1",))
        for said in ("Ice floats on cold water.", "Ice floats on the cold water too.")
    )
    [shown] = notes_by_point([SubQuestionEvidence(part(), (first, second))])

    assert (len(shown.claims), shown.more) == (1, 1)


def test_the_same_said_of_another_function_option_or_version_is_no_repetition() -> None:
    texts = (
        "Without a running loop pool.gather() emits a deprecation warning.",
        "Without a running loop pool.shield() emits a deprecation warning.",
        "Since 3.9 a running loop without --eager emits a deprecation warning.",
        "Since 3.11 a running loop without --eager emits a deprecation warning.",
        "Since 3.11 a running loop without --late emits a deprecation warning.",
    )
    own = [claim(page("https://a.example/1", " ".join(texts)), said, covers=("d1",)) for said in texts]

    [shown] = notes_by_point([SubQuestionEvidence(part(), tuple(own))])

    assert (list(shown.claims), shown.more) == (own, 0)


def test_a_claim_is_listed_under_its_cell_before_its_deliverable() -> None:
    one = facts(1, "d1")[0]

    assert point_of(one.model_copy(update={"covers": ("h2", "d1", "s1a2")})) == "s1a2"
    assert point_of(one.model_copy(update={"covers": ()})) == ""
