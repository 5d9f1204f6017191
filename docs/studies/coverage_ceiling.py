"""How often the intervals of `ceiling` hold the true value, for `coverage_scores.py`.

`ceiling` at leave-one-out scores ten annotators against the nine others, and every system against
each nine of ten, under the running choice: the annotator who counts in a sentence depends on the
sentences before it. One data set takes the tool up to a second. Here many data sets take a step
together, each to its own next sentence. The intervals are made as the tool makes them; for the
first data sets of every cell the tool makes them too, and they must be the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from coverage_rows import CoverageRow, Tally
from numpy.typing import NDArray
from studying import essay_map, gold_files, system_files

import jurybox as jb
from jurybox.ceiling.measure import Work, find_intervals
from jurybox.ceiling.scores import score_ceiling, take_subsets
from jurybox.counting.panels import LoadedPanel, load_panel
from jurybox.counting.people import PanelCounts, count_people
from jurybox.counting.systems import systems_from
from jurybox.metrics.options import MetricOptions
from jurybox.model import CountsTable, Panel
from jurybox.stats.confidence import Bootstrap
from jurybox.stats.intervals import resampled_interval
from jurybox.stats.resample import bootstrap_weights
from jurybox.stats.statistic import precision_recall_f_arrays
from jurybox.stats.subsets import merge_candidates
from jurybox.streams import stream

SYSTEMS = ("AMU", "CAMB")
BETA = 0.5
#: data sets that take their steps together, and those that are compared with the tool's own results
AT_ONCE, COMPARED = 50, 2

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Drawn(NamedTuple):
    """The places of drawn sentences, and the number of the drawn document of each."""

    places: IntArray
    documents: list[str] | None = None


Drawing = Callable[[np.random.Generator], Drawn]


# --- one data set, by the tool ---


class People(NamedTuple):
    """The panel of ten annotators, and the counts of people and systems against each other."""

    panel: jb.Panel
    counts: PanelCounts

    def draw(self, drawn: Drawn, certainty: Bootstrap) -> Work:
        """What `ceiling` is given for drawn sentences, to leave one annotator out at a time."""
        places = drawn.places.tolist()
        names = drawn.documents or [None] * len(places)
        sentences = tuple(
            self.panel.sentences[place]._replace(document=name)
            for place, name in zip(places, names, strict=True)
        )
        counts = self.counts._replace(
            people={name: one.select(places) for name, one in self.counts.people.items()},
            systems={name: one.select(places) for name, one in self.counts.systems.items()},
            unchanged=self.counts.unchanged.select(places),
        )
        panel = Panel(sentences, self.panel.annotators)
        number = len(panel.annotators)
        subsets = take_subsets(number, [number - 1], most=1000, rng=stream(1, "sets"))
        return Work(
            LoadedPanel(panel, (), (), len(panel)), counts, MetricOptions(), subsets, certainty
        )


def read_people(data: Path) -> People:
    panel = jb.read_panel(gold_files(data), documents=essay_map(data))
    files = {name: system_files(data)[name] for name in SYSTEMS}
    counts = count_people(load_panel(panel), systems_from(files, hyp_format=None), MetricOptions())
    return People(panel, counts)


def tool_ends(people: People, drawn: Drawn, certainty: Bootstrap) -> FloatArray:
    """The ends [values, 2] that the tool gives, in the order of `VALUES`."""
    work = people.draw(drawn, certainty)
    scored = score_ceiling(work.people, work.others, work.subsets, work.statistic)
    found = find_intervals(work, scored)
    listed = [found.human[0]]
    for place in range(len(SYSTEMS)):
        listed += [found.others[place][0], found.ratios[place][0]]
    return np.array([(one.low, one.high) for one in listed])


#: what has an interval: (kind, data)
VALUES = (
    ("human", "ten annotators"),
    *((kind, name) for name in SYSTEMS for kind in ("system", "ratio")),
)


# --- many data sets at once ---


class Choices(NamedTuple):
    """What can be chosen in each sentence, for texts against sets of nine annotators.

    Texts are the annotators, each against the others, then every system against each set. After
    the last sentence stands an empty one.
    """

    counts: FloatArray  # [texts, sentences + 1, candidates, tp/fp/fn]
    above: FloatArray  # numerator of F [texts, sentences + 1, candidates]; -inf: no candidate
    below: FloatArray  # its denominator

    @property
    def empty(self) -> int:
        return self.counts.shape[1] - 1


def list_choices(people: People) -> Choices:
    number = len(people.panel.annotators)
    texts = [(table, left) for left, table in enumerate(people.counts.people.values())]
    for table in people.counts.systems.values():
        texts += [(table, left) for left in range(number)]
    listed = [_candidates(table, left, number) for table, left in texts]
    most = max(one.shape[1] for one in listed)
    counts = np.full((len(listed), len(listed[0]) + 1, most, 3), np.nan)
    for place, one in enumerate(listed):
        counts[place, :-1, : one.shape[1]] = one
    counts[:, -1, 0] = 0
    missing = np.isnan(counts[..., 0])
    counts[missing] = 0
    tp, fp, fn = np.moveaxis(counts, -1, 0)
    above, below = (1 + BETA**2) * tp, (tp + fp) + BETA**2 * (tp + fn)
    return Choices(counts, np.where(missing, -np.inf, above), below)


def _candidates(table: CountsTable, left_out: int, annotators: int) -> FloatArray:
    """Counts [sentences, candidates, tp/fp/fn] of all annotators but one; nan: no candidate."""
    found = merge_candidates(table, np.arange(annotators) != left_out, metric="m2", beta2=BETA**2)
    sizes = np.diff(found.starts)
    counts = np.full((len(sizes), int(sizes.max()), 3), np.nan)
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    counts[sentence, np.arange(len(sentence)) - found.starts[sentence]] = found.counts.T
    return counts


def walk(choices: Choices, places: IntArray) -> FloatArray:
    """The counts [data sets, sentences, texts, tp/fp/fn] chosen for places [data sets, sentences].

    Of candidates with the same F the first one wins.
    """
    texts = len(choices.counts)
    data_sets, steps = places.shape
    chosen = np.zeros((data_sets, steps, texts, 3))
    above, below = np.zeros((texts, data_sets, 1)), np.zeros((texts, data_sets, 1))
    text, data_set = np.ogrid[:texts, :data_sets]
    for step in range(steps):
        here = places[:, step]
        up, down = above + choices.above[:, here], below + choices.below[:, here]
        f = np.divide(up, down, out=np.where(np.isinf(up), up, 1.0), where=down > 0)
        best = f.argmax(axis=2)
        above, below = up[text, data_set, best, np.newaxis], down[text, data_set, best, np.newaxis]
        chosen[:, step] = choices.counts[text, here, best].swapaxes(0, 1)
    return chosen


def values_of(totals: FloatArray) -> FloatArray:
    """Human score, then score and ratio of every system: [values, ...] of totals [tp/fp/fn, texts,
    ...].
    """
    f = precision_recall_f_arrays(totals, BETA)[2]
    number = len(f) // (1 + len(SYSTEMS))
    means = f.reshape(1 + len(SYSTEMS), number, *f.shape[1:]).mean(axis=1)
    listed = [means[0]]
    for system in means[1:]:
        listed += [system, system / means[0]]
    return np.array(listed)


def ends_of(chosen: FloatArray, drawn: Drawn, certainty: Bootstrap) -> FloatArray:
    """The ends [values, 2] of the intervals of one data set, from counts [sentences, texts, 3]."""
    documents = drawn.documents if certainty.unit == "document" else None
    units = len(chosen) if documents is None else len(set(documents))
    rng = stream(certainty.seed, "bootstrap")
    weights = bootstrap_weights(len(chosen), certainty.resamples, rng, documents)
    once = np.concatenate([np.ones((1, len(chosen))), weights])
    totals = once @ chosen.reshape(len(chosen), -1)
    values = values_of(totals.reshape(len(once), -1, 3).T)
    ends = []
    for (kind, _), (value, *again) in zip(VALUES, values, strict=True):
        low, high, _ = resampled_interval(
            value, np.array(again), evidence=units, bounds=None if kind == "ratio" else (0.0, 1.0)
        )
        ends.append((low, high))
    return np.array(ends)


def cover_ceilings(
    data: Path,
    cells: Sequence[tuple[str, int, Drawing]],
    *,
    simulations: int,
    resamples: int,
    seed: int,
) -> Iterator[CoverageRow]:
    """Intervals over drawn sentences or documents: cells are units, sizes and how to draw."""
    people = read_people(data)
    choices = list_choices(people)
    everything = walk(choices, np.arange(choices.empty)[np.newaxis])[0]
    truth = values_of(everything.sum(axis=0).T)
    for unit, n, draw in cells:
        rng = stream(seed, f"coverage of ceiling, {unit}", n)
        tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
        for start in range(0, simulations, AT_ONCE):
            sets = [draw(rng) for _ in range(min(AT_ONCE, simulations - start))]
            longest = max(len(one.places) for one in sets)
            places = np.full((len(sets), longest), choices.empty)
            for row, one in zip(places, sets, strict=True):
                row[: len(one.places)] = one.places
            chosen = walk(choices, places)
            for number, one in enumerate(sets):
                how = Bootstrap(resamples, unit=unit, seed=start + number)
                how = how.settled(one.documents)
                ends = ends_of(chosen[number, : len(one.places)], one, how)
                if start + number < COMPARED and not np.allclose(
                    ends, tool_ends(people, one, how), rtol=0, atol=1e-9
                ):
                    raise AssertionError(f"{unit} {n}: intervals are not those of the tool")
                for name, (low, high), value in zip(VALUES, ends, truth, strict=True):
                    tallies[name].add(low, high, value, warned=bool(how.cautions))
        for (kind, name), tally in tallies.items():
            yield from tally.rows(f"ceiling {kind} F0.5", f"{name}, leave one out", unit, n)
