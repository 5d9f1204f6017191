"""Another corpus beside this one: kappa by bin, and what speaks against comparing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jurybox.api.evaluation import Beside, SystemEvaluation
from jurybox.cases.bins import Bin
from jurybox.cases.corpora import Caution, Corpus, find_cautions, pair_bins
from jurybox.errors import InputError, UsageError
from jurybox.model import Counts

COUNTS = ("tp", "fp", "fn", "tn")


def check_beside(other: Mapping[str, Any], bin_by: str) -> None:
    """Refuse a result whose bins are of another kind, before any work."""
    by = other.get("options", {}).get("bin_by")
    if by != bin_by:
        raise UsageError(f"--beside: its bins are by {by}, these by {bin_by}; use --bin-by {by}")


def put_beside(
    corpus: Corpus, systems: Sequence[SystemEvaluation], other: Mapping[str, Any]
) -> Beside:
    """Every system here with every system there."""
    try:
        given = other["corpus"]
        there = Corpus(
            given["name"],
            given["n"],
            given["errors"],
            tuple(given["judges"]),
            tuple(given["labels"]),
        )
        others = {
            system["name"]: tuple(
                Bin(
                    part["from"],
                    part["to"],
                    Counts(*(part[name] for name in COUNTS)),
                    part["left_out"],
                )
                for part in system["bins"]
            )
            for system in other["systems"]
        }
    except (KeyError, TypeError) as error:
        raise InputError(f"--beside: the result lacks {error}; make it again") from None
    if there.name == corpus.name:
        there = there._replace(name=f"{there.name} (beside)")
    pairs = []
    cautions: dict[Caution, None] = {}
    for system in systems:
        for name, bins in others.items():
            edges = [part.low for part in bins]
            if edges != [part.low for part in system.bins]:
                shown = ",".join(f"{edge:g}" for edge in (*edges, bins[-1].high))
                raise UsageError(f"--beside: the bins there are others; give --bins {shown}")
            paired = pair_bins(system.bins, bins)
            pairs.append((system.name, name, paired))
            for caution in find_cautions(corpus, there, paired):
                cautions[caution] = None
    return Beside(there, tuple(pairs), tuple(cautions))
