import httpx2
import pytest
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic import BaseModel
from tests.wires import Asked, Drop, Fault, Reply, Scripted, serve


class Answer(BaseModel):
    words: list[str]


@pytest.mark.parametrize("wire", ["anthropic", "responses", "chat"])
async def test_one_script_answers_all_wires_alike(wire: str) -> None:
    async def answers(asked: Asked) -> object:
        return Answer(words=[asked["system"], asked["prompt"], asked["model"]])

    scripted = Scripted(answers)
    async with serve(scripted) as base_url, httpx2.AsyncClient() as http:
        if wire == "anthropic":
            claude = AsyncAnthropic(api_key="k", base_url=base_url, http_client=http)
            message = await claude.messages.create(
                model="m",
                max_tokens=9,
                system=[{"type": "text", "text": "S"}],
                messages=[{"role": "user", "content": "P"}],
            )
            text = message.content[0].text  # type: ignore[union-attr] - the script sends text
        elif wire == "responses":
            gpt = AsyncOpenAI(api_key="k", base_url=f"{base_url}/v1", http_client=http)
            text = (await gpt.responses.create(model="m", instructions="S", input="P")).output_text
        else:
            gpt = AsyncOpenAI(api_key="k", base_url=f"{base_url}/v1", http_client=http)
            made = await gpt.chat.completions.create(
                model="m", messages=[{"role": "system", "content": "S"}, {"role": "user", "content": "P"}]
            )
            text = made.choices[0].message.content or ""

    assert Answer.model_validate_json(text).words == ["S", "P", "m"]
    [asked] = scripted.asked
    assert asked["wire"] == wire
    assert asked["schema"] is None
    assert asked["headers"]["authorization"] == "Bearer k"


async def test_one_connection_carries_many_requests() -> None:
    scripted = Scripted(lambda asked: Reply([[1.0], [2.0]]))

    async with serve(scripted) as base_url, httpx2.AsyncClient(base_url=base_url) as http:
        for _ in range(3):
            await http.post("/v1/embeddings", json={"model": "m", "input": ["a", "b"]})

    assert len(scripted.asked) == 3
    assert scripted.connections == 1


async def test_an_unknown_path_is_not_found() -> None:
    async with serve(Scripted(lambda asked: "no")) as base_url, httpx2.AsyncClient() as http:
        assert (await http.post(f"{base_url}/v1/other", json={})).status_code == 404
        assert (await http.get(f"{base_url}/v1/messages")).status_code == 404


async def test_a_dropped_connection_has_no_answer() -> None:
    async with serve(Scripted(lambda asked: Drop())) as base_url, httpx2.AsyncClient() as http:
        with pytest.raises(httpx2.RemoteProtocolError):
            await http.post(f"{base_url}/v1/embeddings", json={"model": "m", "input": []})


async def test_a_fault_has_the_headers_and_the_body_it_was_given() -> None:
    fault = Fault(429, headers={"retry-after": "7", "content-type": "text/plain"}, body="slow down")

    async with serve(Scripted(lambda asked: fault)) as base_url, httpx2.AsyncClient() as http:
        response = await http.post(f"{base_url}/v1/embeddings", json={"model": "m", "input": []})

    assert (response.status_code, response.text, response.headers["retry-after"]) == (429, "slow down", "7")
