"""Further ways to label cases, by the crowd-kit package where it is installed (extra `crowd`)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jurybox.errors import MissingExtraError

if TYPE_CHECKING:
    from jurybox.raters.majority import Labelling
    from jurybox.raters.ratings import BoolArray, Ratings

#: what we call a method -> crowd-kit's class
CROWDKIT = {
    "glad": "GLAD",
    "mace": "MACE",
    "one-coin-dawid-skene": "OneCoinDawidSkene",
}


def label_by_crowdkit(ratings: Ratings, method: str, judged: BoolArray, seed: int) -> Labelling:
    """Labels by one of `CROWDKIT`; confidence is its probability, if it gives one."""
    import numpy as np

    from jurybox.raters.agreement import MISSING
    from jurybox.raters.majority import Labelling

    try:
        import pandas as pd

        kit: Any = import_module("crowdkit.aggregation")
    except ImportError as error:
        raise MissingExtraError(
            f"--method {method} needs crowd-kit: pip install 'jurybox[crowd]'"
        ) from error
    said = pd.DataFrame({"task": ratings.case, "worker": ratings.rater, "label": ratings.label})
    maker = getattr(kit, CROWDKIT[method])
    model = maker(random_state=seed) if method == "mace" else maker()
    label = np.full(ratings.cases, MISSING, dtype=np.int64)
    confidence = np.full(ratings.cases, np.nan)
    shares = model.fit_predict_proba(said)  # a row per case, a column per label
    place = shares.index.to_numpy()
    table = shares.to_numpy(dtype=np.float64)
    best = table.argmax(axis=1)
    label[place] = shares.columns.to_numpy()[best]
    confidence[place] = table[np.arange(len(place)), best]
    return Labelling(
        label, confidence, np.zeros(ratings.cases, dtype=bool), int(np.count_nonzero(~judged))
    )
