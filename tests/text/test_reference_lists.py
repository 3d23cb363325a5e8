"""Lists of references, told from running text."""

from deepresearch_mcp.text.reference_lists import is_reference_list


def test_running_text_with_a_citation_or_two_is_no_list_of_references() -> None:
    cited = "Smith et al. (doi:10.1/x) found that ice floats, as Jones et al. had."

    assert not is_reference_list("Results › What was found", cited)
    assert is_reference_list("Results", f"{cited} Roe et al., pp. 3. Doe et al., vol. 2.")
    assert is_reference_list("Meditation › Key References", "")
    assert not is_reference_list("Sources of error", "")
