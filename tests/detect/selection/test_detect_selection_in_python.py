"""The selection experiment and its raters, from Python."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import jurybox
from jurybox.detect.ngrams.model import save_model
from jurybox.detect.ngrams.training import train_lm_on
from jurybox.detect.selection import detect_selection, judge_selection
from jurybox.detect.selection.figures import FIGURES
from jurybox.detect.selection.result import SelectionResult
from jurybox.detect.selection.tasks import JudgedSystem, KeyItem, SelectionKey, Task, write_key
from jurybox.errors import FormatError, InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.raters.agree import agree
from jurybox.results import TabularResult
from needs import need_learner
from saved_results import check_restored, check_schema, complaints

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"
SEEN = {
    "small": ["he sat on it", "we live in it"],
    "large": ["he sat on a chair", "we live in a town", "come to me", "all of it", "a box of it"],
}
#: sentence, target; what is written there is the token
HELD = (
    ("he sat on a chair", 2),
    ("we live in a town", 2),
    ("they live in a town", 2),
    ("a box of a chair", 2),
    ("come to a town", 1),
)


def held_out(*sentences: tuple[str, int]) -> Input:
    lines = [
        {"id": f"e{number}", "tokens": text.split(), "target": at, "written": text.split()[at]}
        for number, (text, at) in enumerate(sentences or HELD)
    ]
    return Input.from_text("\n".join(map(json.dumps, lines)), "held.jsonl")


@pytest.fixture
def models(tmp_path: Path) -> list[str]:
    for name, said in SEEN.items():
        model = train_lm_on(said, order=3, fallback_discounts=(0.5, 1, 1.5))
        save_model(model, tmp_path / name)
    return [str(tmp_path / name) for name in SEEN]


def comes_back(result: TabularResult) -> None:
    """What was saved is the same again, and is what the schema says."""
    record = check_schema(result, "detect-selection")
    check_restored(result)
    for name in {*record} - {"schema"}:
        shorter = {key: value for key, value in record.items() if key != name}
        assert complaints(shorter, "detect-selection"), f"does without {name}"


# --- models ---


def test_numbers_follow_from_the_choices(models: list[str]) -> None:
    found = detect_selection(models[1], held_out())
    [model] = found.models
    assert (found.events, found.majority, found.majority_accuracy) == (5, "in", 0.4)
    assert (model.kind, model.events) == ("lm", None)
    assert model.right == sum(one.right for one in model.by_preposition)
    assert model.accuracy == model.right / 5
    assert sum(one.n for one in model.by_preposition) == 5
    assert sum(one.n for one in model.confusions) == 5 - model.right
    assert model.right <= model.top2 <= model.top3 <= 5
    assert sum(one.n for one in model.bins) == 5
    assert model.interval.low < model.accuracy <= model.interval.high


def test_the_likeliest_preposition_in_a_model_that_knows_the_sentence_is_the_writers(
    models: list[str],
) -> None:
    [model] = detect_selection(models[1], held_out(*HELD[:2])).models
    assert model.accuracy == 1
    assert model.interval.low == pytest.approx(2 / (2 + 1.959964**2))  # Wilson, all of 2


def test_several_models_are_compared_event_by_event(models: list[str]) -> None:
    found = detect_selection(models, held_out())
    [pair] = found.pairs
    assert (pair.first, pair.second) == ("small", "large")
    small, large = found.models
    assert pair.only_first - pair.only_second == small.right - large.right
    assert pair.difference == pytest.approx(small.accuracy - large.accuracy)
    assert pair.p == pair.p_holm
    assert "F small" in str(found)


def test_models_of_the_same_name_are_told_apart_by_their_folders(
    models: list[str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    Path(models[0]).rename(other / "large")
    both = [str(other / "large"), models[1]]
    assert [one.name for one in detect_selection(both, held_out()).models] == both
    with pytest.raises(UsageError, match="named twice"):
        detect_selection([models[1], models[1]], held_out())


def test_a_model_trained_anew_in_its_folder_is_the_one_that_chooses(
    models: list[str],
) -> None:
    before = detect_selection(models[0], held_out())
    model = train_lm_on(SEEN["large"], order=3, fallback_discounts=(0.5, 1, 1.5))
    save_model(model, models[0])
    after = detect_selection(models[0], held_out())
    assert after.models[0].confusion != before.models[0].confusion


def test_the_experiment_comes_back_out_of_its_json(models: list[str], tmp_path: Path) -> None:
    found = detect_selection(models, held_out(), level=0.9)
    found = found.save_task("cloze", tmp_path / "cloze.csv", tmp_path / "key.jsonl", items=2)
    comes_back(found)
    assert [one["what"] for one in found.to_dict()["written"]] == ["cloze", "key"]


def test_csv_has_one_number_a_row(models: list[str]) -> None:
    found = detect_selection(models[1], held_out())
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    told = {(row["section"], row["item"], row["name"]): row["value"] for row in rows}
    assert len(told) == len(rows)
    assert float(told["overall", "", "accuracy"]) == found.models[0].accuracy
    assert float(told["preposition", "in", "n"]) == 2
    assert float(told["baseline", "in", "accuracy"]) == 0.4


def test_text_without_a_preposition_is_refused(models: list[str]) -> None:
    text = Input.from_text("He sleeps .\n", "sleep.txt")
    with pytest.raises(InputError, match=r"sleep\.txt: no preposition is written there"):
        detect_selection(models[0], text, tokenised=True, cache=False)


@pytest.mark.parametrize("kind", ["confusion", "calibration"])
def test_figures_are_drawn(kind: str, models: list[str]) -> None:
    found = detect_selection(models, held_out())
    assert found.figure(kind).axes


def test_the_learning_curve_has_a_line_for_each_kind_and_the_published_points(
    models: list[str],
) -> None:
    from dataclasses import replace

    found = detect_selection(models, held_out())
    with pytest.raises(InputError, match="no model tells how many events"):
        found.figure()
    told = [replace(one, kind="maxent", events=10**5 * 4**k) for k, one in enumerate(found.models)]
    texts = [one.get_text() for one in replace(found, models=tuple(told)).figure().texts]
    assert any(one.startswith("maxent") for one in texts)
    assert "published 2008 79.0 at 10200" in texts
    same = [replace(one, kind="maxent", events=100_000) for one in found.models]
    with pytest.raises(InputError, match="two models of kind maxent"):
        replace(found, models=tuple(same)).figure("curve")
    assert FIGURES == ("confusion", "curve", "calibration")


# --- with tags ---


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A perceptron of the bundled text: it needs spaCy, and nothing else."""
    from jurybox.detect.train import train_detector

    need_learner("perceptron")
    folder = tmp_path_factory.mktemp("learnt")
    text = SAMPLE / "training.txt"
    train_detector("perceptron", text, folder / "perc", cache=folder / "tags", jobs=1)
    return folder


@pytest.mark.filterwarnings("ignore:.*is not held out:jurybox.errors.JuryboxWarning")
def test_a_learnt_model_tells_what_it_learnt_from_and_beats_the_baseline_on_its_own_text(
    learnt: Path,
) -> None:
    found = detect_selection(learnt / "perc", SAMPLE / "training.txt", cache=learnt / "tags")
    [model] = found.models
    assert model.kind == "perceptron"
    assert model.events is not None
    assert model.accuracy > found.majority_accuracy + 0.2
    assert "is not held out; train it with --split" in found.warnings[0]
    assert "tagger:spacy-" in found.signature
    assert "|to:spacy|" in found.signature


def test_the_same_places_are_chosen_alike_in_prose_in_tokens_and_as_events(learnt: Path) -> None:
    prose = "The children walk to school in groups to learn about the sea."
    as_prose = detect_selection(learnt / "perc", Input.from_text(prose), cache=False)
    assert as_prose.scored is not None
    tokens = as_prose.scored.sentences[0]
    as_tokens = detect_selection(
        learnt / "perc", Input.from_text(" ".join(tokens) + "\n"), tokenised=True, cache=False
    )
    places = [(" ".join(tokens), int(place)) for place in as_prose.scored.place]
    assert [tokens[place] for _, place in places] == ["to", "in", "about"]  # not: to learn
    as_events = detect_selection(learnt / "perc", held_out(*places), cache=False)
    first = as_prose.models[0]
    for other in (as_tokens, as_events):
        assert other.models[0].confusion == first.confusion
        assert other.models[0].log_loss == pytest.approx(first.log_loss)


def test_a_model_trained_on_other_tags_is_warned_of(learnt: Path) -> None:
    description = learnt / "perc" / "model.json"
    kept = description.read_text("utf-8")
    told = json.loads(kept)["training"]["tagger"]
    try:
        description.write_text(kept.replace(told, "spacy-2.0+old-1.0"), "utf-8")
        with pytest.warns(JuryboxWarning, match=r"trained on tags by spacy-2\.0\+old-1\.0"):
            detect_selection(learnt / "perc", held_out(), cache=False)
    finally:
        description.write_text(kept, "utf-8")


# --- what raters said ---


def key_of(task: Task, *items: KeyItem) -> Input:
    systems = tuple(JudgedSystem(f"m{k}", 0.75, 200) for k in range(len(items[0].systems)))
    out = io.StringIO()
    write_key(SelectionKey(task, 1, systems, (), items), out)
    return Input.from_text(out.getvalue(), "key.jsonl")


CLOZE = key_of(
    "cloze",
    KeyItem("a", "e1", "in", ("in",)),
    KeyItem("b", "e2", "toward", ("in",)),
    KeyItem("c", "e3", "on", ("on",)),
    KeyItem("d", "e4", "in", ("on",)),
)
FILLED = [
    *(("a", "Ann", "In"), ("b", "Ann", "towards"), ("c", "Ann", "on"), ("d", "Ann", "upon")),
    *(("a", "Bob", "in"), ("b", "Bob", "in"), ("c", "Bob", "unknown")),
]


@pytest.mark.filterwarnings("ignore:.*labels 'In' and 'in' differ:jurybox.errors.JuryboxWarning")
def test_a_cloze_shows_how_far_writer_raters_and_system_agree() -> None:
    found = judge_selection(FILLED, CLOZE)
    told = {(one.first, one.second): (one.n, one.agreement) for one in found.pairs}
    assert told == {
        ("writer", "Ann"): (4, 0.75),  # capitals and towards do not count; upon differs
        ("writer", "Bob"): (2, 0.5),  # unknown is no answer
        ("writer", "system m0"): (4, 0.5),
        ("Ann", "Bob"): (2, 0.5),
        ("system m0", "Ann"): (4, 0.5),
        ("system m0", "Bob"): (2, 1.0),
    }
    [writer] = [one for one in found.pairs if one.second == "system m0"]
    # by hand: in/in, toward/in, on/on, in/on: E = (2·2 + 1·2) / 16
    assert writer.kappa == pytest.approx((0.5 - 6 / 16) / (1 - 6 / 16))
    assert (found.other_words, found.raters, found.judged) == (1, 2, 4)
    comes_back(found)


def test_many_raters_are_averaged_among_themselves() -> None:
    said = [(case, f"R{k}", "in") for k in range(12) for case in "abcd"]
    found = judge_selection(said, CLOZE)
    [mean] = [one for one in found.pairs if one.first == "raters"]
    assert (mean.n, mean.agreement, mean.reason) == (66 * 4, 1.0, "mean of 66 pairs")
    comes_back(found)


@pytest.mark.filterwarnings("ignore:.*labels 'In' and 'in' differ:jurybox.errors.JuryboxWarning")
def test_a_joined_cloze_is_read_by_agree_and_says_the_same(tmp_path: Path) -> None:
    found = judge_selection(FILLED, CLOZE)
    found.save_joined(tmp_path / "joined.csv")
    with pytest.warns(JuryboxWarning, match="4 judgments by 1 rater of kind model are left out"):
        again = agree(tmp_path / "joined.csv")
    kappas = {frozenset((one.first, one.second)): one.kappa for one in again.pairs}
    people = [one for one in found.pairs if "system m0" not in one[:2]]
    assert len(people) == len(kappas) == 3
    for one in people:
        assert kappas[frozenset((one.first, one.second))] == pytest.approx(one.kappa, nan_ok=True)


#: the system's word stands first in a and c
CHOICE = key_of(
    "choice",
    KeyItem("a", "e1", "in", ("at",), "at"),
    KeyItem("b", "e2", "on", ("by",), "on"),
    KeyItem("c", "e3", "of", ("from",), "from"),
    KeyItem("d", "e4", "for", ("to",), "for"),
)


@pytest.mark.parametrize(
    ("said", "whose"),
    [
        ((("a", "in"), ("b", "on")), ("writer", "writer")),
        ((("a", "At"), ("b", "by")), ("system", "system")),
        ((("a", "first"), ("b", "first")), ("system", "writer")),
        ((("a", "right"), ("b", "right")), ("writer", "system")),
        ((("a", "1"), ("b", "2")), ("system", "system")),
        ((("a", "both"), ("b", "neither")), ("equal", "bad")),
        ((("a", "hm"), ("b", "equal")), ("other", "equal")),
    ],
)
def test_the_key_tells_whose_word_a_label_means(
    said: tuple[tuple[str, str], ...], whose: tuple[str, ...]
) -> None:
    with pytest.warns(JuryboxWarning, match="2 of 4 items were not judged"):
        found = judge_selection([(case, "Ann", label) for case, label in said], CHOICE)
    assert tuple(one["label"] for one in found.joined) == whose


def test_a_choice_corrects_the_accuracy_as_in_the_paper() -> None:
    # 28 % of 100 choices equal or better: .75 becomes .82 (section 4.2)
    said = [
        ("abcd"[k % 4], f"R{k // 4}", ("second" if "abcd"[k % 4] in "ac" else "first"))
        for k in range(72)
    ]
    said += [("abcd"[k % 4], f"R{k // 4}", "equal") for k in range(72, 100)]
    found = judge_selection(said, CHOICE)
    assert found.choice is not None
    assert tuple(found.choice.choices) == (72, 0, 28, 0)
    assert found.choice.corrected_accuracy == pytest.approx(0.82)
    assert "accuracy 75.0%; with choices that are equal or better, 82.0%" in str(found)
    comes_back(found)


def test_words_and_places_of_the_servers_export_go_before_the_order_of_the_file() -> None:
    # the second rater saw the other word on the left
    text = (
        "case,rater,label,first,second,shown\n"
        "a,Ann,left,at,in,at\n"
        "a,Bob,left,at,in,in\n"
        "b,Ann,first,on,by,by\n"
        "c,Ann,from,from,of,\nd,Ann,to,for,to,\n"
    )
    found = judge_selection(Input.from_text(text), CHOICE)
    assert [one["label"] for one in found.joined] == [
        *("system", "writer", "writer", "system", "system")
    ]


def test_a_joined_choice_is_read_by_agree_and_says_the_same(tmp_path: Path) -> None:
    labels = {"a": "at", "b": "on", "c": "equal", "d": "bad"}
    found = judge_selection([(case, "Ann", said) for case, said in labels.items()], CHOICE)
    found.save_joined(tmp_path / "joined.jsonl")
    again = agree(tmp_path / "joined.jsonl", accuracy=0.75)
    assert again.choices is not None
    assert found.choice is not None
    assert again.choices.choices == found.choice.choices == (1, 1, 1, 1)
    assert again.choices.corrected_accuracy == found.choice.corrected_accuracy


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ([("z", "Ann", "in")], "has no case 'z', which was judged"),
        ([("a", "writer", "in")], "a rater is called 'writer'"),
    ],
)
@pytest.mark.filterwarnings("ignore:3 of 4 items")
def test_judgments_that_do_not_fit_the_key_are_refused(said: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        judge_selection(said, CLOZE)


@pytest.mark.filterwarnings("ignore:3 of 4 items")
def test_judgments_of_other_words_than_the_keys_are_refused() -> None:
    text = "case,rater,label,first,second\na,Ann,first,in,on\n"
    complaint = (
        r"said.csv:2: case 'a' is a choice between 'in', which was written, and 'at' in key.jsonl, "
        r"and here between 'in' and 'on'; give the key"
    )
    with pytest.raises(FormatError, match=complaint):
        judge_selection(Input.from_text(text, "said.csv"), CHOICE)
    text = "case,rater,label,first,second,written\na,Ann,first,in,at,in\nb,Ann,on,on,by,by\n"
    with pytest.raises(FormatError, match=r"said.csv:3: .* between 'on' and 'by', written 'by';"):
        judge_selection(Input.from_text(text, "said.csv"), CHOICE)


# --- one meaning of `first` (Tetreault and Chodorow 2008, section 4.2) ---

#: writer, system, the word that the task lists first, and what the rater says of the two: the
#: writer's word is better six times, though `first` is said three times and `second` five times
EIGHT = (
    *(("in", "at", "in", "first"), ("on", "by", "on", "first"), ("of", "from", "of", "second")),
    *(("to", "for", "for", "second"), ("at", "in", "in", "second"), ("as", "by", "by", "second")),
    *(("with", "by", "by", "second"), ("by", "with", "with", "first")),
)
EIGHT_KEY = key_of(
    "choice",
    *(KeyItem(f"c{n}", f"e{n}", *one[:1], one[1:2], one[2]) for n, one in enumerate(EIGHT)),
)


def eight_judgments(*columns: str) -> Input:
    """What the raters said, with some further columns, as the annotation server exports them."""
    lines = [",".join(("case", "rater", "label", *columns))]
    for number, (writer, system, first, label) in enumerate(EIGHT):
        second = system if first == writer else writer
        cells = {"first": first, "second": second, "written": writer, "shown": second}
        lines.append(",".join((f"c{number}", "Ann", label, *(cells[name] for name in columns))))
    return Input.from_lines(lines, "answers.csv")


@pytest.mark.parametrize("columns", [(), ("first", "second"), ("first", "second", "shown")])
def test_with_the_key_the_writers_word_is_better_six_times(columns: tuple[str, ...]) -> None:
    found = judge_selection(eight_judgments(*columns), EIGHT_KEY)
    assert found.choice is not None
    assert found.choice.choices == (6, 2, 0, 0)


def test_without_the_key_agree_refuses_words_of_unknown_origin() -> None:
    complaint = (
        r"^answers.csv:2: is a choice between 'in' and 'at', and nothing says which is the "
        r"writer's; add the column written, or if jurybox detect selection wrote the task, "
    )
    with pytest.raises(FormatError, match=complaint):
        agree(eight_judgments("first", "second"))
    with pytest.raises(FormatError, match=complaint):
        agree(eight_judgments("first", "second", "shown"))
    assert agree(eight_judgments()).choices is None  # no words, no choice


@pytest.mark.parametrize("more", [(), ("shown",)])
def test_with_the_column_written_agree_and_detect_selection_say_the_same(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    given = eight_judgments("first", "second", "written", *more)
    with_key = judge_selection(given, EIGHT_KEY)
    with_key.save_joined(tmp_path / "joined.csv")
    for without_key in (agree(given, accuracy=0.75), agree(tmp_path / "joined.csv", accuracy=0.75)):
        assert without_key.choices == with_key.choice
        assert without_key.choices is not None
        assert without_key.choices.choices == (6, 2, 0, 0)
        assert not without_key.crowd.references  # nobody filled a gap


@pytest.mark.parametrize(
    ("label", "shown", "complaint"),
    [
        ("left", "", "'left' is a place on the screen, and the column shown does not say which of"),
        ("2", "of", "'2' is a place on the screen, and the column shown does not say which of"),
    ],
)
@pytest.mark.filterwarnings("ignore:3 of 4 items")
def test_a_place_that_cannot_be_told_is_refused_alike(
    label: str, shown: str, complaint: str
) -> None:
    rows = ["case,rater,label,first,second,written,shown", "a,Ann,in,at,in,in,"]
    given = Input.from_lines([*rows, f"a,Bob,{label},at,in,in,{shown}"], "said.csv")
    for command in (agree, lambda said: judge_selection(said, CHOICE)):
        with pytest.raises(FormatError, match=f"said.csv:3: the label {complaint}"):
            command(given)


def test_a_line_is_named_also_behind_judgments_that_do_not_count() -> None:
    rows = ["case,rater,label,first,second", "a,Ann,at,at,in", "a,Ann,in,at,in", "b,Ann,on,of,by"]
    with pytest.raises(FormatError, match=r"said\.csv:4: case 'b'"):
        judge_selection(Input.from_lines(rows, "said.csv"), CHOICE)


def test_what_was_drawn_comes_back_through_its_own_files(models: list[str], tmp_path: Path) -> None:
    found: SelectionResult = detect_selection(models, held_out())
    found.save_task("cloze", tmp_path / "cloze.jsonl", tmp_path / "key.jsonl", seed=3)
    drawn = [json.loads(line) for line in (tmp_path / "cloze.jsonl").read_text().splitlines()[1:]]
    assert len(drawn) == len(HELD)
    said = [(one["case"], "Ann", "in") for one in drawn]
    judged = judge_selection(said, tmp_path / "key.jsonl")
    told = {(one.first, one.second): one.agreement for one in judged.pairs}
    assert told["writer", "Ann"] == 0.4
    assert told["writer", "system large"] == pytest.approx(found.models[1].accuracy)
    with pytest.raises(UsageError, match="one model"):
        found.save_task("choice", tmp_path / "pairs.csv", tmp_path / "other.jsonl")
