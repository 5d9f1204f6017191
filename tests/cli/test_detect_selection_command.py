"""`jurybox detect selection`: models and text in, tables and tasks out, answers back."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import calling
from calling import Call
from jurybox.detect.ngrams.model import save_model
from jurybox.detect.ngrams.training import train_lm_on

SELECT = ("detect", "selection")
SEEN = ["he sat on a chair", "we live in a town", "she sat on a bench", "they live in a house"]
HELD = ["we live in a house", "he sat on a bench", "she sat in a town", "he is from a town"]


@pytest.fixture(autouse=True)
def a_model_and_text_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for order in (2, 3):
        model = train_lm_on(SEEN, order=order, fallback_discounts=(0.5, 1, 1.5))
        save_model(model, f"lm{order}")
    lines = [
        {"id": f"e{k}", "tokens": text.split(), "target": 2, "written": text.split()[2]}
        for k, text in enumerate(HELD)
    ]
    Path("held.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")


def refused(call: Call, *arguments: object, code: int) -> str:
    return calling.refused(call, *SELECT, *arguments, code=code)


def rows_of(name: str) -> list[dict[str, str]]:
    with Path(name).open(encoding="utf-8", newline="") as read:
        return list(csv.DictReader(read))


def test_accuracy_is_printed_beside_the_baseline_and_what_was_published(call: Call) -> None:
    code, out, err = call(*SELECT, "lm3", "--text", "held.jsonl")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[2].split()[:3] == ["lm3", "–", "50.0%"]  # in a town, from a town: not seen
    assert lines[3].split()[:4] == ["always", "in", "–", "50.0%"]
    assert "77.4% learnt from 3.2 million events" in out
    assert "in" in out
    assert "0.845" in out
    assert "signature: jurybox detect|task:selection|models:lm3|v:" in out


@pytest.mark.parametrize("form", ["json", "csv", "markdown", "latex"])
def test_every_form_is_written_to_a_file(form: str, call: Call) -> None:
    code, out, err = call(*SELECT, "lm3", "--text", "held.jsonl", "--format", form, "-o", "r.out")
    assert (code, out, err) == (0, "", "")
    assert "lm3" in Path("r.out").read_text("utf-8")


def test_several_models_make_one_table_with_their_differences(call: Call) -> None:
    code, out, _ = call(*SELECT, "lm2", "lm3", "--text", "held.jsonl", "--format", "json")
    record = json.loads(out)
    assert code == 0
    assert [one["name"] for one in record["models"]] == ["lm2", "lm3"]
    assert [(one["first"], one["second"]) for one in record["pairs"]] == [("lm2", "lm3")]
    named = [Path(one["path"]).as_posix() for one in record["inputs"]]
    assert named == ["held.jsonl", "lm2/model.json", "lm3/model.json"]


def test_a_cloze_goes_to_raters_and_their_answers_come_back(call: Call) -> None:
    task = ("--cloze", "cloze.csv", "--items", 3, "--seed", 5)
    code, out, err = call(*SELECT, "lm3", "--text", "held.jsonl", *task)
    assert (code, err) == (0, "")
    assert "cloze: cloze.csv" in out
    drawn = rows_of("cloze.csv")
    assert list(drawn[0]) == ["case", "sentence", "start", "end", "construction"]
    assert all(one["sentence"].split()[2] == "____" for one in drawn)
    answers = "".join(f"{one['case']},{rater},in\n" for one in drawn for rater in ("Ann", "Bob"))
    Path("answers.csv").write_text(f"case,rater,label\n{answers}", "utf-8")
    code, out, err = call(*SELECT, "--judgments", "answers.csv", "--joined", "joined.csv")
    assert (code, err) == (0, "")
    assert "Cloze: who fills the blank like whom?" in out
    assert "6 judgments by 2 raters on 3 of 3 items" in out
    assert {one["rater"] for one in rows_of("joined.csv")} == {"writer", "system lm3", "Ann", "Bob"}


def test_a_choice_hides_whose_word_is_which(call: Call) -> None:
    task = ("--choices", "pairs.csv", "--key", "pairs.jsonl")
    code, _, err = call(*SELECT, "lm3", "--text", "held.jsonl", *task)
    assert (code, err) == (0, "")
    drawn = rows_of("pairs.csv")
    assert len(drawn) == 2
    key = [json.loads(line) for line in Path("pairs.jsonl").read_text("utf-8").splitlines()[1:]]
    for item, known in zip(drawn, key, strict=True):
        assert {item["first"], item["second"]} == {known["writer"], *known["systems"]}
    labels = "".join(
        f"{one['case']},Ann,{known['writer']}\n" for one, known in zip(drawn, key, strict=True)
    )
    Path("said.csv").write_text(f"case,rater,label\n{labels}", "utf-8")
    code, out, _ = call(*SELECT, "--judgments", "said.csv", "--key", "pairs.jsonl")
    assert code == 0
    assert out.splitlines()[2].split()[:6] == ["Ann", "2", "0", "0", "0", "0.0%"]


def test_without_the_key_agree_refuses_a_choice_and_the_joined_file_says_the_same(
    call: Call,
) -> None:
    """Tetreault and Chodorow (2008, 4.2)."""
    call(*SELECT, "lm3", "--text", "held.jsonl", "--choices", "pairs.csv", "--key", "pairs.jsonl")
    lines = [
        f"{one['case']},Ann,first,{one['first']},{one['second']}" for one in rows_of("pairs.csv")
    ]
    Path("said.csv").write_text("\n".join(["case,rater,label,first,second", *lines]), "utf-8")
    err = calling.refused(call, "agree", "said.csv", code=1)
    assert "said.csv:2: is a choice between" in err
    assert "--judgments FILE --key KEY" in err
    key = ("--key", "pairs.jsonl", "--joined", "joined.csv")
    code, out, _ = call(*SELECT, "--judgments", "said.csv", *key)
    assert code == 0
    code, again, _ = call("agree", "joined.csv")
    assert code == 0
    table = again[again.index("Whose word is better") :].splitlines()
    assert table[2].split()[:5] == out.splitlines()[2].split()[:5]


def test_an_earlier_key_is_never_written_over(call: Call) -> None:
    Path("key.jsonl").write_text("precious", "utf-8")
    err = refused(call, "lm3", "--text", "held.jsonl", "--cloze", "cloze.csv", code=1)
    assert "key.jsonl is there already" in err
    assert not Path("cloze.csv").exists()


def test_figures_are_drawn_and_a_kind_that_does_not_exist_is_refused(call: Call) -> None:
    code, _, err = call(*SELECT, "lm3", "--text", "held.jsonl", "--figure", "c.svg")
    assert (code, err) == (0, "")
    assert Path("c.svg").read_text("utf-8").startswith("<?xml")
    err = refused(call, "lm3", "--text", "held.jsonl", "--figure", "d.svg", "--plot", "x", code=2)
    assert "confusion, curve, calibration" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "name models and held-out text"),
        (("lm3",), "name models and held-out text"),
        (("--text", "held.jsonl"), "name models and held-out text"),
        (("lm3", "--text", "held.jsonl", "--items", 3), "--items is about --cloze or --choices"),
        (("lm3", "--text", "held.jsonl", "--joined", "j.csv"), "--joined is about --judgments"),
        (("lm3", "--text", "held.jsonl", "--plot", "curve"), "name the file by --figure"),
        (("lm3", "--judgments", "a.csv"), "MODEL is not for --judgments"),
        (("--no-cache", "--judgments", "a.csv"), "--no-cache is not for --judgments"),
        (
            ("lm2", "lm3", "--text", "held.jsonl", "--choices", "c.csv"),
            "--choices is between the writer and one system",
        ),
        (
            ("lm3", "--text", "held.jsonl", "--choices", "c.csv", "--cloze", "d.csv"),
            "--cloze and --choices have a key each",
        ),
        (("lm3", "--text", "held.jsonl", "--cloze", "c.txt"), "does not tell its format"),
        (
            ("lm3", "--text", "held.jsonl", "--ci-level", "95"),
            "--ci-level must lie between 0 and 1",
        ),
    ],
)
def test_options_that_make_no_sense_are_refused(
    arguments: tuple[object, ...], complaint: str, call: Call
) -> None:
    assert complaint in refused(call, *arguments, code=2)


def test_a_folder_that_holds_no_model_is_refused(call: Call) -> None:
    Path("empty").mkdir()
    err = refused(call, "lm3", "empty", "--text", "held.jsonl", code=1)
    assert "empty: is not the folder of a model" in err
