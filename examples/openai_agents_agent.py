"""Give an agent of the OpenAI Agents SDK the research tools: `python examples/openai_agents_agent.py "Why …?"`.

Needs openai-agents, `deepresearch-server` on the path, and a key of the agent's model.
"""

import asyncio
import os
import sys

from agents import Agent, Runner
from agents.mcp import MCPServerStdio

MODEL = os.environ.get("AGENT_MODEL", "gpt-6.1-terra")
TASK = (
    "Answer from deep_research. While a result says that the research goes on, make the next call that it names. "
    "Keep the citation marks, and close with the references that they lead to."
)


async def main(question: str) -> str:
    """Let the agent research, and return what it says in the end."""
    # The server inherits the environment, and with it your keys and settings.
    command = {"command": "deepresearch-server", "args": ["serve"], "env": dict(os.environ)}
    # The SDK's own limit of five seconds for a call would be met again and again.
    async with MCPServerStdio(command, client_session_timeout_seconds=120) as server:
        agent = Agent(name="Researcher", instructions=TASK, model=MODEL, mcp_servers=[server])
        result = await Runner.run(agent, question, max_turns=30)
    return str(result.final_output)


if __name__ == "__main__":
    print(asyncio.run(main(sys.argv[1])))
