import resource
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.evals.pdf import measure
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from pdf_files import drawn

LAB = Lab(Extractive(), HandClock())


def put(where: Path, **files: bytes) -> None:
    where.mkdir()
    for name, content in files.items():
        (where / name.replace("_", ".")).write_bytes(content)


async def test_pairs_are_scored_and_broken_files_end_with_a_reason(tmp_path: Path) -> None:
    floats = drawn("BT /F1 12 Tf 72 700 Td (Ice floats on cold water.) Tj ET")
    put(tmp_path / "pdf_pairs", a_pdf=floats, a_txt=b"Ice floats on cold water.", b_pdf=floats, b_txt=b"Ice sinks.")
    put(tmp_path / "pdf_robust", cut_pdf=floats[:200], none_pdf=b"%PDF-1.4")

    # The system counts all children of this process, which may have run others before; and what is started from a
    # large process is as large until its own program runs.
    before = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)) / 1024
    result = await measure(tmp_path, LAB)

    assert result.n == 4
    assert result.figures["token_f1"] == pytest.approx((1 + 2 / 7) / 2)
    assert result.figures["gram_f1"] == 0.5
    assert (result.figures["crashes"], result.figures["hangs"]) == (0, 0)
    assert result.figures["peak_mb"] < max(512, before + 64)


async def test_a_set_without_pairs_is_told(tmp_path: Path) -> None:
    put(tmp_path / "pdf_pairs")

    with pytest.raises(InvalidRequest, match="no pair"):
        await measure(tmp_path, LAB)
