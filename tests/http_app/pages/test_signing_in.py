from pathlib import Path

import pytest

from deepresearch_mcp.http_app.pages.signing_in import local_path
from pages_world import OWN, key_in, text_of, visiting


async def test_a_browser_without_a_token_is_sent_to_sign_in_and_a_program_is_refused(tmp_path: Path) -> None:
    async with visiting(tmp_path, signed_in=False) as visitor:
        page = await visitor.get("/runs")
        program = await visitor.http.get("/runs")
        forged = await visitor.post("/ask", question="Why?")

    assert (page.status_code, page.headers["location"]) == (303, "/sign-in?next=%2Fruns")
    assert (program.status_code, forged.status_code) == (401, 401)


async def test_a_pasted_token_becomes_a_cookie_that_no_script_and_no_other_site_can_use(tmp_path: Path) -> None:
    async with visiting(tmp_path, signed_in=False) as visitor:
        token = await visitor.token("runs:read")
        wrong = await visitor.send("/sign-in", form_on="/sign-in", token="wrong", next="/runs")
        answer = await visitor.send("/sign-in", form_on="/sign-in?next=/runs", token=token, next="/runs")
        page = await visitor.get("/runs")

    assert wrong.status_code == 401
    assert "This token is not known here" in wrong.text
    cookie = answer.headers.get_list("set-cookie")[0]
    assert cookie.startswith(f"deepresearch_token_8799={token};")
    assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Path=/"))
    assert 'content="0;url=/runs"' in answer.text
    assert token not in answer.text
    # One who may only read finds no way to start anything.
    assert page.status_code == 200


async def test_a_code_of_this_machine_signs_in_once_and_signing_out_forgets_the_session(tmp_path: Path) -> None:
    async with visiting(tmp_path, signed_in=False) as visitor:
        code = visitor.codes.issue()
        first = await visitor.get(f"/sign-in?code={code}")
        home = await visitor.get("/")
        await visitor.post("/sign-out", form_key=key_in(home.text))
        out = await visitor.get("/")
        second = await visitor.get(f"/sign-in?code={code}")

    assert (first.status_code, home.status_code) == (200, 200)
    assert code not in first.text
    assert out.status_code == 303
    assert second.status_code == 401
    assert "used already" in text_of(second.text)


async def test_a_form_without_the_key_of_its_session_signs_nobody_in_or_out(tmp_path: Path) -> None:
    async with visiting(tmp_path) as visitor:
        token = await visitor.token("runs:read")
        for path in ("/sign-in", "/sign-out"):
            answer = await visitor.post(path, token=token, form_key="0" * 64)
            assert answer.status_code == 422, path
            assert not answer.headers.get_list("set-cookie"), path
        assert (await visitor.get("/")).status_code == 200


async def test_who_tries_token_after_token_is_made_to_wait(tmp_path: Path) -> None:
    async with visiting(tmp_path, signed_in=False) as visitor:
        key = key_in((await visitor.get("/sign-in")).text)
        for _ in range(30):
            await visitor.post("/sign-in", form_key=key, token="guess")
        answer = await visitor.post("/sign-in", form_key=key, token=await visitor.token("runs:read"))

    assert "Too many tries" in answer.text


async def test_a_link_on_another_site_leads_through_a_page_of_ours_to_where_it_points(tmp_path: Path) -> None:
    async with visiting(tmp_path, signed_in=False) as visitor:
        bounced = await visitor.get("/sign-in?next=/runs", **{"sec-fetch-site": "cross-site"})
        asked = await visitor.get("/sign-in?next=/runs", **{"sec-fetch-site": "same-origin"})

    assert 'content="0;url=/runs"' in bounced.text
    assert 'name="token"' in asked.text


@pytest.mark.parametrize(
    "text", ["//evil.example", "https://evil.example", "/\\evil.example", "runs", "", f"//{OWN}", "/\n/x"]
)
def test_the_next_page_is_never_on_another_site(text: str) -> None:
    assert local_path(text) == "/"
    assert local_path("/runs/abc") == "/runs/abc"
