"""A report over a collection says where in a file its words stand: the page, and the heading above them."""

from pathlib import Path

from deepresearch_mcp.jobs.collecting import collect
from pdf_files import printed
from small_web import small_web
from whole_runs import checked, opened, researched

ICE = "\n".join(
    f"Ice floats on water at {degrees} degrees because ice is less dense than water of {degrees} degrees."
    for degrees in range(1, 19)
)
LATTICE = "Hydrogen bonds hold the molecules of ice in an open lattice, which is why ice floats on water."


async def test_a_citation_of_a_collection_names_the_page_and_the_heading_above_its_words(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    others = [
        "\n".join(f"Line {line} of page {page} tells of sails, of wind and of trade." for line in range(30))
        for page in range(1, 12)
    ]
    (folder / "ice.pdf").write_bytes(printed(*others, ICE))
    (folder / "bonds.md").write_text(f"# Bonds\n\nSails catch the wind.\n\n## Open lattice\n\n{LATTICE}\n")
    async with small_web() as web, opened(tmp_path / "home", web) as jobs:
        await collect(jobs.runtime, "papers", [str(folder)])
        run = await researched(jobs, collections=["papers"], web=False)
        await checked(jobs, run)

    assert run.status == "completed", run.error
    printed_words, written = (
        next(one for one in run.citations if one.url.endswith(name)) for name in ("ice.pdf", "bonds.md")
    )
    assert (printed_words.page, written.page) == (12, None)
    assert written.heading == "Bonds › Open lattice"
    listed = run.report.split("## References")[1]
    assert "”, p. 12" in listed
    assert "”, under Open lattice" in listed
    assert web.asked == web.read == []
