"""The middle of a rater's way: a case, an answer, the next case.

Gold, work and repeats take the same way through this file: nothing in it can tell them apart.
Forms are plain: an answer is sent by POST, and its answer is a redirect to the next case. What is
wrong with an answer comes back with the form as it was filled in. Essays have a page of their own
(`correcting.py`) and take the same way.
"""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import InputError, JuryboxError
from jurybox.serve import wording
from jurybox.serve.model import (
    Given,
    Handed,
    Nothing,
    Outcome,
    Project,
    Rater,
    Shown,
    Task,
)
from jurybox.serve.routes import correcting
from jurybox.serve.routes.ending import NOTES, note_on, way_back
from jurybox.serve.routes.joining import COOKIES, unknown_rater
from jurybox.serve.visits import Asked, Number, Sent, Visit

router = APIRouter()
STOPPED = (
    "There are no more cases for you in this study. Studies compare some answers with ones that "
    "are known, and end somebody's part where too many differ. That can happen to anybody.",
    "What you have answered so far is kept. If you think that this is a mistake, please write to "
    "the people who sent you the link.",
)
RETURN = "There is no completion code: please return your place on the platform that sent you."
WAITING = (
    "Other people have the last cases open. Some may come back to you: please look again in a few "
    "minutes."
)
CLOSED = "Thank you. Everything that you have answered is kept."


class Filled(NamedTuple):
    """What stands in the form: what a rater typed comes back if something is wrong."""

    label: str = ""
    words_wrong: str = ""
    words_equal: str = ""
    confidence: str = ""
    context: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The words that go with the label."""
        return {"wrong": self.words_wrong, "equal": self.words_equal}.get(self.label, "")


@router.get("/r/{number}/case")
async def ask(number: Number, visit: Asked) -> Response:
    """The case that is this rater's turn."""
    return await visit.in_turn(_ask, number)


def _ask(visit: Visit, number: int) -> Response:
    rater = visit.rater(number)
    if rater is None:
        return unknown_rater(visit)
    return _next_page(visit, rater)


@router.post("/r/{number}/case")
async def take(number: Number, visit: Sent) -> Response:
    """An answer: in the database before anything is said of it."""
    return await visit.in_turn(_take, number)


def _take(visit: Visit, number: int) -> Response:
    rater = visit.rater(number)
    if rater is None:
        return unknown_rater(visit)
    filled = read_filled(visit)
    if not visit.is_own_form():
        return _next_page(visit, rater, filled=filled, problem=COOKIES, status=403)
    project = visit.project(number)
    token = visit.text("token")
    try:
        if project.task == Task.CORRECT:
            given = correcting.given_of(visit, rater)
            filled = Filled(wording.corrections(len(given.edits)))
        else:
            given = given_of(filled, project.task)
        outcome = visit.store.answer(rater.id, token, given, visit.text("key"))
    except JuryboxError as error:
        return _next_page(visit, rater, filled=filled, problem=str(error), status=422)
    return visit.go_to(_after(visit, project, outcome, filled))


@router.get("/r/{number}/feedback")
def explain(number: Number, visit: Asked) -> Response:
    """What is said behind a practice case."""
    rater = visit.rater(number)
    if rater is None:
        return unknown_rater(visit)
    case = visit.request.query_params.get("case", "")
    match visit.site.read_signed("practice", case):
        case {"token": str(token), "label": str(label), "words": str(words), "shown": shown}:
            pass
        case _:
            return visit.go_to(f"/r/{number}/case")
    project = visit.project(number)
    try:  # a case that is answered is not answered again: what became of it is told
        outcome = visit.store.answer(rater.id, token, Given(""), token)
    except InputError:
        return visit.go_to(f"/r/{number}/case")
    feedback = outcome.feedback
    if feedback is None:
        return visit.go_to(f"/r/{number}/case")
    seen = None if shown is None else unpack(shown)
    return visit.page(
        "feedback",
        project=project,
        shown=seen,
        said=wording.said(project.task, label, words, seen),
        expected=wording.expected(project.task, feedback, label, seen),
        feedback=feedback,
    )


def read_filled(visit: Visit) -> Filled:
    """The fields of the form."""
    return Filled(
        visit.text("label"),
        visit.text("words_wrong"),
        visit.text("words_equal"),
        visit.text("confidence"),
        visit.texts("context"),
    )


def given_of(filled: Filled, task: Task) -> Given:
    """The answer that a form means.

    >>> given_of(Filled("wrong", "on, upon", confidence="high"), Task.TRAINED).words
    ('on', 'upon')
    """
    if task != Task.TRAINED:
        return Given(filled.label)
    if filled.label and not filled.confidence:
        raise InputError("Please say how sure you are: low or high.")
    words = tuple(word.strip() for word in filled.words.split(",") if word.strip())
    return Given(filled.label, words, filled.confidence, filled.context)


def _after(visit: Visit, project: Project, outcome: Outcome, filled: Filled) -> str:
    """Where an answer leads."""
    if not outcome.accepted:
        return f"/r/{project.id}/case?after=late"
    if outcome.is_other:
        return f"/r/{project.id}/case?after=first"
    if outcome.feedback is None:
        return f"/r/{project.id}/case"
    # the case came with the form, signed: it is shown once more beside what is said of it
    shown = visit.site.read_signed("shown", visit.text("shown"))
    values = {
        "token": visit.text("token"),
        "label": filled.label[:100],
        "words": filled.words[:100],
        "shown": shown,
    }
    case = visit.site.signer("practice").dumps(values)
    return f"/r/{project.id}/feedback?{urlencode({'case': case})}"


def _next_page(
    visit: Visit,
    rater: Rater,
    *,
    filled: Filled | None = None,
    problem: str = "",
    status: int = 200,
) -> Response:
    """The page of the rater's case; or where there is none, what comes then."""
    project = visit.project(rater.project)
    handed = visit.store.next_case(rater.id)
    if isinstance(handed, Nothing):
        return _nothing(visit, project, rater, handed)
    if project.task == Task.CORRECT:
        return correcting.essay_page(visit, rater, project, handed, problem=problem, status=status)
    lost = ""
    if filled is not None and visit.text("token") != handed.token:
        # another case by now: what was typed must not become its answer, nor be lost
        lost = ", ".join(filter(None, (filled.words_wrong, filled.words_equal)))
        if project.task == Task.CLOZE:
            lost = filled.label
        filled = None
    return visit.page(
        "case",
        status,
        project=project,
        handed=handed,
        shown=handed.shown,
        packed=pack(visit, handed),
        key=token_urlsafe(12),
        filled=filled or Filled(),
        problem=problem,
        note=note_on(visit),
        lost=lost,
        is_warned=handed.is_warned,
        question=wording.question(project.task, handed.shown),
        **_answers(project, handed.shown),
    )


def _answers(project: Project, shown: Shown) -> dict[str, Any]:
    answers = wording.answers(project.task, shown, project.settings.fillers)
    if project.task != Task.TRAINED:
        return {"buttons": answers}
    return {
        "buttons": (),
        "context": wording.CONTEXT,
        "verdicts": answers,
        "confidence": wording.CONFIDENCE,
    }


def pack(visit: Visit, handed: Handed) -> str:
    """A practice case, to be shown again with the feedback; '' for all others, gold or not."""
    shown = handed.shown
    if not handed.is_practice or sum(map(len, shown[:4])) > 2000:  # an address is no book
        return ""
    return str(visit.site.signer("shown").dumps(list(shown)))


def unpack(packed: list[Any]) -> Shown:
    """A practice case again."""
    before, left, target, right, has_target, fillers = packed[:6]
    pair = None if fillers is None else (fillers[0], fillers[1])
    return Shown(before, left, target, right, has_target, pair)


def _nothing(visit: Visit, project: Project, rater: Rater, nothing: Nothing) -> Response:
    if nothing.why == "finished":
        after = visit.request.query_params.get("after", "")
        return visit.go_to(f"/r/{project.id}/end" + (f"?after={after}" if after in NOTES else ""))
    if nothing.why == "stopped":
        back = way_back(project, rater)
        text = (*STOPPED, RETURN) if back else STOPPED
        return visit.message("Thank you for your work", *text, link=back)
    if nothing.why == "waiting":
        return visit.message(
            "Nearly done",
            *filter(None, [note_on(visit)]),
            WAITING,
            link=(f"/r/{project.id}/case", "Look again"),
        )
    return visit.message("This study is closed", CLOSED)
