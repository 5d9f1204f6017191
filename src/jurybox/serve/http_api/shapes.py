"""What several parts of the API send and take: text that can be stored, cases as people see them.

Bodies are read strictly: a field that is not there, a number as text, NUL or half a character are
refused before anything else is looked at.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from jurybox.serve.model import Correction, Shown
from jurybox.serve.wording import Answer

#: no NUL: databases do not take it
STORABLE = r"^[^\u0000]*$"
#: one line, without what parts fields in M2 and in lists
PLAIN_LINE = r"^[^|\u0000-\u001f\u0085\u2028\u2029]*$"
MOST = 2**31 - 1

Short = Annotated[str, StringConstraints(max_length=100, pattern=STORABLE)]
Text = Annotated[str, StringConstraints(max_length=2000, pattern=STORABLE)]
Long = Annotated[str, StringConstraints(max_length=1_000_000, pattern=STORABLE)]
Secret = Annotated[str, StringConstraints(max_length=1000)]
Whole = Annotated[int, Field(ge=0, le=MOST)]

TaskName = Literal["judge", "judge-trained", "cloze", "choice", "correct"]
RoleName = Literal["rater", "adjudicator", "admin"]
YesNo = Literal["yes", "no"]


class Shape(BaseModel):
    """What all bodies have in common."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


def example(**values: Any) -> ConfigDict:
    """The configuration of a shape, with an example for the documentation."""
    return ConfigDict(json_schema_extra={"examples": [values]})


class Option(Shape):
    """Something that can be answered."""

    value: str = Field(description="What the answer says.", examples=["error"])
    text: str = Field(description="What it means, for people.", examples=["Error"])

    @classmethod
    def of(cls, answers: tuple[Answer, ...]) -> list[Option]:
        return [cls(value=one.value, text=one.text) for one in answers]


class ShownCase(Shape):
    """A case as its rater sees it, and nothing else of it."""

    before: str = Field(description="The sentence before; empty where there is none.")
    left: str = Field(description="The sentence up to the target, or all of it without target.")
    target: str = Field(description="The marked words; empty in cloze and choice.")
    right: str = Field(description="The sentence behind the target.")
    has_target: bool = Field(description="Whether a place is marked, be it an empty one.")
    fillers: list[str] | None = Field(description="choice: the two words, left and right.")
    essay: list[list[str]] = Field(description="correct: paragraphs of tokenised sentences.")

    @classmethod
    def of(cls, shown: Shown) -> ShownCase:
        return cls(
            before=shown.before,
            left=shown.left,
            target=shown.target,
            right=shown.right,
            has_target=shown.has_target,
            fillers=None if shown.fillers is None else list(shown.fillers),
            essay=[list(paragraph) for paragraph in shown.essay],
        )


class EditShape(Shape):
    """A correction in an essay: tokens `start` to `end` of a sentence become `replacement`."""

    model_config = example(sentence=0, start=1, end=2, replacement="is", category="SVA")

    sentence: Whole = Field(description="The sentence, counted through the essay from 0.")
    start: Whole = Field(description="The first token, from 0.")
    end: Whole = Field(description="Behind the last token; `start` where something is inserted.")
    replacement: Text = Field(description="What belongs there; empty deletes the tokens.")
    category: Short = Field(description="The name of a category of the project.")
    comment: Text = Field("", description="For readers of the export.")

    @classmethod
    def of(cls, edit: Correction) -> EditShape:
        return cls.model_construct(**edit._asdict())

    def correction(self) -> Correction:
        return Correction(**self.model_dump())


Edits = Annotated[list[EditShape], Field(max_length=2000)]


def corrections(edits: list[EditShape]) -> tuple[Correction, ...]:
    """Edits as the store takes them."""
    return tuple(one.correction() for one in edits)
