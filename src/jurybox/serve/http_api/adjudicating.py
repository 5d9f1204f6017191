"""Contested cases, for adjudicators: judgments without names, a decision, a comment.

As on the pages, a user who still judges in a project cannot see what others said.
"""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from jurybox.errors import InputError
from jurybox.serve import actions, wording
from jurybox.serve.http_api.callers import Adjudicator
from jurybox.serve.http_api.shapes import (
    ApiShape,
    Edits,
    EditShape,
    ShownCase,
    TaskName,
    Text,
    WorkProject,
    corrections,
    example,
)
from jurybox.serve.model import AdjudicatorDecision, ContestedCase, Judgment, SubmittedAnswer
from jurybox.serve.requests import Asked, Number, RefusalError
from jurybox.serve.settings import MOST, Task

router = APIRouter(tags=["adjudication"])


class ContestedProject(WorkProject):
    """A project, and how many of its cases are contested."""

    contested: int = Field(description="Cases on which raters differ, decided ones included.")
    decided: int
    refusal: str = Field(description="Why you may not see them now; empty if you may.")


class ContestedLine(ApiShape):
    """A contested case in the list."""

    case: int = Field(description="Its number; not the id of the case file.")
    shown: ShownCase
    judgments: int
    minority: float = Field(description="Share of judgments that are not the most frequent one.")
    state: Literal["open", "undecided", "decided"]


class JudgmentShape(ApiShape):
    """What one rater said. Letters are given per case, in an order that reveals nothing."""

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


class DecisionShape(ApiShape):
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


class ContestedShape(ApiShape):
    """A case with everything that an adjudicator may see of it."""

    case: int
    task: TaskName
    question: str
    shown: ShownCase = Field(description="`left` and `right` of a choice's decision are these.")
    judgments: list[JudgmentShape]
    decision: DecisionShape | None


class NewDecision(ApiShape):
    """A decision, in the words of an answer; or none."""

    model_config = example(label="error", comment="A clear case.", over=0)

    undecided: bool = Field(False, description="True leaves the case open; only `comment` counts.")
    label: Text = Field("", description="As in an answer; judge-trained has also `unknown`.")
    words: list[Text] = Field([], max_length=20)
    edits: Edits = Field([], description="correct: all corrections that stand.")
    comment: Text = ""
    over: float | None = Field(
        None, description="`time` of the decision that you saw, 0 if none: no other is replaced."
    )


@router.get("/adjudication")
def list_contested_projects(user: Adjudicator, visit: Asked) -> list[ContestedProject]:
    """All projects, and how many of their cases are contested."""
    return [
        ContestedProject.of(
            one,
            **visit.store.contested_counts(one.id)._asdict(),
            refusal=visit.store.refuse_adjudicator(one.id, user.id),
        )
        for one in visit.store.projects()
    ]


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
    actions.enter_adjudication(visit, number, user)
    decided = {"undecided": False, "decided": True}.get(show)
    found = visit.store.contested(number, decided=decided, limit=limit, after=after, order=order)
    return [ContestedLine.of(one) for one in found]


@router.get("/projects/{number:int}/contested/{case:int}")
def read_contested(number: Number, case: Number, user: Adjudicator, visit: Asked) -> ContestedShape:
    """A case with its judgments, without names."""
    actions.enter_adjudication(visit, number, user)
    return _shape(actions.find_contested(visit, number, case))


@router.put(
    "/projects/{number:int}/contested/{case:int}/decision",
    responses={409: {"description": "Somebody else decided meanwhile."}},
)
def decide(
    number: Number, case: Number, given: NewDecision, user: Adjudicator, visit: Asked
) -> ContestedShape:
    """A decision, instead of the one that may be there."""
    actions.enter_adjudication(visit, number, user)
    actions.find_contested(visit, number, case)
    answer = None
    if not given.undecided:
        edits = corrections(given.edits)
        answer = SubmittedAnswer(given.label, tuple(given.words), edits=edits)
    try:
        visit.store.decide(number, case, user.id, answer, given.comment, over=given.over)
    except InputError as error:
        decision = actions.find_contested(visit, number, case).decision
        if given.over in (None, 0.0 if decision is None else decision.time):
            raise
        raise RefusalError(
            409,
            str(error),
            title="There is another decision",
            remedy="Read the case; send yours with the new `over` if it should stand instead.",
        ) from None
    return _shape(actions.find_contested(visit, number, case))


def _shape(case: ContestedCase) -> ContestedShape:
    decided = case.decision
    return ContestedShape.of(
        case,
        question=wording.question(case.task, case.shown),
        judgments=[JudgmentShape.of(one, said=_said(case, one)) for one in case.judgments],
        decision=decided and DecisionShape.of(decided, said=_said(case, decided)),
    )


def _said(case: ContestedCase, one: Judgment | AdjudicatorDecision) -> str:
    """In the words of the raters' page; '' for essays, and for what is left undecided."""
    is_made = one.is_made if isinstance(one, AdjudicatorDecision) else True
    return wording.judgment_text(case, one) if is_made and case.task != Task.CORRECT else ""
