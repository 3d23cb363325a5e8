"""How a checkout of this repository is built: sizes, late imports, regular expressions, names with two meanings.

    python bench/house.py [CHECKOUT] [--names] [--json]

Reads the source below `src/`, in this layout or an older one, and imports nothing of it:

- median and longest file and function, in lines, with docstrings and comments;
- imports inside functions;
- calls of `re.compile` per 1,000 lines;
- public classes and functions of modules (not methods) whose name is defined in more than one module;
- files that name every keyed search engine, or every keyed model provider: each is a place that the next one may have
  to be written into. A service is keyed if the source holds its variable, NAME_API_KEY; it is an engine if `search/`
  holds a module of its name. The changelog, tests and benches are left out.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_VARIABLE = re.compile(r"\b([A-Z]+)_API_KEY\b")
_LEFT_OUT = ("CHANGELOG.md", "tests/", "bench/")


@dataclass(frozen=True, slots=True)
class Longest:
    """What is longest of its kind."""

    name: str
    lines: int


@dataclass(frozen=True, slots=True)
class House:
    """The figures of one checkout."""

    files: int
    lines: int
    median_file: float
    longest_file: Longest
    functions: int
    median_function: float
    longest_function: Longest
    late_imports: int
    compiled: int
    compiled_per_1000_lines: float
    shared_names: dict[str, list[str]]
    """Public name → the modules that define it."""
    files_with_every_engine: list[str]
    files_with_every_provider: list[str]


def measured(checkout: Path) -> House:
    """Measure the package below `src/`."""
    package = next(file.parent for file in sorted((checkout / "src").glob("*/__init__.py")))
    trees = {file: ast.parse(file.read_text(encoding="utf-8"), str(file)) for file in sorted(package.rglob("*.py"))}
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in trees}
    functions = [one for file, tree in trees.items() for one in function_lengths(file.relative_to(package), tree)]
    lines = sum(lengths.values())
    compiled = sum(is_compile(node) for tree in trees.values() for node in ast.walk(tree))
    longest = max(lengths, key=lambda file: lengths[file])
    engines, providers = keyed_services(package, trees)
    return House(
        files=len(trees),
        lines=lines,
        median_file=median(lengths.values()),
        longest_file=Longest(longest.relative_to(package).as_posix(), lengths[longest]),
        functions=len(functions),
        median_function=median(one.lines for one in functions),
        longest_function=max(functions, key=lambda one: one.lines),
        late_imports=sum(late_imports(tree) for tree in trees.values()),
        compiled=compiled,
        compiled_per_1000_lines=round(1000 * compiled / lines, 2),
        shared_names=shared_names({file.relative_to(package).as_posix(): tree for file, tree in trees.items()}),
        files_with_every_engine=files_with_every(engines, checkout),
        files_with_every_provider=files_with_every(providers, checkout),
    )


def function_lengths(file: Path, tree: ast.Module) -> Iterator[Longest]:
    """Every function and method, inner ones too."""
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS):
            yield Longest(f"{file.as_posix()}:{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1)


def late_imports(tree: ast.Module) -> int:
    """Import statements inside functions, each once."""
    return len(
        {
            one
            for function in ast.walk(tree)
            if isinstance(function, _FUNCTIONS)
            for one in ast.walk(function)
            if isinstance(one, ast.Import | ast.ImportFrom)
        }
    )


def is_compile(node: ast.AST) -> bool:
    """Whether a node is a call of `re.compile`, or of `regex.compile`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "compile"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in {"re", "regex"}
    )


def shared_names(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    """Public classes and functions that more than one module defines, those of most modules first."""
    found: dict[str, list[str]] = defaultdict(list)
    for module, tree in trees.items():
        for name in {node.name for node in tree.body if isinstance(node, (ast.ClassDef, *_FUNCTIONS))}:
            if not name.startswith("_"):
                found[name].append(module)
    several = [(name, sorted(modules)) for name, modules in found.items() if len(modules) > 1]
    return dict(sorted(several, key=lambda item: (-len(item[1]), item[0])))


def keyed_services(package: Path, trees: dict[Path, ast.Module]) -> tuple[set[str], set[str]]:
    """Names of search engines and of model providers that take a key."""
    texts = {
        node.value
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _VARIABLE.fullmatch(node.value)
    }
    names = {text.removesuffix("_API_KEY").lower() for text in texts}
    engines = {name for name in names if (package / "search" / f"{name}.py").exists()}
    # The other name of Gemini's variable is that of its vendor.
    return engines, names - engines - {"google"}


def files_with_every(names: set[str], checkout: Path) -> list[str]:
    """Files kept by git that name each of these services, as a word or as a part of one."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=checkout, capture_output=True, text=True, check=True).stdout
    found: list[str] = []
    for name in sorted(filter(None, listed.split("\0"))):
        if name.startswith(_LEFT_OUT) or not (checkout / name).is_file():
            continue
        try:
            text = (checkout / name).read_text(encoding="utf-8").lower()
        except UnicodeDecodeError:
            continue
        if names and all(re.search(rf"(?<![a-z]){one}(?![a-z])", text) for one in names):
            found.append(name)
    return found


def shown(house: House, *, names: bool) -> str:
    """The figures as lines of text."""
    lines = [
        f"files               {house.files} of {house.lines:,} lines; median {house.median_file:g}, "
        f"longest {house.longest_file.lines} ({house.longest_file.name})",
        f"functions           {house.functions}; median {house.median_function:g}, "
        f"longest {house.longest_function.lines} ({house.longest_function.name})",
        f"late imports        {house.late_imports}",
        f"compiled patterns   {house.compiled}, {house.compiled_per_1000_lines:g} per 1,000 lines",
        f"names in 2 modules  {len(house.shared_names)}",
        *([f"  {name}: {', '.join(modules)}" for name, modules in house.shared_names.items()] if names else ()),
        f"every keyed engine  is named in {len(house.files_with_every_engine)} files: "
        f"{', '.join(house.files_with_every_engine)}",
        f"every keyed provider is named in {len(house.files_with_every_provider)} files: "
        f"{', '.join(house.files_with_every_provider)}",
    ]
    return "\n".join(lines)


def main() -> int:
    """Measure the checkout that the command line names, else this one."""
    about = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("checkout", nargs="?", type=Path, default=ROOT, help="another checkout of the repository")
    parser.add_argument("--names", action="store_true", help="list the names that several modules define")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    house = measured(asked.checkout)
    print(json.dumps(asdict(house), indent=1) if asked.json else shown(house, names=asked.names))
    return 0


if __name__ == "__main__":
    sys.exit(main())
