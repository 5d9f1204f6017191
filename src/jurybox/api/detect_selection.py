"""`detect_selection`: does a detector choose the preposition that the writer wrote?

The selection experiment of Tetreault and Chodorow (2008, section 3.2), for one model or several.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from jurybox.api.aggregate import plain
from jurybox.api.counting import Progress
from jurybox.api.detect_selection_result import (
    ChanceBin,
    ModelPair,
    ModelSelection,
    SelectionResult,
)
from jurybox.api.detect_train import cache_folder
from jurybox.api.score import collecting_warnings
from jurybox.detect.prose import several
from jurybox.errors import JuryboxWarning, UsageError
from jurybox.formats import Input, Source, as_input
from jurybox.signature import signature

if TYPE_CHECKING:
    from jurybox.detect.selection import ClassArray, Picks
    from jurybox.detect.selection_run import ScoredEvents, Setup

Folder = str | os.PathLike[str]
#: bins of the probabilities of choices
BINS = 10


def detect_selection(
    models: Folder | Sequence[Folder],
    text: Source | Sequence[Source],
    *,
    tokenised: bool = False,
    spacy_model: str | None = None,
    cache: Folder | bool | None = None,
    jobs: int | None = None,
    level: float = 0.95,
    progress: Progress | None = None,
) -> SelectionResult:
    r"""Let detectors choose among the 34 prepositions wherever a writer wrote one.

    `models` are folders of trained models. `text` is held-out text that none of them has seen:
    JSONL of events, told by content, or prose (`tokenised`: a sentence per line). Tagged text is
    kept in the user's cache, in the folder `cache`, or nowhere with `cache=False`.

    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.detect.ngram_store import save_model
    >>> from jurybox.detect.ngram_training import train_lm_on
    >>> seen = ["he sat on it", "she sat on it", "he sat at home", "we sat on a chair"]
    >>> event = '{"tokens": ["she", "sat", "on", "a", "chair"], "target": 2, "written": "on"}'
    >>> with TemporaryDirectory() as place:
    ...     save_model(train_lm_on(seen, order=2, fallback_discounts=(0.5, 1, 1.5)), f"{place}/lm")
    ...     found = detect_selection(f"{place}/lm", Input.from_text(event))
    >>> found.models[0].accuracy, found.majority
    (1.0, 'on')
    """
    from jurybox.detect.selection_run import join_events, score_events, set_up
    from jurybox.detect.selection_text import check_any, is_events, read_held_out
    from jurybox.stats.proportions import normal_quantile

    normal_quantile(level)  # refuses what is no level
    given = [models] if isinstance(models, str | os.PathLike) else models
    folders = [os.fspath(one) for one in given]
    sources = [as_input(one).keep() for one in several(text)]
    _check_given(folders, sources)
    with collecting_warnings() as messages:
        finds = not all(map(is_events, sources))
        setup = set_up(folders, tagger=spacy_model, cache=partial(cache_folder, cache), finds=finds)
        _warn_of_other_tags(setup)
        parts = []
        for part in score_events(read_held_out(sources, tokenised=tokenised), setup, jobs=jobs):
            parts.append(part)
            if progress is not None:
                progress(len(part), "events")
        check_any(sum(map(len, parts)), sources)
        events = join_events(parts, len(folders))
        names = _names(folders)
        found = tuple(
            _selection(name, folder, events.written, picks, level)
            for name, folder, picks in zip(names, folders, events.picks, strict=True)
        )
        pairs = _pairs(events, names, level)
    return SelectionResult(
        models=found,
        pairs=pairs,
        sentences=len(events.sentences),
        signature=signature(
            "detect",
            task="selection",
            models=[plain(name) for name in names],
            tagger=None if setup.tagger is None else str(setup.tagger),
            to=("words" if setup.tagger is None else "spacy") if finds else None,
        ),
        inputs=(*sources, *(Input(Path(one) / "model.json") for one in folders)),
        warnings=tuple(messages),
        scored=events,
    )


def _check_given(folders: Sequence[str], sources: Sequence[Input]) -> None:
    if not folders:
        raise UsageError("name the folder of a model, or several")
    if not sources:
        raise UsageError("name held-out text: --text FILE")
    for folder, count in Counter(map(os.path.realpath, folders)).items():
        if count > 1:
            raise UsageError(f"the model {folder} is named twice; name it once")


def _names(folders: Sequence[str]) -> list[str]:
    """The folders' names; where two are alike, with the folders they are in."""
    short = [Path(one).resolve().name for one in folders]
    return [
        name if short.count(name) == 1 else one for name, one in zip(short, folders, strict=True)
    ]


def _warn_of_other_tags(setup: Setup) -> None:
    """Tags by another tagger are other features."""
    from jurybox.detect.model_folder import describe_folder

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
    import numpy as np

    from jurybox.cases.calibration import calibrate
    from jurybox.detect.model_folder import describe_folder
    from jurybox.detect.prepositions import CLASSES, NONE
    from jurybox.detect.selection import confusion, log_loss

    described = describe_folder(folder)
    training = described.get("training", {})
    right = (picks.choice == written).astype(np.float64)
    calibration = calibrate(np.minimum(picks.chance, 1).astype(np.float64), right, BINS)
    return ModelSelection(
        name=name,
        kind=described.get("learner", "lm"),
        events=training.get("events"),
        training_majority=training.get("majority"),
        prepositions=CLASSES[:NONE],
        confusion=tuple(tuple(row) for row in confusion(written, picks.choice).tolist()),
        top2=int((picks.rank < 2).sum()),
        top3=int((picks.rank < 3).sum()),
        log_loss=log_loss(picks),
        bins=tuple(ChanceBin(*one) for one in calibration.bins),
        calibration_error=calibration.error,
        level=level,
    )


def _pairs(events: ScoredEvents, names: Sequence[str], level: float) -> tuple[ModelPair, ...]:
    from jurybox.detect.selection import compare_right
    from jurybox.stats.significance import holm

    right = [picks.choice == events.written for picks in events.picks]
    pairs = list(combinations(range(len(names)), 2))
    found = [compare_right(right[a], right[b], level) for a, b in pairs]
    adjusted = holm([one.p for one in found])
    return tuple(
        ModelPair(names[a], names[b], *one, p)
        for (a, b), one, p in zip(pairs, found, adjusted, strict=True)
    )
