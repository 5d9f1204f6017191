"""Essays: the page on which an annotator corrects one, and its drafts.

The page has the address of every other case (`rating.py` sends essays here). What is marked on it
is saved as a draft after every change, by a script; "Finish" sends it as the answer.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count, pairwise
from secrets import token_urlsafe

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from jurybox.errors import InputError, JuryboxError
from jurybox.serve import actions, categories, wording
from jurybox.serve.essays import Draft, is_close, read_edits, write_edits
from jurybox.serve.model import Assignment, Project, Rater, SubmittedAnswer
from jurybox.serve.requests import COOKIES, Number, RefusalError, Sent, Visit

router = APIRouter()
OTHER_ESSAY = "What you had marked in the other essay is kept as you left it."


@router.post("/r/{number}/draft")
def save(number: Number, visit: Sent) -> Response:
    """Keep what is marked so far. Responses are for the page's script."""
    try:
        rater = visit.rater(number)
        visit.check_form()
        if rater is None:
            raise RefusalError(403, COOKIES)
        edits, version = read_edits(visit.text("edits")), _version(visit)
        saved = visit.store.save_draft(rater.id, visit.text("token"), edits, version=version)
    except JuryboxError as error:
        return JSONResponse({"problem": str(error)}, getattr(error, "status", 422))
    draft = saved.draft
    told = {"version": draft.version, "edits": draft.edits, "is_wanted": saved.is_wanted}
    return JSONResponse(told, 200 if saved.accepted else 409)


def answer_of(visit: Visit, rater: Rater) -> SubmittedAnswer:
    """The answer that the form means; another window's work is not overwritten silently."""
    return actions.essay_answer(
        visit.store.draft(rater.id, visit.text("token")),
        read_edits(visit.text("edits")),
        version=_version(visit),
        no_error=visit.text("no_error") == "yes",
    )


def essay_page(
    visit: Visit,
    rater: Rater,
    project: Project,
    assigned: Assignment,
    *,
    note: str,
    error: Exception | None = None,
) -> Response:
    """The essay with its draft; or with what was sent and could not be accepted."""
    draft, is_sent, lost = visit.store.draft(rater.id, assigned.token), False, ""
    if visit.text("token") == assigned.token:
        is_sent = True
        with suppress(InputError):  # the page's script saves it again
            draft = Draft(_version(visit), read_edits(visit.text("edits")))
    elif visit.text("token"):
        lost = OTHER_ESSAY
    numbers = count()
    return visit.page(
        "correct",
        error,
        project=project,
        assigned=assigned,
        # paragraphs of (number of the sentence, its tokens and whether they are close to the left)
        paragraphs=[
            [(next(numbers), _laid_out(text.split())) for text in part]
            for part in assigned.shown.essay
        ],
        categories=categories.of(project.settings.categories),
        draft=draft,
        edits=write_edits(draft.edits),
        is_sent=is_sent,
        key=token_urlsafe(12),
        note=note,
        lost=lost,
        question=wording.question(project.task, assigned.shown),
    )


def _laid_out(tokens: list[str]) -> list[tuple[str, bool]]:
    return [
        (token, bool(before) and is_close(before, token))
        for before, token in pairwise(["", *tokens])
    ]


def _version(visit: Visit) -> int:
    text = visit.text("version")
    return int(text) if text.isdecimal() and len(text) < 10 else 0
