import json
from datetime import date
from typing import Any

import pytest

from deepresearch_mcp.web.documents.notebooks import notebook_of, parse_notebook


def read(*cells: Any) -> Any:
    text = json.dumps({"nbformat": 4, "metadata": {"language_info": {"name": "python"}}, "cells": cells})
    notebook = notebook_of(text)
    assert notebook is not None
    return parse_notebook(notebook, 1_000, date(2026, 11, 20))


def test_cells_are_text_code_and_results_in_order() -> None:
    code = {"cell_type": "code", "source": "1 + 1", "outputs": [{"data": {"text/plain": ["2"]}}, {"text": "out"}]}

    page = read({"cell_type": "markdown", "source": ["# Ice\n", "floats"]}, code)

    assert page["text"] == "# Ice\nfloats\n\n```python\n1 + 1\n```\n\n```\n2\n```\n\n```\nout\n```"
    assert page["title"] == "Ice"


@pytest.mark.parametrize("cell", [None, 7, {"source": 7}, {"cell_type": "code", "source": [None], "outputs": 3}])
def test_odd_cells_are_empty(cell: Any) -> None:
    assert read(cell)["reason"] == "empty"


@pytest.mark.parametrize("text", ["[]", '{"nbformat": 4}', '"nbformat"', '{"cells": []}', '{"nbformat"'])
def test_other_json_is_no_notebook(text: str) -> None:
    assert notebook_of(text) is None
