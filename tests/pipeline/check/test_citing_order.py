from deepresearch_mcp.cited_text.parse import parse_cited_text
from deepresearch_mcp.pipeline.check.citing_order import cited_addresses, in_batches
from pipeline_fakes import claim, page

ICE = page("https://one.example/ice", "Ice floats. It may melt.")


def test_the_first_page_of_every_statement_is_read_before_the_second_of_any() -> None:
    text = "Ice floats [1][2]. Lakes freeze [3][1].\n\n[1]: https://a.example\n[2]: https://b.example\n[3]: https://c.example"

    assert list(cited_addresses(parse_cited_text(text).claims)) == [
        "https://a.example",
        "https://c.example",
        "https://b.example",
    ]


def test_claims_are_judged_together_as_far_as_their_texts_fit() -> None:
    claims = [claim(ICE, "Ice floats.", claim_id=f"c{number}") for number in range(5)]
    one = len(claims[0].text) + len(claims[0].quotes[0].context)

    assert [len(batch) for batch in in_batches(claims, 2 * one)] == [2, 2, 1]
    assert [len(batch) for batch in in_batches(claims, 1)] == [1] * 5
    assert list(in_batches([], 100)) == []
