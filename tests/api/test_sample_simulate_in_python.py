"""`simulate_sample`: settings, what is refused, JSON and back, the figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jurybox.api.cases import derive_cases
from jurybox.api.sample_simulate import simulate_sample
from jurybox.api.sample_simulated import SampleSimulation
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input, read_panel
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
    recommended = made(ok=20).settings[0].recommended
    assert {recommended[name] for name in ("hits", "misses", "precision")} == {"exact"}
    assert {recommended[name] for name in ("recall", "f", "error_rate")} == {"corrected"}


def test_where_fewer_are_flagged_than_asked_for_all_are_drawn_and_this_is_said() -> None:
    with pytest.warns(
        JuryboxWarning, match="flags 50 cases: where 80 are asked for, all are drawn"
    ):
        found = made(error=80, ok=20)
    assert found.settings[0].error == 50
    assert all(one.test is None for one in found.settings[0].of("precision"))


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
    assert any("mine, delta" in one for one in words)
    assert any("mine, corrected" in one for one in words)
    with pytest.raises(UsageError, match="several"):
        made(ok=20, draws=1, resamples=0).figure()


@pytest.mark.slow
def test_on_the_ten_annotators_recommended_intervals_hold_what_they_promise(
    data_dir: Path,
) -> None:
    """The study of docs/studies/sampling.md; by chance one test in a hundred fails at 1 %."""
    panel = read_panel([data_dir / "conll14-10" / f"A{number}.m2" for number in range(1, 11)])
    systems = {name: data_dir / "systems" / name for name in SYSTEMS}
    derived = derive_cases(panel, systems=systems, tagger="words")
    found = simulate_sample(
        derived=derived, error=50, ok=[100, 200, 400, 800], resamples=0, seed=2014
    )
    assert [(one.flagged, one.hits, one.misses) for one in found.systems] == [
        *((60, 31, 181), (207, 85, 127), (116, 42, 170)),
    ]
    for setting in found.settings:
        for one in setting.intervals:
            if setting.recommended[one.measure] == one.method:
                assert one.test is not None
                assert one.test.two_sided > 0.01, (setting.system, setting.ok, one)
    rare = [one for each in found.settings if each.ok == 100 for one in each.of("recall")]
    assert all(one.coverage < 0.945 for one in rare if one.method == "delta")
