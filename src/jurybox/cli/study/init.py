"""`jurybox init`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

from jurybox.errors import InputError
from jurybox.formats._io import writing, written_together
from jurybox.options import Opt, Options

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


#: kind of study -> what it is about, and which files of the sample it reads
KINDS = {
    "researcher": (
        "systems that correct text, and people who did so too",
        ("A*.m2", "documents.txt", "cautious.txt", "bold.txt", "rewriter.txt"),
    ),
    "product": (
        "is the new version better on the errors people agree about?",
        ("A*.m2", "cases.jsonl", "judgments.csv", "bold.*", "cautious.*"),
    ),
    "annotation": (
        "judgments: agreement, screening, labels, cost, sampling",
        ("cases.jsonl", "judgments.csv", "bold.csv"),
    ),
    "course": ("everything small and explained", ("tiny/*", "judgments.csv")),
}


class Call(Options):
    folder: Annotated[
        str,
        Opt(
            "where study.toml and the folder sample go; made if need be",
            "FOLDER",
            positional=True,
            default="this folder",
        ),
    ] = "."
    kind: Annotated[
        str, Opt("researcher, product, annotation or course", "KIND", values=(*KINDS,), noun="kind")
    ] = "researcher"
    force: Annotated[bool, Opt("write over files that are there and differ")] = False


def run(call: Call) -> None:
    folder = Path(call.folder)
    does, reads = KINDS[call.kind]
    with as_file(files("jurybox")) as package:
        examples, sample = package / "study" / "examples", package / "data" / "sample"
        found = [file for pattern in reads for file in sorted(sample.glob(pattern))]
        copies = {
            examples / f"{call.kind}.toml": folder / STUDY,
            **{file: folder / "sample" / file.relative_to(sample) for file in found},
            sample / "README.md": folder / "sample" / "README.md",
        }
        there = None if call.force else differing(copies)
        if there is not None:
            raise InputError(
                f"{there} is there already, and differs; name another folder, or write over it "
                "with --force"
            )
        copy_all(copies)
    study = os.path.normpath(folder / STUDY)
    print(f"{study}: {does}\n")
    copied = os.path.normpath(folder / "sample")
    print(f"It runs on the sample in {copied}. Try it, then put your own files in its place:\n")
    print(f"  jurybox run {study}")


def differing(copies: Mapping[Path, Path]) -> Path | None:
    """The first target that is there and is not what would be copied to it."""
    for file, there in copies.items():
        if there.exists() and not (there.is_file() and there.read_bytes() == file.read_bytes()):
            return there
    return None


def copy_all(copies: Mapping[Path, Path]) -> None:
    """Copy text files to where they belong, all or none: half a sample is taken for a whole one."""
    with written_together():
        for file, there in copies.items():
            try:
                there.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(
                    f"{there.parent}: cannot be made ({error.strerror}); name another folder"
                ) from None
            with writing(there) as out:
                out.write(file.read_bytes().decode("utf-8"))
