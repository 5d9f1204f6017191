"""`run_detectors`: cases named as elsewhere, decisions as a detector means them, in any form."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import jurybox as jb
from jurybox.detect.run import run_detectors
from jurybox.detect.train import train_detector
from jurybox.errors import InputError, UnknownNameError, UsageError
from jurybox.formats import Input
from jurybox.formats.tables import cases as case_files
from needs import need_learner
from saved_results import check_restored, check_schema

SAMPLE = Path(jb.__file__).parent / "data" / "sample"
GOLD = sorted(SAMPLE.glob("A*.m2"))
BOTH = ("preposition", "missing-preposition")
#: one error each, in the words of the bundled text
WRONG = {
    "The price depends of the weather .": ("of", "on"),
    "She is interested for old books .": ("for", "in"),
    "He was afraid from the dark water .": ("from", "of"),
    "She looked in the photograph for a long time .": ("in", "at"),
    "The old man told us from the war .": ("from", "about"),
    "In the other hand the shops are not happy .": ("In", "On"),
}


@pytest.fixture(scope="module")
def lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "lm"
    train_detector("lm", SAMPLE / "training.txt", folder)
    return folder


@pytest.fixture(scope="module")
def me(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need_learner("maxent")
    folder = tmp_path_factory.mktemp("models") / "me"
    options: dict[str, Any] = {"least": 1, "passes": 20, "strength": 10.0, "nothing_rate": 1.0}
    train_detector("maxent", SAMPLE / "training.txt", folder, cache=False, jobs=1, **options)
    return folder


def lines(*sentences: str) -> Input:
    return Input.from_lines(sentences)


def derived(**options: Any) -> jb.DerivedCases:
    return jb.derive_cases(GOLD, BOTH, **options)


# --- ids ---


@pytest.mark.parametrize("documents", [None, SAMPLE / "documents.txt"])
def test_cases_of_m2_are_those_of_derive_with_the_same_ids(
    lm: Path, documents: Path | None
) -> None:
    found = run_detectors(
        lm, m2=GOLD, documents=documents, construction=BOTH, tagger="words"
    ).case_set.cases
    wanted = derived(documents=documents, tagger="words").case_set.cases
    # which positions are trivial is also a matter of what annotators say
    assert [one._replace(trivial=False) for one in found] == [
        one._replace(trivial=False) for one in wanted
    ]


def test_the_models_own_tags_tell_infinitives_as_derive_does(me: Path) -> None:
    found = run_detectors(me, m2=GOLD).case_set.cases
    wanted = jb.derive_cases(GOLD, tagger="spacy").case_set.cases
    assert [one.id for one in found] == [one.id for one in wanted]


def test_sentences_of_text_are_numbered_as_those_of_a_panel(lm: Path) -> None:
    options: dict[str, Any] = {"tagger": "words"}
    text = run_detectors(lm, text=SAMPLE / "source.txt", tokenised=True, **options)
    panel = run_detectors(lm, m2=GOLD, **options)
    assert text.case_set.cases == panel.case_set.cases
    assert text.decisions == panel.decisions


def test_given_cases_keep_their_ids_and_get_the_same_decisions(lm: Path, tmp_path: Path) -> None:
    whole = run_detectors(lm, m2=GOLD, tagger="words")
    with (tmp_path / "cases.jsonl").open("w") as out:
        renamed = [one._replace(id=f"c{number}") for number, one in enumerate(whole.case_set.cases)]
        case_files.write(jb.CaseSet(tuple(renamed)), out)
    again = run_detectors(lm, cases=tmp_path / "cases.jsonl")
    assert [one.id for one in again.case_set.cases] == [one.id for one in renamed]
    assert again.decisions == whole.decisions


# --- decisions ---


def test_a_tiny_model_finds_most_easy_errors_and_suggests_what_is_right(me: Path) -> None:
    found = quiet = 0
    for sentence, (written, wanted) in WRONG.items():
        run = run_detectors(me, text=lines(sentence), tokenised=True, threshold=0.5)
        place = [one.written for one in run.case_set.cases].index(written)
        decisions = run.decisions["me"]
        assert decisions.suggestion is not None
        found += decisions.label[place] == 1 and decisions.suggestion[place] == wanted
        right = lines(sentence.replace(written, wanted, 1))
        run = run_detectors(me, text=right, tokenised=True, threshold=0.5)
        quiet += run.decisions["me"].label[place] == 0
    assert len(WRONG) == 6
    assert found >= 4
    assert quiet >= 5


def test_a_preposition_too_many_and_one_too_few_are_found(lm: Path) -> None:
    text = lines("He went to the station in the morning .", "In front of of the church .")
    run = run_detectors(lm, text=text, tokenised=True, threshold=0.5)
    [summary] = run.detectors
    assert summary.extraneous >= 1
    run = run_detectors(
        lm,
        text=lines("At the end the road there is a shop ."),
        tokenised=True,
        construction="missing-preposition",
        threshold=0.5,
    )
    flagged = zip(run.case_set.cases, run.decisions["lm"].suggestion or (), strict=True)
    at = {case.id: put for case, put in flagged}
    assert at["S1:3-3"] == "of"
    assert run.decisions["lm"].label[3] == 1
    assert run.detectors[0].missing >= 1


def test_a_rule_decides_where_no_preposition_can_be_missing(me: Path) -> None:
    run = run_detectors(
        me, text=lines("She met the old man ."), tokenised=True, construction="missing-preposition"
    )
    decisions = run.decisions["me"]
    assert decisions.suggestion is not None
    asked = [n for n, word in enumerate(decisions.suggestion) if word is not None]
    assert asked == [2]  # after the verb, before a noun phrase
    assert all(score == 0 for n, score in enumerate(decisions.score or ()) if n != 2)


def test_the_threshold_makes_labels_of_scores(lm: Path) -> None:
    for threshold in (0.0, 0.5, 0.9, 1.0):
        run = run_detectors(
            lm, text=SAMPLE / "source.txt", tokenised=True, threshold=threshold, tagger="words"
        )
        table = run.decisions["lm"]
        assert table.score is not None
        assert list(table.label) == [int(score >= threshold) for score in table.score]
        assert run.detectors[0].flagged == sum(table.label)


def test_other_constructions_get_no_decision_and_are_counted(lm: Path) -> None:
    run = run_detectors(lm, cases=SAMPLE / "cases.jsonl", tagger="words")
    every = case_files.read(SAMPLE / "cases.jsonl").cases
    suitable = [one.id for one in every if one.construction in BOTH]
    assert [one.id for one in run.case_set.cases] == suitable
    assert run.undecided == len(every) - len(suitable)
    assert f"{run.undecided} cases have no decision" in str(run)


def test_cases_without_a_sentence_and_phrases_get_no_decision(lm: Path) -> None:
    text = (
        "case,sentence,start,end,construction\n"
        "a,He sat on the mat .,2,3,\nb,,,,\nc,He sat on the mat .,2,4,\n"
        "d,He wants to go .,2,3,token\ne,He wants to go .,2,3,preposition\n"
        "f,He sat on the mat .,2,2,missing-article\n"
    )
    run = run_detectors(lm, cases=Input.from_text(text), tagger="words")
    assert [one.id for one in run.case_set.cases] == ["a", "e"]
    assert run.undecided == 4


def test_only_a_construction_of_the_cases_is_decided_with_a_warning(lm: Path) -> None:
    with pytest.warns(jb.JuryboxWarning, match="cases are of another construction"):
        run = run_detectors(lm, cases=SAMPLE / "cases.jsonl", construction="preposition")
    assert {one.construction for one in run.case_set.cases} == {"preposition"}


# --- files ---


@pytest.mark.parametrize("form", ["jsonl", "csv", "tsv"])
def test_files_hold_what_the_result_holds_without_files(
    lm: Path, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jurybox.detect.run.deciding.BLOCK", 30)  # several blocks, two processes
    source: dict[str, Any] = {"text": SAMPLE / "source.txt", "tokenised": True, "tagger": "words"}
    kept = run_detectors(lm, **source, jobs=1)
    output, cases = tmp_path / f"out.{form}", tmp_path / "cases.jsonl"
    written = run_detectors(lm, **source, output=output, write_cases=cases, jobs=2)
    assert case_files.read(cases).cases == kept.case_set.cases
    assert written.detectors == kept.detectors
    from jurybox.formats.tables import decisions

    table = decisions.read(output, kept.case_set, name="lm").table
    wanted = kept.decisions["lm"]
    assert (table.label, table.suggestion) == (wanted.label, wanted.suggestion)
    assert list(table.score or ()) == pytest.approx(list(wanted.score or ()), abs=1e-8)


def test_several_models_have_a_file_each(lm: Path, me: Path, tmp_path: Path) -> None:
    run_detectors([lm, me], m2=GOLD, decisions=tmp_path / "out")
    rows = {}
    for name in ("lm", "me"):
        with (tmp_path / "out" / f"{name}.csv").open(newline="") as file:
            rows[name] = list(csv.DictReader(file))
    assert [row["case"] for row in rows["lm"]] == [row["case"] for row in rows["me"]]
    assert [row["score"] for row in rows["lm"]] != [row["score"] for row in rows["me"]]


def test_decisions_are_ready_for_evaluate_and_for_sample_draw(
    lm: Path, me: Path, tmp_path: Path
) -> None:
    cases = jb.derive_cases(GOLD, documents=SAMPLE / "documents.txt")
    cases.save(tmp_path / "cases.jsonl", tmp_path / "judgments.csv")
    run_detectors([lm, me], m2=GOLD, documents=SAMPLE / "documents.txt", decisions=tmp_path / "out")
    systems = {name: tmp_path / "out" / f"{name}.csv" for name in ("lm", "me")}
    found = jb.evaluate(tmp_path / "cases.jsonl", tmp_path / "judgments.csv", systems).to_dict()
    assert [one["name"] for one in found["systems"]] == ["lm", "me"]
    assert [one["missing"] for one in found["systems"]] == [0, 0]
    drawn = jb.draw_sample(systems["lm"], error=3, ok=3, cases=tmp_path / "cases.jsonl")
    assert len(drawn.key.drawn) == 6


def test_nothing_is_written_where_there_is_nothing_to_decide(lm: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no preposition to decide about"):
        run_detectors(
            lm,
            text=lines("Cats sleep ."),
            tokenised=True,
            output=tmp_path / "out.csv",
            write_cases=tmp_path / "cases.jsonl",
        )
    assert list(tmp_path.iterdir()) == []


# --- the sentence before (Tetreault and Chodorow 2008, section 5) ---


def test_cases_of_prose_have_the_neighbours_of_their_paragraph_or_article(lm: Path) -> None:
    """All else may be of another document."""
    text = (
        "We sat in it. He went by bus. They sleep.",
        "Look at it.",
        *("<doc id='1'>", "Title", "We sat in it.", "He went by bus.", "</doc>"),
        "She is on time.",
    )
    run = run_detectors(lm, text=lines(*text))
    found = [(case.before, case.after) for case in run.case_set]
    first, second, third = "We sat in it .", "He went by bus .", "They sleep ."
    assert found == [("", second), (first, third), ("", ""), ("", second), (first, ""), ("", "")]
    assert run.with_before == 2
    assert "context: 2 of 6 cases have the sentence before" in str(run)


def test_tokenised_text_has_context_with_a_document_map(lm: Path) -> None:
    text = lines("We sat in it .", "He went by bus .", "Look at it .")
    alone = run_detectors(lm, text=text, tokenised=True)
    assert {(case.before, case.after) for case in alone.case_set} == {("", "")}
    assert "context: no case has the sentence before" in str(alone)
    essays = lines("a", "a", "b")
    run = run_detectors(lm, text=text, tokenised=True, documents=essays, construction="preposition")
    assert [case.before for case in run.case_set] == ["", "We sat in it .", ""]
    assert [case.id for case in run.case_set] == ["a:1:2-3", "a:2:2-3", "b:1:1-2"]


@pytest.mark.parametrize("documents", [None, SAMPLE / "documents.txt"])
def test_cases_of_a_panel_have_the_context_that_derive_gives(
    lm: Path, tmp_path: Path, documents: Path | None
) -> None:
    options: dict[str, Any] = {"documents": documents, "tagger": "words"}
    cases = tmp_path / "cases.jsonl"
    run = run_detectors(lm, m2=GOLD, output=tmp_path / "d.csv", write_cases=cases, **options)
    known = jb.derive_cases(GOLD, **options)
    assert case_files.read(cases).cases == known.case_set.cases
    assert run.with_before == known.with_before
    assert bool(run.with_before) == (documents is not None)
    again = run_detectors(lm, cases=cases, tagger="words")
    assert again.case_set.cases == known.case_set.cases, "given cases keep their context"
    assert run_detectors(lm, m2=GOLD, output=tmp_path / "d.csv", **options).with_before is None


def test_context_crosses_the_border_between_blocks(lm: Path, monkeypatch: Any) -> None:
    from jurybox.detect.run import deciding

    monkeypatch.setattr(deciding, "BLOCK", 1)
    run = run_detectors(lm, text=lines("We sat in it. He went by bus."), jobs=2)
    assert [case.before for case in run.case_set] == ["", "We sat in it ."]
    assert [case.after for case in run.case_set] == ["He went by bus .", ""]


def test_a_result_is_what_its_schema_says_and_comes_back(lm: Path) -> None:
    run = run_detectors(lm, cases=SAMPLE / "cases.jsonl", tagger="words")
    check_schema(run, "detect-run")
    check_restored(run)


# --- refusals ---


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({}, "one of --text, --m2 and --cases"),
        ({"text": "a", "m2": "b"}, "one of --text, --m2 and --cases"),
        ({"m2": "a", "tokenised": True}, "--tokenised is about --text"),
        ({"text": "a", "documents": "b"}, "--documents is about --m2"),
        ({"text": "a", "threshold": 1.5}, "--threshold must lie between 0 and 1, not 1.5"),
        ({"text": "a", "threshold": float("nan")}, "--threshold must lie between 0 and 1, not nan"),
        ({"text": "a", "jobs": 0}, "--jobs must be 1 or more, not 0"),
        ({"text": "a", "output": "x.csv", "decisions": "y"}, "--output or --decisions"),
        ({"text": "a", "output": "x.txt"}, "does not tell its format"),
        ({"text": "a", "write_cases": "x.csv"}, "ends in .jsonl"),
        ({"cases": "a", "write_cases": "x.jsonl"}, "--write-cases is about"),
        ({"text": "a", "spacy_model": "en"}, "--spacy-model is about maxent and perceptron"),
    ],
)
def test_what_makes_no_sense_is_refused(lm: Path, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        run_detectors(lm, **options)


def test_unknown_names_are_refused_with_the_near_ones(lm: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'preposition'"):
        run_detectors(lm, text="a", construction="prepositions")
    with pytest.raises(UnknownNameError, match="did you mean 'words'"):
        run_detectors(lm, text="a", tagger="word")


def test_models_of_the_same_name_and_one_file_for_several_are_refused(
    lm: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="have the same name"):
        run_detectors([lm, lm], text="a")
    with pytest.raises(UsageError, match="name a folder for them by --decisions"):
        run_detectors([lm, tmp_path], text="a", output="x.csv")


def test_another_tagger_than_the_models_is_told(me: Path, tmp_path: Path) -> None:
    from shutil import copytree

    other = Path(copytree(me, tmp_path / "other"))
    described = json.loads((other / "model.json").read_text())
    described["training"]["tagger"] = "spacy-1.0+no_such_model-1.0"
    (other / "model.json").write_text(json.dumps(described))
    with pytest.warns(jb.JuryboxWarning, match=r"other was trained with tags by spacy-1\.0"):
        run_detectors(other, text=lines("He sat on a mat ."), tokenised=True)


def test_a_model_that_was_trained_again_is_loaded_again(tmp_path: Path) -> None:
    text = lines("We sat at the mat .")
    found = []
    for word in ("on", "under"):
        clean = lines(*[f"We sat {word} the mat .", "We sat in the sun ."] * 20)
        options: dict[str, Any] = {"tokenised": True, "fallback_discounts": (0.5, 1, 1.5)}
        train_detector("lm", clean, tmp_path / "lm", **options)
        run = run_detectors(tmp_path / "lm", text=text, tokenised=True)
        found.append(run.decisions["lm"].suggestion)
    assert found == [["on"], ["under"]]


# --- one kind of error ---


def test_an_extraneous_preposition_stands_against_none_at_all(lm: Path) -> None:
    """Madnani et al. (2011, 2.1): the sentence with the preposition against that without it."""
    source = SAMPLE / "source.txt"
    runs = {
        name: run_detectors(lm, text=source, tokenised=True, tagger="words", construction=name)
        for name in ("preposition", "extraneous-preposition", "wrong-preposition")
    }
    every, extraneous, wrong = (run.decisions["lm"] for run in runs.values())
    assert set(extraneous.suggestion or ()) == {""}
    assert "" not in (wrong.suggestion or ())
    assert [one.construction for one in runs["extraneous-preposition"].case_set][:1] == [
        "extraneous-preposition"
    ]
    for scores in zip(every.score or (), extraneous.score or (), wrong.score or (), strict=True):
        assert scores[0] == pytest.approx(max(scores[1:]))  # the best of all others is one of both


def test_given_cases_of_one_kind_are_decided_as_such(lm: Path) -> None:
    head = "case,sentence,start,end,written,construction"
    text = "We live near of the sea ."
    rows = [f"{kind},{text},3,4,of,{kind}-preposition" for kind in ("extraneous", "wrong")]
    run = run_detectors(lm, cases=Input.from_lines([head, *rows]))
    suggestions = run.decisions["lm"].suggestion or []
    assert suggestions[0] == ""
    assert suggestions[1] not in ("", None)


def test_kinds_that_share_places_are_refused(lm: Path) -> None:
    both = ["preposition", "extraneous-preposition"]
    with pytest.raises(UsageError, match="have cases at the same places"):
        run_detectors(lm, text=SAMPLE / "source.txt", tokenised=True, construction=both)
