import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from deepresearch_mcp.text.near_duplicates import is_near_duplicate, similarity, sketch

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "neardup"
TEXT = " ".join(f"word{i} and thing{i % 7}" for i in range(200))


def test_a_copy_with_a_small_change_is_a_near_duplicate() -> None:
    changed = TEXT.replace("word50", "another")

    assert similarity(sketch(TEXT), sketch(TEXT)) == 1.0
    assert 0.8 < similarity(sketch(TEXT), sketch(changed)) < 1.0
    assert is_near_duplicate(sketch(TEXT), sketch(changed))


def test_other_texts_and_empty_ones_are_none() -> None:
    other = " ".join(f"other{i} stuff" for i in range(200))

    assert similarity(sketch(TEXT), sketch(other)) == 0.0
    assert not is_near_duplicate(sketch(TEXT), sketch(other))
    assert sketch(" … ") == ()
    assert not is_near_duplicate((), ())


def test_a_sketch_is_small_sorted_and_the_same_in_every_process() -> None:
    found = sketch(TEXT, size=16)
    code = f"from deepresearch_mcp.text.near_duplicates import sketch; print(sketch({TEXT!r}, 16))"

    again = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert len(found) == 16
    assert list(found) == sorted(found)
    assert again.strip() == str(found)


def test_short_texts_are_one_shingle() -> None:
    assert len(sketch("only three words")) == 1
    assert is_near_duplicate(sketch("Only three, WORDS!"), sketch("only three words"))


@pytest.mark.skipif(not DATA.exists(), reason="the public data set neardup lies beside the repository, not in it")
def test_on_real_pages_nearly_all_near_pairs_are_found_and_no_different_ones() -> None:
    texts = json.loads(gzip.decompress((DATA / "texts.json.gz").read_bytes()))
    pairs = json.loads((DATA / "pairs.json").read_text())
    sketches = {key: sketch(text) for key, text in texts.items()}

    def told(*kinds: str) -> list[bool]:
        return [is_near_duplicate(sketches[pair["a"]], sketches[pair["b"]]) for pair in pairs if pair["kind"] in kinds]

    near = told("near", "identical")
    assert sum(near) / len(near) >= 0.99
    assert not any(told("different"))
