"""`neardup`: are copies of one text told from pages that only share a site?"""

from collections import Counter
from pathlib import Path

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, json_file
from deepresearch_mcp.text.near_duplicates import is_near_duplicate, sketch


async def measure(data: Path, lab: Lab) -> Result:
    """Hold every pair of texts against each other, as the count of independent sources does.

    `recall`: the share found of pairs that are identical or nearly so. `false_merges`: how many pairs of different
    pages were taken for one. Pairs that were revised or rewritten may be told either way, and count for neither.
    """
    del lab
    where = folder(data, FOLDERS["neardup"])
    texts: dict[str, str] = json_file(where, "texts.json*")
    told: Counter[tuple[str, bool]] = Counter()
    for pair in json_file(where, "pairs.json*"):
        if pair["a"] in texts and pair["b"] in texts:
            same = is_near_duplicate(sketch(texts[pair["a"]]), sketch(texts[pair["b"]]))
            kind = "near" if pair["kind"] in {"near", "identical"} else pair["kind"]
            told[kind, same] += 1
    near = told["near", True] + told["near", False]
    different = told["different", True] + told["different", False]
    figures = {"recall": told["near", True] / max(1, near), "false_merges": told["different", True]}
    return Result("neardup", near + different, figures, [f"{near} pairs are near, {different} different."])
