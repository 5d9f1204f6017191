"""Everything the pages do, as a documented HTTP API under /api/v1."""

from __future__ import annotations

from fastapi import FastAPI


def add_api(app: FastAPI) -> None:
    """Put the API beside the pages."""
