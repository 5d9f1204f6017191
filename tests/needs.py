"""What some tests need beyond Python: skipped without it on a desk, a failure where CI is set."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest


def need_module(name: str, extra: str) -> Any:
    """The module; CI installs everything that tests need, so nothing is skipped there unseen."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{name} is not installed: pip install 'jurybox[{extra}]'")
