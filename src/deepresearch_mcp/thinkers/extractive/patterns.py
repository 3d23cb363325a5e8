"""Regular expressions that several files of the engine are built from."""

import re

WH = r"(?:what|how|why|when|where|who|whom|whose|which|to what extent|in (?:what|which) \w+|under (?:what|which) \w+)"
AUX = r"(?:is|are|was|were|do|does|did|can|could|should|shall|will|would|has|have|had|may|might|must)"
ADVISE = r"(?:recommend|suggest|advise|judge|conclude|propose|rank|decide|choose)"
"""Verbs of a task that asks for a judgement, as in `Compare A and B and recommend one`."""
ASKS = re.compile(
    rf"^{WH}\b|^{AUX}\b\s+(?:it|there|the|a|an|this|these|[^\W\d_]+)\b|^compare\b|\bvs\.?\b|\bversus\b|^{ADVISE}\b",
    re.IGNORECASE,
)
"""What a clause that asks begins with."""
MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?"
)
THING = r"(?:(?:the )?[A-Z][\w.+#&’'/-]*(?: (?:of |the )?[A-Z0-9][\w.+#&’'/-]*)*|[\"“][^\"”]+[\"”])"
"""A thing with a name of its own, in a question."""


def any_of(*patterns: str) -> str:
    """Join alternatives, to keep long lists readable."""
    return rf"(?:{'|'.join(patterns)})"
