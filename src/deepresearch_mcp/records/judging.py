"""What judges say of reports and runs, and the questions with answer keys that reports are judged by."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Found = Literal["yes", "partly", "no"]
KeyKind = Literal["fact", "judgement"]

ANSWER_SHARE = 0.6
"""The weight of the answer in the mark of a run; that of the process is the rest."""


class AnswerKey(BaseModel):
    """One thing that an expert would want in the answer."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str = Field(min_length=1, max_length=40)
    weight: float = Field(default=1, gt=0, le=100)
    """3: decisive, 2: important, 1: useful."""
    kind: KeyKind = "fact"
    fact: str = Field(min_length=1, max_length=2_000)


class KeyedQuestion(BaseModel):
    """A question, what it asks for, and what an answer should hold; without keys, only the question."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    deliverables: tuple[str, ...] = Field(default=(), max_length=100)
    keys: tuple[AnswerKey, ...] = Field(default=(), max_length=500)


class FoundKey(BaseModel):
    """Whether each of the reports that were shown holds a key."""

    model_config = ConfigDict(frozen=True)

    key: str
    """Its id."""
    found: tuple[Found, ...]
    """In the order of the reports."""


class ReportMarks(BaseModel):
    """Marks of one report, 0 to 10."""

    model_config = ConfigDict(frozen=True)

    comprehensiveness: float
    insight: float
    instructions: float
    """Whether it does what the question asks for, as it asks for it."""
    readability: float
    trust: float


class Weighing(BaseModel):
    """What a judge makes of the reports that it was shown."""

    model_config = ConfigDict(frozen=True)

    marks: tuple[ReportMarks, ...]
    """In the order of the reports, as `answered`."""
    answered: tuple[tuple[bool | None, ...], ...] = ()
    """For each deliverable, in order: which reports answer it; None where the judge did not say."""
    preferred: int | None = None
    """The place of the report that the person who asked would rather have; None: neither, or there is only one."""
    why: str = ""
    lacks: str = ""
    """What is still bad in the better one."""


class RunMarks(BaseModel):
    """Marks of a run, 0 to 10: three of its answer, three of its process."""

    model_config = ConfigDict(frozen=True)

    complete: float
    founded: float
    """How far what it concludes follows from what it cites."""
    clear: float
    searching: float
    sources: float
    checking: float
    why: str = ""

    @property
    def answer(self) -> float:
        """The mean of the marks of the answer."""
        return round((self.complete + self.founded + self.clear) / 3, 2)

    @property
    def process(self) -> float:
        """The mean of the marks of the process."""
        return round((self.searching + self.sources + self.checking) / 3, 2)


class RunJudgement(BaseModel):
    """What a judge made of a run when it had ended."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judge: str
    """`PROVIDER:NAME`."""
    overall: float = 0.0
    """60 % answer, 40 % process. All marks are between 0 and 10; 0 where there is an error."""
    answer: float = 0.0
    process: float = 0.0
    marks: RunMarks | None = None
    usd: float = 0.0
    """What the judge cost. It counts against the run's ceilings, and is not in `metrics`."""
    tokens: int = 0
    error: str = ""
    """Why there are no marks; empty where there are."""


def overall(marks: RunMarks) -> float:
    """The mark of a run: 60 % answer, 40 % process."""
    return round(ANSWER_SHARE * marks.answer + (1 - ANSWER_SHARE) * marks.process, 2)
