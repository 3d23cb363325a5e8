import pytest

from deepresearch_mcp.text.boundaries import is_whole


@pytest.mark.parametrize(
    "text",
    [
        "a [word] here",
        "[word]",
        "2.3 [%] x",
        "it [2.3%]",
        "x-[ray]",
        "(-[word]",
        "l’[homme]",
        "[Apple]’s",
        "東[京]都",
        "a [2019] 100",
        "word[—]word",
        "",
    ],
)
def test_whole_words_and_numbers_are_whole(text: str) -> None:
    start, end = (text.index("["), text.index("]") - 1) if text else (0, 0)

    assert is_whole(text.replace("[", "").replace("]", ""), start, end)


@pytest.mark.parametrize(
    "text",
    [
        "w[ord]",
        "[wor]d",
        "foo_[bar]",
        "[foo]_bar",
        "2.[3]",
        "[2].3",
        "[2.3]%",
        "[2.3] %",
        "$[5]",
        "it -[5]",
        "10 [000]",
        "[10] 000",
        "[can]’t",
        "[can]'t x",
        "non-[smoking]",
        "10:[30]",
        "[e]\u0301",
        "कि[ताब]",
        "[2.3]\u00a0%",
    ],
)
def test_cut_words_and_numbers_are_not(text: str) -> None:
    start, end = text.index("["), text.index("]") - 1

    assert not is_whole(text.replace("[", "").replace("]", ""), start, end)
