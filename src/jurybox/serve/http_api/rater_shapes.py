"""What raters send and get: as blind as the pages.

No shape here has a field for a case's id, the system's label or suggestion, the stratum, or known
answers; what is said behind a practice case is what the page says.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from jurybox.serve.http_api.project_shapes import ProlificShape
from jurybox.serve.http_api.shapes import (
    MOST,
    STORABLE,
    Edits,
    EditShape,
    Option,
    Shape,
    Short,
    ShownCase,
    TaskName,
    Text,
    Whole,
    example,
)

CaseToken = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=STORABLE)]


class Joining(Shape):
    """Somebody who opened a project's link."""

    link: Annotated[str, StringConstraints(min_length=1, max_length=2000)] = Field(
        description="The address that raters are sent, or what stands behind its last slash."
    )
    pseudonym: Short = Field("", description="What they call themselves, if anything.")
    prolific: ProlificShape | None = Field(
        None, description="The same participant is always the same rater."
    )


class Joined(Shape):
    """A rater, and the token by which they come back."""

    token: str = Field(description="The bearer token of everything below /rater.")
    project: str = Field(description="The project's name.")
    expires: float = Field(description="When the token ends, in seconds since 1970.")


class WorkProject(Shape):
    """An open project, for whoever judges with an account."""

    id: int
    name: str
    task: TaskName


class AskedQuestion(Shape):
    """A question of the questionnaire."""

    key: str
    text: str
    options: list[str] = Field(description="Free text where there are none.")
    required: bool


class CategoryHelp(Shape):
    """A kind of error in essays."""

    name: str
    title: str
    help: str


class RaterHome(Shape):
    """What a rater knows of the project."""

    project: str
    task: TaskName
    is_open: bool
    instructions: str
    answered: int = Field(description="Cases that this rater has answered, practice not counted.")
    fillers: list[str] = Field(description="cloze: the closed list; any word where it is empty.")
    categories: list[CategoryHelp] = Field(description="correct: kinds of errors.")


class HandedCase(Shape):
    """A case in a rater's hands."""

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


State = Literal["case", "finished", "waiting", "stopped", "closed", "nothing-left"]


class Turn(Shape):
    """The case that is a rater's turn, or why there is none."""

    state: State = Field(
        description="`case`: here it is. `finished`: go on with GET /rater/end. `waiting`: others "
        "have the last cases open; ask again in some minutes. `stopped`, `closed`, "
        "`nothing-left`: there is no more work."
    )
    text: list[str] = Field(description="The same for people; empty where there is a case.")
    case: HandedCase | None


class AnswerShape(Shape):
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


class FeedbackShape(Shape):
    """What is said behind a practice case."""

    is_right: bool | None
    expected: str = Field(description="What would have been right; empty where it cannot be said.")
    text: str


class Taken(Shape):
    """What became of an answer. It is in the database when this is said."""

    outcome: Literal["stored", "late", "first"] = Field(
        description="`late`: the case had all its answers, this one is not stored. `first`: "
        "another answer by this rater is stored, and stays."
    )
    text: str = Field(description="The same for people; empty where it is stored.")
    feedback: FeedbackShape | None = Field(description="Behind practice cases only.")


class DraftShape(Shape):
    """What is saved of an essay that is not sent yet."""

    version: int = Field(description="Goes up with every change; 0 where nothing is saved.")
    edits: list[EditShape]
    saved: float | None = Field(description="When, in seconds since 1970.")
    is_wanted: bool = Field(description="False where others have finished it often enough.")


class DraftChange(Shape):
    """Corrections so far."""

    token: CaseToken
    edits: Edits
    version: Whole = Field(description="The version that they are based on.")


class Questionnaire(Shape):
    """What a rater says of themselves."""

    model_config = example(answers={"q1": "German"})

    answers: dict[Short, Text] = Field(max_length=100, description="By the keys of the questions.")


class End(Shape):
    """What comes when there are no more cases."""

    state: Literal[
        "case", "waiting", "stopped", "closed", "nothing-left", "questionnaire", "done"
    ] = Field(description="`questionnaire`: answer it first. `done`: thanks.")
    text: list[str] = Field(description="The same for people.")
    questions: list[AskedQuestion]
    completion_code: str = Field(description="Empty until all is done, or where there is none.")
    completion_url: str = Field(
        description="Where to go then; for participants of Prolific without a code, the platform."
    )
