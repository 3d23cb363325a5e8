import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.multihop import CITATIONS, cited, hotpot, is_told, musique, questions
from deepresearch_mcp.evals.registry import missed
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.report import Citation, Section
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
LAB = Lab(Extractive(), HandClock())

PAPERS = {
    "aa01": ("Grey Harbour", "Grey Harbour is a picture of the sea by the painter Ottilie Brandt."),
    "aa02": ("Ottilie Brandt", "Ottilie Brandt was a painter who was born in the town of Wesselau on the river Ilm."),
    "bb01": ("Cheese of Tarn", "The cheese of Tarn is a cheese that is ripened for ninety days."),
    "bb02": ("Quarries", "Slate was cut in the quarries until the railway had no more use for roofs."),
}
CHAIN = {"id": "k1", "text": "Where was the painter of Grey Harbour born?", "answers": ["Wesselau", "the Wesselau"]}
BROKEN = {"id": "k2", "text": "How long is the cheese of Tarn ripened?", "answers": ["Ninety Days"]}
UNTOLD = {"id": "k3", "text": "How is the cheese of Tarn ripened?", "answers": ["in smoke"]}
QRELS = (("k1", "aa01", 1), ("k1", "aa02", 1), ("k2", "bb01", 1), ("k2", "bb02", 1), ("k3", "bb01", 1))


def lay(
    where: Path,
    asked: Sequence[Mapping[str, Any]],
    qrels: Sequence[tuple[str, str, int]] = QRELS,
    name: str = "ir_hotpot500",
) -> Path:
    folder = where / name
    folder.mkdir()
    papers = [{"id": key, "title": title, "text": text} for key, (title, text) in PAPERS.items()]
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, papers)).encode()))
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    (folder / "qrels.tsv").write_text("".join(f"{q}\t{d}\t{grade}\n" for q, d, grade in qrels), encoding="utf-8")
    return where


def citation(number: int = 1, url: str = "https://paa01.example/", quote: str = "words") -> Citation:
    return Citation(
        number=number,
        claim_ids=(),
        source_id="s",
        snapshot="0" * 64,
        start=0,
        end=len(quote),
        quote=quote,
        url=url,
        link=url,
    )


def run(answer: str = "", citations: Sequence[Citation] = (), **sections: str) -> Run:
    written = tuple(Section(heading=name.replace("_", " "), markdown=text) for name, text in sections.items())
    return Run(
        run_id="eval",
        status="completed",
        stage="ended",
        question="Why?",
        answer=answer,
        sections=written,
        citations=tuple(citations),
    )


async def test_a_chain_found_whole_and_told_counts_for_both_figures(tmp_path: Path) -> None:
    result = await hotpot(lay(tmp_path, [CHAIN]), LAB)

    assert (result.name, result.n) == ("hotpot", 1)
    assert result.figures == {"all_gold": 1.0, "answer_recall": 1.0}
    assert len(result.notes) == 1


async def test_a_page_that_is_not_cited_breaks_the_chain_and_its_question_is_shown(tmp_path: Path) -> None:
    result = await hotpot(lay(tmp_path, [CHAIN, BROKEN, UNTOLD]), LAB)

    assert result.n == 3
    assert result.figures == {"all_gold": 0.6667, "answer_recall": 0.6667}
    assert result.notes[1:] == ("Not every page cited: How long is the cheese of Tarn ripened?",)


async def test_no_more_than_five_broken_chains_are_shown(tmp_path: Path) -> None:
    asked = [{**BROKEN, "id": f"k{number}"} for number in range(7)]

    result = await hotpot(lay(tmp_path, asked, [(row["id"], "bb02", 1) for row in asked]), LAB)

    assert result.figures["all_gold"] == 0.0
    assert len(result.notes) == 6


async def test_musique_is_measured_in_the_same_way_over_its_own_folder(tmp_path: Path) -> None:
    result = await musique(lay(tmp_path, [CHAIN], name="ir_musique100"), LAB)

    assert result == Result("musique", 1, {"all_gold": 1.0, "answer_recall": 1.0}, result.notes)
    with pytest.raises(InvalidRequest, match="ir_hotpot500"):
        await hotpot(tmp_path, LAB)


async def test_an_empty_set_divides_nothing_by_nothing(tmp_path: Path) -> None:
    result = await hotpot(lay(tmp_path, [], []), LAB)

    assert (result.n, result.figures) == (0, {"all_gold": 0.0, "answer_recall": 0.0})


def test_only_questions_whose_pages_are_known_are_asked_and_pages_graded_nought_are_not_wanted(tmp_path: Path) -> None:
    asked = [{**BROKEN, "answers": [90, "ninety"]}, CHAIN, UNTOLD]
    where = lay(tmp_path, asked, [("k1", "aa01", 1), ("k1", "bb01", 0), ("k2", "bb01", 2)]) / "ir_hotpot500"

    found = questions(where)

    assert [(one.id, one.gold) for one in found] == [("k2", {"bb01"}), ("k1", {"aa01"})]
    assert found[0].answers == ("90", "ninety")


def test_a_report_cites_the_paragraphs_that_its_citations_lead_to() -> None:
    places = [citation(1), citation(2, "https://pbb02.example/"), citation(3)]

    assert cited(run(citations=places)) == {"aa01", "bb02"}


def test_a_report_with_more_citations_than_allowed_cites_nothing() -> None:
    places = [citation(number) for number in range(CITATIONS + 1)]

    assert cited(run(citations=places[:-1])) == {"aa01"}
    assert cited(run(citations=places)) == frozenset()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("The Old Bridge", "It crosses an old bridge [1] at noon."),
        ("Cafe Muller", "He went to Café *Müller*."),
        ("Saint-Malo", "They sailed to saint[2] malo"),
        ("Old Bridge", "It crosses an old [1a,c] bridge [2]."),
        ("Old Bridge", "It crosses an old [1a,c, 12] bridge."),
        ("snake_case", "It is called snake case."),
    ],
)
def test_case_accents_marks_and_articles_do_not_keep_an_answer_from_being_told(answer: str, said: str) -> None:
    assert is_told([answer], run(In_short=said))


def test_part_of_a_longer_word_tells_no_answer() -> None:
    assert not is_told(["Ilm"], run(In_short="The Ilmenau is a river."))


def test_any_one_of_the_answers_is_enough() -> None:
    assert is_told(["Elbe", "Ilm"], run(In_short="It is the Ilm."))


def test_a_cited_quote_tells_an_answer_but_words_run_together_from_two_places_do_not() -> None:
    quoted = [citation(1, quote="born in Wes"), citation(2, quote="Selau is old")]

    assert is_told(["Selau"], run(citations=quoted))
    assert not is_told(["Wes Selau"], run(citations=quoted))


@pytest.mark.parametrize("heading", ["References", "What_could_not_be_established", "Next_steps"])
def test_sections_that_are_no_prose_tell_nothing(heading: str) -> None:
    assert not is_told(["Wesselau"], run(**{heading: "Nothing was found on Wesselau."}))


def test_a_yes_or_no_counts_only_as_the_first_word_of_the_direct_answer() -> None:
    assert is_told(["yes"], run(answer="Yes, both were painters.", In_short="Both were."))
    assert not is_told(["yes"], run(answer="Both said yes.", In_short="Yes, both were."))
    assert not is_told(["no"], run(answer="Yes, both were.", In_short="There was no other."))


def test_where_no_is_only_one_way_to_write_the_answer_the_others_count_as_ever() -> None:
    answers = ["Norway", "NO"]

    assert is_told(answers, run(answer="He lived in Norway.", In_short="He lived in Norway."))
    assert not is_told(answers, run(answer="He lived at sea.", In_short="He had no home."))


def test_an_answer_of_nothing_but_marks_is_told_by_nothing() -> None:
    assert not is_told(["?!"], run(answer="", In_short="It is so ?! they say."))


@pytest.mark.timeout(600)
@pytest.mark.skipif(not DATA.exists(), reason="the public sets lie beside the repository, not in it")
async def test_the_public_chains_are_cited_whole_as_often_as_they_should_be() -> None:
    result = await musique(DATA, LAB)

    assert missed(result) == []
    assert result.n >= 50
