"""A language model out of counted n-grams (Madnani et al. 2011, section 2.1: LM on Web 1T)."""

from __future__ import annotations

import gzip
import tracemalloc
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log10
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.detect.info import describe_detector
from jurybox.detect.ngrams import counted, training
from jurybox.detect.ngrams.arpa import write_arpa
from jurybox.detect.ngrams.counted import sort_on_disk, train_lm_on_counts
from jurybox.detect.ngrams.model import NgramModel, load_model, save_model
from jurybox.detect.ngrams.training import train_lm, train_lm_on
from jurybox.detect.run import run_detectors
from jurybox.detect.train import train_detector
from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats import Input
from saved_results import check_restored, check_schema

TEXT = ["the cat sat", "the cat ran", "the dog sat"]


def count_lines(sentences: Iterable[str], order: int) -> list[list[str]]:
    """All n-grams of sentences as files of counts have them, order by order, none in order."""
    seen: list[Counter[str]] = [Counter() for _ in range(order)]
    for sentence in sentences:
        words = ["<S>", *sentence.split(), "</S>"]
        for n, counts in enumerate(seen, 1):
            counts.update(" ".join(words[i : i + n]) for i in range(len(words) - n + 1))
    return [[f"{ngram}\t{n}" for ngram, n in counts.items()] for counts in seen]


def made_corpus(folder: Path, sentences: Iterable[str], order: int = 4) -> Path:
    """The layout of Web 1T, compressed as there."""
    for n, lines in enumerate(count_lines(sentences, order), 1):
        file = folder / f"{n}gms" / ("vocab.gz" if n == 1 else f"{n}gm-0000.gz")
        file.parent.mkdir(parents=True)
        file.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    return folder


def model_of(lines: Sequence[str], scratch: Path, **options: Any) -> NgramModel:
    return train_lm_on_counts([Input.from_lines(lines, "counts.tsv")], scratch, **options)


def flat(lines: Iterable[Iterable[str]]) -> list[str]:
    return [line for order in lines for line in order]


# --- stupid back-off by hand: Brants et al. (2007), section 4, alpha = 0.4 ---


@pytest.mark.parametrize(
    ("sentence", "scores"),
    [
        # <s> the; <s> the cat; the cat sat; cat sat </s>: all seen
        ("the cat sat", [3 / 3, 2 / 3, 1 / 2, 1 / 1]),
        # "the dog ran" and "dog ran" were not seen: back to 1 of 12; then "ran </s>" from "dog ran"
        ("the dog ran", [1, 1 / 3, 0.4 * 0.4 * 1 / 12, 0.4 * 1 / 1]),
        # no context reaches over the beginning of a sentence: one step back, then two
        ("cat", [0.4 * 2 / 12, 0.4 * 0.4 * 3 / 12]),
        # nor over the end of the sentence before
        ("", [0.4 * 3 / 12]),
    ],
)
def test_stupid_backoff_of_brants_et_al_2007_by_hand(
    sentence: str, scores: list[float], tmp_path: Path
) -> None:
    model = model_of(flat(count_lines(TEXT, 3)), tmp_path, order=3)
    found = 10 ** model.score(["the cat", sentence]).of(1)
    assert found.tolist() == pytest.approx(scores, rel=1e-6)


def test_an_unknown_word_takes_the_counts_of_unk_where_the_corpus_has_them(tmp_path: Path) -> None:
    # as Web 1T does; without them a word that was never seen is next to impossible
    lines = flat(count_lines([*TEXT, "the <UNK> sat"], 3))
    model = model_of(lines, tmp_path, order=3)
    assert (10 ** model.score(["the yak sat"]).of(0)).tolist() == pytest.approx(
        [1, 1 / 4, 1, 1], rel=1e-6
    )
    without = model_of(flat(count_lines(TEXT, 3)), tmp_path, order=3)
    assert without.score(["yak"]).of(0)[0] == pytest.approx(-100 + log10(0.4))


def test_a_model_with_stupid_backoff_scores_alike_out_of_its_folder(tmp_path: Path) -> None:
    model = model_of(flat(count_lines(TEXT, 3)), tmp_path, order=3)
    save_model(model, tmp_path / "lm")
    asked = ["the dog ran", "a yak"]
    loaded = load_model(tmp_path / "lm")
    assert loaded.score(asked).log10.tolist() == model.score(asked).log10.tolist()
    assert loaded.about == model.about


def test_an_arpa_file_cannot_hold_stupid_backoff(tmp_path: Path) -> None:
    model = model_of(flat(count_lines(TEXT, 2)), tmp_path, order=2)
    with pytest.raises(
        UsageError, match="never seen; train the model with --lm-smoothing kneser-ney"
    ):
        write_arpa(model, tmp_path / "lm.arpa")


# --- counts of a text give the model of the text ---


def check_same(one: NgramModel, other: NgramModel) -> None:
    assert one.vocabulary.words == other.vocabulary.words
    for a, b in zip(one.orders, other.orders, strict=True):
        assert [np.asarray(x).tolist() for x in a] == [np.asarray(x).tolist() for x in b]
    assert one.about[2:] == other.about[2:]  # but for the files


@given(
    st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=12),
    st.integers(2, 4),
    st.sampled_from(["kneser-ney", "stupid-backoff"]),
    st.integers(0, 2),
)
def test_counts_of_a_text_give_the_same_model_as_the_text(
    sentences: list[list[str]], order: int, smoothing: str, pruned: int
) -> None:
    """All that modified Kneser-Ney takes from a text is in the counts of all its n-grams."""
    text = [" ".join(words) for words in sentences]
    options: dict[str, Any] = {
        "order": order,
        "smoothing": smoothing,
        "prune": (0,) * (order - 1) + (pruned,),
        "fallback_discounts": (0.5, 1, 1.5) if smoothing == "kneser-ney" else None,
    }
    lines = count_lines(text, order)
    if any(not part for part in lines):
        return  # too short for n-grams of this order
    with TemporaryDirectory() as scratch:
        try:
            found = model_of(flat(lines), Path(scratch), **options)
        except InputError:  # nothing is left of the highest order
            assert smoothing == "stupid-backoff"
            assert pruned
            return
        check_same(found, train_lm_on(text, **options))


@pytest.mark.slow
def test_counts_of_a_real_text_give_the_kneser_ney_model_of_the_text(
    data_dir: Path, tmp_path: Path
) -> None:
    text = Input(data_dir / "lm" / "train-small.txt.xz")
    sentences = [line for _, line in text.lines()]
    corpus = made_corpus(tmp_path / "corpus", sentences)
    trained = train_detector("lm", None, tmp_path / "lm", counts=corpus, smoothing="kneser-ney")
    assert trained.model.tokens == 235_939
    check_same(load_model(tmp_path / "lm"), train_lm(text))


def test_counts_without_rare_ngrams_have_no_kneser_ney_model_and_say_what_to_do(
    tmp_path: Path,
) -> None:
    """Web 1T leaves out what occurs less than 40 times: there is nothing to make discounts of."""
    lines = [line.partition("\t")[0] + "\t40" for line in flat(count_lines(TEXT, 3))]
    with pytest.raises(InputError, match=r"leave out the rare ones.*smoothing='stupid-backoff'"):
        model_of(lines, tmp_path, order=3, smoothing="kneser-ney")
    without = [line for line in lines if not line.startswith("cat sat\t")]
    with pytest.raises(InputError, match=r"'the cat sat' and not the 2-gram 'cat sat'.*stupid"):
        model_of(
            [line for line in without if not line.startswith("cat sat ")],
            tmp_path,
            order=3,
            smoothing="kneser-ney",
            fallback_discounts=(0.5, 1, 1.5),
        )
    assert model_of(lines, tmp_path, order=3).sizes == (8, 8, 8)


# --- files ---


def test_files_of_any_order_and_marks_in_small_letters_are_read_and_added_up(
    tmp_path: Path,
) -> None:
    lines = flat(count_lines(TEXT, 3))
    small = [line.replace("S>", "s>") for line in reversed(lines)]
    once = model_of(small, tmp_path, order=3)
    files = [Input.from_lines(lines, "a.tsv"), Input.from_lines(small, "b.tsv")]
    twice = train_lm_on_counts(files, tmp_path, order=3)
    assert twice.about.words == 2 * (once.about.words or 0) == 18
    asked = ["the dog ran"]
    assert twice.score(asked).log10.tolist() == once.score(asked).log10.tolist()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("the cat", "'the cat' is no n-gram, a tab and a count"),
        ("the cat\tmany", "is no n-gram, a tab and a count"),
        ("the yak\t4", "'the yak': a word of it is not among the 1-grams"),
        ("the  cat\t4", "'the  cat' has 3 words, and the folder 2gms is for n-grams of 2"),
        ("the cat sat\t4", "has 3 words, and the folder 2gms"),
        ("cat <S>\t4", "'cat <S>': a sentence begins or ends inside of it"),
        ("</S> the\t4", "a sentence begins or ends inside of it"),
    ],
)
def test_a_bad_line_is_refused_with_file_and_line(
    line: str, complaint: str, tmp_path: Path
) -> None:
    corpus = made_corpus(tmp_path / "corpus", TEXT, 3)
    (corpus / "2gms" / "2gm-0001").write_text(f"the cat\t4\n{line}\n")
    with pytest.raises(FormatError) as refused:
        train_detector("lm", None, tmp_path / "lm", counts=corpus, order=3)
    assert str(refused.value).startswith(f"{corpus / '2gms' / '2gm-0001'}:2: ")
    assert complaint in str(refused.value)
    assert [file.name for file in tmp_path.iterdir()] == ["corpus"]  # nothing is left behind


def test_an_ngram_whose_beginning_is_missing_is_refused_with_file_and_line(tmp_path: Path) -> None:
    lines = flat(count_lines(TEXT, 2))
    with pytest.raises(FormatError, match=rf":{len(lines) + 1}: 'cat the dog': its first 2 words"):
        model_of([*lines, "cat the dog\t3"], tmp_path, order=3)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["a b\t3"], "no 1-grams there; --counts needs n-grams of 1 to 3 words"),
        (["a\t3", "</S>\t1"], "the 1-grams of --counts have no '<S>'"),
        (flat(count_lines(TEXT, 2)), "no 3-grams there; .*, or say --order 2"),
    ],
)
def test_counts_that_lack_something_are_refused(
    lines: list[str], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=complaint):
        model_of(lines, tmp_path, order=3)


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_counts_that_contradict_each_other_are_told(tmp_path: Path) -> None:
    lines = [line for line in flat(count_lines(TEXT, 2)) if not line.startswith("the\t")]
    corpus = tmp_path / "counts.tsv"
    corpus.write_text("\n".join([*lines, "the\t1"]))
    trained = train_detector("lm", None, tmp_path / "lm", counts=corpus, order=2)
    assert trained.warnings == (
        "1 2-grams were counted more often than their first 1 words; their score is 1",
    )


# --- memory ---


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9)), min_size=1, max_size=8),
        max_size=12,
    )
)
def test_sorting_on_disk_gives_what_sorting_in_memory_gives(
    parts: list[list[tuple[int, int]]],
) -> None:
    wanted: Counter[int] = Counter()
    for part in parts:
        for key, count in part:
            wanted[key] += count
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(counted, "RUN", 4)
        patch.setattr(counted, "STEP", 2)
        arrays = [tuple(np.array(part, np.int64).T) for part in parts]
        keys, times = sort_on_disk(arrays, Path(folder, "x"))
        assert list(zip(keys.tolist(), times.tolist(), strict=True)) == sorted(wanted.items())


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_ngrams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counted, "RUN", 1 << 14)
    monkeypatch.setattr(counted, "STEP", 1 << 8)
    monkeypatch.setattr(training, "BLOCK", 1 << 14)
    words = [f"w{number}" for number in range(1000)]

    def peak(many: int) -> int:
        path = tmp_path / f"{many}.tsv"
        with path.open("w") as out:
            out.writelines(f"{word}\t1000000\n" for word in ("<S>", "</S>", *words))
            for number in range(many):
                first, second = divmod(number * 7919 % 1_000_000, 1000)
                out.write(f"{words[first]} {words[second]}\t{1 + number % 9}\n")
        tracemalloc.start()
        try:
            model = train_lm_on_counts([Input(path)], tmp_path, order=2)
            most = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert model.sizes[1] == many
        return most

    assert peak(240_000) < 1.5 * peak(60_000)


# --- the command ---


@pytest.mark.parametrize("smoothing", ["stupid-backoff", "kneser-ney"])
def test_a_model_of_counts_decides_about_prepositions(smoothing: str, tmp_path: Path) -> None:
    """Madnani et al. (2011), section 2.1: the sentence is likelier without the preposition."""
    text = ["they marry her", "we marry her", "they live with her", "we know her"] * 9
    corpus = made_corpus(tmp_path / "corpus", text, 3)
    trained = train_detector(
        "lm",
        None,
        tmp_path / "lm",
        counts=corpus,
        order=3,
        smoothing=smoothing,
        fallback_discounts=(0.5, 1, 1.5) if smoothing == "kneser-ney" else None,
    )
    check_schema(trained, "detect-train")
    check_restored(trained)
    assert (trained.model.made_from, trained.model.options.smoothing) == ("counts", smoothing)
    assert (trained.model.sentences, trained.model.tokens) == (36, 117)
    assert describe_detector(tmp_path / "lm", check_bytes=True).checked
    run = run_detectors(
        tmp_path / "lm",
        text=Input.from_lines(["they marry with her", "they live with her"]),
        tokenised=True,
        tagger="words",
    )
    decided = run.decisions["lm"]
    assert list(decided.label) == [1, 0]
    assert decided.suggestion is not None
    assert decided.suggestion[0] == ""


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"text": "x"}, "--counts: counts are of a text; leave --text out"),
        ({"tokenised": True}, "--tokenised is about --text; leave it out with --counts"),
        ({"split": 0.7}, "--split is about --text; leave it out with --counts"),
        ({"from_arpa": "x"}, "--counts and --from-arpa exclude each other"),
        ({"arpa": "x"}, "--arpa: the format has no weight"),
        ({"fallback_discounts": (0.5, 1, 1.5)}, "fallback_discounts are for Kneser-Ney"),
        ({"smoothing": "none"}, "unknown smoothing"),
    ],
)
def test_options_that_counts_cannot_use_are_refused(
    options: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    corpus = made_corpus(tmp_path / "corpus", TEXT, 4)
    with pytest.raises(UsageError, match=complaint):
        train_detector("lm", options.pop("text", None), tmp_path / "lm", counts=corpus, **options)


def test_the_command_reads_a_corpus_of_counts_and_runs_its_model(tmp_path: Path, call: Any) -> None:
    corpus = made_corpus(tmp_path / "corpus", ["they marry her", "we live with her"] * 9, 3)
    model, decisions = tmp_path / "lm", tmp_path / "lm.csv"
    code, said, _ = call("detect", "train", "lm", "--counts", corpus, "--order", 3, "-o", model)
    assert code == 0
    assert f"counts     {corpus / '1gms' / 'vocab.gz'}" in said
    assert "text:counts|smoothing:stupid-backoff|order:3" in said
    essay = tmp_path / "essay.txt"
    essay.write_text("they marry with her\n")
    run = ("detect", "run", model, "--text", essay, "--tokenised", "--tagger", "words")
    assert call(*run, "-o", decisions)[0] == 0
    assert decisions.read_text().splitlines()[1].startswith("S1:2-3,error,")
