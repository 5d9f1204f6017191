"""Packages installed into a scratch folder as by pip: the modules, and a .dist-info beside."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from jurybox import plugins

EXAMPLE = Path(__file__).parent.parent / "examples" / "jurybox-exactmatch"


def install(project: Path, target: Path) -> None:
    """Install a project without dependencies.

    pip would need a build backend, which needs a network: what it would write is written here, out
    of the project's own pyproject.toml.
    """
    about = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    write_package(target, about["name"], about["version"], about["entry-points"])
    for module in project.glob("*.py"):
        shutil.copy(module, target)


def offered(
    monkeypatch: pytest.MonkeyPatch, target: Path, kind: str, name: str, code: str
) -> Iterator[None]:
    """The example, and a package whose classes are all offered as plug-ins of a kind.

    For a fixture to `yield from`: before and after, what was looked up is forgotten.
    """
    install(EXAMPLE, target)
    module = name.replace("-", "_")
    named = re.findall(r"^class (\w+)", code, re.MULTILINE)
    points = {f"jurybox.{kind}": {one.lower(): f"{module}:{one}" for one in named}}
    write_package(target, name, "2", points, code)
    monkeypatch.syspath_prepend(str(target))
    plugins.forget()
    yield
    plugins.forget()


def write_package(
    target: Path, name: str, version: str, points: dict[str, dict[str, str]], code: str = ""
) -> None:
    """A package with these entry points; `code` becomes its module."""
    module = name.replace("-", "_")
    facts = target / f"{module}-{version}.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = (
        "\n".join([f"[{group}]", *(f"{key} = {place}" for key, place in named.items())])
        for group, named in points.items()
    )
    (facts / "entry_points.txt").write_text("\n\n".join(groups) + "\n")
    if code:
        (target / f"{module}.py").write_text(code, "utf-8")
