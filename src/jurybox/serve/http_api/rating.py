"""A rater's way: join, instructions, a case, an answer, the next case, the end.

It makes the same calls of the store as the pages, so that neither what is said nor how long it
takes distinguishes gold from work (`routes/rating.py`). No shape here has a field for a case's id,
the system's label or suggestion, the stratum, or known answers; the feedback on a practice case is
that of the page.
"""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Query
from pydantic import Field, StringConstraints

from jurybox.serve import actions, categories, wording
from jurybox.serve.actions import NOTES, NOTHING, Filled
from jurybox.serve.http_api.callers import ARater, Known, rater_token
from jurybox.serve.http_api.shapes import (
    ApiShape,
    Edits,
    EditShape,
    GivenFeedback,
    Option,
    ProlificShape,
    Short,
    ShownCase,
    TaskName,
    Text,
    Whole,
    WorkProject,
    corrections,
    example,
)
from jurybox.serve.model import Assignment, Nothing, Project, Prolific, Rater, User
from jurybox.serve.requests import REMEMBERED, Asked, Number, RefusalError, Visit
from jurybox.serve.settings import MOST, STORABLE, Task

router = APIRouter(tags=["raters"])
CaseToken = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=STORABLE)]


class Joining(ApiShape):
    """Somebody who opened a project's link."""

    link: Annotated[str, StringConstraints(min_length=1, max_length=2000)] = Field(
        description="The address that raters are sent, or what stands behind its last slash."
    )
    pseudonym: Short = Field("", description="What they call themselves, if anything.")
    prolific: ProlificShape | None = Field(
        None, description="The same participant is always the same rater."
    )


class Joined(ApiShape):
    """A rater, and the token by which they come back."""

    token: str = Field(description="The bearer token of everything below /rater.")
    project: str = Field(description="The project's name.")
    expires: float = Field(description="When the token ends, in seconds since 1970.")


class AskedQuestion(ApiShape):
    """A question of the questionnaire."""

    key: str
    text: str
    options: list[str] = Field(description="Free text where there are none.")
    required: bool


class CategoryHelp(ApiShape):
    """A kind of error in essays."""

    name: str
    title: str
    help: str


class RaterHome(ApiShape):
    """What a rater knows of the project."""

    project: str
    task: TaskName
    is_open: bool
    instructions: str
    answered: int = Field(description="Cases that this rater has answered, practice not counted.")
    fillers: list[str] = Field(description="cloze: the closed list; any word where it is empty.")
    categories: list[CategoryHelp] = Field(description="correct: kinds of errors.")


class HandedCase(ApiShape):
    """A case that is assigned to a rater."""

    token: str = Field(description="Names the case in the answer.")
    question: str
    shown: ShownCase
    answers: list[Option] = Field(description="What `label` can be; empty where it is a free word.")
    context: list[Option] = Field(description="judge-trained: what can spoil the context.")
    confidence: list[Option] = Field(description="judge-trained: how sure one can be.")
    is_practice: bool
    is_warned: bool = Field(description="Whether many answers differ from known ones.")
    expires: float = Field(description="Until then the case is kept, in seconds since 1970.")
    done: int
    total: int = Field(description="How many there will be, about.")
    practice: str = Field(description="Sent back with the answer, feedback can name the words.")


State = Literal["case", "waiting", "feedback", "pause", "stopped", "closed", "nothing-left"]


class Turn(ApiShape):
    """The case that is a rater's turn, or why there is none."""

    state: Literal[State, "finished"] = Field(
        description="`case`: here it is. `finished`: go on with GET /rater/end. `waiting`: others "
        "have the last cases open; ask again in some minutes. `feedback`: on essays; read it with "
        "GET /rater/feedback, and confirm it. `pause`: somebody writes it; ask again later. "
        "`stopped`, `closed`, `nothing-left`: there is no more work."
    )
    text: list[str] = Field(description="The same for people; empty where there is a case.")
    case: HandedCase | None


class AnswerShape(ApiShape):
    """An answer to a case."""

    model_config = example(token="the case's", key="made up by you: any text once", label="error")

    token: CaseToken = Field(description="The token of the case.")
    key: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=STORABLE)] = Field(
        description="The answer's own name: sent again with the same one nothing is stored twice."
    )
    label: Text = Field("", description="One of the case's `answers`; cloze: the word.")
    words: list[Text] = Field(
        [], max_length=20, description="judge-trained: the best words, or those that are as good."
    )
    confidence: Literal["", "low", "high"] = ""
    context: list[Literal["spelling", "determiner", "grammar"]] = Field([], max_length=3)
    edits: Edits = Field([], description="correct: all corrections of the essay.")
    version: int = Field(0, ge=0, le=MOST, description="correct: of the draft that you saw last.")
    no_error: bool = Field(False, description="correct: must be true where there are no edits.")
    practice: Annotated[str, StringConstraints(max_length=8000)] = Field(
        "", description="The case's own, if it was for practice."
    )


class FeedbackShape(ApiShape):
    """What is said behind a practice case."""

    is_right: bool | None
    expected: str = Field(description="What would have been right; empty where it cannot be said.")
    text: str


class Taken(ApiShape):
    """What became of an answer. It is in the database when this is said."""

    outcome: Literal["stored", "late", "first"] = Field(
        description="`late`: the case had all its answers, this one is not stored. `first`: "
        "another answer by this rater is stored, and stays."
    )
    text: str = Field(description="The same for people; empty where it is stored.")
    feedback: FeedbackShape | None = Field(description="Behind practice cases only.")


class DraftShape(ApiShape):
    """What is saved of an essay that is not sent yet."""

    version: int = Field(description="Goes up with every change; 0 where nothing is saved.")
    edits: list[EditShape]
    saved: float | None = Field(description="When, in seconds since 1970.")
    is_wanted: bool = Field(description="False where others have finished it often enough.")


class DraftChange(ApiShape):
    """Corrections so far."""

    token: CaseToken
    edits: Edits
    version: Whole = Field(description="The version that they are based on.")


class Questionnaire(ApiShape):
    """What a rater says of themselves."""

    model_config = example(answers={"q1": "German"})

    answers: dict[Short, Text] = Field(max_length=100, description="By the keys of the questions.")


class End(ApiShape):
    """What comes when there are no more cases."""

    state: Literal[State, "questionnaire", "done"] = Field(
        description="`questionnaire`: answer it first. `done`: thanks."
    )
    text: list[str] = Field(description="The same for people.")
    questions: list[AskedQuestion]
    completion_code: str = Field(description="Empty until all is done, or where there is none.")
    completion_url: str = Field(
        description="Where to go then; for participants of Prolific without a code, the platform."
    )


@router.post("/join", status_code=201)
def join(given: Joining, visit: Asked) -> Joined:
    """Become a rater of the link's project. Many joins from one address are refused."""
    link = given.link.rstrip("/").rpartition("/")[2].partition("?")[0]
    project = actions.find_linked_project(visit, link)
    prolific = None if given.prolific is None else Prolific(**given.prolific.model_dump())
    return _joined(visit, project, actions.join(visit, project, given.pseudonym, prolific))


@router.get("/work")
def list_work(_: Known, visit: Asked) -> list[WorkProject]:
    """The open projects, for raters with an account."""
    return [WorkProject.of(one) for one in visit.store.projects() if one.settings.is_open]


@router.post("/work/{number:int}", status_code=201)
def begin_work(number: Number, user: Known, visit: Asked) -> Joined:
    """Judge as oneself: the same rater every time. The token ends with the password."""
    rater = actions.begin_work(visit, number, user)
    return _joined(visit, visit.store.project_by_id(number), rater, user)


def _joined(visit: Visit, project: Project, rater: Rater, user: User | None = None) -> Joined:
    token = rater_token(visit.site, rater, user)
    return Joined(token=token, project=project.name, expires=time.time() + REMEMBERED)


@router.get("/rater")
def read_home(rater: ARater, visit: Asked) -> RaterHome:
    """What the project asks, and its instructions."""
    project = visit.store.project_by_id(rater.project)
    kinds = categories.of(project.settings.categories) if project.task == Task.CORRECT else ()
    return RaterHome.of(
        project.settings, project=project.name, answered=rater.answered, categories=kinds
    )


@router.get("/rater/case")
def read_case(rater: ARater, visit: Asked) -> Turn:
    """The case that is this rater's turn; asked again, the same one."""
    project = visit.store.project_by_id(rater.project)
    assigned = visit.store.next_case(rater.id)
    if isinstance(assigned, Nothing):
        state = _state(assigned)
        return Turn(state=state, text=list(NOTHING[state][1:]), case=None)
    is_trained = project.task == Task.TRAINED
    case = HandedCase.of(
        assigned,
        question=wording.question(project.task, assigned.shown),
        answers=wording.answers(project.task, assigned.shown, project.settings.fillers),
        context=wording.CONTEXT if is_trained else (),
        confidence=wording.CONFIDENCE if is_trained else (),
        practice=actions.pack(visit, assigned),
    )
    return Turn(state="case", text=[], case=case)


@router.post("/rater/answers")
def answer(given: AnswerShape, rater: ARater, visit: Asked) -> Taken:
    """An answer: in the database before anything is said of it."""
    project = visit.store.project_by_id(rater.project)
    if project.task == Task.CORRECT:
        sent = actions.essay_answer(
            visit.store.draft(rater.id, given.token),
            corrections(given.edits),
            version=given.version,
            no_error=given.no_error,
        )
    else:  # what a form of the pages would have sent
        words = ",".join(given.words)
        filled = Filled(given.label, words, words, given.confidence, tuple(given.context))
        sent = actions.answer_of(filled, project.task)
    outcome = visit.store.answer(rater.id, given.token, sent, given.key)
    if not outcome.accepted:
        return Taken(outcome="late", text=NOTES["late"], feedback=None)
    feedback = None
    if (told := outcome.feedback) is not None:  # what the page says, and nothing else
        packed = visit.site.tokens.read("shown", given.practice)
        shown = None if packed is None else actions.unpack(packed)
        expected = wording.expected(project.task, told, given.label, shown)
        feedback = FeedbackShape(
            is_right=told.is_right if told.expected else None,
            expected="" if told.is_right else expected,
            text=told.text,
        )
    if outcome.is_other:
        return Taken(outcome="first", text=NOTES["first"], feedback=feedback)
    return Taken(outcome="stored", text="", feedback=feedback)


@router.get("/rater/draft")
def read_draft(
    rater: ARater,
    visit: Asked,
    token: Annotated[
        str,
        Query(min_length=1, max_length=200, pattern=STORABLE, description="Of the case."),
    ],
) -> DraftShape:
    """What is saved of an essay."""
    return DraftShape.of(visit.store.draft(rater.id, token), is_wanted=True)


@router.put(
    "/rater/draft", responses={409: {"description": "Another window saved something else."}}
)
def save_draft(given: DraftChange, rater: ARater, visit: Asked) -> DraftShape:
    """Keep corrections that are not sent yet, and renew the lease."""
    edits = corrections(given.edits)
    saved = visit.store.save_draft(rater.id, given.token, edits, version=given.version)
    if not saved.accepted:
        raise RefusalError(
            409,
            actions.OTHER_WINDOW,
            title="Another version is saved",
            remedy="Read it with GET /rater/draft, and save on its version what should stand.",
        )
    return DraftShape.of(saved.draft, is_wanted=saved.is_wanted)


@router.get("/rater/feedback")
def list_feedback(rater: ARater, visit: Asked) -> list[GivenFeedback]:
    """Feedback on this annotator's essays, the oldest first."""
    return [GivenFeedback.of(one) for one in visit.store.feedback(rater.id)]


@router.post("/rater/feedback/{feedback:int}/confirm")
def confirm_feedback(feedback: Number, rater: ARater, visit: Asked) -> GivenFeedback:
    """Say that it was read; without that there is no further essay."""
    return GivenFeedback.of(visit.store.confirm_feedback(rater.id, feedback))


@router.get("/rater/end")
def read_end(rater: ARater, visit: Asked) -> End:
    """The questionnaire, then the completion code; a rater who still has cases is told so."""
    project = visit.store.project_by_id(rater.project)
    settings = project.settings
    found = visit.store.next_case(rater.id)
    if isinstance(found, Assignment):
        return _end("case", "There are cases left for you.")
    state = _state(found)
    if state != "finished":
        back = actions.way_back(project, rater) if state in ("nothing-left", "stopped") else None
        return _end(state, *NOTHING[state][1:], completion_url=back[0] if back else "")
    if settings.questionnaire and not rater.is_surveyed:
        questions = settings.questionnaire
        return _end("questionnaire", "Please answer the questions.", questions=questions)
    codes = {"completion_code": settings.completion_code, "completion_url": settings.completion_url}
    return _end("done", "Thank you for your work.", **codes)


@router.post("/rater/questionnaire")
def answer_questionnaire(given: Questionnaire, rater: ARater, visit: Asked) -> End:
    """What a rater says of themselves; what comes then."""
    visit.store.answer_questionnaire(rater.id, given.answers)
    return read_end(rater._replace(is_surveyed=True), visit)


def _state(nothing: Nothing) -> Literal[State, "finished"]:
    """Why there is no case; those who only practised are not done."""
    is_late = nothing.why == "finished" and nothing.is_first
    return "nothing-left" if is_late else cast("Any", nothing.why)


def _end(state: str, *text: str, **more: Any) -> End:
    empty = {"questions": (), "completion_code": "", "completion_url": ""}
    return End.model_validate(
        {"state": state, "text": text, **empty, **more}, strict=False, from_attributes=True
    )
