"""`jurybox convert`: every direction, panels, choice of annotators, files whole or not at all."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import calling
import jurybox
from calling import Call

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
SOURCE = SAMPLE / "source.txt"
BOLD = SAMPLE / "bold.txt"
CAUTIOUS = SAMPLE / "cautious.txt"


def converted(call: Call, *files: Path, options: Sequence[object] = ()) -> Path:
    """The file that a conversion of the sample writes; no complaints."""
    code, out, err = call("convert", *files, *options)
    assert (code, out) == (0, "")
    assert err.startswith("wrote 15 sentences")
    return files[-1]


def refused(call: Call, *arguments: object) -> str:
    err = calling.refused(call, "convert", *arguments)
    assert err.count("\n") == 1
    return err


# --- directions ----------------------------------------------------------------------------------


def test_m2_and_jsonl_are_exact_inverses(call: Call, tmp_path: Path) -> None:
    jsonl = converted(call, GOLD, tmp_path / "g.jsonl")
    m2 = converted(call, jsonl, tmp_path / "g.m2")
    assert m2.read_bytes() == GOLD.read_bytes()
    assert converted(call, m2, tmp_path / "h.jsonl").read_bytes() == jsonl.read_bytes()


def test_jsonl_holds_one_sentence_per_line(call: Call, tmp_path: Path) -> None:
    lines = converted(call, GOLD, tmp_path / "g.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 15
    assert json.loads(lines[0]) == {
        "tokens": ["She", "go", "to", "school", "by", "bus", "every", "day", "."],
        "annotations": [
            {
                "annotator": who,
                "edits": [{"start": 1, "end": 2, "replacement": "goes", "type": "SVA"}],
            }
            for who in ("0", "1")
        ],
    }


def test_sgml_keeps_the_sentences_and_what_every_annotator_corrected(
    call: Call, tmp_path: Path
) -> None:
    sgml = converted(call, GOLD, tmp_path / "g.sgml")
    code, _, err = call("convert", sgml, tmp_path / "g.m2")
    assert code == 0
    assert "M2 has no documents" in err
    for annotator in ("0", "1"):
        texts = [
            converted(call, path, tmp_path / f"{number}.txt", options=["--annotator", annotator])
            for number, path in enumerate((GOLD, tmp_path / "g.m2", sgml))
        ]
        assert texts[0].read_bytes() == texts[1].read_bytes() == texts[2].read_bytes()


def test_sgml_laid_onto_given_tokens_has_their_tokens(call: Call, tmp_path: Path) -> None:
    sgml = tmp_path / "essay.sgml"
    sgml.write_text(
        '<DOC nid="1">\n<TEXT>\n<P>\nHe go home. She stays.\n</P>\n</TEXT>\n'
        '<ANNOTATION teacher_id="7">\n'
        '<MISTAKE start_par="0" start_off="3" end_par="0" end_off="5">\n'
        "<TYPE>SVA</TYPE>\n<CORRECTION>goes</CORRECTION>\n</MISTAKE>\n</ANNOTATION>\n</DOC>\n",
        encoding="utf-8",
    )
    tokens = tmp_path / "tokens.m2"
    tokens.write_text("S He go home. She stays .\n", encoding="utf-8")
    target = tmp_path / "laid.jsonl"
    code, _, err = call("convert", sgml, target, "--tokens", tokens)
    assert (code, err.count("\n")) == (0, 1)
    (sentence,) = map(json.loads, target.read_text(encoding="utf-8").splitlines())
    assert sentence["tokens"] == ["He", "go", "home.", "She", "stays", "."]
    (annotation,) = sentence["annotations"]
    assert annotation["edits"] == [{"start": 1, "end": 2, "replacement": "goes", "type": "SVA"}]


def test_the_corrected_text_of_an_annotator_has_the_edits_applied(
    call: Call, tmp_path: Path
) -> None:
    lines = (
        converted(call, GOLD, tmp_path / "c.txt", options=["--annotator", "1"])
        .read_text()
        .splitlines()
    )
    assert lines[0] == "She goes to school by bus every day ."
    assert lines[6] == "The facts on this page are wrong ."
    assert lines[9] == "It was raining , but they played football ."
    assert lines[12] == "This book is very useful for students ."


def test_the_source_text_can_be_taken_out(call: Call, tmp_path: Path) -> None:
    target = converted(call, GOLD, tmp_path / "s.txt", options=["--source-text"])
    assert target.read_bytes() == SOURCE.read_bytes()


def test_text_of_several_annotators_needs_a_choice(call: Call, tmp_path: Path) -> None:
    message = refused(call, GOLD, tmp_path / "c.txt")
    assert "--annotator" in message
    assert "0, 1" in message
    assert list(tmp_path.iterdir()) == []


def test_corrected_texts_become_edits_that_lead_back_to_them(call: Call, tmp_path: Path) -> None:
    m2 = converted(call, SOURCE, tmp_path / "p.m2", options=["--corrected", BOLD, CAUTIOUS])
    assert converted(call, m2, tmp_path / "s.txt", options=["--source-text"]).read_bytes() == (
        SOURCE.read_bytes()
    )
    for annotator, text in (("0", BOLD), ("1", CAUTIOUS)):
        back = converted(call, m2, tmp_path / "back.txt", options=["--annotator", annotator])
        assert back.read_bytes() == text.read_bytes()


def test_aligned_edits_are_the_smallest_ones(call: Call, tmp_path: Path) -> None:
    m2 = converted(call, SOURCE, tmp_path / "p.m2", options=["--corrected", BOLD])
    assert m2.read_text(encoding="utf-8").split("\n\n")[0].splitlines() == [
        "S She go to school by bus every day .",
        "A 1 2|||UNK|||goes|||REQUIRED|||-NONE-|||0",
        "A 3 3|||UNK|||the|||REQUIRED|||-NONE-|||0",
    ]


def test_prose_is_tokenised_before_it_is_aligned(call: Call, tmp_path: Path) -> None:
    paths = []
    for text in (SOURCE, BOLD):
        paths.append(tmp_path / text.name)
        prose = text.read_text(encoding="utf-8").replace(" .", ".").replace(" ,", ",")
        paths[-1].write_text(prose, encoding="utf-8")
    options = ["--tokenize", "--corrected", paths[1]]
    from_prose = converted(call, paths[0], tmp_path / "a.m2", options=options)
    from_tokens = converted(call, SOURCE, tmp_path / "b.m2", options=["--corrected", BOLD])
    assert from_prose.read_bytes() == from_tokens.read_bytes()


def test_several_files_become_one_panel(call: Call, tmp_path: Path) -> None:
    singles = []
    for number in ("0", "1"):
        singles.append(tmp_path / f"A{number}.m2")
        converted(call, GOLD, singles[-1], options=["--annotator", number])
    panel = converted(call, *singles, tmp_path / "panel.jsonl")
    first = json.loads(panel.read_text(encoding="utf-8").splitlines()[1])
    assert [annotation["annotator"] for annotation in first["annotations"]] == ["A0", "A1"]
    assert [len(annotation["edits"]) for annotation in first["annotations"]] == [2, 1]


def test_only_the_annotators_asked_for_are_kept(call: Call, tmp_path: Path) -> None:
    target = converted(call, GOLD, tmp_path / "one.m2", options=["--annotator", "1"])
    annotators = {
        line.rsplit("|||", 1)[1]
        for line in target.read_text(encoding="utf-8").splitlines()
        if line.startswith("A ")
    }
    assert annotators == {"1"}


@pytest.mark.parametrize(("noop", "lines"), [("needed", 0), ("always", 1)])
def test_noop_lines_are_written_where_needed_or_always(
    call: Call, tmp_path: Path, noop: str, lines: int
) -> None:
    gold = tmp_path / "one.m2"
    gold.write_text("S a b\n\nS c\nA 0 1|||X|||d|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    target = tmp_path / "out.m2"
    assert call("convert", gold, target, "--noop", noop)[0] == 0
    assert target.read_text(encoding="utf-8").count("|||noop|||") == lines


def test_a_sentence_the_annotator_has_not_seen_is_not_silently_left_uncorrected(
    call: Call, tmp_path: Path
) -> None:
    # combined.m2 of CoNLL-2014 leaves annotator 1 out where the edits are those of annotator 0
    gold = tmp_path / "g.m2"
    edit = "A 0 1|||X|||b|||REQUIRED|||-NONE-|||{}\n"
    gold.write_text(f"S a\n{edit.format(0)}\nS a\n{edit.format(1)}", encoding="utf-8")
    code, _, err = call("convert", gold, tmp_path / "one.txt", "--annotator", "1")
    assert code == 0
    warning = err.splitlines()[0]
    assert warning.startswith("jurybox: warning: 1 ")
    assert "--missing-annotator" in warning
    target = tmp_path / "one.m2"
    code, _, err = call("convert", gold, target, "--annotator", "1", "--missing-annotator", "same")
    assert (code, "warning" in err) == (0, False)
    edits = [line for line in target.read_text(encoding="utf-8").splitlines() if line[:2] == "A "]
    assert edits == [edit.format(1).strip()] * 2


def test_documents_are_added_from_a_map(call: Call, tmp_path: Path) -> None:
    documents = tmp_path / "documents.txt"
    documents.write_text("".join(f"essay {n // 5}\n" for n in range(15)), encoding="utf-8")
    target = tmp_path / "with.jsonl"
    assert call("convert", GOLD, target, "--documents", documents)[0] == 0
    found = [json.loads(line)["document"] for line in target.read_text().splitlines()]
    assert found == [f"essay {n // 5}" for n in range(15)]


@pytest.mark.parametrize("ending", [".gz", ".xz"])
def test_a_compressed_target_is_compressed_and_read_again(
    call: Call, tmp_path: Path, ending: str
) -> None:
    packed = converted(call, GOLD, tmp_path / f"g.m2{ending}")
    assert packed.read_bytes() != GOLD.read_bytes()
    assert converted(call, packed, tmp_path / "g.m2").read_bytes() == GOLD.read_bytes()


@pytest.mark.parametrize("name", ["gold.txt", "gold.dat", "gold"])
def test_to_decides_the_format_whatever_the_ending(call: Call, tmp_path: Path, name: str) -> None:
    target = converted(call, GOLD, tmp_path / name, options=["--to", "m2"])
    assert target.read_bytes() == GOLD.read_bytes()


def test_the_input_format_can_be_forced(call: Call, tmp_path: Path) -> None:
    only_sentences = tmp_path / "s.m2"
    only_sentences.write_text("S a b .\n", encoding="utf-8")
    target = tmp_path / "out.txt"
    code, _, _ = call("convert", only_sentences, target, "--input-format", "m2", "--source-text")
    assert (code, target.read_text(encoding="utf-8")) == (0, "a b .\n")


# --- pipes ---------------------------------------------------------------------------------------


def test_the_result_goes_to_standard_output_and_the_summary_does_not(call: Call) -> None:
    code, out, err = call("convert", GOLD, "-", "--to", "m2")
    assert (code, out) == (0, GOLD.read_text(encoding="utf-8"))
    assert err.startswith("wrote 15 sentences")


def test_the_json_summary_keeps_out_of_a_result_on_standard_output(call: Call) -> None:
    code, out, err = call("convert", GOLD, "-", "--to", "m2", "--format", "json")
    assert (code, out) == (0, GOLD.read_text(encoding="utf-8"))
    assert json.loads(err)["command"] == "convert"


def test_standard_input_is_converted(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(GOLD.read_bytes()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    code, out, _ = call("convert", "-", "-", "--to", "m2")
    assert (code, out) == (0, GOLD.read_text(encoding="utf-8"))


def test_standard_output_needs_a_format(call: Call) -> None:
    assert "--to" in refused(call, GOLD, "-")


# --- what was done -------------------------------------------------------------------------------


def test_the_summary_says_what_was_written(call: Call, tmp_path: Path) -> None:
    target = tmp_path / "g.jsonl"
    _, _, err = call("convert", GOLD, target)
    assert err == f"wrote 15 sentences with 44 edits by 0, 1 to {target} (jsonl)\n"


def test_the_json_summary_has_the_envelope_of_all_commands(call: Call, tmp_path: Path) -> None:
    target = tmp_path / "g.jsonl"
    code, out, err = call("convert", GOLD, target, "--format", "json")
    assert (code, err) == (0, "")
    made = json.loads(out)
    assert list(made)[:5] == ["schema", "command", "version", "signature", "inputs"]
    assert (made["sentences"], made["edits"], made["annotators"]) == (15, 44, ["0", "1"])
    assert (made["target"], made["format"]) == (str(target), "jsonl")
    assert made["inputs"][0]["path"] == str(GOLD)


# --- mistakes ------------------------------------------------------------------------------------


def test_an_ending_that_tells_nothing_is_answered_with_those_that_do(
    call: Call, tmp_path: Path
) -> None:
    message = refused(call, GOLD, tmp_path / "gold.xml")
    assert "gold.xml" in message
    assert ".jsonl" in message
    assert "--to" in message


def test_an_unknown_format_is_answered_with_the_near_one(call: Call, tmp_path: Path) -> None:
    assert "did you mean 'sgml'?" in refused(call, GOLD, tmp_path / "x", "--to", "sgm")


@pytest.mark.parametrize("target", ["c.txt", "c.m2", "c.jsonl", "c.sgml"])
def test_an_unknown_annotator_is_answered_with_those_there_are(
    call: Call, tmp_path: Path, target: str
) -> None:
    message = refused(call, GOLD, tmp_path / target, "--annotator", "7")
    assert "'7'" in message
    assert "0, 1" in message


def test_plain_text_alone_is_answered_with_the_way_to_edits(call: Call, tmp_path: Path) -> None:
    message = refused(call, SOURCE, tmp_path / "g.m2")
    assert str(SOURCE) in message
    assert "--corrected" in message


def test_corrected_texts_of_another_length_are_refused(call: Call, tmp_path: Path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("One line .\n", encoding="utf-8")
    message = refused(call, SOURCE, tmp_path / "g.m2", "--corrected", short)
    assert f"{SOURCE}:2" in message
    assert str(short) in message


def test_a_conversion_that_fails_half_way_leaves_no_file(call: Call, tmp_path: Path) -> None:
    broken = tmp_path / "broken.m2"
    broken.write_text(
        "S a b\n\n" * 100 + "S c\nA 5 6|||X|||y|||REQUIRED|||-NONE-|||0\n", encoding="utf-8"
    )
    target = tmp_path / "out.jsonl"
    assert refused(call, broken, target).startswith(f"jurybox: {broken}:202: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.m2"]


def test_a_conversion_that_fails_does_not_touch_the_target(call: Call, tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("precious\n", encoding="utf-8")
    refused(call, GOLD, target, "--annotator", "7")
    assert target.read_text(encoding="utf-8") == "precious\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.txt"]


def test_a_file_can_be_converted_onto_itself(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "gold.m2"
    path.write_bytes(GOLD.read_bytes())
    converted(call, path, path)
    assert path.read_bytes() == GOLD.read_bytes()
