"""The command line: one file per command, each a thin shell around one library call.

Exit codes: 0 all is well; 1 bad input; 2 wrong usage; 3 a release gate said no
(`compare --fail-if-worse`).
"""

from __future__ import annotations

import gc
import os
import sys

from jurybox.cli._app import run


def main() -> None:
    """Entry point of the `jurybox` command."""
    # A command makes many small values and few cycles, and soon ends: look for cycles rarely.
    gc.set_threshold(100_000, 50, 50)
    # Our matrix products are small: several threads would only get in each other's way.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run(sys.argv[1:]))


__all__ = ["main", "run"]
