"""The rules of the house that no type checker knows, read from the source itself."""

import ast
import re
import shutil
import subprocess
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from deepresearch_mcp.pipeline.steps import KINDS
from lazies import listed

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "deepresearch_mcp"
FILES = sorted(PACKAGE.rglob("*.py"))

ROOMS = {
    "exceptions": 0,
    "settings": 0,
    "records": 0,
    "text": 0,
    "entailment": 1,
    "injection": 1,
    "cited_text": 1,
    "ports": 1,
    "events": 1,
    "attribution": 1,
    "progress": 2,
    "named_files": 1,
    "adapters": 2,
    "breaker": 2,
    "budget": 2,
    "degradations": 2,
    "telemetry": 2,
    "prompts": 2,
    "profiles": 2,
    "report_templates": 2,
    "quality": 2,
    "system_clock": 2,
    "llm": 3,
    "search": 3,
    "web": 3,
    "store": 3,
    "thinkers": 4,
    "pipeline": 5,
    "runtime": 6,
    "jobs": 7,
    "viewer": 7,
    "sdk": 8,
    "mcp_server": 8,
    "http_app": 9,
    "evals": 9,
    "cli": 10,
    "": 11,  # The root: its __init__ and __main__.
}
"""A room imports rooms with a lower number, and itself."""

BESIDE = {
    ("settings", f"records.{name}")
    for name in ("specs", "spec_types", "engine_specs", "data_source_specs", "eval_specs", "principal")
}
"""Rooms that read one module of a room of their own number: settings are made from those, which import nothing."""

ONE_ROOM = {
    "__main__": "",
    "ending": "system_clock",
    "budget_shares": "budget",
    "quotas": "budget",
    "retry_after": "breaker",
    "tally": "budget",
    "version": "settings",
    "admission": "runtime",
    "engines": "runtime",
    "run_events": "runtime",
    "service_client": "runtime",
    "setup_id": "runtime",
    "thinking": "runtime",
    "watching": "runtime",
}
"""Files beside a room's main one."""

LONG = {
    "web/pages/block_features.py": "every feature of a block, side by side",
    "store/schema.py": "every change of the tables, in the order in which they were made",
    "exceptions.py": "one tree of errors, read as a whole",
    "events.py": "the one vocabulary of what happens, and the one reading of it",
    "pipeline/steps.py": "every kind of step, which are looked up in one place",
    "thinkers/prompted/marked_text.py": "one grammar, read in one place",
    "thinkers/prompted/answers.py": "every shape of an answer, side by side",
    "thinkers/tasks.py": "every kind of task, side by side",
    "records/report.py": "all that a report is made of, from the sketch to the finished citation",
    "injection/reading_words.py": "words by notion in sixty languages, which are data",
}
"""Files of more than 300 lines, and why."""

WITHOUT_TWIN = {"__init__", "__main__", "version"}
"""Modules that need no test of their own name; the ports share one."""

# Put together here, so that this file does not hold what it looks for.
INDEX_HOSTS = tuple(".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org")))

SEARCHES_AN_INDEX = {f"src/deepresearch_mcp/search/data_sources/{name}.py" for name in ("pypi", "npm")}
"""Adapters for which a package index is a data source."""


def module_of(file: Path) -> str:
    """`web.guard`; the root's `__init__` is the empty name."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    first = module.partition(".")[0]
    return ONE_ROOM.get(first, first)


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


@cache
def all_modules() -> frozenset[str]:
    return frozenset(map(module_of, FILES))


@cache
def imports_of(file: Path) -> dict[str, int]:
    """Modules of ours that a file imports, anywhere in it → the line."""
    modules = all_modules()
    found: dict[str, int] = {}
    for node in ast.walk(tree_of(file)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            package, _, inside = name.partition(".")
            if package != "deepresearch_mcp":
                continue
            # `from a.b import c`: c is a module, or something in a.b.
            while inside not in modules and "." in inside:
                inside = inside.rpartition(".")[0]
            found.setdefault(inside if inside in modules else "", getattr(node, "lineno", 0))
    return through_lazy(file, found)


LAZY = {"cli.lazy", "mcp_server.lazy"}
"""Modules that stand for others: `lazy.NAME` is the module of that name, imported when it is first used."""


def through_lazy(file: Path, found: dict[str, int]) -> dict[str, int]:
    """The imports of a file, with what it uses of a lazy module in the place of that module."""
    if module_of(file) in LAZY:
        return {}
    for lazy in LAZY & found.keys():
        stands_for = listed(PACKAGE / f"{lazy.replace('.', '/')}.py")
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "lazy":
                package, _, inside = stands_for[node.attr].partition(".")
                if package == "deepresearch_mcp":
                    found.setdefault(inside, node.lineno)
    return found


def where(file: Path, node: ast.AST) -> str:
    return f"{file.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)}"


def dotted(node: ast.AST) -> str:
    """`a.b.c` of such an expression; else nothing."""
    if isinstance(node, ast.Attribute):
        return f"{before}.{node.attr}" if (before := dotted(node.value)) else ""
    return node.id if isinstance(node, ast.Name) else ""


def named(file: Path) -> Iterator[tuple[str, ast.AST]]:
    """Every dotted name used in a file, those it imports from elsewhere written out."""
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Attribute | ast.Name):
            yield dotted(node), node
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node


def uses(forbidden: set[str], *, but: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{where(file, node)} {name}"
        for file in FILES
        if not file.relative_to(PACKAGE).as_posix().startswith(but)
        for name, node in named(file)
        if name in forbidden
    ]


def test_every_module_stands_in_a_room() -> None:
    assert {room_of(module_of(file)) for file in FILES} <= ROOMS.keys()


def test_imports_point_down_only() -> None:
    wrong = [
        f"{file.relative_to(PACKAGE)}:{line} imports {imported or 'the root'}"
        for file in FILES
        for imported, line in imports_of(file).items()
        if (room := room_of(module_of(file))) != (other := room_of(imported)) and ROOMS[other] >= ROOMS[room]
        if (room, imported) not in BESIDE
    ]

    assert wrong == []


IMPORT_LATE = {
    "cli/demo/site.py": "a Python that was packed may lack the module",
    "mcp_server/logs.py": "who logs as text does not pay for the vocabulary of events",
    "mcp_server/starting.py": "the first answers are given while these are imported",
}
"""Files of the surfaces that import inside a function, and why; all others use their `lazy` module."""


def test_imports_of_the_surfaces_stand_at_the_top() -> None:
    late = {
        file.relative_to(PACKAGE).as_posix()
        for file in FILES
        if room_of(module_of(file)) in {"cli", "mcp_server"}
        for function in ast.walk(tree_of(file))
        if isinstance(function, _FUNCTIONS)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }

    assert late == IMPORT_LATE.keys()


def test_what_is_used_through_a_lazy_module_counts_as_imported() -> None:
    found = imports_of(PACKAGE / "mcp_server" / "tools.py")

    assert "deepresearch_mcp.jobs.lookups" not in found
    assert "jobs.lookups" in found
    assert imports_of(PACKAGE / "mcp_server" / "lazy.py") == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {module_of(file): imports_of(file).keys() for file in FILES}

    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


DOOR = "entailment.check"
"""The one module of the room that others ask whether words carry a statement."""


def test_only_the_door_of_the_evidence_rules_is_imported_from_outside() -> None:
    assert [
        f"{file.relative_to(PACKAGE)}:{line} imports {imported}"
        for file in FILES
        for imported, line in imports_of(file).items()
        if imported.startswith("entailment.") and imported != DOOR and room_of(module_of(file)) != "entailment"
    ] == []


def test_evidence_injection_and_cited_texts_do_not_know_each_other() -> None:
    apart = {"entailment", "injection", "cited_text"}

    assert [
        f"{file.relative_to(PACKAGE)}:{line} imports {imported}"
        for file in FILES
        for imported, line in imports_of(file).items()
        if {room_of(module_of(file)), room_of(imported)} <= apart and room_of(module_of(file)) != room_of(imported)
    ] == []


_PARTS = ("pipeline.research", "pipeline.report", "pipeline.check")
"""The sub-rooms of the pipeline."""


def part_of_pipeline(module: str) -> str:
    """The sub-room that a module stands in; "" for one that stands above them, or elsewhere."""
    return next((part for part in _PARTS if module.startswith(f"{part}.")), "")


def sideways(graph: Mapping[str, Collection[str]]) -> list[str]:
    """Imports that tie the sub-rooms of the pipeline to each other, directly or by way of what they share."""
    shared = {one for module, imported in graph.items() if part_of_pipeline(module) for one in imported}
    return [
        f"{module} imports {one}"
        for module, imported in graph.items()
        for one in imported
        if (other := part_of_pipeline(one))
        and other != part_of_pipeline(module)
        and (part_of_pipeline(module) or (module in shared and module.startswith("pipeline.")))
    ]


def test_research_report_and_check_do_not_import_each_other_and_what_they_share_imports_none_of_them() -> None:
    assert sideways({module_of(file): imports_of(file).keys() for file in FILES}) == []


@pytest.mark.parametrize(
    "graph",
    [
        {"pipeline.report.writer": ["pipeline.research.reader"]},
        {"pipeline.check.evidence": ["pipeline.findings"], "pipeline.findings": ["pipeline.report.writer"]},
    ],
)
def test_the_rule_sees_an_import_sideways(graph: dict[str, list[str]]) -> None:
    assert len(sideways(graph)) == 1


def test_the_rule_lets_a_sub_room_import_itself_and_what_is_shared() -> None:
    graph = {
        "pipeline.run": ["pipeline.research.rounds", "pipeline.report.writer"],
        "pipeline.research.rounds": ["pipeline.research.reader", "pipeline.steps"],
        "pipeline.steps": ["text.urls"],
    }

    assert sideways(graph) == []


_ADAPTERS = {"llm", "search", "web", "store"}


def adapters_of(graph: Mapping[str, Collection[str]]) -> list[str]:
    """Imports of adapters by the pipeline, which knows ports alone."""
    return [
        f"{module} imports {one}"
        for module, imported in graph.items()
        if room_of(module) == "pipeline"
        for one in imported
        if room_of(one) in _ADAPTERS
    ]


def test_the_pipeline_imports_no_adapter() -> None:
    assert adapters_of({module_of(file): imports_of(file).keys() for file in FILES}) == []


def test_the_rule_sees_an_adapter_in_the_pipeline_and_none_elsewhere() -> None:
    assert adapters_of({"pipeline.research.searcher": ["search.engines.brave"]}) == [
        "pipeline.research.searcher imports search.engines.brave"
    ]
    assert adapters_of({"runtime": ["search.engines.brave"], "pipeline.run": ["ports.search"]}) == []


_CUTS = {"split", "rsplit", "partition", "rpartition"}


def step_keys(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Places that write or take apart the key of a step.

    Those are a `Step` whose key is written out, a text that begins like a key, and a name of a key that is cut at "/".
    """

    kinds = tuple(f"{kind}/" for kind in KINDS)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(kinds):
            yield node, node.value
        if not isinstance(node, ast.Call):
            continue
        first = node.args[0] if node.args else next((one.value for one in node.keywords if one.arg == "key"), None)
        if dotted(node.func).rpartition(".")[2] == "Step" and isinstance(
            first, ast.Constant | ast.JoinedStr | ast.BinOp
        ):
            yield node, "Step"
        if (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in _CUTS
            and isinstance(first, ast.Constant)
            and first.value == "/"
            and dotted(node.func.value).rpartition(".")[2].endswith("key")
        ):
            yield node, f"{node.func.attr} of a key"


_KEY_WRITERS = ("pipeline/steps.py", "ports/journal.py", "evals/")
"""The one module of keys; the form that all keys have; and evaluations, whose steps are no steps of a run."""


def test_only_one_module_writes_and_reads_the_keys_of_steps() -> None:
    assert [
        f"{where(file, node)} {said}"
        for file in FILES
        if not file.relative_to(PACKAGE).as_posix().startswith(_KEY_WRITERS)
        for node, said in step_keys(tree_of(file))
    ] == []


@pytest.mark.parametrize(
    "code",
    [
        'Step(f"{kind}/{name}")',
        'Step("plan")',
        'journal.Step(key="plan" + name)',
        'key = f"read/{name}"',
        'if row.key.startswith("search/"): ...',
        'row.key.split("/")[2]',
        'search_key.rpartition("/")',
    ],
)
def test_the_rule_sees_each_way_to_write_or_cut_a_key(code: str) -> None:
    assert len(list(step_keys(ast.parse(code)))) == 1


def test_the_rule_lets_keys_of_the_one_module_and_other_paths_be() -> None:
    code = 'Step(steps.PLAN)\nStep(steps.assess(1))\nStep(key)\nurl.split("/")\n"text/plain"\nhosts.partition("/")'

    assert list(step_keys(ast.parse(code))) == []


def rooms_with_folders() -> list[Path]:
    """The folders of the rooms and of the pipeline's sub-rooms."""
    rooms = [file.parent for file in FILES if file.name == "__init__.py" and file.parent.parent == PACKAGE]
    return [*rooms, *(PACKAGE.joinpath(*part.split(".")) for part in _PARTS)]


def unsaid(readme: str, number: int | None) -> str:
    """What the page of a room does not say; `number` is the room's own, None for a sub-room."""
    lines = [line for line in readme.splitlines() if line]
    if not 3 <= len(lines) <= 10:
        return "it has not three to ten lines"
    missing = [one for one in ("**Here:**", "**Not here:**", "**Start with**", "**Imports:**") if one not in readme]
    if number is not None and f"**Imports:** Room {number}: " not in readme:
        missing.append(f"Room {number}")
    return ", ".join(missing)


@pytest.mark.parametrize("folder", rooms_with_folders(), ids=lambda folder: folder.relative_to(PACKAGE).as_posix())
def test_each_room_says_what_lives_there_where_to_start_and_what_it_may_import(folder: Path) -> None:
    readme = folder / "README.md"
    number = ROOMS[folder.name] if folder.parent == PACKAGE else None

    assert readme.is_file()
    assert unsaid(readme.read_text(encoding="utf-8"), number) == ""


@pytest.mark.parametrize("folder", rooms_with_folders(), ids=lambda folder: folder.relative_to(PACKAGE).as_posix())
def test_each_file_that_a_rooms_page_names_is_there(folder: Path) -> None:
    named = re.findall(r"`([\w/]+(?:\.\w+|/))`", (folder / "README.md").read_text(encoding="utf-8"))

    assert [name for name in named if not any((at / name).exists() for at in (folder, PACKAGE, ROOT))] == []


def test_the_rule_sees_a_room_that_does_not_say_where_to_start() -> None:
    whole = "# web\n\nPages.\n\n- **Here:** a\n- **Not here:** b\n- **Start with** c\n- **Imports:** Room 3: d\n"

    assert unsaid(whole, 3) == ""
    assert unsaid(whole, 4) == "Room 4"
    assert unsaid(whole.replace("**Start with**", "See"), None) == "**Start with**"
    assert unsaid("# web\n", None) != ""


def test_no_word_list_and_no_threshold_stands_in_the_code_of_the_evidence_rules() -> None:
    """Both are data there: `words/<language>.txt` and `thresholds.toml`."""

    def is_threshold(value: ast.AST | None) -> bool:
        number = value.operand if isinstance(value, ast.UnaryOp) else value
        return isinstance(number, ast.Constant) and isinstance(number.value, int | float)

    def is_word_list(value: ast.AST | None) -> bool:
        if isinstance(value, ast.Call) and dotted(value.func) in {"frozenset", "set", "word_set"}:
            return True
        return isinstance(value, ast.Set)

    assert [
        where(file, node)
        for file in FILES
        if room_of(module_of(file)) == "entailment"
        for node in tree_of(file).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and (is_threshold(node.value) or is_word_list(node.value))
    ] == []


def test_imports_are_absolute() -> None:
    assert [
        where(file, node)
        for file in FILES
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.ImportFrom) and node.level
    ] == []


def test_inner_packages_hold_nothing_at_their_door() -> None:
    inner = [file for file in FILES if file.name == "__init__.py" and file.parent != PACKAGE]

    assert [str(file.relative_to(PACKAGE)) for file in inner if file.read_text(encoding="utf-8").strip()] == []


def test_the_root_offers_few_names_and_all_of_them_exist() -> None:
    import deepresearch_mcp

    assert 0 < len(deepresearch_mcp.__all__) <= 24
    assert [name for name in deepresearch_mcp.__all__ if not hasattr(deepresearch_mcp, name)] == []


def test_no_file_is_long_without_a_reason_and_none_is_very_long() -> None:
    lengths = {
        file.relative_to(PACKAGE).as_posix(): len(file.read_text(encoding="utf-8").splitlines()) for file in FILES
    }

    assert {name: length for name, length in lengths.items() if length > 400} == {}
    assert {name for name, length in lengths.items() if length > 300} - LONG.keys() == set()
    assert LONG.keys() <= lengths.keys()


def test_only_the_settings_read_the_environment() -> None:
    names = {"os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.unsetenv"}

    assert uses(names, but=("settings/reading.py",)) == []


def test_only_the_command_line_prints() -> None:
    assert uses({"print"}, but=("cli/", "__main__.py")) == []


def test_every_task_has_an_owner() -> None:
    names = {"create_task", "gather", "ensure_future", "run_coroutine_threadsafe", "TaskGroup", "wait", "wait_for"}

    assert uses({f"asyncio.{name}" for name in names}) == []


def test_time_comes_from_the_clock_port() -> None:
    names = {"time.time", "time.time_ns", "time.monotonic", "time.monotonic_ns", "time.sleep"}
    names |= {"asyncio.sleep", "anyio.sleep", "anyio.sleep_until", "anyio.current_time"}
    names |= {f"{module}{name}" for module in ("", "datetime.") for name in ("datetime.now", "datetime.utcnow")}
    names |= {"datetime.today", "date.today", "datetime.date.today", "datetime.datetime.today"}

    # The first requests come in before there is a clock port.
    assert uses(names, but=("system_clock.py", "mcp_server/early.py")) == []


def test_no_run_waits_for_a_thread_that_nothing_can_stop() -> None:
    """Ceiling, cancel and the end of the server must end a run although one of its threads never comes back."""
    rooms = ("pipeline/", "jobs/", "llm/structured.py", "thinkers/")

    assert [
        where(file, node)
        for file in FILES
        if file.relative_to(PACKAGE).as_posix().startswith(rooms)
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Call)
        and dotted(node.func).endswith("to_thread.run_sync")
        and not any(
            one.arg == "abandon_on_cancel" and isinstance(one.value, ast.Constant) and one.value.value is True
            for one in node.keywords
        )
    ] == []


_CONTAINERS = {"dict", "list", "set", "bytearray", "defaultdict", "Counter", "OrderedDict", "deque"}
_CONTAINERS |= {"WeakKeyDictionary", "WeakValueDictionary", "WeakSet", "ChainMap", "SimpleNamespace", "ContextVar"}
_CHANGES = {"append", "appendleft", "add", "update", "setdefault", "pop", "popitem", "popleft", "clear", "extend"}
_CHANGES |= {"extendleft", "insert", "remove", "discard", "sort", "reverse", "subtract", "difference_update"}
_CHANGES |= {"intersection_update", "symmetric_difference_update", "move_to_end", "__setitem__", "__delitem__"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def is_container(value: ast.AST | None) -> bool:
    """Whether an expression makes something that can be changed."""
    if isinstance(value, ast.Subscript):  # As in dict[str, int]().
        value = value.value
    if isinstance(value, ast.Call):
        made = value.func.value if isinstance(value.func, ast.Subscript) else value.func
        return dotted(made).rpartition(".")[2] in _CONTAINERS
    return isinstance(value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp)


def containers(body: list[ast.stmt]) -> set[str]:
    """Names that a module or a class binds to containers that can be changed."""
    found: set[str] = set()
    for node in body:
        if isinstance(node, ast.Assign) and is_container(node.value):
            found |= {one.id for one in node.targets if isinstance(one, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and is_container(node.value):
            found.add(node.target.id)
    return found


def changed(node: ast.AST) -> str:
    """The name of what a statement or a call changes in place, as `a` or `self.a`; else nothing."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        return dotted(node.value)
    if isinstance(node, ast.AugAssign):
        return dotted(node.target)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
        return dotted(node.func.value)
    return ""


def local_names(function: ast.AST) -> set[str]:
    """Names that are a function's own: arguments, and what is bound in it."""
    own = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    return own | {
        node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def shared_writes(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Places in functions that change what a module or a class shares among all who use it."""
    shared = containers(tree.body)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            of_class = containers(node.body)
            shared |= {f"{owner}.{name}" for name in of_class for owner in ("self", "cls", node.name)}
    for function in (node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)):
        own = local_names(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                yield node, f"global {', '.join(node.names)}"
            elif (name := changed(node)) in shared and name not in own:
                yield node, name


def test_no_function_changes_what_a_module_or_a_class_shares() -> None:
    """Runs live in one process, on several threads: what they share must be handed to them, not lie in a module."""
    assert [f"{where(file, node)} {name}" for file in FILES for node, name in shared_writes(tree_of(file))] == []


@pytest.mark.parametrize(
    "code",
    [
        "found = WeakKeyDictionary()\ndef f(key):\n    found[key] = 1",
        "found: dict[str, int] = {}\ndef f():\n    found.update(a=1)",
        "found = dict[str, int]()\nasync def f():\n    del found['a']",
        "seen = []\nclass A:\n    def f(self):\n        seen.append(1)",
        "class A:\n    seen: list[int] = []\n    def f(self):\n        self.seen.append(1)",
        "class A:\n    seen = set()\n    @classmethod\n    def f(cls):\n        cls.seen |= {1}",
        "made = None\ndef f():\n    global made\n    made = 1",
    ],
)
def test_the_rule_sees_each_way_to_change_what_is_shared(code: str) -> None:
    assert [name for _, name in shared_writes(ast.parse(code))] != []


def test_the_rule_lets_own_names_and_what_is_only_read_be() -> None:
    code = (
        "kinds = {}\nkinds['a'] = 1\ndef f(kinds):\n    kinds['b'] = 2\ndef g():\n    own = []\n    own.append(kinds)"
    )

    assert list(shared_writes(ast.parse(code))) == []


def test_every_module_has_a_test_of_its_name() -> None:
    tests = ROOT / "tests"
    expected = {
        file.relative_to(PACKAGE).with_name(f"test_{file.name}").as_posix()
        for file in FILES
        if file.stem not in WITHOUT_TWIN and room_of(module_of(file)) != "ports"
    }

    assert sorted(name for name in expected if not (tests / name).is_file()) == []


def test_rules_are_switched_off_only_with_a_reason() -> None:
    bare = re.compile(r"#\s*(type: ignore|pragma: no cover|noqa|pyright: ignore)(:\s*[A-Z0-9, ]+|\[[\w, ]+\])?\s*$")

    assert [
        f"{file.relative_to(ROOT)}:{number}"
        for folder in (PACKAGE, ROOT / "tests")
        for file in sorted(folder.rglob("*.py"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if bare.search(line)
    ] == []


@cache
def kept_files() -> tuple[Path, ...]:
    """Files that git keeps, or would."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("no git checkout")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file())


def texts() -> Iterator[tuple[str, str]]:
    for file in kept_files():
        try:
            yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # An image or the like.


def test_no_file_names_a_place_on_someones_machine() -> None:
    places = [f"{place}/" for place in {ROOT, ROOT.parent, Path.home()} if len(place.parts) > 2]
    places += [f"{Path.home()}/"] if len(Path.home().parts) == 2 else []

    assert [(name, place) for name, text in texts() for place in places if place in text] == []


def test_no_file_names_a_package_index() -> None:
    named = [(name, host) for name, text in texts() for host in INDEX_HOSTS if host in text]
    assert [(name, host) for name, host in named if name not in SEARCHES_AN_INDEX] == []
