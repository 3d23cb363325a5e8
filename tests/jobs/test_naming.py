from deepresearch_mcp.jobs.naming import fingerprint, new_run_id
from deepresearch_mcp.records.request import ResearchRequest


def test_ids_are_long_and_no_two_are_alike():
    ids = {new_run_id() for _ in range(500)}

    assert len(ids) == 500
    assert {len(one) for one in ids} == {26}
    assert set("".join(ids)) <= set("0123456789abcdefghjkmnpqrstvwxyz")


def test_requests_that_ask_the_same_have_one_fingerprint_for_each_caller():
    one = ResearchRequest(question="Why  does ice float?", include_domains=("b.org", "a.org"))
    same = ResearchRequest(question="Why does ice float?", include_domains=("a.org", "b.org"), breadth=6)

    assert fingerprint(one, "local") == fingerprint(same, "local")
    assert fingerprint(one, "local") != fingerprint(one, "other")
    assert fingerprint(one, "local") != fingerprint(one.model_copy(update={"depth": 1}), "local")
