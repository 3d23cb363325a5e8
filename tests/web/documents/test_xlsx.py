from datetime import date
from typing import Any

import pytest

from deepresearch_mcp.web.documents.archives import Archive
from deepresearch_mcp.web.documents.xlsx import parse_xlsx
from office_files import workbook

STYLES = (
    '<numFmts><numFmt numFmtId="170" formatCode="yyyy-mm-dd"/><numFmt numFmtId="171" formatCode="0.0%"/></numFmts>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="22"/></cellXfs>'
)


def read(rows: str, **more: Any) -> Any:
    return parse_xlsx(Archive(workbook(rows, styles=STYLES, **more)), 1_000, date(2026, 11, 20))


def test_a_sheet_is_a_table_below_its_name() -> None:
    rows = (
        '<row><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
        '<row><c r="A2"><v>2024</v></c><c r="B2"><v>0.30000000000000004</v></c></row>'
    )

    page = read(rows, strings="<si><t>Year</t></si><si><r><t>Net </t></r><r><t>sales</t></r></si>")

    assert page["text"].startswith("## Sales\n\n| Year | Net sales |\n| --- | --- |\n| 2024 | 0.3 |\n\n## More")


def test_a_hidden_sheet_is_left_out_and_noted() -> None:
    page = read('<row><c r="A1"><v>1</v></c></row>', state="veryHidden")

    assert "More" not in page["text"]
    assert page["flags"] == ["hidden_text"]


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ('<c r="A1" s="1"><v>45413</v></c>', "2024-05-01"),
        ('<c r="A1" s="3"><v>45413.5</v></c>', "2024-05-01 12:00"),
        ('<c r="A1" s="2"><v>0.125</v></c>', "12.5%"),
        ('<c r="A1" t="b"><v>1</v></c>', "TRUE"),
        ('<c r="A1" t="str"><f>A2</f><v>ice</v></c>', "ice"),
        ('<c r="A1" t="s"><v>99</v></c><c r="B1"><v>1</v></c>', " | 1"),
        ('<c r="A1" s="99"><v>7</v></c>', "7"),
        ('<c r="A1" s="1"><v>-5</v></c>', "-5"),
        ('<c r="C1"><v>7</v></c>', " |  | 7"),
    ],
)
def test_a_cell_is_shown_as_excel_shows_it(cell: str, shown: str) -> None:
    assert f"| {shown} |" in read(f"<row>{cell}</row>")["text"].replace("|  |", "|  |")
