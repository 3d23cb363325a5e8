"""What is asked of a check of citations, and what it finds: claim by claim, and what hangs loose."""

import hashlib
import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from deepresearch_mcp.records.evidence import Quote, Verdict
from deepresearch_mcp.records.request import MAX_TEXT, ResearchRequest, Shape, is_blank

CHECKING = Shape(breadth=0, depth=0, max_usd=0.50, max_tokens=300_000, max_searches=0, max_pages=60, max_minutes=6)
"""Ceilings of a check where none are given: those of a standard research, and pages for a long list of references."""

_NAME = 80
"""Characters of a text by which it is called in lists of runs."""


_CONTROLS = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]"
)
"""What colours a terminal or rings its bell, and halves of characters: no part of what a text says."""
_LINE_ENDS = re.compile(r"[\x0b\x0c\x85]")


def _text(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise ValueError(f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are taken: check it in parts")
    return _LINE_ENDS.sub("\n", _CONTROLS.sub("", text))


class CheckRequest(BaseModel):
    """One call of `check_citations`, all arguments but the waiting: a text, or an earlier run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["check"] = "check"
    text: Annotated[str, AfterValidator(_text)] = ""
    """Any cited text; control characters go out of it, and offsets of the result count the characters that stay."""
    run_id: Annotated[str, AfterValidator(str.strip)] = Field(default="", max_length=64)
    """An earlier run, checked again from the snapshots that were stored then."""
    web: bool = True
    """False: nothing is fetched; only pages that are stored already count."""
    model: str = "auto"
    """`auto`, `extractive` or `PROVIDER:NAME`."""
    max_usd: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    max_pages: int | None = Field(default=None, ge=0)
    """Addresses that are tried."""
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
        """What the check is called where runs are listed."""
        if self.run_id:
            return f"Check of run {self.run_id}"
        first = next((line for line in self.text.splitlines() if any(char.isalnum() for char in line)), self.text)
        name = " ".join(first.strip("#*_ \t>-").split())
        return f"Check of “{name if len(name) <= _NAME else name[: _NAME - 1] + '…'}”"

    @property
    def shape(self) -> Shape:
        """The ceilings, those given put over the usual ones."""
        given = {name: value for name in Shape.model_fields if (value := getattr(self, name, None)) is not None}
        return CHECKING.model_copy(update=given)

    def canonical(self) -> dict[str, Any]:
        """What makes two requests the same one, the text by its hash."""
        whole = self.model_dump(mode="json") | self.shape.model_dump(mode="json")
        whole["text"] = hashlib.sha256(self.text.encode("utf-8", "replace")).hexdigest() if self.text else ""
        return whole

    def outline(self) -> dict[str, Any]:
        """The request without its text, for the record of the run."""
        return self.model_dump(mode="json", exclude={"text"}) | {"text": self.canonical()["text"]}


AnyRequest = ResearchRequest | CheckRequest
"""What a run can be asked to do."""


class Stretch(BaseModel):
    """Some words of the text that was checked: `text[start:end]` there, shown without its marks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
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
    """A statement, what it cites, and what the cited pages say to it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claim_id: str
    """`k` and 10 hexadecimal digits of the hash of text and place; of a run, the claim's own id."""
    text: str
    start: int = 0
    end: int = 0
    """With `start`: where it stands in the given text; 0 and 0 for the claim of a run."""
    cites: tuple[str, ...] = ()
    """Its marks as they are written."""
    urls: tuple[str, ...] = ()
    """Where they lead; empty where none leads anywhere."""
    closed: bool = False
    """Cited by the mark that closes its paragraph, not by one of its own."""
    verdict: Verdict
    wording: Wording = ""
    """What was found, where words were only compared: the verdict is then no reader's."""
    reason: str = ""
    """What decided, where the verdict is not `supported`."""
    checked_by: Literal["none", "machine", "model", "self"] = "none"
    quotes: tuple[Quote, ...] = ()
    """The deciding words first, located in their snapshot; empty where nothing could be read."""
    url: str = ""
    """Of the page with the deciding words."""
    link: str = ""
    """The same with a text fragment, where one can work."""
    before: Verdict | None = None
    """The verdict of the run that is checked again."""
