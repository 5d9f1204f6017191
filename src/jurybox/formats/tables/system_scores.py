r"""Scores of systems, by a metric or by people: a table in CSV, TSV or JSONL.

    system,score            system,metric,score      sentence,system,metric,score
    AMU,0.3510              AMU,m2,0.3510             12,AMU,m2,0.8
    CAMB,0.3703             AMU,gleu,0.6428           12,CAMB,m2,1

Without a column `metric` the file has one metric, named after it. With a column `sentence` the
scores are those of single sentences.
"""

from __future__ import annotations

import warnings
from math import isnan
from typing import NamedTuple

from jurybox.errors import JuryboxWarning
from jurybox.formats._io import Source, as_input
from jurybox.formats.tables.long_tables import Block, LongTable, note_unused, read_numbers

COLUMNS = ("sentence", "system", "metric", "score")


class ScoreTable(NamedTuple):
    """Scores by metric: of systems, and of systems on sentences (sentence -> system -> score)."""

    systems: dict[str, dict[str, float]]
    sentences: dict[str, dict[str, dict[str, float]]]


def read(source: Source) -> ScoreTable:
    r"""The scores of a file.

    >>> from jurybox.formats import Input
    >>> read(Input.from_text("system,metric,score\nAMU,m2,.35\nAMU,gleu,.64\n")).systems
    {'m2': {'AMU': 0.35}, 'gleu': {'AMU': 0.64}}
    """
    given = as_input(source)
    table = LongTable(given, COLUMNS, required=("system", "score"), can_map=False)
    found = ScoreTable({}, {})
    for block in table.blocks():
        _take(block, table, found, given.stem)
    if not found.systems and not found.sentences and not table.bad.count:
        table.bad.add(None, "holds no score; write one row per system below 'system,score'")
    table.bad.raise_first()
    if note := note_unused(table):
        warnings.warn(note, JuryboxWarning, stacklevel=2)
    return found


def _take(block: Block, table: LongTable, found: ScoreTable, unnamed: str) -> None:
    bad = table.bad
    empty = [""] * len(block.lines)
    cells = {name: block.cells.get(name, empty) for name in COLUMNS}
    scores = read_numbers(Block(block.lines, dict(cells)), "score", bad)
    by_sentence = "sentence" in block.cells
    columns = (cells["sentence"], cells["system"], cells["metric"], cells["score"])
    for line, *row, score in zip(block.lines, *columns, scores, strict=True):
        sentence, system, metric, written = (str(cell).strip() for cell in row)
        if not system or (by_sentence and not sentence):
            missing = "sentence" if system else "system"
            bad.add(line, f"no {missing}; every score belongs to one", missing)
        elif isnan(score):
            if not written:  # what is written but no number was reported before
                bad.add(line, f"no score for '{system}'; leave the row out", "score")
        else:
            of_metric = metric or unnamed
            if by_sentence:
                scored = found.sentences.setdefault(of_metric, {}).setdefault(sentence, {})
            else:
                scored = found.systems.setdefault(of_metric, {})
            if system in scored:
                where = f" on sentence '{sentence}'" if by_sentence else ""
                bad.add(line, f"'{system}' has a score by '{of_metric}'{where} before; keep one")
            scored[system] = score
