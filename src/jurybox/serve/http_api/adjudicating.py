"""Contested cases, for adjudicators: judgments without names, a decision, a comment.

As on the pages, whoever still judges in a project cannot see what others said.
"""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from jurybox.errors import InputError
from jurybox.serve import wording
from jurybox.serve.contested import Contested, ContestedCase, Decision, Judgment, said
from jurybox.serve.http_api.callers import Adjudicator
from jurybox.serve.http_api.problems import RefusalError
from jurybox.serve.http_api.shapes import (
    MOST,
    Edits,
    EditShape,
    Shape,
    ShownCase,
    TaskName,
    Text,
    corrections,
    example,
)
from jurybox.serve.model import Given, Project, Task, User
from jurybox.serve.visits import Asked, Number, Visit

router = APIRouter(tags=["adjudication"])


class ContestedProject(Shape):
    """A project, and how many of its cases are contested."""

    id: int
    name: str
    task: TaskName
    contested: int = Field(description="Cases on which raters differ, decided ones included.")
    decided: int
    refusal: str = Field(description="Why you may not see them now; empty if you may.")


class ContestedLine(Shape):
    """A contested case in the list."""

    case: int = Field(description="Its number; not the id of the case file.")
    shown: ShownCase
    judgments: int
    minority: float = Field(description="Share of judgments beside the most frequent one.")
    state: Literal["open", "undecided", "decided"]

    @classmethod
    def of(cls, one: Contested) -> ContestedLine:
        return cls.model_construct(**{**one._asdict(), "shown": ShownCase.of(one.shown)})


class JudgmentShape(Shape):
    """What one rater said. Letters are given per case, in an order that tells nothing."""

    letter: str
    said: str = Field(description="In the words of the raters' page; empty for essays.")
    label: str
    correction: str
    alternatives: list[str]
    confidence: str
    context: list[str]
    comment: str
    edits: list[EditShape]
    is_flagged: bool = Field(description="By a rater who is not trusted.")

    @classmethod
    def of(cls, case: ContestedCase, one: Judgment) -> JudgmentShape:
        return cls(
            letter=one.letter,
            said=_said(case, one),
            label=one.label,
            correction=one.correction,
            alternatives=list(one.alternatives),
            confidence=one.confidence,
            context=list(one.context),
            comment=one.comment,
            edits=[EditShape.of(edit) for edit in one.edits],
            is_flagged=one.is_flagged,
        )


class DecisionShape(Shape):
    """What an adjudicator said; the last one counts."""

    is_made: bool = Field(description="False where the case was left undecided.")
    said: str
    label: str
    correction: str
    alternatives: list[str]
    edits: list[EditShape]
    comment: str
    by: str
    time: float = Field(description="When; it goes into `over` of the next decision.")

    @classmethod
    def of(cls, case: ContestedCase, one: Decision) -> DecisionShape:
        return cls(
            is_made=one.is_made,
            said=_said(case, one) if one.is_made else "",
            label=one.label,
            correction=one.correction,
            alternatives=list(one.alternatives),
            edits=[EditShape.of(edit) for edit in one.edits],
            comment=one.comment,
            by=one.by,
            time=one.time,
        )


class ContestedShape(Shape):
    """A case with everything that an adjudicator may see of it."""

    case: int
    task: TaskName
    question: str
    shown: ShownCase = Field(description="`left` and `right` of a choice's decision are these.")
    judgments: list[JudgmentShape]
    decision: DecisionShape | None


class NewDecision(Shape):
    """A decision, in the words of an answer; or none."""

    model_config = example(label="error", comment="A clear case.", over=0)

    undecided: bool = Field(False, description="True leaves the case open; only `comment` counts.")
    label: Text = Field("", description="As in an answer; judge-trained has also `unknown`.")
    words: list[Text] = Field([], max_length=20)
    edits: Edits = Field([], description="correct: all corrections that stand.")
    comment: Text = ""
    over: float | None = Field(
        None, description="`time` of the decision that you saw, 0 if none: no other gives way."
    )


@router.get("/adjudication")
def list_contested_projects(user: Adjudicator, visit: Asked) -> list[ContestedProject]:
    """All projects, and how many of their cases are contested."""
    found = []
    for one in visit.store.projects():
        counts = visit.store.contested_counts(one.id, partial=not one.settings.is_open)
        found.append(
            ContestedProject(
                id=one.id,
                name=one.name,
                task=one.task.value,
                contested=counts.contested,
                decided=counts.decided,
                refusal=visit.store.refuse_adjudicator(one.id, user.id),
            )
        )
    return found


@router.get("/projects/{number:int}/contested")
def list_contested(
    number: Number,
    user: Adjudicator,
    visit: Asked,
    *,
    show: Annotated[
        Literal["undecided", "decided", "all"], Query(description="Which ones.")
    ] = "undecided",
    order: Annotated[
        Literal["most", "file"], Query(description="The most contested first, or as in the file.")
    ] = "most",
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    after: Annotated[int, Query(ge=0, le=MOST, description="Those behind this case.")] = 0,
) -> list[ContestedLine]:
    """Cases on which raters differ. In open projects those that have all their judgments."""
    project = _enter(visit, number, user)
    found = visit.store.contested(
        number,
        decided={"undecided": False, "decided": True}.get(show),
        limit=limit,
        after=after,
        order=order,
        partial=not project.settings.is_open,
    )
    return [ContestedLine.of(one) for one in found]


@router.get("/projects/{number:int}/contested/{case:int}")
def read_contested(number: Number, case: Number, user: Adjudicator, visit: Asked) -> ContestedShape:
    """A case with its judgments, without names."""
    _enter(visit, number, user)
    return _shape(_find(visit, number, case))


@router.put(
    "/projects/{number:int}/contested/{case:int}/decision",
    responses={409: {"description": "Somebody else decided meanwhile."}},
)
def decide(
    number: Number, case: Number, given: NewDecision, user: Adjudicator, visit: Asked
) -> ContestedShape:
    """A decision, instead of the one that may be there."""
    _enter(visit, number, user)
    _find(visit, number, case)
    answer = None if given.undecided else _given(given)
    try:
        visit.store.decide(number, case, user.id, answer, given.comment, over=given.over)
    except InputError as error:
        decision = _find(visit, number, case).decision
        if given.over in (None, 0.0 if decision is None else decision.time):
            raise
        raise RefusalError(
            409,
            str(error),
            title="There is another decision",
            remedy="Read the case; send yours with the new `over` if it should stand instead.",
        ) from None
    return _shape(_find(visit, number, case))


def _enter(visit: Visit, number: int, user: User) -> Project:
    project = visit.store.project_by_id(number)
    if refusal := visit.store.refuse_adjudicator(number, user.id):
        raise RefusalError(403, refusal, remedy="Close the project, or let somebody else decide.")
    return project


def _find(visit: Visit, number: int, case: int) -> ContestedCase:
    try:
        return visit.store.contested_case(number, case)
    except InputError as error:
        raise RefusalError(404, str(error)) from None


def _given(decision: NewDecision) -> Given:
    return Given(decision.label, tuple(decision.words), edits=corrections(decision.edits))


def _shape(case: ContestedCase) -> ContestedShape:
    decision = case.decision
    return ContestedShape(
        case=case.case,
        task=case.task.value,
        question=wording.question(case.task, case.shown),
        shown=ShownCase.of(case.shown),
        judgments=[JudgmentShape.of(case, one) for one in case.judgments],
        decision=None if decision is None else DecisionShape.of(case, decision),
    )


def _said(case: ContestedCase, one: Judgment | Decision) -> str:
    return "" if case.task == Task.CORRECT else said(case, one)
