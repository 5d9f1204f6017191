"""Detectors of prepositions: seconds and memory of training with tags at hand, and of running.

Promises: maximum entropy learns 3 million events in under 15 minutes and 8 GB, tags at hand;
detection decides about at least 5,000 sentences a minute, tagging included. Training is tried with
fewer events, and with a tenth of them, so that what is the same for any number counts once.

Each step has a process of its own, so that its peak is its own. The yardstick is one numpy argsort
of 5 million keys, half a second on an idle core. It is taken before and after each step, and a step
on a busy machine may take as much longer as the yardstick did. How language models are trained is
measured by bench_ngram.py.

    python bench/bench_detect.py [EVENTS]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from jurybox.detect.info import describe_detector
from jurybox.detect.prose import read_prose
from jurybox.detect.run import run_detectors
from jurybox.detect.train import train_detector
from measuring import DATA, WIKIPEDIA, need_text, sort_keys

EVENTS = 100_000
PROMISED_EVENTS, SECONDS, MEGABYTES = 3_000_000, 900, 8192
SENTENCES, PER_MINUTE, LOADING = 5000, 5000, 1.0
KEYS, IDLE = 5_000_000, 0.5  # the yardstick, and its seconds where nothing else runs
HELD_OUT = DATA / "text" / "openstax.txt.xz"


class Measured(NamedTuple):
    """Seconds, peak of the process and its workers in MB, and what it found."""

    seconds: float
    peak: float
    found: str
    unit: float = IDLE  # the yardstick at that time

    @property
    def idle_seconds(self) -> float:
        """What it would have taken on an idle machine."""
        return self.seconds * min(1.0, IDLE / self.unit)


Step = Callable[[Path], str]


def tag(folder: Path, events: int) -> str:
    """Tag the text, and learn hardly anything."""
    trained = train_detector(
        *("perceptron", WIKIPEDIA, folder / "first"), cache=folder / "tags", events=events, passes=1
    )
    return f"{trained.model.sentences:,} sentences tagged"


def learn(folder: Path, learner: str, events: int) -> str:
    """Learn with tags at hand."""
    trained = train_detector(
        *(learner, WIKIPEDIA, folder / learner), cache=folder / "tags", events=events
    )
    return f"{trained.model.events:,} events, accuracy {trained.model.accuracy or 0:.3f}"


def load(folder: Path) -> str:
    """Load and describe a model."""
    return f"{describe_detector(folder / 'maxent').model.features:,} features"


def detect(folder: Path, learner: str) -> str:
    """Decide about prepositions, tagging included."""
    run = run_detectors(
        folder / learner, text=folder / "asked.txt", output=folder / f"{learner}.jsonl"
    )
    return f"{run.cases:,} cases, {60 * run.sentences / run.seconds:,.0f} sentences a minute"


def language_model(folder: Path) -> str:
    """A language model of fifty thousand sentences, to ask."""
    text = folder / "lm.txt"
    text.write_text("\n".join(islice(read_prose(WIKIPEDIA), 50_000)), "utf-8")
    return f"{sum(train_detector('lm', text, folder / 'lm').model.ngrams):,} n-grams"


def measure(step: Step, folder: Path) -> Measured:
    begun = time.perf_counter()
    found = step(folder)
    seconds = time.perf_counter() - begun
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return Measured(seconds, sum(resource.getrusage(one).ru_maxrss for one in kinds) / 1024, found)


def alone(step: Step, folder: Path) -> Measured:
    """The same in a process of its own, which may have workers."""
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, step, folder).result()


def main() -> None:
    """Measure every step, and say which promise is broken."""
    need_text()
    events = int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS
    before = sort_keys(KEYS)
    print(f"yardstick: argsort of {KEYS:,} keys {before:.2f} s")
    done: dict[str, Measured] = {}
    steps: dict[str, Step] = {
        "tagging": partial(tag, events=events),
        "maxent, a tenth": partial(learn, learner="maxent", events=events // 10),
        "maxent": partial(learn, learner="maxent", events=events),
        "perceptron": partial(learn, learner="perceptron", events=events),
        "loading": load,
        "maxent at work": partial(detect, learner="maxent"),
        "language model": language_model,
        "language model at work": partial(detect, learner="lm"),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = islice(read_prose(HELD_OUT), SENTENCES)
        (folder / "asked.txt").write_text("\n".join(asked), "utf-8")
        for title, step in steps.items():
            run = alone(step, folder)
            after = sort_keys(KEYS)
            done[title] = run = run._replace(unit=(before + after) / 2)
            before = after
            told = f"{run.seconds:.1f} s ({run.seconds / run.unit:.1f} yardsticks)"
            print(f"{title}: {told}, peak {run.peak:,.0f} MB; {run.found}", flush=True)
    tenth, whole = done["maxent, a tenth"].idle_seconds, done["maxent"].idle_seconds
    wanted = tenth + (whole - tenth) * (PROMISED_EVENTS - events / 10) / (events * 9 / 10)
    print(f"maxent on {PROMISED_EVENTS:,} events at this rate, if idle: {wanted / 60:.1f} min")
    kept = {
        "training time": wanted < SECONDS,
        "training memory": done["maxent"].peak < MEGABYTES,
        "loading time": done["loading"].idle_seconds < LOADING,
        "detection": SENTENCES / done["maxent at work"].idle_seconds * 60 > PER_MINUTE,
        "detection by lm": SENTENCES / done["language model at work"].idle_seconds * 60
        > PER_MINUTE,
    }
    broken = [promise for promise, holds in kept.items() if not holds]
    sys.exit(f"broken: {', '.join(broken)}" if broken else 0)


if __name__ == "__main__":
    main()
