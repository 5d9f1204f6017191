"""`draw_sample`: strata, numbers, further draws, and what is refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from jurybox.errors import InputError, JuryboxWarning, UnknownNameError, UsageError
from jurybox.formats import Input
from jurybox.formats.tables.sample_key import Division, SampleKey
from jurybox.formats.tables.sample_key import read as read_key
from jurybox.model import Case, CaseSet
from jurybox.sample.draw import draw_sample
from jurybox.sample.draw.result import SampleDraw

DECIDED = {f"c{k}": "error" if k % 10 == 0 else "ok" for k in range(200)}


def counts(drawn: SampleDraw) -> dict[str, tuple[int, int]]:
    return {one.name: (one.size, one.sampled) for one in drawn.key.strata}


def table(*rows: str, header: str = "case,label,score,construction") -> Input:
    return Input.from_lines([header, *rows], "decisions.csv")


def mixed() -> Input:
    """Scores from 0 to .99 and two constructions, errors from .8 on."""
    return table(
        *(
            f"c{k},{'error' if k >= 80 else 'ok'},{k / 100},{'article' if k % 4 else 'comma'}"
            for k in range(100)
        )
    )


def test_cases_come_from_the_part_they_are_said_to_come_from() -> None:
    drawn = draw_sample(DECIDED, error=7, ok=30)
    assert counts(drawn) == {"error": (20, 7), "ok": (180, 30)}
    assert Counter(one.stratum for one in drawn.key.drawn) == {"error": 7, "ok": 30}
    assert all(DECIDED[one.case] == one.stratum for one in drawn.key.drawn)
    assert len({one.case for one in drawn.key.drawn}) == 37


def test_the_blind_file_and_the_key_are_in_the_same_order() -> None:
    cases = CaseSet(tuple(Case(name, f"Sentence of {name} .", 0, 1, name) for name in DECIDED))
    drawn = draw_sample(DECIDED, error=5, ok=10, cases=cases)
    for shown, one in zip(drawn.blind, drawn.key.drawn, strict=True):
        assert shown == Case(one.id, f"Sentence of {one.case} .", 0, 1, one.case)


def test_the_same_seed_draws_the_same_and_another_seed_does_not() -> None:
    first = draw_sample(DECIDED, error=5, ok=20, seed=3)
    assert draw_sample(DECIDED, error=5, ok=20, seed=3).key == first.key
    other = draw_sample(DECIDED, error=5, ok=20, seed=4)
    assert {one.case for one in other.key.drawn} != {one.case for one in first.key.drawn}
    assert first.key.seed == 3


def test_ids_of_two_draws_never_meet_even_with_the_same_seed() -> None:
    """Judgments of one draw would else be taken for those of another."""
    draws = [draw_sample(DECIDED, error=n, ok=20) for n in (5, 6)]
    draws.append(draw_sample({**DECIDED, "more": "ok"}, error=5, ok=20))
    draws.append(draw_sample(DECIDED, error=5, ok=20, seed=2))
    ids = [one.id for draw in draws for one in draw.key.drawn]
    assert len(set(ids)) == len(ids)


def test_all_of_a_part_can_be_drawn_and_nothing_more() -> None:
    drawn = draw_sample(DECIDED, error=20, ok=1)
    assert {one.case for one in drawn.key.drawn if one.stratum == "error"} == {
        case for case, label in DECIDED.items() if label == "error"
    }
    with pytest.raises(InputError, match=r"--error 21: decisions \(dict\) has 20 cases in part"):
        draw_sample(DECIDED, error=21, ok=1)


def test_verification_draws_and_warns_that_recall_stays_unknown() -> None:
    with pytest.warns(JuryboxWarning, match="nothing was drawn from 'ok': recall cannot"):
        drawn = draw_sample(DECIDED, error=5, ok=0)
    assert counts(drawn)["ok"] == (180, 0)
    assert drawn.warnings == ("nothing was drawn from 'ok': recall cannot be estimated",)


def test_a_system_that_flags_nothing_has_an_empty_part() -> None:
    drawn = draw_sample(dict.fromkeys("abcdef", "ok"), error=0, ok=3)
    assert counts(drawn) == {"error": (0, 0), "ok": (6, 3)}
    with pytest.raises(InputError, match="has 0 cases in part 'error'"):
        draw_sample(dict.fromkeys("abcdef", "ok"), error=1, ok=3)


# --- more strata ---


def test_strata_by_score_begin_at_their_edges() -> None:
    drawn = draw_sample(mixed(), error=10, ok=20, by="score=.4,.9")
    assert counts(drawn) == {
        "error/0.4to0.9": (10, 5),
        "error/from0.9": (10, 5),
        "ok/under0.4": (40, 10),
        "ok/0.4to0.9": (40, 10),
    }
    scores = {one.case: int(one.case[1:]) / 100 for one in drawn.key.drawn}
    assert all(scores[one.case] < 0.4 for one in drawn.key.drawn if one.stratum == "ok/under0.4")
    assert drawn.key.by == (Division("score", (0.4, 0.9)),)


def test_strata_by_two_things_are_named_by_both() -> None:
    drawn = draw_sample(mixed(), error=10, ok=20, by=["construction", "score=.9"])
    assert counts(drawn)["error/article/from0.9"][0] == 8
    assert [name for name in counts(drawn) if name.startswith("ok")] == [
        "ok/article/under0.9",
        "ok/comma/under0.9",
    ]


def test_a_stratum_with_a_number_of_its_own_gets_it_and_the_others_share_the_rest() -> None:
    drawn = draw_sample(mixed(), error=4, ok=12, by="construction", strata={"ok/comma": 20})
    assert counts(drawn)["ok/comma"] == (20, 20)
    assert counts(drawn)["ok/article"] == (60, 12)


def test_documents_are_taken_from_the_cases_where_the_decisions_do_not_tell_them() -> None:
    lines = [f"c{k},essay-{k % 2},Sentence {k} ." for k in range(200)]
    cases = Input.from_lines(["case,document,sentence", *lines], "cases.csv")
    drawn = draw_sample(DECIDED, error=4, ok=10, by="document", cases=cases)
    assert counts(drawn) == {
        "error/essay-0": (20, 4),
        "ok/essay-0": (80, 4),
        "ok/essay-1": (100, 6),
    }
    assert drawn.blind[0].sentence.startswith("Sentence")
    assert drawn.blind[0].document is None
    memory = CaseSet(tuple(Case(f"c{k}", document=f"essay-{k % 2}") for k in range(200)))
    assert counts(draw_sample(DECIDED, error=4, ok=10, by="document", cases=memory)) == counts(
        drawn
    )


def test_an_unknown_stratum_is_told_the_near_one() -> None:
    with pytest.raises(
        InputError, match="--stratum ok/coma: unknown stratum; did you mean 'ok/com"
    ):
        draw_sample(mixed(), error=4, ok=12, by="construction", strata={"ok/coma": 20})


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("scroe=.5", "did you mean 'score'"),
        ("score", "write rising edges"),
        ("score=.5,.2", "write rising edges"),
        ("score=.5,nan", "write rising edges"),
        ("document=2", "only scores have edges"),
        (["document", "document"], "divides once"),
    ],
)
def test_strata_that_make_no_sense_are_refused(by: str | list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        draw_sample(mixed(), error=4, ok=12, by=by)


def test_strata_nobody_tells_are_refused() -> None:
    with pytest.raises(InputError, match="--by document: the decisions have no column 'document'"):
        draw_sample(mixed(), error=4, ok=12, by="document")
    with pytest.raises(InputError, match="case 'b' has no construction"):
        draw_sample(table("a,ok,.1,comma", "b,ok,.1, "), error=0, ok=1, by="construction")


def test_too_few_cases_for_the_strata_are_refused() -> None:
    with pytest.raises(InputError, match="--ok 1: 1 cases for 2 strata without any; ask for 2"):
        draw_sample(mixed(), error=4, ok=1, by="construction")


# --- further draws ---


def test_further_draws_never_repeat_a_case_until_all_are_drawn() -> None:
    keys: list[SampleKey] = []
    for _ in range(4):
        keys.append(draw_sample(DECIDED, error=5, ok=45, after=keys).key)
    cases = [one.case for key in keys for one in key.drawn]
    assert sorted(cases) == sorted(DECIDED)
    assert len({one.id for key in keys for one in key.drawn}) == 200
    assert keys[3].after == tuple(key.checksum for key in keys[:3])
    with pytest.raises(InputError, match="of which 20 were drawn before; draw 0 at most"):
        draw_sample(DECIDED, error=1, ok=0, after=keys)


def test_a_further_draw_has_the_strata_of_the_first() -> None:
    first = draw_sample(mixed(), error=4, ok=10, by="construction").key
    second = draw_sample(mixed(), error=2, ok=5, after=first)
    assert second.key.by == first.by
    assert [one.name for one in second.key.strata] == [one.name for one in first.strata]
    assert sum(one.earlier for one in second.strata) == 14
    with pytest.raises(InputError, match="was drawn with other strata; leave --by out"):
        draw_sample(mixed(), error=2, ok=5, after=first, by="score=.5")


def test_all_earlier_keys_must_be_named() -> None:
    first = draw_sample(DECIDED, error=2, ok=2).key
    second = draw_sample(DECIDED, error=2, ok=2, after=first).key
    with pytest.raises(InputError, match="name the keys of all earlier draws"):
        draw_sample(DECIDED, error=2, ok=2, after=second)


def test_decisions_that_changed_since_the_earlier_draw_are_refused() -> None:
    first = draw_sample(DECIDED, error=20, ok=20).key
    one = first.drawn[0].case
    changed = {**DECIDED, one: "ok" if DECIDED[one] == "error" else "error"}
    with pytest.raises(InputError, match=f"case '{one}' was drawn from '{DECIDED[one]}' before"):
        draw_sample(changed, error=0, ok=2, after=first)
    with pytest.raises(InputError, match="'ok' had 180 cases, here it has 181"):
        draw_sample({**DECIDED, "new": "ok"}, error=0, ok=2, after=first)


def test_the_edited_key_of_an_earlier_draw_is_refused(tmp_path: Path) -> None:
    draw_sample(DECIDED, error=2, ok=2).save(None, tmp_path / "key.jsonl")
    text = (tmp_path / "key.jsonl").read_text("utf-8")
    (tmp_path / "key.jsonl").write_text(text.replace('"seed": 1', '"seed": 2'), "utf-8")
    with pytest.raises(InputError, match="was changed after it was drawn"):
        draw_sample(DECIDED, error=2, ok=2, after=tmp_path / "key.jsonl")


# --- what is refused ---


def test_a_case_that_is_decided_twice_is_named_with_both_lines() -> None:
    rows = [f"c{k},ok,.1,comma" for k in range(50)]
    with pytest.raises(
        InputError, match=r"csv:52: case 'c7' is decided before, in line 9; keep one"
    ):
        draw_sample(table(*rows, "c7,error,.1,comma"), error=0, ok=5)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ((-1, 2, 1, 0), "--error must be 0 or more, not -1"),
        ((0, 0, 1, 0), "nothing to draw"),
        ((1, 1, -3, 0), "--seed"),
        ((1, 1, 1, -2), "--stratum ok"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(
    wanted: tuple[int, int, int, int], message: str
) -> None:
    error, ok, seed, of_stratum = wanted
    with pytest.raises(UsageError, match=message):
        draw_sample(DECIDED, error=error, ok=ok, seed=seed, strata={"ok": of_stratum})


def test_unknown_kinds_of_strata_are_unknown_names() -> None:
    with pytest.raises(UnknownNameError):
        draw_sample(DECIDED, error=1, ok=1, by="paragraph")


def test_thresholds_labels_and_columns_are_those_of_the_decisions() -> None:
    given = Input.from_lines(["id,said,p", "a,bad,.9", "b,good,.8", "c,good,.1"])
    columns = {"case": "id", "label": "said", "score": "p"}
    labels = {"bad": "error", "good": "ok"}
    drawn = draw_sample(given, error=1, ok=1, columns=columns, relabel=labels)
    assert counts(drawn) == {"error": (1, 1), "ok": (2, 1)}
    drawn = draw_sample(given, error=1, ok=1, columns=columns, relabel=labels, threshold=0.5)
    assert counts(drawn) == {"error": (2, 1), "ok": (1, 1)}


# --- files ---


def test_saved_files_hold_the_draw_and_are_not_written_over(tmp_path: Path) -> None:
    drawn = draw_sample(DECIDED, error=5, ok=10)
    drawn = drawn.save(tmp_path / "blind.csv", tmp_path / "key.jsonl")
    assert read_key(tmp_path / "key.jsonl") == drawn.key
    lines = (tmp_path / "blind.csv").read_text("utf-8").splitlines()
    assert lines == ["case", *(one.id for one in drawn.key.drawn)]
    assert drawn.written == (
        ("blind", str(tmp_path / "blind.csv")),
        ("key", str(tmp_path / "key.jsonl")),
    )
    with pytest.raises(InputError, match="is there already"):
        drawn.save(None, tmp_path / "key.jsonl")


def test_a_later_draw_from_other_decisions_of_the_same_sizes_is_refused() -> None:
    first = draw_sample(mixed(), error=2, ok=5).key
    rows = [line.replace("0.11,", "0.12,") for _, line in mixed().lines()]
    with pytest.raises(InputError, match="their SHA-256 differ; with --after"):
        draw_sample(table(*rows[1:], header=rows[0]), error=2, ok=5, after=first)


def test_the_threshold_is_in_the_key_and_stays_for_later_draws() -> None:
    first = draw_sample(mixed(), error=2, ok=5, threshold=0.5)
    assert counts(first) == {"error": (50, 2), "ok": (50, 5)}
    assert first.key.threshold == 0.5
    second = draw_sample(mixed(), error=2, ok=5, after=first.key)
    assert (second.key.threshold, counts(second)) == (0.5, counts(first))
    with pytest.raises(InputError, match=r"drawn with --threshold 0\.5; leave --threshold out"):
        draw_sample(mixed(), error=2, ok=5, after=first.key, threshold=0.4)
