"""GLEU of one hypothesis against many subsets of the annotators.

GLEU draws a reference per sentence. Draws depend on the number of references alone, so what each
annotator adds as the j-th of k is summed up once, and a subset adds up its members.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

import numpy as np

from jurybox.edits import gleu
from jurybox.model import CountsTable
from jurybox.stats.running_choice import FloatArray
from jurybox.stats.statistic import WeightArray, gleu_arrays
from jurybox.stats.subset_groups import CELLS, BoolArray, Group, group_sentences


def expected_gleu(
    table: CountsTable, members: BoolArray, weights: WeightArray | None = None
) -> FloatArray:
    """GLEU of the average statistics of every subset's references: [subsets], or with resamples."""
    times = np.ones((1, len(table))) if weights is None else weights.astype(np.float64)
    values = {name: np.array(table.values[name], dtype=np.float64) for name in gleu.COLUMNS}
    totals = {name: np.zeros((len(members), len(times))) for name in gleu.COLUMNS}
    for group in group_sentences(table):
        drawn = members[:, group.present]
        references = drawn.sum(axis=1, keepdims=True)
        share = drawn / np.maximum(1, references)
        here = times[:, group.sentences]
        for name in gleu.COLUMNS:
            totals[name] += share @ (here @ values[name][group.rows]).T
    scores = gleu_arrays(totals)
    return scores[:, 0] if weights is None else scores


def drawn_gleu(table: CountsTable, members: BoolArray, draws: int) -> FloatArray:
    """The official GLEU of every subset: the mean over draws of one reference per sentence.

    Draw d gives sentence s the reference int(u[d, s]·k) of the k that the subset has there.
    """
    n = len(members[0])
    scores = np.zeros(len(members))
    if members.sum(axis=1).max() == 1:
        draws = 1
    groups = list(group_sentences(table))
    largest = int(members.sum(axis=1).max())
    at_once = max(1, min(draws, CELLS // (largest * n), 16 * CELLS // max(1, len(table))))
    for start in range(0, draws, at_once):
        random = _random_numbers(len(table), start, min(start + at_once, draws))
        scores += _gleu_of_draws(table, members, groups, random)
    return scores / draws


@lru_cache(maxsize=1)
def _random_numbers(sentences: int, first: int, end: int) -> FloatArray:
    """The numbers of the official draws [draws, sentences], as `gleu.draw_rows` takes them."""
    numbers = np.empty((end - first, sentences))
    for draw in range(first, end):
        random = Random(101 * draw).random
        numbers[draw - first] = [random() for _ in range(sentences)]
    return numbers


def _gleu_of_draws(
    table: CountsTable, members: BoolArray, groups: list[Group], random: FloatArray
) -> FloatArray:
    """The sum over some draws of every subset's score."""
    draws = len(random)
    values = {name: np.array(table.values[name], dtype=np.float64) for name in gleu.COLUMNS}
    scores = np.zeros(len(members))
    sizes = members.sum(axis=1)
    for size in np.unique(sizes):
        subsets = np.flatnonzero(sizes == size)
        at_once = max(1, CELLS // (draws * len(gleu.COLUMNS)))
        for start in range(0, len(subsets), at_once):
            part = subsets[start : start + at_once]
            totals = {name: np.zeros((len(part), draws)) for name in gleu.COLUMNS}
            for group in groups:
                _add_group(totals, group, members[part], random, values)
            scores[part] = gleu_arrays(totals).sum(axis=1)
    return scores


def _add_group(
    totals: dict[str, FloatArray],
    group: Group,
    members: BoolArray,
    random: FloatArray,
    values: dict[str, FloatArray],
) -> None:
    """Add what the sentences of a group give to every subset in every draw."""
    drawn = members[:, group.present]
    references = drawn.sum(axis=1)
    here = random[:, group.sentences]
    wanted = {name: values[name][group.rows] for name in gleu.DRAWN_COLUMNS}  # [sentences, present]
    for count in np.unique(references[references > 0]):
        subsets = np.flatnonzero(references == count)
        for name in gleu.COLUMNS:
            if name not in gleu.DRAWN_COLUMNS:  # the hypothesis's own: the same for all references
                totals[name][subsets] += values[name][group.rows[:, 0]].sum()
        listed = np.nonzero(drawn[subsets])[1].reshape(len(subsets), count)  # members in order
        reference = (here * count).astype(np.intp)
        if len(subsets) <= count:  # few sets: take what each draws
            rows = np.arange(len(group.sentences))
            for subset, among in zip(subsets, listed, strict=True):
                taken = among[reference]
                for name, table in wanted.items():
                    totals[name][subset] += table[rows, taken].sum(axis=1)
            continue
        for place in range(count):
            chosen = (reference == place).astype(np.float64)
            for name, table in wanted.items():
                totals[name][subsets] += (chosen @ table).T[listed[:, place]]
