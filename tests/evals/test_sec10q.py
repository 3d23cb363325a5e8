"""Questions over a library of filings."""

import json
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.evals.sec10q import figures, measure
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from pdf_files import drawn

LAB = Lab(Extractive(), HandClock())


def filing(owner: str, *lines: str) -> bytes:
    said = (f"{owner} Inc. Quarterly report of a company", *lines)
    return drawn(f"BT /F1 12 Tf 72 700 Td 14 TL {' '.join(f'({line}) Tj T*' for line in said)} ET")


def put(where: Path) -> None:
    (where / "docs").mkdir(parents=True)
    sold = "The company sold goods for net sales of {} million in the quarter, more than ever before."
    for name, owner, sales in (
        ("2023 Q1 VRN", "Varn", "4,711"),
        ("2023 Q2 VARN", "Varn", "5,822"),
        ("2023 Q1 TRM", "Torm", "99"),
    ):
        (where / "docs" / f"{name}.pdf").write_bytes(filing(owner, sold.format(sales)))
    asked = [
        {
            "Question": "What were Varn's net sales in Q2 2023?",
            "Answer": "They were $5.822 billion in Q2 2023, 17% up.\n\nSOURCE(S): 2023 Q2 VARN.pdf",
            "gold_docs": ["2023 Q2 VARN"],
        },
        {"Question": "Which ships did Varn sink?", "Answer": "None.", "gold_docs": ["2023 Q9 VARN"]},
    ]
    (where / "qna.jsonl").write_text("\n".join(map(json.dumps, asked)))


async def test_a_report_is_held_to_the_filings_and_the_numbers_of_the_answer(tmp_path: Path) -> None:
    put(tmp_path / "pdf_sec10q")

    found = await measure(tmp_path, LAB)

    assert found.n == 2
    # 17 was computed: no filing holds it.
    assert found.figures["gold_numbers"] == found.figures["in_filings"] == 0.5
    assert found.figures["gold_documents"] == 0.5
    assert found.notes[0] == "1 answers have numbers."


def test_numbers_are_told_from_names_and_have_no_separators() -> None:
    assert figures("In Q3 of the 10-Q sales of $1,234.5 and 3.870 billion, up 4%") == {"1234.5", "3870", "4"}
    assert figures("0.000%") == {"0"}


async def test_a_filing_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    put(tmp_path / "pdf_sec10q")
    (tmp_path / "pdf_sec10q" / "docs" / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")

    with pytest.raises(InvalidRequest, match=r"broken\.pdf"):
        await measure(tmp_path, LAB)
