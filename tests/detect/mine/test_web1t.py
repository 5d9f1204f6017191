"""Files of counted n-grams: the layout of Web 1T, and what is wrong with a file."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.detect.mine.counts import NgramCounts, count_in_files, find_trigrams
from jurybox.detect.ngrams.count_files import counts_files
from jurybox.errors import FormatError, InputError, JuryboxError, UsageError
from jurybox.formats import Input
from jurybox.jury.cases.infinitives import choose_tagger

WANTED = find_trigrams([["marry", "with", "her"]], choose_tagger("words")).wanted
VOCABULARY = "her\t300\nwith\t700\n"
PAIRS = "Marry her\t41\nmarry her\t59\nmarry him\t80\n"
TRIPLES = "<S> marry her\t90\nmarry with her\t45\n"


def packed(text: bytes, ending: str) -> bytes:
    if ending == ".gz":
        return gzip.compress(text)
    return lzma.compress(text) if ending == ".xz" else text


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The folders of the corpus, with the files beside the n-grams that it has."""
    files = {
        "1gms/vocab.gz": VOCABULARY,
        "1gms/vocab_cs.gz": VOCABULARY,
        "1gms/total.gz": "1000",
        "2gms/2gm-0000.gz": PAIRS,
        "2gms/2gm-0001.xz": "with her\t50\n",
        "2gms/2gm.idx": "2gm-0000.gz\tMarry her",
        "3gms/3gm-0000": TRIPLES,
        "3gms/3gm.idx.gz": "3gm-0000\t<S> marry her",
        "4gms/4gm-0000": "not looked at",
    }
    for name, text in files.items():
        file = tmp_path / "web1t" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(packed(text.encode(), file.suffix))
    return tmp_path / "web1t"


def counted(*texts: str) -> NgramCounts:
    return count_in_files([Input.from_text(text, "counts.tsv") for text in texts], WANTED)


def test_a_whole_corpus_is_read_without_indexes_and_lists_that_say_the_same(corpus: Path) -> None:
    files = counts_files([corpus], 3)
    assert [Path(file).relative_to(corpus).as_posix() for file in files] == [
        *("1gms/vocab.gz", "2gms/2gm-0000.gz", "2gms/2gm-0001.xz", "3gms/3gm-0000")
    ]
    counts = count_in_files(files, WANTED)
    assert counts.bigrams.tolist() == [100]  # capitals do not count
    assert counts.trigrams.tolist() == [45]
    assert (counts.words, counts.prepositions.sum(), counts.least) == (1000, 700, 45)


def test_folders_of_the_corpus_can_be_named_one_by_one(corpus: Path) -> None:
    folders = [corpus / name for name in ("1gms", "2gms", "3gms")]
    assert counts_files(folders, 3) == counts_files([corpus], 3)


def test_a_corpus_without_one_of_its_folders_is_refused(corpus: Path) -> None:
    (corpus / "2gms").rename(corpus / "elsewhere")
    with pytest.raises(InputError, match="has no folder 2gms; all of 1gms, 2gms, 3gms"):
        counts_files([corpus], 3)


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no files of n-grams"):
        counts_files([tmp_path], 3)


def test_what_would_count_twice_is_refused(corpus: Path) -> None:
    with pytest.raises(UsageError, match="named twice in --counts"):
        counts_files([corpus, corpus / "3gms" / "3gm-0000"], 3)


@pytest.mark.parametrize(
    ("texts", "lacking"),
    [
        ((PAIRS, TRIPLES), "no 1-grams there"),
        ((VOCABULARY,), "no 2-grams and no 3-grams there"),
    ],
)
def test_counts_of_which_an_order_is_missing_are_refused(
    texts: tuple[str, ...], lacking: str
) -> None:
    with pytest.raises(InputError, match=lacking):
        counted(*texts)


@pytest.mark.parametrize(
    "line",
    [
        *("marry him", "marry him\t", "\t5", "marry\thim\t5", "", "marry him 5"),
        *("marry him\tmany", "marry him\t-5", "marry him\t0", "marry him\t1_000"),
        *("marry him\t5.0", "marry him\t٣", "marry him\t99999999999999999999"),
    ],
)
def test_a_line_that_is_no_ngram_is_named(line: str) -> None:
    with pytest.raises(FormatError) as refused:
        counted(f"{VOCABULARY}{PAIRS}{line}\n{TRIPLES}")
    assert refused.value.line == 6
    assert "is no n-gram, a tab and a count" in str(refused.value)


def test_lines_whose_faults_would_make_up_for_each_other_are_seen() -> None:
    with pytest.raises(FormatError) as refused:
        counted(f"{VOCABULARY}{PAIRS}marry\t1\t2\n3\n{TRIPLES}")
    assert (refused.value.line, refused.value.more) == (6, 1)


def test_the_line_of_a_fault_is_right_in_a_file_of_many_pieces() -> None:
    many = "".join(f"word{number} her\t7\n" for number in range(50_000))
    with pytest.raises(FormatError) as refused:
        counted(f"{many}{many}oh\n{many}")
    assert refused.value.line == 100_001


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    file = tmp_path / "3gms.tsv"
    file.write_bytes(TRIPLES.encode() + b"caf\xe9 with her\t50\n")
    with pytest.raises(FormatError, match=r"3gms\.tsv:3: byte \d+ of the file .* is not UTF-8"):
        count_in_files([Input(file)], WANTED)


def test_line_ends_of_windows_and_a_missing_last_one_change_nothing() -> None:
    text = f"{VOCABULARY}{PAIRS}{TRIPLES}"
    one, other = counted(text), counted("\ufeff" + text.rstrip("\n").replace("\n", "\r\n"))
    assert [np.array(field).tolist() for field in one] == [
        np.array(field).tolist() for field in other
    ]


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(FormatError, match=r"counts\.tsv: is empty"):
        counted(VOCABULARY, "")


@given(st.binary(max_size=60), st.sampled_from([b"", VOCABULARY.encode(), TRIPLES.encode()]))
def test_any_bytes_give_counts_or_an_error_of_ours(given_bytes: bytes, before: bytes) -> None:
    source = Input.from_text("")
    source._data = before + given_bytes
    try:
        counts = count_in_files([source], WANTED)
    except JuryboxError:
        return
    assert counts.words >= 0
