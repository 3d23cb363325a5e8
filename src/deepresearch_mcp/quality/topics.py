"""Finds the topic of a question, which decides how fast an answer ages."""

import re
from datetime import date

from deepresearch_mcp.quality.scale import Scale

_WORDS = re.compile(r"[\w+#]+")
_YEAR = re.compile(r"(?<![\d.,-])(?:1\d{3}|20\d{2})(?![\d,-]|\.\d)")
_OLD = re.compile(r"\b(?:\d{1,2}(?:st|nd|rd|th)[- ]century|\d+ ?(?:BC|BCE|AD)|(?:1\d{3}|200\d)s)\b")
_HISTORY, _CURRENT = "history", "current_events"
"""Topics of the package's file, which a user's file cannot remove."""


def topic_of(question: str, profile: str, scale: Scale, today: date) -> str:
    """Return the topic with the most words in the question; the profile's topic if none leads.

    A year or century long past counts as a word of history, the current year as one of current events. Within a year,
    the same question always has the same topic.
    """
    shift = scale.profiles[profile]
    folded = f" {' '.join(_WORDS.findall(question.casefold()))} "
    votes = {name: float(sum(f" {word} " in folded for word in topic.words)) for name, topic in scale.topics.items()}
    years = [int(year) for year in _YEAR.findall(question)]
    votes[_HISTORY] += sum(year <= today.year - scale.thresholds.history_years for year in years)
    votes[_HISTORY] += len(_OLD.findall(question))
    votes[_CURRENT] += any(year == today.year for year in years)
    # Less than one word, so that it only breaks ties and decides if no word matches.
    votes[shift.topic] += 0.5
    return max(votes, key=lambda name: votes[name])
