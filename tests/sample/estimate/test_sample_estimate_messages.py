"""What an estimate says of judgments that are missing, left out or not its own."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import jurybox as jb
from jurybox.errors import FormatError, InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.formats.tables.sample_key import DrawnCase, KeyStratum, SampleKey, read, write
from jurybox.sample.estimate import estimate_sample


def small_key() -> SampleKey:
    strata = (KeyStratum("error", "error", 20, 4), KeyStratum("ok", "ok", 80, 6))
    flagged = tuple(DrawnCase(f"e{k}", f"case{k}", "error") for k in range(4))
    passed = tuple(DrawnCase(f"p{k}", f"case{10 + k}", "ok") for k in range(6))
    return SampleKey(strata, flagged + passed, seed=1, name="key.jsonl")


def lines_of(key: SampleKey) -> list[str]:
    errors = ("e0", "e1", "e2", "p0")
    return [f"{one.id},Ann,{'error' if one.id in errors else 'ok'}" for one in key.drawn]


def judgments(*more: str) -> Input:
    lines = ["case,rater,label", *lines_of(small_key()), *more]
    return Input.from_text("\n".join(lines) + "\n", "judgments.csv")


def test_a_judgment_on_a_case_that_was_not_drawn_is_found_in_its_file() -> None:
    with pytest.raises(FormatError, match=r"judgments.csv:12: case 'zzz' is not in key.jsonl; .*"):
        estimate_sample(small_key(), judgments("zzz,Ann,ok"))


def test_it_is_found_in_the_second_file_and_under_other_titles_too() -> None:
    first = Input.from_text("id,who,said\n" + "\n".join(lines_of(small_key())), "one.csv")
    second = Input.from_text("id,who,said\ne0,Bob,ok\nzzz,Bob,ok\n", "two.csv")
    with pytest.raises(FormatError, match=r"two.csv:3: case 'zzz'"):
        estimate_sample(
            small_key(),
            [first, second],
            columns={"case": "id", "rater": "who", "label": "said"},
        )


def test_judgments_that_verification_leaves_out_are_not_called_missing() -> None:
    with pytest.warns(JuryboxWarning, match="on what the system calls ok are left out"):
        found = estimate_sample(small_key(), judgments(), verification=True)
    assert "left out (--verification)" in found["recall"].reason
    assert found["precision"].estimate == 0.75


def test_nothing_judged_of_what_is_flagged_is_a_warning_with_the_way_out() -> None:
    with pytest.warns(JuryboxWarning, match="nothing that the system calls an error was judged;"):
        found = estimate_sample(parts={"error": (1000, 0, 0), "ok": (9000, 100, 5)})
    assert np.isnan(found["precision"].estimate)
    assert found["misses"].estimate == pytest.approx(0.045)


@pytest.mark.parametrize(
    ("counts", "message"),
    [("10:20:5", "20 sampled of 10 cases"), ("1000:750:800", "800 errors among 750 sampled cases")],
)
def test_counts_that_cannot_be_are_told_apart(counts: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        estimate_sample(parts={"error": counts, "ok": "1:1:1"})


@pytest.mark.parametrize(
    "parts",
    [
        {"error": (60, 60, 31), "ok": (900, 100, 5)},
        {"error": (0, 0, 0), "ok": (900, 100, 5)},
    ],
)
def test_what_is_known_is_not_called_doubtful(parts: dict[str, tuple[int, int, int]]) -> None:
    found = estimate_sample(parts=parts, about="corpus", method="wald")
    assert found["hits"].low == found["hits"].high
    assert found["hits"].reason == ""


def test_without_a_miss_the_interval_of_the_paper_is_still_called_doubtful() -> None:
    parts = {"error": (60, 60, 31), "ok": (900, 100, 0)}
    found = estimate_sample(parts=parts, about="corpus", method="wald")
    assert found["misses"].high == 0
    assert "takes for certainty" in found["misses"].reason


def test_a_broken_line_of_a_key_is_named_with_the_way_out() -> None:
    drawn = jb.draw_sample({"a": "error", "b": "ok", "c": "ok"}, error=1, ok=1)
    with pytest.raises(FormatError, match=r"key.jsonl:2: not a drawn case; .*draw again"):
        read(Input.from_lines([_head_of(drawn.key), '{"id": 1}'], "key.jsonl"))


def _head_of(key: SampleKey) -> str:
    out = io.StringIO()
    write(key, out)
    return out.getvalue().splitlines()[0]


def test_a_case_that_a_re_tested_system_decides_twice_is_found_in_its_file(tmp_path: Path) -> None:
    decisions = tmp_path / "new.csv"
    cases = [one.case for one in small_key().drawn]
    decisions.write_text("case,label\n" + "".join(f"{c},ok\n" for c in (*cases, cases[0])))
    with pytest.raises(InputError, match=r"new.csv:12: case 'case0' is decided twice"):
        estimate_sample(small_key(), judgments(), systems={"new": decisions})


def test_strata_of_a_few_judged_cases_are_warned_of_with_the_way_out() -> None:
    parts = {"error/a": (40, 3, 2), "error/b": (40, 9, 2), "ok": (900, 50, 3)}
    with pytest.warns(JuryboxWarning, match=r"1 of 2 strata of 'error' .*error/a.*fewer strata"):
        estimate_sample(parts=parts)


def test_a_small_stratum_that_was_judged_as_a_whole_is_not_warned_of() -> None:
    found = estimate_sample(
        parts={"error/a": (3, 3, 2), "error/b": (40, 9, 2), "ok": (900, 50, 3)}, about="corpus"
    )
    assert found.warnings == ()


def test_a_part_of_one_stratum_is_not_warned_of_however_few_were_judged() -> None:
    assert estimate_sample(parts={"error": (40, 3, 2), "ok": (900, 4, 1)}).warnings == ()
