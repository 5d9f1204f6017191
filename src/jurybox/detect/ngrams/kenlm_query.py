"""Queries by KenLM (Heafield 2011), where its Python package is installed: the same scores, faster.

KenLM reads ARPA files, so a model of ours is written as one for it, in a folder that is gone when
the model is loaded.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from jurybox.detect.ngrams.arpa import write_arpa
from jurybox.detect.ngrams.model import (
    MARKS,
    UNKNOWN,
    NgramModel,
    Scores,
    split_words,
    unusable_word,
)
from jurybox.errors import InputError, MissingExtraError, unknown_name

ENGINES = ("numpy", "kenlm")


def open_scorer(model: NgramModel, engine: str = "numpy") -> NgramModel | KenlmScorer:
    """What answers queries: the model itself, or KenLM with it."""
    if engine not in ENGINES:
        raise unknown_name("engine", engine, ENGINES)
    return model if engine == "numpy" else KenlmScorer.of(model)


class KenlmScorer:
    """A model loaded by KenLM."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Load an ARPA file, or KenLM's own binary file."""
        kenlm = _kenlm()
        config = kenlm.Config()
        config.show_progress = False
        config.arpa_complain = kenlm.ARPALoadComplain.NONE
        try:
            self._model: Any = kenlm.Model(os.fspath(path), config)
        except (OSError, RuntimeError) as error:
            raise InputError(f"{os.fspath(path)}: KenLM cannot load it ({error})") from None

    @classmethod
    def of(cls, model: NgramModel) -> KenlmScorer:
        """A model of ours, by way of an ARPA file."""
        _kenlm()  # before the work of writing
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model.arpa"
            write_arpa(model, path)
            return cls(path)

    def score(self, sentences: Iterable[str | Sequence[str]]) -> Scores:
        """Log10 probabilities of every word and sentence end, as `NgramModel.score` gives them."""
        log10: list[float] = []
        unknown: list[bool] = []
        bounds = [0]
        for sentence in sentences:
            for probability, _, is_unknown in self._model.full_scores(_for_kenlm(sentence)):
                log10.append(probability)
                unknown.append(is_unknown)
            bounds.append(len(log10))
        return Scores(
            np.array(log10, np.float64), np.array(unknown, np.bool_), np.array(bounds, np.int64)
        )


def _for_kenlm(sentence: str | Sequence[str]) -> str:
    """Words between blanks; what no model can hold is an unknown word, as it is for us."""
    words = (
        MARKS[UNKNOWN] if word in MARKS or unusable_word([word]) else word
        for word in split_words(sentence)
    )
    return b" ".join(words).decode()


def _kenlm() -> Any:
    try:
        return import_module("kenlm")
    except ImportError:
        raise MissingExtraError(
            "queries by KenLM need its package: pip install 'jurybox[kenlm]' "
            "(or say engine='numpy')"
        ) from None
