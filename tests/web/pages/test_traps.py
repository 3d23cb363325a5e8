import random

import pytest

from deepresearch_mcp.web.pages.traps import is_trap

WORDS = "gable tundra quartz violin ember saddle photon walnut mirror canyon turbine ginger".split()  # noqa: SIM905 - shorter
SENSE = (
    "The river rises in the hills and flows to the sea through a wide plain, where most of the people live and work, "
    "and it is there that the first of the towns was built, close to the only ford that could be used in winter. "
)


def salad(seed: int, words: int = 400) -> str:
    chosen = random.Random(seed).choices(WORDS, k=words)
    return "\n\n".join(" ".join(chosen[at : at + 40]) + "." for at in range(0, words, 40))


def maze(base: str, seed: int = 0, many: int = 12) -> list[tuple[str, str]]:
    pick = random.Random(seed)
    return [(f"{base}/{pick.choice(WORDS)}-{n}/{pick.choice(WORDS)}", "on") for n in range(many)]


@pytest.mark.parametrize(
    ("url", "text", "links"),
    [
        ("https://a.example/maze/ember", salad(1), maze("https://a.example/maze")),
        ("https://a.example/maze/", (SENSE * 200), maze("https://a.example/maze")),
        ("https://a.example/cal/next/cal/next/cal/next", SENSE * 5, maze("https://a.example/cal")),
        ("https://a.example/a/ember/a/ember/a/ember", salad(2), []),
    ],
    ids=["words at random", "one sentence for ever", "an address that grows", "random words at such an address"],
)
def test_a_maze_for_crawlers_is_a_trap(url: str, text: str, links: list[tuple[str, str]]) -> None:
    assert is_trap(url, text, links)


@pytest.mark.parametrize(
    ("url", "text", "links"),
    [
        ("https://a.example/docs/guide", SENSE * 5, maze("https://a.example/docs")),
        ("https://a.example/words", salad(3), []),
        ("https://a.example/words/list", salad(3), [("https://b.example/x/y/z", "b")] * 12),
        ("https://a.example/docs/en/docs/en/docs/x", SENSE * 5, []),
        ("http://[", salad(4), [("http://[", "x")] * 9),
        ("", "", []),
    ],
    ids=["an index", "a list of words", "links to elsewhere", "an odd address", "no address", "nothing"],
)
def test_one_sign_alone_is_no_trap(url: str, text: str, links: list[tuple[str, str]]) -> None:
    assert not is_trap(url, text, links)


def test_text_in_a_language_without_a_list_of_words_is_not_judged() -> None:
    basque = (
        "Zuhaitzaren adarrak luzeak ziren, eta haizeak astiro mugitzen zituen goizeko argitan, txoriek kantatzen zuten "
        "bitartean eta herriko jendea merkatura zihoan bidezidorretik barrena.\n\n"
    ) * 12

    assert not is_trap("https://a.example/maze/ember", basque, maze("https://a.example/maze"))
