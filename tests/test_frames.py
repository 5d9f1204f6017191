"""Frames in, the same results as from files out; results and panels indexed by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import jurybox as jb
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.results import NamedParts
from made_results import PANEL, RESULTS, SYSTEMS, make

SAMPLE = Path(jb.__file__).parent / "data" / "sample"
JUDGMENTS, CASES, DECISIONS = (SAMPLE / n for n in ("judgments.csv", "cases.jsonl", "bold.csv"))


def frame(path: Path) -> pd.DataFrame:
    return pd.read_json(path, lines=True) if path.suffix == ".jsonl" else pd.read_csv(path)


def said(result: Any) -> dict[str, Any]:
    """All of a result but where its data came from."""
    return {key: value for key, value in result.to_dict().items() if key not in ("inputs", "files")}


VERBS: dict[str, Callable[[Any], Any]] = {
    "agree": lambda judgments: jb.agree(judgments, experts=["R01"], draws=5),
    "aggregate": lambda judgments: jb.aggregate(judgments, method="dawid-skene"),
    "screen": jb.screen,
    "cost": lambda judgments: jb.cost(judgments, pay=0.05),
    "evaluate": lambda judgments: jb.evaluate(CASES, judgments, {"bold": DECISIONS}),
}


@pytest.mark.parametrize("verb", VERBS)
def test_judgments_in_a_frame_say_what_their_file_says(verb: str) -> None:
    expected = said(VERBS[verb](JUDGMENTS))
    given = frame(JUDGMENTS)
    assert said(VERBS[verb](given)) == expected
    assert said(VERBS[verb](given.astype("category"))) == expected
    assert said(VERBS[verb](given.to_dict("list"))) == expected
    assert said(VERBS[verb](given.to_dict("records"))) == expected
    halves = [given.iloc[:100], given.iloc[100:]]
    assert said(VERBS[verb](halves)) == expected


@pytest.mark.parametrize("verb", VERBS)
def test_the_order_of_rows_matters_as_little_as_in_a_file(verb: str, tmp_path: Path) -> None:
    shuffled = frame(JUDGMENTS).sample(frac=1, random_state=3)
    shuffled.to_csv(tmp_path / "shuffled.csv", index=False)
    assert said(VERBS[verb](shuffled)) == said(VERBS[verb](tmp_path / "shuffled.csv"))


def test_everything_that_evaluate_reads_may_be_a_frame() -> None:
    expected = said(jb.evaluate(CASES, JUDGMENTS, {"bold": DECISIONS}))
    cases = frame(CASES).dropna(subset=["case"])  # the first line says what the file is
    with pytest.warns(JuryboxWarning, match="schema, description are not used"):
        found = said(jb.evaluate(cases, frame(JUDGMENTS), {"bold": frame(DECISIONS)}))
    assert found["systems"] == expected["systems"]


def test_columns_and_labels_are_mapped_as_for_files() -> None:
    given = pd.DataFrame({"item": [1, 1, 2], "who": ["A", "B", "A"], "answer": [0, 1, 1]})
    columns = {"case": "item", "rater": "who", "label": "answer"}
    result = jb.agree(given, columns=columns, relabel={0: "ok", 1: "error"})  # type: ignore[dict-item]
    assert dict(result.labels) == {"error": 2, "ok": 1}
    with pytest.raises(InputError, match=r"^judgments \(DataFrame\), columns 1 to 3: "):
        jb.agree(given, columns={"case": "itm"})


def test_an_error_names_row_and_column_of_the_frame() -> None:
    gap = frame(JUDGMENTS)
    gap.loc[5, "rater"] = None
    message = r"^judgments \(DataFrame\), row 5, column 2 \(rater\): empty"
    with pytest.raises(InputError, match=message):
        jb.agree(gap)


def test_a_wide_frame_is_read_with_its_index_as_cases() -> None:
    wide = pd.DataFrame(
        {"Ann": ["ok", None], "Bob": ["ok", "error"]}, index=pd.Index([1, 2], name="case")
    )
    result = jb.agree(wide, input_format="wide")
    assert (result.sizes.judgments, result["Ann", "Bob"].n) == (3, 1)
    counts = pd.DataFrame({"case": ["c1", "c2"], "ok": [2, 1], "error": [0, 1]})
    assert jb.agree(counts, input_format="counts").observed == 0.5
    with pytest.raises(InputError, match=r"row 1, column 3 \(error\): 'x' is no number"):
        jb.agree(counts.assign(error=[0, "x"]), input_format="counts")


def test_decisions_are_drawn_from_a_frame_as_from_a_file() -> None:
    forms: list[Any] = [frame(DECISIONS), frame(DECISIONS).to_dict("list")]
    for given in forms:
        drawn = jb.draw_sample(given, error=2, ok=3, seed=4)
        assert drawn.key.drawn == jb.draw_sample(DECISIONS, error=2, ok=3, seed=4).key.drawn
    judged = pd.DataFrame({"case": [one.id for one in drawn.key.drawn], "rater": "A"})
    estimated = jb.estimate_sample(drawn.key, judged.assign(label="error"))
    assert estimated["precision"].estimate == 1.0


def test_texts_are_arrays_series_or_the_columns_of_a_frame() -> None:
    expected = said(jb.score(SYSTEMS, PANEL))
    assert said(jb.score(pd.DataFrame(SYSTEMS), PANEL)) == expected
    assert said(jb.score({name: np.array(t) for name, t in SYSTEMS.items()}, PANEL)) == expected
    one = jb.score(SYSTEMS["old"], PANEL)
    for given in (np.array(SYSTEMS["old"]), pd.Series(SYSTEMS["old"], dtype="category")):
        assert jb.score(given, PANEL).f == one.f
    lines = pd.DataFrame(SYSTEMS)
    gleu = jb.score(SYSTEMS["old"], refs=[SYSTEMS["new"]], source=SYSTEMS["source"], metric="gleu")
    again = jb.score(lines["old"], refs=lines["new"], source=lines["source"], metric="gleu")
    assert again.score == gleu.score
    assert jb.compare(lines[["old", "new"]], PANEL, resamples=20)["old", "new"].second == "new"
    with pytest.raises(InputError, match="sentence 2 of b is"):
        jb.score({"a": SYSTEMS["old"], "b": pd.Series(["x", None, *["y"] * 6])}, PANEL)


def test_scores_of_metrics_and_people_may_be_frames() -> None:
    scores = pd.DataFrame({"system": list("ABC"), "metric": "m", "score": [0.1, 0.2, 0.3]})
    human = pd.DataFrame({"system": list("ABC"), "score": [1, 2, 3]})
    found = jb.metaeval(scores, human)
    assert found["m"].by("pearson").value == pytest.approx(1.0)


# --- one line, and names ---


@pytest.mark.parametrize("title", RESULTS)
def test_a_result_is_one_line_and_gives_its_parts_by_name(title: str) -> None:
    result = make(title)
    assert "\n" not in repr(result)
    assert len(repr(result)) < 250
    if not isinstance(result, NamedParts):
        return
    for name in result:
        assert result[name] is not None
        assert name in result
    assert "no such name" not in result
    assert result.get("no such name", 3) == 3
    for odd in ("no such name", 3, None, [1], ("a", "b", "c")):
        with pytest.raises(KeyError, match="unknown") as caught:
            result[odd]
        assert isinstance(caught.value, UsageError)
        assert isinstance(caught.value, InputError)


def test_what_is_large_is_one_line() -> None:
    table = jb.score(SYSTEMS["old"], PANEL)["hypothesis"].table
    derived = jb.derive_cases(PANEL, "token", SYSTEMS)
    assert [repr(one) for one in (PANEL, table, derived.case_set, derived.judgments)] == [
        "Panel(3 annotators, 8 sentences)",
        "CountsTable(3 annotators, 8 sentences)",
        "CaseSet(40 cases)",
        "JudgmentTable(120 judgments, 3 raters)",
    ]
    assert repr(derived["old"]).startswith("DecisionTable('old', 40 decisions, ")
    assert repr(derived) == "DerivedCases(40 cases, 120 judgments, 3 systems)"
    many = jb.Panel(PANEL.sentences * 164, PANEL.annotators)
    assert repr(many) == "Panel(3 annotators, 1,312 sentences)"


def test_a_panel_gives_sentences_by_number_and_annotators_by_name() -> None:
    assert PANEL[3] is PANEL.sentences[3]
    assert PANEL[np.int64(-1)] is PANEL.sentences[-1]
    for sentence, annotation in zip(PANEL, PANEL["A2"], strict=True):
        assert annotation in sentence.annotations
        assert annotation is not None
        assert annotation.annotator == "A2"
    assert "A2" in PANEL
    assert "A9" not in PANEL
    assert PANEL.sentences[0] in PANEL
    assert list(PANEL) == list(PANEL.sentences)
    with pytest.raises(KeyError, match="unknown annotator 'A9'; did you mean 'A"):
        PANEL["A9"]
    with pytest.raises(IndexError, match="there is no sentence 8: there are 8"):
        PANEL[8]


def test_systems_pairs_and_annotators_by_name() -> None:
    scored = jb.score(SYSTEMS, PANEL)
    assert scored["new"] is scored.systems[1]
    with pytest.raises(KeyError, match=r"unknown system 'nw'; did you mean 'new'\?"):
        scored["nw"]
    compared = jb.compare(SYSTEMS, PANEL, resamples=20)
    assert compared["new"].name == "new"
    assert compared["old", "new"] is compared.pairs[0]
    ceiling = jb.ceiling(PANEL, SYSTEMS)
    assert ceiling["old"].score == ceiling.score("old")
    people = jb.annotators(PANEL)
    assert people["A1"] is people.annotators["A1"]
    assert people["A1", "A2"].main == people.matrix()[0][1]
    agreed = jb.agree(JUDGMENTS)
    assert agreed["fleiss_kappa"].value == agreed.fleiss_kappa
    assert agreed["R02", "R01"] is agreed["R01", "R02"]
    assert jb.measure(1, 2, 3)["precision"].value == pytest.approx(1 / 3)
