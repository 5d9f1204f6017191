"""People with passwords: admins add them, give roles and new passwords; experts find work."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()
