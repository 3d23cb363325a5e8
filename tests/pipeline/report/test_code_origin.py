"""Whose code an example is."""

import pytest

from deepresearch_mcp.pipeline.report.code_origin import origin_of

PAGES = {"s1": "Prose with git fsck in it.\n", "s2": "```\n>>> import ice\n>>> ice.float()  # -- up\n```\n    x = 1\n"}


@pytest.mark.parametrize(
    ("code", "page"),
    [
        ("import ice\n\n# A comment.\nice.float()", "s2"),
        ("x = 1  # one", "s2"),
        ("import ice\nice.sink()", ""),
        ("git fsck", ""),
        ("# Nothing but a comment", ""),
        ("", ""),
    ],
)
def test_code_is_a_page_s_if_each_of_its_lines_is_a_line_there(code: str, page: str):
    assert origin_of(code, PAGES) == page
