"""How the dashboard says numbers: for pages only; JSON has them as they are."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from jurybox.raters.flagged import FlaggedRaters, show_number
from jurybox.serve.dashboard import Dashboard, GoldShare, RaterLine, gold_share
from jurybox.serve.dashboard.findings import Measured
from jurybox.serve.model import Standing
from jurybox.serve.settings import Task
from jurybox.serve.wording import SHORT_ANSWERS

#: raters on the page; all of them are on the project's page, and in JSON
MOST_RATERS = 25
#: words of a cloze that are listed
MOST_LABELS = 8
HOUR, DAY = 3600.0, 24 * 3600.0
TITLES = {
    "observed": "Observed agreement",
    "fleiss_kappa": "Fleiss' kappa",
    "alpha_nominal": "Krippendorff's alpha",
    "alpha_ordinal": "Krippendorff's alpha, ordered",
    "alpha_interval": "Krippendorff's alpha, in equal steps",
    "precision": "Precision",
    "recall": "Recall",
    "error_rate": "Errors in the corpus",
}
LABELS = {
    "error": "error",
    "ok": "OK",
    "first": "the first word of the case is better",
    "second": "the second word of the case is better",
    "equal": "both are good",
    "bad": "both are bad",
}
#: tasks with words of their own: equal has another meaning for trained raters
OWN_LABELS = {
    task: {label: text.lower() for label, text in SHORT_ANSWERS[task].items()}
    for task in (Task.EXTRANEOUS, Task.TRAINED)
}
#: tasks for which precision and recall make no sense, and what does
NO_ESTIMATE = {
    Task.CORRECT: "Precision and recall do not apply here: annotators correct essays, and no "
    "system was sampled. Download M2 and score systems against it with jurybox score.",
    Task.CLOZE: "Precision and recall do not apply here: raters fill a gap, and say of no word "
    "that it is an error.",
    Task.CHOICE: "Precision and recall do not apply here: raters compare two words, and say of "
    "neither that it is an error.",
}


class ShownNumber(NamedTuple):
    """A number and its interval as text, and where the interval stands on a line from 0 to 100."""

    title: str
    value: str
    interval: str = ""  # where there is none
    left: float = 0.0
    width: float = 0.0
    place: float = 0.0
    reason: str = ""


def say(one: Measured) -> ShownNumber:
    """A measure with as many digits as its interval deserves; what rounds to 0 has no sign."""
    title = TITLES.get(one.name, one.name)
    if one.value is None:
        return ShownNumber(title, "–", reason=one.reason)
    place = _on_line(one.value)
    if one.low is None or one.high is None:
        return ShownNumber(title, f"{one.value:z.2f}", place=place, reason=one.reason)
    left, right = _on_line(one.low), _on_line(one.high)
    form = "z.2f" if one.high - one.low >= 0.02 else "z.3f"
    value, interval = f"{one.value:{form}}", f"[{one.low:{form}}, {one.high:{form}}]"
    width = round(max(right - left, 0.5), 2)
    return ShownNumber(title, value, interval, left, width, place, one.reason)


def _on_line(value: float) -> float:
    """Below 0, where kappa may be, the line has its end."""
    return round(100 * min(max(value, 0.0), 1.0), 2)


def say_gold(share: GoldShare | None) -> ShownNumber | None:
    """The share of right gold answers; None without any."""
    if share is None:
        return None
    return say(Measured("gold", share.right / share.seen, share.low, share.high))


def unit(task: Task, number: int) -> str:
    """What is counted.

    >>> unit(Task.JUDGE, 1), unit(Task.CORRECT, 2)
    ('judgment', 'corrected essays')
    """
    word = "corrected essay" if task == Task.CORRECT else "judgment"
    return word if number == 1 else f"{word}s"


def ahead(seconds: float) -> str:
    """How long something will last, roughly.

    >>> [ahead(hours * 3600) for hours in (0.2, 1, 5.4, 47)]
    ['within the hour', 'in about an hour', 'in about 5 hours', 'in about 2 days']
    """
    if seconds < 0.9 * HOUR:
        return "within the hour"
    if seconds < 1.5 * HOUR:
        return "in about an hour"
    if seconds < 1.5 * DAY:
        return f"in about {round(seconds / HOUR)} hours"
    return f"in about {round(seconds / DAY)} days"


def count(number: float) -> str:
    """A number of things.

    >>> count(12345), count(0.5), count(3.6)
    ('12,345', '0.5', '4')
    """
    if isinstance(number, float) and number < 1:
        return f"{number:.1g}"
    return f"{round(number):,}"


def left_out(flagged: FlaggedRaters) -> str:
    """What is said of flagged raters below the numbers that leave them out.

    >>> from jurybox.raters.flagged import FlaggedChange, FlaggedRaters
    >>> left_out(FlaggedRaters(2, 40, 120, False, (FlaggedChange("alpha", 0.512, 0.4),)))
    '2 flagged raters are left out, with 40 of 120 judgments; with them alpha would be 0.40.'
    """
    who = f"{count(flagged.raters)} flagged raters are"
    if flagged.raters == 1:
        who = "1 flagged rater is"
    changes = [one for one in flagged.changes if one.is_defined]
    said = " and ".join(
        f"{one.measure} would be "
        f"{show_number(one.with_flagged, one.undefined.get('with', ''), 'z.2f')}"
        for one in changes[:2]
    )
    return (
        f"{who} left out, with {count(flagged.judgments)} of {count(flagged.of)} judgments"
        f"{f'; with them {said}' if said else ''}."
    )


def no_estimate(board: Dashboard) -> str:
    """Why there is no precision and recall of a system."""
    found = board.findings
    return NO_ESTIMATE.get(board.project.task, found.estimate.reason if found else "")


def label_shares(board: Dashboard) -> list[tuple[str, str, int]]:
    """What raters said how often: a word, its share, and how many judgments."""
    found = board.findings
    if found is None or not found.agreement.labels:
        return []
    labels = dict(found.agreement.labels)
    total = sum(labels.values())
    is_words = board.project.task == Task.CLOZE
    texts = OWN_LABELS.get(board.project.task, LABELS)
    shown = list(labels.items())[:MOST_LABELS]
    rest = total - sum(number for _, number in shown)
    said = [(f"“{one}”" if is_words else texts.get(one, one), number) for one, number in shown]
    if rest:
        said.append((f"{len(labels) - len(shown)} other words", rest))
    return [(word, f"{100 * number / total:.0f} %", number) for word, number in said]


def shown_raters(board: Dashboard) -> tuple[RaterLine, ...]:
    """All raters if they are few; else those whom something is wrong with, and the busiest."""
    if len(board.raters) <= MOST_RATERS:
        return board.raters
    ordered = sorted(
        board.raters,
        key=lambda line: (not is_doubtful(line), -line.rater.answered, line.rater.number),
    )
    return tuple(ordered[:MOST_RATERS])


def is_doubtful(line: RaterLine) -> bool:
    """Whether an admin should look at this rater."""
    rater = line.rater
    return line.is_below or rater.flagged or rater.standing != Standing.ACTIVE


def all_gold(board: Dashboard) -> ShownNumber | None:
    """All gold answers of all raters together; None without any."""
    seen = sum(line.rater.gold_seen for line in board.raters)
    right = sum(line.rater.gold_right for line in board.raters)
    return say_gold(gold_share(right, seen) if seen else None)


def percent_of(done: int, total: int) -> int:
    """A share for people: 100 only where nothing is missing."""
    return 100 - ceil(100 * (total - done) / total) if total else 0
