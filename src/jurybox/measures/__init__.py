"""`measure`: every measure for four counts, as out of someone's paper."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Annotated

from jurybox.errors import UsageError
from jurybox.options import Opt, argument, verb
from jurybox.shared_options import Beta

if TYPE_CHECKING:
    from jurybox.measures.result import MeasureResult

LARGEST = 1e15  # beyond this whole numbers are no longer exact


class MeasuredCounts(Beta):
    """What `measure` is called with."""

    tp: Annotated[float, Opt("true positives: errors that were found", "N")] = argument(
        kw_only=False
    )
    fp: Annotated[float, Opt("false positives: false alarms", "N")] = argument(kw_only=False)
    fn: Annotated[float, Opt("false negatives: misses", "N")] = argument(kw_only=False)
    tn: Annotated[float | None, Opt("true negatives: places rightly left alone", "N")] = argument(
        kw_only=False, default=None
    )

    def check(self) -> None:
        super().check()
        counts = {"tp": self.tp, "fp": self.fp, "fn": self.fn, "tn": self.tn or 0}
        for name, count in counts.items():
            if not isinstance(count, Real):
                raise UsageError(f"{name} is a number, not a {type(count).__name__}")
        if sum(counts.values()) > LARGEST:
            raise UsageError(f"counts above {LARGEST:g} in all cannot be computed with; use shares")


@verb(MeasuredCounts)
def measure(call: MeasuredCounts) -> MeasureResult:
    """Every measure jurybox knows, for counts (whole, weighted or shares).

    >>> round(measure(12, 18, 28, 42).measures["accuracy"], 2)
    0.54
    """
    from jurybox.measures.result import measure_counts

    return measure_counts(call)
