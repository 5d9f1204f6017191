"""The correlations that Grundkiewicz et al. (2015) publish, out of the scores they publish.

Their expected wins of the twelve CoNLL-2014 systems and the input, and M² (F0.5), give Pearson's
r = .627 and Spearman's rho = .692.
"""

from __future__ import annotations

import pytest

from jurybox.metaeval import metaeval

EXPECTED_WINS = {
    **{"AMU": 0.628, "RAC": 0.566, "CAMB": 0.561, "CUUI": 0.550, "POST": 0.539, "UFC": 0.513},
    **{"PKU": 0.506, "UMC": 0.495, "IITB": 0.485, "SJTU": 0.463, "INPUT": 0.456, "NTHU": 0.437},
    "IPN": 0.300,
}
M2 = {
    **{"AMU": 0.3510, "CAMB": 0.3703, "CUUI": 0.3682, "IITB": 0.0602, "INPUT": 0.0, "IPN": 0.0716},
    **{"NTHU": 0.2967, "PKU": 0.2521, "POST": 0.3088, "RAC": 0.2655, "SJTU": 0.1524},
    **{"UFC": 0.0778, "UMC": 0.2481},
}


def test_correlations_of_m2_with_people_are_the_published_ones() -> None:
    found = metaeval({"m2": M2}, EXPECTED_WINS, resamples=200, orders=2000).of("m2")
    assert found.systems == 13
    assert found.by("pearson").value == pytest.approx(0.627, abs=5e-4)
    assert found.by("spearman").value == pytest.approx(0.692, abs=5e-4)


def test_thirteen_systems_leave_a_wide_interval() -> None:
    found = metaeval({"m2": M2}, EXPECTED_WINS, resamples=500, orders=100).of("m2")
    interval = found.by("pearson").interval
    assert interval.high - interval.low > 0.4
