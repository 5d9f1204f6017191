"""Files counted in shards, by whomever: the same result, warnings and errors as in one go."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jurybox as jb
from dask_cluster import dask_cluster
from jurybox.counting import shards
from jurybox.errors import JuryboxError
from jurybox.formats import Input
from jurybox.formats.file_parts import Cut, FilePart, can_be_cut, cut_sentences, parts_between
from jurybox.score.saved_counts import save_counts

SAMPLE = Path(jb.__file__).parent / "data" / "sample"
WORDS = ("a", "b", "c", "d")
words = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
ids = st.sampled_from(["0", "1", "2", "10"])


@st.composite
def m2_blocks(draw: st.DrawFn) -> str:
    """A sentence of M2, or what somebody might have made of one."""
    text = draw(words)
    length = len(text.split())
    lines = [f"S {text}".rstrip() if draw(st.booleans()) else f"S {text}"]
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, length))
        end = draw(st.integers(start, length))
        kind = draw(st.sampled_from(["Nn", "R:NOUN", "UNK"]))
        lines.append(f"A {start} {end}|||{kind}|||{draw(words)}|||REQUIRED|||-NONE-|||{draw(ids)}")
    if draw(st.integers(0, 9)) == 0:
        odd = ["A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0", "nonsense", "T0-A1 a b"]
        odd += ["A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||Bob"]
        lines.append(draw(st.sampled_from(odd)))
    gap = draw(st.sampled_from(["\n", "\n\n", "\n\n\n", "\r\n\r\n"]))
    return "\n".join(lines) + gap


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Gold edits, and the output of two systems, which sometimes lacks a line."""
    blocks = draw(st.lists(m2_blocks(), min_size=1, max_size=8))
    gold = draw(st.sampled_from(["", "\ufeff"])) + "".join(blocks)
    systems = []
    for _ in range(2):
        number = len(blocks) - (draw(st.integers(0, 15)) == 0)
        lines = draw(st.lists(words, min_size=number, max_size=number))
        systems.append("\n".join(lines) + draw(st.sampled_from(["\n", ""])))
    return gold, systems


def outcome(work: Callable[[], Any]) -> Any:
    """A result with its warnings, or what was complained of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = work()
        except JuryboxError as error:
            return type(error), str(error)
    return found, sorted(str(one.message) for one in caught)


def scored(folder: Path, **options: Any) -> Any:
    systems = [folder / "one.txt", folder / "two.txt"]
    result = jb.score(systems, folder / "gold.m2", **options)
    save_counts(result, folder / "counts.json")
    return result.to_dict(), (folder / "counts.json").read_text("utf-8")


def shuffled(order: Callable[[list[int]], list[int]], numbers: list[int]) -> Any:
    """A map that does the work in some order, and gives the results in the right one."""

    def map_batches(
        function: Callable[[Any], Any], given: Iterable[Any], **_: Any
    ) -> Iterator[Any]:
        work = list(given)
        numbers.append(len(work))
        done = {place: function(work[place]) for place in order(list(range(len(work))))}
        return iter([done[place] for place in range(len(work))])

    return map_batches


@given(texts(), st.integers(1, 4), st.sampled_from(["m2", "errant", "gleu"]), st.data())
@settings(max_examples=60)
def test_shards_give_the_result_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory,
    given_texts: tuple[str, list[str]],
    size: int,
    metric: str,
    data: st.DataObject,
) -> None:
    folder = tmp_path_factory.mktemp("texts")
    gold, systems = given_texts
    if metric == "gleu":  # which needs a reference for every sentence
        gold = gold.replace("|||NA|||", "|||noop|||")
    (folder / "gold.m2").write_bytes(gold.encode())
    for name, text in zip(("one.txt", "two.txt"), systems, strict=True):
        (folder / name).write_bytes(text.encode())
    options: dict[str, Any] = {"metric": metric}
    if metric == "errant":  # texts would need ERRANT itself
        for name in ("one.txt", "two.txt"):
            (folder / name).write_bytes(gold.replace("Nn", "R:OTHER").encode())
        options["hyp_format"] = "m2"
    if metric == "m2":
        options["by"] = data.draw(st.sampled_from([None, "type"]))
    whole = outcome(lambda: scored(folder, **options))
    sizes: list[int] = []
    order = shuffled(lambda places: data.draw(st.permutations(places)), sizes)
    with mock.patch.multiple(shards, SHARD=size, map_batches=order):
        parts = outcome(lambda: scored(folder, engine="local:2", **options))
    assert parts == whole


@pytest.mark.parametrize("engine", ["local:2", pytest.param("dask", marks=pytest.mark.slow)])
def test_the_sample_gets_the_same_digits_everywhere(
    engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shards, "SHARD", 45)
    systems = {
        path.stem: path for path in SAMPLE.glob("*.txt") if path.stem in ("bold", "cautious")
    }
    gold = sorted(SAMPLE.glob("A*.m2"))
    joined: list[int] = []
    join = shards._join

    def count_parts(parts: Any, panel: Any) -> Any:
        joined.append(len(parts))
        return join(parts, panel)

    monkeypatch.setattr(shards, "_join", count_parts)

    def results(**where: Any) -> list[Any]:
        ceiling = jb.ceiling(gold, systems, sizes=[3], max_subsets=3, **where)
        return [
            jb.score(systems, gold, ci=True, resamples=20, **where).to_dict(),
            jb.score(systems, gold, metric="gleu", **where).to_dict(),
            jb.compare(systems, gold, resamples=50, **where).to_dict(),
            ceiling.to_dict(),
        ]

    expected = results(jobs=1)
    assert joined == []
    if engine == "dask":
        with dask_cluster() as cluster:
            found = results(engine=cluster.address)
    else:
        found = results(engine=engine)
    assert found == expected
    assert len(joined) == 6, "two systems by score, gleu and compare"
    assert min(joined) > 1, "every text was counted in several shards"


def test_a_part_of_a_file_keeps_its_lines_and_name(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\n\nfour")
    source = Input(path)
    cuts, sentences = cut_sentences(source, 2, is_m2=False) or ([], 0)
    parts = parts_between(source, cuts)
    assert sentences == 4
    assert [list(part.lines()) for part in parts] == [
        [(1, "one"), (2, "two")],
        [(3, ""), (4, "four")],
    ]
    assert {part.name for part in parts} == {str(path)}


def test_a_mark_in_the_middle_is_not_taken_for_one_at_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("one\n\ufefftwo\n".encode())
    assert cut_sentences(Input(path), 1, is_m2=False) is None
    assert cut_sentences(Input(path), 2, is_m2=False) is not None


def test_only_plain_files_are_cut(tmp_path: Path) -> None:
    import gzip

    plain_file, packed = tmp_path / "a.txt", tmp_path / "a.txt.gz"
    plain_file.write_text("one\n")
    packed.write_bytes(gzip.compress(b"one\n"))
    assert can_be_cut(Input(plain_file))
    part = FilePart(Input(plain_file), Cut(0, 0), 4)
    for source in (Input(packed), Input.from_text("one\n"), Input("-"), part):
        assert not can_be_cut(source)
