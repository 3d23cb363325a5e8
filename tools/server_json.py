"""Write `dist/server.json` for the MCP registry: `make server.json OWNER=…`, at publication and not before.

The registry names a server after an account that its publisher signs in with, and looks for that name in the README
of the published package. We can show no such account yet, so the repository holds the rest as a template;
the variables come from `settings/asking.py`.
"""

import json
import re
import sys
from pathlib import Path

from deepresearch_mcp.settings.asking import Question, setup_questions
from deepresearch_mcp.settings.project import DISTRIBUTION, PUBLISHED
from deepresearch_mcp.version import __version__

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = ROOT / "server.template.json"


def filled(owner: str) -> dict[str, object]:
    """What the registry is told, in the name of an account at GitHub.

    Raises:
        ValueError: That cannot be the name of an account.
    """
    if not re.fullmatch(r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}", owner):
        raise ValueError("Give the GitHub account that publishes: make server.json OWNER=account")
    document = json.loads(TEMPLATE.read_text(encoding="utf-8"))
    [package] = document["packages"]
    named = {"$schema": document.pop("$schema"), "name": f"io.github.{owner}/{DISTRIBUTION}"}
    package = {
        "registryType": package.pop("registryType"),
        "identifier": DISTRIBUTION,
        "version": __version__,
        **package,
        "environmentVariables": [_input(one) for one in setup_questions()],
    }
    return named | document | {"version": __version__, "packages": [package]}


def _input(question: Question) -> dict[str, object]:
    """One variable as the registry's schema has it."""
    return {
        "name": question.variable,
        "description": question.about,
        **({"format": "filepath"} if question.folder else {}),
        **({"isSecret": True} if question.secret else {}),
    }


def missing(owner: str, readme: str, *, published: bool) -> list[str]:
    """What is to be done before the registry takes it."""
    steps: list[str] = []
    if not published:
        steps.append(f"publish {DISTRIBUTION} on the package index, and set PUBLISHED in settings/project.py")
    if (line := f"<!-- mcp-name: io.github.{owner}/{DISTRIBUTION} -->") not in readme:
        steps.append(f"put this line into README.md before the package is built: {line}")
    return steps


def main(owner: str, folder: Path) -> int:
    """Write the file, and say what is missing; the exit code."""
    try:
        document = filled(owner)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    folder.mkdir(exist_ok=True)
    file = folder / "server.json"
    file.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(file)
    for step in missing(owner, (ROOT / "README.md").read_text(encoding="utf-8"), published=PUBLISHED):
        print(f"Before you publish it: {step}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "", ROOT / "dist"))
