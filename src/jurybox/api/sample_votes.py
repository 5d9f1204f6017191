"""Judgments on drawn cases to votes, to what each case counts, and to how far raters agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jurybox.api.evaluate_inputs import warn
from jurybox.errors import InputError
from jurybox.formats.sample_key import DrawnCase
from jurybox.model import JudgmentTable

if TYPE_CHECKING:
    from jurybox.cases.votes import FloatArray, Votes
    from jurybox.raters.agreement import Agreement

#: how a case that several people judged counts
TRUTHS = ("graded", "majority")


class RaterNumbers(NamedTuple):
    """Who judged the sample, and how far they agree in it."""

    raters: int
    judgments: int
    unknown: int  # judgments that decide nothing
    shared: int  # cases that two raters or more decided
    observed: Agreement
    fleiss: Agreement
    alpha: Agreement


def without_models(table: JudgmentTable, with_models: bool) -> JudgmentTable:
    """Models do not count unless they are asked for."""
    if with_models or table.kinds is None or "model" not in table.kinds:
        return table
    import numpy as np

    from jurybox.cases.votes import keep_judgments
    from jurybox.model import LABEL_BITS

    human = np.array([kind != "model" for kind in table.kinds])
    kept = human[np.asarray(table.answer) >> LABEL_BITS]
    warn(
        f"raters that are models are left out: {int((~human).sum())}, with "
        f"{int((~kept).sum())} judgments (--with-models counts them)"
    )
    return keep_judgments(table, kept)


def once_each(
    table: JudgmentTable, places: Sequence[int], drawn: Sequence[DrawnCase]
) -> JudgmentTable:
    """One judgment of each rater on a case that is called by both of its names."""
    twice = {place for place, names in Counter(places).items() if place >= 0 and names > 1}
    if not twice:
        return table
    import numpy as np

    from jurybox.cases.votes import keep_judgments
    from jurybox.model import LABEL_BITS

    first: dict[tuple[int, int], tuple[int, int]] = {}
    kept = np.ones(len(table), dtype=bool)
    for row, (case, answer) in enumerate(zip(table.case, table.answer, strict=True)):
        place, rater = places[case], answer >> LABEL_BITS
        if place not in twice:
            continue
        met, said = first.setdefault((place, rater), (case, answer))
        if met == case:
            continue
        if said != answer:
            one = drawn[place]
            raise InputError(
                f"rater '{table.raters[rater]}' judged case '{one.case}' twice, also as "
                f"'{one.id}', and differently; keep one of the two"
            )
        kept[row] = False
    return keep_judgments(table, kept)


def votes_on(table: JudgmentTable, places: Sequence[int], drawn: int) -> Votes:
    """Votes on every drawn case; two names of one case come together."""
    import numpy as np

    from jurybox.cases.votes import Votes, count_votes

    votes = count_votes(table, len(places))
    at = np.asarray(places, dtype=np.int64)
    on = at >= 0
    return Votes(
        *(
            np.bincount(at[on], weights=column[on], minlength=drawn).astype(np.int32)
            for column in votes
        )
    )


def shares_of(votes: Votes, truth: str, ties: str) -> FloatArray:
    """What each case counts as an error: nan where nobody decided."""
    import numpy as np

    from jurybox.cases.votes import error_share, majority

    if truth == "graded":
        return error_share(votes)
    settled = majority(votes, ties).truth
    return np.where(settled < 0, np.nan, settled.astype(np.float64))


def describe_raters(table: JudgmentTable, votes: Votes) -> RaterNumbers:
    import numpy as np

    from jurybox.raters.agreement import fleiss_kappa, krippendorff_alpha, observed_agreement

    counts = np.stack([votes.errors, votes.oks], axis=1)
    return RaterNumbers(
        raters=len(table.raters),
        judgments=len(table),
        unknown=int(votes.unknowns.sum()),
        shared=int(np.count_nonzero(votes.deciding > 1)),
        observed=observed_agreement(counts),
        fleiss=fleiss_kappa(counts),
        alpha=krippendorff_alpha(counts),
    )
