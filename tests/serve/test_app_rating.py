"""A rater's way over HTTP: blind, nothing twice, nothing lost, and what goes wrong said plainly."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from itertools import pairwise
from typing import Any

import httpx
import pytest

from jurybox.serve.model import NewCase, Prolific, Purpose
from jurybox.serve.settings import GoldRule, Question, Task
from serve.made_studies import hand, judge, judged, make_cases, make_project
from serve.running_site import Person, Running, heading

# --- the sentence before (Tetreault and Chodorow 2008, section 5), and after ---


@pytest.mark.parametrize("show_after", [False, True])
def test_raters_see_the_sentence_before_and_the_one_after_where_the_project_shows_it(
    site: Running, ann: Person, show_after: bool
) -> None:
    project = make_project(site.store, 0, show_after=show_after)
    around = {"before": "Before it .", "after": "After it ."}
    practice = {"purpose": Purpose.PRACTICE, "gold": ("ok",), "feedback": "Fine."}
    site.store.add_cases(project.id, make_cases(1, "p", **practice, **around))
    site.store.add_cases(project.id, make_cases(1, **around))
    ann.join(project)
    asked = f"/r/{project.id}/case"
    for page in (ann.open(asked), ann.judge(project, "ok"), ann.open(asked)):  # with feedback
        assert "Before it ." in page.text
        assert ("After it ." in page.text) is show_after


# --- blind ---

SECRETS = ("sECRETcase", "sECRETgold", "sECRETfeedback", "sECRETconstruction", "sECRETdocument")


def secret_case(number: int, **fields: Any) -> NewCase:
    return NewCase(
        f"sECRETcase{number}",
        "It is at home .",
        2,
        3,
        "at",
        construction="sECRETconstruction",
        document="sECRETdocument",
        feedback="sECRETfeedback",
        **fields,
    )


def everything_said(page: httpx.Response) -> str:
    """All that a rater's browser gets, on the way there too."""
    answers = [*page.history, page]
    return "\n".join(f"{answer.headers.multi_items()} {answer.text}" for answer in answers)


def without_random_words(page: httpx.Response) -> str:
    """A page without what differs between any two of them."""
    said = re.sub(r'name="(token|key)" value="[^"]*"', "", page.text)
    return re.sub(r"\d+ of \d+|value=\"\d+\"", "", said)


def test_nothing_that_a_rater_gets_tells_gold_from_work(site: Running, ann: Person) -> None:
    gold = [secret_case(i, gold=("sECRETgold",)) for i in range(20)]
    work = [secret_case(i) for i in range(20, 60)]
    project = make_project(site.store, 0, task=Task.CLOZE, gold_rate=0.5)
    site.store.add_cases(project.id, [*gold, *work])
    ann.join(project)
    pages: set[str] = set()
    headers: set[tuple[str, ...]] = set()
    for _ in range(30):
        page = ann.judge(project, "at")
        said = everything_said(page)
        assert not [secret for secret in SECRETS if secret in said]
        pages.add(without_random_words(page))
        headers.add(tuple(page.headers))
    found = judged(site.store, project.id)
    assert 5 < sum(bool(row["gold"]) for row in found) < 25, "both kinds were to be seen"
    assert len(pages) == 1, "gold cases look different"
    assert len(headers) == 1, "gold cases have other headers"


def test_addresses_and_tokens_do_not_name_cases(site: Running, ann: Person) -> None:
    project = make_project(site.store, 0)
    site.store.add_cases(project.id, make_cases(3, "nameofthecase"))
    ann.join(project)
    assert "nameofthecase0" in ann.open(f"/r/{project.id}/case").text, "it is in the sentence"
    assert "nameofthecase" not in str(ann.fields())


# --- once and only once ---


def test_a_form_sent_twice_is_one_judgment(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3)
    ann.join(project)
    ann.open(f"/r/{project.id}/case")
    fields = ann.fields()
    for label in ("error", "ok"):
        data = {**fields, "label": label}
        assert ann.client.post(f"/r/{project.id}/case", data=data).status_code == 200
    assert [row["label"] for row in judged(site.store, project.id)] == ["error"]


def test_whoever_goes_back_and_answers_otherwise_is_told_that_the_first_answer_stands(
    site: Running, ann: Person
) -> None:
    project = make_project(site.store, 2)
    ann.join(project)
    ann.open(f"/r/{project.id}/case")
    fields = ann.fields()
    pages = [
        ann.client.post(f"/r/{project.id}/case", data={**fields, "label": label}).text
        for label in ("error", "error", "ok")
    ]
    assert ["Your first answer is kept" in page for page in pages] == [False, False, True]
    assert all("c1 is" in page for page in pages)


def test_going_back_to_a_practice_case_is_not_praised_for_what_was_not_stored(
    site: Running, ann: Person
) -> None:
    project = make_project(site.store, 2)
    case = replace(make_cases(1, "p", gold=("ok",))[0], purpose=Purpose.PRACTICE)
    site.store.add_cases(project.id, [case])
    ann.join(project)
    ann.open(f"/r/{project.id}/case")
    fields = ann.fields()
    titles = [
        heading(ann.client.post(f"/r/{project.id}/case", data={**fields, "label": label}))
        for label in ("error", "error", "ok")
    ]
    assert titles == ["Not quite", "Not quite", "Is the marked part an error?"]


def test_a_late_answer_to_the_last_case_is_not_called_stored(site: Running, ann: Person) -> None:
    project = make_project(site.store, 1, lease_minutes=0.01 / 60, completion_code="CODE-7")
    ann.join(project)
    ann.open(f"/r/{project.id}/case")
    time.sleep(0.05)
    judge(site.store, site.store.join(project.id).id, "ok", now=time.time())
    page = ann.send(f"/r/{project.id}/case", label="error")
    assert "CODE-7" in page.text
    assert "your answer was not needed" in page.text
    assert "All of it is stored" not in page.text


def test_a_late_answer_is_thanked_for_above_the_next_case(site: Running, ann: Person) -> None:
    project = make_project(site.store, 2, lease_minutes=0.01 / 60)
    ann.join(project)
    ann.open(f"/r/{project.id}/case")
    time.sleep(0.05)
    other = site.store.join(project.id).id
    judged_case, _ = judge(site.store, other, "ok", now=time.time())
    assert judged_case.shown.left.startswith("c1"), "the case that came back is behind the others"
    judge(site.store, other, "ok", now=time.time())
    site.store.add_cases(project.id, make_cases(1, "d"))
    page = ann.send(f"/r/{project.id}/case", label="error")
    assert "Others had answered that case" in page.text
    assert "d0 is" in page.text
    assert len(judged(site.store, project.id)) == 2


# --- nothing typed is lost ---


def test_what_was_typed_comes_back_with_what_is_wrong(site: Running, ann: Person) -> None:
    project = make_project(site.store, 2, task=Task.CLOZE)
    ann.join(project)
    typed = 'a "word" <b>' + "x" * 300
    page = ann.judge(project, typed)
    assert page.status_code == 422
    assert "That is too long" in page.text
    assert "a &#34;word&#34; &lt;b&gt;xxx" in page.text
    assert not judged(site.store, project.id)


def test_a_form_without_our_word_is_refused_and_comes_back_filled(
    site: Running, ann: Person
) -> None:
    project = make_project(site.store, 2, task=Task.CLOZE)
    ann.join(project)
    page = ann.judge(project, "upon", csrf_token="forged")
    assert page.status_code == 403
    assert 'value="upon"' in page.text
    assert "allow cookies" in page.text
    again = ann.send(f"/r/{project.id}/case", label="upon")
    assert again.status_code == 200
    assert [row["label"] for row in judged(site.store, project.id)] == ["upon"]


def test_words_typed_for_another_case_are_shown_but_not_filled_in(
    site: Running, ann: Person
) -> None:
    project = make_project(site.store, 2, task=Task.CLOZE)
    ann.join(project)
    page = ann.judge(project, "upon", token="no such token")
    assert page.status_code == 422
    assert "This case was not given to you" in page.text
    assert "<b>upon</b>" in page.text
    assert 'value="upon"' not in page.text


@pytest.mark.parametrize("label", ["", "perhaps", "error\0", "x" * 5000])
def test_answers_that_the_task_does_not_know_are_refused(
    site: Running, ann: Person, label: str
) -> None:
    project = make_project(site.store, 1)
    ann.join(project)
    page = ann.judge(project, label)
    assert page.status_code == 422
    assert "Please choose one of the answers." in page.text
    assert not judged(site.store, project.id)


# --- who comes, and where they are sent ---


def test_the_same_browser_comes_back_as_the_same_rater(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3)
    ann.join(project)
    ann.judge(project)
    assert ann.open(site.link(project)).url.path == f"/r/{project.id}/case"
    assert len(site.store.rater_progress(project.id)) == 1


def test_prolific_names_are_kept_and_one_person_is_one_rater(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3, completion_url="https://app.prolific.com/done?cc=C1")
    query = "?PROLIFIC_PID=abc&STUDY_ID=s1&SESSION_ID=t1"
    ann.join(project, query)
    with Person(site) as elsewhere:
        elsewhere.join(project, query)
    with Person(site) as bob:
        bob.join(project, "?PROLIFIC_PID=def")
    found = [one.rater.prolific for one in site.store.rater_progress(project.id)]
    assert found == [Prolific("abc", "s1", "t1"), Prolific("def")]


def test_blanks_around_a_participants_id_make_no_second_rater(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3)
    ann.join(project, "?PROLIFIC_PID=abc")
    with Person(site) as again:
        again.join(project, "?PROLIFIC_PID=%20abc%20")
    assert len(site.store.rater_progress(project.id)) == 1


def test_another_participant_on_the_same_computer_is_another_rater(
    site: Running, ann: Person
) -> None:
    project = make_project(site.store, 3)
    ann.join(project, "?PROLIFIC_PID=abc")
    ann.join(project, "?PROLIFIC_PID=def")
    assert len(site.store.rater_progress(project.id)) == 2


def test_at_the_end_the_browser_is_sent_on_and_no_address_can_end_the_header(
    site: Running, ann: Person
) -> None:
    url = "https://app.prolific.com/done?cc=C1&x=ü\r\nSet-Cookie: a=b"
    project = make_project(site.store, 1, completion_url=url)
    ann.join(project)
    page = ann.judge(project)
    assert heading(page) == "Thank you"
    refresh = page.headers["refresh"]
    assert refresh == ("3; url=https://app.prolific.com/done?cc=C1&x=%C3%BC%0D%0ASet-Cookie:%20a=b")
    assert "set-cookie" not in page.headers


def test_the_questionnaire_comes_before_the_code_and_keeps_what_was_typed(
    site: Running, ann: Person
) -> None:
    asked = (Question("l", "Language?"), Question("e", "Easy?", ("yes", "no"), True))
    project = make_project(site.store, 1, questionnaire=asked, completion_code="CODE-7")
    ann.join(project)
    page = ann.judge(project)
    assert "CODE-7" not in page.text
    page = ann.send(f"/r/{project.id}/end", q_l="Thai <i>")
    assert page.status_code == 422
    assert "Please answer: Easy?" in page.text
    assert "Thai &lt;i&gt;</textarea>" in page.text
    page = ann.send(f"/r/{project.id}/end", q_l="Thai", q_e="no")
    assert "CODE-7" in page.text


def test_the_code_cannot_be_had_before_the_work_is_done(site: Running, ann: Person) -> None:
    project = make_project(site.store, 2, completion_code="CODE-7")
    ann.join(project)
    ann.judge(project)
    assert "CODE-7" not in ann.open(f"/r/{project.id}/end").text
    ann.judge(project)
    assert "CODE-7" in ann.open(f"/r/{project.id}/end").text


def test_whoever_comes_when_all_is_judged_gets_no_code_for_practice(
    site: Running, ann: Person
) -> None:
    project = make_project(site.store, 1, completion_code="CODE-7")
    site.store.add_cases(
        project.id, [replace(make_cases(1, "p", gold=("ok",))[0], purpose=Purpose.PRACTICE)]
    )
    with Person(site) as early:
        early.join(project)
        early.judge(project, "ok")
        assert "CODE-7" in early.judge(project, "ok").text
    ann.join(project)
    ann.judge(project, "ok")
    page = ann.open(f"/r/{project.id}/case")
    assert heading(page) == "There is nothing left to do"
    assert "CODE-7" not in page.text


def test_whoever_is_stopped_gets_no_code(site: Running, ann: Person) -> None:
    rule = GoldRule(1.0, 1)
    project = make_project(
        site.store, 40, gold=3, completion_code="C-7", gold_rate=0.5, gold_rule=rule
    )
    ann.join(project)
    for _ in range(40):
        page = ann.judge(project)
        if heading(page) == "Thank you for your work":
            break
    assert heading(page) == "Thank you for your work"
    assert "C-7" not in ann.open(f"/r/{project.id}/end").text


def test_whoever_is_stopped_finds_the_way_back_to_prolific_without_the_code(
    site: Running, ann: Person
) -> None:
    address = "https://app.prolific.com/submissions/complete?cc=C-7"
    rule = GoldRule(1.0, 1)
    project = make_project(
        site.store, 80, gold=3, completion_url=address, gold_rate=0.5, gold_rule=rule
    )
    ann.join(project, "?PROLIFIC_PID=abc")
    while heading(page := ann.judge(project)) != "Thank you for your work":
        assert page.status_code == 200
    assert 'href="https://app.prolific.com/"' in page.text
    assert "return your place" in page.text
    assert "C-7" not in page.text
    with Person(site) as bob:  # came by the plain link: there is nowhere to go back to
        bob.join(project)
        while heading(page := bob.judge(project)) != "Thank you for your work":
            assert page.status_code == 200
    assert "prolific" not in page.text


def test_warnings_stand_above_every_fifth_case_wherever_gold_was(
    site: Running, ann: Person
) -> None:
    rule = GoldRule(1.0, 1, "warn")
    project = make_project(site.store, 30, gold=1, gold_rate=0.5, gold_rule=rule)
    ann.join(project)
    warned = ["Please take your time" in ann.judge(project).text for _ in range(25)]
    places = [place for place, is_warned in enumerate(warned) if is_warned]
    assert len(places) >= 3
    assert {later - before for before, later in pairwise(places)} == {5}


def test_whoever_must_wait_for_others_is_told(site: Running, ann: Person) -> None:
    project = make_project(site.store, 1)
    hand(site.store, site.store.join(project.id).id)
    page = ann.join(project)
    assert heading(page) == "Nearly done"


def test_a_closed_project_takes_nobody_in_and_hands_nothing_out(site: Running, ann: Person) -> None:
    project = make_project(site.store, 3)
    ann.join(project)
    site.store.change_project(project.id, replace(project.settings, is_open=False))
    assert heading(ann.open(f"/r/{project.id}/case")) == "This study is closed"
    with Person(site) as late:
        assert late.open(site.link(project)).status_code == 403


def test_feedback_cannot_be_had_before_the_answer_nor_about_others(
    site: Running, ann: Person
) -> None:
    project = make_project(site.store, 2)
    case = replace(make_cases(1, "p", gold=("ok",))[0], purpose=Purpose.PRACTICE, feedback="sECRET")
    site.store.add_cases(project.id, [case])
    ann.join(project)
    token = hand(site.store, site.store.rater_progress(project.id)[0].rater.id).token
    values = {"token": token, "label": "ok", "words": "", "shown": None}
    forged = site.site.tokens.sign("practice", values)
    assert "sECRET" not in ann.open(f"/r/{project.id}/feedback?case={forged}").text
    assert "sECRET" in ann.judge(project, "ok").text
    with Person(site) as bob:
        bob.join(project)
        assert "sECRET" not in bob.open(f"/r/{project.id}/feedback?case={forged}").text
