"""`learn`: from text to a model, by either learner.

Text is tagged and turned into events block by block on all cores; features that are frequent enough
get numbers; the learner finds weights; events kept aside give the temperature and the figures.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox._version import __version__
from jurybox.detect.features import NOTHING_RATE, TEMPLATES, Events, Sampling, find_events
from jurybox.detect.linear_model import (
    MAXENT,
    PERCEPTRON,
    FeatureRows,
    Keys,
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
from jurybox.detect.tagging import BLOCK, Sentence, Tagger, tagged_block
from jurybox.engine.local import cores, in_batches, map_batches
from jurybox.errors import InputError, MissingExtraError
from jurybox.progress import Progress

# --- Maximum entropy: the weights under which the training text is likeliest, kept small ---
#
# Multinomial logistic regression by scikit-learn's SAGA, pass by pass over the events, so that the
# work can be told about. The solver underneath `LogisticRegression` is called directly, because
# only it remembers gradients from one pass to the next.


class MaxentOptions(NamedTuple):
    """How weights are found: passes over the events, and how little they may grow.

    `strength` is scikit-learn's C: the larger, the less weights are held down.
    """

    passes: int = 8
    strength: float = 0.4
    seed: int = 1


def fit_maxent(
    rows: FeatureRows,
    classes: NDArray[np.int8],
    features: int,
    options: MaxentOptions,
    progress: Progress | None = None,
) -> tuple[Scores, Scores]:
    """The weights [features, classes], and the weight of each class by itself."""
    solve, ignored = _solver()
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
    if progress is not None and hasattr(progress, "expect"):
        progress.expect(options.passes * len(rows), "events")
    for number in range(options.passes):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ignored)  # the number of passes is an option
            _, _, memory = solve(
                matrix,
                wanted,
                loss="multinomial",
                alpha=1 / options.strength,
                max_iter=1,
                tol=0.0,
                random_state=options.seed + number,
                check_input=False,
                max_squared_sum=float(np.diff(rows.starts).max()),
                warm_start_mem=memory,
                is_saga=True,
            )
        if progress is not None:
            progress(len(rows), "events")
    weights = memory["coef"]
    return weights[:-1], weights[-1]


def _solver() -> tuple[Any, type[Warning]]:
    try:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model._sag import sag_solver
    except ImportError as error:
        raise MissingExtraError(
            f"maximum entropy needs scikit-learn: pip install 'jurybox[detect]'; {error}"
        ) from error
    return sag_solver, ConvergenceWarning


# --- The averaged perceptron (Madnani et al. 2011) ---
#
# One event at a time, weights averaged over time.
#
# An event that is chosen wrongly moves the weights of its features towards the class that stands
# there and away from the one that was chosen. The mean over all moments is taken, because the last
# weights please the last events too much. With U the sum of all changes, each times the moment it
# came at, the mean is W - U / moments: nothing is added up while nothing changes.

#: events between two reports of progress
STEP = 5000


class PerceptronOptions(NamedTuple):
    """Passes over the events, in an order that the seed decides."""

    passes: int = 5
    seed: int = 1


def fit_perceptron(
    rows: FeatureRows,
    classes: NDArray[np.int8],
    features: int,
    options: PerceptronOptions,
    progress: Progress | None = None,
) -> tuple[Scores, Scores]:
    """The averaged weights [features, classes], and the weight of each class by itself.

    >>> rows = FeatureRows(np.array([0, 1], np.int32), np.array([0, 1, 2]))
    >>> weights, _ = fit_perceptron(rows, np.array([3, 7], np.int8), 2, PerceptronOptions())
    >>> weights.argmax(axis=1).tolist()
    [3, 7]
    """
    # the last row is a feature that every event has: the bias
    shape = (features + 1, len(CLASSES))
    state = _State(np.zeros(shape, np.float32), np.zeros(shape, np.float64))
    random = np.random.default_rng(options.seed)
    if progress is not None and hasattr(progress, "expect"):
        progress.expect(options.passes * len(rows), "events")
    for number in range(options.passes):
        order = random.permutation(len(rows))
        _one_pass(rows, classes, order, state._replace(moment=number * len(rows)), progress)
    moments = max(options.passes * len(rows), 1)
    averaged = state.weights - (state.changes / moments).astype(np.float32)
    return averaged[:-1], averaged[-1]


class _State(NamedTuple):
    """Weights as they are now, and the sum of all changes, each times its moment."""

    weights: Scores
    changes: NDArray[np.float64]
    moment: int = 0


def _one_pass(
    rows: FeatureRows,
    classes: NDArray[np.int8],
    order: NDArray[np.int64],
    state: _State,
    progress: Progress | None,
) -> None:
    """One event after the other: each choice depends on the change before, so no array of them."""
    ids, starts, gold = rows.ids, rows.starts.tolist(), classes.tolist()
    weights, changes, first_moment = state
    bias = np.array([len(weights) - 1], np.int32)
    add, take, join = np.add.reduce, weights.take, np.concatenate
    for moment, number in enumerate(order.tolist(), first_moment):
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


#: one run of neighbouring events in so many is kept aside; runs are shorter in a small text
KEPT_ASIDE, LONGEST_RUN, SHORTEST_RUN = 50, 200, 5
#: largest weight of a perceptron, whose weights have no scale of their own: far from float16's end
LARGEST = 64.0


class Corpus(NamedTuple):
    """Sentences of one or several files, and the SHA-256 of each once they are read."""

    batches: Iterable[list[Sentence]]
    sha256: Sequence[str]  # complete when the batches have been read


class LearnOptions(NamedTuple):
    """What a model depends on besides its text."""

    least: int = 2  # events a feature must occur in
    nothing_rate: float = NOTHING_RATE
    passes: int | None = None  # of the learner; None: its own number
    strength: float = MaxentOptions().strength
    seed: int = 1


class _Gathered(NamedTuple):
    features: Keys
    classes: NDArray[np.int8]
    sentences: int
    tokens: int


class _Block(NamedTuple):
    events: Events
    sentences: int
    tokens: int


def learn(
    learner: str,
    corpus: Corpus,
    tagger: Tagger,
    options: LearnOptions,
    *,
    most_events: int | None = None,
    cache_folder: Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> LinearModel:
    """A model of a text. The same text, options and package versions give the same bytes.

    With `most_events` the text is read only so far: points of a learning curve.
    """
    sampling = Sampling(options.nothing_rate, options.seed)
    work = partial(_events_of, tagger=tagger, folder=cache_folder, sampling=sampling)
    blocks = map_batches(work, enumerate(corpus.batches), jobs=jobs or cores())
    gathered = _gather(blocks, most_events, progress)
    _check_enough(gathered.classes)
    aside = _kept_aside(len(gathered.classes))
    classes = gathered.classes[~aside]
    keys = index_features(gathered.features[~aside], options.least)
    rows = look_up(gathered.features[~aside], keys)
    unseen = look_up(gathered.features[aside], keys)
    gathered = gathered._replace(features=np.empty((0, len(TEMPLATES)), np.uint64))  # free memory
    if learner == MAXENT:
        given = MaxentOptions(
            options.passes or MaxentOptions().passes, options.strength, options.seed
        )
        weights, bias = fit_maxent(rows, classes, len(keys), given, progress)
    else:
        passes = options.passes or PerceptronOptions().passes
        weights, bias = fit_perceptron(
            rows, classes, len(keys), PerceptronOptions(passes, options.seed), progress
        )
        weights, bias = _scaled(weights, bias)
    small = weights.astype(np.float16)
    met = gathered.classes[aside]
    scores = add_up(small, bias, unseen)
    temperature = best_temperature(scores, met) if len(met) else 1.0
    accuracy, loss = figures(scores * np.float32(temperature), met)
    training = Training(
        sha256=tuple(corpus.sha256),
        sentences=gathered.sentences,
        tokens=gathered.tokens,
        tagger=str(tagger),
        options=_told(learner, options),
        events=len(classes),
        nothing=int((classes == NONE).sum()),
        majority=CLASSES[np.bincount(classes[classes != NONE]).argmax()],
        held_out=len(met),
        accuracy=accuracy,
        log_loss=loss,
        versions=_versions(learner),
    )
    return LinearModel(learner, keys, small, bias, temperature, training)


def _gather(
    blocks: Iterator[_Block], most_events: int | None, progress: Progress | None
) -> _Gathered:
    features, classes, sentences, tokens, events = [], [], 0, 0, 0
    for block in blocks:
        features.append(block.events.features)
        classes.append(block.events.classes)
        sentences += block.sentences
        tokens += block.tokens
        events += len(block.events.classes)
        if progress is not None:
            progress(block.sentences)
        if most_events is not None and events >= most_events:
            break
    if not features:
        raise InputError("there is no sentence to learn from")
    taken = slice(most_events)
    return _Gathered(
        np.concatenate(features)[taken], np.concatenate(classes)[taken], sentences, tokens
    )


def _events_of(
    numbered: tuple[int, list[Sentence]], tagger: Tagger, folder: Path | None, sampling: Sampling
) -> _Block:
    number, sentences = numbered
    text = tagged_block(sentences, tagger, folder)
    return _Block(find_events(text, sampling, number), text.sentences, len(text.ids))


def batches_of(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Blocks as they are tagged and kept."""
    return in_batches(sentences, BLOCK)


def _kept_aside(events: int) -> NDArray[np.bool_]:
    run = min(max(events // (10 * KEPT_ASIDE), SHORTEST_RUN), LONGEST_RUN)
    return np.asarray(np.arange(events) // run % KEPT_ASIDE == KEPT_ASIDE - 1)


def _check_enough(classes: NDArray[np.int8]) -> None:
    met = set(np.unique(classes).tolist())
    if len(met - {NONE}) < 2:
        raise InputError("there are fewer than two different prepositions to learn; give more text")
    if NONE not in met:
        raise InputError(
            "there is no place without a preposition to learn from; give more text, or a higher "
            "--nothing-rate"
        )


def _scaled(weights: Scores, bias: Scores) -> tuple[Scores, Scores]:
    largest = np.float32(max(float(np.abs(weights).max(initial=0)), float(np.abs(bias).max())))
    factor = np.float32(LARGEST) / max(largest, np.float32(1))
    return weights * factor, bias * factor


def _told(learner: str, options: LearnOptions) -> tuple[tuple[str, float], ...]:
    usual = MaxentOptions().passes if learner == MAXENT else PerceptronOptions().passes
    told: dict[str, float] = {
        "least": options.least,
        "nothing_rate": options.nothing_rate,
        "passes": options.passes or usual,
        "seed": options.seed,
    }
    if learner == MAXENT:
        told["strength"] = options.strength
    return tuple(told.items())


def _versions(learner: str) -> tuple[tuple[str, str], ...]:

    used = ["numpy", "spacy", *(["scikit-learn"] if learner != PERCEPTRON else [])]
    return (("jurybox", __version__), *((name, version(name)) for name in used))
