"""Maximum entropy: the weights under which the training text is likeliest, kept small.

Multinomial logistic regression by scikit-learn's SAGA, pass by pass over the events, so that the
work can be told about. The solver underneath `LogisticRegression` is called directly, because only
it remembers gradients from one pass to the next.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.feature_index import FeatureRows
from jurybox.detect.linear_model import Scores
from jurybox.detect.ngram_text import Progress
from jurybox.detect.prepositions import CLASSES
from jurybox.errors import MissingExtraError


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
