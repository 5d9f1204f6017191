"""`jurybox demo`."""

from __future__ import annotations


def demo_command() -> None:
    """Score and compare two systems on the bundled sample."""
