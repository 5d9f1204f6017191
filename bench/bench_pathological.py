"""Sentences on which the official scorer runs for hours: repeated phrases, complete rewrites.

Promise: a 400-token hypothesis that repeats a phrase 40 times takes under a second.

    python bench/bench_pathological.py
"""

from __future__ import annotations

import random
import time

from jurybox.metrics.maxmatch import count_matches
from jurybox.metrics.maxmatch.bestpath import Gold
from measuring import yardstick

PHRASE = ["the", "people", "who", "live", "in", "the", "city", "of", "the", "future"]
SOURCE = ["I", "think", *PHRASE, "are", "happy", "."]


def sentences() -> dict[str, tuple[list[str], list[str]]]:
    """What users have reported, made up again."""
    rng = random.Random(1)
    words = [str(number) for number in range(3000)]
    many = [rng.choice([*PHRASE, *"abcdefghijklmnop"]) for _ in range(100)]
    return {
        "phrase 10 times": (SOURCE, [*SOURCE[:2], *PHRASE * 10, *SOURCE[-3:]]),
        "phrase 40 times": (SOURCE, [*SOURCE[:2], *PHRASE * 40, *SOURCE[-3:]]),
        "long source, phrase 40 times": (many, [*many[:20], *PHRASE * 40]),
        "rewritten, 30 tokens": (words[:30], words[1000:1040]),
        "rewritten, 110 tokens": (words[:110], words[1000:1130]),
    }


def main() -> None:
    """One sentence at a time, against three gold edits, beside the yardstick for it."""
    gold = [Gold(2, 3, ("those",)), Gold(4, 4, ("always",)), Gold(5, 5, ("the", "the people"))]
    for name, (source, hypothesis) in sentences().items():
        begun = time.process_time()
        count_matches(tuple(source), tuple(hypothesis), gold)
        seconds = time.process_time() - begun
        ratio = seconds / yardstick([(source, hypothesis)])
        print(
            f"{name:30s} {len(source):4d} x {len(hypothesis):4d} tokens "
            f"{1000 * seconds:7.1f} ms {ratio:6.1f} yardsticks"
        )


if __name__ == "__main__":
    main()
