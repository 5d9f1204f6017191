"""Events, learners, and the folder of a learnt model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from jurybox.detect.features import COLUMNS, TEMPLATES, empty_places, find_events
from jurybox.detect.learning import fit_maxent, fit_perceptron
from jurybox.detect.linear_model import (
    FeatureRows,
    LinearModel,
    Training,
    add_up,
    best_temperature,
    index_features,
    load_linear,
    log_loss,
    look_up,
    save_linear,
)
from jurybox.detect.phrases import PADDING, find_phrases
from jurybox.detect.prepositions import CLASSES, NONE, class_of
from jurybox.detect.tagging import TaggedText, load_block, save_block
from jurybox.errors import FormatError
from needs import need_module


def text_of(*lines: str) -> TaggedText:
    """Sentences written as word/TAG."""
    pairs = [[pair.rsplit("/", 1) for pair in line.split()] for line in lines]
    return TaggedText.of(([w for w, _ in one], [t for _, t in one]) for one in pairs)


def test_there_are_twenty_five_templates_and_none_twice() -> None:
    assert len(TEMPLATES) == len(set(TEMPLATES)) == 25
    assert {name for template in TEMPLATES for name in template} <= COLUMNS.keys()


def test_prepositions_are_events_and_infinitives_are_not() -> None:
    text = text_of(
        "He/PRP went/VBD to/IN Rome/NNP to/TO see/VB it/PRP", "Towards/IN evening/NN ,/,"
    )
    events = find_events(text, 0, rate=0.0)
    assert [CLASSES[number] for number in events.classes] == ["to", "toward"]


def test_nothing_stands_before_a_noun_phrase_after_a_verb_noun_or_adjective() -> None:
    words = "She/PRP gave/VBD her/PRP$ old/JJ friend/NN the/DT two/CD red/JJ books/NNS quickly/RB"
    text = text_of(words)
    found = [text.words[place - PADDING] for place in empty_places(find_phrases(text))]
    assert found == ["her", "the"]
    assert [
        text.words[p - PADDING] for p in empty_places(find_phrases(text_of("of/IN it/PRP")))
    ] == []


def test_a_share_of_the_empty_places_is_drawn_and_always_the_same() -> None:
    text = text_of(*["He/PRP saw/VBD the/DT cat/NN ./."] * 2000)
    drawn = [
        find_events(text, block, rate=0.25, seed=seed)
        for seed, block in ((1, 0), (1, 0), (2, 0), (1, 1))
    ]
    sizes = [len(events.classes) for events in drawn]
    assert 400 < sizes[0] < 600
    assert (drawn[0].features == drawn[1].features).all()
    assert len({*sizes}) > 1


def test_features_seen_too_rarely_have_no_number() -> None:
    rows = np.array([[1, 10], [1, 11], [2, 11]], np.uint64)
    keys = index_features(rows, 2)
    assert keys.tolist() == [1, 11]
    found = look_up(rows, keys)
    assert (found.ids.tolist(), found.starts.tolist()) == ([0, 0, 1, 1], [0, 1, 3, 4])
    assert len(look_up(rows, keys[:0]).ids) == 0


def two_kinds(events: int, seed: int) -> tuple[FeatureRows, NDArray[np.int8]]:
    """Events whose first feature tells the class nine times of ten, and a second that does not."""
    random = np.random.default_rng(seed)
    kind = random.integers(0, 2, events)
    told = np.where(random.random(events) < 0.9, kind, 1 - kind)
    ids = np.stack([told, 2 + random.integers(0, 5, events)], axis=1).astype(np.int32).ravel()
    classes = np.where(kind, class_of("of"), NONE).astype(np.int8)
    return FeatureRows(ids, np.arange(events + 1) * 2), classes


@pytest.fixture(params=["maxent", "perceptron"])
def fitted(request: pytest.FixtureRequest) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    rows, classes = two_kinds(3000, 1)
    if request.param == "perceptron":
        return fit_perceptron(rows, classes, 7)
    need_module("sklearn", "detect")
    return fit_maxent(rows, classes, 7, passes=20, strength=1.0)


def test_what_a_feature_tells_is_learnt(
    fitted: tuple[NDArray[np.float32], NDArray[np.float32]],
) -> None:
    rows, classes = two_kinds(2000, 2)
    chosen = add_up(*fitted, rows).argmax(axis=1)
    assert 0.88 < (chosen == classes).mean() < 0.92


def test_maximum_entropy_is_that_of_scikit_learn() -> None:
    linear = need_module("sklearn.linear_model", "detect")
    rows, classes = two_kinds(1500, 3)
    weights, bias = fit_maxent(rows, classes, 7, passes=300, strength=0.5)
    theirs = linear.LogisticRegression(C=0.5, solver="lbfgs", max_iter=5000, tol=1e-8)
    theirs.fit(rows.matrix(7), classes == NONE)
    # two of the 35 classes occur: their log odds are the difference of two columns
    ours = add_up(weights, bias, rows)[:, [NONE, class_of("of")]]
    wanted = theirs.decision_function(rows.matrix(7))
    # the penalty of two columns with half the weight each is half that of one with all of it
    assert np.corrcoef(ours[:, 0] - ours[:, 1], wanted)[0, 1] > 0.9999


def test_one_wrong_choice_moves_weights_to_the_right_class_and_away_from_the_wrong_one() -> None:
    # By hand: moment 0 chooses class 0 for want of weights, and moves both features to class 3;
    # moment 1 (the second pass) is right. The mean of two moments is W - U/2 = W: U is 0 yet.
    rows = FeatureRows(np.array([0, 1], np.int32), np.array([0, 2]))
    weights, bias = fit_perceptron(rows, np.array([3], np.int8), 2, passes=2)
    for row in (*weights, bias):
        assert (row[3], row[0], row[[1, 2, 4]].tolist()) == (1, -1, [0, 0, 0])


def test_the_average_counts_how_long_weights_lasted() -> None:
    # Two events without features of their own, classes 1 and 2, one pass: the bias alone. Whatever
    # comes first moves the bias at moment 0, the other one at moment 1: U is 1 times that change.
    rows = FeatureRows(np.empty(0, np.int32), np.zeros(3, np.int64))
    _, bias = fit_perceptron(rows, np.array([1, 2], np.int8), 0, passes=1)
    first, second = (1, 2) if bias[1] == 0.5 else (2, 1)
    assert (bias[0], bias[first], bias[second]) == (-1, 0.5, 0.5)


def test_a_temperature_makes_probabilities_mean_what_they_say() -> None:
    random = np.random.default_rng(5)
    scores = random.normal(size=(4000, 5)).astype(np.float32)
    chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    classes = np.array(
        [random.choice(5, p=row / row.sum()) for row in chances.astype(float)], np.int8
    )
    assert best_temperature(scores * 10, classes) == pytest.approx(0.1, rel=0.1)
    assert log_loss(scores, classes) < log_loss(scores * 10, classes)


def made() -> LinearModel:
    training = Training(
        sha256=("0" * 64,),
        sentences=10,
        tokens=100,
        tagger="spacy-3+en-1",
        options={"least": 2.0},
        events=50,
        nothing=5,
        majority="of",
        held_out=2,
        accuracy=0.5,
        log_loss=1.25,
        versions={"jurybox": "0.1.0"},
    )
    random = np.random.default_rng(1)
    return LinearModel(
        "maxent",
        np.sort(random.integers(0, 2**63, 20).astype(np.uint64)),
        random.normal(size=(20, len(CLASSES))).astype(np.float16),
        random.normal(size=len(CLASSES)).astype(np.float32),
        0.75,
        training,
    )


def test_a_model_comes_back_as_it_was(tmp_path: Path) -> None:
    model = made()
    save_linear(model, tmp_path / "me")
    back = load_linear(tmp_path / "me", check=True)
    assert (back.learner, back.temperature, back.training) == ("maxent", 0.75, model.training)
    features = np.resize(model.keys, (3, 25))
    assert (back.scores(features) == model.scores(features)).all()


def test_the_same_model_is_saved_as_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        save_linear(made(), tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_a_model_of_other_features_is_refused(tmp_path: Path) -> None:
    save_linear(made(), tmp_path / "me")
    path = tmp_path / "me" / "model.json"
    path.write_text(path.read_text().replace('"w-1 w+1"', '"w-1 w+9"'))
    with pytest.raises(FormatError, match="trained with other features"):
        load_linear(tmp_path / "me")


def test_a_changed_byte_is_found(tmp_path: Path) -> None:
    save_linear(made(), tmp_path / "me")
    path = tmp_path / "me" / "weights.npy"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    load_linear(tmp_path / "me")
    with pytest.raises(FormatError, match="SHA-256 differs"):
        load_linear(tmp_path / "me", check=True)


def test_a_block_comes_back_and_a_damaged_one_does_not(tmp_path: Path) -> None:
    text = text_of("He/PRP saw/VBD it/PRP", "Yes/UH")
    save_block(text, tmp_path / "block.npz")
    back = load_block(tmp_path / "block.npz")
    assert back is not None
    assert [back.tokens(number) for number in range(2)] == [["He", "saw", "it"], ["Yes"]]
    data = (tmp_path / "block.npz").read_bytes()
    (tmp_path / "block.npz").write_bytes(data[: len(data) // 2])
    assert load_block(tmp_path / "block.npz") is None
    assert load_block(tmp_path / "other.npz") is None
