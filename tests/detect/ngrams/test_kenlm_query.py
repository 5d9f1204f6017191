"""KenLM loads what we write and scores the same, where it is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from jurybox.detect.ngrams.kenlm_query import KenlmScorer, open_scorer
from jurybox.detect.ngrams.model import NgramModel
from jurybox.detect.ngrams.training import train_lm, train_lm_on
from jurybox.errors import InputError, MissingExtraError, UnknownNameError
from jurybox.formats.edits import text
from needs import need_module

TEXT = ["the cat sat on the mat", "the dog sat on the cat", "a dog ran", "naïve “the” 猫", ""]
ASKED = [
    *TEXT,
    "the zebra sat",
    "the <s> sat",
    ["the", "</s>", "cat"],
    "  the\tcat\0sat ",
    "naïve 猫",
    ["the", "a cat", "", "\ud800", "sat"],
]


@pytest.fixture(scope="module")
def model() -> NgramModel:
    return train_lm_on(TEXT, fallback_discounts=(0.5, 1, 1.5))


def need_kenlm() -> None:
    need_module("kenlm", "kenlm")


def test_kenlm_scores_our_model_as_we_do(model: NgramModel) -> None:
    need_kenlm()
    ours, theirs = model.score(ASKED), open_scorer(model, "kenlm").score(ASKED)
    np.testing.assert_allclose(ours.log10, theirs.log10, atol=1e-5)
    np.testing.assert_array_equal(ours.unknown, theirs.unknown)
    np.testing.assert_array_equal(ours.bounds, theirs.bounds)


@pytest.mark.slow
@pytest.mark.parametrize("prune", [(), (0, 0, 1, 1)])
def test_kenlm_scores_real_text_with_our_model_as_we_do(
    data_dir: Path, prune: tuple[int, ...]
) -> None:
    need_kenlm()
    model = train_lm(data_dir / "lm" / "train-small.txt.xz", prune=prune)
    lines = list(text.read(data_dir / "lm" / "test.txt.xz"))
    ours, theirs = model.score(lines), KenlmScorer.of(model).score(lines)
    np.testing.assert_allclose(ours.log10, theirs.log10, atol=1e-5)
    np.testing.assert_array_equal(ours.unknown, theirs.unknown)


def test_a_file_that_kenlm_refuses_is_told(tmp_path: Path) -> None:
    need_kenlm()
    (tmp_path / "lm.arpa").write_text("nothing")
    with pytest.raises(InputError, match=r"lm\.arpa: KenLM cannot load it"):
        KenlmScorer(tmp_path / "lm.arpa")


def test_where_kenlm_is_missing_the_way_out_is_told(
    model: NgramModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "kenlm", None)
    with pytest.raises(MissingExtraError, match=r"jurybox\[kenlm\].*engine='numpy'"):
        open_scorer(model, "kenlm")


def test_an_unknown_engine_is_told(model: NgramModel) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'kenlm'"):
        open_scorer(model, "kenlmm")
