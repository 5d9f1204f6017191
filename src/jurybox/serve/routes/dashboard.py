"""The admin's dashboard: how a project goes, in numbers, and what they will cost."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()
