"""How `detect_selection` works: models choose at every event of held-out text."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.model_folder import DESCRIPTION, describe_folder
from jurybox.detect.prepositions import CLASSES, NO_CLASS, NONE, class_of
from jurybox.detect.prose import part_of, several
from jurybox.detect.selection import DetectSelection
from jurybox.detect.selection.events import (
    ClassArray,
    Picks,
    ScoredEvents,
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
    YesOrNo,
)
from jurybox.detect.tagging import Tagger, cache_folder
from jurybox.errors import InputError, UsageError, collecting_warnings, unknown_name, warn
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
    among = _classes_of(call.prepositions)
    with collecting_warnings() as messages:
        finds = not all(map(is_events, sources))
        if call.split is not None and any(map(is_events, sources)):
            raise UsageError("--split is about prose and tokenised text; leave it out with events")
        cache = partial(cache_folder, call.cache)
        setup = set_up(folders, tagger=call.spacy_model, cache=cache, finds=finds, among=among)
        _warn_of_other_tags(folders, setup.tagger)
        _warn_of_learnt_text(folders, sources, call.split)
        parts = []
        sentences = read_held_out(
            sources, tokenised=call.tokenised, taken=part_of(call.split, rest=True)
        )
        for part in score_events(sentences, setup, jobs=call.jobs):
            parts.append(part)
            if call.progress is not None:
                call.progress(len(part), "events")
            if call.events is not None and sum(map(len, parts)) >= call.events:
                break
        if not any(map(len, parts)):
            empty = ", ".join(source.name for source in sources)
            raise InputError(f"{empty}: no preposition is written there; give more text")
        events = join_events(parts, len(folders))
        if call.events is not None:
            events = events.first(call.events)
        short = [Path(one).resolve().name for one in folders]
        # where two are alike, with the folders they are in
        names = [
            name if short.count(name) == 1 else one
            for name, one in zip(short, folders, strict=True)
        ]
        found = tuple(
            _selection(name, folder, events.written, picks, call)
            for name, folder, picks in zip(names, folders, events.picks, strict=True)
        )
        pairs = _pairs(events, names, call.level)
    return SelectionResult(
        sentences=len(events.sentences),
        models=found,
        pairs=pairs,
        among=tuple(CLASSES[one] for one in among) if call.prepositions else (),
        signature=signature(
            "detect",
            task="selection",
            models=[signed_text(name) for name in names],
            split=call.split,
            among=[CLASSES[one] for one in among] if call.prepositions else None,
            events=call.events,
            tagger=None if setup.tagger is None else str(setup.tagger),
            to=("words" if setup.tagger is None else "spacy") if finds else None,
        ),
        inputs=(*sources, *(Input(Path(one) / DESCRIPTION) for one in folders)),
        warnings=tuple(messages),
        scored=events,
    )


def _classes_of(prepositions: Sequence[str] | None) -> tuple[int, ...]:
    """The classes of words, in their order; without any, all of them.

    >>> [CLASSES[one] for one in _classes_of(["With", "in"])]
    ['in', 'with']
    """
    if not prepositions:
        return tuple(range(NONE))
    for word in prepositions:
        if class_of(word) == NO_CLASS:
            raise unknown_name("preposition (--prepositions)", word, CLASSES[:NONE])
    found = tuple(sorted({class_of(word) for word in prepositions}))
    if len(found) < 2:
        raise UsageError("--prepositions: name two or more, or there is nothing to choose")
    return found


def _warn_of_learnt_text(
    folders: Sequence[str], sources: Sequence[Input], split: float | None
) -> None:
    """A text that a model learnt from is held out only as far as both were split alike."""
    for folder in folders:
        described = describe_folder(folder)
        learnt = described.get("training") or described.get("about", {})
        share = dict(learnt.get("options", ())).get("split", learnt.get("split"))
        for source in sources:
            if source.sha256 in learnt.get("sha256", ()) and (split is None or share != split):
                remedy = f"say --split {share}" if share else "train it with --split"
                warn(f"{folder} learnt from {source.name}, which is not held out; {remedy}")
            elif split is not None and source.sha256 not in learnt.get("sha256", ()):
                warn(
                    f"{folder} did not learn from {source.name}; --split leaves out "
                    f"{100 * split:g}% of it for nothing"
                )


def _warn_of_other_tags(folders: Sequence[str], tagger: Tagger | None) -> None:
    """Tags by another tagger are other features."""
    for folder in folders:
        trained = describe_folder(folder).get("training", {}).get("tagger")
        if trained is not None and trained != str(tagger):
            warn(
                f"{folder} was trained on tags by {trained}, and the text is tagged by "
                f"{tagger}: the choices may be worse; --spacy-model names another one"
            )


def _selection(
    name: str, folder: str, written: ClassArray, picks: Picks, call: DetectSelection
) -> ModelSelection:
    described = describe_folder(folder)
    training = described.get("training", {})
    right = (picks.choice == written).astype(np.float64)
    calibration = calibrate(np.minimum(picks.chance, 1).astype(np.float64), right, BINS)
    confused = confusion(written, picks.choice).tolist()
    low, high = wilson_interval(int(right.sum()), len(right), call.level)
    asked = _classes_of(call.prepositions) if call.prepositions else ()
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
        interval=WilsonInterval(float(low), float(high), call.level),
        yes_or_no=tuple(YesOrNo(CLASSES[one], *binary(written, picks, one)) for one in asked),
    )


def _pairs(events: ScoredEvents, names: Sequence[str], level: float) -> tuple[ModelPair, ...]:
    right = [picks.choice == events.written for picks in events.picks]
    pairs = list(combinations(range(len(names)), 2))
    found = [compare_right(right[a], right[b], level) for a, b in pairs]
    adjusted = holm([one.p for one in found])
    return tuple(
        one._replace(first=names[a], second=names[b], p_holm=p)
        for (a, b), one, p in zip(pairs, found, adjusted, strict=True)
    )


# --- counts and comparisons of what was picked ---


def confusion(written: ClassArray, choice: ClassArray) -> NDArray[np.int64]:
    """How often each preposition (rows: what was written) was taken for each (columns)."""
    places = written.astype(np.int64) * NONE + choice
    return np.bincount(places, minlength=NONE * NONE).reshape(NONE, NONE)


def binary(written: ClassArray, picks: Picks, preposition: int) -> tuple[int, int, int, int]:
    """One preposition as a classifier of its own would decide: yes, if it is likelier than not.

    True and false positives, false and true negatives.
    """
    yes, own = (picks.choice == preposition) & (picks.chance > 0.5), written == preposition
    found = np.bincount(2 * yes + own, minlength=4).tolist()
    return found[3], found[2], found[1], found[0]


def log_loss(picks: Picks) -> float:
    """The mean surprise at what was written, in nats, among the 34."""
    least = np.finfo(np.float32).tiny  # what underflows is not impossible
    return float(-np.log(np.maximum(picks.written_chance, least), dtype=np.float64).mean())


def compare_right(
    first: NDArray[np.bool_], second: NDArray[np.bool_], level: float = 0.95
) -> ModelPair:
    """How far two models, yet without names, differ in what they get right.

    p is of McNemar's test, exact. The interval of the difference of accuracies is the adjusted one
    of Bonett and Price (2012).
    """
    n = len(first)
    one, other = int((first & ~second).sum()), int((second & ~first).sum())
    p_one, p_other = (one + 1) / (n + 2), (other + 1) / (n + 2)
    middle = p_one - p_other
    half = normal_quantile(level) * sqrt((p_one + p_other - middle**2) / (n + 2))
    p = binomial_test(min(one, other), one + other, 0.5).two_sided if one + other else 1.0
    low, high = max(middle - half, -1.0), min(middle + half, 1.0)
    return ModelPair("", "", one, other, (one - other) / n, low, high, p, p_holm=p)
