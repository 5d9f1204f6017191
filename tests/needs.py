"""What some tests need beyond Python: skipped without it on a desk, a failure where CI is set."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from jurybox.errors import MissingExtraError


def need_module(name: str, extra: str) -> Any:
    """The module; CI installs everything that tests need, so nothing is skipped there unseen."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{name} is not installed: pip install 'jurybox[{extra}]'")


@contextmanager
def needed() -> Iterator[None]:
    """Around what needs an extra, and says itself which one."""
    try:
        yield
    except MissingExtraError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


def need_learner(learner: str) -> None:
    """What `jurybox detect train` needs for a learner: spaCy with a model, or scikit-learn too."""
    from jurybox.detect.tagging import find_tagger

    if learner != "lm":
        with needed():
            find_tagger()
    if learner == "maxent":
        need_module("sklearn", "detect")
