"""What several parts of the API send and receive: storable text, cases as people see them.

Bodies are read strictly: an unknown field, a number as text, NUL or half a character are refused
first.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from jurybox.serve.model import EssayCorrection
from jurybox.serve.settings import MOST, STORABLE

#: one line, without what parts fields in M2 and in lists
PLAIN_LINE = r"^[^|\u0000-\u001f\u0085\u2028\u2029]*$"

Short = Annotated[str, StringConstraints(max_length=100, pattern=STORABLE)]
Text = Annotated[str, StringConstraints(max_length=2000, pattern=STORABLE)]
Long = Annotated[str, StringConstraints(max_length=1_000_000, pattern=STORABLE)]
Secret = Annotated[str, StringConstraints(max_length=1000)]
Whole = Annotated[int, Field(ge=0, le=MOST)]

TaskName = Literal["judge", "judge-extraneous", "judge-trained", "cloze", "choice", "correct"]
RoleName = Literal["rater", "adjudicator", "admin"]


class ApiShape(BaseModel):
    """What all bodies have in common."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    @classmethod
    def of(cls, value: Any, **more: Any) -> Self:
        """The shape of a value with attributes of the same names; `more` has the other fields."""
        own = {name: getattr(value, name) for name in cls.model_fields if name not in more}
        return cls.model_validate({**own, **more}, strict=False, from_attributes=True)


def example(**values: Any) -> ConfigDict:
    """The configuration of a shape, with an example for the documentation."""
    return ConfigDict(json_schema_extra={"examples": [values]})


class Option(ApiShape):
    """Something that can be answered."""

    value: str = Field(description="What the answer says.", examples=["error"])
    text: str = Field(description="What it means, for people.", examples=["Error"])


class ShownCase(ApiShape):
    """A case as its rater sees it, and nothing else of it."""

    before: str = Field(description="The sentence before; empty where there is none.")
    left: str = Field(description="The sentence up to the target, or all of it without target.")
    target: str = Field(description="The marked words; empty in cloze and choice.")
    right: str = Field(description="The sentence behind the target.")
    has_target: bool = Field(description="Whether a place is marked, be it an empty one.")
    fillers: list[str] | None = Field(description="choice: the two words, left and right.")
    essay: list[list[str]] = Field(description="correct: paragraphs of tokenised sentences.")
    after: str = Field(description="The sentence after, where the project shows it.")


class WorkProject(ApiShape):
    """An open project, for raters with an account."""

    id: int
    name: str
    task: TaskName


class ProlificShape(ApiShape):
    """The parameters with which Prolific sends participants."""

    pid: Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=STORABLE)]
    study: Short = ""
    session: Short = ""


class EditShape(ApiShape):
    """A correction in an essay: tokens `start` to `end` of a sentence become `replacement`."""

    model_config = example(sentence=0, start=1, end=2, replacement="is", category="SVA")

    sentence: Whole = Field(description="The sentence, counted through the essay from 0.")
    start: Whole = Field(description="The first token, from 0.")
    end: Whole = Field(description="Behind the last token; `start` where something is inserted.")
    replacement: Text = Field(description="What belongs there; empty deletes the tokens.")
    category: Short = Field(description="The name of a category of the project.")
    comment: Text = Field("", description="For readers of the export.")


class GivenFeedback(ApiShape):
    """What was written to an annotator of essays."""

    id: int
    text: str
    time: float = Field(description="When it was written, in seconds since 1970.")
    confirmed: float | None = Field(description="When the annotator had read it.")


Edits = Annotated[list[EditShape], Field(max_length=2000)]


def corrections(edits: list[EditShape]) -> tuple[EssayCorrection, ...]:
    """Edits as the store takes them."""
    return tuple(EssayCorrection(**one.model_dump()) for one in edits)
