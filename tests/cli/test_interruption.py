"""Ctrl-C and SIGTERM, sent to real processes: nothing half-written stays, and nobody lives on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SCRIPT = Path(sys.executable).with_name("jurybox")
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentences that differ so much from their corrections that matching takes minutes."""
    place = tmp_path_factory.mktemp("slow")
    rng = random.Random(1)
    words = ["the", "a", "of", "in", "to", "and", "was", "is", "it", "on"]
    golds: list[list[str]] = [[], []]
    texts = []
    for _ in range(4000):
        source, text = (" ".join(rng.choices(words, k=60)) for _ in range(2))
        texts.append(f"{text}\n")
        for number, gold in enumerate(golds):
            gold.append(f"S {source}\nA {number} 1|||X|||x|||REQUIRED|||-NONE-|||0\n\n")
    (place / "slow.txt").write_text("".join(texts))
    for number, gold in enumerate(golds):
        (place / f"A{number}.m2").write_text("".join(gold))
    easy = "S It are so .\nA 1 2|||SVA|||is|||REQUIRED|||-NONE-|||0\n\n"
    (place / "easy.m2").write_text(easy * 20)
    (place / "easy.txt").write_text("It is so .\nIt are so .\n" * 10)
    (place / "other.txt").write_text("It are so .\nIt am so .\n" * 10)
    (place / "long.m2").write_text(easy * 200_000)
    return place


def session_of(pid: int) -> list[int]:
    """The processes of a session that are alive."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            except OSError:
                continue  # gone meanwhile
            if int(session) == pid and state != "Z":
                found.append(int(entry.name))
    return found


def _listen() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command in a session of its own, as in a terminal; nothing of it is left at the end."""
    with subprocess.Popen(
        [str(SCRIPT), *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # a test run in the background ignores Ctrl-C, and its children would too
        preexec_fn=_listen,  # noqa: PLW1509  one call, no threads here
    ) as process:
        try:
            yield process
        finally:
            for pid in session_of(process.pid):
                os.kill(pid, signal.SIGKILL)


def wait_for(what: Callable[[], object], process: subprocess.Popen[str], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert process.poll() is None, "the command ended before it could be interrupted"
        assert time.monotonic() < end
        time.sleep(0.05)


def workers_at_work(process: subprocess.Popen[str]) -> Callable[[], object]:
    return lambda: len(session_of(process.pid)) >= 3


def nobody_left(process: subprocess.Popen[str]) -> bool:
    end = time.monotonic() + 5
    while session_of(process.pid):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def stop(process: subprocess.Popen[str], number: signal.Signals) -> None:
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # a terminal tells everybody
    else:
        process.send_signal(number)


def check_end(process: subprocess.Popen[str], folder: Path, before: set[str]) -> None:
    out, err = process.communicate(timeout=20)
    assert (out, err) == ("", "jurybox: interrupted\n")
    assert {entry.name for entry in folder.iterdir()} == before
    assert nobody_left(process)


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


@pytest.mark.parametrize("number", CODES)
@pytest.mark.parametrize(
    "command",
    [
        "score slow.txt --gold A0.m2 --jobs 2 --save-counts counts.json -o out.json",
        "ceiling --gold A0.m2 A1.m2 --jobs 2 --figure out.svg -o out.txt",
    ],
    ids=["score", "ceiling"],
)
@pytest.mark.slow
def test_matching_in_two_processes_stops_at_once_and_leaves_nothing(
    folder: Path, command: str, number: signal.Signals
) -> None:
    before = names(folder)
    with started(folder, *command.split()) as process:
        wait_for(workers_at_work(process), process, 20)
        time.sleep(0.3)
        begun = time.monotonic()
        stop(process, number)
        check_end(process, folder, before)
        assert process.returncode == CODES[number]
        assert time.monotonic() - begun < 5


@pytest.mark.parametrize("number", CODES)
@pytest.mark.slow
def test_resampling_stops_and_leaves_nothing(folder: Path, number: signal.Signals) -> None:
    before = names(folder)
    command = "compare easy.txt other.txt --gold easy.m2 --resamples 50000000 -o out.txt"
    with started(folder, *command.split()) as process:
        time.sleep(2)
        stop(process, number)
        check_end(process, folder, before)
        assert process.returncode == CODES[number]


@pytest.mark.parametrize("number", CODES)
def test_a_file_being_written_is_taken_away(folder: Path, number: signal.Signals) -> None:
    before = names(folder)
    with started(folder, "convert", "long.m2", "out.jsonl") as process:
        wait_for(lambda: [*folder.glob(".out.jsonl.*.part")], process, 20)
        stop(process, number)
        check_end(process, folder, before)
        assert process.returncode == CODES[number]


def test_a_file_that_was_there_stays_as_it_was(folder: Path) -> None:
    old = folder / "old.jsonl"
    old.write_text("precious\n")
    with started(folder, "convert", "long.m2", "old.jsonl") as process:
        wait_for(lambda: [*folder.glob(".old.jsonl.*.part")], process, 20)
        stop(process, signal.SIGINT)
        process.communicate(timeout=20)
    assert old.read_text() == "precious\n"
    old.unlink()


def test_an_impatient_second_press_does_not_cut_tidying_short(folder: Path) -> None:
    before = names(folder)
    with started(folder, "convert", "long.m2", "out.jsonl") as process:
        wait_for(lambda: [*folder.glob(".out.jsonl.*.part")], process, 20)
        for _ in range(20):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
        check_end(process, folder, before)


def test_workers_of_a_killed_parent_end_too(folder: Path) -> None:
    with started(folder, *["score", "slow.txt", "--gold", "A0.m2", "--jobs", "2"]) as process:
        wait_for(workers_at_work(process), process, 20)
        time.sleep(0.5)
        process.kill()
        process.communicate(timeout=20)
        assert nobody_left(process)


@pytest.mark.slow
def test_what_is_ignored_on_purpose_stays_ignored(folder: Path) -> None:
    command = f"trap '' INT; exec {SCRIPT} convert long.m2 kept.m2"
    with subprocess.Popen(
        ["sh", "-c", command], cwd=folder, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        while not [*folder.glob(".kept.m2.*.part")]:
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 0
    (folder / "kept.m2").unlink()
