"""What the units of pages are."""

from deepresearch_mcp.pipeline.research.passage_index import PassageIndex
from pipeline_fakes import page


def test_an_entry_with_its_signature_is_one_unit_that_its_label_names() -> None:
    entry = f"* timeout(delay)\n: Ends it. {'It waits for the delay and then raises. ' * 25}"
    document = page("https://a.example/1", f"# Tasks\n\n{entry}\n\n* wait(aw)\n: {'Waits for all of them. ' * 50}\n")

    first, second = PassageIndex().units([document])

    assert (first.heading, second.heading) == ("Tasks › timeout(delay)", "Tasks › wait(aw)")
    assert document.text[first.start : first.end].startswith("* timeout(delay)\n: Ends it.")
    assert first.head["timeout"] == 1 < first.body["timeout"]


def test_a_page_that_was_read_anew_is_cut_anew() -> None:
    index = PassageIndex()
    before, after = (
        page("https://a.example/1", "Ice floats on water."),
        page("https://a.example/1", "Ice is not heavy."),
    )

    assert before.source_id == after.source_id
    assert index.units([before]) != index.units([after])
    assert index.units([before])[0] is index.units([before])[0]
