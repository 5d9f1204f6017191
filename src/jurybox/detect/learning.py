"""`learn`: from text to a model, by either learner.

Text is tagged and turned into events block by block on all cores; features that are frequent enough
get numbers; the learner finds weights; held-out events give the temperature and the figures.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jurybox._version import __version__
from jurybox.detect.features import NOTHING_RATE, Events, find_events
from jurybox.detect.linear_model import (
    MAXENT,
    PERCEPTRON,
    FeatureRows,
    LinearModel,
    Scores,
    Training,
    add_up,
    best_temperature,
    figures,
    index_features,
    look_up,
)
from jurybox.detect.prepositions import CLASSES, NONE
from jurybox.detect.prose import part_of, read_prose, read_tokenised
from jurybox.detect.tagging import BLOCK, Sentence, Tagger, tagged_block
from jurybox.detect.train import TrainDetector
from jurybox.engine import Progress, cores, expect, in_batches, map_batches
from jurybox.errors import InputError, MissingExtraError
from jurybox.formats import Input

#: events that a feature must occur in
LEAST = 2
#: passes of each learner over the events
PASSES = {MAXENT: 8, PERCEPTRON: 5}
#: scikit-learn's C: the larger, the less the weights of maximum entropy are held down
STRENGTH = 0.4
#: one run of neighbouring events in so many is held out; runs are shorter in a small text
KEPT_ASIDE, LONGEST_RUN, SHORTEST_RUN = 50, 200, 5
#: largest weight of a perceptron, whose weights have no scale of their own: far from float16's end
LARGEST = 64.0
#: events between two reports of a perceptron's progress
STEP = 5000

Classes = NDArray[np.int8]


def fit_maxent(
    rows: FeatureRows,
    classes: Classes,
    features: int,
    *,
    passes: int = PASSES[MAXENT],
    strength: float = STRENGTH,
    seed: int = 1,
    progress: Progress | None = None,
) -> tuple[Scores, Scores]:
    """Maximum entropy: the weights [features, classes], and the weight of each class by itself.

    The weights under which the training text is likeliest, kept small. Multinomial logistic
    regression by scikit-learn's SAGA, pass by pass over the events, so that progress can be
    reported. The solver underneath `LogisticRegression` is called directly, because only it
    remembers gradients from one pass to the next.
    """
    try:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model._sag import sag_solver
    except ImportError as error:
        raise MissingExtraError(
            f"maximum entropy needs scikit-learn: pip install 'jurybox[detect]'; {error}"
        ) from error
    matrix = rows.matrix(features)
    wanted = classes.astype(np.float32)
    # the solver tells the number of classes by the largest it meets; a class that a text lacks
    # must keep its column all the same
    memory: dict[str, Any] = {
        "coef": np.zeros((features + 1, len(CLASSES)), np.float32),
        "sum_gradient": np.zeros((features, len(CLASSES)), np.float32),
        "intercept_sum_gradient": np.zeros(len(CLASSES), np.float32),
        "gradient_memory": np.zeros((len(rows), len(CLASSES)), np.float32),
    }
    expect(progress, passes * len(rows), "events")
    for number in range(passes):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the passes are an option
            _, _, memory = sag_solver(
                matrix,
                wanted,
                loss="multinomial",
                alpha=1 / strength,
                max_iter=1,
                tol=0.0,
                random_state=seed + number,
                check_input=False,
                max_squared_sum=float(np.diff(rows.starts).max()),
                warm_start_mem=memory,
                is_saga=True,
            )
        if progress is not None:
            progress(len(rows), "events")
    weights = memory["coef"]
    return weights[:-1], weights[-1]


def fit_perceptron(
    rows: FeatureRows,
    classes: Classes,
    features: int,
    *,
    passes: int = PASSES[PERCEPTRON],
    seed: int = 1,
    progress: Progress | None = None,
) -> tuple[Scores, Scores]:
    """The averaged perceptron (Madnani et al. 2011): weights as `fit_maxent` gives them.

    One event at a time, in an order that the seed decides: each choice depends on the change
    before, so events cannot be an array. An event that is chosen wrongly moves the weights of its
    features towards the class that stands there and away from the one that was chosen. The mean
    over all moments is taken, because the last weights please the last events too much. With U the
    sum of all changes, each times the moment it came at, the mean is W - U / moments: nothing is
    added up while nothing changes.
    """
    # the last row is a feature that every event has: the bias
    shape = (features + 1, len(CLASSES))
    weights, changes = np.zeros(shape, np.float32), np.zeros(shape, np.float64)
    random = np.random.default_rng(seed)
    expect(progress, passes * len(rows), "events")
    ids, starts, gold = rows.ids, rows.starts.tolist(), classes.tolist()
    bias = np.array([features], np.int32)
    add, take, join = np.add.reduce, weights.take, np.concatenate
    for first in range(0, passes * len(rows), max(len(rows), 1)):
        for moment, number in enumerate(random.permutation(len(rows)).tolist(), first):
            mine = join((ids[starts[number] : starts[number + 1]], bias))
            chosen = int(add(take(mine, 0), 0).argmax())
            right = gold[number]
            if chosen != right:
                weights[mine, right] += 1
                weights[mine, chosen] -= 1
                changes[mine, right] += moment
                changes[mine, chosen] -= moment
            if progress is not None and not (moment + 1) % STEP:
                progress(STEP, "events")
    averaged = weights - (changes / max(passes * len(rows), 1)).astype(np.float32)
    return averaged[:-1], averaged[-1]


def learn(
    call: TrainDetector, inputs: Sequence[Input], tagger: Tagger, cache_folder: Path | None
) -> LinearModel:
    """A model of a text. The same text, options and package versions give the same bytes.

    With `events` the text is read only so far: points of a learning curve.
    """
    learner, progress, most_events = call.learner, call.progress, call.events
    seed = 1 if call.seed is None else call.seed
    nothing_rate = call.nothing_rate or NOTHING_RATE
    text = (read_tokenised if call.tokenised else read_prose)(inputs, part_of(call.split))
    work = partial(_events_of, tagger=tagger, folder=cache_folder, rate=nothing_rate, seed=seed)
    blocks = map_batches(work, enumerate(in_batches(text, BLOCK)), jobs=call.jobs or cores())
    parts: list[Events] = []
    sentences = tokens = 0
    for events, block_sentences, block_tokens in blocks:
        parts.append(events)
        sentences += block_sentences
        tokens += block_tokens
        if progress is not None:
            progress(block_sentences)
        if most_events is not None and sum(len(part.classes) for part in parts) >= most_events:
            break
    if not parts:
        raise InputError("there is no sentence to learn from")
    features = np.concatenate([part.features for part in parts])[:most_events]
    every = np.concatenate([part.classes for part in parts])[:most_events]
    del parts  # frees much memory, as below
    met = set(np.unique(every).tolist())
    if len(met - {NONE}) < 2:
        raise InputError("there are fewer than two different prepositions to learn; give more text")
    if NONE not in met:
        raise InputError(
            "there is no place without a preposition to learn from; give more text, or a higher "
            "--nothing-rate"
        )
    run = min(max(len(every) // (10 * KEPT_ASIDE), SHORTEST_RUN), LONGEST_RUN)
    aside = np.arange(len(every)) // run % KEPT_ASIDE == KEPT_ASIDE - 1
    classes, unseen_classes = every[~aside], every[aside]
    least = call.least or LEAST
    keys = index_features(features[~aside], least)
    rows, unseen = look_up(features[~aside], keys), look_up(features[aside], keys)
    del features
    passes, strength = call.passes or PASSES[learner], call.strength or STRENGTH
    options: dict[str, float] = {
        "least": least,
        "nothing_rate": nothing_rate,
        "passes": passes,
        "seed": seed,
        **({} if call.split is None else {"split": call.split}),
    }
    used = ["numpy", "spacy"]
    if learner == MAXENT:
        options["strength"] = strength
        used.append("scikit-learn")
        weights, bias = fit_maxent(
            rows, classes, len(keys), passes=passes, strength=strength, seed=seed, progress=progress
        )
    else:
        weights, bias = fit_perceptron(
            rows, classes, len(keys), passes=passes, seed=seed, progress=progress
        )
        largest = max(float(np.abs(weights).max(initial=0)), float(np.abs(bias).max()))
        factor = np.float32(LARGEST) / max(np.float32(largest), np.float32(1))
        weights, bias = weights * factor, bias * factor
    small = weights.astype(np.float16)
    scores = add_up(small, bias, unseen)
    temperature = best_temperature(scores, unseen_classes) if len(unseen_classes) else 1.0
    accuracy, loss = figures(scores * np.float32(temperature), unseen_classes)
    training = Training(
        sha256=tuple(source.sha256 for source in inputs),  # now: a pipe has none before
        sentences=sentences,
        tokens=tokens,
        tagger=str(tagger),
        options=options,
        events=len(classes),
        nothing=int((classes == NONE).sum()),
        majority=CLASSES[np.bincount(classes[classes != NONE]).argmax()],
        held_out=len(unseen_classes),
        accuracy=accuracy,
        log_loss=loss,
        versions={"jurybox": __version__, **{name: version(name) for name in used}},
    )
    return LinearModel(learner, keys, small, bias, temperature, training)


def _events_of(
    numbered: tuple[int, list[Sentence]],
    tagger: Tagger,
    folder: Path | None,
    rate: float,
    seed: int,
) -> tuple[Events, int, int]:
    """The events of a block, and how many sentences and tokens it has."""
    number, sentences = numbered
    text = tagged_block(sentences, tagger, folder)
    return find_events(text, number, rate=rate, seed=seed), text.sentences, len(text.ids)
