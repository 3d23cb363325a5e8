"""Give an agent of LangChain the research tools: `python examples/langchain_agent.py "Why …?"`.

Needs langchain, langchain-openai and langchain-mcp-adapters, `deepresearch-server` on the path, and a key of the
agent's model.
"""

import asyncio
import os
import sys

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools

MODEL = os.environ.get("AGENT_MODEL", "openai:gpt-6.1-terra")
TASK = (
    "Answer from deep_research. While a result says that the research goes on, make the next call that it names. "
    "Keep the citation marks, and close with the references that they lead to."
)


async def main(question: str) -> str:
    """Let the agent research, and return what it says in the end."""
    # The server inherits the environment, and with it your keys and settings.
    server = {"transport": "stdio", "command": "deepresearch-server", "args": ["serve"], "env": dict(os.environ)}
    client = MultiServerMCPClient({"research": server})
    # In one session: else each call would start a server of its own.
    async with client.session("research") as session:
        agent = create_agent(MODEL, await load_mcp_tools(session), system_prompt=TASK)
        result = await agent.ainvoke({"messages": [("user", question)]}, {"recursion_limit": 60})
    return str(result["messages"][-1].text)


if __name__ == "__main__":
    print(asyncio.run(main(sys.argv[1])))
