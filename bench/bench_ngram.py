"""The 4-gram model of 20 million tokens: seconds and memory of training, loading and queries.

Promises: trained in under 10 minutes and 4 GB; loaded in under a second. Each step has a process of
its own, so that its peak is its own. The yardstick is one numpy argsort of as many random keys.

    python bench/bench_ngram.py [TOKENS]
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from jurybox.detect.ngrams.arpa import read_arpa, write_arpa
from jurybox.detect.ngrams.model import load_model, save_model
from jurybox.detect.ngrams.training import train_lm
from jurybox.formats.edits import text
from measuring import WIKIPEDIA, need_text, peak, sort_keys

TOKENS = 20_000_000
HELD_OUT = 200_000
SECONDS, MEGABYTES, LOADING = 600, 4096, 1.0
TOKEN = re.compile(r"\w+|[^\w\s]")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


class Measured(NamedTuple):
    """Seconds, peak of the process in MB, and what it found."""

    seconds: float
    peak: float
    found: str


Step = Callable[[Path], str]


def sentences() -> Iterator[list[str]]:
    """Tokens of Wikipedia, cut crudely: this is about speed."""
    for paragraph in text.read(WIKIPEDIA):
        if not paragraph.startswith("<"):
            for sentence in SENTENCE_END.split(paragraph):
                yield TOKEN.findall(sentence.lower())


def make_text(folder: Path, tokens: int) -> None:
    """So many tokens to train on, and some of what follows to ask for."""
    given = sentences()
    for name, wanted in (("train.txt", tokens), ("held-out.txt", HELD_OUT)):
        with (folder / name).open("w", encoding="utf-8") as out:
            written = 0
            while written < wanted:
                words = next(given)
                written += len(words)
                out.write(" ".join(words) + "\n")


def train(folder: Path) -> str:
    model = train_lm(folder / "train.txt")
    save_model(model, folder / "model")
    return f"{model.about.words:,} words, n-grams {' '.join(f'{size:,}' for size in model.sizes)}"


def load(folder: Path) -> str:
    total = load_model(folder / "model").score(["it depends on the weather ."]).totals[0]
    return f"a sentence asked for, log10 {total:.3f}"


def query(folder: Path) -> str:
    model = load_model(folder / "model")
    scores = model.score(text.read(folder / "held-out.txt"))
    return f"{scores.words:,} words, perplexity {scores.perplexity():.1f}"


def write(folder: Path) -> str:
    write_arpa(load_model(folder / "model"), folder / "model.arpa")
    return f"{(folder / 'model.arpa').stat().st_size / 1e6:,.0f} MB"


def read(folder: Path) -> str:
    return f"{sum(read_arpa(folder / 'model.arpa').sizes):,} n-grams"


def measure(step: Step, folder: Path) -> Measured:
    begun = time.perf_counter()
    found = step(folder)
    seconds = time.perf_counter() - begun
    return Measured(seconds, peak(), found)


def alone(step: Step, folder: Path) -> Measured:
    """The same in a process of its own."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(measure, (step, folder))


def main() -> None:
    """Measure every step, and say which promise is broken."""
    need_text()
    tokens = int(sys.argv[1]) if len(sys.argv) > 1 else TOKENS
    unit = sort_keys(tokens)
    print(f"yardstick: argsort of {tokens:,} keys {unit:.1f} s")
    done: dict[str, Measured] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_text(folder, tokens)
        for step in (train, load, query, write, read):
            done[step.__name__] = run = alone(step, folder)
            told = f"{run.seconds:.2f} s ({run.seconds / unit:.2f} yardsticks)"
            print(f"{step.__name__}: {told}, peak {run.peak:,.0f} MB; {run.found}", flush=True)
    kept = {
        "training time": done["train"].seconds < SECONDS,
        "training memory": done["train"].peak < MEGABYTES,
        "loading time": done["load"].seconds < LOADING,
    }
    broken = [promise for promise, holds in kept.items() if not holds]
    sys.exit(f"broken: {', '.join(broken)}" if broken else 0)


if __name__ == "__main__":
    main()
