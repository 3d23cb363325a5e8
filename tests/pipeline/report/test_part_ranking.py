"""Which passages answer a part of a question."""

from deepresearch_mcp.pipeline.report.part_ranking import PartRanking
from deepresearch_mcp.pipeline.report.passage_pool import PassagePool
from pipeline_fakes import page, part

TOOK = "Row locks are taken when a row is changed and are held to the end."
COPY = "Backups are copies of files."
PAGES = [
    page(f"https://{name.casefold()}.example/{at}", f"# {title}\n\n{text}", title=f"{title} — {name} Manual")
    for name in ("Orasql", "Belvo")
    for at, (title, text) in enumerate([("Row locks", f"In {name}: {TOOK}"), ("Backups", COPY)])
]


def test_a_part_about_two_things_has_passages_of_each_in_turn() -> None:
    asked = part("q1", "Orasql and Belvo: row locks")
    pool = PassagePool({one.source_id: one for one in PAGES}, (), [asked.text, "Orasql", "Belvo"])
    ranking = PartRanking(pool, ("Orasql", "Belvo"), "en", chained=False, at_home=True)

    found = ranking.of(asked, several=True)

    assert [one.passage.document.site for one in found[:2]] == ["orasql.example", "belvo.example"]
