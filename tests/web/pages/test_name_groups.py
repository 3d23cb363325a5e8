import pytest

from deepresearch_mcp.web.pages.name_groups import GROUPS, groups_of, named_by


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        ("nav", {"navigation"}),
        ("postBody", {"forum", "content"}),
        ("", set()),
        ("xyz-123", set()),
        ("site__footer", {"foot"}),
    ],
)
def test_a_name_belongs_to_the_groups_of_its_words(names: str, groups: set[str]) -> None:
    found = groups_of(names)

    assert {name for at, name in enumerate(GROUPS) if found & 1 << at} >= groups
    assert bool(found) is bool(groups)


@pytest.mark.parametrize(
    "own_id", ["new-features-related-to-type-hints", "how-to-search", "pep_646_variadic_generics_more"]
)
def test_an_id_made_of_a_heading_s_words_names_no_part_of_a_page(own_id: str) -> None:
    assert named_by(own_id) == ""


@pytest.mark.parametrize("own_id", ["related-posts", "comments", "main-content-area", ""])
def test_other_ids_name_one(own_id: str) -> None:
    assert named_by(own_id) == own_id
