"""Contested cases and essays: judgments side by side without names, a decision, a comment."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()
