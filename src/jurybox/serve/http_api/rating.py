"""A rater's way: instructions, a case, an answer, the next case, the end.

It is the way of the pages with the same calls of the store, so that neither what is said nor how
long it takes tells gold from work (`routes/rating.py`).
"""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Query

from jurybox.serve import categories, wording
from jurybox.serve.http_api.callers import ARater
from jurybox.serve.http_api.problems import RefusalError
from jurybox.serve.http_api.rater_shapes import (
    AnswerShape,
    AskedQuestion,
    CategoryHelp,
    DraftChange,
    DraftShape,
    End,
    FeedbackShape,
    HandedCase,
    Questionnaire,
    RaterHome,
    State,
    Taken,
    Turn,
)
from jurybox.serve.http_api.shapes import STORABLE, EditShape, Option, ShownCase, corrections
from jurybox.serve.model import Feedback, Given, Handed, Nothing, Project, Rater, Task
from jurybox.serve.routes.correcting import OTHER_WINDOW, given_on
from jurybox.serve.routes.ending import NOTES, TOO_LATE, way_back
from jurybox.serve.routes.rating import CLOSED, STOPPED, WAITING, Filled, given_of, pack, unpack
from jurybox.serve.visits import Asked, Visit

router = APIRouter(prefix="/rater", tags=["raters"])
THANKS = "Thank you for your work."
#: why there is no case: what is said to people
NOTHING = {
    "finished": ("There are no more cases for you: go on to the end.",),
    "nothing-left": TOO_LATE,
    "waiting": (WAITING,),
    "stopped": STOPPED,
    "closed": (CLOSED,),
}


@router.get("")
def read_home(rater: ARater, visit: Asked) -> RaterHome:
    """What the project asks, and its instructions."""
    project = visit.store.project_by_id(rater.project)
    settings = project.settings
    is_essay = project.task == Task.CORRECT
    return RaterHome(
        project=project.name,
        task=project.task.value,
        is_open=settings.is_open,
        instructions=settings.instructions,
        answered=rater.answered,
        fillers=list(settings.fillers),
        categories=[
            CategoryHelp(**one._asdict())
            for one in (categories.of(settings.categories) if is_essay else ())
        ],
    )


@router.get("/case")
def read_case(rater: ARater, visit: Asked) -> Turn:
    """The case that is this rater's turn; asked again, the same one."""
    project = visit.store.project_by_id(rater.project)
    handed = visit.store.next_case(rater.id)
    if isinstance(handed, Nothing):
        state = _state(handed)
        return Turn(state=state, text=list(NOTHING[state]), case=None)
    return Turn(state="case", text=[], case=_case(visit, project, handed))


@router.post("/answers")
def answer(given: AnswerShape, rater: ARater, visit: Asked) -> Taken:
    """An answer: in the database before anything is said of it."""
    project = visit.store.project_by_id(rater.project)
    outcome = visit.store.answer(
        rater.id, given.token, _given(visit, rater, project, given), given.key
    )
    if not outcome.accepted:
        return Taken(outcome="late", text=NOTES["late"], feedback=None)
    feedback = _feedback(visit, project, given, outcome.feedback)
    if outcome.is_other:
        return Taken(outcome="first", text=NOTES["first"], feedback=feedback)
    return Taken(outcome="stored", text="", feedback=feedback)


@router.get("/draft")
def read_draft(
    rater: ARater,
    visit: Asked,
    token: Annotated[
        str,
        Query(min_length=1, max_length=200, pattern=STORABLE, description="Of the case."),
    ],
) -> DraftShape:
    """What is saved of an essay."""
    draft = visit.store.draft(rater.id, token)
    return DraftShape(
        version=draft.version,
        edits=[EditShape.of(one) for one in draft.edits],
        saved=draft.saved,
        is_wanted=True,
    )


@router.put("/draft", responses={409: {"description": "Another window saved something else."}})
def save_draft(given: DraftChange, rater: ARater, visit: Asked) -> DraftShape:
    """Keep corrections that are not sent yet, and renew the lease."""
    edits = corrections(given.edits)
    saved = visit.store.save_draft(rater.id, given.token, edits, version=given.version)
    if not saved.accepted:
        raise RefusalError(
            409,
            OTHER_WINDOW,
            title="Another version is saved",
            remedy="Read it with GET /rater/draft, and save on its version what should stand.",
        )
    return DraftShape(
        version=saved.draft.version,
        edits=[EditShape.of(one) for one in saved.draft.edits],
        saved=saved.draft.saved,
        is_wanted=saved.is_wanted,
    )


@router.get("/end")
def read_end(rater: ARater, visit: Asked) -> End:
    """The questionnaire, then the completion code; whoever still has cases is told so."""
    project = visit.store.project_by_id(rater.project)
    settings = project.settings
    found = visit.store.next_case(rater.id)
    if isinstance(found, Handed):
        return _end("case", "There are cases left for you.")
    state = _state(found)
    if state != "finished":
        back = way_back(project, rater) if state in ("nothing-left", "stopped") else None
        return _end(state, *NOTHING[state]).model_copy(
            update={"completion_url": back[0] if back else ""}
        )
    if settings.questionnaire and not rater.is_surveyed:
        questions = [
            AskedQuestion(**{**one._asdict(), "options": list(one.options)})
            for one in settings.questionnaire
        ]
        return _end("questionnaire", "Please answer the questions.").model_copy(
            update={"questions": questions}
        )
    update = {
        "completion_code": settings.completion_code,
        "completion_url": settings.completion_url,
    }
    return _end("done", THANKS).model_copy(update=update)


@router.post("/questionnaire")
def answer_questionnaire(given: Questionnaire, rater: ARater, visit: Asked) -> End:
    """What a rater says of themselves; what comes then."""
    visit.store.answer_questionnaire(rater.id, given.answers)
    return read_end(rater._replace(is_surveyed=True), visit)


def _state(nothing: Nothing) -> State:
    """Why there is no case; those who only practised are not done."""
    is_late = nothing.why == "finished" and nothing.is_first
    return "nothing-left" if is_late else cast("State", nothing.why)


def _end(state: str, *text: str) -> End:
    return End.model_validate(
        {
            "state": state,
            "text": list(text),
            "questions": [],
            "completion_code": "",
            "completion_url": "",
        }
    )


def _case(visit: Visit, project: Project, handed: Handed) -> HandedCase:
    is_trained = project.task == Task.TRAINED
    return HandedCase(
        token=handed.token,
        question=wording.question(project.task, handed.shown),
        shown=ShownCase.of(handed.shown),
        answers=Option.of(wording.answers(project.task, handed.shown, project.settings.fillers)),
        context=Option.of(wording.CONTEXT) if is_trained else [],
        confidence=Option.of(wording.CONFIDENCE) if is_trained else [],
        is_practice=handed.is_practice,
        is_warned=handed.is_warned,
        expires=handed.expires,
        done=handed.done,
        total=handed.total,
        practice=pack(visit, handed),
    )


def _given(visit: Visit, rater: Rater, project: Project, given: AnswerShape) -> Given:
    """What a form of the pages would have sent."""
    if project.task == Task.CORRECT:
        return given_on(
            visit.store.draft(rater.id, given.token),
            corrections(given.edits),
            version=given.version,
            no_error=given.no_error,
        )
    words = ",".join(given.words)
    filled = Filled(given.label, words, words, given.confidence, tuple(given.context))
    return given_of(filled, project.task)


def _feedback(
    visit: Visit, project: Project, given: AnswerShape, feedback: Feedback | None
) -> FeedbackShape | None:
    """What the page says behind a practice case, and nothing else."""
    if feedback is None:
        return None
    packed = visit.site.read_signed("shown", given.practice)
    shown = None if packed is None else unpack(packed)
    return FeedbackShape(
        is_right=feedback.is_right if feedback.expected else None,
        expected=""
        if feedback.is_right
        else wording.expected(project.task, feedback, given.label, shown),
        text=feedback.text,
    )
