"""`jurybox compare`."""

from __future__ import annotations

import sys
from typing import Annotated

from jurybox.cli._options import (
    Flag,
    Matching,
    Output,
    Resampling,
    as_paths,
    check_form,
    progress_bar,
    show,
)

GATE_CLOSED = 3


def compare_command(
    hypotheses: list[str],
    /,
    *,
    baseline: str | None = None,
    all_pairs: Annotated[bool, Flag] = False,
    top: int = 5,
    fail_if_worse: Annotated[bool, Flag] = False,
    alpha: float = 0.05,
    matching: Matching | None = None,
    resampling: Resampling | None = None,
    output: Output | None = None,
) -> int:
    """Options of the command; its help is in _app.py.

    Parameters
    ----------
    hypotheses
        Two or more systems' output, or files written with score --save-counts.
    baseline
        The system the others are compared with; the first if not given.
    all_pairs
        Compare each with each instead of all with the first.
    top
        How many deciding sentences to show on each side.
    fail_if_worse
        Exit with code 3 if a system is significantly worse than the one it is compared with.
    alpha
        Level of significance for --fail-if-worse.

    """
    from jurybox.api.compare import compare

    matching, resampling = matching or Matching(), resampling or Resampling()
    output = output or Output()
    check_form(output.format)
    with progress_bar("matching") as progress:
        result = compare(
            as_paths(hypotheses),
            matching.gold,
            baseline=baseline,
            all_pairs=all_pairs,
            top=top,
            progress=progress,
            **resampling.arguments(),
            **matching.arguments(),
        )
    show(result, output)
    worse = result.worse(alpha) if fail_if_worse else []
    for pair in worse:
        print(
            f"jurybox: {pair.second} is worse than {pair.first} by {-pair.difference:.4f} "
            f"(p = {pair.p_randomisation_holm:.4f})",
            file=sys.stderr,
        )
    return GATE_CLOSED if worse else 0
