"""`jurybox init`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from jurybox.cli._copies import copy_all, differing
from jurybox.cli._options import OneOf
from jurybox.errors import InputError, unknown_name

USAGE = "jurybox init [FOLDER] [--kind KIND] [--force]"

HELP = """\
Write a commented study file that runs at once, with the files of the sample it needs.

kinds of studies:
  researcher  systems and people who correct text
  product     is the new version better than the old one?
  annotation  judgments, raters, cost, sampling
  course      everything, small and explained

Then: jurybox run FOLDER/study.toml

examples:
  jurybox init sample-study
  jurybox init sample-course --kind course
  jurybox init release --kind product
  jurybox init . --kind annotation"""

STUDY = "study.toml"
_TEXTS = ("cautious.txt", "bold.txt", "rewriter.txt")


class Kind(NamedTuple):
    """An example: what it is about, and which files of the sample it reads."""

    does: str
    reads: tuple[str, ...]


KINDS = {
    "researcher": Kind(
        "systems that correct text, and people who did so too",
        ("A*.m2", "documents.txt", *_TEXTS),
    ),
    "product": Kind(
        "is the new version better on the errors people agree about?",
        ("A*.m2", "cases.jsonl", "judgments.csv", *("bold.*", "cautious.*")),
    ),
    "annotation": Kind(
        "judgments: agreement, screening, labels, cost, sampling",
        ("cases.jsonl", "judgments.csv", "bold.csv"),
    ),
    "course": Kind(
        "everything small and explained",
        ("tiny/*", "judgments.csv"),
    ),
}


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "folder",
        nargs="?",
        default=".",
        metavar="FOLDER",
        help="where study.toml and the folder sample go; made if need be (default: this folder)",
    )
    parser.add_argument(
        "--kind",
        default="researcher",
        metavar="KIND",
        type=OneOf(*KINDS),
        help="researcher, product, annotation or course (default: researcher)",
    )
    parser.add_argument(
        "--force", action="store_true", help="write over files that are there and differ"
    )


def run(options: Namespace) -> None:
    """Copy the example and what it reads, and say what to do with it."""
    if options.kind not in KINDS:
        raise unknown_name("kind", options.kind, KINDS)
    folder = Path(options.folder)
    with as_file(files("jurybox")) as package:
        copies = dict(_copies(Path(package), folder, options.kind))
        there = None if options.force else differing(copies)
        if there is not None:
            raise InputError(
                f"{there} is there already, and differs; name another folder, or write over it "
                "with --force"
            )
        copy_all(copies)
    study = os.path.normpath(folder / STUDY)
    print(f"{study}: {KINDS[options.kind].does}\n")
    sample = os.path.normpath(folder / "sample")
    print(f"It runs on the sample in {sample}. Try it, then put your own files in its place:\n")
    print(f"  jurybox run {study}")


def _copies(package: Path, folder: Path, kind: str) -> list[tuple[Path, Path]]:
    """What goes where."""
    sample = package / "sample"
    found = [file for pattern in KINDS[kind].reads for file in sorted(sample.glob(pattern))]
    return [
        (package / "studies" / f"{kind}.toml", folder / STUDY),
        *((file, folder / "sample" / file.relative_to(sample)) for file in found),
        (sample / "README.md", folder / "sample" / "README.md"),
    ]
