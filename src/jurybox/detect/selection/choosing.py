"""How `detect_selection` works: models choose at every event of held-out text."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.model_folder import DESCRIPTION, describe_folder
from jurybox.detect.prepositions import CLASSES, NONE
from jurybox.detect.prose import several
from jurybox.detect.selection import DetectSelection
from jurybox.detect.selection.events import (
    ClassArray,
    Picks,
    ScoredEvents,
    Setup,
    is_events,
    join_events,
    read_held_out,
    score_events,
    set_up,
)
from jurybox.detect.selection.result import (
    ChanceBin,
    ModelPair,
    ModelSelection,
    SelectionResult,
    WilsonInterval,
)
from jurybox.detect.tagging import cache_folder
from jurybox.errors import InputError, UsageError, collecting_warnings, warn
from jurybox.formats import Input, as_input
from jurybox.jury.calibration import calibrate
from jurybox.options import signature, signed_text
from jurybox.stats.proportions import binomial_test, normal_quantile, wilson_interval
from jurybox.stats.significance import holm

#: bins of the probabilities of choices
BINS = 10


def choose(call: DetectSelection) -> SelectionResult:
    """Let every model choose, and count how often it chooses what was written."""
    models = call.models
    given = [models] if isinstance(models, str | os.PathLike) else models
    folders = [os.fspath(one) for one in given]
    sources = [as_input(one).keep() for one in several(call.text)]
    if not folders:
        raise UsageError("name the folder of a model, or several")
    if not sources:
        raise UsageError("name held-out text: --text FILE")
    for folder, count in Counter(map(os.path.realpath, folders)).items():
        if count > 1:
            raise UsageError(f"the model {folder} is named twice; name it once")
    with collecting_warnings() as messages:
        finds = not all(map(is_events, sources))
        cache = partial(cache_folder, call.cache)
        setup = set_up(folders, tagger=call.spacy_model, cache=cache, finds=finds)
        _warn_of_other_tags(setup)
        parts = []
        sentences = read_held_out(sources, tokenised=call.tokenised)
        for part in score_events(sentences, setup, jobs=call.jobs):
            parts.append(part)
            if call.progress is not None:
                call.progress(len(part), "events")
        if not any(map(len, parts)):
            empty = ", ".join(source.name for source in sources)
            raise InputError(f"{empty}: no preposition is written there; give more text")
        events = join_events(parts, len(folders))
        short = [Path(one).resolve().name for one in folders]
        # where two are alike, with the folders they are in
        names = [
            name if short.count(name) == 1 else one
            for name, one in zip(short, folders, strict=True)
        ]
        found = tuple(
            _selection(name, folder, events.written, picks, call.level)
            for name, folder, picks in zip(names, folders, events.picks, strict=True)
        )
        pairs = _pairs(events, names, call.level)
    return SelectionResult(
        sentences=len(events.sentences),
        models=found,
        pairs=pairs,
        signature=signature(
            "detect",
            task="selection",
            models=[signed_text(name) for name in names],
            tagger=None if setup.tagger is None else str(setup.tagger),
            to=("words" if setup.tagger is None else "spacy") if finds else None,
        ),
        inputs=(*sources, *(Input(Path(one) / DESCRIPTION) for one in folders)),
        warnings=tuple(messages),
        scored=events,
    )


def _warn_of_other_tags(setup: Setup) -> None:
    """Tags by another tagger are other features."""
    for folder in setup.folders:
        trained = describe_folder(folder).get("training", {}).get("tagger")
        if trained is not None and trained != str(setup.tagger):
            warn(
                f"{folder} was trained on tags by {trained}, and the text is tagged by "
                f"{setup.tagger}: the choices may be worse; --spacy-model names another one"
            )


def _selection(
    name: str, folder: str, written: ClassArray, picks: Picks, level: float
) -> ModelSelection:
    described = describe_folder(folder)
    training = described.get("training", {})
    right = (picks.choice == written).astype(np.float64)
    calibration = calibrate(np.minimum(picks.chance, 1).astype(np.float64), right, BINS)
    confused = confusion(written, picks.choice).tolist()
    low, high = wilson_interval(int(right.sum()), len(right), level)
    return ModelSelection(
        name=name,
        kind=described.get("learner", "lm"),
        events=training.get("events"),
        training_majority=training.get("majority"),
        confusion=dict(zip(CLASSES[:NONE], map(tuple, confused), strict=True)),
        top2=int((picks.rank < 2).sum()),
        top3=int((picks.rank < 3).sum()),
        log_loss=log_loss(picks),
        bins=tuple(ChanceBin(*one) for one in calibration.bins),
        calibration_error=calibration.error,
        interval=WilsonInterval(float(low), float(high), level),
    )


def _pairs(events: ScoredEvents, names: Sequence[str], level: float) -> tuple[ModelPair, ...]:
    right = [picks.choice == events.written for picks in events.picks]
    pairs = list(combinations(range(len(names)), 2))
    found = [compare_right(right[a], right[b], level) for a, b in pairs]
    adjusted = holm([one.p for one in found])
    return tuple(
        ModelPair(names[a], names[b], *one, p)
        for (a, b), one, p in zip(pairs, found, adjusted, strict=True)
    )


# --- counts and comparisons of what was picked ---


def confusion(written: ClassArray, choice: ClassArray) -> NDArray[np.int64]:
    """How often each preposition (rows: what was written) was taken for each (columns).

    >>> confusion(np.array([0, 0, 1], np.int8), np.array([0, 1, 1], np.int8))[:2, :2].tolist()
    [[1, 1], [0, 1]]
    """
    places = written.astype(np.int64) * NONE + choice
    return np.bincount(places, minlength=NONE * NONE).reshape(NONE, NONE)


def log_loss(picks: Picks) -> float:
    """The mean surprise at what was written, in nats, among the 34."""
    least = np.finfo(np.float32).tiny  # what underflows is not impossible
    return float(-np.log(np.maximum(picks.written_chance, least), dtype=np.float64).mean())


class Paired(NamedTuple):
    """Two models on the same events: where only one of them is right, and what that shows.

    `p` is of McNemar's test, exact. The interval of the difference of accuracies is the adjusted
    one of Bonett and Price (2012).
    """

    only_first: int
    only_second: int
    difference: float
    low: float
    high: float
    p: float


def compare_right(
    first: NDArray[np.bool_], second: NDArray[np.bool_], level: float = 0.95
) -> Paired:
    """How far two models differ in what they get right.

    >>> first, second = np.arange(100) < 60, np.arange(100) < 50
    >>> found = compare_right(first, second)
    >>> found.only_first, found.difference, round(found.low, 4), round(found.p, 5)
    (10, 0.1, 0.0343, 0.00195)
    """
    n = len(first)
    one, other = int((first & ~second).sum()), int((second & ~first).sum())
    p_one, p_other = (one + 1) / (n + 2), (other + 1) / (n + 2)
    middle = p_one - p_other
    half = normal_quantile(level) * sqrt((p_one + p_other - middle**2) / (n + 2))
    p = binomial_test(min(one, other), one + other, 0.5).two_sided if one + other else 1.0
    low, high = max(middle - half, -1.0), min(middle + half, 1.0)
    return Paired(one, other, (one - other) / n, low, high, p)
