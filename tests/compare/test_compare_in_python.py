"""`jb.compare` inside a program: the same numbers from memory, from files and from saved counts."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jurybox as jb
from needs import need_module

SAMPLE = Path(jb.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
BOLD, REWRITER = SAMPLE / "bold.txt", SAMPLE / "rewriter.txt"


@pytest.fixture(scope="module")
def panel() -> jb.Panel:
    return jb.read_panel(GOLD)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_sentences_in_memory_are_compared_like_files(
    panel: jb.Panel, capfd: pytest.CaptureFixture[str]
) -> None:
    from_memory = jb.compare({"bold.txt": lines(BOLD), "rewriter.txt": lines(REWRITER)}, panel)
    from_files = jb.compare([BOLD, REWRITER], GOLD)
    assert from_memory.pairs == from_files.pairs
    assert from_memory.signature == from_files.signature
    assert capfd.readouterr() == ("", "")


def test_the_release_gate_is_a_question_in_python_too(panel: jb.Panel) -> None:
    result = jb.compare({"bold": lines(BOLD), "rewriter": lines(REWRITER)}, panel)
    assert [pair.second for pair in result.worse()] == ["rewriter"]
    turned = jb.compare({"rewriter": lines(REWRITER), "bold": lines(BOLD)}, panel)
    assert turned.worse() == []


def test_a_result_cannot_be_changed(panel: jb.Panel) -> None:
    result = jb.compare({"bold": lines(BOLD), "rewriter": lines(REWRITER)}, panel, resamples=20)
    with pytest.raises(FrozenInstanceError):
        result.baseline = "rewriter"  # type: ignore[misc]  # that is what must fail
    with pytest.raises(AttributeError):
        result.pairs[0].difference = 0.0  # type: ignore[misc]  # that is what must fail


def test_the_dict_is_json_without_nan(panel: jb.Panel) -> None:
    one_document = replace(
        panel, sentences=tuple(sentence._replace(document="essay") for sentence in panel)
    )
    systems = {"bold": lines(BOLD), "rewriter": lines(REWRITER)}
    result = jb.compare(systems, one_document, ci_unit="document", resamples=20)
    made = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert made == json.loads(result.to_json())
    (pair,) = made["pairs"]
    assert (pair["low"], pair["high"], pair["p_bootstrap"]) == (None, None, None)
    assert "one document" in pair["reason"]
    assert result.worse() == []


def test_the_frame_has_one_row_per_pair(panel: jb.Panel) -> None:
    need_module("pandas", "pandas")
    systems = {path.stem: lines(path) for path in (BOLD, REWRITER, SAMPLE / "cautious.txt")}
    frame = jb.compare(systems, panel, all_pairs=True, resamples=20).to_frame()
    assert list(zip(frame["first"], frame["second"], strict=True)) == [
        ("bold", "rewriter"),
        ("bold", "cautious"),
        ("rewriter", "cautious"),
    ]
    assert (frame["low"] <= frame["difference"]).all()


def test_a_notebook_shows_scores_and_pairs(panel: jb.Panel) -> None:
    systems = {"<bold>": lines(BOLD), "rewriter": lines(REWRITER)}
    shown = jb.compare(systems, panel, resamples=20)._repr_html_()
    assert shown.count("<table>") >= 2
    assert "<bold>" not in shown
    assert "&lt;bold&gt;" in shown


def test_a_pairs_p_value_does_not_depend_on_the_other_pairs(panel: jb.Panel) -> None:
    systems = {path.stem: lines(path) for path in (BOLD, REWRITER, SAMPLE / "cautious.txt")}
    against_first = jb.compare(systems, panel, resamples=100)
    each_with_each = jb.compare(systems, panel, resamples=100, all_pairs=True)
    assert [pair.p_randomisation for pair in against_first.pairs] == [
        pair.p_randomisation for pair in each_with_each.pairs[:2]
    ]


@pytest.mark.parametrize(
    ("hypotheses", "message"),
    [({"only": lines(BOLD)}, "only"), ([BOLD], "bold.txt")],
    ids=["in memory", "a file"],
)
def test_one_system_alone_cannot_be_compared(
    panel: jb.Panel, hypotheses: Any, message: str
) -> None:
    with pytest.raises(jb.JuryboxError, match=message):
        jb.compare(hypotheses, panel)


def test_no_system_at_all_is_our_own_error(panel: jb.Panel) -> None:
    with pytest.raises(jb.JuryboxError):
        jb.compare({}, panel)
    with pytest.raises(jb.JuryboxError):
        jb.compare([], panel)


def test_systems_of_different_length_are_not_compared(panel: jb.Panel) -> None:
    with pytest.raises(jb.LengthError):
        jb.compare({"whole": lines(BOLD), "half": lines(BOLD)[:7]}, panel)


def numbers(result: jb.CompareResult) -> list[dict[str, Any]]:
    """The pairs without words, which counts do not have."""
    rows = []
    for pair in result.to_dict()["pairs"]:
        for side in ("for_first", "for_second"):
            pair[side] = [(one["sentence"], one["influence"]) for one in pair[side]]
        rows.append(pair)
    return rows


words = st.lists(st.sampled_from("abc"), min_size=1, max_size=5).map(" ".join)


@settings(max_examples=25)
@given(st.data())
@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_saved_counts_give_the_same_numbers_as_the_hypotheses(data: st.DataObject) -> None:
    sentences = data.draw(st.integers(1, 4))
    texts = st.lists(words, min_size=sentences, max_size=sentences)
    sources = data.draw(texts)
    golds = data.draw(st.lists(texts, min_size=1, max_size=2))
    systems = dict(enumerate(data.draw(st.lists(texts, min_size=2, max_size=3))))
    panel = jb.Panel(
        tuple(
            jb.Sentence(
                tuple(source.split()),
                tuple(
                    jb.Annotation(str(who), (jb.Edit(0, 1, gold[place].split()[0]),))
                    for who, gold in enumerate(golds)
                ),
            )
            for place, source in enumerate(sources)
        ),
        tuple(map(str, range(len(golds)))),
    )
    options = {
        "metric": data.draw(st.sampled_from(["m2", "gleu"])),
        "by": None,
    }
    if options["metric"] == "m2":
        options["choice"] = data.draw(st.sampled_from(["running", "sentence"]))
        options["by"] = data.draw(st.sampled_from([None, "type"]))
    named = {f"system {number}": text for number, text in systems.items()}
    certainty = {"resamples": 20, "seed": data.draw(st.integers(0, 9)), "all_pairs": True}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "counts.json"
        scored = jb.score(named, panel, **options)  # type: ignore[arg-type]  # drawn above
        jb.save_counts(scored, path)
        again = jb.score_counts(path)
        from_counts = jb.compare([path], **certainty)  # type: ignore[arg-type]  # as above
    from_texts = jb.compare(named, panel, **certainty, **options)  # type: ignore[arg-type]  # as above
    assert again.to_dict()["systems"] == scored.to_dict()["systems"] or scored.warnings
    assert numbers(from_counts) == numbers(from_texts)
    assert from_counts.signature == from_texts.signature


def test_many_pairs_get_enough_exchanges_to_be_decided_and_it_is_said() -> None:
    gold = jb.Input.from_text("S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n\n" * 30)
    good, bad = ["c b"] * 30, ["a b"] * 30
    bad[0], good[1] = "c b", "a b"
    systems = {"good": good, "bad": bad, "also bad": [*bad[:29], "x b"]}
    result = jb.compare(systems, gold, all_pairs=True, resamples=50)
    assert [pair.exchanges for pair in result.pairs] == [119, 119, 50]  # 2 x 3 / .05 - 1
    assert [pair.p_randomisation for pair in result.pairs[:2]] == [1 / 51] * 2
    assert [pair.p_randomisation_holm for pair in result.pairs[:2]] == [3 / 120] * 2
    assert result.pairs[0].verdict(0.05) == "bad worse"
    assert "50 exchanges could not decide among 3 pairs at 0.05" in str(result)
    assert "exchanges could not" not in str(jb.compare(systems, gold, all_pairs=True, resamples=59))


def test_a_pair_that_differs_in_one_sentence_cannot_be_decided() -> None:
    gold = jb.Input.from_text("S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n\n" * 30)
    result = jb.compare({"a": ["c b"] * 30, "b": [*["c b"] * 29, "a b"]}, gold)
    assert result.pairs[0].lowest_p == 1
    assert result.pairs[0].verdict(0.05) == "too few differences to tell"


def test_the_interval_is_at_the_level_of_the_verdict_unless_another_is_asked_for(
    panel: jb.Panel,
) -> None:
    systems = {"bold": lines(BOLD), "rewriter": lines(REWRITER)}
    for alpha, asked, level in ((0.05, None, 0.95), (0.1, None, 0.9), (0.1, 0.99, 0.99)):
        result = jb.compare(systems, panel, resamples=200, alpha=alpha, ci_level=asked)
        assert result.pairs[0].interval.level == level
