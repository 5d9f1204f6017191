"""The raters of a project, for admins: who they are, whether they go on."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from jurybox.serve.http_api.callers import Admin
from jurybox.serve.http_api.problems import RefusalError
from jurybox.serve.http_api.project_shapes import RaterShape
from jurybox.serve.http_api.shapes import Shape
from jurybox.serve.visits import Asked, Number, Visit

router = APIRouter(tags=["projects"])


class Stopping(Shape):
    """Why somebody is stopped matters to their judgments."""

    flag: bool = Field(default=True, description="Whether their judgments are flagged in exports.")


@router.get("/projects/{number:int}/raters")
def list_raters(number: Number, _: Admin, visit: Asked) -> list[RaterShape]:
    """All raters of a project, in the order in which they joined."""
    visit.store.project_by_id(number)
    return [RaterShape.of(*one) for one in visit.store.rater_progress(number)]


@router.post("/projects/{number:int}/raters/{rater:int}/stop")
def stop_rater(
    number: Number, rater: Number, _: Admin, visit: Asked, given: Stopping | None = None
) -> RaterShape:
    """No more work for somebody; their judgments are flagged, never deleted."""
    _check(visit, number, rater)
    visit.store.stop_rater(rater, flag=(given or Stopping()).flag)
    return _read(visit, number, rater)


@router.post("/projects/{number:int}/raters/{rater:int}/readmit")
def readmit_rater(number: Number, rater: Number, _: Admin, visit: Asked) -> RaterShape:
    """Work again, without a flag; gold answers so far are forgotten."""
    _check(visit, number, rater)
    visit.store.readmit_rater(rater)
    return _read(visit, number, rater)


def _check(visit: Visit, project: int, rater: int) -> None:
    found = visit.store.rater(rater)
    if found is None or found.project != project:
        raise RefusalError(404, f"There is no rater {rater} in project {project}.")


def _read(visit: Visit, project: int, rater: int) -> RaterShape:
    listed = visit.store.rater_progress(project)
    return next(RaterShape.of(*one) for one in listed if one.rater.id == rater)
