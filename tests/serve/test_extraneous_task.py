"""The task of Madnani et al. (2011, section 2.1): is the marked word extraneous?"""

from __future__ import annotations

from jurybox.serve import wording
from jurybox.serve.answers import check, complaints_about, show
from jurybox.serve.model import ContestedCase, Feedback, Judgment, NewCase, SubmittedAnswer
from jurybox.serve.settings import Settings, Task
from serve.made_studies import make_project
from serve.running_site import Person, Running

SETTINGS = Settings("extraneous", Task.EXTRANEOUS)
CASE = NewCase("c1", "They came to outside .", 2, 3, "to")


def test_raters_say_extraneous_not_extraneous_or_too_hard() -> None:
    """Extraneous (Error), not extraneous (OK) or too hard to decide (Unknown)."""
    shown = show(CASE, SETTINGS, swapped=False)
    assert (shown.left, shown.target, shown.right) == ("They came", "to", "outside .")
    assert wording.question(Task.EXTRANEOUS, shown) == "Is the marked word extraneous?"
    buttons = wording.answers(Task.EXTRANEOUS, shown)
    assert [one.value for one in buttons] == ["error", "ok", "unknown"]
    assert [one.text.partition(":")[0] for one in buttons] == [
        *("Extraneous", "Not extraneous", "Too hard to decide")
    ]
    stored = [check(SubmittedAnswer(one.value), SETTINGS, swapped=False).label for one in buttons]
    assert stored == ["error", "ok", "unknown"]  # as evaluate reads them


def test_feedback_and_adjudicators_use_the_same_words() -> None:
    wrong = Feedback(False, ("error",), "")
    assert wording.expected(Task.EXTRANEOUS, wrong, "ok", None) == "extraneous"
    assert wording.answer_text(Task.EXTRANEOUS, "ok", "", None) == "Not extraneous"
    case = ContestedCase(1, Task.EXTRANEOUS, show(CASE, SETTINGS, swapped=False), False, (), None)
    assert wording.judgment_text(case, Judgment("A", "error")) == "Extraneous"


def test_a_place_without_a_word_cannot_be_asked_about() -> None:
    assert list(complaints_about(CASE, Task.EXTRANEOUS)) == []
    gap = NewCase("c2", "They wait you .", 2, 2)
    assert [what for what, _ in complaints_about(gap, Task.EXTRANEOUS)] == ["start"]
    assert list(complaints_about(gap, Task.JUDGE)) == []


def test_the_page_asks_and_stores_an_error(site: Running, ann: Person) -> None:
    project = make_project(site.store, 0, task=Task.EXTRANEOUS)
    site.store.add_cases(project.id, [CASE])
    ann.join(project)
    page = ann.open(f"/r/{project.id}/case")
    assert "Is the marked word extraneous?" in page.text
    assert "Not extraneous" in page.text
    ann.judge(project, "error")
    lines = site.store.judgments_input(project.id).peek().decode().splitlines()
    assert lines[1].startswith("c1,")
    assert ",error," in lines[1]
