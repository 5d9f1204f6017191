"""`jurybox score`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

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
from jurybox.errors import UsageError


def score_command(
    hypotheses: list[str],
    /,
    *,
    by: str | None = None,
    ci: Annotated[bool, Flag] = False,
    verbose: Annotated[
        bool, Parameter(name=["--verbose", "-v"], negative=(), show_default=False)
    ] = False,
    save_counts: str | None = None,
    matching: Matching | None = None,
    resampling: Resampling | None = None,
    output: Output | None = None,
) -> None:
    """Options of the command; its help is in _app.py.

    Parameters
    ----------
    hypotheses
        The systems' corrected sentences, one per line (or M2, SGML, JSONL); - is standard input.
        A file written with --save-counts is scored again without matching.
    by
        type: one row per error type as well.
    ci
        Bootstrap confidence intervals.
    verbose
        Show every sentence: edits found, gold of the chosen annotator, what matched.
    save_counts
        Keep the counts per sentence and annotator in this file, for compare, ceiling and report.

    """
    from jurybox.api.score import save_counts as save
    from jurybox.api.score import score, score_counts
    from jurybox.formats.counts import is_counts

    matching, resampling = matching or Matching(), resampling or Resampling()
    output = output or Output()
    check_form(output.format)
    if not hypotheses:
        raise UsageError("name at least one file with a system's output")
    certainty = {"ci": ci, **resampling.arguments()}
    if len(hypotheses) == 1 and is_counts(hypotheses[0]):
        result = score_counts(hypotheses[0], **certainty)
    else:
        with progress_bar("matching") as progress:
            result = score(
                as_paths(hypotheses),
                matching.gold,
                by=by,
                details=verbose,
                progress=progress,
                **certainty,
                **matching.arguments(),
            )
    if save_counts is not None:
        save(result, save_counts)
    details = [f"{s.name}\n\n" + "\n\n".join(map(str, s.details)) for s in result.systems]
    show(result, output, extra="\n\n".join(details) if verbose else "")
