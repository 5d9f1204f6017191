"""Hypotheses in others' JSON, wherever corrected texts are read; labels and quotes around them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import jurybox
from calling import Call, refused

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
BOLD = SAMPLE / "bold.txt"
SENTENCES = BOLD.read_text(encoding="utf-8").splitlines()
SOURCES = (SAMPLE / "source.txt").read_text(encoding="utf-8").splitlines()
PAIRS = list(zip(SOURCES, SENTENCES, strict=True))

Write = Callable[[str], Path]


def as_lines(values: list[Any]) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


SHAPES = {
    "objects": as_lines([{"source": s, "hypothesis": h} for s, h in PAIRS]),
    "detokenised source": as_lines([{"src": s.replace(" .", "."), "pred": h} for s, h in PAIRS]),
    "text alone": as_lines([{"text": h} for _, h in PAIRS]),
    "strings": as_lines(SENTENCES),
    "list": json.dumps(SENTENCES, indent=1),
    "list of objects": json.dumps([{"id": n, "output": h} for n, h in enumerate(SENTENCES)]),
    "lm-eval": as_lines(
        [
            {"doc_id": n, "doc": {"source": s}, "resps": [[h]], "filtered_resps": [h]}
            for n, (s, h) in reversed(list(enumerate(PAIRS)))
        ]
    ),
}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> Path:
        path = tmp_path / "hyp.jsonl"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def made_of(call: Call, *arguments: object) -> Any:
    code, out, err = call(*arguments, "--format", "json")
    assert code == 0
    assert all("every line is in quotes" in line for line in err.splitlines())
    return json.loads(out)


def strip(made: Any) -> Any:
    """A result without what tells files apart."""
    text = json.dumps({k: v for k, v in made.items() if k not in ("inputs", "warnings")})
    return json.loads(text.replace("hyp.jsonl", "bold.txt"))


@pytest.mark.parametrize("metric", ["m2", "gleu"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_scores_like_the_text(
    call: Call, write: Write, shape: str, metric: str
) -> None:
    options = ["--gold", GOLD, "--metric", metric]
    path = write(SHAPES[shape])
    assert strip(made_of(call, "score", path, *options)) == strip(
        made_of(call, "score", BOLD, *options)
    )


@pytest.mark.parametrize(
    "command",
    [
        ["compare", SAMPLE / "cautious.txt", "{}", "--gold", GOLD, "--resamples", 20],
        ["ceiling", "--gold", GOLD, "--system", "bold={}"],
        ["show", 3, "--gold", GOLD, "--system", "bold={}"],
        ["score", "{}", "--gold", GOLD, "--graded", "--by", "type"],
        ["cases", "derive", GOLD, "--construction", "token", "--system", "bold={}"],
    ],
    ids=lambda command: str(command[0]),
)
def test_every_command_reads_it(
    call: Call, write: Write, command: list[object], tmp_path: Path
) -> None:
    path = write(SHAPES["lm-eval"])
    results = [
        strip(made_of(call, *[str(word).format(file) for word in command])) for file in (path, BOLD)
    ]
    assert results[0] == results[1]


def test_a_report_reads_it(call: Call, write: Write, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    system = f"bold={write(SHAPES['objects'])}"
    code, out, err = call("report", "--gold", GOLD, "--system", system, "-o", page)
    assert (code, err) == (0, "")
    assert "0.8519  F0.5 of bold" in out


def test_the_key_can_be_named(call: Call, write: Write) -> None:
    path = write(as_lines([{"input": s, "fixed": h} for s, h in PAIRS]))
    message = refused(call, "score", path, "--gold", GOLD, code=1)
    assert f"{path}:1: no known key" in message
    assert "keys there: input, fixed" in message
    made = made_of(call, "score", path, "--gold", GOLD, "--hyp-key", "fixed")
    assert made["systems"][0]["tp"] == 23
    for command in (
        ["show", 3, "--gold", GOLD, "--system", path],
        ["ceiling", "--gold", GOLD, "--system", path],
        ["cases", "derive", GOLD, "--construction", "token", "--system", path],
        ["compare", path, BOLD, "--gold", GOLD, "--resamples", 20],
        ["report", "--gold", GOLD, "--system", path, "-o", path.parent / "page.html"],
    ):
        assert call(*command, "--hyp-key", "fixed")[0] == 0
        assert "no known key" in refused(call, *command, code=1)


def test_a_key_without_json_is_a_mistake(call: Call) -> None:
    score = ["score", BOLD, "--gold", GOLD, "--hyp-key", "x"]
    assert "no hypothesis is JSON" in refused(call, *score, code=2)
    message = refused(call, *score, "--hyp-format", "m2", code=2)
    assert "leave out --hyp-format m2" in message


@pytest.mark.parametrize("command", [["score"], ["show", "1", "--system"], ["ceiling", "--system"]])
def test_another_source_is_refused_with_its_line(
    call: Call, write: Write, command: list[str]
) -> None:
    swapped = [PAIRS[1], PAIRS[0], *PAIRS[2:]]
    path = write(as_lines([{"source": s, "hypothesis": h} for s, h in swapped]))
    message = refused(call, *command, path, "--gold", GOLD, code=1)
    assert f"{path}:1: has another source than sentence 1 of the gold" in message
    assert "gold's order" in message


def test_fewer_sentences_than_the_gold_are_an_error(call: Call, write: Write) -> None:
    path = write(as_lines([{"hyp": h} for h in SENTENCES[:-1]]))
    assert "(15 sentences against 14)" in refused(call, "score", path, "--gold", GOLD, code=1)


def test_hyp_format_says_whether_quotes_are_json(call: Call, write: Write) -> None:
    path = write("".join(f'"{h}"\n' for h in SENTENCES))
    _, _, told = call("score", path, "--gold", GOLD)
    assert told.count("every line is in quotes: read as JSON strings") == 1
    code, _, err = call("score", path, "--gold", GOLD, "--hyp-format", "json")
    assert (code, err) == (0, "")
    _, _, err = call("score", path, "--gold", GOLD, "--hyp-format", "text")
    assert "15 of 15 hypotheses are in quotes, which their source is not" in err


def test_a_file_that_is_read_twice_is_warned_of_once(write: Write) -> None:
    path = write("".join(f'"{h}"\n' for h in SENTENCES))
    systems = {"bold": path, "cautious": SAMPLE / "cautious.txt"}
    with pytest.warns(jurybox.JuryboxWarning) as caught:
        result = jurybox.compare(systems, GOLD, resamples=20)
    assert [str(one.message) for one in caught] == list(result.warnings)
    assert len(result.warnings) == 1
    with pytest.warns(jurybox.JuryboxWarning) as caught:
        jurybox.make_report(gold=GOLD, systems=systems, resamples=20)
    assert len([one for one in caught if "in quotes" in str(one.message)]) == 1


@pytest.mark.parametrize("option", ["--source", "--refs"])
def test_source_and_references_must_be_plain_text(call: Call, write: Write, option: str) -> None:
    files = {"--source": SAMPLE / "source.txt", "--refs": BOLD}
    files[option] = write(SHAPES["objects"])
    arguments = [word for item in files.items() for word in item]
    message = refused(call, "score", BOLD, "--metric", "gleu", *arguments, code=1)
    assert "hyp.jsonl:1: is JSON" in message


def test_convert_does_not_take_json_for_corrected_prose(
    call: Call, write: Write, tmp_path: Path
) -> None:
    path = write(SHAPES["objects"])
    target = tmp_path / "out.m2"
    message = refused(call, "convert", SAMPLE / "source.txt", target, "--corrected", path, code=1)
    assert "is JSON" in message
    assert not target.exists()


# --- what models put around a sentence -----------------------------------------------------------


@pytest.mark.parametrize(
    ("wrapped", "said"),
    [
        ("Corrected: {}", "15 of 15 hypotheses begin with 'Corrected:'"),
        ("Output : {}", "15 of 15 hypotheses begin with 'Output :'"),
        ("Here is the corrected sentence: {}", "begin with 'Here is the corrected sentence:'"),
        ("Here is {}", "begin with 'Here is'"),
        ("“{}”", "15 of 15 hypotheses are in quotes"),
        ("```{}```", "15 of 15 hypotheses begin with ```, the first on line 1"),
    ],
)
@pytest.mark.parametrize("command", ["score", "ceiling", "cases derive"])
def test_wrapped_sentences_are_told_of_once(
    call: Call, write: Write, command: str, wrapped: str, said: str
) -> None:
    path = write("".join(f"{wrapped.format(h)}\n" for h in SENTENCES))
    words: dict[str, list[object]] = {
        "score": ["score", path, "--gold", GOLD],
        "ceiling": ["ceiling", "--gold", GOLD, "--system", path],
        "cases derive": ["cases", "derive", GOLD, "--construction", "token", "--system", path],
    }
    code, out, err = call(*words[command], "--format", "json")
    assert code == 0
    assert err.count(said) == 1
    assert [f"jurybox: warning: {line}" for line in json.loads(out)["warnings"]] == err.splitlines()


def test_the_systems_of_conll_are_not_taken_for_wrapped(call: Call, data_dir: Path) -> None:
    systems = [data_dir / "systems" / name for name in ("AMU", "CAMB", "CUUI", "INPUT")]
    gold = data_dir / "conll14" / "official-2014.combined.m2"
    code, _, err = call("score", *systems, "--gold", gold)
    assert (code, err) == (0, "")
