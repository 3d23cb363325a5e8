"""Give an agent of Pydantic AI the research tools: `python examples/pydantic_ai_agent.py "Why …?"`.

Needs pydantic-ai with its extras mcp and openai, `deepresearch-server` on the path, and a key of the agent's model.
"""

import asyncio
import os
import sys

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset

MODEL = os.environ.get("AGENT_MODEL", "openai:gpt-6.1-terra")
TASK = (
    "Answer from deep_research. While a result says that the research goes on, make the next call that it names. "
    "Keep the citation marks, and close with the references that they lead to."
)


async def main(question: str) -> str:
    """Let the agent research, and return what it says in the end."""
    # The server inherits the environment, and with it your keys and settings.
    server = StdioTransport("deepresearch-server", ["serve"], env=dict(os.environ))
    research = MCPToolset(server, read_timeout=120)
    agent = Agent(MODEL, toolsets=[research], instructions=TASK)
    async with research:
        result = await agent.run(question)
    return result.output


if __name__ == "__main__":
    print(asyncio.run(main(sys.argv[1])))
