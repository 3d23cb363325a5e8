"""A check of citations: its request, and its findings statement by statement."""

import hashlib
import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from deepresearch_mcp.records.evidence import Quote, Verdict
from deepresearch_mcp.records.request import MAX_TEXT, ResearchRequest, Shape, is_blank

CHECKING = Shape(breadth=0, depth=0, max_usd=0.50, max_tokens=300_000, max_searches=0, max_pages=60, max_minutes=6)
"""Default ceilings of a check: those of a standard research, but with pages for a long list of references."""

_NAME = 80
"""Longest name of a checked text in lists of runs, in characters."""


_CONTROLS = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]"
)
"""Terminal escape sequences, control characters and lone surrogates: none of them is part of the text's content."""
_LINE_ENDS = re.compile(r"[\x0b\x0c\x85]")


def _text(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise ValueError(f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are taken: check it in parts")
    return _LINE_ENDS.sub("\n", _CONTROLS.sub("", text))


class CheckRequest(BaseModel):
    """The arguments of one `check_citations` call, except those about waiting: a text, or an earlier run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["check"] = "check"
    text: Annotated[str, AfterValidator(_text)] = ""
    """Any text with citations. Control characters are removed; offsets in the result count the rest."""
    run_id: Annotated[str, AfterValidator(str.strip)] = Field(default="", max_length=64)
    """An earlier run to check again, from its stored snapshots."""
    web: bool = True
    """False: fetch nothing; use only pages that are already stored."""
    model: str = "auto"
    """`auto`, `extractive` or `PROVIDER:NAME`."""
    max_usd: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    max_pages: int | None = Field(default=None, ge=0)
    """Most addresses to try."""
    max_minutes: float | None = Field(default=None, gt=0, le=24 * 60, allow_inf_nan=False)

    @model_validator(mode="after")
    def _one(self) -> Self:
        if not self.run_id and is_blank(self.text):
            raise ValueError("there is nothing to check: give a text, or the id of a run")
        if self.run_id and self.text.strip():
            raise ValueError("a text and a run are two checks: give one of them")
        return self

    @property
    def question(self) -> str:
        """The check's name in lists of runs."""
        if self.run_id:
            return f"Check of run {self.run_id}"
        first = next((line for line in self.text.splitlines() if any(char.isalnum() for char in line)), self.text)
        name = " ".join(first.strip("#*_ \t>-").split())
        return f"Check of “{name if len(name) <= _NAME else name[: _NAME - 1] + '…'}”"

    @property
    def shape(self) -> Shape:
        """The default ceilings, replaced by those that the request gives."""
        given = {name: value for name in Shape.model_fields if (value := getattr(self, name, None)) is not None}
        return CHECKING.model_copy(update=given)

    def canonical(self) -> dict[str, Any]:
        """The request in a canonical form, equal for equal requests; a hash stands for the text."""
        whole = self.model_dump(mode="json") | self.shape.model_dump(mode="json")
        whole["text"] = hashlib.sha256(self.text.encode("utf-8", "replace")).hexdigest() if self.text else ""
        return whole

    def outline(self) -> dict[str, Any]:
        """The request without its text, for the record of the run."""
        return self.model_dump(mode="json", exclude={"text"}) | {"text": self.canonical()["text"]}


AnyRequest = ResearchRequest | CheckRequest
"""Any request that a run can carry out."""


class Stretch(BaseModel):
    """Some words of the checked text, at its `[start:end]`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    """The words, without citation marks."""
    start: int
    end: int


Wording = Literal[
    "",
    "similar words found",
    "similar words found in part",
    "numbers differ",
    "a negation differs",
    "not found",
    "not checked",
]
"""What a comparison of words can say; "" where a model judged."""


class CheckedClaim(BaseModel):
    """A statement, what it cites, and whether the cited pages support it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claim_id: str
    """`k` and 10 hexadecimal digits: a hash of text and position. For a checked run: the id of the claim."""
    text: str
    start: int = 0
    end: int = 0
    """`start` and `end` locate it in the given text; both are 0 for a claim of a checked run."""
    cites: tuple[str, ...] = ()
    """Its citation marks as written."""
    urls: tuple[str, ...] = ()
    """The addresses that its marks lead to; empty if none leads anywhere."""
    closed: bool = False
    """Only the mark at the end of its paragraph cites it; it has none of its own."""
    verdict: Verdict
    wording: Wording = ""
    """What was found, where words were only compared: the verdict is then no reader's."""
    reason: str = ""
    """Why, if the verdict is not `supported`."""
    checked_by: Literal["none", "machine", "model", "self"] = "none"
    quotes: tuple[Quote, ...] = ()
    """The deciding words first, located in their snapshot; empty if no page could be read."""
    url: str = ""
    """Address of the page with the deciding words."""
    link: str = ""
    """The same address, with a text fragment if one can work."""
    before: Verdict | None = None
    """The verdict in the run that is checked again."""
