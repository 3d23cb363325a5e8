"""The examples for agents' frameworks as they stand, with a model on loopback that follows the text it is given."""

import json
import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from foreign import is_report, output_of
from scripted_models import ScriptedModel, following, scripted
from small_web import QUESTION, SmallWeb

pytestmark = [pytest.mark.interop, pytest.mark.timeout(300)]

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def lasts() -> float:
    return 0.0


@pytest.fixture
def model() -> Generator[ScriptedModel]:
    with scripted(following("deep_research", {"question": QUESTION, "effort": "quick"})) as served:
        yield served


@pytest.mark.parametrize(
    ("framework", "name", "answers"),
    [
        ("agents", "pydantic_ai_agent.py", "openai:gpt-test"),
        ("agents", "openai_agents_agent.py", "gpt-test"),
        ("langchain", "langchain_agent.py", "openai:gpt-test"),
    ],
)
async def test_an_agent_of_a_framework_reads_the_report(
    request: pytest.FixtureRequest,
    framework: str,
    name: str,
    answers: str,
    model: ScriptedModel,
    server_env: dict[str, str],
    slow_web: SmallWeb,
) -> None:
    python = request.getfixturevalue(framework)
    env = server_env | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{server_env['PATH']}",
        "OPENAI_BASE_URL": f"{model.base}/v1",
        "OPENAI_API_KEY": "any",
        "AGENT_MODEL": answers,
        # The key is the agent's: the server of this test thinks by rules.
        "DEEPRESEARCH_MODEL__USE": "extractive",
    }

    said = await output_of([python, str(EXAMPLES / name), QUESTION], env)

    assert said.strip() == "That is all."
    assert model.faults == []
    told = model.turns[-1].results[-1]
    # Pydantic AI hands a result with links on as a list in JSON.
    assert is_report(json.loads(told)[0] if told.startswith('["') else told, slow_web)
