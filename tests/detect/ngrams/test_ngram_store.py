"""Models in folders: the same bytes, whole or not at all, damage told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from jurybox.detect import model_folder
from jurybox.detect.ngrams.model import NgramModel, load_model, save_model
from jurybox.detect.ngrams.training import train_lm, train_lm_on
from jurybox.errors import FormatError, InputError
from jurybox.formats import Input

TEXT = "the cat sat on the mat\nthe dog sat on the cat\na dog ran\n"
FALLBACK = (0.5, 1, 1.5)


def made() -> NgramModel:
    return train_lm(Input.from_text(TEXT), prune=(0, 0, 1, 1), fallback_discounts=FALLBACK)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_model(made(), tmp_path / "lm")
    return tmp_path / "lm"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_loaded_model_is_the_saved_one(folder: Path) -> None:
    ours, loaded = made(), load_model(folder, check=True)
    assert loaded.about == ours.about
    assert loaded.vocabulary.words == ours.vocabulary.words
    for one, other in zip(ours.orders, loaded.orders, strict=True):
        for field in one._fields:
            np.testing.assert_array_equal(getattr(one, field), getattr(other, field), strict=True)


def test_a_loaded_model_is_mapped_and_not_read(folder: Path) -> None:
    keys = load_model(folder).orders[3].keys
    assert isinstance(keys.base, np.memmap)
    assert not keys.flags.writeable


def test_the_same_text_gives_the_same_bytes_anywhere(folder: Path, tmp_path: Path) -> None:
    save_model(made(), tmp_path / "elsewhere")
    assert contents(folder) == contents(tmp_path / "elsewhere")


def test_the_description_holds_the_digest_of_the_text_and_what_was_asked(folder: Path) -> None:
    about = json.loads((folder / "model.json").read_text())["about"]
    assert about["sha256"] == [Input.from_text(TEXT).sha256]
    assert (about["sentences"], about["words"]) == (3, 15)
    assert about["prune"] == [0, 0, 1, 1]
    assert about["fallback_discounts"] == [0.5, 1, 1.5]
    assert len(about["discounts"]) == 4
    assert set(about["versions"]) == {"jurybox", "numpy"}


def test_a_model_without_fallback_and_without_long_n_grams_can_be_kept(tmp_path: Path) -> None:
    save_model(train_lm_on([""], fallback_discounts=FALLBACK), tmp_path / "lm")
    assert load_model(tmp_path / "lm").sizes == (3, 1, 0, 0)


def test_a_model_is_replaced_by_the_next(folder: Path) -> None:
    save_model(train_lm_on(["a cat"], order=2, fallback_discounts=FALLBACK), folder)
    assert load_model(folder).order == 2
    assert not (folder / "order4-keys.npy").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["lm"]


def test_a_model_that_was_replaced_still_answers(folder: Path) -> None:
    old = load_model(folder)
    before = old.score(["the cat sat"]).log10
    save_model(train_lm_on(["a cat"], order=2, fallback_discounts=FALLBACK), folder)
    np.testing.assert_array_equal(old.score(["the cat sat"]).log10, before)


def test_saving_that_fails_leaves_what_was_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(folder)
    calls: list[Path] = []

    def interrupted(array: object, path: Path) -> None:
        calls.append(path)
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(model_folder, "_save_array", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_model(made(), folder)
    assert contents(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == ["lm"]


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="other things in it"):
        save_model(made(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "lm").write_text("")
    with pytest.raises(InputError, match="is a file; name a folder"):
        save_model(made(), tmp_path / "lm")


def test_a_place_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        save_model(made(), tmp_path / "no" / "lm")


def test_what_is_not_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        load_model(tmp_path / "lm")
    with pytest.raises(InputError, match=r"has no model\.json"):
        load_model(tmp_path)
    (tmp_path / "text.txt").write_text("a")
    with pytest.raises(InputError, match="is a file, not the folder"):
        load_model(tmp_path / "text.txt")
    (tmp_path / "model.json").write_text('{"format": "a spaCy pipeline"}')
    with pytest.raises(FormatError, match=r"model\.json: does not describe a model of this kind"):
        load_model(tmp_path)


def test_a_model_of_a_later_version_is_told(folder: Path) -> None:
    path = folder / "model.json"
    path.write_text(path.read_text().replace('"version": 1', '"version": 2'))
    with pytest.raises(FormatError, match="is of version 2, and this jurybox reads 1"):
        load_model(folder)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"format": "jurybox n-gram model", "version": 1}'],
)
def test_a_damaged_description_is_told(folder: Path, text: str) -> None:
    (folder / "model.json").write_text(text)
    with pytest.raises(FormatError, match=r"model\.json: "):
        load_model(folder)


@pytest.mark.parametrize("name", ["words", "order1-log10", "order3-keys", "order4-backoff"])
def test_an_array_that_is_cut_off_missing_or_foreign_is_told(folder: Path, name: str) -> None:
    path = folder / f"{name}.npy"
    whole = path.read_bytes()
    for damage in (whole[:-1], whole[:20], b"", b"PK\x03\x04" + whole):
        path.write_bytes(damage)
        with pytest.raises(FormatError, match=rf"{name}\.npy: .*train the model again"):
            load_model(folder)
    np.save(path, np.zeros(3))
    with pytest.raises(FormatError, match="belongs to another model"):
        load_model(folder)
    path.unlink()
    with pytest.raises(FormatError, match=rf"{name}\.npy: is damaged or missing"):
        load_model(folder)


def test_arrays_with_python_objects_are_never_unpickled(folder: Path) -> None:
    np.save(folder / "words.npy", np.array([{}], object), allow_pickle=True)
    with pytest.raises(FormatError, match=r"words\.npy"):
        load_model(folder)


def test_a_flipped_bit_is_found_when_every_byte_is_checked(folder: Path) -> None:
    path = folder / "order2-log10.npy"
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    load_model(folder)
    with pytest.raises(FormatError, match=r"order2-log10\.npy: .*SHA-256 differs"):
        load_model(folder, check=True)


def test_a_move_that_fails_puts_the_old_model_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(folder)
    move = Path.rename

    def refuse_drafts(path: Path, target: Path) -> Path:
        if path.name.endswith(".part"):
            raise PermissionError(13, "not today")
        return move(path, target)

    monkeypatch.setattr(Path, "rename", refuse_drafts)
    with pytest.raises(InputError, match="cannot be written"):
        save_model(made(), folder)
    assert contents(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == ["lm"]


def test_arrays_of_different_lengths_are_told_even_where_the_description_agrees(
    folder: Path,
) -> None:
    path = folder / "model.json"
    described = json.loads(path.read_text())
    described["arrays"]["order2-log10"]["shape"] = [1]
    path.write_text(json.dumps(described))
    np.save(folder / "order2-log10.npy", np.zeros(1, np.float32))
    with pytest.raises(FormatError, match="differ in length"):
        load_model(folder)
