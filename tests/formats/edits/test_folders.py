"""Folders of data sets, as gec-datasets stores them: src.txt, ref0.txt, ref1.txt, m2.txt."""

from __future__ import annotations

from pathlib import Path

import pytest

import jurybox as jb
from calling import Call
from jurybox.errors import InputError
from jurybox.formats import Input
from jurybox.formats.edits.folders import read_folder
from jurybox.model import Counts

FILES = {
    "src.txt": "Ich gehe zu Haus .\nEr schlafen .\n",
    "ref0.txt": "Ich gehe nach Hause .\nEr schläft .\n",
    "ref1.txt": "Ich gehe heim .\nEr schläft .\n",
}
M2 = "S Er schlafen .\nA 1 2|||V|||schläft|||REQUIRED|||-NONE-|||0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "falko"
    place.mkdir()
    for name, text in FILES.items():
        (place / name).write_text(text, "utf-8")
    (place / "metadata.json").write_text("{}")
    return place


def test_a_folder_is_a_panel_of_its_references(folder: Path) -> None:
    source, *refs = (folder / name for name in FILES)
    assert jb.score(refs[1], folder).f == 1.0
    by_files = jb.score(refs[1], source=source, refs=refs, metric="gleu")
    assert jb.score(refs[1], folder, metric="gleu").score == by_files.score
    scored = jb.score(source, folder)
    assert scored.systems[0].counts == Counts(fn=2)  # one edit in either sentence
    assert "refs:2|gold:aligned" in scored.signature
    described = jb.annotators(folder)
    assert list(described.annotators) == ["ref0", "ref1"]
    assert "gold:aligned" in described.signature


def test_a_folder_is_converted(folder: Path, tmp_path: Path, call: Call) -> None:
    code, _, said = call("convert", folder, tmp_path / "falko.m2")
    assert code == 0, said
    assert (
        (tmp_path / "falko.m2")
        .read_text("utf-8")
        .startswith(
            "S Ich gehe zu Haus .\nA 2 4|||UNK|||nach Hause|||REQUIRED|||-NONE-|||0\n"
            "A 2 4|||UNK|||heim|||REQUIRED|||-NONE-|||1\n"
        )
    )


def test_official_edits_come_before_alignment(folder: Path) -> None:
    (folder / "m2.txt").write_text(M2, "utf-8")
    scored = jb.score(["Er schläft ."], folder)
    assert scored.systems[0].counts == Counts(tp=1)
    assert "aligned" not in scored.signature


@pytest.mark.parametrize(
    ("source", "references"),
    [
        ("dev.src", ["dev.ref0", "dev.ref1", "dev.ref10"]),
        ("cs-natform-orig-dev.md", ["cs-natform-ref1-dev.md", "cs-natform-ref2-dev.md"]),
    ],
)
def test_other_names_that_say_the_same(tmp_path: Path, source: str, references: list[str]) -> None:
    for name in (source, *references, "README.md", ".hidden.src"):
        (tmp_path / name).touch()
    found = read_folder(Input(tmp_path))
    assert Path(found.source.path).name == source
    assert [Path(one.path).name for one in found.references] == references


def test_jflegs_second_source_is_none(tmp_path: Path) -> None:
    for name in ("dev.src", "dev.spellchecked.src", "dev.ref0"):
        (tmp_path / name).touch()
    assert Path(read_folder(Input(tmp_path)).source.path).name == "dev.src"


def test_several_references_on_a_line_are_several_annotators(folder: Path) -> None:
    """GECCC: tabs between, and as many as there are for a sentence."""
    (folder / "ref0.txt").write_text("Ich gehe heim .\tIch gehe nach Hause .\nEr schläft .\n")
    (folder / "ref1.txt").unlink()
    described = jb.annotators(folder)
    assert list(described.annotators) == ["ref0:0", "ref0:1"]
    assert [one.sentences for one in described.annotators.values()] == [2, 1]
    system = ["Ich gehe nach Hause .", "Er schläft ."]
    assert jb.score(system, folder).f == 1.0
    for metric in ("m2", "gleu"):
        files = {"source": folder / "src.txt", "refs": folder / "ref0.txt"}
        scored = jb.score(system, metric=metric, **files)  # type: ignore[arg-type]
        assert scored.score == jb.score(system, folder, metric=metric).score
        assert "refs:2" in scored.signature
    # where the source has tabs as well, they are white space
    (folder / "src.txt").write_text("Ich gehe\tzu Haus .\nEr schlafen .\n")
    assert list(jb.annotators(folder).annotators) == ["ref0"]


def test_edits_of_a_folder_are_those_of_errant_where_errant_scores(folder: Path) -> None:
    pytest.importorskip("errant")
    scored = jb.score(folder / "ref1.txt", folder, metric="errant")
    assert scored.f == 1.0
    assert "gold:errant-" in scored.signature


def test_what_a_folder_lacks_is_said(folder: Path) -> None:
    with pytest.raises(InputError, match=r"name one of the folders in it \(falko\)"):
        jb.score(["a"], folder.parent)
    for name in ("ref0.txt", "ref1.txt"):
        (folder / name).unlink()
    with pytest.raises(InputError, match=r"has src.txt, but no reference"):
        jb.score(["a"], folder)
    (folder / "other.src").touch()
    with pytest.raises(InputError, match=r"several sources \(src.txt, other.src\).*--refs"):
        jb.score(["a"], folder)


def test_references_of_another_length_are_an_error(folder: Path) -> None:
    (folder / "ref1.txt").write_text("Ich gehe heim .\n", "utf-8")
    with pytest.raises(InputError, match=r"src.txt:2 has no partner"):
        jb.score(["a", "b"], folder)


def test_jfleg_is_a_folder_too(data_dir: Path) -> None:
    found = read_folder(Input(data_dir / "jfleg"))
    assert len(found.references) == 4
