"""The values of the annotation server: projects, cases as raters see them, raters, answers.

What a rater may see is a type of its own (`Shown`): it has no field for a case's id, the system's
label or suggestion, the stratum, or known answers, so that no page can show them. Nor has what
adjudicators see (`ContestedCase`), which has no field for a rater's name or a time either.

Times are seconds since 1970. Purposes, tasks, roles and standings are strings in the database.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from jurybox.serve.settings import Settings, Task

#: how many other cases a rater sees at least before one comes again
REPEAT_GAP = 10


class Purpose(StrEnum):
    """Why a case is in a project; raters never learn whether it is work or gold."""

    WORK = "work"
    GOLD = "gold"  # the answer is known: it shows how good a rater is
    PRACTICE = "practice"  # comes first, with feedback


class Role(StrEnum):
    RATER = "rater"
    ADJUDICATOR = "adjudicator"
    ADMIN = "admin"


class Standing(StrEnum):
    """How a rater stands with the gold rule."""

    ACTIVE = "active"
    WARNED = "warned"  # below the threshold, goes on; judgments are flagged
    STOPPING = (
        "stopping"  # below the threshold; stopped within a few cases, see `store/assignment.py`
    )
    STOPPED = "stopped"  # or by an admin; gets no more work


class Project(NamedTuple):
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
    before: str = ""  # the sentence before, in the same document
    first: str = ""  # choice: one of the two words; where it is empty, `written`
    second: str = ""  # choice: the other one
    purpose: Purpose = Purpose.WORK
    gold: tuple[str, ...] = ()
    feedback: str = ""  # practice: said behind the answer
    construction: str = ""
    document: str | None = None
    per_case: int | None = None  # judgments that it needs, if not as many as its project says
    batch: str = ""  # of exports, as the shared set it belongs to
    after: str = ""  # the sentence after


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
    after: str = ""  # where the project shows it


class Assignment(NamedTuple):
    """A case assigned to a rater: `token` names it in the answer."""

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
    and may give them back), "stopped" (by the gold rule or an admin), "closed" (the project),
    "pause" (an annotator of essays waits for feedback), "feedback" (there is some to be confirmed).
    """

    why: str
    done: int = 0
    is_first: bool = False  # nothing was ever assigned to this rater but practice


class EssayCorrection(NamedTuple):
    """One edit in an essay: tokens start..end of a sentence become `replacement` ('' deletes)."""

    sentence: int  # in the essay, from 0; paragraphs do not count
    start: int
    end: int
    replacement: str
    category: str
    comment: str = ""


class CorrectedEssay(NamedTuple):
    """An essay that one annotator has finished, for the admin who writes them feedback."""

    essay: tuple[tuple[str, ...], ...]  # as in `Shown`
    edits: tuple[EssayCorrection, ...]
    submitted: float


class EssayFeedback(NamedTuple):
    """What an admin wrote to an annotator of essays."""

    id: int
    text: str
    essays: int  # that the annotator had finished when it was written
    time: float  # when it was written
    confirmed: float | None  # when the annotator had read it
    by: str  # the admin's name; annotators do not see it


class SubmittedAnswer(NamedTuple):
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
    edits: tuple[EssayCorrection, ...] = ()


class Feedback(NamedTuple):
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
        return f"R{self.number}"


class User(NamedTuple):
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
    leased: int = 0  # cases that raters have open now


class RaterProgress(NamedTuple):
    rater: Rater
    seconds: float | None  # on a case, on average; None without answers
    last: float | None  # time of the last answer


# --- adjudication ---

#: the label of a decision without an answer: somebody looked at the case and left it open
UNDECIDED = ""


class ContestedCounts(NamedTuple):
    """How many cases of a project are contested, and how far adjudicators are."""

    contested: int  # decided ones included
    decided: int

    @property
    def left(self) -> int:
        return self.contested - self.decided


class AdjudicatorDecision(NamedTuple):
    """What an adjudicator said of a case; the last one counts."""

    label: str  # as judgments have it; '' where the case was left undecided
    correction: str
    alternatives: tuple[str, ...]
    edits: tuple[EssayCorrection, ...]
    comment: str
    by: str  # the adjudicator's name
    time: float

    @property
    def is_made(self) -> bool:
        return self.label != UNDECIDED


class Contested(NamedTuple):
    case: int  # a number of this database; the id in the file is not shown
    shown: Shown
    judgments: int  # that count: raters who are flagged do not
    #: share of judgments that are not the most frequent one; essays: of edits not all made
    minority: float
    state: str  # open, undecided (left so by an adjudicator), decided


class Judgment(NamedTuple):
    """What one rater said; the letter is given per case, in an order that reveals nothing."""

    letter: str
    label: str
    correction: str = ""
    alternatives: tuple[str, ...] = ()
    confidence: str = ""  # low, high
    context: tuple[str, ...] = ()
    comment: str = ""
    edits: tuple[EssayCorrection, ...] = ()
    is_flagged: bool = False  # by a rater who is not trusted: shown, not counted


class ContestedCase(NamedTuple):
    """A case with everything that an adjudicator may see of it.

    A choice's two words stand in an order that the case decides: `left` and `right` of a decision
    are those of `shown`.
    """

    case: int
    task: Task
    shown: Shown
    is_swapped: bool  # choice: the second word stands left
    judgments: tuple[Judgment, ...]
    decision: AdjudicatorDecision | None

    @property
    def counted(self) -> tuple[Judgment, ...]:
        """The judgments of raters who are trusted."""
        return tuple(one for one in self.judgments if not one.is_flagged)
