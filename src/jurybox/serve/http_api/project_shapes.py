"""What admins send and get: projects with their settings and cases, raters, progress."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints

from jurybox.serve.categories import read_categories
from jurybox.serve.http_api.shapes import (
    MOST,
    PLAIN_LINE,
    STORABLE,
    Long,
    Shape,
    Short,
    TaskName,
    Text,
    Whole,
    example,
)
from jurybox.serve.model import (
    GoldRule,
    Progress,
    Question,
    Rater,
    Settings,
    Task,
)
from jurybox.serve.project_forms import lease_of, read_fillers

Line = Annotated[str, StringConstraints(max_length=500, pattern=PLAIN_LINE)]
Word = Annotated[
    str,
    StringConstraints(
        min_length=1, max_length=200, pattern=r"^[^,|\u0000-\u001f\u0085\u2028\u2029]*$"
    ),
]
Share = Annotated[float, Field(ge=0, le=0.5)]


class GoldRuleShape(Shape):
    """Who is right less often than this, after so many gold answers, is stopped or warned."""

    threshold: float = Field(ge=0, le=1, examples=[0.7])
    after: int = Field(ge=1, le=MOST, examples=[5])
    action: Literal["stop", "warn"] = "stop"


class QuestionShape(Shape):
    """A question that raters are asked at the end."""

    key: str = Field(
        "", pattern=r"^[A-Za-z0-9_]{0,40}$", description="Its name in exports; q1, q2 … if empty."
    )
    text: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=STORABLE)]
    options: list[Text] = Field([], max_length=100, description="Free text where there are none.")
    required: bool = False


class CategoryShape(Shape):
    """A kind of error in essays."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[^\s|]+$")]
    title: Line = ""
    help: Line = ""


class SettingsShape(Shape):
    """What a researcher decides about a project. Names are those of the options of `serve new`."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=STORABLE)] = Field(
        description="Unique, without a slash or blanks around it.", examples=["prepositions"]
    )
    task: TaskName = Field("judge", description="What raters are asked.")
    per_case: int = Field(1, ge=1, le=1000, description="Judgments that every case gets, exactly.")
    per_rater: int | None = Field(
        None, ge=1, le=MOST, description="Cases that a rater answers at most."
    )
    lease: float | None = Field(
        None, gt=0, le=100_000, description="Minutes for which a case is kept for its rater."
    )
    repeats: Share = Field(0.0, description="Share of cases that come a second time.")
    gold_rate: Share = Field(0.0, description="Share of gold cases in what a rater sees.")
    gold_rule: GoldRuleShape | None = None
    instructions: Long = Field("", description="Plain text; blank lines part paragraphs.")
    questionnaire: list[QuestionShape] = Field([], max_length=100)
    completion_code: Text = Field("", description="Shown to those who are done.")
    completion_url: Text = Field("", description="Where those who are done are sent.")
    fillers: list[Word] = Field(
        [], max_length=1000, description="cloze: the closed list; any word where it is empty."
    )
    categories: list[CategoryShape] = Field(
        [], max_length=200, description="correct: kinds of errors; the 28 of NUCLE if empty."
    )
    pay: Short = Field("", description="For one judgment or an hour, as `$0.02`, `12 EUR/hour`.")
    fee: Short = Field("", description="What a marketplace takes on top, as `20%`.")
    precise_within: float | None = Field(
        None, gt=0, lt=1, description="Half the width of the intervals that are wished for."
    )
    is_open: bool = Field(True, description="Closed projects take nobody in, hand nothing out.")
    seed: Whole = Field(1, description="Decides the order of cases and the places of gold.")

    @classmethod
    def of(cls, settings: Settings) -> SettingsShape:
        rule = settings.gold_rule
        return cls.model_construct(  # older projects may have more than we take now
            name=settings.name,
            task=settings.task.value,
            per_case=settings.per_case,
            per_rater=settings.per_rater,
            lease=settings.lease_minutes,
            repeats=settings.repeat_share,
            gold_rate=settings.gold_rate,
            gold_rule=None if rule is None else GoldRuleShape.model_construct(**rule._asdict()),
            instructions=settings.instructions,
            questionnaire=[
                QuestionShape.model_construct(**{**one._asdict(), "options": list(one.options)})
                for one in settings.questionnaire
            ],
            completion_code=settings.completion_code,
            completion_url=settings.completion_url,
            fillers=list(settings.fillers),
            categories=[
                CategoryShape.model_construct(**one._asdict()) for one in settings.categories
            ],
            pay=settings.pay,
            fee=settings.fee,
            precise_within=settings.precise_within,
            is_open=settings.is_open,
            seed=settings.seed,
        )

    def settings(self) -> Settings:
        """As the store takes them; what makes no sense together is a UsageError."""
        task, rule = Task(self.task), self.gold_rule
        lines = (f"{one.name}|{one.title}|{one.help}" for one in self.categories)
        return Settings(
            name=self.name,
            task=task,
            per_case=self.per_case,
            per_rater=self.per_rater,
            lease_minutes=lease_of(task) if self.lease is None else self.lease,
            repeat_share=self.repeats,
            gold_rate=self.gold_rate,
            gold_rule=None if rule is None else GoldRule(rule.threshold, rule.after, rule.action),
            instructions=self.instructions,
            questionnaire=tuple(
                Question(one.key or f"q{place}", one.text, tuple(one.options), one.required)
                for place, one in enumerate(self.questionnaire, 1)
            ),
            completion_code=self.completion_code,
            completion_url=self.completion_url,
            fillers=read_fillers(",".join(self.fillers)),
            categories=read_categories("\n".join(lines)),
            pay=self.pay,
            fee=self.fee,
            precise_within=self.precise_within,
            is_open=self.is_open,
            seed=self.seed,
        )


def _no_defaults(schema: dict[str, Any]) -> None:
    for field in schema["properties"].values():
        field.pop("default", None)


class SettingsChange(SettingsShape):
    """Settings that are to be others; those that are left out stay as they are."""

    model_config = ConfigDict(json_schema_extra=_no_defaults)

    name: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=STORABLE)] = "-"

    def changed(self, settings: Settings) -> Settings:
        given = {name: getattr(self, name) for name in self.model_fields_set}
        before = SettingsShape.of(settings)
        return before.model_copy(update=given).settings()


class CaseShape(Shape):
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
    before: Long = Field("", description="The sentence before.")
    first: Text = Field("", description="choice: the writer's word, if it is not `written`.")
    second: Text = Field("", description="choice: the system's word.")
    purpose: Literal["work", "gold", "practice"] | None = Field(
        None, description="Where it is left out: gold if there are known answers, else work."
    )
    gold: list[Text] = Field([], max_length=100, description="Answers that are known to be right.")
    feedback: Text = Field("", description="practice: said behind the answer.")
    construction: Text = ""
    document: Text = ""


class NewCases(Shape):
    """Cases for a project that is there."""

    cases: list[CaseShape] = Field(min_length=1, max_length=200_000)
    shuffle: bool = Field(True, description="Hand them out in random order.")


class NewKey(Shape):
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


class ProgressShape(Shape):
    """How far it is; gold, practice and repeats not counted."""

    cases: int
    full: int = Field(description="Cases with all their judgments.")
    judgments: int
    wanted: int = Field(description="Judgments in all.")
    leased: int = Field(description="Cases in somebody's hands now.")

    @classmethod
    def of(cls, progress: Progress) -> ProgressShape:
        return cls(**progress._asdict())


class ProjectProgress(ProgressShape):
    """How far a project is, and each stratum of its sample."""

    strata: dict[str, ProgressShape]


class ProjectShape(Shape):
    """A project as it is."""

    id: int
    created: float = Field(description="Seconds since 1970.")
    link: str = Field(description="What raters are sent.")
    cases: int = Field(description="To be judged, without gold and practice.")
    gold: int
    practice: int
    settings: SettingsShape
    progress: ProgressShape


class MadeProject(Shape):
    """A project after its files were read, and what there is to say of them."""

    project: ProjectShape
    notes: list[str] = Field(description="What readers of the files warn of.")


class ProlificShape(Shape):
    """The parameters with which Prolific sends participants."""

    pid: Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=STORABLE)]
    study: Short = ""
    session: Short = ""


class RaterShape(Shape):
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

    @classmethod
    def of(cls, rater: Rater, seconds: float | None, last: float | None) -> RaterShape:
        prolific = rater.prolific
        return cls(
            id=rater.id,
            name=rater.name,
            pseudonym=rater.pseudonym,
            prolific=None
            if prolific is None
            else ProlificShape.model_construct(**prolific._asdict()),
            standing=rater.standing.value,
            flagged=rater.flagged,
            joined=rater.joined,
            practised=rater.practised,
            answered=rater.answered,
            gold_seen=rater.gold_seen,
            gold_right=rater.gold_right,
            is_surveyed=rater.is_surveyed,
            seconds=seconds,
            last=last,
        )
