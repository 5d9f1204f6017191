"""What `jurybox score` reads: auto-detected formats, compressed files, standard input, prose."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import jurybox
from calling import Call

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
BOLD = SAMPLE / "bold.txt"


def scored(call: Call, *arguments: object) -> dict[str, Any]:
    code, out, err = call("score", *arguments, "--format", "json")
    assert (code, err) == (0, "")
    made: dict[str, Any] = json.loads(out)
    return made


def numbers(made: dict[str, Any]) -> list[Any]:
    (system,) = made["systems"]
    return [system[name] for name in ("tp", "fp", "fn", "precision", "recall", "f")]


@pytest.fixture
def expected(call: Call) -> list[Any]:
    return numbers(scored(call, BOLD, "--gold", GOLD))


@pytest.fixture
def as_m2(call: Call, tmp_path: Path) -> Path:
    """The bold system as edits on the source."""
    target = tmp_path / "bold.m2"
    source = SAMPLE / "source.txt"
    assert call("convert", source, target, "--corrected", BOLD)[0] == 0
    return target


def stand_in(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put bytes on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


@pytest.mark.parametrize("form", ["m2", "jsonl", "sgml"])
def test_a_hypothesis_with_edits_is_told_by_content_whatever_its_ending(
    call: Call, tmp_path: Path, as_m2: Path, expected: list[Any], form: str
) -> None:
    target = tmp_path / "hypothesis.txt"
    assert call("convert", as_m2, target, "--to", form)[0] == 0
    assert numbers(scored(call, target, "--gold", GOLD)) == expected
    assert numbers(scored(call, target, "--gold", GOLD, "--hyp-format", form)) == expected


@pytest.mark.parametrize("form", ["m2", "jsonl", "sgml"])
def test_gold_is_told_by_content_whatever_its_ending(call: Call, tmp_path: Path, form: str) -> None:
    target = tmp_path / "gold.dat"
    assert call("convert", GOLD, target, "--to", form)[0] == 0
    made = scored(call, BOLD, "--gold", target)
    assert made["signature"].startswith("jurybox m2|refs:2|")
    assert made == scored(call, BOLD, "--gold", target, "--gold-format", form)


@pytest.mark.parametrize("form", ["m2", "jsonl"])
def test_a_lossless_format_of_the_gold_gives_the_same_numbers(
    call: Call, tmp_path: Path, expected: list[Any], form: str
) -> None:
    target = tmp_path / f"again.{form}"
    assert call("convert", GOLD, target)[0] == 0
    assert numbers(scored(call, BOLD, "--gold", target)) == expected


def test_sgml_gold_gives_the_same_numbers_as_the_m2_it_was_made_from(
    call: Call, tmp_path: Path, expected: list[Any]
) -> None:
    target = tmp_path / "gold.sgml"
    assert call("convert", GOLD, target)[0] == 0
    assert numbers(scored(call, BOLD, "--gold", target)) == expected


def test_hyp_format_text_reads_as_text_what_looks_like_something_else(
    call: Call, tmp_path: Path
) -> None:
    gold = tmp_path / "g.m2"
    gold.write_text("S a\nA 0 1|||X|||S b|||REQUIRED|||-NONE-|||0\n\nS\n", encoding="utf-8")
    hypothesis = tmp_path / "h.txt"
    hypothesis.write_text("S b\n\n", encoding="utf-8")
    assert numbers(scored(call, hypothesis, "--gold", gold, "--hyp-format", "text"))[:3] == [
        1,
        0,
        0,
    ]


def test_hyp_format_m2_does_not_take_text_for_edits(call: Call) -> None:
    code, out, err = call("score", BOLD, "--gold", GOLD, "--hyp-format", "m2")
    assert (code, out) == (1, "")
    assert err.startswith(f"jurybox: {BOLD}:1: ")


def test_errant_takes_jsonl_edits_of_any_ending(call: Call, tmp_path: Path, as_m2: Path) -> None:
    target = tmp_path / "hypothesis.out"
    assert call("convert", as_m2, target, "--to", "jsonl")[0] == 0
    arguments = ["--gold", GOLD, "--metric", "errant", "--level", "span"]
    from_m2, from_jsonl = (
        json.loads(call("score", file, *arguments, "--format", "json")[1])
        for file in (as_m2, target)
    )
    assert numbers(from_m2) == numbers(from_jsonl)
    assert numbers(from_m2)[0] > 0


def test_errant_on_plain_text_says_what_to_install(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jurybox.metrics import extraction

    extraction._load_errant.cache_clear()
    monkeypatch.setitem(sys.modules, "errant", None)  # as if it were not installed
    code, out, err = call("score", BOLD, "--gold", GOLD, "--metric", "errant")
    assert (code, out) == (1, "")
    assert "pip install 'jurybox[errant]'" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("plain", [BOLD, GOLD], ids=["hypothesis", "gold"])
@pytest.mark.parametrize("ending", [".gz", ".xz"])
def test_compressed_files_are_read_and_hashed_as_stored(
    call: Call, tmp_path: Path, expected: list[Any], plain: Path, ending: str
) -> None:
    pack = gzip.compress if ending == ".gz" else lzma.compress
    packed = tmp_path / f"{plain.name}{ending}"
    packed.write_bytes(pack(plain.read_bytes()))
    files = [packed, "--gold", GOLD] if plain == BOLD else [BOLD, "--gold", packed]
    made = scored(call, *files)
    assert numbers(made) == expected
    assert {"path": str(packed), "sha256": sha256(packed.read_bytes()).hexdigest()} in made[
        "inputs"
    ]


def test_compression_is_told_by_content_and_not_by_the_name(
    call: Call, tmp_path: Path, expected: list[Any]
) -> None:
    packed = tmp_path / "bold.txt"
    packed.write_bytes(gzip.compress(BOLD.read_bytes()))
    assert numbers(scored(call, packed, "--gold", GOLD)) == expected


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_the_hypothesis_can_come_from_standard_input(
    call: Call,
    monkeypatch: pytest.MonkeyPatch,
    expected: list[Any],
    pack: Callable[[bytes], bytes],
) -> None:
    data = pack(BOLD.read_bytes())
    stand_in(monkeypatch, data)
    made = scored(call, "-", "--gold", GOLD)
    assert numbers(made) == expected
    assert made["systems"][0]["name"] == "stdin"
    assert made["inputs"][0]["sha256"] == sha256(data).hexdigest()


def test_edits_from_standard_input_are_told_by_content(
    call: Call, monkeypatch: pytest.MonkeyPatch, as_m2: Path, expected: list[Any]
) -> None:
    stand_in(monkeypatch, as_m2.read_bytes())
    assert numbers(scored(call, "-", "--gold", GOLD)) == expected


def test_the_gold_can_come_from_standard_input(
    call: Call, monkeypatch: pytest.MonkeyPatch, expected: list[Any]
) -> None:
    stand_in(monkeypatch, GOLD.read_bytes())
    made = scored(call, BOLD, "--gold", "-")
    assert numbers(made) == expected
    assert made["inputs"][1]["sha256"] == sha256(GOLD.read_bytes()).hexdigest()


def test_gold_from_standard_input_serves_several_systems(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [BOLD, SAMPLE / "cautious.txt"]
    from_file = scored(call, *files, "--gold", GOLD)
    stand_in(monkeypatch, GOLD.read_bytes())
    assert scored(call, *files, "--gold", "-")["systems"] == from_file["systems"]


def test_standard_input_given_twice_is_an_error_and_not_an_empty_file(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, GOLD.read_bytes())
    code, out, err = call("score", "-", "--gold", "-")
    assert (code, out) == (2, "")
    assert err == "jurybox: standard input (-) can be read only once\n"


def test_nothing_on_standard_input_is_an_error(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, b"")
    code, out, err = call("score", "-", "--gold", GOLD)
    assert (code, out) == (1, "")
    assert "is empty" in err


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(
    call: Call, tmp_path: Path, expected: list[Any]
) -> None:
    paths = []
    for plain in (BOLD, GOLD):
        paths.append(tmp_path / plain.name)
        paths[-1].write_bytes(b"\xef\xbb\xbf" + plain.read_bytes().replace(b"\n", b"\r\n"))
    assert numbers(scored(call, paths[0], "--gold", paths[1])) == expected


# --- prose ---------------------------------------------------------------------------------------


def detokenised(line: str) -> str:
    return line.replace(" .", ".").replace(" ,", ",")


@pytest.mark.parametrize("name", ["bold.txt", "cautious.txt", "rewriter.txt", "source.txt"])
def test_detokenised_prose_scores_like_its_tokens(call: Call, tmp_path: Path, name: str) -> None:
    tokens = SAMPLE / name
    prose = tmp_path / name
    prose.write_text(detokenised(tokens.read_text(encoding="utf-8")), encoding="utf-8")
    made = scored(call, prose, "--gold", GOLD, "--tokenize")
    assert made["systems"] == scored(call, tokens, "--gold", GOLD)["systems"]
    assert "|tokenize:jurybox|" in made["signature"]


def test_prose_without_tokenize_scores_differently(
    call: Call, tmp_path: Path, expected: list[Any]
) -> None:
    prose = tmp_path / "bold.txt"
    prose.write_text(detokenised(BOLD.read_text(encoding="utf-8")), encoding="utf-8")
    code, out, _ = call("score", prose, "--gold", GOLD, "--format", "json")
    assert code == 0
    assert numbers(json.loads(out)) != expected


def test_blank_and_cut_off_outputs_are_counted_and_reported(call: Call, tmp_path: Path) -> None:
    lines = BOLD.read_text(encoding="utf-8").splitlines()
    lines[2] = lines[5] = ""
    lines[10] = "There are a"
    broken = tmp_path / "broken.txt"
    broken.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, out, err = call("score", broken, "--gold", GOLD, "--format", "json")
    assert code == 0
    made = json.loads(out)
    assert (made["systems"][0]["blank"], made["systems"][0]["truncated"]) == (2, 1)
    blank, truncated = err.splitlines()
    assert blank.startswith(f"jurybox: warning: {broken}: 2 of 15 ")
    assert "line 3" in blank
    assert truncated.startswith(f"jurybox: warning: {broken}: 1 of 15 ")
    assert "line 11" in truncated
    assert [f"jurybox: warning: {line}" for line in made["warnings"]] == err.splitlines()


def test_misaligned_files_are_warned_of_with_the_first_suspicious_line(
    call: Call, tmp_path: Path
) -> None:
    lines = BOLD.read_text(encoding="utf-8").splitlines()
    shifted = tmp_path / "shifted.txt"
    shifted.write_text("\n".join([*lines[:5], *lines[6:], lines[5]]) + "\n", encoding="utf-8")
    code, _, err = call("score", shifted, "--gold", GOLD)
    assert code == 0
    assert err.startswith(f"jurybox: warning: {shifted}: ")
    assert "line 6" in err
    assert "aligned?" in err


@pytest.mark.parametrize("name", ["bold.txt", "cautious.txt", "rewriter.txt"])
def test_ordinary_output_gets_no_warning(call: Call, name: str) -> None:
    assert scored(call, SAMPLE / name, "--gold", GOLD)["warnings"] == []


def test_misaligned_errant_files_are_an_error_that_names_the_sentence(
    call: Call, tmp_path: Path, as_m2: Path
) -> None:
    blocks = as_m2.read_text(encoding="utf-8").split("\n\n")
    blocks[3], blocks[4] = blocks[4], blocks[3]
    swapped = tmp_path / "swapped.m2"
    swapped.write_text("\n\n".join(blocks), encoding="utf-8")
    code, out, err = call("score", swapped, "--gold", GOLD, "--metric", "errant")
    assert (code, out) == (1, "")
    assert "sentence 4" in err
    assert str(swapped) in err


def test_a_gold_line_that_stands_twice_is_warned_of(call: Call, tmp_path: Path) -> None:
    edit = "A 0 1|||X|||b|||REQUIRED|||-NONE-|||0\n"
    gold, hypothesis = tmp_path / "g.m2", tmp_path / "h.txt"
    gold.write_text("S a c\n" + edit + edit, encoding="utf-8")
    hypothesis.write_text("b c\n", encoding="utf-8")
    code, out, err = call("score", hypothesis, "--gold", gold, "--format", "json")
    made = json.loads(out)
    assert code == 0
    assert made["systems"][0]["precision"] == 2.0
    assert "precision is above 1" in err
    assert made["warnings"] == [err.removeprefix("jurybox: warning: ").rstrip("\n")]


def test_every_warning_on_standard_error_is_in_the_json(call: Call, tmp_path: Path) -> None:
    edit = "A 0 1|||R:NOUN|||b|||REQUIRED|||-NONE-|||0\n"
    both = tmp_path / "both.m2"
    both.write_text("S a c\n" + edit, encoding="utf-8")
    arguments = [both, "--gold", both, "--metric", "errant", "--types", "VREB"]
    code, out, err = call("score", *arguments, "--format", "json")
    assert code == 0
    assert "VREB" in err
    assert [f"jurybox: warning: {line}" for line in json.loads(out)["warnings"]] == err.splitlines()
