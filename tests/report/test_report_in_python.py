"""`jb.make_report`: what the page says is what the results say, and nothing promised is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jurybox.annotators import annotators
from jurybox.ceiling import ceiling
from jurybox.compare import compare
from jurybox.compare.comparing import exchanges_for
from jurybox.compare.result import CompareResult
from jurybox.counting.panels import load_panel
from jurybox.counting.systems import systems_from
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.jury.evaluate import evaluate
from jurybox.report import make_report
from jurybox.report.compose import Report, browse
from jurybox.report.contents import recommendations_of
from jurybox.score import score
from jurybox.score.result import ScoreResult
from jurybox.tables import Table

EDIT = "A {} {}|||{}|||{}|||REQUIRED|||-NONE-|||{}\n"
NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{}\n"
SENTENCES: tuple[tuple[str, list[tuple[int, int, str, str, int]]], ...] = (
    ("She go to school .", [(1, 2, "SVA", "goes", 0), (1, 2, "SVA", "goes", 1)]),
    ("I am at home .", []),
    ("He likes a music .", [(2, 3, "ArtOrDet", "", 0), (2, 3, "ArtOrDet", "the", 1)]),
    ("We arrived to London .", [(2, 3, "Prep", "in", 0), (2, 3, "Prep", "in", 1)]),
)
GOOD = ["She goes to school .", "I am at home .", "He likes music .", "We arrived in London ."]
POOR = ["She go to school .", "I am in home .", "He likes a music .", "We arrived at London ."]

#: four cases are few, and `agree` says so
pytestmark = pytest.mark.filterwarnings("ignore:only 3 of 4 cases:jurybox.errors.JuryboxWarning")


def panel_text() -> str:
    text = ""
    for source, edits in SENTENCES:
        text += f"S {source}\n"
        for who in (0, 1):
            own = [edit for edit in edits if edit[4] == who]
            text += "".join(EDIT.format(*edit) for edit in own) or NOOP.format(who)
        text += "\n"
    return text


def made_panel() -> Input:
    return Input.from_text(panel_text())


def made_jury() -> dict[str, Input]:
    judged = "case,rater,label\n"
    for case, errors in (("c1", 3), ("c2", 0), ("c3", 2), ("c4", 1)):
        for rater in range(3):
            judged += f"{case},R{rater},{'error' if rater < errors else 'ok'}\n"
    return {
        "cases": Input.from_text("case\nc1\nc2\nc3\nc4\n"),
        "judgments": Input.from_text(judged),
    }


DECISIONS = "case,label,score\nc1,error,0.9\nc2,ok,0.1\nc3,ok,0.4\nc4,error,0.6\n"


@pytest.fixture(scope="module")
def whole() -> Report:
    """Everything at once: texts against a panel, a detector before a jury."""
    jury = made_jury()
    with pytest.warns(JuryboxWarning, match="cases have two judgments or more"):
        return make_report(
            gold=made_panel(),
            systems={"good": GOOD, "poor": POOR},
            decisions={"detector": Input.from_text(DECISIONS)},
            resamples=50,
            title="All of it",
            cases=jury["cases"],
            judgments=jury["judgments"],
        )


def test_people_come_before_systems_and_every_result_has_its_section(whole: Report) -> None:
    assert [section.key for section in whole.page.sections] == [
        *("people", "scores", "differences", "ceiling"),
        *("jury-counts", "jury-agreement", "jury-raters", "jury-certainty", "jury-thresholds"),
        *("jury-stability", "jury-counts-2", "jury-agreement-2", "jury-raters-2"),
        *("jury-certainty-2", "raters-agreement", "raters-pairs", "screened"),
    ]


def unsigned(table: Table) -> str:
    """The page shows signatures in a place of their own."""
    notes = tuple(note for note in table.notes if not note.startswith("signature: "))
    return table._replace(notes=notes).to_text()


def test_sections_hold_every_table_of_their_results(whole: Report) -> None:
    shown = {
        unsigned(table)
        for section in whole.page.sections
        for table in (*section.tables, *section.folded)
    }
    for result in whole.results:
        tables = result.tables()
        if type(result).__name__ == "CompareResult":
            tables = tables[1:]  # the scores, which have a section of their own
        for table in tables:
            assert unsigned(table) in shown


def test_every_section_is_signed(whole: Report) -> None:
    assert all(section.signature.startswith("jurybox ") for section in whole.page.sections)


def test_leads_tell_the_numbers_of_the_results(whole: Report) -> None:
    leads = {section.key: section.lead for section in whole.page.sections}
    scored = score({"good": GOOD, "poor": POOR}, made_panel())
    assert f"good scores highest: F0.5 {scored.systems[0].f:.4f}" in leads["scores"]
    people = annotators(made_panel()).pairwise or ()
    mean = sum(pair.main for pair in people) / len(people)
    assert f"reaches F0.5 {mean:.4f} on average" in leads["people"]
    near = ceiling(made_panel(), {"good": GOOD, "poor": POOR})
    share = f"good, the best of 2, reaches {near.score('good'):.4f}: {near.ratio('good'):.0%}"
    assert f"{share} of human performance, which does not mean superhuman" in leads["ceiling"]


def test_every_figure_says_in_words_what_it_shows(whole: Report) -> None:
    figures = [figure for section in whole.page.sections for figure in section.figures]
    assert len(figures) >= 8
    assert all(
        len(figure.alt) > 30 and figure.svg.lstrip().startswith("<?xml") for figure in figures
    )


def test_all_recommendations_are_met_where_everything_was_given(whole: Report) -> None:
    told = {one.title: one.state for one in whole.page.recommendations}
    assert told.pop("What N consists of") == "partly"  # the bare cases say nothing of themselves
    assert set(told.values()) == {"met"}


def test_a_score_alone_meets_few_recommendations_and_says_what_would_help() -> None:
    alone = {one.title: one for one in recommendations_of([score(GOOD, made_panel())])}
    assert alone["The four counts: TP, FP, FN and TN"].state == "partly"
    assert alone["Intervals"].state == "missing"
    assert "--ci" in alone["Intervals"].detail
    assert "jurybox evaluate" in alone["Kappa and its curve"].detail


def test_without_scores_of_decisions_the_kappa_curve_is_missing() -> None:
    decisions = {"detector": Input.from_text("case,label\nc1,error\nc2,ok\nc3,ok\nc4,error\n")}
    jury = made_jury()
    result = evaluate(jury["cases"], jury["judgments"], decisions)
    told = {one.title: one.state for one in recommendations_of([result])}
    assert told["Kappa and its curve"] == "partly"
    assert told["Intervals"] == "missing"


def test_results_read_back_make_the_same_sections(tmp_path: Path) -> None:
    systems = {"good": GOOD, "poor": POOR}
    results = [
        score(systems, made_panel(), by="type", ci=True, resamples=50),
        compare(systems, made_panel(), resamples=50),
        ceiling(made_panel(), systems, sizes="all"),
        annotators(made_panel()),
    ]
    paths = []
    for number, result in enumerate(results):
        path = tmp_path / f"{number}.json"
        path.write_text(result.to_json(), encoding="utf-8")
        paths.append(path)
    direct, read = make_report(results), make_report(paths)
    assert read.page == direct.page
    assert read.to_html() == direct.to_html()


def test_the_browser_knows_who_made_which_edit() -> None:
    browser = browse(load_panel(made_panel()), systems_from({"good": GOOD, "poor": POOR}))
    assert (browser.annotators, browser.systems) == (("0", "1"), ("good", "poor"))
    music = browser.sentences[2]
    assert {(e.replacement, e.annotators, e.systems) for e in music.edits} == {
        ("", (0,), (0,)),
        ("the", (1,), ()),
    }
    home = browser.sentences[1]
    assert [(e.replacement, e.annotators, e.systems) for e in home.edits] == [("in", (), (1,))]


def test_who_skipped_a_sentence_is_told_apart_from_who_left_it() -> None:
    text = (
        "S A .\nA 0 1|||Nn|||B|||REQUIRED|||-NONE-|||0\n\nS C .\n" + NOOP.format(0) + NOOP.format(1)
    )
    with pytest.warns(match="skipped"):
        browser = browse(load_panel(Input.from_text(text)))
    assert [sentence.skipped for sentence in browser.sentences] == [(1,), ()]


def test_one_annotator_alone_gives_scores_and_no_ceiling() -> None:
    gold = Input.from_text("S She go .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n")
    made = make_report(gold=gold, systems={"mine": ["She goes ."]}, resamples=20)
    assert [section.key for section in made.page.sections] == ["scores"]


def test_a_panel_alone_gives_the_people_and_their_ceiling() -> None:
    made = make_report(gold=made_panel())
    assert [section.key for section in made.page.sections] == ["people", "ceiling"]


def test_gleu_makes_a_report_too() -> None:
    made = make_report(
        gold=made_panel(), systems={"good": GOOD}, metric="gleu", construction=None, resamples=20
    )
    assert [section.key for section in made.page.sections] == ["people", "scores", "ceiling"]
    assert made.page.highlights[0].title == "GLEU of good"


def test_the_same_inputs_give_the_same_page() -> None:
    made = [
        make_report(gold=made_panel(), systems={"good": GOOD, "poor": POOR}, resamples=20).to_html()
        for _ in range(2)
    ]
    assert made[0] == made[1]


def test_inputs_are_listed_once_with_their_hashes(tmp_path: Path) -> None:
    gold, output = tmp_path / "gold.m2", tmp_path / "good.txt"
    gold.write_text(panel_text(), encoding="utf-8")
    output.write_text("\n".join(GOOD) + "\n", encoding="utf-8")
    made = make_report(gold=gold, systems={"good": output}, resamples=20)
    assert sorted(Path(path).name for path, _ in made.page.inputs) == ["gold.m2", "good.txt"]
    assert all(len(sha256) == 64 for _, sha256 in made.page.inputs)


def test_nothing_to_report_is_said() -> None:
    with pytest.raises(UsageError, match="--gold"):
        make_report()


def test_judgments_without_a_detector_tell_about_the_raters() -> None:
    with pytest.warns(JuryboxWarning, match="cases have two judgments or more"):
        made = make_report(judgments=made_jury()["judgments"], resamples=20)
    keys = [section.key for section in made.page.sections]
    assert keys == ["raters-agreement", "raters-pairs", "screened"]
    assert made.page.recommendations == ()  # they are about systems


def test_a_file_that_is_no_result_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps({"a": 1}), encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.json"):
        make_report([path])


def test_the_page_is_saved_whole(tmp_path: Path, whole: Report) -> None:
    path = tmp_path / "report.html"
    whole.save(path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>") or text.startswith("<!DOCTYPE html>")
    assert "All of it" in text


def test_coverage_reaches_every_part_of_the_report() -> None:
    """The second annotator looked at the first sentence only; the file cannot tell."""
    parts = panel_text().split("\n\n")
    alone = [
        "\n".join(line for line in part.split("\n") if not line.endswith("|||1"))
        for part in parts[1:]
    ]
    looks_complete = [part and f"{part}\n{NOOP.format(1)}".rstrip() for part in alone]
    gold = Input.from_text("\n\n".join([parts[0], *looks_complete]))
    made = make_report(
        gold=gold,
        systems={"poor": POOR},
        coverage={"0": "all", "1": "1"},
        construction=None,
        resamples=20,
    )
    assert all("coverage:map" in section.signature for section in made.page.sections)
    scored = next(result for result in made.results if isinstance(result, ScoreResult))
    expected = score({"poor": POOR}, Input.from_text("\n\n".join([parts[0], *alone])))
    assert (scored.tp, scored.fp, scored.fn) == (expected.tp, expected.fp, expected.fn)
    assert scored.fn > score({"poor": POOR}, gold).fn  # who skipped does not count as content


def test_a_warning_of_all_parts_is_given_once() -> None:
    text = "S A .\nA 0 1|||Nn|||B|||REQUIRED|||-NONE-|||0\n\nS C .\n" + NOOP.format(0)
    with pytest.warns(match="skipped") as told:
        make_report(gold=Input.from_text(text + NOOP.format(1)), resamples=20)
    assert len(told) == 1


def test_one_annotator_is_no_jury() -> None:
    gold = Input.from_text("S She go .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n")
    made = make_report(gold=gold, systems={"mine": ["She goes ."]}, resamples=20)
    told = {one.title: one for one in made.page.recommendations}
    assert told["How many judges, and counts weighted by them"].state == "partly"


def test_a_ceiling_without_interval_is_said() -> None:
    result = ceiling(made_panel(), {"good": GOOD})
    told = {
        one.title: one for one in recommendations_of([score(GOOD, made_panel(), ci=True), result])
    }
    assert told["Intervals"].state == "partly"
    assert "none of ceiling" in told["Intervals"].detail


def test_a_headline_without_interval_has_no_stray_comma() -> None:
    made = make_report([score({"good": GOOD, "poor": POOR}, made_panel())])
    assert made.page.highlights[0].detail == "the best of 2"


def test_systems_that_tie_are_all_named_as_the_best() -> None:
    systems = {"good": GOOD, "poor": POOR, "same": GOOD}
    made = make_report([score(systems, made_panel()), ceiling(made_panel(), systems)])
    scored, share, _ = made.page.highlights
    assert scored.title == "F0.5 of good and same"
    assert scored.detail == "the best of 3 (tied)"
    assert share.title == "of human performance"
    assert share.detail.startswith("good and same, the best of 3 (tied), ")
    leads = {section.key: section.lead for section in made.page.sections}
    assert "Of 3 systems good and same score highest" in leads["scores"]
    assert "good and same, the best of 3 (tied), reaches" in leads["ceiling"]


def test_many_systems_get_enough_exchanges_to_be_decided() -> None:
    systems = {f"s{number}": GOOD if number % 2 else POOR for number in range(8)}
    made = make_report(gold=made_panel(), systems=systems, construction=None, resamples=20)
    compared = next(one for one in made.results if isinstance(one, CompareResult))
    assert len(compared.pairs) == 28
    enough = exchanges_for(28, compared.alpha, 20)
    assert {pair.exchanges for pair in compared.pairs if pair.p_randomisation <= 0.05} <= {enough}


def test_a_page_to_show_around_does_not_tell_where_the_files_are(tmp_path: Path) -> None:
    gold = tmp_path / "gold.m2"
    gold.write_text(panel_text(), encoding="utf-8")
    made = make_report(gold=gold, resamples=20)
    assert str(tmp_path) not in made.to_html()
