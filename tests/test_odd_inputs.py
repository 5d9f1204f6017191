"""Every verb, given anything: a result or an error of ours, never a TypeError of Python's."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jurybox as jb
from jurybox.errors import JuryboxError

GOLD = (
    "S It are .\nA 1 2|||SVA|||is|||REQUIRED|||-NONE-|||0\n\n"
    "S He go .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n"
    "A 1 2|||SVA|||went|||REQUIRED|||-NONE-|||1\n"
)
PANEL = jb.read_panel(jb.Input.from_text(GOLD))
TEXTS = ["It is .", "He goes ."]
SAID = [
    (f"c{case}", rater, label)
    for case in range(4)
    for rater, label in zip("ABC", ("error", "ok" if case % 2 else "error", "ok"), strict=True)
]
JUDGED = pd.DataFrame(SAID, columns=["case", "rater", "label"])
DECIDED = pd.DataFrame({"case": ["c0", "c1", "c2", "c3"], "label": ["error", "ok"] * 2})
HUMAN = {"A": 0.1, "B": 0.2, "C": 0.3}


class Odd:
    """Nothing that anybody could read."""


ODD: dict[str, Any] = {
    "None": None,
    "int": 3,
    "float": 2.5,
    "nan": float("nan"),
    "bool": True,
    "complex": 1j,
    "object": Odd(),
    "type": int,
    "module": sys,
    "function": print,
    "Ellipsis": ...,
    "bytes": b"abc",
    "string": "It is .",
    "numpy string": np.str_("nofile"),
    "set": {1, 2},
    "set of strings": {"a"},
    "dict": {1: "ok"},
    "panel": PANEL,
    "Nones": [None] * 2,
    "more Nones": [None] * 4,
    "ints": [1, 2],
    "mixed": ["a", 1],
    "strings": TEXTS,
    "tuples": SAID,
    "short tuples": [("c1", "A")],
    "lists": [list(row) for row in SAID],
    "nested lists": [[[1]]],
    "empty list": [],
    "empty tuple": (),
    "empty dict": {},
    "empty frame": pd.DataFrame(),
    "frame without rows": JUDGED.iloc[:0],
    "int array": np.arange(2),
    "string array": np.array(TEXTS),
    "object array": np.array(["a", None], dtype=object),
    "table array": JUDGED.to_numpy(),
    "square array": np.zeros((2, 2)),
    "structured array": JUDGED.to_records(index=False),
    "Series": JUDGED["label"],
    "Series of categories": JUDGED["label"].astype("category"),
    "Series of ints": pd.Series([1, 2]),
    "Series of texts": pd.Series(TEXTS),
    "Series with a gap": pd.Series(["It is .", None]),
    "Series with NA": pd.Series(["It is .", None], dtype="string"),
    "frame": JUDGED,
    "categories": JUDGED.astype("category"),
    "string dtype": JUDGED.astype("string"),
    "objects": JUDGED.astype(object),
    "int ids": JUDGED.assign(case=[int(case[1:]) for case in JUDGED["case"]]),
    "int labels": JUDGED.assign(label=(JUDGED["label"] == "ok").astype(int)),
    "bool labels": JUDGED.assign(label=JUDGED["label"] == "ok"),
    "NA labels": JUDGED.assign(label=pd.array([pd.NA] * 12, dtype="Int64")),
    "None labels": JUDGED.assign(label=None),
    "None cases": JUDGED.assign(case=None),
    "a nan rater": JUDGED.assign(rater=[np.nan, *JUDGED["rater"][1:]]),
    "inf labels": JUDGED.assign(label=np.inf),
    "dates": JUDGED.assign(label=pd.Timestamp("2020-01-01")),
    "bytes in cells": JUDGED.assign(label=b"x"),
    "objects in cells": JUDGED.assign(label=pd.Series([Odd()] * 12, dtype=object)),
    "lists in cells": JUDGED.assign(label=pd.Series([["a"]] * 12, dtype=object)),
    "half characters": JUDGED.assign(label=pd.Series(["\ud800"] * len(JUDGED), dtype=object)),
    "two of a title": pd.concat([JUDGED, JUDGED["case"]], axis=1),
    "levels of titles": pd.concat({"x": JUDGED}, axis=1),
    "wrong titles": JUDGED.set_axis(["a", "b", "c"], axis=1),
    "numbers as titles": JUDGED.set_axis([0, 1, 2], axis=1),
    "index with a name": JUDGED.set_index("case"),
    "wide": JUDGED.pivot(index="case", columns="rater", values="label"),
    "one column": DECIDED[["case"]],
    "decisions": DECIDED,
    "scores": DECIDED.assign(score=[0.1, np.nan, 1, 0]),
    "texts by system": pd.DataFrame({"A": TEXTS, "B": ["It are .", "He went ."]}),
    "list of frames": [JUDGED, DECIDED],
    "dict of columns": JUDGED.to_dict("list"),
    "dict of arrays": {title: JUDGED[title].to_numpy() for title in JUDGED},
    "dict of scalars": {"case": 1, "rater": 2, "label": 3},
    "unequal columns": {"case": [1, 2], "rater": ["a"], "label": [1, 2]},
    "records": JUDGED.to_dict("records"),
    "records with gaps": [{"case": "c1", "rater": "A", "label": "ok"}, {"case": "c1"}],
    "a record that is none": [{"case": "c1", "rater": "A", "label": "ok"}, 3],
}

Verb = Callable[[Any], Any]


def _sampled() -> Any:
    return jb.draw_sample(DECIDED, error=2, ok=2).key


VERBS: dict[str, Verb] = {
    "agree": jb.agree,
    "agree wide": lambda x: jb.agree(x, input_format="wide"),
    "agree counts": lambda x: jb.agree(x, input_format="counts"),
    "agree long": lambda x: jb.agree(x, input_format="long"),
    "agree mturk": lambda x: jb.agree(x, input_format="mturk"),
    "agree gold": lambda x: jb.agree(JUDGED, gold=x),
    "agree experts": lambda x: jb.agree(JUDGED, experts=x),
    "agree columns": lambda x: jb.agree(JUDGED, columns=x),
    "agree labels": lambda x: jb.agree(JUDGED, relabel=x),
    "agree cases": lambda x: jb.agree(JUDGED, cases=x),
    "aggregate": jb.aggregate,
    "aggregate gold": lambda x: jb.aggregate(JUDGED, gold=x),
    "aggregate labels": lambda x: jb.aggregate(JUDGED, relabel=x),
    "screen": jb.screen,
    "screen gold": lambda x: jb.screen(JUDGED, gold=x),
    "screen labels": lambda x: jb.screen(JUDGED, relabel=x),
    "cost": jb.cost,
    "cost columns": lambda x: jb.cost(JUDGED, columns=x),
    "evaluate cases": lambda x: jb.evaluate(x, JUDGED, {"a": DECIDED}),
    "evaluate judgments": lambda x: jb.evaluate(None, x, {"a": DECIDED}),
    "evaluate systems": lambda x: jb.evaluate(None, JUDGED, x),
    "evaluate a system": lambda x: jb.evaluate(None, JUDGED, {"a": x}),
    "evaluate columns": lambda x: jb.evaluate(None, JUDGED, {"a": DECIDED}, columns=x),
    "evaluate labels": lambda x: jb.evaluate(None, JUDGED, {"a": DECIDED}, relabel=x),
    "evaluate bins": lambda x: jb.evaluate(None, JUDGED, {"a": DECIDED}, bins=x),
    "evaluate beside": lambda x: jb.evaluate(None, JUDGED, {"a": DECIDED}, compare_with=x),
    "evaluate derived": lambda x: jb.evaluate(derived=x),
    "draw": lambda x: jb.draw_sample(x, error=1, ok=1),
    "draw cases": lambda x: jb.draw_sample(DECIDED, error=1, ok=1, cases=x),
    "draw after": lambda x: jb.draw_sample(DECIDED, error=1, ok=1, after=x),
    "draw by": lambda x: jb.draw_sample(DECIDED, error=1, ok=1, by=x),
    "draw labels": lambda x: jb.draw_sample(DECIDED, error=1, ok=1, relabel=x),
    "plan": lambda x: jb.plan_sample(x, precision=0.5, error_rate=0.1),
    "estimate keys": lambda x: jb.estimate_sample(x, JUDGED),
    "estimate judgments": lambda x: jb.estimate_sample(_sampled(), x, resamples=20),
    "estimate parts": lambda x: jb.estimate_sample(parts=x),
    "estimate systems": lambda x: jb.estimate_sample(_sampled(), JUDGED, systems=x, resamples=20),
    "simulate cases": lambda x: _simulate(x, JUDGED, {"a": DECIDED}),
    "simulate judgments": lambda x: _simulate(None, x, {"a": DECIDED}),
    "simulate systems": lambda x: _simulate(None, JUDGED, x),
    "score": lambda x: jb.score(x, PANEL),
    "score a system": lambda x: jb.score({"a": x}, PANEL),
    "score gold": lambda x: jb.score(TEXTS, x),
    "score refs": lambda x: jb.score(TEXTS, refs=x, source=TEXTS, metric="gleu"),
    "score source": lambda x: jb.score(TEXTS, refs=[TEXTS], source=x, metric="gleu"),
    "score types": lambda x: jb.score(TEXTS, PANEL, types=x),
    "score documents": lambda x: jb.score(TEXTS, jb.Input.from_text(GOLD), documents=x),
    "compare": lambda x: jb.compare(x, PANEL, resamples=10),
    "compare a system": lambda x: jb.compare({"a": TEXTS, "b": x}, PANEL, resamples=10),
    "compare gold": lambda x: jb.compare({"a": TEXTS, "b": TEXTS}, x, resamples=10),
    "compare baseline": lambda x: jb.compare([TEXTS, TEXTS], PANEL, resamples=10, baseline=x),
    "ceiling": jb.ceiling,
    "ceiling systems": lambda x: jb.ceiling(PANEL, x),
    "ceiling documents": lambda x: jb.ceiling(PANEL, documents=x),
    "ceiling coverage": lambda x: jb.ceiling(PANEL, coverage=x),
    "ceiling select": lambda x: jb.ceiling(PANEL, select=x),
    "annotators": jb.annotators,
    "show": lambda x: jb.show(x, PANEL),
    "show gold": lambda x: jb.show(1, x),
    "show systems": lambda x: jb.show(1, PANEL, x),
    "derive": jb.derive_cases,
    "balance": jb.balance_cases,
    "derive construction": lambda x: jb.derive_cases(PANEL, x),
    "derive systems": lambda x: jb.derive_cases(PANEL, "token", x),
    "metaeval": lambda x: jb.metaeval(x, HUMAN),
    "metaeval human": lambda x: jb.metaeval({"m": HUMAN}, x),
    "convert": lambda x: jb.convert(x, "out.csv"),
    "convert edits": lambda x: jb.convert(x, "out.m2"),
    "convert corrected": lambda x: jb.convert("source.txt", "out.m2", corrected=x),
    "read_panel": jb.read_panel,
    "open_panel": lambda x: list(jb.open_panel(x)),
    "read_result": jb.read_result,
    "score_counts": jb.score_counts,
    "save_counts": lambda x: jb.save_counts(x, "counts.json"),
    "save_screened": lambda x: jb.save_screened(jb.screen(JUDGED), x, "kept.csv"),
    "save_screened result": lambda x: jb.save_screened(x, JUDGED, "kept.csv"),
    "report": jb.make_report,
    "report gold": lambda x: jb.make_report(gold=x, systems={"a": TEXTS}, resamples=10),
    "measure": lambda x: jb.measure(x, 1, 1),
    "align_edits": lambda x: jb.align_edits(x, ["a"]),
    "apply_edits": lambda x: jb.apply_edits(["a"], x),
    "describe_detector": jb.describe_detector,
    "judge_selection": lambda x: jb.judge_selection(x, JUDGED),
    "list_data": jb.list_data,
    "Panel[…]": lambda x: PANEL[x],
    "ScoreResult[…]": lambda x: jb.score(TEXTS, PANEL)[x],
    "CaseSet[…]": lambda x: jb.CaseSet((jb.Case("c1"),))[x],
}


def _simulate(cases: Any, judgments: Any, systems: Any) -> Any:
    return jb.simulate_sample(cases, judgments, systems, error=1, ok=1, draws=5)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    Path("source.txt").write_text("It are .\nHe go .\n", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


#: verbs that work for seconds on what is not odd after all
LONG = ("simulate", "estimate judgments", "estimate systems")
LISTED = [
    pytest.param(verb, marks=pytest.mark.slow) if verb.startswith(LONG) else verb for verb in VERBS
]


@pytest.mark.parametrize("verb", LISTED)
def test_whatever_a_verb_is_given_it_gives_a_result_or_an_error_of_ours(verb: str) -> None:
    messages = []
    for name, given_value in ODD.items():
        try:
            VERBS[verb](given_value)
        except JuryboxError as error:
            messages.append(str(error))
        except Exception as error:
            pytest.fail(f"{verb} with {name}: {type(error).__name__}: {error}")
    assert messages, "nothing odd was refused: is the verb called at all?"
    assert min(map(len, messages)) > 10


def test_nothing_of_the_verbs_that_read_is_left_out() -> None:
    """A new public verb is put before the odd inputs too, or named here with a reason."""
    needs_files = {"train_detector", "run_detectors", "detect_selection", "mine_candidates"}
    downloads = {"get_data"}
    verbs = {name for name in jb.__all__ if name.islower() and not name.startswith("_")}
    aliases = {"evaluate": "evaluate", "draw_sample": "draw", "plan_sample": "plan"}
    aliases |= {"estimate_sample": "estimate", "simulate_sample": "simulate"}
    aliases |= {"derive_cases": "derive", "balance_cases": "balance", "make_report": "report"}
    called = {name.split()[0] for name in VERBS}
    missing = {name for name in verbs if aliases.get(name, name) not in called}
    assert missing == needs_files | downloads


CELLS = st.one_of(
    st.none(),
    st.integers(0, 3),
    st.floats(allow_nan=True, width=32),
    st.booleans(),
    st.sampled_from(["c1", "c2", "Ann", "ok", "error", "unknown", "", " ", "ü", "a,b", '"', "[1]"]),
    st.binary(max_size=1),
    st.just(pd.NA),
    st.lists(st.integers(0, 1), max_size=2),
)
TITLES = ["case", "rater", "label", "gold", "kind", "seconds", "Case", "batch"]


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    """Frames whose titles are nearly right, with anything in their cells."""
    titles = draw(st.lists(st.sampled_from(TITLES), min_size=0, max_size=6))
    titles += ["case", "rater", "label"] * draw(st.booleans())
    rows = draw(st.lists(st.tuples(*[CELLS] * len(titles)), max_size=5))
    return pd.DataFrame(rows, columns=titles, dtype=object)


@pytest.mark.parametrize("verb", ["agree", "aggregate", "screen", "cost", "draw"])
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(frame=frames())
def test_a_frame_with_anything_in_it_gives_a_result_or_an_error_of_ours(
    verb: str, frame: pd.DataFrame
) -> None:
    with suppress(JuryboxError):
        VERBS[verb](frame)
