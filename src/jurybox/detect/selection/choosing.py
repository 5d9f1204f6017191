"""How `detect_selection` works: models choose at every event of held-out text."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np

from jurybox.detect.model_folder import DESCRIPTION, describe_folder
from jurybox.detect.prepositions import CLASSES, NONE
from jurybox.detect.prose import several
from jurybox.detect.selection import DetectSelection
from jurybox.detect.selection.result import (
    ChanceBin,
    ModelPair,
    ModelSelection,
    SelectionResult,
    WilsonInterval,
)
from jurybox.detect.selection.run import ScoredEvents, Setup, join_events, score_events, set_up
from jurybox.detect.selection.scoring import (
    ClassArray,
    Picks,
    compare_right,
    confusion,
    log_loss,
)
from jurybox.detect.selection.text import check_any, is_events, read_held_out
from jurybox.detect.tagging import cache_folder
from jurybox.errors import JuryboxWarning, UsageError, collecting_warnings
from jurybox.formats import Input, as_input
from jurybox.jury.calibration import calibrate
from jurybox.signature import signature, signed_text
from jurybox.stats.proportions import wilson_interval
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
        check_any(sum(map(len, parts)), sources)
        events = join_events(parts, len(folders))
        names = _names(folders)
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


def _names(folders: Sequence[str]) -> list[str]:
    """The folders' names; where two are alike, with the folders they are in."""
    short = [Path(one).resolve().name for one in folders]
    return [
        name if short.count(name) == 1 else one for name, one in zip(short, folders, strict=True)
    ]


def _warn_of_other_tags(setup: Setup) -> None:
    """Tags by another tagger are other features."""
    for folder in setup.folders:
        trained = describe_folder(folder).get("training", {}).get("tagger")
        if trained is not None and trained != str(setup.tagger):
            warnings.warn(
                f"{folder} was trained on tags by {trained}, and the text is tagged by "
                f"{setup.tagger}: the choices may be worse; --spacy-model names another one",
                JuryboxWarning,
                stacklevel=3,
            )


def _selection(
    name: str, folder: str, written: ClassArray, picks: Picks, level: float
) -> ModelSelection:
    described = describe_folder(folder)
    training = described.get("training", {})
    right = (picks.choice == written).astype(np.float64)
    calibration = calibrate(np.minimum(picks.chance, 1).astype(np.float64), right, BINS)
    low, high = wilson_interval(int(right.sum()), len(right), level)
    return ModelSelection(
        name=name,
        kind=described.get("learner", "lm"),
        events=training.get("events"),
        training_majority=training.get("majority"),
        confusion={
            name: tuple(row)
            for name, row in zip(
                CLASSES[:NONE], confusion(written, picks.choice).tolist(), strict=True
            )
        },
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
