"""Shared fixtures: where the real data is, if it is here at all; calling the command line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from calling import Call

# Machines are shared: how long an example takes says nothing about it. CI judges a change by the
# same examples however often it looks; whoever works on the code is shown others every time.
# `make test` takes a few examples of every property, `make properties` many.
for profile, examples in (("few", 30), ("many", 100)):
    settings.register_profile(
        profile, max_examples=examples, deadline=None, derandomize=bool(os.environ.get("CI"))
    )
settings.load_profile("few")

ROOT = Path(__file__).resolve().parent.parent


def find_data() -> Path | None:
    """The folder with the real data sets: $JURYBOX_DATA, or shared/data beside the checkout."""
    given = os.environ.get("JURYBOX_DATA")
    folder = Path(given) if given else ROOT.parent / "shared" / "data"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def data_dir() -> Path:
    folder = find_data()
    if folder is None:
        pytest.skip("real data not here: set JURYBOX_DATA to the folder that holds conll14/ etc.")
    return folder


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command in this process; gives its exit code, standard output and standard error."""
    from jurybox.cli import run

    def jurybox_call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return jurybox_call
