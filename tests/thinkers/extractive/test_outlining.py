import pytest

from deepresearch_mcp.thinkers.extractive.outlining import heading_of


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("What are the causes of the French Revolution?", "Causes of the French Revolution"),
        ("Who is Ada Lovelace?", "Ada Lovelace"),
        ("How does PostgreSQL handle concurrent writers?", "How PostgreSQL handles concurrent writers"),
        ("Why does Python have a global statement?", "Why Python has a global statement"),
        ("How does Rust try this?", "How Rust tries this"),
        ("How does Rust pass values?", "How Rust passes values"),
        ("How do birds navigate?", "How birds navigate"),
        ("How can I learn the piano?", "How to learn the piano"),
        ("What is known about Go with regard to “speed”?", "Go: speed"),
        ("What is known about Go?", "Go"),
        ("What characterises lists?", "Lists"),
        ("How do lists and tuples differ?", "Lists and tuples compared"),
        ("How do A and B differ with regard to cost?", "A and B compared: cost"),
        ("How do cats and dogs differ in how they sleep?", "Cats and dogs compared"),
        ("Python: what do finally and else do?", "Python: what do finally and else do?"),
        ("Heat pumps: why prices rise", "Heat pumps: why prices rise"),
        ("What are metaclasses for?", "What are metaclasses for?"),
        ("Why did Rome fall?", "Why did Rome fall?"),
        ("noise limits", "Noise limits"),
        ("Wie schwimmt Eis?", "Wie schwimmt Eis?"),
    ],
)
def test_a_heading_is_a_phrase_where_the_form_allows(question: str, heading: str) -> None:
    assert heading_of(question) == heading
