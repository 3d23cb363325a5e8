"""A reader is told of few hypotheses: its own, and those that its passages speak of."""

from deepresearch_mcp.pipeline.research.nearest_hypotheses import is_known, nearest_hypotheses
from deepresearch_mcp.records.plan import Hypothesis
from deepresearch_mcp.records.sources import Passage


def guess(number: int, statement: str) -> Hypothesis:
    return Hypothesis(id=f"h{number}", statement=statement, query=statement)


def passage(text: str, heading: str = "Lakes") -> Passage:
    return Passage(passage_id="a:0", source_id="a", start=0, end=len(text), text=text, heading=heading)


WINTER = passage("In winter lakes freeze from above, since cold water rises below four degrees.")
OWN = guess(1, "Fish survive below the ice of lakes.")


def test_its_own_come_first_and_others_only_where_a_passage_speaks_of_them() -> None:
    near = guess(2, "Lakes freeze from above in winter.")
    far = guess(3, "Trains of the northern line run late on Sundays.")

    assert nearest_hypotheses([OWN], [far, near, OWN], [WINTER]) == (OWN, near)
    assert nearest_hypotheses([OWN], [far, near], []) == (OWN,)


def test_of_many_the_nearest_are_told() -> None:
    names = ("Huron", "Erie", "Ladoga", "Onega", "Garda", "Vänern")
    many = [guess(at, f"The lake of {name} freezes in winter.") for at, name in enumerate(names)]

    told = nearest_hypotheses([], many, [passage("The lakes of Ladoga and Garda freeze in winter.")], most=2)

    assert {one.id for one in told} == {"h2", "h4"}


def test_of_two_that_say_the_same_one_is_told() -> None:
    again = guess(2, "Below the ice of lakes, fish survive.")

    assert nearest_hypotheses([OWN, again], [again], [WINTER]) == (OWN,)


def test_a_statement_is_known_where_another_one_says_it_and_not_with_a_figure_or_version_of_its_own() -> None:
    longer = "The default of the pool is 32 workers on Python 3.8, which waits for threads of an executor at exit."

    assert is_known("On Python 3.8 the default of the pool is 32 workers.", [longer])
    assert not is_known(longer, ["On Python 3.8 the default of the pool is 32 workers."])
    assert not is_known("On Python 3.9 the default of the pool is 32 workers.", [longer])
    assert not is_known("On PyPy 3.8 the default of the pool is 32 workers.", [longer])
    assert not is_known("Ice floats.", [])
