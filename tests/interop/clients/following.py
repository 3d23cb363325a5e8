"""A model that follows the text it is given, for agents of any framework: it makes the exact call that text names."""

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

GIVEN: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text())
"""What the test wants: how the server is reached, the question, the client's own time-out in seconds."""

Call = tuple[str, dict[str, Any]]


def named(text: str) -> Call | None:
    """The call that a result tells its reader to make; None where nothing is left to do."""
    if not (found := re.search(r"Next: (\w+)\((.*)\)$", text)):
        return None
    tool, given = found.groups()
    pairs = re.findall(r'(\w+)=("[^"]*"|\d+)', given)
    return tool, {name: json.loads(value) for name, value in pairs}


class Follower:
    """Begins with a research, then does as it is told; what failed it tries again, as any model does."""

    def __init__(self) -> None:
        question = {"question": GIVEN["question"], "effort": "quick"}
        self.calls: list[Call] = [("deep_research", question | GIVEN.get("arguments", {}))]
        self.texts: list[str] = []
        self.faults: list[str] = []
        self._began = time.monotonic()

    def after(self, text: str) -> Call | None:
        """The call after this answer; None once it is the last."""
        self.texts.append(text)
        following = named(text)
        if following:
            self.calls.append(following)
        return following

    def again(self, fault: str) -> Call:
        """The call after one that failed: the same."""
        self.faults.append(fault)
        self.calls.append(self.calls[-1])
        return self.calls[-1]

    def tell(self, runs: Any, **more: Any) -> None:
        """Print what happened, for the test to judge."""
        seen = {"calls": self.calls, "texts": self.texts, "faults": self.faults, "runs": runs}
        sys.stdout.write(json.dumps({**seen, "seconds": time.monotonic() - self._began, **more}))
