"""A model over the real wires that reads, judges and writes what stands in its prompts."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from wires import Asked

_PASSAGE = re.compile(r'<passage[^>]* id="(p\d+)">\n(.*?)\n</passage', re.DOTALL)
_LISTED = re.compile(r"^\[(\w+)\] (.*)$", re.MULTILINE)
_CLAIM = re.compile(r'<(?:claim|sentence) id="([cs]\d+)">')
_STATEMENT = re.compile(r'<statement id="(j\d+)">')
_PARTS = re.compile(r'<sub_question id="(q\d+)">')
_DOUBTS = re.compile(r'<doubt id="(\d+)">')


def kind_of(schema: dict[str, Any] | None) -> str:
    """Which question a schema belongs to: not every wire sends its name."""
    if schema is None:
        return "text"
    names = set(schema["properties"])
    for mark, kind in (
        ("sub_questions", "plan"),
        ("claims", "read"),
        ("verdicts", "judge"),
        ("judgements", "hold_judgements"),
        ("sections", "outline"),
        ("factuality", "critique"),
        ("changes", "revise"),
        ("gaps", "gaps"),
        ("parts", "assess"),
    ):
        if mark in names:
            return kind
    inner = set(schema["properties"]["sentences"]["items"]["properties"])
    return "conclude" if "sentence_ids" in inner else "write" if "claim_ids" in inner else "repair"


@dataclass
class Scholar:
    """For `Scripted(Scholar().answer)`: answers each kind of question soundly.

    `instead` puts something else in the place of a kind's answer: a value, or a function of what was asked.
    """

    queries: tuple[str, ...] = ("ice density water", "hydrogen bonds ice", "lakes freeze top")
    instead: dict[str, Any] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)

    def answer(self, asked: Asked) -> Any:
        kind = kind_of(asked["schema"])
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
        return {
            "verdicts": [{"claim_id": name, "verdict": "supported", "fault": "none"} for name in _CLAIM.findall(prompt)]
        }

    def hold_judgements(self, prompt: str) -> Any:
        return {
            "judgements": [{"id": name, "verdict": "follows", "fault": "none"} for name in _STATEMENT.findall(prompt)]
        }

    def assess(self, prompt: str) -> Any:
        parts = [{"id": name, "answered": True, "queries": []} for name in _PARTS.findall(prompt)]
        return {"sufficiency": 9, "parts": parts}

    def gaps(self, prompt: str) -> Any:
        return {"sufficiency": 9, "gaps": ["Who found out first."]}

    def outline(self, prompt: str) -> Any:
        sections = [{"heading": f"Part {name}", "sub_question_ids": [name]} for name in _PARTS.findall(prompt)]
        return {"title": "Floating ice", "sections": sections}

    def write(self, prompt: str) -> Any:
        return {"sentences": [{"text": text, "claim_ids": [name]} for name, text in _LISTED.findall(prompt)]}

    def conclude(self, prompt: str) -> Any:
        name, text = _LISTED.findall(prompt)[0]
        return {"sentences": [{"text": text, "sentence_ids": [name]}]}

    def critique(self, prompt: str) -> Any:
        return {"factuality": 9, "coherence": 8, "notes": ["Nothing of weight."]}

    def revise(self, prompt: str) -> Any:
        return {"changes": []}

    def repair(self, prompt: str) -> Any:
        return {"sentences": [{"n": int(name), "text": ""} for name in _DOUBTS.findall(prompt)]}

    def text(self, prompt: str) -> Any:
        return "Because ice is less dense than liquid water."
