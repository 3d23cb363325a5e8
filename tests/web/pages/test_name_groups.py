import pytest

from deepresearch_mcp.web.pages.name_groups import GROUPS, groups_of


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
