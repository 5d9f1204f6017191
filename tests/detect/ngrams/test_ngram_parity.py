"""KenLM's own numbers: its estimate of a text, n-gram by n-gram, and its perplexities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jurybox.detect.ngrams.arpa import read_arpa
from jurybox.detect.ngrams.training import train_lm
from jurybox.formats.edits import text


@pytest.mark.slow
def test_every_probability_and_weight_is_kenlms(data_dir: Path) -> None:
    ours = train_lm(data_dir / "lm" / "train-small.txt.xz")
    kenlms = read_arpa(data_dir / "lm" / "train-small.kenlm.arpa.xz")
    assert ours.sizes == (11_553, 94_687, 175_116, 203_697)
    assert ours.vocabulary.words == kenlms.vocabulary.words
    for one, other in zip(ours.orders, kenlms.orders, strict=True):
        np.testing.assert_array_equal(one.keys, other.keys)
        np.testing.assert_allclose(one.log10, other.log10, rtol=0, atol=1e-6)
        np.testing.assert_allclose(one.backoff, other.backoff, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "unknown", "log10", "perplexities"),
    [
        ("train-small", 8_095, -168_114.69, (498.88, 197.10)),
        pytest.param("train", 447, -126_964.96, (109.04, 101.92), marks=pytest.mark.slow),
    ],
)
def test_perplexities_are_kenlms(
    data_dir: Path, name: str, unknown: int, log10: float, perplexities: tuple[float, float]
) -> None:
    model = train_lm(data_dir / "lm" / f"{name}.txt.xz")
    scores = model.score(text.read(data_dir / "lm" / "test.txt.xz"))
    assert (scores.words, scores.unknown_words) == (62_311, unknown)
    assert round(float(scores.log10.sum()), 2) == log10
    found = scores.perplexity(), scores.perplexity(unknown=False)
    assert tuple(round(value, 2) for value in found) == perplexities
