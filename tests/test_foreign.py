"""What is missing to test with is told in either place: on somebody's machine and in CI."""

import pytest

from foreign import missing, program


@pytest.mark.parametrize(("value", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_what_is_missing_is_skipped_on_a_machine_and_a_fault_in_ci(
    monkeypatch: pytest.MonkeyPatch, value: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv("CI", value)

    with pytest.raises(outcome, match="no-such-program is not installed"):
        program("no-such-program", "nor-such-a-one")
    with pytest.raises(outcome, match="The registry is not there"):
        missing("The registry is not there.")


def test_what_is_not_needed_may_be_missing_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")

    with pytest.raises(pytest.skip.Exception):
        program("no-such-program", needed=False)
