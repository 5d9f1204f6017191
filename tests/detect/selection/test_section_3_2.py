"""Tetreault and Chodorow (2008), section 3.2: Table 1, the split of the text, five prepositions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jurybox
from jurybox.detect.ngrams.model import save_model
from jurybox.detect.ngrams.training import train_lm_on
from jurybox.detect.prepositions import CLASSES, NONE, class_of
from jurybox.detect.prose import part_of, read_prose, read_tokenised
from jurybox.detect.selection import detect_selection
from jurybox.detect.selection.events import pick
from jurybox.detect.selection.result import PUBLISHED_F, SelectionResult
from jurybox.detect.train import train_detector
from jurybox.errors import UnknownNameError, UsageError
from jurybox.formats import Input
from saved_results import check_restored, check_schema

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "training.txt"
FIVE = ("in", "of", "on", "to", "with")  # De Felice and Pulman (2007)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A language model of 70 % of the sample."""
    folder = tmp_path_factory.mktemp("models") / "lm"
    train_detector("lm", SAMPLE, folder, order=3, split=0.7)
    return folder


# --- the split: 70 % to learn from, 30 % to test on ---


def test_each_article_is_learnt_from_or_tested_on_as_a_whole() -> None:
    articles = [
        f'<doc id="{number}">\nTitle\n\nFirst {number}. Then {number}.\nLast {number}.\n</doc>\n'
        for number in range(300)
    ]
    text = Input.from_text("".join(articles))
    learnt = list(read_prose(text, part_of(0.7)))
    rest = list(read_prose(text, part_of(0.7, rest=True)))
    assert sorted(learnt + rest) == sorted(read_prose(text))
    numbers = [{sentence.split()[1] for sentence in part} for part in (learnt, rest)]
    assert not numbers[0] & numbers[1]
    assert 180 < len(numbers[0]) < 240  # 210 expected, 8 the standard deviation


def test_other_text_around_does_not_change_what_a_paragraph_is_used_for() -> None:
    lines = [f"He sat on chair {number} ." for number in range(50)]
    whole = list(read_tokenised(Input.from_lines(lines), part_of(0.7)))
    half = list(read_tokenised(Input.from_lines(lines[25:]), part_of(0.7)))
    assert [tokens for tokens in whole if int(tokens[4]) >= 25] == half


def test_the_rest_of_a_split_text_is_what_the_model_did_not_learn_from(model: Path) -> None:
    trained = json.loads((model / "model.json").read_text())["about"]
    assert trained["split"] == 0.7
    found = detect_selection(model, SAMPLE, split=0.7)
    assert trained["sentences"] + found.sentences == len(list(read_prose(SAMPLE)))
    assert found.warnings == ()
    assert "split:0.7" in found.signature


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_text_that_a_model_learnt_from_is_told(model: Path) -> None:
    for split in (None, 0.6):
        [warning] = detect_selection(model, SAMPLE, split=split).warnings
        assert "is not held out; say --split 0.7" in warning
    other = Input.from_lines([f"We sat on chair {number} ." for number in range(30)])
    [warning] = detect_selection(model, other, tokenised=True, split=0.7).warnings
    assert "did not learn from <memory>; --split leaves out 70%" in warning


def test_events_cannot_be_split(model: Path) -> None:
    event = Input.from_text('{"tokens": ["Sit", "on", "it"], "target": 1, "written": "on"}')
    with pytest.raises(UsageError, match="--split is about prose"):
        detect_selection(model, event, split=0.7)


def test_choosing_stops_after_so_many_events(model: Path) -> None:
    whole = detect_selection(model, SAMPLE, split=0.7)
    part = detect_selection(model, SAMPLE, split=0.7, events=100)
    assert (part.events, whole.events > 100, part.sentences < whole.sentences) == (100, True, True)
    assert part.scored is not None
    assert whole.scored is not None
    assert part.scored.ids == whole.scored.ids[:100]
    assert part.models[0].right == int((whole.scored.picks[0].rank[:100] == 0).sum())


# --- Table 1 ---


def test_table_1_has_both_published_columns_beside_ours(model: Path) -> None:
    found = detect_selection(model, SAMPLE, split=0.7)
    table = found.tables()[1]
    titles = [column.title for column in table.columns]
    assert titles[-3:] == ["F", "F Gamon 2008", "F Tetreault 2008"]
    rows = {str(row[0]): row for row in table.rows}
    assert [rows[word][-2:] for word in ("in", "about", "as")] == [
        (0.592, 0.845),
        (0.800, 0.654),
        (0.699, 0.711),
    ]
    assert rows["without"][-2:] == (None, None)
    assert sum(row[-1] is not None for row in table.rows) == 11
    own = {one.preposition: one.f for one in found.models[0].by_preposition}
    better = sum(own[word] > f for word, f in PUBLISHED_F["Gamon 2008"].items())
    assert f"lm: F above Gamon 2008 for {better} of 11" in table.notes


def test_the_published_model_beats_the_other_for_ten_of_the_eleven_rows() -> None:
    """The text says 9 of 10; of the 11 rows that are printed, all but `about`."""
    first, second = PUBLISHED_F.values()
    assert [word for word in first if second[word] <= first[word]] == ["about"]


# --- five prepositions ---


def test_only_the_prepositions_asked_for_are_events_and_choices() -> None:
    odds = np.full((1, NONE + 1), -20, np.float32)
    odds[0, [class_of(word) for word in ("at", "in", "on")]] = np.log([6, 3, 1])
    on = np.array([class_of("on")], np.int8)
    five = tuple(class_of(word) for word in FIVE)
    assert CLASSES[pick(odds, on).choice[0]] == "at"
    picks = pick(odds, on, five)
    assert (CLASSES[picks.choice[0]], picks.rank[0]) == ("in", 1)
    assert (picks.chance[0], picks.written_chance[0]) == pytest.approx((0.75, 0.25), abs=1e-6)


def test_five_classifiers_say_yes_or_no_by_hand(tmp_path: Path) -> None:
    """Unigrams alone decide: in 8, on 2 of 10, so `in` is always chosen, with 80 %."""
    seen = [*["x in y"] * 8, *["z on z"] * 2]
    save_model(train_lm_on(seen, order=2, smoothing="stupid-backoff"), tmp_path / "lm")
    events = Input.from_text(
        '{"tokens": ["q", "in", "q"], "target": 1, "written": "in"}\n'
        '{"tokens": ["q", "on", "q"], "target": 1, "written": "on"}\n'
        '{"tokens": ["q", "at", "q"], "target": 1, "written": "at"}\n'
        '{"tokens": ["q", "in", "q", "."], "target": 1, "written": "In"}\n'
    )
    found = detect_selection(tmp_path / "lm", events, prepositions=["on", "in"])
    assert (found.events, found.among) == (3, ("in", "on"))
    assert [tuple(one) for one in found.models[0].yes_or_no] == [
        ("in", 2, 1, 0, 0),
        ("on", 0, 0, 1, 2),
    ]
    table = found.tables()[2]
    assert table.rows[-1][-1] == pytest.approx(2 / 3)
    assert "85%" in table.notes[0]
    assert "90%" in table.notes[0]
    assert "among:in+on" in found.signature
    check_schema(found, "detect-selection")
    check_restored(found)


@pytest.mark.parametrize(
    ("words", "error", "complaint"),
    [
        (["in", "upon"], UnknownNameError, "unknown preposition"),
        (["in", "In"], UsageError, "name two or more"),
    ],
)
def test_prepositions_that_cannot_be_chosen_among_are_refused(
    words: list[str], error: type[Exception], complaint: str, model: Path
) -> None:
    with pytest.raises(error, match=complaint):
        detect_selection(model, SAMPLE, prepositions=words)


@pytest.mark.slow
def test_five_are_easier_than_34_on_real_text(data_dir: Path, tmp_path: Path) -> None:
    """Section 3.2: 77 % of 34, and 90 % of the same five, with a decision for each."""

    def measure(**options: Any) -> SelectionResult:
        heldout = data_dir / "text" / "selection-heldout.jsonl.xz"
        return detect_selection(tmp_path / "lm", heldout, jobs=1, **options)

    text = data_dir / "lm" / "train.txt.xz"
    train_detector("lm", text, tmp_path / "lm", tokenised=True)
    every, five = measure(events=2000), measure(events=2000, prepositions=FIVE)
    yes = five.models[0].yes_or_no
    mean = sum(one.accuracy for one in yes) / len(yes)
    assert every.models[0].accuracy < five.models[0].accuracy < mean
