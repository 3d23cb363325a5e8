"""A client whose own model thinks for a run: a Scholar, reached in each of the ways there are."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp import Client, types

from deepresearch_mcp.records.work import ModelTask
from scholar import Scholar
from small_web import said

_SCHEMA = re.compile(r"\n\nAnswer with one JSON object and nothing else. It fits this JSON Schema:\n(.*)\Z", re.DOTALL)


@dataclass
class Mind:
    """Answers packets, requests for sampling, and texts that hold packets."""

    scholar: Scholar = field(default_factory=Scholar)
    requests: int = 0
    rounds: list[str] = field(default_factory=list)
    """Texts with work in them."""

    def answer(self, packet: ModelTask) -> Any:
        return self.scholar.answer(
            {"schema": packet.answer_schema, "prompt": packet.prompt, "system": packet.system, "max_tokens": 0}
        )

    def _said(self, system: str, prompt: str) -> str:
        self.requests += 1
        found = _SCHEMA.search(system)
        schema = json.loads(found.group(1)) if found else None
        told = self.scholar.answer({"schema": schema, "prompt": prompt, "system": system, "max_tokens": 0})
        return told if isinstance(told, str) else json.dumps(told)

    async def sample(self, _: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        """For `Client(sampling_callback=…)`."""
        [message] = params.messages
        assert isinstance(message.content, types.TextContent)
        text = self._said(params.system_prompt or "", message.content.text)
        return types.CreateMessageResult(
            role="assistant",
            content=types.TextContent(type="text", text=text),
            model="scholar-1",
            stop_reason="endTurn",
        )

    def sampled(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The same for a request that came as plain JSON."""
        text = self._said(params.get("systemPrompt", ""), params["messages"][0]["content"]["text"])
        return {"role": "assistant", "content": {"type": "text", "text": text}, "model": "scholar-1"}

    async def follow(self, client: Client, arguments: dict[str, Any], tool: str = "deep_research") -> str:
        """Make the calls that the texts name, answering the work in them, until one names none; that text."""
        while True:
            text = said(await client.call_tool(tool, arguments))
            named = re.search(r"\nNext: (\w+)\((.*)\)\Z", text)
            if named is None:
                return text
            tool, given = named.groups()
            [run_id] = re.findall(r'run_id="(\w+)"', given)
            if tool == "get_report":
                arguments = {"run_id": run_id, "wait_seconds": 30}
                continue
            self.rounds.append(text)
            arguments = {"run_id": run_id, "work": self.work_in(text)}

    def work_in(self, text: str) -> dict[str, Any]:
        """What a model makes of such a text: each packet's answer in the shape that its task shows."""
        work: dict[str, Any] = {}
        for task in re.split(r"(?m)^# Task: ", text)[1:]:
            [shape] = re.findall(r"(?m)^(?:Each|Its) answer is one JSON object: (.*)$", task)[:1] or [""]
            schema = {"properties": {name: {} for name in re.findall(r'"(\w+)":', shape)}} if shape else None
            if schema and "sentences" in schema["properties"]:
                schema["properties"]["sentences"] = {"items": {"properties": schema["properties"]}}
            for packet in re.split(r"(?m)^## Packet ", task)[1:]:
                name, _, prompt = packet.partition("\n")
                asked = {"schema": schema, "prompt": prompt, "system": task, "max_tokens": 0}
                work[name] = self.scholar.answer(asked)
        return work
