import io
import json
import os
import sys
from types import SimpleNamespace

import pytest

from deepresearch_mcp.web import browser_worker


def test_chromium_is_sandboxed_unless_this_is_root() -> None:
    assert browser_worker.can_be_sandboxed() is (os.geteuid() != 0)


def test_a_job_that_cannot_be_done_is_answered_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    told = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b'{"seconds": "soon"}')))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=told))

    browser_worker.main()

    assert set(json.loads(told.getvalue())) == {"error"}
