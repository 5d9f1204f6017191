"""One hypothesis against many subsets of the annotators, from counts that are matched once.

Which annotators a score has as references is a choice of rows of a counts table, so all subsets of
a panel (Bryant and Ng 2015 need 1,022 of ten annotators) are scored from the same table. A table
may have sentences without rows: they do not count. A subset none of whose members looked at a
sentence does not count it either; one that counts no sentence at all has no score (nan).

Edit scores are made in `subset_walk.py`, GLEU in `subset_gleu.py`. Resampled scores keep the choice
(or average the references) of the sentences as they are: then a resample is a product of weights
and counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurybox.errors import InputError
from jurybox.model import CountsTable
from jurybox.stats.running_choice import FloatArray, IntArray
from jurybox.stats.statistic import (
    EditScore,
    GleuScore,
    Statistic,
    WeightArray,
    precision_recall_f_arrays,
)
from jurybox.stats.subset_gleu import drawn_gleu, expected_gleu
from jurybox.stats.subset_groups import CELLS, BoolArray, group_sentences
from jurybox.stats.subset_walk import walk_subsets


@dataclass(frozen=True, slots=True)
class SubsetScores:
    """The scores [names, subsets], and on how many sentences each subset has a reference.

    A subset is `empty` if neither hypothesis nor references have an edit in these sentences: its
    scores are 1 by convention and say nothing.
    """

    names: tuple[str, ...]
    scores: FloatArray
    sentences: IntArray
    empty: BoolArray


def score_subsets(table: CountsTable, members: BoolArray, statistic: Statistic) -> SubsetScores:
    """The scores of one hypothesis against every subset: members [subsets, annotators].

    Below annotator 1 wants another correction than the hypothesis; together with annotator 0 they
    let it choose.

    >>> table = CountsTable(annotators=["0", "1"])
    >>> table.append([(0, (1, 0, 0)), (1, (0, 1, 1))])
    >>> table.append([(0, (1, 0, 1)), (1, (1, 0, 0))])
    >>> members = np.array([[True, False], [False, True], [True, True]])
    >>> score_subsets(table, members, EditScore()).scores[2].round(4).tolist()
    [0.9091, 0.5, 1.0]
    """
    check_members(table, members)
    sentences = _scored_sentences(table, members)
    empty: BoolArray = np.zeros(len(members), dtype=bool)
    if isinstance(statistic, GleuScore):
        drawn = statistic.references == "draws"
        gleu_scores = (
            drawn_gleu(table, members, statistic.draws) if drawn else expected_gleu(table, members)
        )
        scores = gleu_scores[np.newaxis]
    else:
        edit_score = _edit_score(statistic)
        totals = walk_subsets(table, members, edit_score).totals
        scores = precision_recall_f_arrays(totals, edit_score.beta)
        empty = np.logical_not(np.logical_or.reduce(totals, axis=0))
    scores = np.where(sentences > 0, scores, np.nan)
    return SubsetScores(statistic.names, scores, sentences, empty)


def resample_subsets(
    table: CountsTable, members: BoolArray, statistic: Statistic, weights: WeightArray
) -> FloatArray:
    """The last score (F, or GLEU) of every subset in every resample: [subsets, resamples].

    Annotators are chosen as in the sentences as they are; GLEU takes the average of its references.
    nan where a resample has no sentence that counts.
    """
    check_members(table, members)
    scores = _resample(table, members, statistic, weights)
    drawn = np.zeros(scores.shape)
    for group in group_sentences(table):
        seen = members[:, group.present].any(axis=1)
        drawn[seen] += weights[:, group.sentences].sum(axis=1)
    return np.where(drawn > 0, scores, np.nan)


def _resample(
    table: CountsTable, members: BoolArray, statistic: Statistic, weights: WeightArray
) -> FloatArray:
    if isinstance(statistic, GleuScore):
        return expected_gleu(table, members, weights)
    edit_score = _edit_score(statistic)
    scores = np.empty((len(members), len(weights)))
    times = weights.T.astype(np.float64)
    at_once = max(1, CELLS // max(1, len(table)))
    for start in range(0, len(members), at_once):
        part = slice(start, start + at_once)
        walked = walk_subsets(table, members[part], edit_score, keep=True)
        counts = walked.chosen_counts()
        totals = np.stack([column @ times for column in counts])
        scores[part] = precision_recall_f_arrays(totals, edit_score.beta)[2]
    return scores


def check_members(table: CountsTable, members: BoolArray) -> None:
    """Raise where members do not belong to the table, or a subset is empty."""
    if members.ndim != 2 or members.shape[1] != len(table.annotators):
        raise InputError(
            f"subsets of {members.shape[-1]} annotators do not fit a table of "
            f"{len(table.annotators)}"
        )
    if not members.any(axis=1).all():
        raise InputError("a subset of annotators is empty; there must be somebody to refer to")


def _edit_score(statistic: Statistic) -> EditScore:
    if not isinstance(statistic, EditScore):
        raise InputError(f"{type(statistic).__name__} cannot be scored for subsets of annotators")
    return statistic


def _scored_sentences(table: CountsTable, members: BoolArray) -> IntArray:
    """On how many sentences each subset has a member who looked at it."""
    total = np.zeros(len(members), dtype=np.intp)
    for group in group_sentences(table):
        total += group.sentences.size * members[:, group.present].any(axis=1)
    return total
