"""Texts drawn at random: paragraphs of one sentence, with marks, other scripts and typography."""

from hypothesis import strategies as st

SENTENCE = st.lists(
    st.sampled_from(
        ["ice", "Water", "does", "not", "float", "42", "%", "“so”", "it’s", "冰", "a-b", "**bold**", "3.5"]
    ),
    min_size=1,
    max_size=8,
).map(lambda words: " ".join(words) + ".")
TEXT = st.lists(SENTENCE, min_size=1, max_size=6).map("\n\n".join)
