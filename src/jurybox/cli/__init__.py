"""The command line: one file per command, each a thin shell around one library call.

Exit codes: 0 all is well; 1 bad input; 2 wrong usage; 3 a release gate said no
(`compare --fail-if-worse`).
"""

from __future__ import annotations

import sys

from jurybox.cli._app import run


def main() -> None:
    """Entry point of the `jurybox` command."""
    sys.exit(run(sys.argv[1:]))


__all__ = ["main", "run"]
