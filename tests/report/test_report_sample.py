"""Sections of the report about samples say in words what their tables show."""

from __future__ import annotations

import warnings
from pathlib import Path

import jurybox as jb
from jurybox.report.contents import sections_of
from jurybox.sample.estimate.result import SampleEstimateResult

PAPER = {"error": (1000, 750, 600), "ok": (9000, 1500, 450)}


def test_a_plan_is_a_sentence_a_table_and_a_figure() -> None:
    plan = jb.plan_sample(
        error=1000,
        ok=9000,
        precision=0.8,
        error_rate=0.35,
        precision_within=0.03,
        recall_within=0.02,
    )
    [section] = sections_of([plan])
    assert section.lead == (
        "Judging 1,930 of 10,000 cases (683 that the system flags, 1,247 that it calls ok) takes "
        "15.4 hours instead of 80.0, and gives precision ± 0.0300 and recall ± 0.0200."
    )
    assert [table.title for table in section.tables] == ["Plan"]
    assert "<svg" in section.figures[0].svg


def test_an_estimate_leads_with_precision_recall_and_how_sure_they_are() -> None:
    [section] = sections_of([jb.estimate_sample(parts=PAPER)])
    assert section.lead == (
        "2,250 of 10,000 cases were judged. Precision is 0.800 (0.770 to 0.827) and recall is "
        "0.229 (0.210 to 0.248)."
    )
    assert [table.title for table in section.tables] == ["Estimate"]
    assert [table.title for table in section.folded] == ["What was judged", "Every interval"]
    assert "0.800 (0.770 to 0.827)" in section.figures[0].alt


def verified() -> SampleEstimateResult:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jb.JuryboxWarning)
        return jb.estimate_sample(parts={"error": (1000, 750, 600), "ok": (9000, 0, 0)})


def test_an_estimate_without_recall_says_why() -> None:
    [section] = sections_of([verified()])
    assert "recall is" not in section.lead
    assert section.lead.endswith(
        "Nothing that the system calls ok was judged; recall cannot be told without it."
    )
    assert any("verification only" in note for note in section.notes)


def retested(tmp_path: Path) -> SampleEstimateResult:
    decided = {f"c{k}": "error" if k < 40 else "ok" for k in range(200)}
    drawn = jb.draw_sample(decided, error=20, ok=60)
    judgments = tmp_path / "judgments.csv"
    lines = [
        f"{one.id},Ann,{'error' if int(one.case[1:]) % 3 == 0 else 'ok'}" for one in drawn.key.drawn
    ]
    judgments.write_text("\n".join(["case,rater,label", *lines, ""]))
    other = {case: "error" if int(case[1:]) < 60 else "ok" for case in decided}
    return jb.estimate_sample(drawn.key, judgments, systems={"new": other})


def test_other_systems_have_a_section_of_their_own(tmp_path: Path) -> None:
    result = retested(tmp_path)
    _, further = sections_of([result])
    new = result.retested[0].measures["precision"]
    assert further.lead.startswith(f"new, tested on them: precision {new.estimate:.3f} (")
    assert [table.title for table in further.tables] == ["Re-test of new"]


def test_the_page_leads_with_the_estimate_of_a_result_file(tmp_path: Path) -> None:
    file = tmp_path / "estimate.json"
    file.write_text(jb.estimate_sample(parts=PAPER).to_json())
    made = jb.make_report([file])
    assert made.summary() == [
        "0.80  precision: (0.77 to 0.83), from 2,250 of 10,000 cases",
        "0.23  recall: (0.21 to 0.25), from 2,250 of 10,000 cases",
    ]
    assert [section.title for section in made.page.sections] == ["The whole corpus, from a sample"]
    assert "corrected" in made.to_html()
