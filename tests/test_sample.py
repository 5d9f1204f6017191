"""The bundled sample is consistent, and tells the story its README promises."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import jurybox as jb
from jurybox.formats.edits import documents, m2
from jurybox.formats.tables import cases as case_format
from jurybox.jury.cases.context import neighbours
from jurybox.model import CaseSet, Sentence

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "jurybox"
SAMPLE = PACKAGE / "data" / "sample"
ANNOTATORS = tuple(f"A{number}" for number in range(1, 9))
SYSTEMS = ("cautious", "bold", "rewriter")
RATERS = tuple(f"R{number:02}" for number in range(1, 13))
CARELESS = {"R04", "R09"}
FILES = {
    *("README.md", "source.txt", "documents.txt", "cases.jsonl", "judgments.csv", "training.txt"),
    *("rankings.csv", "scores.csv"),
    *(f"{name}.m2" for name in ANNOTATORS),
    *(f"{name}.{ending}" for name in SYSTEMS for ending in ("txt", "csv")),
}
#: a word (hyphens and figures in it are fine), a clitic, or one punctuation mark
TOKEN = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*|'[a-z]*|n't|[.,;:?!]")
NUCLE_TYPES = {
    *("ArtOrDet", "Mec", "Nn", "Npos", "Others", "Pref", "Prep", "Rloc-", "Srun", "SVA"),
    *("Trans", "Vform", "Vm", "Vt", "Wci", "Wform", "WOadv", "WOinc", "Wtone"),
}


def lines_of(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


def rows_of(name: str) -> list[dict[str, str]]:
    with (SAMPLE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def annotated(name: str) -> tuple[Sentence, ...]:
    return tuple(m2.read(SAMPLE / f"{name}.m2"))


@cache
def case_set() -> CaseSet:
    return case_format.read(SAMPLE / "cases.jsonl")


@cache
def derived(*constructions: str) -> jb.DerivedCases:
    return jb.derive_cases(
        [SAMPLE / f"{name}.m2" for name in ANNOTATORS],
        constructions,
        {name: SAMPLE / f"{name}.txt" for name in SYSTEMS},
        tagger="words",
        documents=SAMPLE / "documents.txt",
    )


@cache
def people() -> dict[str, Any]:
    result = jb.ceiling(
        [SAMPLE / f"{name}.m2" for name in ANNOTATORS],
        {name: SAMPLE / f"{name}.txt" for name in SYSTEMS},
        sizes=(1, 7),
    )
    return result.to_dict()


def test_no_file_is_missing_or_unused_and_all_are_small() -> None:
    files = [path for path in SAMPLE.iterdir() if path.is_file()]
    assert {path.name for path in files} == FILES
    assert sum(path.stat().st_size for path in files) < 400_000


def test_readme_names_every_file_and_says_that_all_is_constructed() -> None:
    text = (SAMPLE / "README.md").read_text(encoding="utf-8")
    listed = {name for name in FILES if f"`{name}`" in text}
    assert FILES - listed == {"README.md", *(f"A{number}.m2" for number in range(2, 8))}
    assert "Constructed" in text
    assert "CC BY 4.0" in text


def test_every_file_has_the_same_eighty_sentences() -> None:
    source = lines_of("source.txt")
    assert len(source) == 80
    assert len(set(source)) == 80
    for name in ANNOTATORS:
        assert [" ".join(sentence.tokens) for sentence in annotated(name)] == source, name
    for name in SYSTEMS:
        assert len(lines_of(f"{name}.txt")) == 80, name


def test_sentences_are_of_the_promised_length() -> None:
    lengths = [len(line.split()) for line in lines_of("source.txt")]
    assert 13 <= sum(lengths) / len(lengths) <= 16


def test_eight_essays_have_ten_sentences_each_in_order() -> None:
    expected = [f"essay-{number}" for number in range(1, 9) for _ in range(10)]
    assert list(documents.read(SAMPLE / "documents.txt")) == expected


@pytest.mark.parametrize("name", ["source.txt", *(f"{name}.txt" for name in SYSTEMS)])
def test_text_is_tokenised(name: str) -> None:
    for number, line in enumerate(lines_of(name), 1):
        odd = [token for token in line.split(" ") if not TOKEN.fullmatch(token)]
        assert not odd, f"{name}:{number}"
        assert line[0].isupper(), f"{name}:{number}"
        assert line.endswith(" ."), f"{name}:{number}"


@pytest.mark.parametrize("name", ANNOTATORS)
def test_edits_are_inside_their_sentence_apart_and_change_something(name: str) -> None:
    for number, sentence in enumerate(annotated(name), 1):
        edits = sentence.annotations[0].edits
        for edit in edits:
            assert 0 <= edit.start <= edit.end <= len(sentence.tokens), f"{name}:{number}"
            words = edit.replacement.split()
            assert words != list(sentence.tokens[edit.start : edit.end]), f"{name}:{number}"
            assert all(TOKEN.fullmatch(word) for word in words), f"{name}:{number}"
            assert edit.type in NUCLE_TYPES, f"{name}:{number}"
        for one, other in pairwise(edits):
            assert one.end <= other.start, f"{name}:{number}"
            assert one[:2] != other[:2], f"{name}:{number}"


@pytest.mark.parametrize("name", ANNOTATORS)
def test_noop_stands_exactly_where_nothing_is_changed(name: str) -> None:
    blocks = (SAMPLE / f"{name}.m2").read_text(encoding="utf-8").strip().split("\n\n")
    for block, sentence in zip(blocks, annotated(name), strict=True):
        assert ("|||noop|||" in block) == (not sentence.annotations[0].edits), block


def test_annotators_differ_and_the_busiest_makes_about_twice_the_edits() -> None:
    texts = {(SAMPLE / f"{name}.m2").read_bytes() for name in ANNOTATORS}
    assert len(texts) == 8
    edits = {name: sum(len(s.annotations[0].edits) for s in annotated(name)) for name in ANNOTATORS}
    assert min(edits, key=edits.__getitem__) == "A2"  # the minimal one
    assert max(edits, key=edits.__getitem__) == "A3"  # the one who rephrases
    assert 1.5 <= edits["A3"] / edits["A2"] <= 2.2


def test_stories_of_annotators_show_in_their_edit_types() -> None:
    def count(name: str, matches: str) -> int:
        edits = [edit for s in annotated(name) for edit in s.annotations[0].edits]
        return sum(edit.type == matches for edit in edits)

    commas = {name: count(name, "Mec") for name in ANNOTATORS}
    articles = {name: count(name, "ArtOrDet") for name in ANNOTATORS}
    assert max(commas, key=commas.__getitem__) == "A4"
    assert max(articles, key=articles.__getitem__) == "A7"
    assert min(articles, key=articles.__getitem__) == "A5"


def test_about_one_sentence_in_eight_has_no_clear_error() -> None:
    without = 0
    for number in range(80):
        made = Counter(
            edit[:3] for name in ANNOTATORS for edit in annotated(name)[number].annotations[0].edits
        )
        without += max(made.values(), default=0) < 4  # no edit that half of the annotators make
    assert 8 <= without <= 12


def test_people_agree_as_far_as_promised_and_systems_stay_below_them() -> None:
    one, seven = people()["sizes"]
    assert 0.4 <= one["human"] <= 0.55
    assert 0.65 <= seven["human"] <= 0.8
    assert max(seven["systems"][name]["score"] for name in SYSTEMS) < seven["human"]
    gold = [SAMPLE / f"{name}.m2" for name in ANNOTATORS]
    f = [jb.score(SAMPLE / f"{name}.txt", gold).f for name in SYSTEMS]
    assert 0.55 <= f[0] <= 0.65
    assert 0.5 <= f[1] <= 0.6
    assert 0.25 <= f[2] <= 0.4
    assert f[0] > f[1] > f[2]


def test_cases_point_at_the_tokens_they_claim() -> None:
    source = lines_of("source.txt")
    cases = case_set().cases
    assert len(cases) == 150
    assert len({case.id for case in cases}) == 150
    for case in cases:
        document, sentence, span = case.id.split(":")
        line = (int(document.removeprefix("essay-")) - 1) * 10 + int(sentence) - 1
        assert case.document == document
        assert case.sentence == source[line], case.id
        assert span == f"{case.start}-{case.end}"
        assert " ".join(source[line].split()[case.start : case.end]) == case.written, case.id


def test_cases_are_all_those_their_description_enumerates() -> None:
    tokens = derived("preposition", "article").case_set.cases
    expected = {case.id for case in tokens}
    for kind in ("missing-article", "missing-preposition"):
        table = derived(kind)
        ids = [case.id for case in table.case_set.cases]
        errors = zip(table.judgments.case, table.judgments.answer, strict=True)
        expected |= {ids[case] for case, answer in errors if answer & 255 == 0}
    odd = {name for name in expected if int(name.split(":")[1]) % 2}
    assert {case.id for case in case_set().cases} == odd


def test_cases_describe_what_they_are() -> None:
    first = json.loads(lines_of("cases.jsonl")[0])
    assert set(first["description"]) == {
        *("construction", "unit", "enumeration", "trivial_rule", "error_rule", "origin"),
    }
    assert "constructed" in first["description"]["origin"]


def test_cases_have_the_sentences_around_them_in_their_essay() -> None:
    texts = list(zip(lines_of("documents.txt"), lines_of("source.txt"), strict=True))
    contexts = dict(zip(texts, neighbours(texts), strict=True))
    for case in case_set():
        assert (case.before, case.after) == contexts[str(case.document), case.sentence]


@pytest.mark.parametrize("system", SYSTEMS)
def test_decisions_are_what_the_corrected_text_does_and_scores_agree(system: str) -> None:
    made: dict[tuple[str, str], tuple[int, str | None]] = {}
    for kinds in (("preposition", "article"), ("missing-article",), ("missing-preposition",)):
        table = derived(*kinds)
        decisions = table.decisions[system]
        assert decisions.suggestion is not None
        found = zip(table.case_set.cases, decisions.label, decisions.suggestion, strict=True)
        made.update({(case.id, case.construction): (label, put) for case, label, put in found})
    rows = {row["case"]: row for row in rows_of(f"{system}.csv")}
    assert list(rows) == [case.id for case in case_set().cases]
    for case in case_set().cases:
        row = rows[case.id]
        label, put = made[case.id, case.construction]
        assert row["label"] == ("error" if label else "ok"), case.id
        assert row["suggestion"] == ("-NONE-" if put == "" else put or ""), case.id
        assert 0 <= float(row["score"]) <= 1
        assert (float(row["score"]) >= 0.5) == bool(label), case.id


def test_every_case_is_judged_by_eight_to_twelve_raters_once() -> None:
    rows = rows_of("judgments.csv")
    pairs = [(row["case"], row["rater"]) for row in rows]
    assert len(set(pairs)) == len(pairs)
    assert {row["rater"] for row in rows} == set(RATERS)
    judged = Counter(row["case"] for row in rows)
    assert set(judged) == {case.id for case in case_set().cases}
    assert 8 <= min(judged.values()) <= max(judged.values()) <= 12


def test_judgments_are_well_formed_and_as_often_error_as_promised() -> None:
    rows = rows_of("judgments.csv")
    labels = Counter(row["label"] for row in rows)
    assert set(labels) == {"error", "ok", "unknown"}
    assert 0.15 <= labels["error"] / len(rows) <= 0.25
    assert labels["unknown"] / len(rows) < 0.02
    for row in rows:
        assert row["label"] == "error" or not row["correction"]
        assert row["confidence"] in {"1", "2", "3", "4", "5"}
        assert float(row["seconds"]) > 0
        assert re.fullmatch("B[1-5]", row["batch"])


def test_gold_answers_are_the_same_in_both_files_and_leave_enough_to_evaluate() -> None:
    known = {case.id: case.gold for case in case_set().cases if case.gold}
    assert len(known) >= 15
    assert len(case_set().cases) - len(known) >= 130
    assert set(known.values()) == {("error",), ("ok",)}
    for row in rows_of("judgments.csv"):
        assert row["gold"] == "".join(known.get(row["case"], ())), row["case"]


def test_careless_raters_are_the_two_worst_on_gold_cases_and_the_fastest() -> None:
    right: dict[str, list[bool]] = defaultdict(list)
    seconds: dict[str, list[float]] = defaultdict(list)
    for row in rows_of("judgments.csv"):
        seconds[row["rater"]].append(float(row["seconds"]))
        if row["gold"]:
            right[row["rater"]].append(row["label"] == row["gold"])
    accuracy = {name: sum(answers) / len(answers) for name, answers in right.items()}
    assert set(sorted(RATERS, key=lambda name: accuracy[name])[:2]) == CARELESS
    assert max(accuracy[name] for name in CARELESS) < 0.6
    assert min(accuracy[name] for name in set(RATERS) - CARELESS) > 0.8
    assert max(median(seconds[name]) for name in CARELESS) < 3
    assert min(median(seconds[name]) for name in set(RATERS) - CARELESS) > 6


def test_scores_rank_errors_best_for_cautious_and_worst_for_rewriter() -> None:
    result = jb.evaluate(
        SAMPLE / "cases.jsonl",
        SAMPLE / "judgments.csv",
        {name: SAMPLE / f"{name}.csv" for name in SYSTEMS},
    ).to_dict()
    areas = {one["name"]: one["curves"]["plain"]["auc"] for one in result["systems"]}
    assert areas["cautious"] > 0.85
    assert 0.75 < areas["bold"] < 0.9
    assert 0.6 < areas["rewriter"] < 0.75


def test_text_to_train_on_has_every_preposition_and_no_sentence_twice() -> None:
    from jurybox.detect.prose import read_prose
    from jurybox.formats.edits.tokens import tokenize
    from jurybox.jury.cases.constructions import PREPOSITIONS

    sentences = list(read_prose(SAMPLE / "training.txt"))
    assert len(sentences) == len(set(sentences)) > 400
    tokens = [token for sentence in sentences for token in tokenize(sentence)]
    assert 6000 <= sum(any(map(str.isalnum, token)) for token in tokens) <= 8000
    met = Counter(token.lower() for token in tokens if token.lower() in PREPOSITIONS)
    assert PREPOSITIONS - met.keys() == {"towards"}  # a spelling of toward
    assert min(met.values()) >= 3
    assert all(sentence[0].isupper() and sentence[-1] in ".?!" for sentence in sentences)


def test_scores_of_metrics_are_what_score_gives() -> None:
    people = [SAMPLE / f"{name}.m2" for name in ANNOTATORS if name not in ("A2", "A6")]
    texts: dict[str, Any] = {name: SAMPLE / f"{name}.txt" for name in ("source", *SYSTEMS)}
    for name in ("A2", "A6"):
        texts[name] = [
            " ".join(jb.apply_edits(one.tokens, one.annotations[0].edits))
            for one in annotated(name)
        ]
    found = {}
    for metric in ("m2", "gleu"):
        for system in jb.score(texts, people, metric=metric).systems:
            value = system.f if metric == "m2" else system.score
            found[system.name, metric] = f"{value:.4f}"
    assert found == {(row["system"], row["metric"]): row["score"] for row in rows_of("scores.csv")}


def test_two_of_three_judges_rank_six_texts_of_every_second_sentence() -> None:
    ranked = defaultdict(set)
    for row in rows_of("rankings.csv"):
        ranked[row["sentence"], row["judge"]].add(row["system"])
    texts = {"source", *SYSTEMS, "A2", "A6"}
    assert all(systems == texts for systems in ranked.values())
    assert Counter(sentence for sentence, _ in ranked) == {str(n): 2 for n in range(1, 80, 2)}
    assert {judge for _, judge in ranked} == {"Ines", "Jakub", "Maria"}
