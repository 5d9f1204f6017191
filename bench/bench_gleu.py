"""GLEU against MaxMatch on the same text: two references, no sentence like another.

The sentences of CoNLL-2014 with the output of CAMB and the texts of both annotators, again and
again; in every copy a quarter of the words gets numbers, the same in all texts. Promise: GLEU takes
no more processor time than MaxMatch, 500 draws of references included.

    python bench/bench_gleu.py
    python bench/bench_gleu.py --sentences 1000000
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from jurybox.formats import read_panel
from jurybox.formats.edits import m2
from jurybox.model import Annotation, Panel, Sentence, apply_edits
from measuring import CAMB, GOLD, jurybox, need_data

ROUNDS = 3
FILES = ("source.txt", "output.txt", "reference0.txt", "reference1.txt")


def write_texts(panel: Panel, folder: Path, number: int) -> None:
    """The gold edits and all texts, with so many sentences."""
    outputs = [line.split() for line in CAMB.read_text("utf-8").splitlines()]
    rng = random.Random(1)
    with ExitStack() as files, (folder / "gold.m2").open("w") as gold:
        texts = [files.enter_context((folder / name).open("w")) for name in FILES]
        for place in range(number):
            sentence, output = panel[place % len(panel)], outputs[place % len(panel)]
            known = sorted({*sentence.tokens, *output})
            new = {word: f"{word}{rng.randrange(10)}" for word in known if rng.random() < 0.25}

            def renamed(tokens: Sequence[str], new: dict[str, str] = new) -> list[str]:
                return [new.get(token, token) for token in tokens]

            first, last = sentence.annotations[0], sentence.annotations[-1]
            corrected = [apply_edits(sentence.tokens, one.edits) for one in (first, last)]
            for out, tokens in zip(texts, (sentence.tokens, output, *corrected), strict=True):
                print(*renamed(tokens), file=out)
            annotations = tuple(
                Annotation(
                    one.annotator,
                    tuple(
                        edit._replace(replacement=" ".join(renamed(edit.replacement.split())))
                        for edit in one.edits
                    ),
                )
                for one in sentence.annotations
            )
            m2.write([Sentence(tuple(renamed(sentence.tokens)), annotations)], gold)


def main() -> None:
    """The least of several rounds, in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=50_000, metavar="N")
    options = parser.parse_args()
    need_data()
    with TemporaryDirectory() as given:
        folder = Path(given)
        write_texts(read_panel(GOLD), folder, options.sentences)
        source, output, *references = (folder / name for name in FILES)
        by_texts = ["--source", str(source), "--refs", *map(str, references), "--metric", "gleu"]
        edits, texts = [], []
        for _ in range(ROUNDS):
            edits.append(jurybox("score", output, "--gold", folder / "gold.m2").processor)
            texts.append(jurybox("score", output, *by_texts).processor)
    million = options.sentences / 1e6
    print(f"m2    {min(edits):7.2f} s  {min(edits) / million:6.1f} s per million sentences")
    print(f"gleu  {min(texts):7.2f} s  {min(texts) / million:6.1f} s per million sentences")
    print(f"gleu / m2  {min(texts) / min(edits):.2f} (promise: 1)")


if __name__ == "__main__":
    main()
