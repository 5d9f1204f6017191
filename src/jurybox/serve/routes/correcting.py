"""Essays: the page on which somebody corrects one, its drafts, its answer; the exports."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()
