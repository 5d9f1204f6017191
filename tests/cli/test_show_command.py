"""`jurybox show`: words from the command line, colours in a terminal only, clear refusals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import calling
import jurybox
from calling import Call

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
BOLD = SAMPLE / "bold.txt"
PAGE = """\
Sentence 3 of 15

source  My brother has a good knowledges of history .
annotators
  0     My brother has [] good [knowledge] of history .
  1     My brother has a good [knowledge] of history .
systems
  bold  My brother has [] good [knowledge] of [the] history .

Both annotators differ.

Edits
span  source        correction   type      made by  who   systems
3-4   [a]           []           ArtOrDet  1 of 2   0     bold
5-6   [knowledges]  [knowledge]  Nn        2 of 2   0, 1  bold
7-7   []            [the]        –         0 of 2   –     bold
"""


def refused(call: Call, *arguments: object, code: int = 1) -> str:
    return calling.refused(call, "show", *arguments, code=code)


@pytest.mark.parametrize("sentence", [["3"], ["good", "knowledges"], ["good knowledges"]])
def test_a_sentence_is_shown_by_number_or_words_quoted_or_not(
    call: Call, sentence: list[str]
) -> None:
    code, out, err = call("show", *sentence, "--gold", GOLD, "--system", f"bold={BOLD}")
    assert (code, err) == (0, "")
    assert out.startswith(PAGE)
    assert out.count("signature: ") == 1


def test_systems_can_follow_one_flag_or_repeat_it(call: Call) -> None:
    names = [f"{name}={SAMPLE / name}.txt" for name in ("bold", "cautious")]
    together = call("show", "3", "--gold", GOLD, "--system", *names)
    apart = call("show", "3", "--system", names[0], "--system", names[1], "--gold", GOLD)
    assert together == apart
    assert "  cautious  " in together[1]


def test_single_annotator_files_are_named_after_their_files(call: Call, tmp_path: Path) -> None:
    for number in "01":
        target = tmp_path / f"A{number}.m2"
        assert call("convert", GOLD, target, "--annotator", number)[0] == 0
    _, out, _ = call("show", "1", "--gold", tmp_path / "A0.m2", tmp_path / "A1.m2")
    assert "  A0, A1  She [goes] to school" in out


def test_documents_and_a_place_in_one(call: Call, tmp_path: Path) -> None:
    essays = tmp_path / "documents.txt"
    essays.write_text("first\n" * 5 + "second\n" * 10, encoding="utf-8")
    options = ("--gold", GOLD, "--documents", essays)
    _, out, _ = call("show", "second:2", *options)
    assert out.startswith("Sentence 7 of 15, document second\n")
    assert "not in the documents" in refused(call, "3", *options, "second")


def test_who_looked_at_what_can_be_said(call: Call, tmp_path: Path) -> None:
    coverage = tmp_path / "coverage.csv"
    coverage.write_text("annotator,sentences\n0,1-15\n1,1-5\n", encoding="utf-8")
    gold = tmp_path / "gold.m2"
    kept = [
        block
        if number < 5
        else "\n".join(line for line in block.splitlines() if not line.endswith("|||1"))
        for number, block in enumerate(GOLD.read_text(encoding="utf-8").strip().split("\n\n"))
    ]
    gold.write_text("\n\n".join(kept) + "\n", encoding="utf-8")
    code, out, _ = call("show", "7", "--gold", gold, "--coverage", coverage)
    assert code == 0
    assert "Not looked at by 1." in out
    assert "1 of 1" in out


# --- terminals -----------------------------------------------------------------------------------


def as_terminal(monkeypatch: pytest.MonkeyPatch, **environment: str) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


def test_a_terminal_gets_colours_instead_of_brackets(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_terminal(monkeypatch)
    _, out, _ = call("show", "3", "--gold", GOLD)
    assert "has \033[1;31m[]\033[0m good \033[1;32mknowledge\033[0m of" in out


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_no_colours_gets_brackets(
    call: Call, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    as_terminal(monkeypatch, **environment)
    _, out, _ = call("show", "3", "--gold", GOLD)
    assert "\033" not in out
    assert "has [] good [knowledge] of" in out


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown", "latex"])
def test_files_and_other_forms_have_no_colours(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, form: str
) -> None:
    as_terminal(monkeypatch)
    target = tmp_path / "result"
    code, out, err = call("show", "3", "--gold", GOLD, "--format", form, "-o", target)
    assert (code, out, err) == (0, "", "")
    assert "knowledge" in target.read_text(encoding="utf-8")
    assert "\033" not in target.read_text(encoding="utf-8")
    if form != "text":
        assert call("show", "3", "--gold", GOLD, "--format", form)[1] == target.read_text("utf-8")


def test_lines_are_as_wide_as_the_terminal() -> None:
    pty = pytest.importorskip("pty", reason="there are no terminals of this kind here")
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    command = [sys.executable, "-m", "jurybox", "show", "14", "--gold", str(GOLD)]
    environment = {**os.environ, "NO_COLOR": "1"}
    subprocess.run(command, stdout=theirs, check=True, env=environment)
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode().replace("\r\n", "\n")
    os.close(ours)
    assert (
        "source  The government should do\n        something for to solve this\n        problem .\n"
    ) in shown


# --- refusals ------------------------------------------------------------------------------------


def test_words_in_several_sentences_give_a_list_to_pick_from(call: Call) -> None:
    message = refused(call, "problem", "--gold", GOLD)
    assert message.splitlines() == [
        "jurybox: 'problem' occurs in 2 sentences; pick one by its number:",
        "   9  We discussed about the problem for two hours .",
        "  14  The government should do something for to solve this problem .",
    ]


def test_what_is_not_there_is_said_in_one_line(call: Call) -> None:
    for sentence in ("0", "16", "-1", "no such words", "infomations", "x:1"):
        message = refused(call, sentence, "--gold", GOLD)
        assert message.count("\n") == 1
        assert "15" in message


def test_a_system_of_another_length_is_refused(call: Call, tmp_path: Path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("She goes .\n", encoding="utf-8")
    message = refused(call, "1", "--gold", GOLD, "--system", f"S={short}")
    assert "15 sentences against 1" in message


def test_a_missing_panel_or_sentence_is_wrong_usage(call: Call) -> None:
    assert "--gold" in refused(call, "1", code=2)
    assert "SENTENCE" in refused(call, "--gold", GOLD, code=2)
    assert "name them first" in refused(call, "--gold", GOLD, "3", code=2)


def test_the_result_is_not_written_over_what_was_read(call: Call, tmp_path: Path) -> None:
    system = tmp_path / "bold.txt"
    system.write_bytes(BOLD.read_bytes())
    message = refused(call, "1", "--gold", GOLD, "--system", f"S={system}", "-o", system, code=2)
    assert str(system) in message
    assert system.read_bytes() == BOLD.read_bytes()


def test_an_unknown_form_is_refused_before_anything_is_read(call: Call) -> None:
    arguments = ("1", "--gold", "nowhere.m2", "--format", "htlm")
    assert "unknown format (--format) 'htlm'" in refused(call, *arguments, code=2)
