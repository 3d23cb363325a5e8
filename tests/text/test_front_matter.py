import pytest

from deepresearch_mcp.text.front_matter import front_matter


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b'---\nTitle: "Ice"\ndate: 2024-05-01\n---\nText', {"title": "Ice", "date": "2024-05-01"}),
        (b"\xef\xbb\xbf---\r\na: 1\r\n---\r\n", {"a": "1"}),
        (b"---\ntags: [x, 'y z', ]\nnested:\n  deep: 1\n- item\n---\n", {"tags": "x, y z"}),
        (b"---\na: 1\nnever closed", {}),
        (b"# Text\n---\na: 1\n---\n", {}),
        (b"", {}),
    ],
)
def test_single_lines_of_front_matter_are_read_and_all_else_is_left_out(body: bytes, found: dict[str, str]) -> None:
    assert front_matter(body) == found
