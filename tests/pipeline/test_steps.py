"""Stored runs hang on these keys: what stands here is what older versions wrote, letter by letter."""

import gzip
import io
import sqlite3
import tarfile
from datetime import date
from pathlib import Path

import pytest

from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Passage, Query
from pipeline_fakes import part

STORED = Path(__file__).parents[1] / "stored" / "2026-11-22.tar.gz"


@pytest.fixture(scope="module")
def stored_keys(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """All keys that the version of 2026-11-22 wrote in four runs."""
    folder = tmp_path_factory.mktemp("stored")
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(STORED.read_bytes()))) as archive:
        archive.extract("deepresearch.db", folder, filter="data")
    with sqlite3.connect(folder / "deepresearch.db") as connection:
        return {key for (key,) in connection.execute("SELECT key FROM steps")}


def test_every_stored_step_is_of_a_known_kind(stored_keys: set[str]) -> None:
    assert {key for key in stored_keys if steps.recorded_kind(key) is None} == set()
    assert len({steps.recorded_kind(key) for key in stored_keys}) > 20


def test_a_stage_of_a_fork_is_followed_by_those_behind_it() -> None:
    assert steps.kinds_from("writer") == (
        *("outline", "write", "critique", "revise", "conclude"),
        *("sketch", "section", "edit", "review", "fill", "opening"),
        *("audit", "direct"),
    )
    assert steps.kinds_from("analyst")[:4] == ("assess", "reflect", "pace", "gaps")
    assert set(steps.kinds_from("planner")) == {kind.name for kind in steps.KINDS.values() if kind.stage}
    assert (steps.stage_of("read/q1/abc"), steps.stage_of("nonce"), steps.stage_of("odd/1")) == ("reader", None, None)


def test_keys_are_what_they_were() -> None:
    query = Query("ice density", Filters(published_after=date(2020, 1, 1)), collections=("notes",))
    one = part("q1", "Why?", ("a b",))
    passages = [
        Passage(passage_id="s1:0", source_id="s1", start=0, end=9, text="Ice float", heading=""),
        Passage(passage_id="s1:9", source_id="s1", start=9, end=12, text="s. ", heading=""),
    ]
    read = steps.read(one, passages)

    assert steps.search(query, "brave") == "search/c8e1b681d50c/brave"
    assert steps.engine_of(steps.search(query, "brave")) == "brave"
    assert steps.fetch("HTTP://A.example:80/x#y") == "fetch/3e79a540943f"
    assert read == "read/q1/808019c52664"
    assert steps.verify(read) == Step(f"verify{read.removeprefix('read')}", (read,))
    assert steps.together(steps.verify(read)).key.startswith("together/q1/")
    assert steps.judged(["c1", "c2"], (read, "read/q2/x")) == Step("verify/69e0865c5e20", (read, "read/q2/x"))
    assert steps.admit(steps.admitted("abc/brave"), "q2", ()).key == "admit/abc/brave/first/q2"
    assert steps.admitted_earlier(steps.earlier("abc/brave", ()).key) == "admit/earlier/abc/brave"
    assert (steps.pace(2), steps.pace(2, "q3"), steps.assess(1)) == ("pace/2", "pace/2/q3", "assess/1")
    assert steps.batch("q1", 2, 3).key == "batch/q1/2/3"
    assert (steps.SKETCH, steps.edit(1), steps.review(2), steps.OPENING) == ("sketch", "edit/1", "review/2", "opening")
    assert steps.section(1, 0, "Ice", ["c1"]) != steps.section(1, 1, "Ice", ["c1"])
    assert steps.section_again(0, "Ice", "Why?", ["c1"]).startswith("section/again/")
    assert steps.revision(2) == Step("plan/revised/2", ("plan/approve/2",))


def test_a_part_of_a_step_stands_below_it_and_depends_on_the_same() -> None:
    step = Step("audit", ("conclude",))

    assert step.part("faulted") == Step("audit/faulted", ("conclude",))
    assert steps.hold(step, ["A.", "B."]).key.startswith("audit/hold/")
    assert steps.hold(step, ["A."], again=True).key.startswith("audit/again/")
