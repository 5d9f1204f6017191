"""`jb.score` inside a program: lists of strings in, typed results out, nothing printed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jurybox as jb
import readme_example
from needs import need_module
from readme_example import GOOD, WORSE

SAMPLE = Path(jb.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"


@pytest.fixture(scope="module")
def panel() -> jb.Panel:
    return jb.read_panel(jb.Input.from_text(readme_example.GOLD, name="gold"))


@pytest.fixture(scope="module")
def sample() -> jb.Panel:
    return jb.read_panel(GOLD)


@pytest.fixture
def silence(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nothing may reach standard output or standard error."""
    yield
    assert capfd.readouterr() == ("", "")


def lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


# --- what can be passed --------------------------------------------------------------------------


@pytest.mark.usefixtures("silence")
def test_sentences_in_memory_are_scored_without_files(panel: jb.Panel) -> None:
    result = jb.score(GOOD, panel)
    assert (result.tp, result.fp, result.fn) == (4, 1, 1)
    assert (result.precision, result.recall, result.f) == pytest.approx((0.8, 0.8, 0.8))
    assert result.score == result.f
    assert result.inputs == ()
    assert result.warnings == ()


@pytest.mark.usefixtures("silence")
def test_everything_works_without_a_word_on_the_terminal(sample: jb.Panel) -> None:
    result = jb.score(lines("bold.txt"), sample, ci=True, resamples=20, by="type", details=True)
    assert result.to_json()
    assert str(result)
    assert result._repr_html_()


def test_a_panel_can_be_used_again_and_again(panel: jb.Panel) -> None:
    one, two, three = jb.score(GOOD, panel), jb.score(WORSE, panel), jb.score(GOOD, panel)
    assert one.to_dict() == three.to_dict()
    assert two.tp == 3


def test_a_panel_of_our_own_making_is_scored() -> None:
    sentence = jb.Sentence(("a", "b"), (jb.Annotation("me", (jb.Edit(0, 1, "x"),)),))
    result = jb.score(["x b"], jb.Panel((sentence,), ("me",)))
    assert (result.tp, result.fp, result.fn) == (1, 0, 0)


def test_a_path_as_text_or_as_path_is_a_file() -> None:
    one = jb.score(str(SAMPLE / "bold.txt"), str(GOLD))
    other = jb.score(SAMPLE / "bold.txt", GOLD)
    assert one.to_dict() == other.to_dict()
    assert one.systems[0].name == "bold.txt"


def test_files_and_sentences_give_the_same_numbers(sample: jb.Panel) -> None:
    from_file = jb.score(SAMPLE / "bold.txt", GOLD)
    from_memory = jb.score(lines("bold.txt"), sample)
    assert from_file.systems[0].counts == from_memory.systems[0].counts
    assert from_file.signature == from_memory.signature


def test_a_dict_names_several_systems(panel: jb.Panel) -> None:
    result = jb.score({"old": WORSE, "new": GOOD}, panel)
    assert [system.name for system in result.systems] == ["old", "new"]
    assert [system.counts for system in result.systems] == [
        jb.Counts(tp=3, fp=1, fn=2),
        jb.Counts(tp=4, fp=1, fn=1),
    ]


def test_a_list_of_paths_is_several_systems() -> None:
    result = jb.score([SAMPLE / "bold.txt", SAMPLE / "cautious.txt"], GOLD)
    assert [system.name for system in result.systems] == ["bold.txt", "cautious.txt"]


def test_a_list_of_lists_is_several_systems(panel: jb.Panel) -> None:
    result = jb.score([GOOD, WORSE], panel)
    assert [system.counts.tp for system in result.systems if system.counts] == [4, 3]
    assert len({system.name for system in result.systems}) == 2


def test_gleu_takes_source_and_references_as_lists() -> None:
    source = ["a b c d e f g x"]
    result = jb.score(source, metric="gleu", source=source, refs=[["a b c d e f g y"]])
    assert result.score == pytest.approx((6 / 8 * 5 / 7 * 4 / 6 * 3 / 5) ** 0.25)


def test_errant_takes_edits_in_memory() -> None:
    edits = "S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\nS d\n"
    result = jb.score(jb.Input.from_text(edits), jb.Input.from_text(edits), metric="errant")
    assert (result.tp, result.fp, result.fn) == (1, 0, 0)


def test_one_type_is_not_taken_for_its_letters() -> None:
    edits = "S a b\nA 0 1|||R:NOUN|||c|||REQUIRED|||-NONE-|||0\n\nS d\n"
    given, gold = jb.Input.from_text(edits), jb.Input.from_text(edits)
    assert jb.score(given, gold, metric="errant", types="NOUN").tp == 1


def test_one_reference_is_not_taken_for_the_letters_of_its_path() -> None:
    bold, source, reference = SAMPLE / "bold.txt", SAMPLE / "source.txt", SAMPLE / "cautious.txt"
    one = jb.score(bold, metric="gleu", source=source, refs=str(reference))
    assert one.score == jb.score(bold, metric="gleu", source=source, refs=[reference]).score


def test_prose_can_be_tokenised(panel: jb.Panel) -> None:
    prose = [sentence.replace(" .", ".") for sentence in GOOD]
    assert jb.score(prose, panel, tokenize=True).tp == 4


def test_a_source_in_memory_is_checked(panel: jb.Panel) -> None:
    source = [sentence.text for sentence in panel]
    assert jb.score(GOOD, panel, source=source).tp == 4
    with pytest.raises(jb.FormatError, match="dogs"):
        jb.score(GOOD, panel, source=[source[0], "The dogs .", source[2]])


def test_progress_is_told_about_every_sentence(panel: jb.Panel) -> None:
    told: list[int] = []
    jb.score(GOOD, panel, progress=told.append)
    assert sum(told) == 3


def test_whole_numbers_are_good_betas(panel: jb.Panel) -> None:
    whole, real = jb.score(WORSE, panel, beta=1, ci=True), jb.score(WORSE, panel, beta=1.0, ci=True)
    assert whole.to_dict() == real.to_dict()
    assert whole.f == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))


# --- errors and warnings -------------------------------------------------------------------------


@pytest.mark.parametrize("hypothesis", [GOOD[:2], [*GOOD, "One more ."], []])
def test_another_number_of_sentences_is_an_error(panel: jb.Panel, hypothesis: list[str]) -> None:
    with pytest.raises(jb.LengthError, match="longer"):
        jb.score(hypothesis, panel)


def test_every_error_is_a_jurybox_error(panel: jb.Panel) -> None:
    with pytest.raises(jb.JuryboxError, match="did you mean 'm2'"):
        jb.score(GOOD, panel, metric="m22")
    with pytest.raises(jb.JuryboxError, match="gold"):
        jb.score(GOOD)
    with pytest.raises(jb.JuryboxError, match="no such file"):
        jb.score("missing.txt", panel)


def test_strange_output_is_warned_of_by_python_and_kept_in_the_result(panel: jb.Panel) -> None:
    with pytest.warns(jb.JuryboxWarning, match="1 of 3 hypotheses are blank"):
        result = jb.score([GOOD[0], "", GOOD[2]], panel)
    assert len(result.warnings) == 1
    assert "line 2" in result.warnings[0]
    assert result.systems[0].blank == 1


def test_one_number_of_several_systems_is_an_error_that_names_them(panel: jb.Panel) -> None:
    result = jb.score({"old": WORSE, "new": GOOD}, panel)
    for name in ("tp", "fp", "fn", "precision", "recall", "f", "score"):
        with pytest.raises(jb.InputError, match="old, new"):
            getattr(result, name)


def test_gleu_has_no_precision_and_says_so() -> None:
    result = jb.score(["a b"], metric="gleu", source=["a b"], refs=[["a b"]])
    for name in ("tp", "precision", "f"):
        with pytest.raises(jb.InputError, match="GLEU"):
            getattr(result, name)


# --- what comes back -----------------------------------------------------------------------------


def test_a_result_cannot_be_changed(panel: jb.Panel) -> None:
    result = jb.score(GOOD, panel)
    with pytest.raises(FrozenInstanceError):
        result.metric = "errant"  # type: ignore[misc]  # that is what must fail
    with pytest.raises(FrozenInstanceError):
        result.systems[0].f = 1.0  # type: ignore[misc]  # that is what must fail


def test_the_dict_is_json_and_every_change_to_it_is_to_a_copy(panel: jb.Panel) -> None:
    result = jb.score(GOOD, panel, by="type", ci=True, resamples=20, details=True)
    made = result.to_dict()
    assert json.loads(json.dumps(made, allow_nan=False)) == json.loads(result.to_json())
    made["systems"].clear()
    made["options"].clear()
    assert result.to_dict()["systems"]
    assert result.to_dict()["options"]


def test_the_frame_has_one_row_per_system(panel: jb.Panel) -> None:
    need_module("pandas", "pandas")
    result = jb.score({"old": WORSE, "new": GOOD}, panel, ci=True, resamples=20)
    frame = result.to_frame()
    assert list(frame["name"]) == ["old", "new"]
    assert list(frame["tp"]) == [3, 4]
    assert (frame["f_low"] <= frame["f"]).all()
    assert (frame["f"] <= frame["f_high"]).all()
    assert set(frame["signature"]) == {result.signature}


def test_without_pandas_the_message_says_what_to_install(
    panel: jb.Panel, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pandas", None)  # as if it were not installed
    with pytest.raises(jb.JuryboxError, match=r"pip install 'jurybox\[pandas\]'"):
        jb.score(GOOD, panel).to_frame()


def test_a_notebook_shows_an_escaped_table(panel: jb.Panel) -> None:
    shown = jb.score({"<b>&": GOOD}, panel)._repr_html_()
    assert "<table>" in shown
    assert "&lt;b&gt;&amp;" in shown
    assert "0.8000" in shown


def test_the_details_are_typed(panel: jb.Panel) -> None:
    result = jb.score(GOOD, panel, details=True)
    first = result.systems[0].details[0]
    assert (first.sentence, first.annotator, first.tp, first.fp, first.fn) == (1, "0", 2, 1, 0)
    assert [edit.replacement for edit in first.proposed if edit.matched] == ["on", "the"]


def test_counts_can_be_saved_and_scored_again(panel: jb.Panel, tmp_path: Path) -> None:
    result = jb.score({"old": WORSE, "new": GOOD}, panel, by="type")
    jb.save_counts(result, tmp_path / "counts.json")
    again = jb.score_counts(tmp_path / "counts.json")
    assert again.to_dict()["systems"] == result.to_dict()["systems"]
    assert again.signature == result.signature


def test_importing_jurybox_loads_nothing_heavy() -> None:
    import subprocess
    import sys

    code = "import jurybox, sys; jurybox.score; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = set(done.stdout.split())
    assert "jurybox.score" in loaded
    assert not loaded & {"numpy", "scipy", "pandas", "rich"}


# --- properties ----------------------------------------------------------------------------------

words = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)


@st.composite
def annotated(draw: st.DrawFn) -> jb.Sentence:
    tokens = tuple(draw(words).split())
    annotations = []
    for who in draw(st.lists(st.sampled_from("012"), max_size=3, unique=True).map(sorted)):
        edits = []
        for _ in range(draw(st.integers(0, 2))):
            start = draw(st.integers(0, len(tokens)))
            end = draw(st.integers(start, len(tokens)))
            edits.append(jb.Edit(start, end, draw(words), draw(st.sampled_from("XY"))))
        annotations.append(jb.Annotation(who, tuple(edits)))
    return jb.Sentence(tokens, tuple(annotations) or (jb.Annotation("0"),))


@given(st.data())
@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_rows_of_any_split_add_up_and_scores_follow_from_counts(data: st.DataObject) -> None:
    sentences = data.draw(st.lists(annotated(), min_size=1, max_size=4))
    hypotheses = data.draw(st.lists(words, min_size=len(sentences), max_size=len(sentences)))
    choice = data.draw(st.sampled_from(["running", "sentence"]))
    panel = jb.Panel(tuple(sentences), ("0", "1", "2"))
    result = jb.score(hypotheses, panel, by="type", details=True, choice=choice)
    (system,) = result.systems
    for name in ("tp", "fp", "fn"):
        total = getattr(result, name)
        assert sum(getattr(row, name) for row in system.by_type) == total
        assert sum(getattr(row, name) for row in system.details) == total
    proposed, gold = result.tp + result.fp, result.tp + result.fn
    assert result.precision == (result.tp / proposed if proposed else 1.0)
    assert result.recall == (result.tp / gold if gold else 1.0)
    assert math.isfinite(result.f)


@given(st.data())
@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_the_corrections_of_an_annotator_themselves_miss_nothing_they_need_not(
    data: st.DataObject,
) -> None:
    # one substitution per sentence: applying it gives a hypothesis that must match it
    sentences, hypotheses = [], []
    for tokens in data.draw(st.lists(words.filter(bool).map(str.split), min_size=1, max_size=4)):
        place = data.draw(st.integers(0, len(tokens) - 1))
        edit = jb.Edit(place, place + 1, "new")
        sentences.append(jb.Sentence(tuple(tokens), (jb.Annotation("0", (edit,)),)))
        hypotheses.append(" ".join(jb.apply_edits(tokens, [edit])))
    result = jb.score(hypotheses, jb.Panel(tuple(sentences), ("0",)))
    assert (result.tp, result.fp, result.fn) == (len(sentences), 0, 0)
