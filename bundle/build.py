"""Build `dist/deepresearch-server.mcpb`, which Claude Desktop and others install with one click.

    python bundle/build.py [FILE]

A bundle (MCPB, manifest 0.4) of the kind `uv` holds our source and its list of dependencies; the host installs them,
for any system. Its names and version are those of `pyproject.toml` and `server.template.json`; what its form
asks for comes from `settings/asking.py`.
"""

import json
import re
import sys
import tempfile
import zipfile
from pathlib import Path

import anyio
import tomlkit
from mcp import Client

from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.settings.asking import Question, setup_questions
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.version import __version__

ROOT = Path(__file__).resolve().parents[1]
ENTRY = "server.py"
FILES = ("README.md", "LICENSE")
EPOCH = (2020, 1, 1, 0, 0, 0)
"""Of every file in the bundle: the same source makes the same bundle, byte for byte."""


def manifest() -> dict[str, object]:
    """What the host reads before it starts anything."""
    server = json.loads((ROOT / "server.template.json").read_text(encoding="utf-8"))
    project = tomlkit.parse((ROOT / "pyproject.toml").read_text(encoding="utf-8")).unwrap()["project"]
    return {
        "manifest_version": "0.4",
        "name": project["name"],
        "display_name": server["title"],
        "version": __version__,
        "description": server["description"],
        "long_description": (
            "Turns a question into a cited report and keeps a sentence only if the words it rests on were found in a "
            "stored copy of the page it cites. It works without any key; a key lets a model plan, read and write."
        ),
        "author": {"name": project["authors"][0]["name"]},
        "license": project["license"],
        "keywords": project["keywords"],
        "server": {
            "type": "uv",
            "entry_point": ENTRY,
            # A host that manages uv itself needs none of this; the format asks for it, and others use it.
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", ENTRY],
                "env": {one.variable: f"${{user_config.{one.variable.lower()}}}" for one in setup_questions()},
            },
        },
        "tools": anyio.run(tools),
        "prompts_generated": True,
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"python": project["requires-python"]},
        },
        "user_config": {one.variable.lower(): field(one) for one in setup_questions()},
    }


def field(question: Question) -> dict[str, object]:
    """One field of the form; none has to be filled in."""
    return {
        "type": "directory" if question.folder else "string",
        "title": question.title,
        "description": question.about,
        "required": False,
        **({"sensitive": True} if question.secret else {}),
    }


async def tools() -> list[dict[str, str]]:
    """Our tools, each with the first sentence of what it says of itself."""
    with tempfile.TemporaryDirectory() as home:
        async with Client(build_server(Settings(home=Path(home)))) as client:
            listed = await client.list_tools()
    return [
        {"name": tool.name, "description": re.split(r"(?<=\.)\s", (tool.description or "").strip())[0]}
        for tool in listed.tools
    ]


def dependencies() -> str:
    """Our `pyproject.toml` for the host: with the models' libraries, without what only developers need."""
    document = tomlkit.parse((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = document["project"]
    extras = project["optional-dependencies"].unwrap()
    for extra in ("anthropic", "openai"):
        for one in extras.get(extra, ()):
            project["dependencies"].append(one)
    del document["dependency-groups"]
    for tool in [name for name in document["tool"] if name != "hatch"]:
        del document["tool"][tool]
    # What it was tested with: a user of a bundle cannot mend what another version breaks.
    document["tool"]["uv"] = {"constraint-dependencies": pins(), "build-constraint-dependencies": pins()}
    return tomlkit.dumps(document)


def pins() -> list[str]:
    """The versions of `constraints.txt`."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def build(file: Path) -> Path:
    """Write the bundle."""
    contents = {
        "manifest.json": json.dumps(manifest(), indent=2, ensure_ascii=False) + "\n",
        "pyproject.toml": dependencies(),
        ENTRY: (ROOT / "bundle" / ENTRY).read_text(encoding="utf-8"),
        **{name: (ROOT / name).read_text(encoding="utf-8") for name in FILES},
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in contents.items():
            bundle.writestr(zipfile.ZipInfo(name, EPOCH), text, zipfile.ZIP_DEFLATED)
        for source in sorted((ROOT / "src").rglob("*")):
            if source.is_file() and "__pycache__" not in source.parts:
                name = source.relative_to(ROOT).as_posix()
                bundle.writestr(zipfile.ZipInfo(name, EPOCH), source.read_bytes(), zipfile.ZIP_DEFLATED)
    return file


if __name__ == "__main__":
    built = build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist" / "deepresearch-server.mcpb")
    print(f"{built} ({built.stat().st_size / 1024:.0f} KB)")
