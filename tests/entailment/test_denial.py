import pytest

from deepresearch_mcp.entailment.denial import contradicts, denied, flatly_denied, negations


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It is not so, never was, and can't be without help", 4),
        ("It cannot; neither did it; hardly anybody; none", 4),
        ("It won’t", 1),
        ("Not only this but also that. No doubt. No. 5 and no 10", 0),
        ("No more than 20, not less than 5 and no later than May", 0),
        ("It is no more, and no longer asked for", 2),
        ("no help", 1),
        ("Das ist nicht kein Problem, ohne uns", 3),
        ("Il ne va pas, sans rien", 2),
        ("No vino nadie, nunca", 3),
        ("It is so", 0),
    ],
)
def test_negations_are_counted_in_four_languages(text: str, count: int) -> None:
    assert negations(text) == count


@pytest.mark.parametrize(
    ("claim", "evidence", "differs"),
    [
        ("The board raised rates", "The board did not raise rates", True),
        ("The board did not raise rates", "The board raised rates", True),
        ("The board failed to raise rates", "The board did not raise rates", False),
        ("Rates rose", "The board did not meet, and rates rose.", False),
        ("The board did not raise rates", "Nothing helped: the board raised rates", True),
        ("It does not work that way", "People do not think it works", False),
        ("Die Bank erhöht die Zinsen", "Die Bank erhöht die Zinsen nicht", True),
        ("It is not.", "It is not, so be it.", False),
    ],
)
def test_texts_contradict_where_one_denies_what_the_other_states(claim: str, evidence: str, *, differs: bool) -> None:
    assert contradicts(claim, evidence) is differs


CBT = "CBT is a treatment for anxiety."


@pytest.mark.parametrize(
    ("claim", "evidence", "differs"),
    [
        (CBT, "Meditation was compared with no treatment. CBT is a common treatment for anxiety.", False),
        (CBT, "Patients got no treatment at first. CBT is a common treatment for anxiety.", False),
        (CBT, "CBT, which was better than no treatment, is a common treatment for anxiety.", False),
        (CBT, "CBT versus usual care or no treatment: CBT is a good treatment for anxiety.", False),
        (CBT, "CBT is a common treatment for anxiety (the waiting list got no treatment).", False),
        (CBT, "CBT is a common treatment for anxiety, compared with those who had no treatment.", False),
        (CBT, "CBT is no treatment for anxiety. Meditation is a treatment for anxiety.", True),
        (CBT, "CBT was tried against anxiety. However, there is no treatment for anxiety.", True),
        (CBT, "CBT was tried against anxiety. It is no treatment for anxiety.", True),
        (CBT, "Many doctors offer a treatment for anxiety. CBT is not a treatment.", True),
        ("The call returns a row.", "The call returns a row (or no row, if the row was deleted).", False),
        ("It works with a network.", "It works with or without a network.", False),
        ("The drug works in children.", "The drug works in most people (but not in children).", True),
        ("The drug works in children.", "The drug works in most people (not in children).", True),
        ("The drug has side effects.", "The drug is cheap and has few or no side effects.", True),
        ("The drug has benefits.", "The drug has no costs or no benefits.", True),
        ("The drug has benefits.", "The drug has little or no benefits.", True),
        ("The company paid tax.", "Compared with rivals that year the company paid no tax.", True),
        ("The company paid tax.", "More profitable than ever the company paid no tax.", True),
        (
            "The company paid tax.",
            "Compared with rivals who paid no tax, the company did well, and its tax rose.",
            False,
        ),
        ("CBT improved sleep.", "CBT was compared to no treatment and did not improve sleep.", True),
        ("CBT was better than no treatment.", "CBT beat what no treatment gave, and was better.", False),
    ],
)
def test_a_denial_counts_only_where_it_is_said_of_the_same(claim: str, evidence: str, *, differs: bool) -> None:
    assert contradicts(claim, evidence) is differs


def test_a_contradiction_names_the_words_that_deny() -> None:
    theirs = denied("CBT is a treatment.", "Here CBT is no treatment of its own.")
    own = denied("CBT is not a treatment.", "CBT is a treatment for all.")

    assert theirs
    assert theirs.said == "denied nearby: no treatment of its own"
    assert theirs.told == "its sources deny something where it does not: “no treatment of its own”"
    assert own
    assert own.said == "not denied there: not a treatment"
    assert own.told == "it denies something that its sources do not deny: “not a treatment”"
    assert denied(CBT, CBT) is None


@pytest.mark.parametrize(
    ("claim", "evidence", "sure"),
    [
        ("The board raised rates.", "The board did not raise rates.", True),
        ("Ice never floats on water.", "Ice floats on water. Lakes freeze.", True),
        ("The board did not raise rates.", "In May the board raised rates again.", True),
        (CBT, "CBT is no treatment for anxiety. Meditation is a treatment for anxiety.", True),
        # The negation stands in another sentence or clause, of something else.
        ("The count is new, and users need not read it.", "The count is new. Tasks are not cancelled by it.", False),
        ("Two reads see different data.", "It sees updates that are not yet committed. Two reads see new data.", False),
        # Another word denies as well.
        ("Others cannot change the row.", "Others are prevented from changing the row.", False),
        ("Without a lock the row is lost.", "The row is lost where others read and write it without one.", False),
        # Both deny, each more than once.
        ("Users should not call it, as tasks should not swallow it.", "Users should not call it.", False),
    ],
)
def test_a_denial_is_sure_only_where_one_sentence_says_the_same_and_denies_it(
    claim: str, evidence: str, *, sure: bool
) -> None:
    assert flatly_denied(claim, evidence) is sure


@pytest.mark.parametrize(
    ("claim", "evidence", "differs"),
    [
        ("If a timeout occurs, the task is cancelled.", "If timeout is None, block until the task is done.", False),
        ("The timeout applies to the task.", "Its timeout defaults to None. The timeout applies to the task.", False),
        ("The function returns the items.", "The function returns none of the items.", True),
        (
            "Changes go into the log instead of overwriting the database.",
            "Changes do not overwrite the database, but go into the log.",
            False,
        ),
        ("Changes overwrite the database.", "Changes do not overwrite the database, but go into the log.", True),
    ],
)
def test_a_value_called_none_denies_nothing_and_instead_of_denies_as_well(
    claim: str, evidence: str, *, differs: bool
) -> None:
    assert contradicts(claim, evidence) is differs
