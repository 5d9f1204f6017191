"""`jurybox detect train`, `run` and `info`: options through to the library, clear refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import jurybox
from calling import Call, refused
from jurybox.formats import Input
from needs import need_learner

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"
TRAIN = ("detect", "train")
TEXT = ("--text", SAMPLE / "training.txt")
SOURCE = ("--text", SAMPLE / "source.txt", "--tokenised")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))


@pytest.fixture
def lm(call: Call) -> str:
    assert call(*TRAIN, "lm", *TEXT, "-o", "lm")[0] == 0
    return "lm"


# --- train ---


def test_training_tells_its_figures_and_what_to_do_next(call: Call) -> None:
    code, out, err = call(*TRAIN, "lm", *TEXT, "-o", "lm", "--arpa", "lm.arpa")
    assert (code, err) == (0, "")
    told = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert told["sentences"] == "427"
    assert told["4-grams"] == "6853"
    assert told["model:"] == "lm"
    assert told["next:"].startswith("jurybox detect run lm ")
    assert Path("lm.arpa").read_text().startswith("\\data\\")


def test_every_option_of_learning_reaches_the_model(call: Call) -> None:
    need_learner("perceptron")
    options = "--least 3 --nothing-rate .5 --passes 2 --seed 7 --jobs 1 --events 400 --cache tags"
    code, out, err = call(
        *TRAIN, "perceptron", *TEXT, "-o", "p", *options.split(), "--format", "json"
    )
    assert (code, err) == (0, "")
    record = json.loads(out)
    model = record["model"]
    told = {name: value for name, value in model["options"].items() if value is not None}
    assert told == {"least": 3, "nothing_rate": 0.5, "passes": 2, "seed": 7}
    assert model["events"] + model["held_out"] == 400
    assert record["cache"] == "tags"
    assert list(Path("tags").glob("*.npz"))


def test_tagged_text_is_kept_in_the_users_cache_or_nowhere(call: Call) -> None:
    need_learner("perceptron")
    few = ("--passes", "1", "--jobs", "1")
    assert call(*TRAIN, "perceptron", *TEXT, "-o", "p", *few, "--no-cache")[0] == 0
    assert not Path("home").exists()
    assert call(*TRAIN, "perceptron", *TEXT, "-o", "p", *few)[0] == 0
    assert list(Path("home/jurybox/tagged").glob("*.npz"))


def test_every_option_of_the_language_model_reaches_it(call: Call) -> None:
    options = "--order 3 --prune 0,0,1 --fallback-discounts .5,1,1.5"
    code, out, _ = call(*TRAIN, "lm", *TEXT, "-o", "lm", *options.split(), "--format", "json")
    assert code == 0
    told = json.loads(out)["model"]["options"]
    assert (told["order"], told["prune"]) == (3, [0, 0, 1])
    assert told["fallback_discounts"] == [0.5, 1, 1.5]


def test_an_arpa_file_becomes_a_model_and_can_go_to_standard_output(call: Call) -> None:
    _, out, err = call(*TRAIN, "lm", *TEXT, "-o", "lm", "--arpa", "-")
    assert out.startswith("\\data\\")
    assert "model: lm" in err
    Path("lm.arpa").write_text(out)
    assert call(*TRAIN, "lm", "--from-arpa", "lm.arpa", "-o", "again")[0] == 0
    assert call("detect", "info", "again")[1].splitlines()[1].split() == ["made", "from", "arpa"]


def test_who_interrupts_training_is_told_what_is_kept(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("jurybox.detect.train.training.train", interrupt)
    code, _, err = call(*TRAIN, "maxent", *TEXT, "-o", "me")
    assert code == 130
    assert "tagged text is kept, the same command goes on from there" in err
    assert "kept" not in call(*TRAIN, "maxent", *TEXT, "-o", "me", "--no-cache")[2]
    assert call(*TRAIN, "lm", *TEXT, "-o", "lm")[2] == "jurybox: interrupted\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("lm", *TEXT, "-o", "m", "--strength", "1"), "--strength is an option of maxent, and"),
        (("lm", *TEXT, "-o", "m", "--no-cache"), "--no-cache is an option of maxent and perc"),
        (("maxent", *TEXT, "-o", "m", "--order", "3"), "--order is an option of lm, and this is"),
        (("perceptron", *TEXT, "-o", "m", "--strength", "1"), "--strength is an option of maxent"),
        (("maxent", *TEXT, "-o", "m", "--cache", "c", "--no-cache"), "exclude each other"),
        (("lm", *TEXT, "-o", "m", "--prune", "0,x"), "--prune 0,x: write numbers with commas"),
        (("lm", *TEXT, "-o", "m", "--order", "1"), "order 1 cannot be used"),
        (("lm", *TEXT), "required: -o"),
        (("lm", "-o", "m"), "--text FILE"),
        (("memm", *TEXT, "-o", "m"), "unknown learner (LEARNER) 'memm'"),
        (("lm", "--text", "-", "-", "-o", "m"), "standard input (-) can be read only once"),
    ],
)
def test_wrong_options_of_training_are_refused(
    call: Call, arguments: tuple[object, ...], complaint: str
) -> None:
    assert complaint in refused(call, *TRAIN, *arguments, code=2)
    assert not Path("m").exists()


def test_a_text_too_small_is_refused_and_leaves_nothing(call: Call) -> None:
    Path("small.txt").write_text("A cat sat.\n")
    told = refused(call, *TRAIN, "lm", "--text", "small.txt", "-o", "m", "--arpa", "a", code=1)
    assert "the text is too small" in told
    assert sorted(file.name for file in Path().iterdir()) == ["small.txt"]


def test_help_and_page_tell_the_defaults_that_the_learners_have(call: Call) -> None:
    from jurybox.detect.features import NOTHING_RATE
    from jurybox.detect.learning import LEAST, PASSES, STRENGTH
    from jurybox.detect.ngrams.training import ORDER

    page = (Path(__file__).resolve().parents[2] / "docs" / "detect.md").read_text("utf-8")
    told = " ".join(call(*TRAIN, "--help")[1].split())
    passes = f"{PASSES['maxent']} for maxent, {PASSES['perceptron']} for perceptron"
    for start, default in (
        ("features of fewer events", LEAST),
        ("preposition that are learnt from", NOTHING_RATE),
        ("passes over the events", passes),
        ("scikit-learn's C", STRENGTH),
        ("longest n-grams", ORDER),
    ):
        assert f"{start} (default: {default})" in told
        assert re.search(rf"\| {re.escape(str(default))} \| [^|]*{re.escape(start)} \|", page)


# --- run ---


def test_decisions_are_written_and_summed_up(call: Call, lm: str) -> None:
    code, out, err = call("detect", "run", lm, *SOURCE, "--tagger", "words", "-o", "lm.jsonl")
    assert (code, err) == (0, "")
    rows = [json.loads(line) for line in Path("lm.jsonl").read_text().splitlines()]
    flagged = [row for row in rows if row["label"] == "error"]
    assert out.splitlines()[2].split()[:4] == ["lm", "lm", str(len(rows)), str(len(flagged))]
    assert all((row["score"] >= 0.98) == (row["label"] == "error") for row in rows)
    assert rows[0].keys() == {"case", "label", "score", "suggestion"}
    assert "per minute" in out


def test_decisions_on_standard_output_leave_it_to_them(call: Call, lm: str) -> None:
    code, out, err = call("detect", "run", lm, *SOURCE, "--tagger", "words", "-o", "-")
    assert code == 0
    assert [json.loads(line)["case"] for line in out.splitlines()][:1] == ["S1:5-6"]
    assert err.startswith("Decisions\n")


def test_every_option_of_running_reaches_the_result(call: Call, lm: str) -> None:
    code, out, _ = call(
        *("detect", "run", lm, "--m2", *sorted(SAMPLE.glob("A*.m2"))),
        *("--documents", SAMPLE / "documents.txt", "--tagger", "words", "--jobs", "1"),
        *("--construction", "preposition", "missing-preposition", "--threshold", ".8"),
        *("--decisions", "out", "--write-cases", "cases.jsonl", "--format", "json"),
    )
    assert code == 0
    record = json.loads(out)
    assert record["constructions"] == ["preposition", "missing-preposition"]
    assert record["threshold"] == 0.8
    assert record["signature"].split("|")[-2] == "to:words"
    files = {one["what"]: one["file"] for one in record["written"]}
    assert files == {"decisions of lm": "out/lm.csv", "cases": "cases.jsonl"}
    assert Path("out/lm.csv").read_text().splitlines()[1].startswith("essay-1:1:0-0,")


def test_run_then_evaluate_works_end_to_end(call: Call, lm: str) -> None:
    gold = sorted(SAMPLE.glob("A*.m2"))
    derive = ("cases", "derive", *gold, "--tagger", "words")
    assert call(*derive, "-o", "cases.jsonl", "--judgments", "j.csv")[0] == 0
    assert call("detect", "run", lm, "--m2", *gold, "--tagger", "words", "-o", "lm.jsonl")[0] == 0
    system = "LM=lm.jsonl"
    code, out, err = call("evaluate", "cases.jsonl", "--judgments", "j.csv", "--system", system)
    assert (code, err) == (0, "")
    assert "\nLM " in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (SOURCE, "name a file for the decisions by -o"),
        ((*SOURCE, "-o", "x.csv", "--decisions", "out"), "--output or --decisions"),
        ((*SOURCE, "-o", "x.txt"), "does not tell its format"),
        (("-o", "x.csv"), "one of --text, --m2 and --cases"),
        (
            (*SOURCE, "-o", "x.csv", "--threshold", "2"),
            "--threshold must lie between 0 and 1, not 2.0",
        ),
        ((*SOURCE, "-o", "x.csv", "--construction", "article"), "unknown construction 'article'"),
        ((*SOURCE, "--decisions", SAMPLE / "A1.m2"), "is a file; name a folder"),
    ],
)
def test_wrong_options_of_running_are_refused(
    call: Call, lm: str, arguments: tuple[object, ...], complaint: str
) -> None:
    assert complaint in refused(call, "detect", "run", lm, *arguments, code=2)
    assert [file.name for file in Path().iterdir()] == ["lm"]


def test_what_is_read_is_not_written_over(call: Call, lm: str) -> None:
    Path("cases.csv").write_text("case\nc1\n")
    told = refused(call, "detect", "run", lm, "--cases", "cases.csv", "-o", "cases.csv", code=2)
    assert "cases.csv is in use already" in told


def test_a_file_that_breaks_off_in_the_middle_leaves_no_decisions(call: Call, lm: str) -> None:
    good = Input(SAMPLE / "source.txt").peek(1 << 20)
    Path("bad.txt").write_bytes(good * 20 + b"\xff\xfe broken\n")
    told = refused(
        call, "detect", "run", lm, "--text", "bad.txt", "--tokenised", "-o", "x.csv", code=1
    )
    assert "bad.txt:1601:" in told
    assert sorted(file.name for file in Path().iterdir()) == ["bad.txt", "lm"]


# --- info ---


def test_info_tells_what_a_model_is(call: Call, lm: str) -> None:
    code, out, err = call("detect", "info", lm, "--check", "--features")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split() == ["model", "lm"]
    assert Input(SAMPLE / "training.txt").sha256 in out
    assert "every byte is as it was saved" in out
    assert call("detect", "info", lm, "--format", "csv")[1].splitlines()[1] == "learner,lm"


def test_damage_is_told_with_the_file_and_the_way_out(call: Call, lm: str) -> None:
    Path("lm/order3-keys.npy").write_bytes(b"nothing")
    for command in (("info", lm), ("run", lm, *SOURCE, "-o", "x.csv")):
        told = refused(call, "detect", *command, code=1)
        assert "lm/order3-keys.npy: is damaged or missing" in told
        assert "train the model again" in told


def test_a_folder_that_is_no_model_is_refused(call: Call) -> None:
    assert "no such folder" in refused(call, "detect", "info", "nowhere", code=1)
    assert "it has no model.json" in refused(call, "detect", "info", ".", code=1)
