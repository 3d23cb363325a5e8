"""Loads the word lists of this package from `words/<language>.txt`. The marks have files of their own."""

from deepresearch_mcp.text.word_lists import WordLists

LANGUAGES = ("en", "de", "fr", "es", "zh", "ja")
"""In the order in which their expressions are tried."""

_LISTS = WordLists("deepresearch_mcp.injection", LANGUAGES)
word_list = _LISTS.words
alternatives = _LISTS.alternatives
