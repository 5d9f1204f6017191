"""Adjudication over HTTP: who may come in, lists, cases of every task, essays, conflicts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx
import pytest

from jurybox.serve.essays.decisions import mark_of
from jurybox.serve.model import EssayCorrection, NewCase, Project, Prolific, Role, SubmittedAnswer
from jurybox.serve.routes import adjudicating
from jurybox.serve.settings import Settings, Task
from jurybox.serve.store import Store
from serve.made_contests import GOES, RAINS, WENT, contest, contest_essay
from serve.made_studies import hand
from serve.running_site import PASSWORD, Person, Running, heading

ERROR, OK = SubmittedAnswer("error"), SubmittedAnswer("ok")


def enter(person: Person, name: str, role: Role) -> Person:
    if name not in [one.name for one in person.site.store.users()]:
        person.site.store.add_user(name, PASSWORD, role)
    person.log_in(name)
    return person


@pytest.fixture
def bea(site: Running) -> Iterator[Person]:
    with Person(site) as person:
        yield enter(person, "bea", Role.ADJUDICATOR)


def path_of(store: Store, project: Project) -> str:
    return f"/adjudicate/{project.id}/{store.next_contested(project.id)}"


def text_of(page: httpx.Response | None) -> str:
    """What a page says, without its markup."""
    assert page is not None
    body = page.text.partition("<main>")[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def decisions(store: Store, project: Project) -> list[tuple[str, str]]:
    found = store.contested(project.id, order="file", limit=1000, partial=True)
    cases = [store.contested_case(project.id, one.case).decision for one in found]
    return [("-", "") if one is None else (one.label, one.comment) for one in cases]


# --- who may come in ---


def test_raters_and_strangers_see_nothing_of_it(site: Running) -> None:
    project = contest(site.store, ERROR, OK)
    path = path_of(site.store, project)
    paths = ("/adjudicate", f"/adjudicate/{project.id}", path)
    site.store.add_user("ada", PASSWORD)
    with Person(site) as stranger, Person(site) as rob:
        enter(rob, "rob", Role.RATER)
        for one in paths:
            assert heading(stranger.open(one)) == "Log in"
            assert heading(rob.open(one)) == "What there is to judge"
        assert stranger.send(path, label="ok").status_code == 403
        page = rob.send(path, label="ok")
        assert (page.status_code, heading(page)) == (403, "You may not do this")
    assert decisions(site.store, project) == [("-", "")]


def test_admins_adjudicate_too_and_find_the_way(site: Running) -> None:
    contest(site.store, ERROR, OK)
    with Person(site) as ada:
        page = ada.log_in()
        assert 'href="/adjudicate"' in page.text
        assert heading(ada.open("/adjudicate")) == "Adjudicate"


def test_whoever_still_judges_in_a_project_sees_nothing_of_its_cases(
    site: Running, bea: Person
) -> None:
    project = contest(site.store, ERROR, OK, per_case=3)
    user = next(one for one in site.store.users() if one.name == "bea")
    (case,) = site.store.contested(project.id, partial=True)
    bea.open("/work")
    bea.send(f"/work/{project.id}")
    for path in (f"/adjudicate/{project.id}", f"/adjudicate/{project.id}/{case.case}"):
        page = bea.open(path)
        assert (page.status_code, heading(page)) == (403, "You judge in this project")
        assert "c0 is" not in page.text
    assert "no longer blind" in text_of(bea.open("/adjudicate"))
    page = bea.send(f"/adjudicate/{project.id}/{case.case}", label="ok")
    assert page.status_code == 403
    site.store.change_project(project.id, Settings("study", per_case=3, is_open=False))
    page = bea.open(f"/adjudicate/{project.id}")
    assert "one of the judgments may be your own" in text_of(page)
    assert site.store.rater_of_user(project.id, user.id) is not None


def test_whoever_decided_is_not_offered_the_project_as_work(site: Running, bea: Person) -> None:
    project = contest(site.store, ERROR, OK)
    path = path_of(site.store, project)
    bea.open(path)
    bea.send(path, label="ok")
    bea.open("/work")
    page = bea.send(f"/work/{project.id}")
    assert page.status_code == 422
    assert "cannot judge in it" in text_of(page)


# --- lists ---


def test_a_list_shows_what_is_left_and_what_is_done(
    site: Running, bea: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adjudicating, "CASES_AT_ONCE", 2)
    project = contest(site.store, ERROR, OK, OK, cases=5)
    other = contest(site.store, OK, OK, name="agreed")
    page = text_of(bea.open("/adjudicate"))
    assert "0 of 5 5 to decide" in page
    assert "no contested case yet" in page
    assert "Nobody differs yet." in text_of(bea.open(f"/adjudicate/{other.id}"))
    base = f"/adjudicate/{project.id}"
    path = path_of(site.store, project)
    bea.open(path)
    bea.send(path, label="error")
    bea.send(str(bea.page.url) if bea.page else "", do="leave")
    assert "1 of 5" in text_of(bea.open(base))
    shown = {}
    for show in ("undecided", "decided", "all"):
        bea.open(f"{base}?show={show}")
        shown[show] = [text_of(bea.page)]
        while bea.page and (more := re.search(r'href="([^"]*after=\d+)"', bea.page.text)):
            shown[show].append(text_of(bea.open(unescape(more[1]))))
    assert {show: len(pages) for show, pages in shown.items()} == {
        "undecided": 2,
        "decided": 1,
        "all": 3,
    }
    assert "left undecided" in " ".join(shown["undecided"])
    assert "· decided" in shown["decided"][0]
    assert "3 judgments, 2 of them alike" in shown["undecided"][0]


@pytest.mark.parametrize("query", ["show=nothing", "after=x", "after=" + "9" * 40, "after=-1"])
@pytest.mark.slow
def test_nonsense_in_the_address_of_a_list_is_no_fault(
    site: Running, bea: Person, query: str
) -> None:
    project = contest(site.store, ERROR, OK)
    page = bea.open(f"/adjudicate/{project.id}?{query}")
    assert page.status_code == 200
    assert "c0 is" in text_of(page)


def test_cases_of_a_closed_project_count_as_they_are(site: Running, bea: Person) -> None:
    project = contest(site.store, ERROR, OK, per_case=9)
    base = f"/adjudicate/{project.id}"
    assert "Nobody differs yet." in text_of(bea.open(base))
    site.store.change_project(project.id, Settings("study", per_case=9, is_open=False))
    assert "c0 is" in text_of(bea.open(base))


# --- a case ---


def test_judgments_stand_side_by_side_without_names(site: Running, bea: Person) -> None:
    store = site.store
    project = store.create_project(Settings("study", Task.TRAINED, per_case=2))

    store.add_cases(project.id, [NewCase("secret-id", "He is at home .", 2, 3, "at")])
    said = (
        SubmittedAnswer("wrong", ("in", "inside"), "high", comment="surely"),
        SubmittedAnswer("correct", (), "low", ("grammar",)),
    )
    for number, given in enumerate(said):
        who = {"prolific": Prolific(f"pid{number}")} if number else {"pseudonym": "Zoe"}
        rater = store.join(project.id, **who).id
        handed = hand(store, rater)
        store.answer(rater, handed.token, given, handed.token)
    page = bea.open(path_of(store, project))
    text = text_of(page)
    for shown in ("Wrong choice: in, inside", "surely", "confidence: high", "Correct", "A", "B"):
        assert shown in text
    assert "another grammatical error" in text
    for hidden in ("Zoe", "pid1", "R1", "R2", "secret-id"):
        assert hidden not in page.text


@pytest.mark.parametrize(
    ("task", "given", "sent", "stored"),
    [
        (Task.JUDGE, (ERROR, OK), {"label": "error"}, ("error", "", ())),
        (Task.JUDGE, (ERROR, OK), {"label": "unknown"}, ("unknown", "", ())),
        (
            Task.CLOZE,
            (SubmittedAnswer("in"), SubmittedAnswer("on: off")),
            {"label": "on: off"},
            ("on: off", "", ()),
        ),
        (
            Task.CLOZE,
            (SubmittedAnswer("in"), SubmittedAnswer("on")),
            {"do": "other", "other": "at"},
            ("at", "", ()),
        ),
        (
            Task.TRAINED,
            (SubmittedAnswer("correct", (), "low"), SubmittedAnswer("extraneous", (), "low")),
            {"label": "wrong:in, inside"},
            ("wrong", "in", ("inside",)),
        ),
        (
            Task.TRAINED,
            (SubmittedAnswer("correct", (), "low"), SubmittedAnswer("extraneous", (), "low")),
            {"do": "other", "other": "equal", "words_equal": "in,", "words_wrong": "lost"},
            ("equal", "", ("in",)),
        ),
        (
            Task.TRAINED,
            (SubmittedAnswer("correct", (), "low"), SubmittedAnswer("extraneous", (), "low")),
            {"do": "other", "other": "unknown"},
            ("unknown", "", ()),
        ),
        (
            Task.CHOICE,
            (SubmittedAnswer("equal"), SubmittedAnswer("bad")),
            {"label": "bad"},
            ("bad", "", ()),
        ),
    ],
)
def test_every_task_is_decided_in_its_own_words(
    site: Running,
    bea: Person,
    *,
    task: Task,
    given: tuple[SubmittedAnswer, ...],
    sent: dict[str, str],
    stored: tuple[Any, ...],
) -> None:
    project = contest(site.store, *given, task=task)
    path = path_of(site.store, project)
    page = bea.open(path)
    if "do" not in sent and not sent["label"].startswith("wrong"):
        assert f'name="label" value="{sent["label"]}"' in page.text
    page = bea.send(path, comment="because", **sent)
    assert page.status_code == 200
    assert "no further case" in text_of(page)
    case = int(path.rsplit("/", 1)[1])
    decision = site.store.contested_case(project.id, case).decision
    assert decision is not None
    assert (decision[:3], decision.comment) == (stored, "because")
    assert "Decided: " in text_of(bea.open(path))


def test_the_answers_that_trained_raters_gave_are_a_key_away(site: Running, bea: Person) -> None:
    said = (
        *(
            SubmittedAnswer("wrong", ("in", "inside"), "high"),
            SubmittedAnswer("correct", (), "low"),
        ),
        *(SubmittedAnswer("correct", (), "high"), SubmittedAnswer("", (), "", ("spelling",))),
    )
    project = contest(site.store, *said, task=Task.TRAINED)
    page = bea.open(path_of(site.store, project))
    buttons = re.findall(r'name="label" value="([^"]*)" data-key="(\d)"', page.text)
    assert sorted(value for value, _ in buttons) == ["correct", "unknown", "wrong:in, inside"]
    assert [key for _, key in buttons] == ["1", "2", "3"]


def test_after_a_decision_comes_the_next_case_and_a_way_back(site: Running, bea: Person) -> None:
    project = contest(site.store, ERROR, OK, cases=2)
    first = path_of(site.store, project)
    bea.open(first)
    page = bea.send(first, label="ok")
    assert str(page.url).rpartition("?")[0].endswith(path_of(site.store, project))
    assert f'href="{first}"' in page.text
    second = path_of(site.store, project)
    page = bea.send(second, do="leave", comment="ask Carol")
    assert heading(page) == "study: contested cases"
    assert decisions(site.store, project) == [("ok", ""), ("", "ask Carol")]
    assert "ask Carol</textarea>" in bea.open(second).text


def test_a_case_that_is_none_is_not_there(site: Running, bea: Person) -> None:
    project = contest(site.store, ERROR, OK)
    for path in (f"/adjudicate/{project.id}/999", "/adjudicate/999", "/adjudicate/999/1"):
        assert bea.open(path).status_code == 404
    bea.open(f"/adjudicate/{project.id}")
    assert bea.open("/account").status_code == 200  # a page with a form
    assert bea.send(f"/adjudicate/{project.id}/999", label="ok").status_code == 404


def test_two_who_decide_at_once_are_told_and_lose_nothing_that_was_typed(
    site: Running, bea: Person
) -> None:
    project = contest(site.store, SubmittedAnswer("in"), SubmittedAnswer("on"), task=Task.CLOZE)
    path = path_of(site.store, project)
    with Person(site) as carl:
        enter(carl, "carl", Role.ADJUDICATOR)
        carl.open(path)
        bea.open(path)
        bea.send(path, label="on", comment="bea's")
        page = carl.send(path, do="other", other="upon", comment="carl's reason")
        assert page.status_code == 422
        text = text_of(page)
        assert "Somebody else decided about this case meanwhile." in text
        assert "Decided: on by bea" in text
        assert "carl&#39;s reason</textarea>" in page.text
        assert 'name="other" value="upon"' in page.text
        assert decisions(site.store, project) == [("on", "bea's")]
        carl.send(path, do="other", other="upon", comment="carl's reason")  # knowingly
    assert decisions(site.store, project) == [("upon", "carl's reason")]


@pytest.mark.parametrize(
    ("task", "given", "sent", "message"),
    [
        (Task.JUDGE, (ERROR, OK), {"label": "x"}, "Please choose one of the answers."),
        (Task.JUDGE, (ERROR, OK), {}, "Please choose one of the answers."),
        (
            Task.CLOZE,
            (SubmittedAnswer("a"), SubmittedAnswer("b")),
            {"do": "other"},
            "Please fill in the blank.",
        ),
        (
            Task.TRAINED,
            (SubmittedAnswer("correct", (), "low"), SubmittedAnswer("extraneous", (), "low")),
            {"do": "other"},
            "Please choose one of the answers, or press one of the buttons.",
        ),
        (
            Task.TRAINED,
            (SubmittedAnswer("correct", (), "low"), SubmittedAnswer("extraneous", (), "low")),
            {"do": "other", "other": "wrong", "words_equal": "typed <b>"},
            "Please write the best word.",
        ),
    ],
)
def test_what_is_missing_is_said_and_the_form_comes_back_as_it_was(
    site: Running,
    bea: Person,
    *,
    task: Task,
    given: tuple[SubmittedAnswer, ...],
    sent: dict[str, str],
    message: str,
) -> None:
    project = contest(site.store, *given, task=task)
    path = path_of(site.store, project)
    bea.open(path)
    page = bea.send(path, comment="a <reason>", **sent)
    assert page.status_code == 422
    assert message in text_of(page)
    assert "a &lt;reason&gt;</textarea>" in page.text
    if "other" in sent:
        assert 'value="typed &lt;b&gt;"' in page.text
        assert f'value="{sent["other"]}" checked' in page.text
    assert decisions(site.store, project) == [("-", "")]


def test_a_form_of_another_site_decides_nothing(site: Running, bea: Person) -> None:
    project = contest(site.store, ERROR, OK)
    path = path_of(site.store, project)
    bea.open(path)
    page = bea.send(path, label="ok", csrf_token="forged", comment="typed")
    assert page.status_code == 403
    assert "typed</textarea>" in page.text
    assert decisions(site.store, project) == [("-", "")]


@pytest.mark.parametrize("strange", ["\0", "x" * 3000, "nan", "-1", "[[[[", "<script>alert(1)"])
@pytest.mark.parametrize("kind", ["words", "essay"])
@pytest.mark.slow
def test_strange_fields_are_no_fault_of_the_server(
    site: Running, bea: Person, strange: str, kind: str
) -> None:
    if kind == "essay":
        project = contest_essay(site.store, (GOES,), (WENT,))
        good = {"do": "add", "sentence": "0", "start": "0", "end": "1", "category": "SVA"}
        good |= {"replacement": "She", "keep": mark_of(GOES), "own": "", "instead": ""}
    else:
        project = contest(site.store, SubmittedAnswer("in"), SubmittedAnswer("on"), task=Task.CLOZE)
        good = {"do": "other", "other": "at", "label": ""}
    path = path_of(site.store, project)
    for field in (*good, "over", "comment"):
        bea.open(path)
        page = bea.send(path, **{**good, field: strange})
        assert page.status_code < 500, field
        assert "<script>alert" not in page.text


# --- essays ---


def kept(page: httpx.Response | None) -> list[str]:
    """The corrections that are ticked, in words."""
    assert page is not None
    found = re.findall(r'value="(\w+)" checked>\s*<span><b>(.*?)</b>', page.text)
    return [unescape(text) for _, text in found]


def fields_of(person: Person, *extra: EssayCorrection, **values: str) -> dict[str, Any]:
    """The form as a browser would send it, with further corrections ticked."""
    assert person.page is not None
    text = person.page.text
    marks = re.findall(r'name="keep" value="(\w+)" checked', text)
    marks += [mark_of(one) for one in extra]
    own = re.findall(r'name="own" value="([^"]*)"', text)
    return {"keep": marks, "own": [unescape(one) for one in own], **values}


WRITTEN = {"sentence": "0", "start": "1", "end": "3", "replacement": "went out", "category": "Vt"}


def test_corrections_stand_side_by_side_and_what_everybody_made_is_ticked(
    site: Running, bea: Person
) -> None:
    noted = WENT._replace(comment="yesterday, I think")
    project = contest_essay(site.store, (GOES, RAINS), (noted, RAINS))
    page = bea.open(path_of(site.store, project))
    text = text_of(page)
    assert "2 people corrected this essay" in text
    assert "They differ in 1 of 3 sentences" in text
    assert "Sentence 1: they differ" in text
    assert "Sentence 2: everybody agrees" in text
    assert "yesterday, I think" in text
    assert "We are late." in text
    assert kept(page) == ["“rain” → “rains”"]
    assert page.text.count("<del>go</del>") == 2


def test_what_is_ticked_is_the_annotator_adj(site: Running, bea: Person) -> None:
    project = contest_essay(site.store, (GOES, RAINS), (WENT,))
    path = path_of(site.store, project)
    bea.open(path)
    page = bea.send(path, **fields_of(bea, WENT, RAINS), do="decide", comment="past")
    assert page.status_code == 200, text_of(page)
    (essay,) = site.store.annotated_essays(project.id, decisions=True)
    assert essay.edits["ADJ"] == (WENT, RAINS)
    page = bea.open(path)
    assert "Decided: 2 corrections" in text_of(page)
    assert kept(page) == ["“go” → “went”", "“rain” → “rains”"]


def test_an_adjudicator_adds_corrections_of_their_own(site: Running, bea: Person) -> None:
    project = contest_essay(site.store, (GOES, RAINS), (RAINS,))
    path = path_of(site.store, project)
    bea.open(path)
    page = bea.send(path, **fields_of(bea, GOES), do="write:0", comment="kept")
    assert "A correction of your own in sentence 1" in text_of(page)
    assert kept(page) == ["“go” → “goes”", "“rain” → “rains”"]
    page = bea.send(path, **fields_of(bea), do="add", comment="kept", **WRITTEN)
    # it takes the place of what it overlaps
    assert kept(page) == ["“go home” → “went out”", "“rain” → “rains”"]
    assert "kept</textarea>" in page.text
    page = bea.send(path, **fields_of(bea), do="write:2")
    added = {"sentence": "2", "start": "3", "end": "insert", "replacement": "too"}
    page = bea.send(path, **fields_of(bea), do="add", category="Wci", **added)
    assert kept(page)[-1] == "“too” inserted"
    bea.send(path, **fields_of(bea), do="decide")
    (essay,) = site.store.annotated_essays(project.id, decisions=True)
    too = EssayCorrection(2, 3, 3, "too", "Wci")
    assert essay.edits["ADJ"] == (EssayCorrection(0, 1, 3, "went out", "Vt"), RAINS, too)
    assert "yours" in text_of(bea.open(path))
    assert kept(bea.page) == ["“go home” → “went out”", "“rain” → “rains”", "“too” inserted"]


def test_a_correction_is_changed_by_writing_another_in_its_place(
    site: Running, bea: Person
) -> None:
    project = contest_essay(site.store, (GOES,), (WENT,))
    path = path_of(site.store, project)
    bea.open(path)
    page = bea.send(path, **fields_of(bea, GOES), do=f"write:{mark_of(GOES)}")
    assert 'name="replacement" value="goes"' in page.text
    assert '<option value="1" selected>2 go</option>' in page.text
    assert '<option value="SVA" selected>' in page.text
    sent = {"sentence": "0", "start": "1", "end": "", "replacement": "goes", "category": "Vform"}
    page = bea.send(path, **fields_of(bea), do="add", instead=mark_of(GOES), **sent)
    assert kept(page) == ["“go” → “goes”"]
    bea.send(path, **fields_of(bea), do="decide")
    (essay,) = site.store.annotated_essays(project.id, decisions=True)
    assert essay.edits["ADJ"] == (GOES._replace(category="Vform"),)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"category": ""}, "Please choose a category for “go home” → “went out”."),
        ({"start": ""}, "Please choose the word at which your correction begins."),
        ({"start": "3", "end": "2"}, "ends before it begins"),
        ({"replacement": "go home"}, "is what stands there already"),
        ({"end": "insert", "replacement": " "}, "Please write what is to be inserted."),
        ({"sentence": "7"}, "a sentence that the essay does not have"),
        ({"replacement": "a|b"}, "do without the sign |"),
    ],
)
def test_a_correction_that_cannot_be_is_explained_and_stays_in_its_form(
    site: Running, bea: Person, change: dict[str, str], message: str
) -> None:
    project = contest_essay(site.store, (GOES,), (WENT,))
    path = path_of(site.store, project)
    bea.open(path)
    sent = {**WRITTEN, **change}
    page = bea.send(path, **fields_of(bea, GOES), do="add", comment="typed", **sent)
    assert page.status_code == 422
    assert message in text_of(page)
    assert "typed</textarea>" in page.text
    assert kept(page) == ["“go” → “goes”"]
    if sent["sentence"] == "0":
        assert f'name="replacement" value="{sent["replacement"]}"' in page.text


def test_nothing_is_decided_while_a_correction_is_being_written(site: Running, bea: Person) -> None:
    project = contest_essay(site.store, (GOES,), (WENT,))
    path = path_of(site.store, project)
    for do in ("decide", "write:1"):
        bea.open(path)
        page = bea.send(path, **fields_of(bea, GOES), do=do, **WRITTEN)
        assert page.status_code == 422
        assert "You have begun a correction of your own." in text_of(page)
        assert 'name="replacement" value="went out"' in page.text
    page = bea.send(path, **fields_of(bea), do="close", **WRITTEN)
    assert 'name="replacement"' not in page.text
    assert kept(page) == ["“go” → “goes”"]
    assert decisions(site.store, project) == [("-", "")]


def test_corrections_that_overlap_cannot_both_be_kept(site: Running, bea: Person) -> None:
    project = contest_essay(site.store, (GOES,), (WENT,))
    path = path_of(site.store, project)
    bea.open(path)
    page = bea.send(path, **fields_of(bea, GOES, WENT), do="decide")
    assert page.status_code == 422
    assert "Two corrections overlap: “go” → “goes” and “go” → “went”." in text_of(page)
    assert kept(page) == ["“go” → “goes”", "“go” → “went”"]


def test_no_error_at_all_has_to_be_said(site: Running, bea: Person) -> None:
    project = contest_essay(site.store, (GOES,), ())
    path = path_of(site.store, project)
    bea.open(path)
    page = bea.send(path, **fields_of(bea), do="decide")
    assert page.status_code == 422
    assert "Nothing is ticked." in text_of(page)
    bea.send(path, **fields_of(bea), do="decide", no_error="yes")
    assert decisions(site.store, project) == [("ok", "")]


def test_an_essay_can_be_left_undecided(site: Running, bea: Person) -> None:
    project = contest_essay(site.store, (GOES,), ())
    path = path_of(site.store, project)
    bea.open(path)
    page = bea.send(path, **fields_of(bea, GOES), do="leave", comment="ask Carol")
    assert page.status_code == 200
    assert decisions(site.store, project) == [("", "ask Carol")]


def test_enter_in_a_field_decides_nothing_by_chance(site: Running, bea: Person) -> None:
    """Browsers press the first button of a form."""
    project = contest_essay(site.store, (GOES,), (WENT,))
    path = path_of(site.store, project)
    page = bea.open(path)
    first = re.search(r'<button[^>]*name="do" value="(\w+)"', page.text.partition(path)[2])
    assert first is not None
    assert first[1] == "look"
    page = bea.send(path, **fields_of(bea, GOES), do="look")
    assert kept(page) == ["“go” → “goes”"]
    assert decisions(site.store, project) == [("-", "")]


def test_an_essay_decided_by_somebody_else_meanwhile_keeps_the_ticks(
    site: Running, bea: Person
) -> None:
    project = contest_essay(site.store, (GOES,), (WENT,))
    path = path_of(site.store, project)
    bea.open(path)
    carl = site.store.add_user("carl", PASSWORD, Role.ADJUDICATOR)
    case = int(path.rsplit("/", 1)[1])
    site.store.decide(project.id, case, carl.id, SubmittedAnswer("", edits=(WENT,)))
    page = bea.send(path, **fields_of(bea, GOES), do="decide")
    assert page.status_code == 422
    assert "Somebody else decided" in text_of(page)
    assert kept(page) == ["“go” → “goes”"]
    bea.send(path, **fields_of(bea), do="decide")
    assert site.store.contested_case(project.id, case).decision is not None
    (essay,) = site.store.annotated_essays(project.id, decisions=True)
    assert essay.edits["ADJ"] == (GOES,)


# --- downloads ---


def test_decisions_are_downloaded_where_asked_for(site: Running, bea: Person) -> None:
    judge, essays = contest(site.store, ERROR, OK), contest_essay(site.store, (GOES,), ())
    path = path_of(site.store, judge)
    bea.open(path)
    bea.send(path, label="ok", comment="so")
    path = path_of(site.store, essays)
    bea.open(path)
    bea.send(path, **fields_of(bea, GOES), do="decide")
    with Person(site) as ada:
        enter(ada, "ada", Role.ADMIN)
        base = f"/admin/projects/{judge.id}/judgments"
        assert "ADJ" not in ada.open(f"{base}.csv").text
        assert "c0,ADJ,ok," in ada.open(f"{base}.csv?decisions=yes").text
        (line,) = ada.open(f"{base}.jsonl?decisions=only").text.splitlines()
        assert '"comment":"so"' in line.replace(" ", "")
        lines = ada.open(f"{base}.csv?decisions=instead").text.splitlines()
        assert len(lines) == 2
        base = f"/admin/projects/{essays.id}/edits"
        assert "ADJ" not in ada.open(f"{base}.m2").text
        assert "goes|||REQUIRED|||-NONE-|||ADJ" in ada.open(f"{base}.m2?decisions=yes").text
        assert "goes" in ada.open(f"{base}.sgml?decisions=only").text
