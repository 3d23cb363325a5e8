from deepresearch_mcp.records.places import LANGUAGES, REGIONS


def test_all_codes_have_two_letters_and_are_as_many_as_the_standards_have():
    assert {len(code) for code in LANGUAGES | REGIONS} == {2}
    assert len(REGIONS - {"uk", "eu", "xk"}) == 249
    assert len(LANGUAGES - {"iw", "in", "ji", "jw", "mo", "sh"}) == 184
