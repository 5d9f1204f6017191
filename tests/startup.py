"""How long a command takes to start, in processor time: how busy the machine is does not count."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence


def processor_seconds(command: Sequence[str], tries: int = 3) -> float:
    """The least that a command took, of several tries."""
    found = []
    for _ in range(tries):
        before = os.times()
        subprocess.run(command, check=True, capture_output=True)
        after = os.times()
        found.append(
            after.children_user
            - before.children_user
            + after.children_system
            - before.children_system
        )
    return min(found)
