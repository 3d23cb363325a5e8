"""Learns the trees that tell a page's main text, and writes `web/pages/block_scores.json`.

Needs scikit-learn, which neither the product nor its tests need:

    OMP_NUM_THREADS=1 uv run --with scikit-learn python tools/train_blocks.py ../shared/data

The pages of WCXB's and the article benchmark's development halves are split by site into four parts. The printed
figures come from trees that never saw a page of the same site. Where
texts are a blend of main text and other words, the label is the share of the block's words that stand in the text
that people chose, in their order.
"""

import gzip
import hashlib
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from rapidfuzz.distance import LCSseq
from sklearn.ensemble import HistGradientBoostingRegressor

from deepresearch_mcp.web.charset import decode
from deepresearch_mcp.web.pages import facts, hidden
from deepresearch_mcp.web.pages.block_features import FEATURES, Measured, quick_columns, signs_of
from deepresearch_mcp.web.pages.block_scores import cut
from deepresearch_mcp.web.pages.page_blocks import page_blocks
from deepresearch_mcp.web.pages.quick_text import quick_text
from deepresearch_mcp.web.pages.superscripts import write_superscripts
from deepresearch_mcp.web.pages.tree import load_page

FOLDS = 4
SIZE = (40, 16, 0.15)
"""Trees, leaves of each and learning rate. More trees, or a second stage that sees the scores of a block's neighbours,
gained nothing on other sites."""
MISSED = 0.8
MOST_FEATURES = 72
OUT = Path(__file__).parents[1] / "src/deepresearch_mcp/web/pages/block_scores.json"
_WORD = re.compile(r"\w+")


class Page:
    """A page of the training sets: its blocks measured and labelled."""

    def __init__(self, kind: str, url: str, html: str, gold: str) -> None:
        tree = load_page(html)
        assert tree is not None
        named, things = facts.metas(tree), facts.json_ld(tree)
        title = facts.page_title(tree, named, things)
        hidden.take_out(tree)
        write_superscripts(tree)
        blocks = page_blocks(tree)
        self.kind, self.gold = kind, gold
        self.texts = [block.text for block in blocks]
        self.measured = Measured(blocks, signs_of(url, title, named, things))
        self.columns: dict[str, list[float]] = {}
        if blocks:
            self.columns = {name: FEATURES[name](self.measured) for name in FEATURES}
            self.columns |= quick_columns(self.measured, quick_text(tree, self.measured.total))
        self.labels, sizes, size = labelled(self.texts, gold)
        self.weights = np.array(sizes) / (size + 0.2 * sum(sizes) + 30) + 1e-5
        site = urlsplit(url).netloc.removeprefix("www.")
        self.fold = int(hashlib.sha256(site.encode()).hexdigest(), 16) % FOLDS

    def matrix(self, names: Sequence[str]) -> Any:
        return np.array([self.columns[name] for name in names], dtype=np.float32).T


def labelled(texts: Sequence[str], gold: str) -> tuple[list[float], list[int], int]:
    """Return the share of each block that is main text, the words of each block and those of the main text."""
    words = [_WORD.findall(text.lower()) for text in texts]
    owner = [at for at, found in enumerate(words) for _ in found]
    wanted = _WORD.findall(gold.lower())
    hits = [0] * len(texts)
    for step in LCSseq.opcodes([word for found in words for word in found], wanted):
        if step.tag == "equal":
            for place in range(step.src_start, step.src_end):
                hits[owner[place]] += 1
    runs = set(zip(wanted, wanted[1:], wanted[2:], strict=False))
    labels: list[float] = []
    for found, hit in zip(words, hits, strict=True):
        share = hit / len(found) if found else 0.0
        if len(found) > 2:
            mine = list(zip(found, found[1:], found[2:], strict=False))
            in_runs = sum(run in runs for run in mine) / len(mine)
            share = (share + in_runs) / 2 if share else in_runs / 2
        labels.append(share)
    return labels, [len(found) for found in words], len(wanted)


def pages(data: Path) -> Iterator[Page]:
    where = data / "html_wcxb" / "dev"
    for line in gzip.open(where / "ground-truth.jsonl.gz", "rt"):
        row = json.loads(line)
        if row["main_content"]:
            html, _ = decode(gzip.decompress((where / "html" / f"{row['id']}.html.gz").read_bytes()), "")
            yield Page(row["page_type"], row["url"], html, row["main_content"])
    where = data / "html_aeb"
    for name, row in json.loads((where / "ground-truth.json").read_text()).items():
        file = where / "html" / f"{name}.html.gz"
        if file.is_file():
            yield Page("aeb", row["url"], decode(gzip.decompress(file.read_bytes()), "")[0], row["articleBody"])


def fitted(chosen: Sequence[Page], names: Sequence[str], trees: int, leaves: int, rate: float) -> Any:
    chosen = [page for page in chosen if page.texts]
    learner = HistGradientBoostingRegressor(
        max_iter=trees, max_leaf_nodes=leaves, learning_rate=rate, min_samples_leaf=40, l2_regularization=1.0,
        max_bins=48, early_stopping=False, random_state=0,
    )  # fmt: skip
    return learner.fit(
        np.concatenate([page.matrix(names) for page in chosen]),
        np.concatenate([page.labels for page in chosen]),
        np.concatenate([page.weights for page in chosen]),
    )


def gains(learner: Any, size: int) -> Any:
    found = np.zeros(size)
    for (one,) in learner._predictors:
        inner = one.nodes[one.nodes["is_leaf"] == 0]
        np.add.at(found, inner["feature_idx"], inner["gain"])
    return found


def trimmed(found: Sequence[Page], names: Sequence[str], most: int) -> list[str]:
    """The features that gain most on a third of the pages."""
    worth = gains(fitted(found[::3], names, *SIZE), len(names))
    best = np.argsort(-worth)[:most]
    return [names[at] for at in sorted(best) if worth[at] > 0]


def crossed(found: Sequence[Page], names: Sequence[str], size: tuple[int, int, float]) -> list[list[float]]:
    """Scores of each page from trees that never saw its site."""
    scores: dict[int, list[float]] = {}
    for fold in range(FOLDS):
        learner = fitted([page for page in found if page.fold != fold], names, *size)
        for at, page in enumerate(found):
            if page.fold == fold and page.texts:
                scores[at] = [float(score) for score in learner.predict(page.matrix(names))]
    return [scores.get(at, []) for at in range(len(found))]


def report(found: Sequence[Page], scores: Sequence[Sequence[float]]) -> None:
    """Print the mean F1 of each kind of page."""
    by_kind: dict[str, list[float]] = defaultdict(list)
    for page, given in zip(found, scores, strict=True):
        sizes = [len(text) for text in page.texts]
        least = cut(given, sizes, MISSED) if page.texts else 0.0
        text = "\n".join(text for text, score in zip(page.texts, given, strict=True) if score >= least)
        by_kind[page.kind].append(f1(text, page.gold))
    every = [one for kind, ones in by_kind.items() if kind != "aeb" for one in ones]
    means = {kind: round(sum(ones) / len(ones), 3) for kind, ones in sorted(by_kind.items())}
    print(f"{sum(every) / len(every):.4f}", means, flush=True)


def f1(text: str, gold: str) -> float:
    ours, theirs = Counter(_WORD.findall(text.lower())), Counter(_WORD.findall(gold.lower()))
    return 2 * (ours & theirs).total() / max(1, ours.total() + theirs.total())


def exported(learner: Any, names: Sequence[str]) -> dict[str, Any]:
    """The trees, with only the features that they use."""
    used = sorted(
        {int(node["feature_idx"]) for (one,) in learner._predictors for node in one.nodes if not node["is_leaf"]}
    )
    place = {feature: at for at, feature in enumerate(used)}

    def tree(nodes: Any, at: int) -> Any:
        node = nodes[at]
        if node["is_leaf"]:
            return round(float(node["value"]), 5)
        threshold = float(f"{float(node['num_threshold']):.6g}")
        return [place[int(node["feature_idx"])], threshold, tree(nodes, node["left"]), tree(nodes, node["right"])]

    base = float(np.ravel(learner._baseline_prediction)[0])
    return {
        "features": [names[at] for at in used],
        "base": round(base, 5),
        "trees": [tree(one.nodes, 0) for (one,) in learner._predictors],
    }


def main(data: Path) -> None:
    found = list(pages(data))
    print(len(found), "pages,", sum(len(page.texts) for page in found), "blocks", flush=True)
    names = trimmed(found, list(found[0].columns), MOST_FEATURES)
    print(len(names), "features", names, flush=True)
    report(found, crossed(found, names, SIZE))
    OUT.write_text(json.dumps(exported(fitted(found, names, *SIZE), names), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
