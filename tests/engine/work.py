"""Work for workers: functions that other processes can import."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from jurybox.errors import FormatError, warn


def double(batch: list[int]) -> list[int]:
    return [2 * number for number in batch]


def complain(batch: list[int]) -> list[int]:
    warn(f"{len(batch)} numbers")
    if 3 in batch:
        raise FormatError("three is not wanted", path="numbers.txt", line=17)
    return batch


def die_once(given: tuple[Path, int]) -> int:
    """End whoever does this by kill -9, each time there is a file that asks for it."""
    folder, number = given
    for order in folder.glob(f"{number}-*"):
        order.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def slowly(number: int) -> int:
    time.sleep(0.2)
    return number


def deal(numbers: Sequence[int]) -> tuple[int, list[list[int] | None]]:
    """Numbers by their remainder, and how many there are; nobody gets an empty list."""
    parts = [[one for one in numbers if one % 3 == rest] or None for rest in range(3)]
    return len(numbers), parts


def total_of(notes: list[int]) -> int:
    return sum(notes)


def gather(total: int, number: int, parts: Iterable[list[int]]) -> tuple[int, int, list[int]]:
    return total, number, [one for part in parts for one in part]
