from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.web.library.source import Found, Read


def test_what_a_source_holds_starts_without_anything_passed_over() -> None:
    found = Found((FileStamp("a.md", 1, 1),))

    assert not found.passed
    assert not Read("hash", None).facts
