"""The values of the annotation server: projects, cases as raters see them, raters, answers.

What a rater may see is a type of its own (`Shown`): it has no field for a case's id, the system's
label or suggestion, the stratum, or known answers, so that no page can show them.

Times are seconds since 1970. Purposes, tasks, roles and standings are strings in the database.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from jurybox.errors import UsageError, unknown_name

#: minutes for which a case that was handed out is kept for its rater
LEASE_MINUTES = 15.0
#: how many other cases a rater sees at least before one comes again
REPEAT_GAP = 10


class Task(StrEnum):
    """What raters are asked (spec: judge, the form of 2008, cloze, choice, essays)."""

    JUDGE = "judge"  # error, ok, or too hard to decide
    TRAINED = "judge-trained"  # Tetreault and Chodorow 2008: context, 0/1/2/e, confidence
    CLOZE = "cloze"  # fill the blank
    CHOICE = "choice"  # which of two words is better
    CORRECT = "correct"  # an essay: mark what is wrong, write what is right, name the category


class Purpose(StrEnum):
    """Why a case is in a project; raters never learn whether it is work or gold."""

    WORK = "work"
    GOLD = "gold"  # the answer is known: it tells how good a rater is
    PRACTICE = "practice"  # comes first, with feedback


class Role(StrEnum):
    """What somebody may do."""

    RATER = "rater"
    ADJUDICATOR = "adjudicator"
    ADMIN = "admin"


class Standing(StrEnum):
    """How a rater stands with the gold rule."""

    ACTIVE = "active"
    WARNED = "warned"  # below the threshold, goes on; judgments are flagged
    STOPPING = "stopping"  # below the threshold; stopped within a few cases, see `handout.py`
    STOPPED = "stopped"  # or by an admin; gets no more work


class GoldRule(NamedTuple):
    """When raters are no longer trusted: accuracy below `threshold` after `after` gold answers.

    >>> GoldRule(0.7, 5).is_broken(right=3, seen=5), GoldRule(0.7, 5).is_broken(right=0, seen=4)
    (True, False)
    """

    threshold: float
    after: int
    action: str = "stop"  # or "warn"

    def is_broken(self, *, right: int, seen: int) -> bool:
        """Whether a rater with so many right answers among so many gold cases is below it."""
        return seen >= self.after and right < self.threshold * seen


class Question(NamedTuple):
    """A question of the questionnaire; free text where there are no options."""

    key: str
    text: str
    options: tuple[str, ...] = ()
    required: bool = False


class Category(NamedTuple):
    """A kind of error that annotators choose from: its name in M2, a title, a help text."""

    name: str
    title: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a researcher decides about a project.

    >>> Settings("prepositions", per_case=3, gold_rate=0.1, gold_rule=GoldRule(0.7, 5)).task
    <Task.JUDGE: 'judge'>
    """

    name: str
    task: Task = Task.JUDGE
    per_case: int = 1  # judgments that every case gets, exactly
    per_rater: int | None = None  # cases a rater answers at most, practice not counted
    lease_minutes: float = LEASE_MINUTES
    repeat_share: float = 0.0  # of what a rater sees, shown a second time: self-agreement
    gold_rate: float = 0.0  # share of gold cases in what a rater sees
    gold_rule: GoldRule | None = None
    instructions: str = ""  # plain text; blank lines part paragraphs
    questionnaire: tuple[Question, ...] = ()
    completion_code: str = ""
    completion_url: str = ""  # where raters are sent at the end (Prolific)
    fillers: tuple[str, ...] = ()  # cloze: the closed list; free text where it is empty
    categories: tuple[Category, ...] = ()  # correct: where it is empty, the 28 of NUCLE
    pay: str = ""  # for one judgment, as $0.02, or $12/hour; the dashboard shows what it costs
    fee: str = ""  # what a marketplace takes on top, as 20%
    precise_within: float | None = None  # half the width of the intervals that are wished for
    is_open: bool = True  # closed projects take nobody in and hand nothing out
    seed: int = 1  # of gold positions and of orders shown

    def __post_init__(self) -> None:
        for message in _contradictions(self):
            raise UsageError(message)


def _contradictions(given: Settings) -> list[str]:
    wrong = []
    if not given.name.strip() or given.name != given.name.strip() or "/" in given.name:
        wrong.append(
            f"the project name {given.name!r} is empty, has blanks around it or a slash in it"
        )
    if given.task not in tuple(Task):
        wrong.append(str(unknown_name("task", given.task, Task)))
    if given.per_case < 1:
        wrong.append(f"--per-case must be 1 or more, not {given.per_case}")
    if given.per_rater is not None and given.per_rater < 1:
        wrong.append(f"--per-rater must be 1 or more, not {given.per_rater}")
    if not 0 < given.lease_minutes < float("inf"):
        wrong.append(f"--lease must be more than 0 minutes, not {given.lease_minutes}")
    shares = (("--gold-rate", given.gold_rate), ("--repeats", given.repeat_share))
    wrong += [
        f"{name} is a share from 0 to 0.5, not {x}" for name, x in shares if not 0 <= x <= 0.5
    ]
    if given.gold_rate + given.repeat_share > 0.8:
        wrong.append("--gold-rate and --repeats together are at most 0.8: little work is left")
    rule = given.gold_rule
    if rule is not None and (not 0 <= rule.threshold <= 1 or rule.after < 1):
        wrong.append("--gold-rule needs a share from 0 to 1 and a number of answers, as 0.7:5")
    if rule is not None and rule.action not in ("stop", "warn"):
        wrong.append(str(unknown_name("action", rule.action, ("stop", "warn"))))
    if given.completion_url and not given.completion_url.startswith(("https://", "http://")):
        wrong.append(f"--completion-url must begin with https://, not '{given.completion_url}'")
    return wrong + _misplaced(given)


def _misplaced(given: Settings) -> list[str]:
    """What is said of one task and belongs to another."""
    wrong = []
    if given.fillers and given.task != Task.CLOZE:
        wrong.append(f"--fillers is for cloze tasks; the task is {given.task}")
    if given.categories and given.task != Task.CORRECT:
        wrong.append(f"--categories is for essays (correct); the task is {given.task}")
    if given.task == Task.CORRECT and (given.gold_rate or given.gold_rule or given.repeat_share):
        wrong.append("--gold-rate, --gold-rule and --repeats are not for essays (correct)")
    if given.precise_within is not None and not 0 < given.precise_within < 1:
        wrong.append(f"--precise-within is a share between 0 and 1, not {given.precise_within}")
    if given.fee and not given.pay:
        wrong.append("--fee is taken on top of pay: say with --pay what a judgment is paid")
    elif given.pay:
        from jurybox.serve.pay import read_fee, read_pay  # they say what is wrong themselves

        read_pay(given.pay)
        read_fee(given.fee)
    return wrong


class Project(NamedTuple):
    """A project as it stands in the database."""

    id: int
    settings: Settings
    created: float
    cases: int  # to be judged: work, without gold and practice
    gold: int
    practice: int

    @property
    def name(self) -> str:
        return self.settings.name

    @property
    def task(self) -> Task:
        return self.settings.task


@dataclass(frozen=True, slots=True)
class NewCase:
    """A case as it is given to a project; `gold` holds labels (or words) that are right."""

    id: str
    sentence: str
    start: int | None = None
    end: int | None = None
    written: str = ""
    before: str = ""  # the sentence before
    first: str = ""  # choice: the writer's word; where it is empty, `written`
    second: str = ""  # choice: the system's word
    purpose: Purpose = Purpose.WORK
    gold: tuple[str, ...] = ()
    feedback: str = ""  # practice: said behind the answer
    construction: str = ""
    document: str | None = None


class Shown(NamedTuple):
    """A case as its rater sees it: the sentence in three pieces, and nothing else.

    `target` is empty in cloze and choice tasks, and where something may be missing;
    `has_target` is false where the case is the whole sentence, which then is in `left`.
    """

    before: str
    left: str
    target: str
    right: str
    has_target: bool = True
    fillers: tuple[str, str] | None = None  # choice: in the order in which they are shown
    essay: tuple[tuple[str, ...], ...] = ()  # correct: paragraphs of sentences, tokens by blanks


class Handed(NamedTuple):
    """A case handed out to a rater: `token` names it in the answer."""

    token: str
    shown: Shown
    is_practice: bool
    expires: float
    done: int  # cases this rater has answered (practice: practice cases)
    total: int  # how many there will be; a guess where the project has no `per_rater`
    is_warned: bool = False  # whether the gold rule's warning stands above this case


class Nothing(NamedTuple):
    """There is no case for this rater.

    `why`: "finished" (say thanks, show the completion code), "waiting" (others hold the last cases
    and may give them back), "stopped" (by the gold rule or an admin), "closed" (the project).
    """

    why: str
    done: int = 0
    is_first: bool = False  # nothing was ever handed to this rater, practice apart


class Correction(NamedTuple):
    """One edit in an essay: tokens start..end of a sentence become `replacement` ('' deletes)."""

    sentence: int  # in the essay, from 0; paragraphs do not count
    start: int
    end: int
    replacement: str
    category: str
    comment: str = ""


class Given(NamedTuple):
    """What a form sends.

    label    judge: error, ok, unknown. judge-trained: extraneous, wrong, correct, equal, or nothing
             where the context is spoiled. cloze: the word. choice: left, right, equal, bad.
             correct: nothing; what was corrected stands in `edits`.
    words    judge-trained: the best words (wrong), the others that are as good (equal).
    """

    label: str
    words: tuple[str, ...] = ()
    confidence: str = ""  # low, high
    context: tuple[str, ...] = ()  # what spoils it: spelling, determiner, grammar
    comment: str = ""
    edits: tuple[Correction, ...] = ()


class Feedback(NamedTuple):
    """What is said after a practice case."""

    is_right: bool
    expected: tuple[str, ...]  # labels, or words, that are right
    text: str


class Outcome(NamedTuple):
    """What became of an answer; it is in the database (or refused) when this is returned."""

    accepted: bool  # False: too late, the case has all its judgments; nothing was stored
    feedback: Feedback | None = None  # practice only
    standing: Standing = Standing.ACTIVE
    is_again: bool = False  # the answer was in the database before
    is_other: bool = False  # and said something else: the first one stands


class Prolific(NamedTuple):
    """The parameters with which Prolific sends participants."""

    pid: str
    study: str = ""
    session: str = ""


class Rater(NamedTuple):
    """Somebody who judges in one project."""

    id: int
    project: int
    number: int  # in the project, from 1; exports say R1, R2 …
    pseudonym: str  # what they call themselves, if anything
    standing: Standing
    flagged: bool
    joined: float
    practised: int  # practice cases answered
    answered: int  # all other cases answered; raters see this one, so gold counts like work
    gold_seen: int
    gold_right: int
    is_surveyed: bool  # whether the questionnaire is filled in
    prolific: Prolific | None = None
    user: int | None = None  # who logs in to judge

    @property
    def name(self) -> str:
        """The name in exports."""
        return f"R{self.number}"


class User(NamedTuple):
    """Somebody with a password."""

    id: int
    name: str
    role: Role
    session: int  # sessions with another number are over; it changes with the password
    has_access: bool = True  # without it nobody can log in by this name


class Progress(NamedTuple):
    """How far a project, or a stratum of it, has come; gold, practice and repeats not counted."""

    cases: int
    full: int  # cases with all their judgments
    judgments: int
    wanted: int  # judgments, in all
    leased: int = 0  # cases in somebody's hands now


class RaterProgress(NamedTuple):
    """What one rater did."""

    rater: Rater
    seconds: float | None  # on a case, on average; None without answers
    last: float | None  # time of the last answer
