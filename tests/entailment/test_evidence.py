"""What evidence is, and when it cannot be compared word by word."""

from deepresearch_mcp.entailment.evidence import Evidence, is_foreign

SAID = "Das Meereis bedeckt im März etwa 15 Millionen Quadratkilometer."
WORDS = "Sea ice covers about 15 million square kilometres in March, and it is the largest then."


def test_a_statement_in_the_language_of_the_report_is_foreign_to_words_in_another() -> None:
    assert is_foreign(SAID, WORDS, "de")
    assert not is_foreign(WORDS, WORDS, "en")


def test_without_a_language_or_without_words_nothing_is_foreign() -> None:
    assert not is_foreign(SAID, WORDS, "")
    assert not is_foreign(SAID, "15", "de")


def test_evidence_of_the_same_words_is_equal() -> None:
    assert Evidence(words=WORDS) == Evidence(words=WORDS)
    assert Evidence(words=WORDS) != Evidence(words=WORDS, titles="Ice")
