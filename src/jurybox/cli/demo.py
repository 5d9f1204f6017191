"""`jurybox demo`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib.resources import as_file, files
from pathlib import Path

from jurybox.errors import InputError

SYSTEMS = ("cautious.txt", "bold.txt", "rewriter.txt")


USAGE = "jurybox demo [--copy-to FOLDER]"

HELP = """\
Score and compare three systems on the bundled sample.

examples:
  jurybox demo
  jurybox demo --copy-to sample"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--copy-to",
        metavar="FOLDER",
        help="also copy the sample's files into this folder, to try other commands on them",
    )


def run(options: Namespace) -> None:
    """Compare the sample's systems and say what to try next."""
    copy_to = options.copy_to
    from jurybox.api.compare import compare

    with as_file(files("jurybox") / "sample") as sample:
        systems = {Path(name).stem: sample / name for name in SYSTEMS}
        result = compare(systems, sample / "gold.m2", all_pairs=True, top=1)
        print("Three made-up systems on fifteen constructed sentences, two annotators:\n")
        print(result)
        if copy_to is not None:
            _copy(sample, Path(copy_to))
    place = copy_to or "sample"
    print("\nFifteen sentences tell little: compare each difference with the smallest detectable")
    print("one. Try the same on your own files, or on these:\n")
    if copy_to is None:
        print(f"    jurybox demo --copy-to {place}")
    print(f"    jurybox score {place}/bold.txt --gold {place}/gold.m2 --ci --by type")
    print(f"    jurybox score {place}/bold.txt --gold {place}/gold.m2 --verbose")


def _copy(sample: Path, target: Path) -> None:
    try:
        target.mkdir(parents=True, exist_ok=True)
        for file in sample.iterdir():
            if file.is_file():
                (target / file.name).write_bytes(file.read_bytes())
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror}); name another") from None
