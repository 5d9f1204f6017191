"""Projects, for admins: made, read, changed, filled; their raters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

from fastapi import APIRouter
from pydantic import ConfigDict, Field, StringConstraints, create_model

from jurybox.formats import Input
from jurybox.formats.tables.long_tables import encode_json
from jurybox.serve import actions
from jurybox.serve.categories import Category, read_categories
from jurybox.serve.dashboard import dashboard_of
from jurybox.serve.http_api.callers import Admin
from jurybox.serve.http_api.shapes import (
    PLAIN_LINE,
    ApiShape,
    EditShape,
    GivenFeedback,
    Long,
    ProlificShape,
    TaskName,
    Text,
    Whole,
    example,
)
from jurybox.serve.model import Project
from jurybox.serve.projects import Files, FilledProject, add_to_project, make_project
from jurybox.serve.requests import Asked, Number, Sent, Visit
from jurybox.serve.settings import (
    API_NAMES,
    ASKED,
    LEASES,
    MOST,
    MOST_PER_CASE,
    RECORDS,
    SETTINGS,
    STORABLE,
    GoldRule,
    Overlap,
    ProjectSetting,
    Question,
    Settings,
    Task,
    read_fillers,
)
from jurybox.serve.store.essay_feedback import LONGEST_FEEDBACK

router = APIRouter(tags=["projects"])
Line = Annotated[str, StringConstraints(max_length=500, pattern=PLAIN_LINE)]
Word = Annotated[
    str,
    StringConstraints(
        min_length=1, max_length=200, pattern=r"^[^,|\u0000-\u001f\u0085\u2028\u2029]*$"
    ),
]
ProjectName = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=STORABLE)]


class GoldRuleShape(ApiShape):
    """Who is right less often than this, after so many gold answers, is stopped or warned."""

    threshold: float = Field(ge=0, le=1, examples=[0.7])
    after: int = Field(ge=1, le=MOST, examples=[5])
    action: Literal["stop", "warn"] = "stop"


class OverlapShape(ApiShape):
    """Shared sets: so many of every so many cases, with so many judgments each."""

    cases: int = Field(ge=1, le=MOST, examples=[100])
    every: int = Field(ge=2, le=MOST, examples=[500])
    judgments: int = Field(2, ge=2, le=MOST_PER_CASE)


class QuestionShape(ApiShape):
    """A question that raters are asked at the end."""

    key: str = Field(
        "", pattern=r"^[A-Za-z0-9_]{0,40}$", description="Its name in exports; q1, q2 … if empty."
    )
    text: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=STORABLE)]
    options: list[Text] = Field([], max_length=100, description="Free text where there are none.")
    required: bool = False


class CategoryShape(ApiShape):
    """A kind of error in essays."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[^\s|]+$")]
    title: Line = ""
    help: Line = ""


_NESTED: dict[type, type[ApiShape]] = {
    GoldRule: GoldRuleShape,
    Overlap: OverlapShape,
    Question: QuestionShape,
    Category: CategoryShape,
}
#: how the HTTP API takes settings that are no number, text or switch
_TYPES: dict[str, Any] = {
    "task": TaskName,
    "gold_rule": GoldRuleShape | None,
    "overlap": OverlapShape | None,
    "questionnaire": Annotated[list[QuestionShape], Field(max_length=100)],
    "fillers": Annotated[list[Word], Field(max_length=1000)],
    "categories": Annotated[list[CategoryShape], Field(max_length=200)],
}


def _field(one: ProjectSetting) -> tuple[Any, Any]:
    """A setting as the field of a shape: its type, its default with what is said of it."""
    kind = _TYPES.get(one.name) or get_type_hints(Settings)[one.attribute]
    about: dict[str, Any] = {
        **one.limits,
        **one.api_limits,
        "description": one.in_api or one.sentence(API_NAMES),
    }
    default = list(one.default) if isinstance(one.default, tuple) else one.default
    if one.name == "name":
        default = ...
        kind = ProjectName
        about["examples"] = ["prepositions"]
    elif kind is str:
        kind = Annotated[str, StringConstraints(max_length=one.longest, pattern=STORABLE)]
    elif one.is_by_task:
        kind, default = kind | None, None
    elif one.name == "task":
        default = one.default.value
    return kind, Field(default, **about)


def _as_shape(value: Any) -> Any:
    """A setting as its shape; older projects may have more than we take now."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        fields = {name: _as_shape(one) for name, one in value._asdict().items()}
        return _NESTED[type(value)].model_construct(**fields)
    if isinstance(value, tuple):
        return [_as_shape(one) for one in value]
    return value.value if isinstance(value, Task) else value


class _SettingsBase(ApiShape):
    @classmethod
    def of_settings(cls, settings: Settings) -> SettingsShape:
        given = {one.name: _as_shape(getattr(settings, one.attribute)) for one in SETTINGS}
        return SettingsShape.model_construct(**given)

    def settings(self) -> Settings:
        """As the store takes them; what makes no sense together is a UsageError."""
        given = {one.attribute: getattr(self, one.name) for one in SETTINGS}
        task = Task(given["task"])
        records = {
            name: kind(**given[name].model_dump()) for name, kind in RECORDS.items() if given[name]
        }
        lines = (f"{one.name}|{one.title}|{one.help}" for one in given["categories"])
        lease = given["lease_minutes"]
        read = {
            "task": task,
            "lease_minutes": LEASES[task] if lease is None else lease,
            "questionnaire": tuple(
                Question(one.key or f"q{place}", one.text, tuple(one.options), one.required)
                for place, one in enumerate(given["questionnaire"], 1)
            ),
            "fillers": read_fillers(",".join(given["fillers"])),
            "categories": read_categories("\n".join(lines)),
        }
        return Settings(**{**given, **records, **read})


if TYPE_CHECKING:
    _Declared = _SettingsBase
else:
    _Declared = create_model(
        "_Declared", __base__=_SettingsBase, **{one.name: _field(one) for one in SETTINGS}
    )


class SettingsShape(_Declared):
    """What a researcher decides about a project. Names are those of the options of `serve new`."""


def _no_defaults(schema: dict[str, Any]) -> None:
    for field in schema["properties"].values():
        field.pop("default", None)


class SettingsChange(SettingsShape):
    """Changed settings; those that are left out stay as they are."""

    model_config = ConfigDict(json_schema_extra=_no_defaults)

    name: ProjectName = "-"

    def changed(self, settings: Settings) -> Settings:
        given = {name: getattr(self, name) for name in self.model_fields_set}
        return SettingsShape.of_settings(settings).model_copy(update=given).settings()


class CaseShape(ApiShape):
    """A case, with the columns of a case file."""

    model_config = example(
        case="c1", sentence="He sat at mat .", start=2, end=3, written="at", before="It was late ."
    )

    case: Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=STORABLE)] = Field(
        description="Its id, which raters never see."
    )
    sentence: Long = Field(description="Tokens with blanks between them; or an essay.")
    start: Whole | None = Field(None, description="The first token of the target, from 0.")
    end: Whole | None = Field(None, description="Behind the last token of the target.")
    written: Text = Field("", description="What the writer wrote there.")
    before: Long = Field("", description="The sentence before, in the same document.")
    after: Long = Field("", description="The sentence after.")
    first: Text = Field("", description="choice: one of the words, if it is not `written`.")
    second: Text = Field("", description="choice: the other word.")
    purpose: Literal["work", "gold", "practice"] | None = Field(
        None, description="Where it is left out: gold if there are known answers, else work."
    )
    gold: list[Text] = Field([], max_length=100, description="Answers that are known to be right.")
    feedback: Text = Field("", description="practice: said behind the answer.")
    construction: Text = ""
    document: Text = ""
    per_case: Annotated[int, Field(ge=1, le=MOST_PER_CASE)] | None = Field(
        None, description="Judgments that it needs, if not as many as the project says."
    )
    batch: Text = Field("", description="The batch of its judgments in exports.")


class NewCases(ApiShape):
    """Cases for a project that is there."""

    cases: list[CaseShape] = Field(min_length=1, max_length=200_000)
    shuffle: bool = Field(True, description="Hand them out in random order.")


class NewKey(ApiShape):
    """The key of a sample, as `jurybox sample draw` wrote it."""

    content: Annotated[str, StringConstraints(min_length=1, pattern=STORABLE)] = Field(
        description="The text of the file."
    )


class NewProject(SettingsShape):
    """A project with its cases: all of it is made, or nothing."""

    model_config = example(
        name="prepositions",
        per_case=2,
        cases=[{"case": "c1", "sentence": "He sat at mat .", "start": 2, "end": 3}],
    )

    cases: list[CaseShape] = Field([], max_length=200_000)
    keys: list[NewKey] = Field([], max_length=100, description="Of samples the cases are from.")
    shuffle: bool = Field(True, description="Hand cases out in random order.")


class ProgressShape(ApiShape):
    """How far it is; gold, practice and repeats not counted."""

    cases: int
    full: int = Field(description="Cases with all their judgments.")
    judgments: int
    wanted: int = Field(description="Judgments in all.")
    leased: int = Field(description="Cases that raters have open now.")


class ProjectProgress(ProgressShape):
    """How far a project is, and each stratum of its sample."""

    strata: dict[str, ProgressShape]


class ProjectShape(ApiShape):
    """A project as it is."""

    id: int
    created: float = Field(description="Seconds since 1970.")
    link: str = Field(description="What raters are sent.")
    cases: int = Field(description="To be judged, without gold and practice.")
    gold: int
    practice: int
    settings: SettingsShape
    progress: ProgressShape


class MadeProject(ApiShape):
    """A project after its files were read, and what there is to say of them."""

    project: ProjectShape
    notes: list[str] = Field(description="What readers of the files warn of.")


class RaterShape(ApiShape):
    """A rater, for admins."""

    id: int
    name: str = Field(description="In exports: R1, R2 …")
    pseudonym: str
    prolific: ProlificShape | None
    standing: Literal["active", "warned", "stopping", "stopped"]
    flagged: bool = Field(description="Whether their judgments are flagged in exports.")
    joined: float = Field(description="Seconds since 1970.")
    practised: int
    answered: int
    gold_seen: int
    gold_right: int
    is_surveyed: bool = Field(description="Whether the questionnaire is filled in.")
    seconds: float | None = Field(description="On a case, on average.")
    last: float | None = Field(description="Time of the last answer.")
    awaits_feedback: bool = Field(description="correct: gets no essay until there is feedback.")


class FinishedEssay(ApiShape):
    """An essay that an annotator has finished."""

    essay: list[list[str]] = Field(description="Paragraphs of tokenised sentences.")
    edits: list[EditShape]
    submitted: float = Field(description="When, in seconds since 1970.")


class WrittenFeedback(GivenFeedback):
    """The same for admins."""

    essays: int = Field(description="That the annotator had finished when it was written.")
    by: str


class NewFeedback(ApiShape):
    """Feedback on the essays of an annotator."""

    model_config = example(text="Please mark as few words as you can.")

    text: Annotated[
        str, StringConstraints(min_length=1, max_length=LONGEST_FEEDBACK, pattern=STORABLE)
    ] = Field(description="Plain text; a blank line begins a new paragraph.")


class Stopping(ApiShape):
    """Why somebody is stopped matters to their judgments."""

    flag: bool = Field(default=True, description="Whether their judgments are flagged in exports.")


_FILES: dict[str, Any] = {
    "cases": {"type": "string", "format": "binary", "description": "A case file, or M2."},
    "key": {"type": "string", "format": "binary", "description": "The key of a sample."},
    "construction": {"type": "string", "description": "M2: which places are cases."},
    "documents": {
        "type": "string",
        "format": "binary",
        "description": "M2, or essays in text: SGML or a document map.",
    },
    "in_order": {"type": "string", "description": "`yes`: hand cases out in their order."},
}


def _form(**fields: Any) -> dict[str, Any]:
    """The body of a form with files, for the document."""
    schema = {"type": "object", "properties": {**fields, **_FILES}}
    if "name" in fields:
        schema["required"] = ["name"]
    content = {"multipart/form-data": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}


_FIELDS = {
    name: {"type": "string", "description": f"{one.title}, as {one.option} of `jurybox serve new`."}
    for name, one in ASKED.items()
}


@router.get("/projects")
def list_projects(_: Admin, visit: Asked) -> list[ProjectShape]:
    """All projects, the oldest first."""
    return [project_shape(visit, one) for one in visit.store.projects()]


@router.post("/projects", status_code=201)
def create_project(given: NewProject, _: Admin, visit: Asked) -> MadeProject:
    """A new project with its cases, or nothing at all."""
    files = Files(cases=_case_input(given.cases), keys=tuple(map(_key_input, given.keys)))
    return _made(visit, make_project(visit.store, given.settings(), files, shuffle=given.shuffle))


@router.post("/projects/from-files", status_code=201, openapi_extra=_form(**_FIELDS))
def create_from_files(_: Admin, visit: Sent) -> MadeProject:
    """The same out of a form with files; its fields are text, as on the page."""
    return _made(visit, actions.create_from_form(visit))


@router.get("/projects/{number:int}")
def read_project(number: Number, _: Admin, visit: Asked) -> ProjectShape:
    """One project: its settings, the link for raters, how far it is."""
    return project_shape(visit, visit.store.project_by_id(number))


@router.patch("/projects/{number:int}")
def change_project(number: Number, given: SettingsChange, _: Admin, visit: Asked) -> ProjectShape:
    """Other settings. `is_open` closes and opens; the task stays once there are cases."""
    settings = given.changed(visit.store.project_by_id(number).settings)
    return project_shape(visit, visit.store.change_project(number, settings))


@router.post("/projects/{number:int}/cases", status_code=201)
def add_cases(number: Number, given: NewCases, _: Admin, visit: Asked) -> MadeProject:
    """More cases: all of them, or none."""
    project = visit.store.project_by_id(number)
    files = Files(cases=_case_input(given.cases))
    return _made(visit, add_to_project(visit.store, project, files, shuffle=given.shuffle))


@router.post("/projects/{number:int}/keys", status_code=201)
def add_key(number: Number, given: NewKey, _: Admin, visit: Asked) -> MadeProject:
    """The key of a sample whose cases are there; strata are for admins only."""
    files = Files(keys=(_key_input(given),))
    return _made(visit, add_to_project(visit.store, visit.store.project_by_id(number), files))


@router.post("/projects/{number:int}/files", status_code=201, openapi_extra=_form())
def add_files(number: Number, _: Admin, visit: Sent) -> MadeProject:
    """More cases, or a key, out of a form with files."""
    return _made(visit, actions.add_from_form(visit, number))


@router.get("/projects/{number:int}/progress")
def read_progress(number: Number, _: Admin, visit: Asked) -> ProjectProgress:
    """How far a project is, and each stratum of its sample."""
    strata = visit.store.strata_progress(number)
    return ProjectProgress.of(visit.store.progress(number), strata=strata)


@router.get("/projects/{number:int}/dashboard")
def read_dashboard(number: Number, _: Admin, visit: Asked) -> dict[str, Any]:
    """Everything on the dashboard: progress, raters, pace, agreement, the system, money.

    What cannot be told is null, with a `reason`. Counting many judgments goes on in the background:
    `counted` says as of when they are.
    """
    return dashboard_of(visit.store, visit.store.project_by_id(number)).to_dict()


def project_shape(visit: Visit, project: Project) -> ProjectShape:
    """A project for its admins."""
    return ProjectShape.of(
        project,
        link=actions.link_of(visit, project),
        settings=SettingsShape.of_settings(project.settings),
        progress=visit.store.progress(project.id),
    )


def _made(visit: Visit, filled: FilledProject) -> MadeProject:
    return MadeProject(project=project_shape(visit, filled.project), notes=list(filled.notes))


def _case_input(cases: list[CaseShape]) -> tuple[Input, ...]:
    """Cases as a file would hold them: they are read and checked in the same way."""
    lines = (encode_json(one.model_dump(exclude_defaults=True)) for one in cases)
    return (Input.from_lines(lines, "cases"),) if cases else ()


def _key_input(key: NewKey) -> Input:
    return Input.from_text(key.content, "key")


# --- raters ---


@router.get("/projects/{number:int}/raters")
def list_raters(number: Number, _: Admin, visit: Asked) -> list[RaterShape]:
    """All raters of a project, in the order in which they joined."""
    awaiting = visit.store.awaiting_feedback(visit.store.project_by_id(number))
    return [
        RaterShape.of(
            one.rater, seconds=one.seconds, last=one.last, awaits_feedback=one.rater.id in awaiting
        )
        for one in visit.store.rater_progress(number)
    ]


@router.post("/projects/{number:int}/raters/{rater:int}/stop")
def stop_rater(
    number: Number, rater: Number, _: Admin, visit: Asked, given: Stopping | None = None
) -> RaterShape:
    """No more work for somebody; their judgments are flagged, never deleted.

    Where the project has `replace_flagged`, others judge their cases again from now on.
    """
    actions.find_rater(visit, number, rater)
    visit.store.stop_rater(rater, flag=(given or Stopping()).flag)
    return next(one for one in list_raters(number, _, visit) if one.id == rater)


@router.post("/projects/{number:int}/raters/{rater:int}/readmit")
def readmit_rater(number: Number, rater: Number, _: Admin, visit: Asked) -> RaterShape:
    """Work again, without a flag; gold answers so far are forgotten.

    Judgments that were replaced count again: cases that others judged meanwhile then have more
    judgments than `per_case`.
    """
    actions.find_rater(visit, number, rater)
    visit.store.readmit_rater(rater)
    return next(one for one in list_raters(number, _, visit) if one.id == rater)


@router.get("/projects/{number:int}/raters/{rater:int}/essays")
def list_finished_essays(
    number: Number, rater: Number, user: Admin, visit: Asked
) -> list[FinishedEssay]:
    """What an annotator has corrected, the first essay first."""
    actions.enter_feedback(visit, number, rater, user)
    return [FinishedEssay.of(one) for one in visit.store.corrected_essays(rater)]


@router.get("/projects/{number:int}/raters/{rater:int}/feedback")
def list_written_feedback(
    number: Number, rater: Number, user: Admin, visit: Asked
) -> list[WrittenFeedback]:
    """Feedback that an annotator was given, the oldest first."""
    actions.enter_feedback(visit, number, rater, user)
    return [WrittenFeedback.of(one) for one in visit.store.feedback(rater)]


@router.post("/projects/{number:int}/raters/{rater:int}/feedback", status_code=201)
def write_feedback(
    number: Number, rater: Number, given: NewFeedback, user: Admin, visit: Asked
) -> WrittenFeedback:
    """Feedback, which the annotator confirms before the next essay."""
    actions.enter_feedback(visit, number, rater, user)
    return WrittenFeedback.of(visit.store.write_feedback(number, rater, user.id, given.text))
