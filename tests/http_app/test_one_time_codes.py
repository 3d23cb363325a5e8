from clocks import HandClock
from deepresearch_mcp.http_app.one_time_codes import SECONDS, OneTimeCodes
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL


async def test_a_code_signs_in_once_and_a_second_use_ends_the_session() -> None:
    codes = OneTimeCodes(HandClock())
    code = codes.issue()

    session = codes.redeem(code)
    assert session
    known = await codes.principal(session)
    again = codes.redeem(code)

    assert known is LOCAL_PRINCIPAL
    assert again is None
    assert await codes.principal(session) is None


async def test_a_code_is_too_old_after_two_minutes_and_nothing_else_opens_a_session() -> None:
    clock = HandClock()
    codes = OneTimeCodes(clock)
    code = codes.issue()
    clock.advance(SECONDS + 1)

    assert codes.redeem(code) is None
    assert codes.redeem("guess") is None
    assert await codes.principal("") is None
    assert await codes.principal("é") is None
