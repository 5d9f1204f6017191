"""Bad input: exit code 1, one line that names file and line, no traceback, nothing on stdout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import jurybox
from jurybox.cli import run

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
BOLD = SAMPLE / "bold.txt"
EDIT = "A 0 1|||X|||c|||REQUIRED|||-NONE-|||0"

Fail = Callable[..., str]


@pytest.fixture
def fail(capsys: pytest.CaptureFixture[str]) -> Fail:
    """Run a command that must fail with the exit code for bad input, and give its message."""

    def failing_call(*arguments: object, code: int = 1) -> str:
        assert run([str(argument) for argument in arguments]) == code
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("jurybox: ")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        assert "Traceback" not in err
        return err.removeprefix("jurybox: ").rstrip("\n")

    return failing_call


def write(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


# --- malformed gold ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "line", "says"),
    [
        (f"{EDIT}\nS a b\n", 1, "S line"),
        ("S a b\nA 1 0|||X|||c|||REQUIRED|||-NONE-|||0\n", 2, "1-0"),
        ("S a b\nA 1 3|||X|||c|||REQUIRED|||-NONE-|||0\n", 2, "2 tokens"),
        ("S a b\nA -1 1|||X|||c|||REQUIRED|||-NONE-|||0\n", 2, "negative"),
        ("S a b\nA x 1|||X|||c|||REQUIRED|||-NONE-|||0\n", 2, "'x'"),
        ("S a b\nA 0.5 1|||X|||c|||REQUIRED|||-NONE-|||0\n", 2, "'0.5'"),
        ("S a b\nA 0|||X|||c|||REQUIRED|||-NONE-|||0\n", 2, "two offsets"),
        ("S a b\nA 0 1|||X|||c\n", 2, "3 of 6 fields"),
        ("S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||\n", 2, "annotator"),
        (f"S a b\n{EDIT}\nwhat is this\n", 3, "what is this"),
        (b"S a b\n" + EDIT.replace("c", "\udcff").encode(errors="surrogateescape"), 2, "byte 18 "),
    ],
    ids=[
        "A before S",
        "reversed span",
        "span out of range",
        "negative offset",
        "offset not a number",
        "offset not whole",
        "one offset",
        "missing fields",
        "no annotator",
        "neither S nor A",
        "not UTF-8",
    ],
)
def test_malformed_gold_is_named_with_file_and_line(
    tmp_path: Path, fail: Fail, gold: str | bytes, line: int, says: str
) -> None:
    path = write(tmp_path / "gold.m2", gold)
    message = fail("score", write(tmp_path / "h.txt", "a b\n"), "--gold", path)
    assert message.startswith(f"{path}:{line}: ")
    assert says in message


def test_further_bad_lines_are_counted(tmp_path: Path, fail: Fail) -> None:
    bad = "A 9 9|||X|||c|||REQUIRED|||-NONE-|||0\n"
    gold = write(tmp_path / "g.m2", f"S a b\n{EDIT}\n{bad}\nS c\n{bad}{bad}")
    message = fail("score", write(tmp_path / "h.txt", "a b\nc\n"), "--gold", gold)
    assert message.startswith(f"{gold}:3: ")
    assert "2 more" in message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"tokens": ["a"]}\n{"tokens": "a"}\n', 2),
        ('{"tokens": ["a"]}\n{"tokens": ["b"\n', 2),
        ('{"tokens": ["a"]}\n{"tokens": ["b"], "unknown": 1}\n', 2),
    ],
)
def test_malformed_jsonl_is_named_with_file_and_line(
    tmp_path: Path, fail: Fail, text: str, line: int
) -> None:
    gold = write(tmp_path / "gold.jsonl", text)
    message = fail("score", write(tmp_path / "h.txt", "a\nb\n"), "--gold", gold)
    assert message.startswith(f"{gold}:{line}: ")


def test_text_that_is_not_utf8_is_named_with_its_byte(tmp_path: Path, fail: Fail) -> None:
    hypothesis = write(tmp_path / "h.txt", b"a b\nc \xe9 d\n")
    gold = write(tmp_path / "g.m2", "S a b\n\nS c d\n")
    message = fail("score", hypothesis, "--gold", gold)
    assert message.startswith(f"{hypothesis}:2: byte 6 ")
    assert "0xe9" in message


def test_a_broken_compressed_file_is_named(tmp_path: Path, fail: Fail) -> None:
    import gzip

    broken = write(tmp_path / "h.txt.gz", gzip.compress(BOLD.read_bytes())[:-20])
    assert fail("score", broken, "--gold", GOLD).startswith(f"{broken}:")


# --- files that do not fit each other ------------------------------------------------------------


def test_a_hypothesis_that_is_too_short_is_named_with_the_first_sentence_without_partner(
    tmp_path: Path, fail: Fail
) -> None:
    short = write(tmp_path / "short.txt", "".join(BOLD.read_text().splitlines(True)[:3]))
    message = fail("score", short, "--gold", GOLD)
    assert "longer" in message
    assert str(short) in message
    assert "gold.m2" in message, "the gold must be called by its file name"
    assert "sentence 4" in message


def test_a_hypothesis_that_is_too_long_is_named_with_the_first_line_without_partner(
    tmp_path: Path, fail: Fail
) -> None:
    long = write(tmp_path / "long.txt", BOLD.read_text() + "One more .\nAnd more .\n")
    message = fail("score", long, "--gold", GOLD)
    assert message.startswith(f"{long} is longer than ")
    assert "gold.m2" in message, "the gold must be called by its file name"
    assert "16" in message


@pytest.mark.parametrize("shorter", ["system", "reference"])
def test_errant_files_of_different_length_are_named(
    tmp_path: Path, fail: Fail, shorter: str
) -> None:
    paths = {}
    for name in ("system", "reference"):
        text = "S a b\n\nS c\n" if name == shorter else "S a b\n\nS c\n\nS d\n"
        paths[name] = write(tmp_path / f"{name}.m2", text)
    message = fail("score", paths["system"], "--gold", paths["reference"], "--metric", "errant")
    assert "longer" in message
    assert "system.m2" in message
    assert "reference.m2" in message
    assert "sentence 3" in message


@pytest.mark.parametrize("shorter", ["hyp", "source", "ref0", "ref1"])
def test_gleu_files_of_different_length_are_named(tmp_path: Path, fail: Fail, shorter: str) -> None:
    paths = {
        name: write(tmp_path / name, "a b c d e\n" * (2 if name == shorter else 3))
        for name in ("hyp", "source", "ref0", "ref1")
    }
    refs = [paths["ref0"], paths["ref1"]]
    message = fail(
        "score", paths["hyp"], "--source", paths["source"], "--refs", *refs, "--metric", "gleu"
    )
    assert f"is longer than {paths[shorter]}" in message
    assert "3" in message


def test_panel_files_of_different_length_are_named(tmp_path: Path, fail: Fail) -> None:
    one = write(tmp_path / "A1.m2", f"S a b\n{EDIT}\n\nS c\n")
    two = write(tmp_path / "A2.m2", f"S a b\n{EDIT}\n")
    message = fail("score", write(tmp_path / "h", "a b\nc\n"), "--gold", one, two)
    assert message.startswith(f"{one} is longer than {two}")
    assert f"{one}:4" in message


def test_panel_files_with_other_sentences_are_named(tmp_path: Path, fail: Fail) -> None:
    one = write(tmp_path / "A1.m2", f"S a b\n{EDIT}\n")
    two = write(tmp_path / "A2.m2", f"S a x\n{EDIT}\n")
    message = fail("score", write(tmp_path / "h", "a b\n"), "--gold", one, two)
    assert message.startswith(f"{two}:1: ")
    assert "'x', there 'b'" in message


def test_a_source_that_is_not_the_golds_is_named_with_its_line(tmp_path: Path, fail: Fail) -> None:
    lines = (SAMPLE / "source.txt").read_text().splitlines(keepends=True)
    lines[6] = lines[6].replace("page", "side")
    source = write(tmp_path / "source.txt", "".join(lines))
    message = fail("score", BOLD, "--gold", GOLD, "--source", source)
    assert message.startswith(f"{source}:7: ")
    assert "'side'" in message
    assert "'page'" in message


def test_a_source_of_another_length_is_named(tmp_path: Path, fail: Fail) -> None:
    lines = (SAMPLE / "source.txt").read_text().splitlines(keepends=True)
    source = write(tmp_path / "source.txt", "".join(lines[:-1]))
    assert str(source) in fail("score", BOLD, "--gold", GOLD, "--source", source)


def test_a_hypothesis_with_two_annotators_is_refused_and_none_is_dropped(fail: Fail) -> None:
    message = fail("score", GOLD, "--gold", GOLD)
    assert message.startswith(f"{GOLD}: ")
    assert "--annotator" in message


def test_two_systems_of_the_same_name_are_refused(fail: Fail) -> None:
    message = fail("score", BOLD, BOLD, "--gold", GOLD)
    assert "bold.txt" in message
    assert "twice" in message


# --- files that are not there --------------------------------------------------------------------


@pytest.mark.parametrize("which", ["hypothesis", "gold", "source", "documents"])
def test_a_missing_file_is_named_with_the_near_one(tmp_path: Path, fail: Fail, which: str) -> None:
    write(tmp_path / "present.m2", "S a\n\nS b\n")
    missing = tmp_path / "presnt.m2"
    files: dict[str, list[object]] = {
        "hypothesis": [missing, "--gold", GOLD],
        "gold": [BOLD, "--gold", missing],
        "source": [BOLD, "--gold", GOLD, "--source", missing],
        "documents": [BOLD, "--gold", GOLD, "--documents", missing],
    }
    message = fail("score", *files[which])
    assert message.startswith(f"{missing}: no such file")
    assert "present.m2" in message


@pytest.mark.parametrize("which", ["hypothesis", "gold"])
@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"], ids=["no bytes", "only a BOM"])
def test_an_empty_file_is_named(tmp_path: Path, fail: Fail, which: str, data: bytes) -> None:
    empty = write(tmp_path / "empty", data)
    files = [empty, "--gold", GOLD] if which == "hypothesis" else [BOLD, "--gold", empty]
    message = fail("score", *files)
    assert message.startswith(f"{empty}: ")
    assert "empty" in message


@pytest.mark.parametrize("which", ["hypothesis", "gold"])
def test_a_folder_is_not_taken_for_a_file(tmp_path: Path, fail: Fail, which: str) -> None:
    files = [tmp_path, "--gold", GOLD] if which == "hypothesis" else [BOLD, "--gold", tmp_path]
    message = fail("score", *files)
    assert message.startswith(f"{tmp_path}: is a folder")


def test_plain_text_as_gold_is_refused_with_the_way_out(fail: Fail) -> None:
    message = fail("score", BOLD, "--gold", SAMPLE / "source.txt")
    assert message.startswith(f"{SAMPLE / 'source.txt'}:1: ")
    assert "convert" in message


def test_a_result_that_cannot_be_written_is_an_error(tmp_path: Path, fail: Fail) -> None:
    target = tmp_path / "no" / "such" / "folder.json"
    message = fail("score", BOLD, "--gold", GOLD, "-o", target)
    assert message.startswith(f"{target}: cannot be written")


# --- unknown names -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "given", "near"),
    [
        ("--metric", "m3", "m2"),
        ("--metric", "erant", "errant"),
        ("--choice", "runing", "running"),
        ("--format", "jsn", "json"),
        ("--hyp-format", "m3", "m2"),
        ("--gold-format", "jsonlines", "jsonl"),
        ("--by", "types", "type"),
    ],
)
def test_an_unknown_name_is_answered_with_the_near_one(
    fail: Fail, option: str, given: str, near: str
) -> None:
    message = fail("score", BOLD, "--gold", GOLD, option, given, code=2)
    assert f"'{given}'" in message
    assert f"did you mean '{near}'?" in message


def test_an_unknown_level_is_answered_with_the_near_one(fail: Fail) -> None:
    message = fail("score", GOLD, "--gold", GOLD, "--metric", "errant", "--level", "spam", code=2)
    assert "did you mean 'span'?" in message


def test_an_unknown_unit_is_answered_with_the_near_one(fail: Fail) -> None:
    message = fail("score", BOLD, "--gold", GOLD, "--ci", "--ci-unit", "documents", code=2)
    assert "did you mean 'document'?" in message


def test_an_unknown_baseline_is_answered_with_the_near_one(fail: Fail) -> None:
    pair = (BOLD, SAMPLE / "cautious.txt")
    message = fail("compare", *pair, "--gold", GOLD, "--baseline", "bold", code=2)
    assert "did you mean 'bold.txt'?" in message


# --- wrong usage ---------------------------------------------------------------------------------

CAUTIOUS = SAMPLE / "cautious.txt"
ERRANT: list[object] = ["score", GOLD, "--gold", GOLD, "--metric", "errant"]
GLEU: list[object] = ["score", BOLD, "--metric", "gleu"]

WRONG_USAGE: dict[str, list[object]] = {
    "no hypothesis": ["score", "--gold", GOLD],
    "no gold": ["score", BOLD],
    "unknown option": ["score", BOLD, "--gold", GOLD, "--metrc", "m2"],
    "beta not a number": ["score", BOLD, "--gold", GOLD, "--beta", "half"],
    "beta below 0": ["score", BOLD, "--gold", GOLD, "--beta", "-1"],
    "beta 0": ["score", BOLD, "--gold", GOLD, "--beta", "0"],
    "beta nan": ["score", BOLD, "--gold", GOLD, "--beta", "nan"],
    "no jobs": ["score", BOLD, "--gold", GOLD, "--jobs", "0"],
    "no resamples": ["score", BOLD, "--gold", GOLD, "--ci", "--resamples", "0"],
    "level in percent": ["score", BOLD, "--gold", GOLD, "--ci", "--ci-level", "95"],
    "level 0": ["score", BOLD, "--gold", GOLD, "--ci", "--ci-level", "0"],
    "seed below 0": ["score", BOLD, "--gold", GOLD, "--ci", "--seed", "-1"],
    "unchanged below 0": ["score", BOLD, "--gold", GOLD, "--max-unchanged-words", "-1"],
    "an unknown size of edits": [*ERRANT, "--edit-size", "both"],
    "errant option with m2": ["score", BOLD, "--gold", GOLD, "--level", "span"],
    "m2 option with errant": [*ERRANT, "--max-unchanged-words", "1"],
    "gleu without source": [*GLEU, "--refs", BOLD],
    "gleu without references": [*GLEU, "--source", BOLD],
    "gleu with both": [*GLEU, "--source", BOLD, "--refs", BOLD, "--gold", GOLD],
    "gleu by type": [*GLEU, "--gold", GOLD, "--by", "type"],
    "gleu with beta": [*GLEU, "--gold", GOLD, "--beta", "1"],
    "refs with m2": ["score", BOLD, "--gold", GOLD, "--refs", BOLD],
    "verbose with errant": [*ERRANT, "--verbose"],
    "one system to compare": ["compare", BOLD, "--gold", GOLD],
    "top below 0": ["compare", BOLD, CAUTIOUS, "--gold", GOLD, "--top", "-1"],
    "alpha above 1": ["compare", BOLD, CAUTIOUS, "--gold", GOLD, "--fail-if-worse", "--alpha", "5"],
    "seed below 0 when comparing": ["compare", BOLD, CAUTIOUS, "--gold", GOLD, "--seed", "-1"],
    "convert without target": ["convert", GOLD],
    "measures without counts": ["measures", "--tp", "1"],
    "measures of a negative count": ["measures", "--tp", "-1", "--fp", "1", "--fn", "1"],
    "unknown command": ["scor", BOLD],
}


@pytest.mark.parametrize("mistake", WRONG_USAGE)
def test_wrong_usage_exits_with_2_and_one_line(fail: Fail, mistake: str) -> None:
    assert fail(*WRONG_USAGE[mistake], code=2)


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        ("unknown option", "--metric"),
        ("no gold", "--gold"),
        ("no jobs", "--jobs"),
        ("seed below 0", "seed"),
        ("level in percent", "between 0 and 1"),
        ("errant option with m2", "--level"),
        ("gleu without source", "--source"),
        ("unknown command", "score"),
    ],
)
def test_wrong_usage_is_told_with_the_options_real_name(
    fail: Fail, mistake: str, says: str
) -> None:
    assert says in fail(*WRONG_USAGE[mistake], code=2)


def test_hypotheses_behind_gold_are_explained(fail: Fail) -> None:
    # --gold takes all files that follow, so the hypothesis is missing: say that
    message = fail("score", "--gold", GOLD, BOLD, code=2)
    assert "--gold" in message


def test_a_hypothesis_with_edits_on_another_source_is_refused(fail: Fail, tmp_path: Path) -> None:
    gold, hypothesis = tmp_path / "gold.m2", tmp_path / "hypothesis.m2"
    edit = "A 1 2|||Nn|||dogs|||REQUIRED|||-NONE-|||0\n\n"
    gold.write_text(f"S The dog .\n{edit}", encoding="utf-8")
    hypothesis.write_text(f"S The dogs .\n{edit}", encoding="utf-8")
    message = fail("score", hypothesis, "--gold", gold)
    assert message.startswith(f"{hypothesis}: sentence 1 has another source than the gold")
    assert "token 1 (from 0) is 'dogs', there 'dog'" in message


def test_counts_too_large_to_compute_with_are_refused(fail: Fail) -> None:
    assert "1e+15" in fail("measures", "--tp", "1e308", "--fp", "1e308", "--fn", "1", code=2)
