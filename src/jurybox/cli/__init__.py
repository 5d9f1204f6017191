"""The command line: one file per command, each a thin shell around one library call.

Exit codes: 0 all is well; 1 bad input; 2 wrong usage; 3 a release gate said no
(`compare --fail-if-worse`); 130 interrupted by Ctrl-C, 143 by SIGTERM.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from time import monotonic
from typing import TYPE_CHECKING

from jurybox.cli._app import INTERRUPTED, TERMINATED, Terminated, run

if TYPE_CHECKING:
    from types import FrameType

#: seconds in which a second Ctrl-C is taken for the first, so that tidying up is not cut short
ONE_PRESS = 2.0


def main() -> None:
    """Entry point of the `jurybox` command."""
    # A command makes many small values and few cycles, and soon ends: look for cycles rarely.
    gc.set_threshold(100_000, 50, 50)
    # Our matrix products are small: several threads would only get in each other's way.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _stop_tidily()
    code = run(sys.argv[1:])
    if code in (INTERRUPTED, TERMINATED):
        # All is tidied up. Python would wait here for threads that wait for work never to come.
        if sys.stderr is not None:
            sys.stderr.flush()
        os._exit(code)
    gc.freeze()  # the process ends: Python need not look through all that is left for cycles
    sys.exit(code)


def _stop_tidily() -> None:
    """Ctrl-C and SIGTERM raise, once for a press, so that drafts and processes are taken away."""
    stopped = -ONE_PRESS

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal stopped
        now = monotonic()
        if now - stopped < ONE_PRESS:
            return
        stopped = now
        raise Terminated if number == signal.SIGTERM else KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # as under nohup: it stays ignored
            signal.signal(number, stop)


__all__ = ["main", "run"]
