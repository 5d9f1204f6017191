"""`jurybox measures`."""

from __future__ import annotations

from jurybox.cli._options import Output, check_form, show


def measures_command(
    *,
    tp: float,
    fp: float,
    fn: float,
    tn: float | None = None,
    beta: float = 0.5,
    output: Output | None = None,
) -> None:
    """Options of the command; its help is in _app.py.

    Parameters
    ----------
    tp
        True positives: errors that were found.
    fp
        False positives: false alarms.
    fn
        False negatives: misses.
    tn
        True negatives: places rightly left alone.
    beta
        Weight of recall against precision in F.

    """
    from jurybox.api.measure import measure

    output = output or Output()
    check_form(output.format)
    show(measure(tp, fp, fn, tn, beta=beta), output)
