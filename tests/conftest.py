"""Shared fixtures: where the real data is, if it is here at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
