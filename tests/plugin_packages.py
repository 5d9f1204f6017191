"""Packages installed into a scratch folder as by pip: the modules, and a .dist-info beside."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

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
