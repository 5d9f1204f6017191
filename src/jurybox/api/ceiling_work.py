"""What `ceiling` was asked to do, once everything is read, checked and counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jurybox.api.certainty import Certainty, statistic_for
from jurybox.api.counting import Progress, expect
from jurybox.api.options import Options
from jurybox.api.panels import LoadedPanel
from jurybox.api.people import PanelCounts, sign_people
from jurybox.errors import InputError, UsageError
from jurybox.formats.selection import select

if TYPE_CHECKING:
    from jurybox.model import CountsTable, Panel
    from jurybox.stats.ceiling import Subsets
    from jurybox.stats.statistic import Statistic

LEAVE_ONE_OUT = "loo"


@dataclass(frozen=True)
class Work:
    """The panel, its counts, and the sets of annotators to score by."""

    loaded: LoadedPanel
    counts: PanelCounts
    options: Options
    subsets: Subsets
    certainty: Certainty
    jobs: int | None = None
    progress: Progress | None = None

    @property
    def panel(self) -> Panel:
        return self.loaded.panel

    @property
    def sizes(self) -> list[int]:
        """The numbers of reference annotators."""
        return list(self.subsets.combinations)

    @property
    def people(self) -> list[CountsTable]:
        return list(self.counts.people.values())

    @property
    def systems(self) -> list[CountsTable]:
        return list(self.counts.systems.values())

    @property
    def statistic(self) -> Statistic:
        return statistic_for(self.options)

    def told(self, total: int) -> Callable[[], None] | None:
        """What tells the user of every one of so many texts whose sets of annotators are done."""
        if self.progress is None:
            return None
        progress, what = self.progress, "texts"
        expect(progress, total, what)
        return lambda: progress(1, what)

    def sign(self, most: int, *, ci: bool, **taking: object) -> str:
        """What the numbers depend on; `most` sets were taken of a size."""
        sampled = any(found > most for found in self.subsets.combinations.values())
        how = self.certainty
        return sign_people(
            self.options,
            f"{_as_range(self.sizes)}of{len(self.counts.annotators)}",
            self.counts.extractor,
            **taking,
            subsets=f"{most}-random" if sampled else "all",
            ci=f"bootstrap-{how.resamples}-{how.ci_unit}" if ci else None,
            seed=how.seed if ci or sampled else None,
        )

    def describe(self, *, ci: bool, **others: Any) -> dict[str, Any]:
        """The options, for JSON."""
        described = self.options.to_dict()
        described |= {name: value for name, value in others.items() if value is not None}
        described["seed"] = self.certainty.seed
        if ci:
            described["ci"] = self.certainty.to_dict()
        return described


def _as_range(sizes: Sequence[int]) -> str:
    """Sizes as short as can be.

    >>> _as_range([1, 2, 3]), _as_range([9]), _as_range([1, 3, 9])
    ('1-3', '9', '1,3,9')
    """
    first, last = sizes[0], sizes[-1]
    if len(sizes) > 1 and len(sizes) == last - first + 1:
        return f"{first}-{last}"
    return ",".join(map(str, sizes))


def read_sizes(sizes: str | int | Sequence[int], annotators: int) -> list[int]:
    """Numbers of reference annotators: "loo", "all", or a list like "1,3,9" or "1-6".

    >>> read_sizes("loo", 10), read_sizes("1-3,9", 10)
    ([9], [1, 2, 3, 9])
    """
    largest = annotators - 1
    if sizes == LEAVE_ONE_OUT:
        return [largest]
    listed = [sizes] if isinstance(sizes, (str, int)) else sizes
    wanted = ",".join(map(str, listed))
    known = [str(number) for number in range(1, largest + 1)]
    try:
        return [place + 1 for place in select(wanted, known, noun="size")]
    except UsageError:
        raise UsageError(
            f"--sizes {wanted}: with {annotators} annotators, one of whom is held against the "
            f"others, sizes go from 1 to {largest}; write loo, all, or numbers as 1-{largest}"
        ) from None


def documents_of(panel: Panel) -> list[str]:
    """The document of every sentence, for resampling."""
    documents = [sentence.document for sentence in panel]
    known = [document for document in documents if document is not None]
    if len(known) < len(documents):
        raise InputError(
            "--ci-unit document needs to know the documents: give --documents FILE (one document "
            "id per sentence, or the SGML file), or a gold file that has them"
        )
    return known
