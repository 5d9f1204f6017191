"""Essays: the page on which somebody corrects one, and its drafts; `essay_files.py` for admins.

The page has the address of every other case (`rating.py` sends essays here). What is marked on it
is saved as a draft after every change, by a script; "Finish" sends it as the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, pairwise
from secrets import token_urlsafe

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from jurybox.errors import InputError, JuryboxError
from jurybox.serve import categories, wording
from jurybox.serve.essays import Draft, SavedDraft, is_close, read_edits, write_edits
from jurybox.serve.model import Correction, Given, Handed, Project, Rater
from jurybox.serve.routes import essay_files
from jurybox.serve.routes.ending import note_on
from jurybox.serve.routes.joining import COOKIES
from jurybox.serve.visits import Number, Sent, Visit

router = APIRouter()
router.include_router(essay_files.router)
OTHER_WINDOW = (
    "This essay was changed in another window. Nothing was overwritten: please choose which "
    "version is kept."
)
NO_ERROR = "You have marked nothing. Please say that there is no error in the essay, or mark one."
OTHER_ESSAY = "What you had marked in the other essay is kept as you left it."


@router.post("/r/{number}/draft")
def save(number: Number, visit: Sent) -> Response:
    """Keep what is marked so far. Answers are for the page's script."""
    rater = visit.rater(number)
    if rater is None or not visit.is_own_form():
        return _refusal(COOKIES, 403)
    try:
        edits = read_edits(visit.text("edits"))
        saved = visit.store.save_draft(
            rater.id, visit.text("token"), edits, version=_version(visit)
        )
    except JuryboxError as error:
        return _refusal(str(error), 422)
    return _outcome(saved)


def _outcome(saved: SavedDraft) -> Response:
    draft = saved.draft
    told = {"version": draft.version, "edits": draft.edits, "is_wanted": saved.is_wanted}
    return JSONResponse(told, 200 if saved.accepted else 409)


def _refusal(problem: str, status: int) -> Response:
    return JSONResponse({"problem": problem}, status)


def given_of(visit: Visit, rater: Rater) -> Given:
    """The answer that the form means; another window's work is not overwritten in silence."""
    draft = visit.store.draft(rater.id, visit.text("token"))
    return given_on(
        draft,
        read_edits(visit.text("edits")),
        version=_version(visit),
        no_error=visit.text("no_error") == "yes",
    )


def given_on(draft: Draft, edits: tuple[Correction, ...], *, version: int, no_error: bool) -> Given:
    """An answer by somebody who saw this version of what is saved; for the HTTP API too."""
    if draft.version != version and draft.version and draft.edits != edits:
        raise InputError(OTHER_WINDOW)
    if not edits and not no_error:
        raise InputError(NO_ERROR)
    return Given("", edits=edits)


def essay_page(
    visit: Visit,
    rater: Rater,
    project: Project,
    handed: Handed,
    *,
    problem: str = "",
    status: int = 200,
) -> Response:
    """The essay, with what is saved of it; or with what was sent and could not be taken."""
    draft, is_sent, lost = visit.store.draft(rater.id, handed.token), False, ""
    if visit.text("token") == handed.token:
        draft, is_sent = _sent_draft(visit) or draft, True
    elif visit.text("token"):
        lost = OTHER_ESSAY
    return visit.page(
        "correct",
        status,
        project=project,
        handed=handed,
        paragraphs=_numbered(handed),
        categories=categories.of(project.settings.categories),
        draft=draft,
        edits=write_edits(draft.edits),
        is_sent=is_sent,
        key=token_urlsafe(12),
        problem=problem,
        note=note_on(visit),
        lost=lost,
        question=wording.question(project.task, handed.shown),
    )


def _numbered(handed: Handed) -> list[list[tuple[int, list[tuple[str, bool]]]]]:
    """Paragraphs of (number of the sentence, its tokens and whether they are close to the left)."""
    numbers = count()
    return [[(next(numbers), _laid(text.split())) for text in part] for part in handed.shown.essay]


def _laid(tokens: Sequence[str]) -> list[tuple[str, bool]]:
    return [
        (token, bool(before) and is_close(before, token))
        for before, token in pairwise(["", *tokens])
    ]


def _sent_draft(visit: Visit) -> Draft | None:
    """What the form held, to be saved again by the page's script; None if it makes no sense."""
    try:
        return Draft(_version(visit), read_edits(visit.text("edits")))
    except InputError:
        return None


def _version(visit: Visit) -> int:
    text = visit.text("version")
    return int(text) if text.isdecimal() and len(text) < 10 else 0
