"""`train_detector` and `describe_detector`: the same bytes, nothing half-done, damage found."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import jurybox
from jurybox.detect import learning, tagging
from jurybox.detect.info import describe_detector
from jurybox.detect.info.describing import templates_in_words
from jurybox.detect.prose import read_prose
from jurybox.detect.train import LEARNERS, OWNERS, train_detector
from jurybox.errors import (
    FormatError,
    InputError,
    UnknownNameError,
    UsageError,
)
from jurybox.formats import Input
from needs import need_learner, need_module
from saved_results import check_restored, check_schema

TEXT = Path(jurybox.__file__).parent / "data" / "sample" / "training.txt"
#: options under which a tiny text teaches something, quickly
TINY: dict[str, dict[str, Any]] = {
    "maxent": {"least": 1, "passes": 3, "strength": 10.0},
    "perceptron": {"least": 1, "passes": 2},
    "lm": {},
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tagged text that the tests of this file share."""
    return tmp_path_factory.mktemp("tagged")


def train(learner: str, folder: Path, cache: Path | bool, **options: Any) -> Any:
    given: dict[str, Any] = {**TINY[learner], **options}
    if learner != "lm":
        given = {"cache": cache, "jobs": 1, **given}
    return train_detector(learner, given.pop("text", TEXT), folder, **given)


def digests(folder: Path) -> dict[str, str]:
    return {file.name: sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


# --- the same text, options and versions give the same bytes ---


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.slow
def test_training_twice_gives_the_same_bytes(learner: str, tmp_path: Path, cache: Path) -> None:
    need_learner(learner)
    train(learner, tmp_path / "one", cache)
    train(learner, tmp_path / "two", cache)
    assert digests(tmp_path / "one") == digests(tmp_path / "two")


@pytest.mark.parametrize("learner", ["maxent", "perceptron"])
@pytest.mark.slow
def test_the_number_of_processes_and_the_cache_do_not_change_a_model(
    learner: str, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_learner(learner)
    monkeypatch.setattr(learning, "BLOCK", 150)  # several blocks
    assert len(list(read_prose(TEXT))) > 2 * 150
    train(learner, tmp_path / "one", cache)
    train(learner, tmp_path / "two", cache, jobs=2)
    train(learner, tmp_path / "three", False)
    assert digests(tmp_path / "one") == digests(tmp_path / "two") == digests(tmp_path / "three")


def test_another_seed_gives_another_model(tmp_path: Path, cache: Path) -> None:
    need_learner("perceptron")
    train("perceptron", tmp_path / "one", cache)
    train("perceptron", tmp_path / "two", cache, seed=2)
    assert digests(tmp_path / "one") != digests(tmp_path / "two")


# --- what training says of itself ---


def test_a_language_model_of_prose_is_that_of_its_tokens(tmp_path: Path) -> None:
    from jurybox.formats.edits.tokens import tokenize

    tokens = Input.from_lines(" ".join(tokenize(one)) for one in read_prose(TEXT))
    prose = train_detector("lm", TEXT, tmp_path / "prose").model
    tokenised = train_detector("lm", tokens, tmp_path / "tokens", tokenised=True).model
    assert prose.ngrams == tokenised.ngrams
    assert (prose.sentences, prose.tokens) == (tokenised.sentences, tokenised.tokens)
    assert prose.sha256 == (sha256(TEXT.read_bytes()).hexdigest(),)
    kept = digests(tmp_path / "prose")
    kept.pop("model.json")  # names the text
    assert kept == {k: v for k, v in digests(tmp_path / "tokens").items() if k != "model.json"}


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_result_is_what_its_schema_says_and_comes_back(
    learner: str, tmp_path: Path, cache: Path
) -> None:
    need_learner(learner)
    trained = train(learner, tmp_path / "model", cache)
    check_schema(trained, "detect-train")
    check_restored(trained)
    info = describe_detector(tmp_path / "model", check_bytes=True, features=True)
    check_schema(info, "detect-info")
    check_restored(info)
    assert info.model == trained.model
    assert len(info.templates) == (0 if learner == "lm" else 25)


def test_learning_stops_after_so_many_events(tmp_path: Path, cache: Path) -> None:
    need_learner("perceptron")
    model = train("perceptron", tmp_path / "model", cache, events=300).model
    assert model.events + model.held_out == 300


def test_tokens_are_not_cut_again(tmp_path: Path, cache: Path) -> None:
    need_learner("perceptron")
    lines = Input.from_lines(["He sat-down on-a mat at 10:30 .", "They met the men in Rome ."] * 30)
    options = {"tokenised": True, "text": lines, "nothing_rate": 1.0}
    assert train("perceptron", tmp_path / "model", cache, **options).model.tokens == 30 * 14


def test_a_text_is_read_from_a_pipe_and_its_digest_is_kept(tmp_path: Path, cache: Path) -> None:
    need_learner("perceptron")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=[TEXT.read_bytes()])
    writer.start()
    model = train("perceptron", tmp_path / "model", cache, text=pipe).model
    writer.join()
    assert model.sha256 == (sha256(TEXT.read_bytes()).hexdigest(),)


# --- interruptions ---


@pytest.fixture
def tagged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many sentences each call of the tagger had; blocks are small."""
    calls: list[int] = []
    tag = tagging._tag

    def counted(sentences: list[Any], tagger: tagging.Tagger) -> Any:
        calls.append(len(sentences))
        return tag(sentences, tagger)

    monkeypatch.setattr(tagging, "_tag", counted)
    monkeypatch.setattr(learning, "BLOCK", 100)
    return calls


def test_interrupted_training_leaves_no_folder_and_goes_on_from_tagged_text(
    tmp_path: Path, tagged: list[int]
) -> None:
    need_learner("perceptron")
    told: list[float] = []

    def interrupt(more: float, what: str = "sentences") -> None:
        told.append(more)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train("perceptron", tmp_path / "model", tmp_path / "kept", progress=interrupt)
    assert {file.name for file in tmp_path.iterdir()} == {"kept"}
    assert tagged == [100, 100]
    train("perceptron", tmp_path / "model", tmp_path / "kept")
    assert tagged == [100, 100, 100, 100, 27]  # the first two were found
    train("perceptron", tmp_path / "again", tmp_path / "kept", passes=1)
    assert len(tagged) == 5


def test_an_error_while_learning_keeps_the_model_that_was_there(
    tmp_path: Path, cache: Path
) -> None:
    need_learner("perceptron")
    train("perceptron", tmp_path / "model", cache)
    before = digests(tmp_path / "model")

    def interrupt(more: float, what: str = "sentences") -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train("perceptron", tmp_path / "model", cache, seed=3, progress=interrupt)
    assert digests(tmp_path / "model") == before
    assert [file.name for file in tmp_path.iterdir()] == ["model"]


# --- ARPA ---


def test_a_model_goes_through_an_arpa_file_and_back(tmp_path: Path) -> None:
    train_detector("lm", TEXT, tmp_path / "one", arpa=tmp_path / "lm.arpa")
    read = train_detector("lm", None, tmp_path / "two", from_arpa=tmp_path / "lm.arpa")
    assert read.model.made_from == "arpa"
    assert read.model.ngrams == describe_detector(tmp_path / "one").model.ngrams
    one, two = digests(tmp_path / "one"), digests(tmp_path / "two")
    assert [name for name in one if one[name] != two[name]] == ["model.json"]


def test_kenlm_loads_the_arpa_file(tmp_path: Path) -> None:
    need_module("kenlm", "kenlm")
    from jurybox.detect.ngrams.kenlm_query import KenlmScorer
    from jurybox.detect.ngrams.model import load_model

    train_detector("lm", TEXT, tmp_path / "lm", arpa=tmp_path / "lm.arpa")
    said = ["the end of the road", "on the other side of the moon"]
    ours = load_model(tmp_path / "lm").score(said).log10
    theirs = KenlmScorer(tmp_path / "lm.arpa").score(said).log10
    assert list(ours) == pytest.approx(list(theirs), abs=1e-5)


# --- refusals ---


@pytest.mark.parametrize("option", OWNERS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_an_option_of_another_learner_is_refused_before_anything_is_read(
    learner: str, option: str, tmp_path: Path
) -> None:
    if learner in OWNERS[option]:
        return
    flag = f"--{option.replace('_', '-')} is an option of "
    given: dict[str, Any] = {option: "kneser-ney" if option == "smoothing" else 1}
    with pytest.raises(UsageError, match=flag):
        train_detector(learner, tmp_path / "nowhere", tmp_path / "model", **given)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"jobs": 0}, "--jobs must be 1 or more, not 0"),
        ({"least": 0}, "--least must be 1 or more, not 0"),
        ({"passes": 0}, "--passes must be 1 or more, not 0"),
        ({"events": 0}, "--events must be 1 or more, not 0"),
        ({"seed": -1}, "--seed must be 0 or more, not -1"),
        ({"nothing_rate": 0.0}, "--nothing-rate must lie between 0 and 1, not 0.0"),
        ({"nothing_rate": 1.5}, "--nothing-rate must lie between 0 and 1, not 1.5"),
        ({"strength": float("nan")}, "--strength must lie between 0 and inf, not nan"),
    ],
)
def test_numbers_out_of_range_are_refused(
    options: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=complaint):
        train_detector("maxent", TEXT, tmp_path / "model", **options)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"text": TEXT}, "leave --text out"),
        ({"tokenised": True}, "--tokenised is about --text"),
        ({"order": 3}, "--order is about training"),
        ({"prune": (0, 0, 1, 1)}, "--prune is about training"),
    ],
)
def test_a_model_that_is_read_takes_no_word_about_training(
    options: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    text = options.pop("text", None)
    with pytest.raises(UsageError, match=complaint):
        train_detector("lm", text, tmp_path / "model", from_arpa="lm.arpa", **options)


def test_an_unknown_learner_is_refused_with_the_near_one(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'maxent'"):
        train_detector("maxnet", TEXT, tmp_path / "model")


def test_no_text_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--text FILE"):
        train_detector("lm", None, tmp_path / "model")


def test_a_place_that_cannot_be_used_is_refused_before_the_text_is_read(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="other things in it"):
        train_detector("lm", tmp_path / "nowhere", tmp_path)


def test_a_cache_that_cannot_be_made_is_told_with_the_way_out(tmp_path: Path) -> None:
    need_learner("perceptron")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="--cache, or say --no-cache"):
        train("perceptron", tmp_path / "model", tmp_path / "file" / "inside")


# --- damage ---


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "lm"
    train_detector("lm", TEXT, folder)
    return folder


def copy(model: Path, tmp_path: Path) -> Path:
    from shutil import copytree

    return Path(copytree(model, tmp_path / "copy"))


def test_a_changed_byte_is_found_by_check_and_named(model: Path, tmp_path: Path) -> None:
    broken = copy(model, tmp_path)
    stored = bytearray((broken / "order2-log10.npy").read_bytes())
    stored[-1] ^= 1
    (broken / "order2-log10.npy").write_bytes(stored)
    assert not describe_detector(broken).checked
    with pytest.raises(FormatError, match=r"order2-log10\.npy: .*SHA-256 differs; train the model"):
        describe_detector(broken, check_bytes=True)


@pytest.mark.parametrize("name", ["order1-keys.npy", "model.json"])
@pytest.mark.parametrize("cut", [0, 40])
def test_a_cut_file_is_found_at_once(model: Path, tmp_path: Path, name: str, cut: int) -> None:
    broken = copy(model, tmp_path)
    (broken / name).write_bytes((broken / name).read_bytes()[:cut])
    with pytest.raises(FormatError, match=name):
        describe_detector(broken)


def test_a_missing_file_is_named(model: Path, tmp_path: Path) -> None:
    broken = copy(model, tmp_path)
    (broken / "words.npy").unlink()
    with pytest.raises(FormatError, match=r"words\.npy: is damaged or missing"):
        describe_detector(broken)


def test_a_foreign_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no model\.json"):
        describe_detector(tmp_path)
    (tmp_path / "model.json").write_text('{"format": "other model"}')
    with pytest.raises(FormatError, match="describes 'other model', which is no detector"):
        describe_detector(tmp_path)


def test_every_template_is_told_in_words() -> None:
    told = templates_in_words()
    assert [one.number for one in told] == list(range(1, 26))
    assert len({one.words for one in told}) == 25


def test_the_page_shows_the_templates_as_they_are() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "detect.md"
    rows = "".join(f"| {no} | `{name}` | {words} |\n" for no, name, words in templates_in_words())
    assert f"|---:|---|---|\n{rows}\n" in page.read_text(encoding="utf-8"), rows
