"""`simulate_sample`: settings, what is refused, JSON and back, the figure."""

from __future__ import annotations

from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input, read_panel
from jurybox.jury.cases import derive_cases
from jurybox.sample.options import About
from jurybox.sample.simulate import simulate_sample
from jurybox.sample.simulate.result import SampleSimulation
from saved_results import check_restored, check_schema

SYSTEMS = ("AMU", "CAMB", "CUUI")


def made(**options: Any) -> SampleSimulation:
    """200 cases, 40 errors; the system flags 50 cases, 30 of them errors."""
    judged = [f"{k},Ann,{'error' if k < 40 else 'ok'}" for k in range(200)]
    decided = [f"{k},{'error' if 10 <= k < 60 else 'ok'}" for k in range(200)]
    asked: dict[str, Any] = {"error": 10, "ok": [20, 40], "draws": 5, "resamples": 3}
    return simulate_sample(
        None,
        Input.from_text("case,rater,label\n" + "\n".join(judged) + "\n"),
        {"mine": Input.from_text("case,label\n" + "\n".join(decided) + "\n")},
        **(asked | options),
    )


@pytest.mark.slow
def test_every_pair_of_sizes_is_a_setting() -> None:
    found = made(error=[2, 4], ok=[3, 40], draws=1, resamples=0)
    pairs = [(one.error, one.ok) for one in found.settings]
    assert pairs == [(2, 3), (2, 40), (4, 3), (4, 40)]


def test_truth_is_that_of_all_judged_cases_and_every_size_is_a_setting() -> None:
    found = made(error=2, ok=[3, 40], draws=1, resamples=0)
    (system,) = found.systems
    assert (system.cases, system.flagged, system.hits, system.misses) == (200, 50, 30, 10)
    assert (system.precision, system.recall) == (0.6, 0.75)
    assert [(one.error, one.ok) for one in found.settings] == [(2, 3), (2, 40)]
    assert found.settings[1].expected_misses == pytest.approx(40 * 10 / 150)


def test_the_recommended_methods_are_exact_and_corrected() -> None:
    recommended = made(ok=20, about="corpus").settings[0].recommended
    assert {recommended[name] for name in ("hits", "misses", "precision")} == {"exact"}
    assert {recommended[name] for name in ("recall", "f", "error_rate")} == {"corrected"}
    recommended = made(ok=20).settings[0].recommended
    assert [name for name, method in recommended.items() if method == "exact"] == ["precision"]
    assert {recommended[name] for name in ("hits", "misses", "recall")} == {"corrected"}


def test_where_fewer_are_flagged_than_asked_for_all_are_drawn_and_this_is_said() -> None:
    with pytest.warns(
        JuryboxWarning, match="flags 50 cases: where 80 are asked for, all are drawn"
    ):
        found = made(error=80, ok=20, about="corpus")
    assert found.settings[0].error == 50
    assert all(one.p_two_sided is None for one in found.settings[0].of("precision"))


def test_the_same_seed_gives_the_same_digits_and_another_one_others() -> None:
    first = made(ok=20, draws=2, resamples=0).to_dict()["settings"]
    assert made(ok=20, draws=2, resamples=0).to_dict()["settings"] == first
    assert made(ok=20, draws=2, resamples=0, seed=2).to_dict()["settings"] != first


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"error": []}, "--error: say how many"),
        ({"ok": 0}, "--ok: say how many"),
        ({"draws": 0}, "--draws must be 1 or more"),
        ({"ci_level": 1.5}, "--ci-level"),
        ({"truth": "most"}, "unknown truth"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        made(**options)


def test_a_system_that_flags_nothing_cannot_be_sampled() -> None:
    with pytest.raises(InputError, match="calls no judged case an error"):
        simulate_sample(
            None,
            Input.from_text("case,rater,label\n1,A,ok\n2,A,error\n"),
            {"none": Input.from_text("case,label\n1,ok\n2,ok\n")},
            error=1,
            ok=1,
        )


def test_json_is_what_the_schema_says_and_comes_back() -> None:
    found = made()
    check_schema(found, "sample-simulate")
    check_restored(found)


@pytest.mark.slow
def test_the_figure_has_a_line_for_either_method_and_needs_several_sizes() -> None:
    words = [text.get_text() for text in made(draws=1, resamples=0).figure().texts]
    assert any("mine, paper" in one for one in words)
    assert any("mine, corrected" in one for one in words)
    with pytest.raises(UsageError, match="several"):
        made(ok=20, draws=1, resamples=0).figure()


@pytest.mark.slow
@pytest.mark.parametrize("about", ["text", "corpus"])
def test_on_the_ten_annotators_recommended_intervals_hold_what_they_promise(
    data_dir: Path, about: About
) -> None:
    """The study of docs/studies/sampling.md.

    Bounds are those of the simulation's own error, so that another seed gives the same verdict:
    all tests of recommended intervals together reject at 1 % (Bonferroni).
    """
    panel = read_panel([data_dir / "conll14-10" / f"A{number}.m2" for number in range(1, 11)])
    systems = {name: data_dir / "systems" / name for name in SYSTEMS}
    derived = derive_cases(panel, systems=systems, tagger="words")
    found = simulate_sample(
        derived=derived,
        error=50,
        ok=[100, 300, 800],
        draws=2000,
        resamples=0,
        seed=2014,
        about=about,
    )
    assert [(one.flagged, one.hits, one.misses) for one in found.systems] == [
        *((60, 31, 181), (207, 85, 127), (116, 42, 170)),
    ]
    recommended = [
        (setting, one)
        for setting in found.settings
        for one in setting.intervals
        if setting.recommended[one.measure] == one.method
    ]
    for setting, one in recommended:
        assert one.p_two_sided is not None
        assert one.p_two_sided > 0.01 / len(recommended), (setting.system, setting.ok, one)
    for measure in found.settings[0].recommended:
        # nine settings of 2,000 draws: 95 % less three standard errors
        held = [one.coverage for _, one in recommended if one.measure == measure]
        assert mean(held) > 0.945, (measure, held)
    rare = [
        one.coverage
        for setting in found.settings
        if setting.ok == 100
        for one in setting.of("recall")
        if one.method == "delta"
    ]
    assert mean(rare) < 0.942  # 6,000 draws: 95 % less three standard errors
    for setting in found.settings:
        (paper,) = (one for one in setting.of("hits") if one.method == "paper")
        assert paper.p_too_low is not None
        # of text the paper's interval is too short, whatever is judged
        is_short = paper.p_too_low < 0.01
        assert is_short == (about == "text"), (setting.system, setting.ok, paper)
