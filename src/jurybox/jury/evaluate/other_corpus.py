"""Another corpus: kappa by bin in both, and what speaks against comparing."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from jurybox.errors import InputError, UsageError
from jurybox.formats import Input, as_input
from jurybox.jury.corpora import Caution, find_cautions, pair_bins
from jurybox.jury.evaluate.result import CorpusPair, EvaluateResult, OtherCorpus

_MAKE_ONE = "make one with jurybox evaluate ... --format json -o RESULT.json (--compare-with)"


def read_other(
    given: EvaluateResult | str | os.PathLike[str] | Input | Mapping[str, Any], bin_by: str
) -> EvaluateResult:
    """A result of `evaluate` on another corpus, or its JSON; its bins are of the same kind."""
    other = given if isinstance(given, EvaluateResult) else _read(given)
    by = other.options.bin_by
    if by != bin_by:
        raise UsageError(f"--compare-with: its bins are by {by}, these by {bin_by}; use --bin-by {by}")
    return other


def _read(given: str | os.PathLike[str] | Input | Mapping[str, Any]) -> EvaluateResult:
    found: Any = given
    name = "the result"
    if not isinstance(given, Mapping):
        source = as_input(given)
        name = source.name
        try:
            found = json.loads("\n".join(line for _, line in source.lines()))
        except ValueError as error:
            raise InputError(f"{name}: is no JSON ({error}); {_MAKE_ONE}") from None
    if not isinstance(found, Mapping) or found.get("schema") != "jurybox.evaluate/1":
        raise InputError(f"{name}: is no result of jurybox evaluate; {_MAKE_ONE}")
    return EvaluateResult.from_dict(found, file=f"{name} (--compare-with)")


def compare_corpora(here: EvaluateResult, other: EvaluateResult) -> OtherCorpus:
    """Every system here with every system there."""
    there = other.corpus
    if there.name == here.corpus.name:
        there = there._replace(name=f"{there.name} (other)")
    pairs = []
    cautions: dict[Caution, None] = {}
    for system in here.systems:
        for one in other.systems:
            edges = [part.low for part in one.bins]
            if edges != [part.low for part in system.bins]:
                shown = ",".join(f"{edge:g}" for edge in (*edges, one.bins[-1].high))
                raise UsageError(f"--compare-with: the bins there are others; give --bins {shown}")
            paired = pair_bins(system.bins, one.bins)
            pairs.append(CorpusPair(system.name, one.name, paired))
            cautions |= dict.fromkeys(find_cautions(here.corpus, there, paired))
    return OtherCorpus(there, tuple(pairs), tuple(cautions))
