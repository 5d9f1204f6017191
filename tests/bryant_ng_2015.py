"""Tables 3 to 5 of Bryant and Ng (2015); as printed they stand in docs/studies/printed_2015.py."""

from __future__ import annotations

import runpy
from pathlib import Path

_STUDIES = Path(__file__).resolve().parent.parent / "docs" / "studies"
_PRINTED = runpy.run_path(str(_STUDIES / "printed_2015.py"))

#: Table 3: edits of A1 to A10 by type, and the totals that end its rows
TABLE_3: dict[str, list[int]] = _PRINTED["EDITS"]
TABLE_3_TOTALS: dict[str, int] = _PRINTED["EDITS_OF_ALL"]

#: Table 4, CAMB against each annotator: P, R, F0.5 as printed, but for A1 and A4, which the
#: official scorer's counts put at 29.07 and 28.05
TABLE_4: dict[str, tuple[float, ...]] = {
    **_PRINTED["CAMB_ALONE"],
    "A1": (39.64, 14.06, 29.07),
    "A4": (32.69, 17.88, 28.05),
}

#: Table 5, F0.5 in points for 1 to 9 annotators: AMU and CAMB as printed, CUUI and people by the
#: official scorer's counts (spec/ceiling.md)
TABLE_5: dict[str, tuple[float, ...]] = {
    **_PRINTED["SCORES"],
    "human": (45.90, 56.64, 61.78, 65.00, 67.28, 69.01, 70.40, 71.54, 72.52),
    "CUUI": (26.76, 36.06, 40.77, 43.79, 45.96, 47.62, 48.96, 50.07, 51.01),
}
