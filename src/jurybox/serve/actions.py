"""What pages and the HTTP API both do: each side only translates to and from these functions.

What is refused is a RefusalError, or another JuryboxError, which both know how to say.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from jurybox.errors import InputError, UnknownNameError
from jurybox.formats import Input
from jurybox.serve.essays import Draft
from jurybox.serve.guard import RateLimit
from jurybox.serve.model import (
    Assignment,
    ContestedCase,
    EssayCorrection,
    Project,
    Prolific,
    Rater,
    Shown,
    SubmittedAnswer,
    User,
)
from jurybox.serve.projects import Files, FilledProject, add_to_project, make_project
from jurybox.serve.requests import RefusalError, Visit
from jurybox.serve.settings import ASKED, Task, settings_of

TOO_OFTEN = "Too many tries. Please wait some minutes."
TOO_MANY = "Too many people joined from your network. Please try again in some minutes."
OTHER_WINDOW = (
    "This essay was changed in another window. Nothing was overwritten: please choose which "
    "version is kept."
)
NO_ERROR = "You have marked nothing. Please say that there is no error in the essay, or mark one."
#: why there is no case: a title, and what is said to people
NOTHING: dict[str, tuple[str, ...]] = {
    "finished": ("Done", "There are no more cases for you: go on to the end."),
    "stopped": (
        "Thank you for your work",
        "There are no more cases for you in this study. Studies compare some answers with ones "
        "that are known, and end somebody's part where too many differ. That can happen to "
        "anybody.",
        "What you have answered so far is kept. If you think that this is a mistake, please write "
        "to the people who sent you the link.",
    ),
    "waiting": (
        "Nearly done",
        "Other people have the last cases open. Some may come back to you: please look again in a "
        "few minutes.",
    ),
    "pause": (
        "Feedback comes first",
        "Thank you. Before you go on, somebody looks at the essays that you have corrected, and "
        "writes you feedback on them.",
        "Please come back later: the feedback is here as soon as it is written, and then the next "
        "essay.",
    ),
    "feedback": (
        "Feedback",
        "There is feedback on your essays. Please read it before you go on.",
    ),
    "closed": ("This study is closed", "Thank you. Everything that you have answered is kept."),
    # for those who come when all cases are judged, and did no more than practise
    "nothing-left": (
        "There is nothing left to do",
        "This study has all the answers that it needs, so there was no case for you. Thank you for "
        "coming.",
        "If a platform sent you here, please return your place there: there is no completion code "
        "for practice alone.",
    ),
}
#: what is said of an answer that was not stored
NOTES = {
    "late": "Thank you. Others had answered that case in the meantime, so your answer was not "
    "needed.",
    "first": "You had answered that case before. Your first answer is kept: answers cannot be "
    "changed.",
}


# --- people with passwords ---


def log_in(visit: Visit, name: str, password: str) -> User:
    """Somebody by name and password; few tries from one address, and few for one name."""
    _limit(visit.site.logins, TOO_OFTEN, f"from {visit.address}", f"as {name[:100]}")
    user = visit.store.log_in(name, password)
    if user is None:
        raise RefusalError(
            401,
            "The name or the password is wrong.",
            remedy="Try again, or ask an admin for a new password.",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return user


def change_own_password(visit: Visit, user: User, old: str, new: str) -> User:
    """The old password must be known: a browser that was left open is not enough."""
    _limit(visit.site.logins, TOO_OFTEN, f"as {user.name[:100]}")
    if visit.store.log_in(user.name, old) is None:
        raise RefusalError(403, "The old password is wrong.", remedy="Try again.")
    return visit.store.set_password(user.name, new)


def _limit(tries: RateLimit, message: str, *who: str) -> None:
    """Count a try; too many of somebody are a RefusalError."""
    if not all(map(tries.allows, who)):
        raise RefusalError(429, message, headers={"Retry-After": str(tries.seconds)})


def find_user(visit: Visit, number: int) -> User:
    user = visit.store.user(number)
    if user is None:
        raise RefusalError(
            404,
            f"There is nobody with the number {number}.",
            title="There is nobody with this number",
            link=("/admin/people", "All people"),
        )
    return user


# --- raters ---


def find_linked_project(visit: Visit, link: str) -> Project:
    try:
        return visit.project(visit.site.tokens.read_link(link))
    except UnknownNameError:
        text = "The study of this link is no longer there."
    except InputError as error:
        text = str(error)
    raise RefusalError(404, text, title="This link does not work", remedy="Ask for a new link.")


def join(visit: Visit, project: Project, pseudonym: str, prolific: Prolific | None) -> Rater:
    """A rater for somebody who opened the link; few from one address."""
    _limit(visit.site.joins, TOO_MANY, visit.address)
    return visit.store.join(project.id, pseudonym=pseudonym, prolific=prolific)


def begin_work(visit: Visit, number: int, user: User) -> Rater:
    """A rater for somebody with a password: the same one in whatever browser."""
    _limit(visit.site.joins, TOO_MANY, visit.address)
    return visit.store.join(number, pseudonym=user.name, user=user.id)


def find_rater(visit: Visit, project: int, number: int) -> Rater:
    rater = visit.store.rater(number)
    if rater is None or rater.project != project:
        detail = f"There is no rater {number} in project {project}."
        raise RefusalError(404, detail, title="There is no such rater")
    return rater


def way_back(project: Project, rater: Rater) -> tuple[str, str] | None:
    """For participants who get no code: the platform that sent them, where they return their place.

    Only the host is taken from the completion address, or it would be the code.
    """
    place = urlsplit(project.settings.completion_url)
    if rater.prolific is None or not place.hostname:
        return None
    return f"{place.scheme}://{place.hostname}/", f"Back to {place.hostname}"


# --- answers ---


class Filled(NamedTuple):
    """The fields of a case's form: what a rater typed comes back if something is wrong."""

    label: str = ""
    words_wrong: str = ""
    words_equal: str = ""
    confidence: str = ""
    context: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return {"wrong": self.words_wrong, "equal": self.words_equal}.get(self.label, "")


def answer_of(filled: Filled, task: Task) -> SubmittedAnswer:
    """The answer that a form means."""
    if task != Task.TRAINED:
        return SubmittedAnswer(filled.label)
    if filled.label and not filled.confidence:
        raise InputError("Please say how sure you are: low or high.")
    return SubmittedAnswer(
        filled.label, split_words(filled.words), filled.confidence, filled.context
    )


def split_words(text: str) -> tuple[str, ...]:
    """Words with commas between them.

    >>> split_words("on, upon,")
    ('on', 'upon')
    """
    return tuple(word.strip() for word in text.split(",") if word.strip())


def essay_answer(
    draft: Draft, edits: tuple[EssayCorrection, ...], *, version: int, no_error: bool
) -> SubmittedAnswer:
    """The answer of somebody who saw this version of the draft: others' work is not overwritten."""
    if draft.version != version and draft.version and draft.edits != edits:
        raise InputError(OTHER_WINDOW)
    if not edits and not no_error:
        raise InputError(NO_ERROR)
    return SubmittedAnswer("", edits=edits)


def pack(visit: Visit, assigned: Assignment) -> str:
    """A practice case, signed, to be shown again with the feedback; '' for all others."""
    shown = assigned.shown
    length = sum(map(len, (*shown[:4], shown.after)))
    if not assigned.is_practice or length > 2000:  # too long for an address
        return ""
    return visit.site.tokens.sign("shown", list(shown))


def unpack(packed: list[Any]) -> Shown:
    before, left, target, right, has_target, fillers = packed[:6]
    pair = None if fillers is None else (fillers[0], fillers[1])
    return Shown(before, left, target, right, has_target, pair, after="".join(packed[7:]))


# --- projects ---


def link_of(visit: Visit, project: Project) -> str:
    """The whole address that raters are sent."""
    base = visit.site.base or str(visit.request.base_url).rstrip("/")
    return f"{base}/j/{visit.site.tokens.link(project)}"


def create_from_form(visit: Visit) -> FilledProject:
    with _uploads(visit) as (files, shuffle):
        settings = settings_of({name: visit.text(name) for name in ASKED})
        return make_project(visit.store, settings, files, shuffle=shuffle)


def add_from_form(visit: Visit, number: int) -> FilledProject:
    """More cases, or the key of a sample, out of a form with files."""
    project = visit.store.project_by_id(number)
    with _uploads(visit) as (files, shuffle):
        return add_to_project(visit.store, project, files, shuffle=shuffle)


@contextmanager
def _uploads(visit: Visit) -> Iterator[tuple[Files, bool]]:
    """The files of a form, on disk for as long as they are read, and whether to mix their cases."""
    with TemporaryDirectory() as folder:
        found: dict[str, tuple[Input, ...]] = {"cases": (), "key": (), "documents": ()}
        for name in found:
            upload = visit.upload(name)
            if upload is not None:
                path = Path(folder) / name
                with path.open("wb") as out:
                    shutil.copyfileobj(upload.file, out)
                given = Input(path)
                given.name = (upload.filename or "file")[:100]  # as its sender calls it
                found[name] = (given,)
        construction = visit.text("construction").strip() or None
        files = Files(
            cases=found["cases"],
            keys=found["key"],
            construction=construction,
            documents=next(iter(found["documents"]), None),
        )
        yield files, visit.text("in_order") != "yes"


# --- adjudication ---


def enter_adjudication(visit: Visit, number: int, user: User) -> Project:
    """A project whose contested cases this adjudicator may see."""
    project = visit.store.project_by_id(number)
    if refused := visit.store.refuse_adjudicator(number, user.id):
        raise RefusalError(
            403,
            refused,
            title="You judge in this project",
            remedy="Close the project, or let somebody else decide.",
            link=("/adjudicate", "All projects"),
        )
    return project


def enter_feedback(visit: Visit, number: int, rater: int, user: User) -> tuple[Project, Rater]:
    """A project of essays and one of its annotators, for an admin who may see what they did."""
    project = enter_adjudication(visit, number, user)
    found = find_rater(visit, number, rater)
    if project.task != Task.CORRECT:
        raise RefusalError(
            404,
            f"{project.name} has no essays: feedback is for annotators who correct essays.",
            title="There is nothing here",
            remedy="Make a project of the task correct.",
            link=(f"/admin/projects/{number}", "To the project"),
        )
    return project, found


def find_contested(visit: Visit, number: int, case: int) -> ContestedCase:
    try:
        return visit.store.contested_case(number, case)
    except InputError as error:
        raise RefusalError(
            404,
            str(error),
            title="There is nothing to decide here",
            link=(f"/adjudicate/{number}", "All contested cases"),
        ) from None
