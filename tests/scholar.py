"""A model over the real wires that reads, judges and writes what stands in its prompts."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from wires import Asked

_PASSAGE = re.compile(r'<passage[^>]* id="(p\d+)">\n(.*?)\n</passage', re.DOTALL)
_LISTED = re.compile(r"^\[(\w+)\] (.*)$", re.MULTILINE)
_CLAIM = re.compile(r"^(c\d+) \(", re.MULTILINE)
_SENTENCE = re.compile(r"^\[(s\d+)\] \((?:from|synthesis of) ", re.MULTILINE)
_STATEMENT = re.compile(r"^\[(j\d+)\] \((from|without a source)", re.MULTILINE)
_PARTS = re.compile(r'<sub_question id="(q\d+)">')
_DOUBTS = re.compile(r'<doubt id="(\d+)">')


_NOTES = r"(?: \((?:s\d+|decides|partly|as of)[^()]*\))?"
_FACT = re.compile(rf"^\[(c\d+)\] (?:\d[^|\n]*\| )?(.*?){_NOTES}$", re.MULTILINE)
"""In full for a section, in short form for the sketch."""
_TEXTS = (
    ("one section of a report", "section"),
    ("You edit a report", "edit"),
    ("You write the direct answer to a question", "opening"),
)
"""What prompts without a schema begin with."""


def facts_in(prompt: str) -> list[tuple[str, str]]:
    """The facts that a writer is shown, by their names."""
    return _FACT.findall(prompt)


def kind_of(schema: dict[str, Any] | None, prompt: str = "") -> str:
    """Which question a schema belongs to: not every wire sends its name."""
    if schema is None:
        return next((kind for words, kind in _TEXTS if words in prompt), "text")
    names = set(schema["properties"])
    for mark, kind in (
        ("sub_questions", "plan"),
        ("claims", "read"),
        ("verdicts", "judge"),
        ("judgements", "hold_judgements"),
        ("sufficiency", "assess"),
        ("contradict", "consolidate"),
        ("sections", "sketch"),
        ("worth", "review"),
        ("gaps", "gaps"),
        ("spots", "fill"),
    ):
        if mark in names:
            return kind
    return "repair"


@dataclass
class Scholar:
    """For `Scripted(Scholar().answer)`: answers each kind of question soundly.

    `instead` puts something else in the place of a kind's answer: a value, or a function of what was asked.
    """

    queries: tuple[str, ...] = ("ice density water", "hydrogen bonds ice", "lakes freeze top")
    instead: dict[str, Any] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)

    def answer(self, asked: Asked) -> Any:
        kind = kind_of(asked["schema"], asked["system"] + asked["prompt"])
        self.calls[kind] += 1
        if kind in self.instead:
            other = self.instead[kind]
            return other(asked) if callable(other) else other
        return getattr(self, kind)(asked["prompt"])

    def plan(self, prompt: str) -> Any:
        parts = [
            {"question": "Why is ice lighter than water?", "priority": "high", "queries": list(self.queries[:2])},
            {"question": "How do lakes freeze?", "priority": "low", "queries": list(self.queries[2:])},
        ]
        return {"goal": "To know why ice floats.", "sub_questions": parts}

    def read(self, prompt: str) -> Any:
        claims: list[dict[str, str]] = []
        for name, text in _PASSAGE.findall(prompt):
            lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
            claims += [
                {"claim": sentence, "quote": sentence, "passage_id": name}
                for sentence in re.split(r"(?<=\.)\s+", " ".join(lines))
                if len(sentence.split()) > 5 and "Ignore" not in sentence
            ]
        return {"claims": claims[:6]}

    def judge(self, prompt: str) -> Any:
        named = [("sentence_id", name) for name in _SENTENCE.findall(prompt)]
        named = named or [("claim_id", name) for name in _CLAIM.findall(prompt)]
        return {"verdicts": [{key: name, "verdict": "supported", "fault": "none"} for key, name in named]}

    def hold_judgements(self, prompt: str) -> Any:
        judgements: list[dict[str, str]] = []
        for name, source in _STATEMENT.findall(prompt):
            verdict, fault = ("follows", "none") if source == "from" else ("does_not_follow", "fact")
            judgements.append({"judgement_id": name, "verdict": verdict, "fault": fault})
        return {"judgements": judgements}

    def assess(self, prompt: str) -> Any:
        return {"sufficiency": 9, "open": [], "done_ids": _PARTS.findall(prompt)}

    def consolidate(self, prompt: str) -> Any:
        return {"same": [], "contradict": []}

    def gaps(self, prompt: str) -> Any:
        return {"gaps": [{"gap_id": name, "status": "open"} for name in re.findall(r"(?m)^(g\d+): ", prompt)]}

    def fill(self, prompt: str) -> Any:
        return {"spots": []}

    def sketch(self, prompt: str) -> Any:
        facts = [name for name, _ in facts_in(prompt)]
        half = -(-len(facts) // 2)
        parts = [own for own in (facts[:half], facts[half:]) if own]
        sections = [
            {"heading": f"Part {letter}", "thesis": "It shows this.", "form": "prose", "fact_ids": own}
            for letter, own in zip("ab", parts, strict=False)
        ]
        first = facts_in(prompt)[0]
        positions = [{"deliverable_id": "d1", "position": first[1], "premise_ids": [first[0]], "would_change": ""}]
        return {"title": "Floating ice", "positions": positions, "sections": sections, "described": [], "thin": []}

    def section(self, prompt: str) -> Any:
        return " ".join(f"{text.rstrip('.')} [{name}]." for name, text in facts_in(prompt))

    def edit(self, prompt: str) -> Any:
        return prompt.split("<draft>\n", 1)[1].rsplit("\n</draft", 1)[0]

    def opening(self, prompt: str) -> Any:
        name, text = facts_in(prompt)[0]
        return f"{text.rstrip('.')} [{name}]."

    def review(self, prompt: str) -> Any:
        return {"worth": 9, "opening": "", "rewrite": [], "order": [], "queries": [], "missing": []}

    def repair(self, prompt: str) -> Any:
        return {"sentences": [{"n": int(name), "text": ""} for name in _DOUBTS.findall(prompt)]}

    def text(self, prompt: str) -> Any:
        return "Because ice is less dense than liquid water."
