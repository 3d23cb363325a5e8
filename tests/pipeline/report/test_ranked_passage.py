"""How well one passage answers."""

from deepresearch_mcp.pipeline.report.pool_passage import PoolPassage
from deepresearch_mcp.pipeline.report.ranked_passage import RankedPassage
from deepresearch_mcp.thinkers.extractive.relevance import FLOOR, Relevance
from pipeline_fakes import page

SAID = page("https://ora.example/", "The writer of Orasql sleeps for a while.", title="Writer")
LOG = page("https://ora.example/releases/1", "The writer of Orasql sleeps for a while.", title="Release notes")


def near(score: float, held: float, *, named: bool = True, log: bool = False) -> bool:
    one = LOG if log else SAID
    passage = PoolPassage(one, 0, len(one.text), one.title)
    return RankedPassage(passage, Relevance(score, 0, 0.5, to_the_point=named), 1.0, held).is_near


def test_what_is_a_little_below_the_floor_is_near_unless_it_names_another_thing_or_is_of_a_change_log() -> None:
    assert near(0.8 * FLOOR, 0.5)
    assert not near(0.3 * FLOOR, 0.5)
    assert not near(0.8 * FLOOR, 0.1)
    assert not near(0.8 * FLOOR, 0.5, named=False)
    assert not near(0.8 * FLOOR, 0.5, log=True)
