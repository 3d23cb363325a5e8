"""Twice the text takes twice the time, whatever it holds: for every function that reads what strangers wrote."""

import ast
import gc
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.stopwatch import untraced

from growing import HURTS, READ, SPARED, WORK, Hurt, hurting, text_of

ROOMS = ("text", "entailment", "injection", "cited_text")
"""Where all that is public may see a page."""
PACKAGE = Path(__file__).parents[1] / "src" / "deepresearch_mcp"
STEEPEST = 1.3
"""The exponent that is still taken for a straight line: on a small machine, a cache that overflows costs as much."""
CAP = 2_000_000
"""Characters that are kept of one page."""
ENOUGH = 0.0003
"""Seconds that the short text takes at least, where the cap lets it."""
HARMLESS = 0.5
"""Seconds for the longest page that hold nothing up, whatever the curve: memory that is slow in coming bends it too."""
DOUBLED = 16
"""How many times longer the long text is."""
TRIES = 4


def test_every_function_that_reads_a_page_is_measured_or_spared_for_a_reason() -> None:
    rooms = [file for room in ROOMS for file in (PACKAGE / room).rglob("*.py")]
    modules = {_dotted(file): file for file in (*rooms, *(PACKAGE / f"{name.replace('.', '/')}.py" for name in READ))}
    found = {f"{module}.{name}" for module, file in modules.items() for name in _public(file)}
    elsewhere = {name for name in WORK if name.rpartition(".")[0] not in modules}

    assert found - WORK.keys() - SPARED.keys() == set()
    assert (WORK.keys() | SPARED.keys()) - found - elsewhere == set()
    assert WORK.keys().isdisjoint(SPARED)
    assert HURTS.keys() <= WORK.keys()
    assert [name for name, why in SPARED.items() if len(why.split()) < 4] == []


def _dotted(file: Path) -> str:
    return ".".join(file.relative_to(PACKAGE).with_suffix("").parts)


def _public(file: Path) -> list[str]:
    """The functions of a module that others may call, and its classes with such methods."""
    found: list[str] = []
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found.append(node.name)
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            methods = [one for one in node.body if isinstance(one, ast.FunctionDef) and not one.decorator_list]
            protocol = any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)
            if any(not one.name.startswith("_") for one in methods) and not protocol:
                found.append(node.name)
    return found


def _caches() -> list[Callable[[], None]]:
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("deepresearch_mcp.")]
    found = {id(one): one for module in modules for one in vars(module).values() if hasattr(one, "cache_clear")}
    return [one.cache_clear for one in found.values()]


class Stopwatch:
    """Takes the processor's time, not the clock's: others may be at work on the machine."""

    def __init__(self, work: Callable[[str], object]) -> None:
        self._work = work
        self._clear = _caches()

    def of(self, text: str) -> float:
        for clear in self._clear:
            clear()
        began = time.thread_time()
        self._work(text)
        return time.thread_time() - began


def steepness(watch: Stopwatch, hurt: Hurt, longer: int = 1) -> float:
    """The exponent with which time grows over four doublings, the longest text at most the cap.

    A text is measured against as many texts of one sixteenth as make up its length. So both take as long where time
    grows with the length alone, and what a busy machine adds to a long measurement it adds to both. What looks steep
    is measured again, and the least counts: what disturbs only adds. All is `longer` by this factor than it needs.
    """
    size = 500
    while watch.of(text_of(hurt, size)) < ENOUGH and size < CAP // DOUBLED:
        size *= 2
    size = max(size, min(size * longer, CAP // DOUBLED))
    short, long = text_of(hurt, size), text_of(hurt, size * DOUBLED)
    many = one = steep = math.inf
    for _ in range(TRIES):
        many = min(many, sum(watch.of(short) for _ in range(DOUBLED)))
        one = min(one, watch.of(long))
        steep = 1 + math.log(max(one, 1e-6) / max(many, 1e-6)) / math.log(DOUBLED)
        if steep <= STEEPEST or one < ENOUGH:
            break
    at_the_cap = one * (CAP / len(long)) ** max(steep, 1.0)
    return steep if one >= ENOUGH and at_the_cap >= HARMLESS else 0.0


def least(watch: Stopwatch, hurt: str) -> float:
    """The exponent, measured again where it is too steep: a neighbour on the machine can slow one length alone.

    So can its memory, from the length on at which blocks come from the system: texts of four times the length, and of
    sixteen, are both beyond it. What grows too fast does so there as well.
    """
    found = steepness(watch, hurt)
    for longer in (1, 4, 16, 16):
        if found <= STEEPEST:
            break
        found = min(found, steepness(watch, hurt, longer))
    return found


@pytest.mark.parametrize("name", sorted(WORK))
def test_the_time_for_a_text_grows_with_its_length_and_not_faster(name: str) -> None:
    watch = Stopwatch(WORK[name])
    gc.collect()
    gc.disable()
    try:
        with untraced():
            steep = {repr(hurt): round(found, 2) for hurt in hurting(name) if (found := least(watch, hurt)) > STEEPEST}
    finally:
        gc.enable()

    assert steep == {}


def test_a_square_is_told_from_a_straight_line() -> None:
    def square(text: str) -> object:
        return [text.count("b", at) for at in range(0, len(text), 10)]

    assert steepness(Stopwatch(square), "a") > STEEPEST
    assert steepness(Stopwatch(lambda text: [char.isalpha() for char in text]), "a") <= STEEPEST
