"""Balanced sets: confirmed errors and as many correct uses (Madnani et al. 2011, section 2.1)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import jurybox as jb
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.jury.balance import balance_cases
from jurybox.jury.balance.result import BalancedCases

HEAD = "case,sentence,start,end,written,construction"


def case_lines(name: str, number: int, *, first: int = 0) -> list[str]:
    return [
        f"{name}{n},They marry with {name}{n} her,2,3,with,extraneous-preposition"
        for n in range(first, first + number)
    ]


def file_of(*lines: str, head: str = HEAD) -> Input:
    return Input.from_lines([head, *lines])


def votes(name: str, number: int, labels: str) -> list[str]:
    """Judgments of raters 0, 1 … on cases NAME0, NAME1 …: e error, o ok, u unknown."""
    words = {"e": "error", "o": "ok", "u": "unknown"}
    return [
        f"{name}{n},R{rater},{words[label]}"
        for n in range(number)
        for rater, label in enumerate(labels)
    ]


def balanced(cases: Any, judgments: list[str] | None = None, **options: Any) -> BalancedCases:
    said = None if judgments is None else file_of(*judgments, head="case,rater,label")
    return balance_cases(cases, said, **options)


def the_paper() -> tuple[Input, Input]:
    """600 confirmed errors among 1,000 mined candidates, and 700 correct uses."""
    mined = file_of(*case_lines("bad", 600), *case_lines("good", 700), *case_lines("tied", 300))
    said = [*votes("bad", 600, "eeo"), *votes("good", 700, "ooe"), *votes("tied", 300, "eou")]
    return mined, file_of(*said, head="case,rater,label")


def test_five_hundred_errors_and_as_many_correct_uses() -> None:
    """Section 2.1: 500 + 500 sentences, an error rate of 50 %; section 3: 75 of them are gold."""
    result = balance_cases(*the_paper(), errors=500, gold_cases=75)
    assert (result.errors.confirmed, result.errors.drawn, result.errors.left_over) == (
        600,
        500,
        100,
    )
    assert (result.correct.confirmed, result.correct.drawn) == (700, 500)
    assert result.left_out.undecided == 300
    ids = [case.id for case in result.case_set]
    assert len(set(ids)) == 1000
    assert sum(name.startswith("bad") for name in ids) == 500
    gold = [case for case in result.case_set if case.gold]
    assert (len(gold), result.gold) == (75, 75)
    assert all(case.gold == ("error" if case.id.startswith("bad") else "ok",) for case in gold)


def test_the_seed_decides_and_the_order_tells_nothing() -> None:
    one, again, other = (
        [case.id for case in balance_cases(*the_paper(), errors=200, seed=seed).case_set]
        for seed in (1, 1, 2)
    )
    assert one == again
    assert set(one) != set(other)
    half = sum(name.startswith("bad") for name in one[:200])
    assert 70 < half < 130  # shuffled: neither half stands first


def test_other_cases_in_the_files_do_not_change_who_is_drawn() -> None:
    """A case's lot is its own: it is drawn before the same cases whatever else there is."""
    said = [*votes("bad", 40, "e"), *votes("good", 80, "o")]
    few = balanced(file_of(*case_lines("bad", 40), *case_lines("good", 80)), said, errors=20)
    shuffled = file_of(*case_lines("good", 80)[::-1], *case_lines("bad", 40))
    assert set(few.case_set) == set(balanced(shuffled, said, errors=20).case_set)


def test_gold_confirms_without_judgments_and_is_not_handed_on() -> None:
    given = file_of("a,error", "b,ok", "c,ok", 'd,"[""error"", ""ok""]"', head="case,gold")
    result = balanced(given)
    assert (result.errors.confirmed, result.correct.confirmed) == (1, 2)
    assert result.left_out.undecided == 1
    assert all(not case.gold for case in result.case_set)


def test_agreement_asks_for_more_than_a_majority() -> None:
    cases = file_of(*case_lines("bad", 3), *case_lines("sure", 2), *case_lines("good", 9))
    said = [*votes("bad", 3, "eeeoo"), *votes("sure", 2, "eeeeo"), *votes("good", 9, "ooooo")]
    assert balanced(cases, said).errors.confirmed == 5
    strict = balanced(cases, said, agreement=0.8)
    assert (strict.errors.confirmed, strict.left_out.undecided) == (2, 3)
    assert "at least 0.8 of its raters" in strict.description.enumeration


def test_correct_uses_may_come_from_elsewhere_unjudged() -> None:
    """The paper added correct uses to the mined errors; nobody had judged these candidates."""
    mined, clean = file_of(*case_lines("bad", 3), *case_lines("new", 2)), case_lines("good", 5)
    said = [*votes("bad", 3, "ee"), *votes("good", 1, "ee")]
    result = balanced(mined, said, correct=file_of(*clean))
    assert (result.errors.confirmed, result.correct.confirmed, result.correct.assumed) == (4, 0, 4)
    assert result.correct.drawn == 4
    assert result.left_out.unjudged == 2


def test_duplicates_are_counted_and_dropped_on_request() -> None:
    """Footnote 3: two duplicate sentences were found and removed."""
    lines = [
        *case_lines("bad", 4),
        "again0,They marry with bad0 her,2,3,with,",
        *case_lines("g", 6),
    ]
    said = [*votes("bad", 4, "e"), "again0,R0,error", *votes("g", 6, "o")]
    kept = balanced(file_of(*lines), said)
    assert (kept.duplicates, kept.errors.confirmed) == ((1, False), 5)
    dropped = balanced(file_of(*lines), said, duplicates="drop")
    assert (dropped.duplicates, dropped.errors.confirmed) == ((1, True), 4)
    assert "left out" in str(dropped)
    assert "duplicates: 1 case at the same place" in str(kept)


def test_one_case_per_sentence_errors_first() -> None:
    same = "They go to to home"
    lines = [f"x{n},{same},{n},{n + 1},to,preposition" for n in (2, 3)]
    lines += [f"y,{same},1,2,go,", *case_lines("good", 3), *case_lines("bad", 1)]
    said = ["x2,R,error", "x3,R,error", "y,R,ok", *votes("good", 3, "o"), *votes("bad", 1, "e")]
    assert balanced(file_of(*lines), said).errors.drawn == 3
    result = balanced(file_of(*lines), said, one_per_sentence=True)
    assert (result.errors.drawn, result.errors.same_sentence) == (2, 1)
    assert (result.correct.drawn, result.correct.same_sentence) == (2, 1)
    assert len({case.sentence for case in result.case_set}) == 4


def test_trivial_cases_are_no_correct_uses() -> None:
    given = file_of("a,error,", "b,ok,", "c,ok,true", head="case,gold,trivial")
    result = balanced(given)
    assert (result.correct.confirmed, result.left_out.trivial) == (1, 1)


def test_models_and_flagged_raters_do_not_confirm_unless_asked() -> None:
    cases = file_of(*case_lines("bad", 1), *case_lines("good", 2))
    head = "case,rater,label,kind,status"
    said = ["bad0,A,error,,", "bad0,M,ok,model,", "bad0,F,ok,,flagged", "good0,A,ok,,"]
    said += ["good1,A,ok,,"]

    with pytest.warns(JuryboxWarning) as warned:
        found = balance_cases(cases, file_of(*said, head=head))
    assert found.errors.confirmed == 1
    assert any("models are left out: 1" in str(one.message) for one in warned)
    with pytest.raises(InputError, match="no confirmed error"):
        balance_cases(cases, file_of(*said, head=head), count_models=True, with_flagged=True)


def test_fewer_than_wanted_is_a_warning_and_the_halves_stay_equal() -> None:
    cases = file_of(*case_lines("bad", 5), *case_lines("good", 3))
    said = [*votes("bad", 5, "e"), *votes("good", 3, "o")]
    with pytest.warns(JuryboxWarning, match="3 confirmed errors instead of 5"):
        result = balanced(cases, said)
    assert (result.errors.drawn, result.correct.drawn) == (3, 3)
    with pytest.warns(JuryboxWarning, match="instead of 500"):
        balanced(cases, said, errors=500)


def test_judgments_on_other_cases_are_left_out_and_counted() -> None:
    cases = file_of(*case_lines("bad", 1), *case_lines("good", 1))
    said = [*votes("bad", 2, "e"), *votes("good", 1, "o")]
    with pytest.warns(JuryboxWarning, match="left out"):
        result = balanced(cases, said)
    assert result.left_out.judgments == 1


def test_what_cannot_be_built_is_refused() -> None:
    cases = file_of(*case_lines("bad", 2))
    with pytest.raises(UsageError, match="nothing tells which cases are errors"):
        balanced(cases)
    with pytest.raises(InputError, match="no correct use"):
        balanced(cases, votes("bad", 2, "e"))
    both = file_of(*case_lines("bad", 1), *case_lines("good", 1))
    with pytest.raises(UsageError, match="the set has 2 cases only"):
        balanced(both, [*votes("bad", 1, "e"), *votes("good", 1, "o")], gold_cases=3)
    other = file_of("bad0,Another sentence,0,1,Another,")
    with pytest.raises(InputError, match="'bad0' is another one in a file before"):
        balanced([cases, other], votes("bad", 2, "e"))


def test_the_set_goes_to_a_file_and_into_evaluate(tmp_path: Path) -> None:
    """What the crowd and the systems say about all cases can be evaluated on the set."""
    cases, said = the_paper()
    result = balance_cases(cases, said, errors=50).save(tmp_path / "set.jsonl")
    assert result.written[0].file.endswith("set.jsonl")
    decided = [f"bad{n},error" for n in range(600)] + [f"good{n},ok" for n in range(700)]
    decisions = file_of(*decided, head="case,label")
    with pytest.warns(JuryboxWarning, match="left out"):
        found = jb.evaluate(
            tmp_path / "set.jsonl",
            the_paper()[1],
            {"all": decisions},
            other_cases="skip",
        )
    assert (found.cases.n, found.error_rate) == (100, 0.5)
    assert found["all"].plain.counts == jb.Counts(50, 0, 0, 50)
    assert found.description.enumeration.startswith("balanced, no random sample: 50 confirmed")


def test_on_the_ten_annotators(data_dir: Path) -> None:
    """The preposition errors that most of ten annotators correct, and as many correct uses."""
    panel = sorted((data_dir / "conll14-10").rglob("A*.m2"), key=lambda path: int(path.stem[1:]))
    if not panel:
        pytest.skip("no files A1.m2 … in conll14-10")
    derived = jb.derive_cases(panel, "extraneous-preposition", tagger="words")
    table, set_of = derived.judgments, derived.case_set
    said = [
        f"{set_of[case].id},{answer >> 8},{table.labels[answer & 255]}"
        for case, answer in zip(table.case, table.answer, strict=True)
    ]
    result = balanced(set_of, said, one_per_sentence=True)
    most = derived.constructions[0].majority_error
    assert result.errors.confirmed == most > 20
    assert result.errors.drawn == result.correct.drawn
