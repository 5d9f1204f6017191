"""The dashboard: its numbers are those of the library on the exported file."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from jurybox.cli import run
from jurybox.errors import FormatError
from jurybox.formats import Input
from jurybox.raters.agree import agree
from jurybox.sample.estimate import estimate_sample
from jurybox.serve.dashboard import dashboard_of, gold_share
from jurybox.serve.dashboard.findings import find
from jurybox.serve.model import Project, Standing
from jurybox.serve.settings import GoldRule, Settings, Task
from jurybox.serve.store import Store, open_store
from serve.made_studies import judge, make_cases, make_project
from serve.running_site import Person, Running, heading
from serve.watched_studies import EVERYTHING, NOW, add_key, flag_only, judge_some, make_study


def exported(store: Store, project: Project, **options: Any) -> Input:
    """What an admin downloads."""
    out = io.StringIO()
    store.export(project.id, out, "csv", **options)
    return Input.from_text(out.getvalue(), "judgments.csv")


# --- the same numbers ---


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")  # repeats, cases not judged
@pytest.mark.parametrize("task", [Task.JUDGE, Task.TRAINED, Task.CLOZE, Task.CHOICE])
@pytest.mark.slow
def test_agreement_is_that_of_jurybox_agree_on_the_download_without_gold(
    store: Store, task: Task
) -> None:
    """And without flagged raters."""
    project = make_study(store, 20, task=task, per_case=3, **EVERYTHING)
    judge_some(store, project, 120, raters=4)
    flag_only(store, project, 3)
    found = find(store, project, NOW)
    said = agree([exported(store, project, gold=False)], ci=True)
    assert [one.name for one in found.agreement.measures] == [
        "observed",
        "fleiss_kappa",
        "alpha_nominal",
    ]
    for one in found.agreement.measures:
        assert said.intervals is not None
        spread = said.intervals[one.name]
        assert one.value == said[one.name].value
        assert (one.low, one.high) == (spread.low, spread.high)
    assert found.agreement.judgments == said.sizes.judgments
    assert found.agreement.labels == said.labels
    again = () if said.self_agreement is None else said.self_agreement.raters
    assert {name: tuple(one) for name, one in found.again.items()} == {
        one.rater: (one.repeats, one.same) for one in again
    }


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
@pytest.mark.parametrize("task", [Task.JUDGE, Task.TRAINED])
def test_the_estimate_is_that_of_jurybox_sample_estimate_on_the_download(
    store: Store, task: Task
) -> None:
    project = make_study(store, task=task, **EVERYTHING)
    judge_some(store, project, 60)
    flag_only(store, project, 3)
    found = find(store, project, NOW).estimate
    said = estimate_sample(store.sample_keys(project.id), [exported(store, project)])
    assert [one.name for one in found.measures] == ["precision", "recall", "error_rate"]
    for one in found.measures:
        other = said[one.name]
        assert (one.value, one.low, one.high) == (other.estimate, other.low, other.high)
    assert found.strata == said.strata
    assert found.flagged is not None
    assert said.flagged is not None
    assert found.flagged.changes == said.flagged.changes


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_the_choice_experiment_is_that_of_jurybox_agree(lite: Store) -> None:
    project = make_study(lite, task=Task.CHOICE)
    judge_some(lite, project, 40)
    said = agree([exported(lite, project)]).choices
    assert said is not None
    assert find(lite, project, NOW).agreement.choices == said


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_a_choice_between_words_of_unknown_origin_has_agreement_but_no_share(lite: Store) -> None:
    """Tetreault and Chodorow (2008, 4.2), a task of `detect selection`: only its key knows."""
    project = lite.create_project(Settings("pairs", Task.CHOICE, per_case=2))
    cases = [replace(case, written="") for case in make_cases(20)]
    project = lite.add_cases(project.id, cases)
    judge_some(lite, project, 40)
    found = find(lite, project, NOW).agreement
    assert (found.choices, found.shared, found.reason) == (None, 20, "")
    with pytest.raises(FormatError, match=r"judgments.csv:2: .*nothing says which is the writer's"):
        agree([exported(lite, project)])


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_the_command_line_makes_such_a_project_and_prints_its_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"c{i},c{i} is at home .,2,3\n" for i in range(12))
    (tmp_path / "cases.csv").write_text(f"case,sentence,start,end\n{rows}", "utf-8")
    url = f"{tmp_path}/study.db"
    new = ["serve", "new", "drawn", "--db", url, "--cases", f"{tmp_path}/cases.csv"]
    assert run([*new, "--pay", "$12/hour", "--fee", "20%", "--precise-within", ".05"]) == 0
    with open_store(url) as store:
        project = store.project("drawn")
        settings = project.settings
        assert (settings.pay, settings.fee, settings.precise_within) == ("$12/hour", "20%", 0.05)
        add_key(store, project, 12)
        judge_some(store, project, 12)
        found = find(store, project, NOW).estimate
    capsys.readouterr()
    assert run(["sample", "estimate", "--db", url, "--project", "drawn", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    for one in found.measures:
        said = printed[one.name]
        assert (one.value, one.low, one.high) == (said["estimate"], said["low"], said["high"])


def test_notes_name_no_file_of_the_server(lite: Store) -> None:
    """The library tells in which line of which file a rater judged again; there is no file."""
    # without the gold rule, which now and then flags all three raters: then there are no notes
    project = make_study(lite, 60, **{**EVERYTHING, "gold_rule": None})
    judge_some(lite, project, 60)  # some of them gold: not all cases are judged
    notes = find(lite, project, NOW).estimate.notes
    assert notes
    assert not [note for note in notes if "sqlite" in note or "line" in note]


def test_a_key_that_is_added_later_counts_at_once(lite: Store) -> None:
    project = make_project(lite, 12)
    judge_some(lite, project, 12)
    assert "no key" in find(lite, project, NOW).estimate.reason
    add_key(lite, project, 12)
    assert find(lite, project, NOW).estimate.measures


# --- what does not apply, or not yet ---


def test_without_judgments_nothing_is_made_up(lite: Store) -> None:
    board = dashboard_of(lite, make_study(lite, precise_within=0.1), now=NOW)
    assert board.findings is not None
    assert board.findings.agreement.reason == "There are no judgments yet."
    assert board.findings.estimate.reason == "There are no judgments yet."
    assert (board.pace, board.done) == (None, None)
    assert board.forecast is not None
    assert board.forecast.reason == "There are no judgments yet."


def test_agreement_waits_for_ten_cases_with_two_answers(lite: Store) -> None:
    project = make_study(lite, 10, task=Task.CLOZE)
    judge_some(lite, project, 13, raters=2)
    few = find(lite, project, NOW).agreement
    assert 0 < few.shared < 10
    assert few.measures == ()
    assert f"{few.shared} case" in few.reason
    judge_some(lite, project, 20, raters=2, seed=5)
    assert find(lite, project, NOW).agreement.measures


def test_one_judgment_for_each_case_is_no_agreement(lite: Store) -> None:
    project = make_study(lite, per_case=1)
    judge_some(lite, project, 20)
    assert find(lite, project, NOW).agreement.reason.startswith("Every case is judged once")


def test_essays_have_progress_pace_and_cost_and_the_rest_is_told(lite: Store) -> None:
    project = make_study(lite, 12, task=Task.CORRECT, pay="$2")
    judge_some(lite, project, 12)
    board = dashboard_of(lite, project, now=NOW)
    assert board.progress.judgments == 12
    assert board.pace is not None
    assert board.costs is not None
    assert board.costs.so_far.total == Decimal(24)
    assert board.findings is not None
    assert board.findings.agreement.reason.startswith("Not for essays")
    assert not board.findings.estimate.measures


# --- raters ---


def test_self_agreement_is_told_of_the_rater_who_saw_cases_again(lite: Store) -> None:
    project = make_study(lite, 40, repeat_share=0.5)
    lite.join(project.id)
    second = lite.join(project.id).id
    for step in range(50):
        judge(lite, second, "ok", now=NOW + step)
    first, line = dashboard_of(lite, project, now=NOW + 60).raters
    assert (first.rater.name, first.again) == ("R1", None)
    assert line.rater.name == "R2"
    assert line.again is not None
    done = lite.progress(project.id).judgments
    assert line.again.repeats == line.again.same == 50 - done > 0


def test_gold_accuracy_has_its_counts_and_who_breaks_the_rule_is_told(lite: Store) -> None:
    """The right answer to gold is always error: one rater says so, one never does."""
    project = make_study(lite, gold_rate=0.5, gold_rule=GoldRule(0.9, 2, "warn"))
    for label in ("error", "ok"):
        rater = lite.join(project.id).id
        for step in range(12):
            judge(lite, rater, label, now=NOW + step)
    good, bad = dashboard_of(lite, project, now=NOW + 60).raters
    assert good.gold is not None
    assert bad.gold is not None
    assert good.gold.right == good.gold.seen == good.rater.gold_seen >= 2
    assert (bad.gold.right, bad.gold.seen) == (0, bad.rater.gold_seen)
    assert (good.is_below, bad.is_below) == (False, True)
    assert (good.rater.standing, good.rater.flagged) == (Standing.ACTIVE, False)
    assert (bad.rater.standing, bad.rater.flagged) == (Standing.WARNED, True)
    assert dashboard_of(lite, project, now=NOW + 60).flagged == 1


def test_a_rater_who_never_answered_has_no_numbers(lite: Store) -> None:
    project = make_study(lite)
    lite.join(project.id)
    (line,) = dashboard_of(lite, project, now=NOW).raters
    assert (line.gold, line.again, line.seconds, line.last) == (None, None, None, None)


def test_the_interval_of_gold_is_wilsons() -> None:
    """Brown, Cai and DasGupta (2001): 9 of 10 at 95 %."""
    share = gold_share(9, 10)
    assert (round(share.low, 4), round(share.high, 4)) == (0.5958, 0.9821)


# --- JSON ---


def test_json_holds_every_number_of_the_page(lite: Store) -> None:
    settings = {"per_case": 3, "pay": "$0.05", "fee": "20%", "precise_within": 0.05, **EVERYTHING}
    project = make_study(lite, 18, **settings)
    judge_some(lite, project, 120, raters=4)
    flag_only(lite, project, 3)
    record = dashboard_of(lite, project, now=NOW).to_dict()
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    board = dashboard_of(lite, project, now=NOW)
    assert board.findings is not None
    assert record["progress"] == board.progress._asdict()
    assert record["strata"]["error"]["cases"] == 6
    assert [one["rater"] for one in record["raters"]] == ["R1", "R2", "R3", "R4"]
    assert sum(record["pace"]["last_24_hours"].values()) == board.progress.judgments
    kappa = board.findings.agreement.measures[1]
    assert record["agreement"]["measures"]["fleiss_kappa"]["value"] == kappa.value
    flagged = record["agreement"]["flagged"]
    assert (flagged["raters"], flagged["counted"]) == (1, False)
    assert record["estimate"]["flagged"]["raters"] == 1
    precision = board.findings.estimate.measure("precision")
    assert record["estimate"]["measures"]["precision"]["low"] == precision.low
    assert record["outlook"]["within"] == 0.05
    assert board.costs is not None
    assert Decimal(record["costs"]["so_far"]["total"]) == board.costs.so_far.total


# --- pages ---


@pytest.mark.parametrize("task", list(Task))
def test_the_page_shows_every_task_before_and_after_judgments(ada: Person, task: Task) -> None:
    project = make_study(ada.site.store, 12, task=task)
    path = f"/admin/projects/{project.id}/dashboard"
    assert "0</span> <span" in ada.open(path).text.replace("\n", "")
    judge_some(ada.site.store, project, 24)
    page = ada.open(path)
    assert page.status_code == 200
    assert heading(page) == "watched"
    done = ada.site.store.progress(project.id).judgments
    assert done
    assert f'<span class="big">{done}</span>' in page.text
    does_not_apply = "Precision and recall do not apply here" in page.text
    assert does_not_apply == (task not in (Task.JUDGE, Task.TRAINED, Task.EXTRANEOUS))
    assert ("Not for essays" in page.text) == (task == Task.CORRECT)


def test_the_board_is_a_piece_of_the_page(ada: Person) -> None:
    project = make_study(ada.site.store)
    judge_some(ada.site.store, project, 20)
    board = ada.open(f"/admin/projects/{project.id}/dashboard/board")
    assert "<html" not in board.text
    assert board.text.count("<section ") == 7
    assert board.headers["cache-control"] == "no-store"


def test_whoever_is_not_logged_in_sees_no_number(site: Running) -> None:
    project = make_study(site.store)
    path = f"/admin/projects/{project.id}/dashboard"
    with Person(site) as somebody:
        assert heading(somebody.open(path)) == "Log in"
        board = somebody.open(f"{path}/board")
        assert (board.status_code, board.text) == (403, "You are not logged in.")
        assert somebody.send(path, pay="$1").status_code == 403
    assert site.store.project("watched").settings.pay == ""


@pytest.mark.parametrize("path", ["dashboard", "dashboard/board"])
def test_a_project_that_is_none_is_told(ada: Person, path: str) -> None:
    assert ada.open(f"/admin/projects/77/{path}").status_code == 404


def test_pay_and_wish_can_be_changed_on_the_page(ada: Person) -> None:
    project = make_study(ada.site.store)
    judge_some(ada.site.store, project, 20)
    path = f"/admin/projects/{project.id}/dashboard"
    assert "Set the pay below" in ada.open(path).text
    page = ada.send(path, pay="$0.05", fee="20%", precise_within="0.04")
    assert "$1.20" in page.text  # 20 answers
    assert "The goal is ± 0.04" in page.text
    page = ada.send(path, pay="", fee="", precise_within="")
    assert "Set the pay below" in page.text
    assert ada.site.store.project("watched").settings == project.settings


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"pay": "much"}, "“Pay” much: write what one judgment is paid"),
        ({"pay": "$1", "fee": "half"}, "“Fee of a marketplace” half: write a share"),
        ({"fee": "20%"}, "say with “Pay” what a judgment is paid"),
        ({"precise_within": "2"}, "“Precise within” is a share between 0 and 1"),
        ({"precise_within": "nan"}, "“Precise within” is a share between 0 and 1"),
        ({"pay": "\0"}, "a character that cannot be stored"),
    ],
)
def test_what_is_wrong_with_pay_is_said_and_typed_text_is_kept(
    ada: Person, fields: dict[str, str], message: str
) -> None:
    project = make_study(ada.site.store)
    path = f"/admin/projects/{project.id}/dashboard"
    ada.open(path)
    page = ada.send(path, **fields)
    assert page.status_code == 422
    assert message in page.text
    if "\0" not in fields.get("pay", ""):
        assert all(f'value="{text}"' in page.text for text in fields.values())
    assert ada.site.store.project("watched").settings == project.settings


def test_a_forged_form_changes_nothing(ada: Person) -> None:
    project = make_study(ada.site.store)
    path = f"/admin/projects/{project.id}/dashboard"
    ada.open(path)
    assert ada.send(path, pay="$9", csrf_token="forged").status_code == 403
    assert ada.site.store.project("watched").settings.pay == ""


def test_names_with_markup_stay_text(ada: Person) -> None:
    store = ada.site.store
    project = make_project(store, name="<b>&")
    page = ada.open(f"/admin/projects/{project.id}/dashboard")
    assert heading(page) == "<b>&"
    assert "<b>&" not in page.text
