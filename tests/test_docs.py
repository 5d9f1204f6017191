"""The documentation is run: commands, options, names, links and files in it must be real.

Conventions of the pages:

- A fenced ``console`` block holds commands behind ``$`` and, below each, what it prints (standard
  output and standard error, as a terminal shows them). Each page starts in a folder that holds the
  bundled sample as ``sample/``; its commands run in order. A line ``...`` stands for any lines.
  ``A*.m2`` is expanded as a shell does; ``cat FILE``, ``head -n N FILE``, ``printf TEXT > FILE``,
  ``echo $?`` and ``< FILE`` are understood as well.
- A fenced ``sh`` block holds commands on files the reader has to bring; they must parse.
- A fenced ``python`` block with ``>>>`` is a doctest, in the same kind of folder.
- Option tables have rows "| `--name VALUE` | default | meaning |".
"""

from __future__ import annotations

import doctest
import io
import json
import re
import shlex
import shutil
import tomllib
from argparse import Action
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

import jurybox
from jurybox.cli import run
from jurybox.cli._app import CALLS, COMMANDS, build_parser, split_call

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "jurybox"
DOCS = ROOT / "docs"
TOP = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES = [*TOP, *sorted(DOCS.rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, kind: str) -> list[str]:
    return [block for found, block in FENCE.findall(text_of(page)) if found == kind]


#: pages whose commands take seconds
LONG_PAGES = ("docs/detect.md", "docs/demo.md", "docs/report.md")


def pages_with(kind: str, sign: str, slow: Sequence[str] = ()) -> list[Any]:
    found = [page for page in PAGES if any(sign in block for block in blocks(page, kind))]
    return [
        pytest.param(
            page, id=name_of(page), marks=[pytest.mark.slow] if name_of(page) in slow else []
        )
        for page in found
    ]


def every_page() -> list[Any]:
    return [pytest.param(page, id=name_of(page)) for page in PAGES]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as the pages suppose it: the bundled sample in it, and nothing else."""
    shutil.copytree(PACKAGE / "data" / "sample", tmp_path / "sample")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- commands and what they print ---


class Shown(NamedTuple):
    """A command in a page and what the page says it prints."""

    command: str
    output: str


def shown_commands(page: Path) -> Iterator[Shown]:
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            part = part.replace("\\\n", " ")  # noqa: PLW2901  a command over several lines
            command, _, output = part.partition("\n")
            yield Shown(command, output.rstrip("\n"))


class Shell:
    """The few words of a shell that the pages use; jurybox itself runs in this process."""

    def __init__(self) -> None:
        self.exit_code = 0

    def output_of(self, command: str) -> str:
        match shlex.split(command):
            case ["jurybox", *arguments, "<", file]:
                with Path(file).open(encoding="utf-8") as given, patch("sys.stdin", given):
                    return self._jurybox(arguments)
            case ["jurybox", *arguments]:
                return self._jurybox(arguments)
            case ["echo", "$?"]:
                return str(self.exit_code)
            case ["cat", file]:
                return Path(file).read_text(encoding="utf-8").rstrip("\n")
            case ["head", "-n", number, file]:
                lines = Path(file).read_text(encoding="utf-8").splitlines()
                return "\n".join(lines[: int(number)])
            case ["printf", text, ">", file]:
                Path(file).write_text(
                    text.replace("\\n", "\n").replace("\\t", "\t"), encoding="utf-8"
                )
                return ""
        raise AssertionError(f"the pages may not use: {command}")

    def _jurybox(self, arguments: list[str]) -> str:
        arguments = [name for given in arguments for name in expanded(given)]
        terminal = io.StringIO()
        with redirect_stdout(terminal), redirect_stderr(terminal):
            self.exit_code = run(arguments)
        return terminal.getvalue().rstrip("\n")


def expanded(given: str) -> list[str]:
    """The files a pattern stands for, in order, or the word itself."""
    return sorted(map(str, Path().glob(given))) if "*" in given else [given]


def without_version(text: str) -> str:
    """A new version changes every signature; that alone does not make a page wrong."""
    text = re.sub(r"\bv:\d+\.\d+\.\d+\w*", "v:VERSION", text)
    return re.sub(r'"version": "[^"]*"', '"version": "VERSION"', text)


def matches(output: str, shown: str) -> bool:
    """Whether an output is what a page shows; a line `...` there stands for any lines."""
    lines = (
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n"
        for line in without_version(shown).splitlines()
    )
    return (
        re.fullmatch("".join(lines), f"{without_version(output)}\n" if output else "") is not None
    )


@pytest.mark.parametrize("page", pages_with("console", "$ jurybox", slow=LONG_PAGES))
@pytest.mark.usefixtures("folder")
def test_commands_print_what_the_page_shows(page: Path) -> None:
    shell = Shell()
    for command, shown in shown_commands(page):
        output = shell.output_of(command)
        assert matches(output, shown), f"$ {command}\nprints\n{output}\nbut the page shows\n{shown}"


@pytest.mark.parametrize("name", ["README.md", *(f"docs/{name}.md" for name in COMMANDS)])
def test_a_page_about_a_command_shows_it_at_work(name: str) -> None:
    command = "jurybox score" if name == "README.md" else f"jurybox {Path(name).stem}"
    assert any(shown.command.startswith(command) for shown in shown_commands(ROOT / name))


@pytest.mark.parametrize("page", pages_with("sh", "jurybox "))
def test_commands_on_the_readers_own_files_have_options_that_exist(page: Path) -> None:
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            asked = line.split(" | ")[-1].split(" < ")[0]
            words = shlex.split(asked, comments=True) if "jurybox " in asked else []
            if words and words[0] == "jurybox":
                call, rest = split_call(words[1:])
                build_parser(call)[0].parse_intermixed_args(rest)


def known_words(tool: str) -> set[str]:
    """What can be asked of make, and which extras pip knows."""
    if tool == "make":
        return set(re.findall(r"^(\w+):", text_of(ROOT / "Makefile"), flags=re.MULTILINE))
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    return set(project["optional-dependencies"])


@pytest.mark.parametrize("page", pages_with("sh", ""))
def test_scripts_targets_and_extras_that_readers_are_told_to_use_exist(page: Path) -> None:
    text = "\n".join(blocks(page, "sh"))
    scripts = re.findall(r"\bpython ((?:docs|bench|examples)/\S+)", text)
    assert [script for script in scripts if not (ROOT / script).is_file()] == []
    targets = re.findall(r"^(?:\w+=\S+ )?make (\w+)", text, flags=re.MULTILINE)
    assert set(targets) <= known_words("make")


@pytest.mark.parametrize("page", every_page())
def test_every_extra_and_every_command_in_the_prose_exists(page: Path) -> None:
    text = text_of(page)
    extras = {
        name for found in re.findall(r"jurybox\[([\w,-]+)\]", text) for name in found.split(",")
    }
    assert extras <= known_words("pip")
    assert set(re.findall(r"`jurybox ([a-z][a-z-]+)\b", text)) <= set(COMMANDS)


def is_value(block: str) -> None:
    """One value of JSON, or one in each line."""
    try:
        json.loads(block)
    except json.JSONDecodeError:
        for line in block.splitlines():
            json.loads(line)


@pytest.mark.parametrize("page", every_page())
def test_every_block_is_of_a_kind_that_is_checked_or_shows_a_file(page: Path) -> None:
    fences = re.findall(r"^```(\S*)$", text_of(page), flags=re.MULTILINE)
    opened = [kind for kind in fences if kind]
    assert len(fences) == 2 * len(opened), "a block that is not closed, or one without a kind"
    # text, py and what other programs are told show files of the reader, and are not run
    assert set(opened) <= {"console", "sh", "python", "json", "toml"} | {
        *("text", "py", "nginx", "ini", "caddy", "yaml", "html"),
    }
    for block in blocks(page, "json"):
        is_value(block)
    for block in blocks(page, "toml"):
        tomllib.loads(block)


@pytest.mark.parametrize("page", pages_with("python", ">>>"))
@pytest.mark.usefixtures("folder")
def test_python_examples_give_what_the_page_shows(page: Path) -> None:
    examples = "\n".join(block for block in blocks(page, "python") if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(examples, {}, page.name, str(page), 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    results = runner.run(test, out=report.append)
    assert results.attempted > 0
    assert not results.failed, "".join(report)


def test_an_output_that_differs_is_not_taken_for_the_one_shown() -> None:
    assert matches("a\nb\nc v:0.1.0", "a\n...\nc v:9.9.9")
    assert not matches("a\nb\nc", "a\nc")
    assert not matches("a 0.3733", "a 0.3734")


# --- options ---

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z0-9]\b")
ROW = re.compile(r"^\| `(--[a-z0-9-]+)[^`|]*`(?: or `(-\w)`)? \|([^|]*)\| [^|]+ \|$", re.MULTILINE)


class Option(NamedTuple):
    """An option of a command: its names and its default as a page would write it."""

    names: frozenset[str]
    default: str


def options_of(command: str) -> list[Option]:
    """The options of a command; of all its tasks, if it has some."""
    calls = [call for call in CALLS if call.split()[0] == command]
    # argparse has no other way to list them
    actions = [action for call in calls for action in build_parser(call)[0]._actions]
    return [
        Option(
            frozenset(action.option_strings),
            "required" if action.required else _shown_default(action),
        )
        for action in actions
        if action.option_strings and action.dest != "help"
    ]


def _shown_default(action: Action) -> str:
    """The value; where there is none, what the help says happens without the option."""
    if action.default is None or isinstance(action.default, bool):
        in_words = re.search(r"[(;] ?default: ([^()]*)\)$", action.help or "")
        return in_words[1] if in_words else ""
    return f"`{action.default}`"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_stands_once_in_the_commands_page_with_its_default(command: str) -> None:
    pages = [DOCS / f"{command}.md", *sorted(DOCS.glob(f"{command}-*.md"))]  # of its tasks
    rows = ROW.findall("\n".join(map(text_of, pages)))
    documented = sorted((long, short, default.strip()) for long, short, default in rows)
    real = []
    for names, default in options_of(command):
        long, short = max(names, key=len), min(names, key=len)
        real.append((long, "" if short == long else short, default))
    assert documented == sorted(real)


@pytest.mark.parametrize("page", every_page())
def test_no_page_names_an_option_that_does_not_exist(page: Path) -> None:
    known = {"--help", "--version", "--plugins"}
    known |= {"--check", "--data", "--models", "--simulate"}  # of the studies' scripts
    known |= {"--json"}  # of curl
    known |= {
        "--port",
        "--nworkers",
        "--nthreads",
        "--memory-limit",
        "--local-directory",
    }  # of dask
    known |= {"--scheduler-file", "--ntasks", "--cpus-per-task", "--mem-per-cpu"}  # and of Slurm
    known |= {"--time", "--exact"}
    for command in COMMANDS:
        known |= {name for option in options_of(command) for name in option.names}
    assert set(OPTION.findall(text_of(page))) <= known


# --- names, links, files ---


@pytest.mark.parametrize("name", jurybox.__all__)
def test_every_exported_name_is_in_the_page_about_python(name: str) -> None:
    assert re.search(rf"`(?:jb\.)?{name}\b|\bjb\.{name}\b", text_of(DOCS / "python.md"))


def test_no_page_uses_a_name_of_the_package_that_does_not_exist() -> None:
    used = {name for page in PAGES for name in re.findall(r"\bjb\.(\w+)", text_of(page))}
    assert used - {*jurybox.__all__, "__version__"} == set()


def test_every_page_about_a_command_is_about_one_that_exists() -> None:
    titles = {page.name: text_of(page).splitlines()[0] for page in DOCS.glob("*.md")}
    about = {
        name: title.split()[2]
        for name, title in titles.items()
        if re.match(r"# jurybox [a-z]", title)
    }
    assert set(about.values()) <= set(COMMANDS)
    assert {f"{name}.md" for name in COMMANDS} <= set(about)


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    prose = FENCE.sub("", text_of(page))
    headings = re.findall(r"^#+ (.+)$", prose, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> list[str]:
    prose = FENCE.sub("", text_of(page))
    found = re.findall(r"\]\(([^)\s]+)\)", prose)
    return [link for link in found if not re.match(r"[a-z]+:", link)]


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=name_of(page)) for page in PAGES if links(page)]
)
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    for link in links(page):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{link}: no such file"
        assert not anchor or anchor in anchors(target), f"{link}: no such heading"


def test_every_page_can_be_reached_from_the_index() -> None:
    reached: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.is_relative_to(DOCS):
            continue
        reached.add(page)
        waiting += [(page.parent / link.split("#")[0]).resolve() for link in links(page)]
    assert {name_of(page) for page in DOCS.rglob("*.md")} == {name_of(page) for page in reached}


def test_architecture_names_every_folder_and_foundation() -> None:
    text = text_of(DOCS / "architecture.md")
    folders = {f"{path.name}/" for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    files = {path.name for path in PACKAGE.glob("*.py") if not path.name.startswith("_")}
    assert len(folders) > 15, "folders were not found: is the package laid out differently?"
    assert [name for name in sorted(folders | files) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_no_file_is_named_that_does_not_exist(name: str) -> None:
    named = set(re.findall(r"[\w/.-]+\.(?:py|md|toml|json)\b", text_of(ROOT / name)))
    missing = {
        name for name in named if not any((home / name).exists() for home in (ROOT, PACKAGE, DOCS))
    }
    # files that many folders have
    assert missing <= {"options.py", "result.py", "figures.py", "restore.py"}
