"""Tells how far sub-questions are: each round of one from its beginning to its end, and marks on the plan."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager

import anyio

from deepresearch_mcp.events import PlanMarked, SubQuestionEnded, SubQuestionStarted, SubQuestionStatus
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION
from deepresearch_mcp.pipeline.research.context import SubQuestionTask
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.pipeline.sub_question_state import SubQuestionState
from deepresearch_mcp.records.plan import SubQuestion, TaskStatus


class Marks:
    """Tells the rounds of all sub-questions of one run."""

    def __init__(self, parts: Dependencies) -> None:
        self._parts = parts
        self._shown: dict[str, TaskStatus] = {}
        """What was told of each sub-question last."""

    def mark(self, parts: Iterable[SubQuestion]) -> None:
        """Tell the status of these sub-questions, as far as another was told before."""
        for part in parts:
            if self._shown.get(part.id) != part.status:
                self._shown[part.id] = part.status
                self._parts.emit(PlanMarked(part.id, part.text, part.status))

    @contextmanager
    def told(self, task: SubQuestionTask, state: SubQuestionState) -> Generator[None]:
        """Tell the beginning and the end of the work that is done within."""
        parts, part = self._parts, task.sub_question
        parts.emit(SubQuestionStarted(part.id, part.text, task.round))
        if part.id != WHOLE_QUESTION:
            self.mark([part.model_copy(update={"status": "in_progress"})])
        began, tokens = parts.clock.monotonic(), parts.tokens_of(part.id)
        sources, claims = len(state.sources), len(state.claims)
        status: SubQuestionStatus = "failed"
        failure = ""
        try:
            yield
            new = len(state.claims) - claims
            status, failure = ("ceiling", state.spent) if state.spent else ("found" if new else "nothing", "")
        except anyio.get_cancelled_exc_class():
            status = "cancelled"
            raise
        except BaseExceptionGroup as group:
            failure = type(leaf(group)).__name__
            raise
        except Exception as error:
            failure = type(error).__name__
            raise
        finally:
            parts.emit(
                SubQuestionEnded(
                    part.id,
                    task.round,
                    status,
                    round(parts.clock.monotonic() - began, 3),
                    parts.tokens_of(part.id) - tokens,
                    len(state.sources) - sources,
                    len(state.claims) - claims,
                    failure,
                )
            )
