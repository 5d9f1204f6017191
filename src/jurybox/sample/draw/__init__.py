"""`draw_sample`: cases to judge, drawn from what a system calls an error and what it calls ok.

Steps 2 and 3 of Tetreault and Chodorow (2008, section 6.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from jurybox.errors import UsageError
from jurybox.formats import Source
from jurybox.options import Opt, argument, verb
from jurybox.sample.options import DecisionReading, numbers_by_name
from jurybox.shared_options import Seed

if TYPE_CHECKING:
    from jurybox.formats.tables.sample_key import Division, SampleKey
    from jurybox.model import CaseSet
    from jurybox.sample.draw.result import SampleDraw
    from jurybox.sample.reading import GivenDecisions


class Drawing(Seed, group="drawing"):
    """How strata are made, and which cases are left out."""

    by: Annotated[
        str | Division | Iterable[str | Division] | None,
        Opt(
            "divide both parts further: construction, document, or score=EDGES as score=.2,.5; can "
            "be repeated; numbers are shared out by size",
            "WHAT",
            many=True,
        ),
    ] = None
    strata: Annotated[
        Mapping[str, int],
        Opt(
            "how many of one stratum, instead of its share: error/article=50",
            "NAME=N",
            flag="--stratum",
            many=True,
            read=numbers_by_name,
        ),
    ] = MappingProxyType({})
    after: Annotated[
        Source | SampleKey | Sequence[Source | SampleKey] | None,
        Opt(
            "keys of all earlier draws from the same decisions: none of their cases is drawn again",
            "KEY",
            many=True,
        ),
    ] = None
    seed: Annotated[
        int, Opt("seed of the random numbers: the same seed draws the same cases", "N", least=0)
    ] = 1


class DrawSample(Drawing, DecisionReading):
    """What `draw_sample` is called with."""

    decisions: Annotated[
        GivenDecisions,
        Opt(
            "the system's decisions: CSV, TSV or JSONL with case,label and perhaps score, "
            "construction, document",
            "DECISIONS",
            positional=True,
        ),
    ] = argument(kw_only=False)
    error: Annotated[int, Opt("how many cases that the system calls an error", "N", least=0)]
    ok: Annotated[
        int, Opt("how many cases that it calls ok; 0 is verification, without recall", "M", least=0)
    ]
    cases: Annotated[
        Source | CaseSet | None,
        Opt(
            "the cases (CSV, TSV or JSONL): sentence, span, written word and the sentences before "
            "and after go to the raters",
            "FILE",
        ),
    ] = None

    def check(self) -> None:
        super().check()
        for name, number in self.strata.items():
            if number < 0:
                raise UsageError(f"--stratum {name}: a number of cases from 0 up, not {number}")
        if not self.most:
            raise UsageError("nothing to draw: --error and --ok are both 0")

    @property
    def most(self) -> int:
        """The largest number of cases of one stratum."""
        return max(self.error, self.ok, *self.strata.values())


@verb(DrawSample)
def draw_sample(call: DrawSample) -> SampleDraw:
    """A random sample of `error` cases that a system flags and `ok` cases that it does not.

    `decisions` is a file with case and label, or a dict of them. `by` divides both parts further
    ("construction", "document", "score=0.2,0.5"); numbers are then shared out by size, but for
    strata with a number of their own in `strata` ("error/article"). Cases drawn `after` others
    never repeat them. `cases` has what raters see.

    >>> decided = {f"c{k}": "error" if k < 10 else "ok" for k in range(100)}
    >>> drawn = draw_sample(decided, error=3, ok=6)
    >>> [(one.name, one.size, one.sampled) for one in drawn.key.strata]
    [('error', 10, 3), ('ok', 90, 6)]
    >>> len(drawn.blind), drawn.blind[0].id == drawn.key.drawn[0].id
    (9, True)
    """
    from jurybox.sample.draw.drawing import draw

    return draw(call)
