"""`derive_cases`: what it takes, what it gives back, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import jurybox as jb
from jurybox.errors import InputError, JuryboxWarning, LengthError, MissingExtraError, UsageError
from jurybox.formats import Input
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables import decisions as decision_files
from jurybox.formats.tables import judgments as judgment_files
from jurybox.jury.cases import derive_cases, infinitives
from jurybox.model import Annotation, Edit, Panel, Sentence
from saved_results import check_schema, complaints

SAMPLE = Path(jb.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
SYSTEMS = {name: SAMPLE / f"{name}.txt" for name in ("bold", "cautious")}


def test_the_sample_gives_the_cases_counted_by_hand() -> None:
    derived = derive_cases(GOLD, systems=SYSTEMS, tagger="words")
    assert derived.n == 13
    assert [one.errors for one in derived.raters] == [3, 1]
    (prepositions,) = derived.constructions
    assert (prepositions.any_error, prepositions.majority_error) == (3, 1)
    # Of eight Prep edits three are insertions or about "since" and "me", which are no cases
    assert (prepositions.edits, prepositions.on_cases) == (8, 4)
    flagged = {
        case.id: put
        for case, put in zip(
            derived.case_set.cases, derived.decisions["bold"].suggestion or (), strict=True
        )
        if put is not None
    }
    assert flagged == {"S2:3-4": "in", "S9:2-3": "", "S14:5-6": ""}


def test_a_panel_in_memory_and_documents_are_taken() -> None:
    looked = (Annotation("A", (Edit(0, 1, "in", "Prep"),)), Annotation("B"))
    panel = Panel((Sentence(("at", "home"), looked, document="d"),), ("A", "B"))
    derived = derive_cases(panel, "preposition", {"s": ["in home"]})
    assert [case.id for case in derived.case_set.cases] == ["d:1:0-1"]
    assert derived.error_rate == 0.5
    assert list(derived.decisions["s"].label) == [1]


def test_selected_documents_keep_the_numbers_of_the_files(tmp_path: Path) -> None:
    names = ["x"] * 8 + ["y"] * 7
    derived = derive_cases(GOLD, "token", SYSTEMS, documents=names, select="y")
    assert {case.document for case in derived.case_set.cases} == {"y"}
    whole = derive_cases(GOLD, "token", SYSTEMS, documents=names)
    ids = {case.id for case in derived.case_set.cases}
    of_whole = dict(
        zip(
            (case.id for case in whole.case_set.cases),
            whole.decisions["bold"].suggestion or (),
            strict=True,
        )
    )
    assert ids < of_whole.keys()
    for case, put in zip(
        derived.case_set.cases, derived.decisions["bold"].suggestion or (), strict=True
    ):
        assert of_whole[case.id] == put


def test_a_systems_own_edits_decide_as_its_text_does(tmp_path: Path) -> None:
    made = tmp_path / "bold.m2"
    jb.convert(SAMPLE / "source.txt", made, corrected=[SAMPLE / "bold.txt"])
    derived = derive_cases(GOLD, "token", {"text": SAMPLE / "bold.txt", "edits": made})
    assert derived.decisions["text"].label == derived.decisions["edits"].label
    assert derived.decisions["text"].suggestion == derived.decisions["edits"].suggestion


def test_data_without_types_counts_every_edit_and_says_so() -> None:
    text = "S I am at home .\nA 2 3|||UNK|||in|||REQUIRED|||-NONE-|||0\n"
    derived = derive_cases(Input.from_text(text))
    assert derived.error_rate == 1.0
    assert "|rule:any-edit|" in derived.signature
    assert derived.case_set.description.error_rule == "an edit covers the token"


def test_types_of_another_scheme_are_told_not_counted_as_no_errors_in_silence() -> None:
    text = "S I am at home .\nA 2 3|||Wrong|||in|||REQUIRED|||-NONE-|||0\n"
    with pytest.warns(JuryboxWarning, match="say --error-rule any-edit"):
        derived = derive_cases(Input.from_text(text))
    assert derived.error_rate == 0.0
    assert len(derived.warnings) == 1


def test_the_description_says_which_rule_told_infinitives(monkeypatch: pytest.MonkeyPatch) -> None:
    derived = derive_cases(GOLD, tagger="words")
    assert "found by the words around it" in derived.case_set.description.enumeration
    assert "|to:words|" in derived.signature
    tagger = infinitives.Tagger("spacy-9+model", "spaCy tag TO, by spacy-9+model", _finds_no_verb)
    monkeypatch.setattr("jurybox.jury.cases.derive.choose_tagger", lambda wanted: tagger)
    tagged = derive_cases(GOLD)
    assert tagged.n > derived.n
    assert "spaCy tag TO, by spacy-9+model" in tagged.case_set.description.enumeration
    assert "|to:spacy-9+model|" in tagged.signature
    assert "|to:" not in derive_cases(GOLD, "article").signature


def _finds_no_verb(sentences: Iterable[object]) -> Iterator[frozenset[int]]:
    return (frozenset() for _ in sentences)


def test_a_tagger_that_is_not_installed_is_named_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JURYBOX_SPACY_MODEL", "no_such_model")
    with pytest.raises(MissingExtraError, match="say --tagger words"):
        derive_cases(GOLD, tagger="spacy")
    assert "|to:words|" in derive_cases(GOLD, tagger="auto").signature


def test_several_constructions_are_summed_up_one_by_one() -> None:
    derived = derive_cases(GOLD, ["preposition", "missing-preposition"])
    first, second = derived.constructions
    assert (first.trivial, second.n) == (0, 140 + 15)  # a position per token, and each end
    assert derived.n == first.n + second.n
    assert derived.trivial == second.trivial > 0
    assert derived.case_set.description.construction == "preposition+missing-preposition"
    assert "missing-preposition: right after" in derived.case_set.description.trivial_rule


def test_what_is_saved_is_read_back_the_same(tmp_path: Path) -> None:
    derived = derive_cases(GOLD, ["token", "missing-comma"], SYSTEMS)
    derived.save(tmp_path / "c.jsonl", tmp_path / "j.csv", tmp_path / "new" / "folder")
    cases = case_files.read(tmp_path / "c.jsonl")
    assert cases == derived.case_set
    read = judgment_files.read(tmp_path / "j.csv", cases).table
    assert (read.case, read.answer) == (derived.judgments.case, derived.judgments.answer)
    given = [read.corrections[place] for place in read.correction or ()]
    ours = derived.judgments
    assert given == [ours.corrections[place] for place in ours.correction or ()]
    file = tmp_path / "new" / "folder" / "bold.csv"
    table = decision_files.read(file, cases, name="bold").table
    assert table.label == derived.decisions["bold"].label
    assert table.suggestion == derived.decisions["bold"].suggestion


def test_results_are_what_the_schema_says(tmp_path: Path) -> None:
    derived = derive_cases(GOLD, ["preposition", "missing-article"], SYSTEMS)
    derived.save(cases=tmp_path / "cases.csv", decisions=tmp_path)
    record = check_schema(derived, "cases")
    assert {one["what"] for one in record["written"]} == {
        "cases",
        "decisions of bold",
        "decisions of cautious",
    }
    assert complaints({**record, "surprise": 1}, "cases")


def test_an_annotator_without_judgments_has_an_undefined_rate_with_a_reason() -> None:
    panel = Panel(
        (Sentence(("at", "home"), (Annotation("A"),)), Sentence(("hello",), (Annotation("B"),))),
        ("A", "B"),
    )
    with pytest.warns(JuryboxWarning, match="not every annotator"):
        record = derive_cases(panel).to_dict()
    assert record["raters"][1] == {
        "name": "B",
        "judgments": 0,
        "errors": 0,
        "error_rate": None,
        "reason": "there are no judgments",
    }
    assert complaints(json.loads(json.dumps(record)), "cases") == []


def test_tables_and_rows_show_raters_and_systems() -> None:
    derived = derive_cases(GOLD, systems=SYSTEMS, tagger="words")
    text = str(derived)
    assert "preposition      13        0         26      0.1538          3        1" in text
    assert "signature: jurybox cases|refs:2|construction:preposition|rule:type|to:words|" in text
    assert [row["what"] for row in derived.records()] == [
        "construction",
        *["rater"] * 2,
        *["system"] * 2,
    ]


def test_blank_output_is_told() -> None:
    lines = (SAMPLE / "source.txt").read_text("utf-8").splitlines()
    with pytest.warns(JuryboxWarning, match="1 of 15 hypotheses are blank"):
        derived = derive_cases(GOLD, "token", {"s": ["", *lines[1:]]})
    assert sum(derived.decisions["s"].label) == 9


def test_bad_input_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown error rule \(--error-rule\) 'all'"):
        derive_cases(GOLD, error_rule="all")
    with pytest.raises(UsageError, match="--construction token"):
        derive_cases(GOLD, "type=Prep", error_rule="any-edit")
    with pytest.raises(LengthError, match="longer than"):
        derive_cases(GOLD, systems={"s": ["one line"]})
    with pytest.raises(InputError, match="has a case for --construction preposition"):
        derive_cases(Panel((Sentence(("Hello",), (Annotation("A"),)),), ("A",)))
    with pytest.raises(UsageError, match="does not tell its format"):
        derive_cases(GOLD).save(tmp_path / "cases.xlsx")
    with pytest.raises(UsageError, match="cannot be a file name"):
        derive_cases(GOLD, systems={"a/b": SAMPLE / "bold.txt"}).save(decisions=tmp_path)
    assert list(tmp_path.iterdir()) == []


def mixed_panel() -> Panel:
    """Ann gives types, Bob does not."""
    ann = Annotation("Ann", (Edit(1, 2, "on", "Prep"), Edit(2, 3, "mats", "Nn")))
    bob = Annotation("Bob", (Edit(1, 2, "in", "UNK"), Edit(2, 3, "by", "")))
    return Panel((Sentence(("sat", "at", "of"), (ann, bob)),), ("Ann", "Bob"))


def test_an_annotator_without_types_counts_by_every_edit_and_is_named() -> None:
    with pytest.warns(JuryboxWarning, match="no edit of Bob has a type, so every edit of theirs"):
        derived = derive_cases(mixed_panel())
    assert [(one.name, one.errors) for one in derived.raters] == [("Ann", 1), ("Bob", 2)]
    assert derived.case_set.description.error_rule == (
        "an edit of type Prep or PREP (of Bob, without types: any edit) covers the token"
    )
    any_edit = derive_cases(mixed_panel(), error_rule="any-edit")
    assert [one.errors for one in any_edit.raters] == [2, 2]
    assert not any_edit.warnings


def test_edits_without_types_do_not_say_which_are_of_one_type() -> None:
    with pytest.raises(InputError, match="--construction type=Prep: no edit of Bob has a type"):
        derive_cases(mixed_panel(), "type=Prep")
    assert not derive_cases(mixed_panel(), "token").warnings
