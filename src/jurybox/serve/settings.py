"""A project's settings, each declared once.

From the declarations in `Settings` come the form of the page, the shape of the HTTP API, the
options of `jurybox serve new`, what is checked, and the JSON in the database.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from enum import StrEnum
from functools import lru_cache
from math import isfinite
from typing import Any, NamedTuple

from jurybox.errors import UsageError, unknown_name
from jurybox.serve.categories import Category, read_categories

#: minutes for which a case is leased to its rater
LEASE_MINUTES = 15.0
#: the largest number that a column of the database takes
MOST = 2**31 - 1
MOST_PER_CASE = 1000


class Task(StrEnum):
    """What raters are asked (spec: judge, the form of 2008, cloze, choice, essays)."""

    JUDGE = "judge"  # error, ok, or too hard to decide
    EXTRANEOUS = "judge-extraneous"  # Madnani et al. 2011: one kind of error at a time
    TRAINED = "judge-trained"  # Tetreault and Chodorow 2008: context, 0/1/2/e, confidence
    CLOZE = "cloze"  # fill the blank
    CHOICE = "choice"  # which of two words is better
    CORRECT = "correct"  # an essay: mark what is wrong, write what is right, name the category


#: minutes of a lease unless set otherwise: an essay takes longer than a sentence
LEASES = {**dict.fromkeys(Task, LEASE_MINUTES), Task.CORRECT: 24 * 60.0}


class GoldRule(NamedTuple):
    """When raters are no longer trusted: accuracy below `threshold` after `after` gold answers."""

    threshold: float
    after: int
    action: str = "stop"  # or "warn"

    def is_broken(self, *, right: int, seen: int) -> bool:
        return seen >= self.after and right < self.threshold * seen


class Overlap(NamedTuple):
    """Shared sets: of every `every` cases the first `cases` get more judgments than the others.

    Tetreault and Chodorow (2008, section 5.2): two raters shared a set of 100 now and then.
    """

    cases: int
    every: int
    judgments: int = 2

    def batch(self, place: int) -> str:
        """The shared set of the case at this place in the queue, from 0; '' where it has none."""
        block, within = divmod(place, self.every)
        return str(block + 1) if within < self.cases else ""


class Question(NamedTuple):
    """A question of the questionnaire; free text where there are no options."""

    key: str
    text: str
    options: tuple[str, ...] = ()
    required: bool = False


# --- settings as text, in forms and options ---


def read_gold_rule(text: str) -> GoldRule:
    """`0.7:5` as a rule: less than 70 % right after 5 gold answers."""
    threshold, _, rest = text.partition(":")
    after, _, action = rest.partition(":")
    try:
        return GoldRule(float(threshold), int(after), action.strip() or "stop")
    except ValueError:
        raise UsageError(
            f"--gold-rule {text}: write the share that must be right, and after how many gold "
            "answers, as 0.7:5 or 0.7:5:warn"
        ) from None


def read_overlap(text: str) -> Overlap:
    """`100/500` as shared sets: 100 of every 500 cases, judged twice; `100/500:3` three times."""
    found = re.fullmatch(r"(\d{1,9})\s*(?:/|every)\s*(\d{1,9})(?:\s*:\s*(\d{1,9}))?", text)
    if found is None:
        raise UsageError(
            f"--overlap {text}: write how many of how many cases are shared, and how many "
            "judgments these get if not two, as 100/500 or 100/500:3"
        )
    return Overlap(*(int(one) for one in found.groups() if one is not None))


def read_questions(text: str) -> tuple[Question, ...]:
    """A question per line; `*` behind it if it must be answered, then options behind bars."""
    found: list[Question] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        asked, *options = (part.strip() for part in line.split("|"))
        words = asked.removesuffix("*").strip()
        if not words:
            raise UsageError(f"--questionnaire: '{line}' has no question before the bar")
        key = f"q{len(found) + 1}"
        found.append(Question(key, words, tuple(filter(None, options)), asked.endswith("*")))
    return tuple(found)


def read_fillers(text: str) -> tuple[str, ...]:
    """Words with commas or line ends between them, each once.

    >>> read_fillers("in, on,at, in")
    ('in', 'on', 'at')
    """
    words = (" ".join(word.split()) for word in text.replace("\n", ",").split(","))
    return tuple(dict.fromkeys(filter(None, words)))


def read_task(text: str) -> Task:
    if text not in tuple(Task):
        raise unknown_name("task", text, Task)
    return Task(text)


def read_yes(text: str) -> bool:
    return {"yes": True, "no": False}[text]


#: what a text must be that its reader cannot read
KINDS: dict[Any, str] = {int: "a whole number", float: "a number", read_yes: "yes or no"}


# --- declarations ---


class ProjectSetting(NamedTuple):
    title: str  # on pages
    help: str  # on pages, in --help, in the document of the HTTP API
    read: Callable[[str], Any] = str  # out of text
    metavar: str = ""  # of the option; "" where it is a switch
    group: str = ""  # of options and fields that belong together
    name: str = ""  # in forms and the HTTP API, and of the option: unless that of the attribute
    widget: str = "line"  # of the form: line, number, area (a file), switch, choice, hidden, none
    rule: str = ""  # what is said of a value outside of `limits`
    limits: Mapping[str, float] = {}  # by pydantic's names: ge, gt, le, lt
    api_limits: Mapping[str, float] = {}  # of the HTTP API alone
    longest: int = 2000  # characters, in the HTTP API
    in_api: str = ""  # what the HTTP API says of it, where that takes no text but a list or object
    is_by_task: bool = False  # whether the default depends on the task
    attribute: str = ""  # of `Settings`
    default: Any = None

    @property
    def option(self) -> str:
        return "NAME" if self.attribute == "name" else f"--{self.name.replace('_', '-')}"

    @property
    def default_text(self) -> str:
        """What the field of a form holds to begin with."""
        if self.is_by_task or self.default is None or self.read not in (int, float, read_task):
            return ""
        return f"{self.default:g}" if self.read is not read_task else str(self.default)

    def sentence(self, names: Mapping[str, str]) -> str:
        """The help text as a sentence, with other names for options."""
        text = in_words(self.help, names)
        return f"{text[:1].upper()}{text[1:]}."


def _setting(default: Any, title: str, help: str, **about: Any) -> Any:  # noqa: A002  as argparse calls it
    """A field with a default and its declaration."""
    return field(default=default, metadata={"setting": ProjectSetting(title, help, **about)})


NAME = ProjectSetting("Name", "the project's name, which raters see; unique, without a slash")
#: what several settings have in common
NUMBER: dict[str, Any] = {"group": "how much", "widget": "number"}
COUNT: dict[str, Any] = {
    **NUMBER,
    "metavar": "N",
    "read": int,
    "rule": "must be 1 or more",
    "limits": {"ge": 1},
}
SHARE: dict[str, Any] = {
    **NUMBER,
    "metavar": "SHARE",
    "read": float,
    "rule": "is a share from 0 to 0.5",
    "limits": {"ge": 0, "le": 0.5},
}
BETWEEN: dict[str, Any] = {"rule": "is a share between 0 and 1", "limits": {"gt": 0, "lt": 1}}
TEXT: dict[str, Any] = {"group": "texts for raters"}
TEXT_FILE: dict[str, Any] = {**TEXT, "metavar": "FILE", "widget": "area"}
DASHBOARD: dict[str, Any] = {"group": "on the dashboard", "longest": 100}


@dataclass(frozen=True, slots=True)
class Settings:
    name: str = field(metadata={"setting": NAME})
    task: Task = _setting(  # noqa: RUF009  it gives a field
        Task.JUDGE,
        "Task",
        "what raters do: judge, judge-extraneous, judge-trained, cloze, choice or correct",
        read=read_task,
        metavar="TASK",
        widget="choice",
    )
    per_case: int = _setting(
        1,
        "Judgments per case",
        "judgments that every case gets, exactly",
        **COUNT,
        api_limits={"le": MOST_PER_CASE},
    )
    overlap: Overlap | None = _setting(  # noqa: RUF009  it gives a field
        None,
        "Shared sets",
        "100 every 500, or 100/500, makes shared sets: of every 500 cases, 100 get two judgments "
        "instead of --per-case, 100/500:3 three; raters get them at about the same time, and "
        "exports name the set in the column batch",
        read=read_overlap,
        metavar="N/M",
        group="how much",
        in_api="Cases with more judgments than `per_case`, in sets; none unless given.",
    )
    per_rater: int | None = _setting(
        None,
        "Cases per rater at most",
        "cases that a rater judges at most, practice not counted; no limit unless given",
        **COUNT,
        api_limits={"le": MOST},
    )
    feedback_after: int = _setting(
        0,
        "Essays before feedback",
        "correct: after so many essays an annotator pauses until an admin has written feedback, as "
        "2; 0: nobody pauses, and an admin may still write some",
        **{**COUNT, "rule": "must be 0 or more", "limits": {"ge": 0}},
        api_limits={"le": MOST},
    )
    lease_minutes: float = _setting(
        LEASE_MINUTES,
        "Minutes for which a case is kept",
        "minutes after which a case that is not answered goes to somebody else; 15 unless given, "
        "and a day, 1440, for essays",
        **NUMBER,
        read=float,
        metavar="MINUTES",
        name="lease",
        rule="must be more than 0 minutes",
        limits={"gt": 0},
        api_limits={"le": 100_000},
        is_by_task=True,
    )
    repeat_share: float = _setting(
        0.0,
        "Share of cases shown twice",
        "share of cases that a rater sees twice, to measure self-agreement; 0.05 is one in twenty",
        **SHARE,
        name="repeats",
    )
    gold_rate: float = _setting(
        0.0,
        "Share of gold cases",
        "share of gold cases in what a rater sees; 0.1 is one in ten",
        **{**SHARE, "group": "gold"},
    )
    gold_rule: GoldRule | None = _setting(  # noqa: RUF009  it gives a field
        None,
        "Gold rule",
        "0.7:5 stops raters with less than 70 % right after 5 gold cases; 0.7:5:warn warns them",
        read=read_gold_rule,
        metavar="SHARE:N",
        group="gold",
        in_api="When raters are stopped or warned; nobody is unless given.",
    )
    replace_flagged: bool = _setting(
        False,
        "Replace judgments of flagged raters",
        "others judge again what flagged raters judged: those judgments are kept, and do not "
        "count towards --per-case",
        read=read_yes,
        group="gold",
        widget="switch",
    )
    show_after: bool = _setting(
        False,
        "Show the sentence after",
        "raters see the sentence after as well, where a case has it; the sentence before is always "
        "shown",
        read=read_yes,
        group="texts for raters",
        widget="switch",
    )
    instructions: str = _setting(
        "",
        "Instructions",
        "plain text; a blank line begins a new paragraph",
        **TEXT_FILE,
        longest=1_000_000,
    )
    questionnaire: tuple[Question, ...] = _setting(
        (),
        "Questionnaire",
        "a question per line, asked at the end; a star behind it if it must be answered, options "
        "behind bars: How was it? * | easy | hard",
        **TEXT_FILE,
        read=read_questions,
        in_api="Questions that are asked at the end.",
    )
    completion_code: str = _setting(
        "", "Completion code", "shown at the end", **TEXT, metavar="CODE"
    )
    completion_url: str = _setting(
        "",
        "Completion address",
        "where raters are sent at the end, as to Prolific",
        **TEXT,
        metavar="ADDRESS",
    )
    fillers: tuple[str, ...] = _setting(
        (),
        "Closed list of words",
        "cloze: raters choose one of these, as in,on,at; any word unless given",
        **TEXT,
        read=read_fillers,
        metavar="WORDS",
        in_api="cloze: raters choose one of these; any word if it is empty.",
    )
    categories: tuple[Category, ...] = _setting(
        (),
        "Categories of errors",
        "correct: kinds of errors, NAME | title | help in a line each; the 28 of NUCLE unless "
        "given",
        **TEXT_FILE,
        read=read_categories,
        in_api="correct: kinds of errors; the 28 of NUCLE if it is empty.",
    )
    pay: str = _setting(
        "",
        "Pay",
        "pay for one judgment, as $0.02, or for an hour of work, as $12/hour; raters do not see it",
        **DASHBOARD,
        metavar="AMOUNT",
    )
    fee: str = _setting(
        "",
        "Fee of a marketplace",
        "what a marketplace takes on top of the pay, as 20%",
        **DASHBOARD,
        metavar="SHARE",
    )
    precise_within: float | None = _setting(
        None,
        "Precise within",
        "how far precision and recall may be off, as 0.05; the dashboard forecasts when they will "
        "be known so well",
        **{**SHARE, **DASHBOARD, **BETWEEN},
    )
    is_open: bool = _setting(
        True, "Open", "closed projects admit nobody and assign nothing", widget="none"
    )
    seed: int = _setting(
        1,
        "Seed",
        "seed of the random numbers: the same seed gives the same digits",
        read=int,
        metavar="N",
        group="how much",
        widget="hidden",
        api_limits={"ge": 0, "le": MOST},
    )

    def __post_init__(self) -> None:
        for message in _complaints(self):
            raise UsageError(message)


#: all settings in the order of `Settings`
SETTINGS: tuple[ProjectSetting, ...] = tuple(
    one.metadata["setting"]._replace(
        attribute=one.name,
        name=one.metadata["setting"].name or one.name,
        default=None if one.default is MISSING else one.default,
    )
    for one in fields(Settings)
)
#: those that forms and options ask for, by name
ASKED = {one.name: one for one in SETTINGS if one.widget != "none"}
#: those that can be changed at any time, on the dashboard
ON_DASHBOARD = {name: one for name, one in ASKED.items() if one.group == "on the dashboard"}
#: option -> what pages call it, and what the HTTP API calls it
TITLES = {one.option: one.title for one in ASKED.values()}
API_NAMES = {one.option: one.name for one in ASKED.values()}


# --- checks ---


def _complaints(given: Settings) -> Iterator[str]:
    rule, task = given.gold_rule, given.task
    if not given.name.strip() or given.name != given.name.strip() or "/" in given.name:
        yield f"the project name {given.name!r} is empty, has blanks around it or a slash in it"
    if task not in tuple(Task):
        yield str(unknown_name("task", task, Task))
    values = [(one, getattr(given, one.attribute)) for one in SETTINGS if one.limits]
    yield from (
        f"{one.option} {one.rule}, not {value}"
        for one, value in values
        if value is not None and not _is_within(value, one.limits)
    )
    shared = given.overlap
    if shared is not None and not 1 <= shared.cases < shared.every:
        yield (
            f"--overlap {shared.cases}/{shared.every}: the shared cases are some of all, as 100/500"
        )
    if shared is not None and not given.per_case < shared.judgments <= MOST_PER_CASE:
        yield (
            f"--overlap: shared cases get {shared.judgments} judgments, and --per-case is "
            f"{given.per_case}; they need more, as {shared.cases}/{shared.every}:"
            f"{given.per_case + 1}, and at most {MOST_PER_CASE}"
        )
    if given.gold_rate + given.repeat_share > 0.8:
        yield "--gold-rate and --repeats together are at most 0.8: little work is left"
    if rule is not None and (not 0 <= rule.threshold <= 1 or rule.after < 1):
        yield "--gold-rule needs a share from 0 to 1 and a number of answers, as 0.7:5"
    if rule is not None and rule.action not in ("stop", "warn"):
        yield str(unknown_name("action", rule.action, ("stop", "warn")))
    if given.completion_url and not given.completion_url.startswith(("https://", "http://")):
        yield f"--completion-url must begin with https://, not '{given.completion_url}'"
    of_task = (
        ("--fillers", given.fillers, Task.CLOZE, "cloze tasks"),
        ("--categories", given.categories, Task.CORRECT, "essays (correct)"),
        ("--feedback-after", given.feedback_after, Task.CORRECT, "essays (correct)"),
    )
    yield from (
        f"{option} is for {what}; the task is {task}"
        for option, value, own, what in of_task
        if value and task != own
    )
    if task == Task.CORRECT and (given.gold_rate or rule or given.repeat_share):
        yield "--gold-rate, --gold-rule and --repeats are not for essays (correct)"
    if given.fee and not given.pay:
        yield "--fee is taken on top of pay: say with --pay what a judgment is paid"
    elif given.pay:
        # not for --help; both raise what is wrong themselves
        from jurybox.serve.pay import read_fee, read_pay

        read_pay(given.pay)
        read_fee(given.fee)


def _is_within(value: float, limits: Mapping[str, float]) -> bool:
    return isfinite(value) and all(getattr(operator, name)(value, x) for name, x in limits.items())


#: for the HTTP API, which refuses half characters anyway
STORABLE = r"^[^\u0000]*$"


def is_storable(text: str) -> bool:
    r"""Whether both databases take it: no NUL, no half character.

    >>> is_storable("naïve"), is_storable("\0"), is_storable("\ud800")
    (True, False, False)
    """
    return not re.search("[\0\ud800-\udfff]", text)


# --- out of text, and other names ---


def settings_of(given: Mapping[str, str]) -> Settings:
    """Settings out of the texts of a form or of options; what makes no sense is a UsageError."""
    values = _values(given)
    task = values.get("task", Task.JUDGE)
    return Settings(**{"name": "", "lease_minutes": LEASES[task], **values})


def change_dashboard(settings: Settings, given: Mapping[str, str]) -> Settings:
    """Settings with another pay, fee and precision; empty fields unset them."""
    unset = {one.attribute: one.default for one in ON_DASHBOARD.values()}
    return replace(settings, **{**unset, **_values(given)})


def _values(given: Mapping[str, str]) -> dict[str, Any]:
    """What was filled in, by attribute."""
    found = {}
    for name, typed in given.items():
        one, text = ASKED[name], typed.strip()
        if not text:
            continue
        if not is_storable(text):
            raise UsageError(f"{one.option} holds a character that cannot be stored")
        try:
            found[one.attribute] = one.read(text)
        except (ValueError, KeyError):
            raise UsageError(f"{one.option} must be {KINDS[one.read]}, not '{text}'") from None
    return found


def in_words(message: str, names: Mapping[str, str]) -> str:
    """A message about options, with other names for them."""
    return re.sub(
        r"--[a-z]+(?:-[a-z]+)*",
        lambda found: f"“{names[found[0]]}”" if found[0] in names else found[0],
        message,
    )


# --- in the database ---

#: settings that are records, or None
RECORDS: Mapping[str, Callable[..., Any]] = {"gold_rule": GoldRule, "overlap": Overlap}


def write_settings(settings: Settings) -> str:
    return json.dumps(asdict(settings), ensure_ascii=False)


@lru_cache(maxsize=64)
def read_settings(text: str) -> Settings:
    """Settings of their JSON; the same text is read once."""
    given = json.loads(text)
    return Settings(
        **{
            **given,
            **{name: kind(*given[name]) for name, kind in RECORDS.items() if given.get(name)},
            "task": Task(given["task"]),
            "fillers": tuple(given["fillers"]),
            "questionnaire": tuple(
                Question(key, asked, tuple(options), required)
                for key, asked, options, required in given["questionnaire"]
            ),
            # before revision 0002 there were none
            "categories": tuple(Category(*one) for one in given.get("categories", ())),
        }
    )
