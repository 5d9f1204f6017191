"""Malformed exports at the command line: file, line, column and a way out; never anybody's id.

Six faults of every format in which they can occur.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from calling import Call

SECRET = "APERSON"


def rows(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


MTURK = rows(
    "HITId,AssignmentId,WorkerId,Input.sentence,Answer.Q1",
    f"h1,a1,{SECRET}1,He go .,No",
    f"h1,a2,{SECRET}2,He go .,Yes",
    f"h2,a3,{SECRET}1,She ran .,Yes",
)
CROWDFLOWER = rows(
    "_unit_id,_id,_tainted,_worker_id,_ip,right,right_gold",
    f"u1,1,false,{SECRET}1,192.0.2.1,no,",
    f"u1,2,false,{SECRET}2,192.0.2.2,yes,",
    f"u2,3,false,{SECRET}1,192.0.2.1,yes,yes",
)
TOLOKA = rows(
    "INPUT:id\tINPUT:text\tOUTPUT:right\tASSIGNMENT:assignment_id\tASSIGNMENT:worker_id",
    f"t1\tHe go .\tno\tp1\t{SECRET}1",
    f"t1\tHe go .\tyes\tp2\t{SECRET}2",
    f"t2\tShe ran .\tyes\tp3\t{SECRET}1",
)
LONG = rows("case,worker,label", f"1,{SECRET}1,no", f"1,{SECRET}2,yes", f"2,{SECRET}1,yes")
GUG = rows(
    "Id\tSentence\tExpert Judgement\tCrowd Flower Judgements\tAverage\tDataset",
    "1\tHe go .\t2\t[2, 1, 2, 2, 3]\t2.0\ttrain",
    "2\tShe ran .\t4\t[4, 4, 4, 4, 4]\t4.0\ttrain",
    "3\tIt is .\t3\t[4, 3, 4, 4, 4]\t3.8\ttrain",
)


def task(number: int, text: str, *answers: tuple[int, int, str]) -> str:
    annotations = ", ".join(
        f'{{"id": {name}, "completed_by": "{SECRET}{who}", "result": '
        f'[{{"from_name": "q", "value": {{"choices": ["{label}"]}}}}]}}'
        for name, who, label in answers
    )
    return f'{{"id": {number}, "data": {{"text": "{text}"}}, "annotations": [{annotations}]}}'


FIRST = task(1, "He go .", (11, 1, "no"), (12, 2, "yes"))
SECOND = task(2, "She ran .", (13, 1, "yes"))
LABEL_STUDIO = f"[{FIRST},\n{SECOND},\n{task(3, 'It is .', (14, 2, 'yes'))}]\n"
DOCCANO = rows(
    '{"id": 1, "text": "He go .", "label": ["no"]}',
    '{"id": 2, "text": "She ran .", "label": ["yes"]}',
    '{"id": 3, "text": "It is .", "label": ["yes"]}',
)


def answer(case: int, who: int, given: str, at: int) -> str:
    return (
        f'{{"text": "He go .", "_input_hash": {case}, "_task_hash": {case}, "answer": "{given}", '
        f'"_annotator_id": "{SECRET}{who}", "_timestamp": {at}}}'
    )


PRODIGY = rows(
    answer(1, 1, "accept", 100), answer(1, 2, "reject", 200), answer(2, 1, "accept", 300)
)
OPTIONS = rows(
    *(
        line.replace('"answer"', '"options": [], "accept": ["good"], "answer"')
        for line in PRODIGY.splitlines()
    )
)


class Fault(NamedTuple):
    """A file, the place that the message must name, and the way out."""

    text: str
    place: str
    remedy: str
    encoding: str = "utf-8"


def cut(text: str, behind: str) -> str:
    """The file up to and with the last of these words."""
    return text[: text.rindex(behind) + len(behind)]


def last(text: str, old: str, new: str) -> str:
    return new.join(text.rsplit(old, 1))


def again(text: str) -> str:
    """The file with its last line twice."""
    return text + text.splitlines(keepends=True)[-1]


TAB = LONG.replace(",", "\t")
FAULTS = {
    # --- a column that is missing ---
    "mturk, no WorkerId": Fault(
        MTURK.replace("WorkerId", "Somebody"), ":1, columns 1 to 5", "--columns rater="
    ),
    "mturk, no answer": Fault(
        MTURK.replace("Answer.Q1", "Q1"), ":1, columns 1 to 5", "--columns label="
    ),
    "crowdflower, no case": Fault(
        CROWDFLOWER.replace("_unit_id,", "unit,").replace("_id,_", "_unit_id_,_"),
        ":1, columns 1 to 7",
        "--columns case=",
    ),
    "toloka, no worker": Fault(
        TOLOKA.replace("ASSIGNMENT:worker_id", "who"), ":1, columns 1 to 5", "--columns rater="
    ),
    "long, no label": Fault(LONG.replace("label", "colour"), ":1, columns 1 to 3", "label=colour"),
    "long TSV, no case": Fault(
        TAB.replace("case", "text"), ":1, columns 1 to 3", "--columns case="
    ),
    "gug, no sentence": Fault(
        GUG.replace("Sentence", "Text"), ":1, columns 1 to 6", "the columns are: Id, Text"
    ),
    "label_studio, no id": Fault(
        last(LABEL_STUDIO, '"id": 3, ', ""), ":3, key id", "--columns case="
    ),
    "doccano, no label": Fault(
        last(DOCCANO, '"label"', '"words"'), ":3, key label", "--columns label="
    ),
    "prodigy, no case": Fault(
        last(PRODIGY, '"_input_hash"', '"hash"'), ":3, key _input_hash", "--columns case="
    ),
    # --- a wrong delimiter ---
    "mturk; ": Fault(MTURK.replace(",", ";"), ":1, column 1, character 6", "by commas or tabs"),
    "crowdflower|": Fault(
        CROWDFLOWER.replace(",", "|"), ":1, column 1, character 9", "by commas or tabs"
    ),
    "toloka;": Fault(TOLOKA.replace("\t", ";"), ":1, column 1, character 9", "by commas or tabs"),
    "long;": Fault(LONG.replace(",", ";"), ":1, column 1, character 5", "by commas or tabs"),
    "long with blanks": Fault(
        LONG.replace(",", " "), ":1, column 1, character 5", "by commas or tabs"
    ),
    "long, one line;": Fault(
        last(last(LONG, ",", ";"), ",", ";"), ":4, column 2 (worker)", "separated by ';'"
    ),
    "gug|": Fault(GUG.replace("\t", "|"), ":1, column 1, character 3", "by commas or tabs"),
    "label_studio;": Fault(
        LABEL_STUDIO.replace("]},\n", "]};\n"), f":1, column {len(FIRST) + 2}", "export"
    ),
    "doccano;": Fault(last(DOCCANO, ", ", "; "), ":3, column 28", "one object a line"),
    "prodigy;": Fault(
        last(PRODIGY, ", ", "; "), f":3, column {answer(2, 1, 'accept', 3).rindex(',') + 1}", "one"
    ),
    # --- a file that is cut off ---
    "mturk, cut": Fault(cut(MTURK, "a3"), ":4, column 3 (WorkerId)", "cut off here"),
    "mturk, cut in quotes": Fault(
        cut(last(MTURK, "She", '"She'), "She"),
        ":4, column 4 (Input.sentence), character 16",
        "cut off",
    ),
    "crowdflower, cut": Fault(
        cut(CROWDFLOWER, "192.0.2.1"), ":4, column 6 (right)", "cut off here"
    ),
    "toloka, cut": Fault(cut(TOLOKA, "p3"), ":4, column 5 (ASSIGNMENT:worker_id)", "cut off"),
    "long, cut": Fault(cut(LONG, SECRET), ":4, column 3 (label)", "cut off here"),
    "long TSV, cut": Fault(cut(TAB, SECRET), ":4, column 3 (label)", "cut off here"),
    "gug, cut": Fault(cut(GUG, "3.8"), ":4, column 6 (Dataset)", "cut off here"),
    "label_studio, cut": Fault(cut(LABEL_STUDIO, '"annotations": ['), ":3, column 56", "cut off"),
    "doccano, cut": Fault(cut(DOCCANO, '"text": '), ":3, column 19", "cut off"),
    "prodigy, cut": Fault(cut(PRODIGY, '"text": '), ":3, column 10", "cut off"),
    # --- HTML in a cell ---
    "mturk, HTML": Fault(last(MTURK, "Yes", "<b>Yes</b>"), ":4, column 5 (Answer.Q1)", "--relabel"),
    "crowdflower, HTML in the gold": Fault(
        last(CROWDFLOWER, ",yes,yes", ",yes,<p>yes</p>"),
        ":4, column 7 (right_gold)",
        "--columns gold=",
    ),
    "crowdflower, HTML": Fault(
        CROWDFLOWER.replace(",no,", ",<p>no</p>,"), ":2, column 6 (right)", "--relabel"
    ),
    "toloka, HTML": Fault(
        last(TOLOKA, "yes", "yes&nbsp;"), ":4, column 3 (OUTPUT:right)", "--relabel"
    ),
    "long, HTML": Fault(last(LONG, "yes", "<br>"), ":4, column 3 (label)", "--relabel"),
    "long TSV, HTML": Fault(last(TAB, "yes", "<br>"), ":4, column 3 (label)", "--relabel"),
    "gug, HTML": Fault(
        last(GUG, "[4,", "<td>[4,"), ":4, column 4 (Crowd Flower Judgements)", "write one, as "
    ),
    "gug, HTML of the expert": Fault(
        last(GUG, "3\t[", "<b>3</b>\t["), ":4, column 3 (Expert Judgement)", "--relabel"
    ),
    "label_studio, HTML": Fault(
        last(LABEL_STUDIO, '"yes"', '"<b>yes</b>"'),
        ":3, key [2].annotations[0].result",
        "--relabel",
    ),
    "doccano, HTML": Fault(last(DOCCANO, '"yes"', '"<i>yes"'), ":3, key label", "--relabel"),
    "prodigy, HTML": Fault(last(OPTIONS, '"good"', '"<i>good"'), ":3, key accept", "--relabel"),
    # --- several encodings in one file: a good é before a bad one ---
    "mturk, mixed": Fault(
        MTURK.replace("He", "\xc3\xa9").replace("ran", "caf\xe9"),
        f":4, column 4 (Input.sentence), character {len(f'h2,a3,{SECRET}1,She caf') + 1}",
        "only this line",
        "latin-1",
    ),
    "crowdflower, mixed": Fault(
        last(CROWDFLOWER, "yes,yes", "s\xed,yes"),
        f":4, column 6 (right), character {len(f'u2,3,false,{SECRET}1,192.0.2.1,s') + 1}",
        "iconv",
        "latin-1",
    ),
    "toloka, mixed": Fault(
        last(TOLOKA, "yes", "s\xed"),
        ":4, column 3 (OUTPUT:right), character 15",
        "iconv",
        "latin-1",
    ),
    "long, mixed": Fault(
        last(LONG, "yes", "s\xed"), ":4, column 3 (label), character 13", "iconv", "latin-1"
    ),
    "long TSV, mixed in quotes": Fault(
        last(TAB, "yes", '"a ""b"" \xed"'), ":4, column 3 (label), character 21", "iconv", "latin-1"
    ),
    "long, mixed in the header": Fault(
        LONG.replace("label", "label,not\xe9"), ":1, column 4, character 22", "iconv", "latin-1"
    ),
    "gug, mixed": Fault(
        last(GUG, "It is", "caf\xe9"), ":4, column 2 (Sentence), character 6", "iconv", "latin-1"
    ),
    "label_studio, mixed": Fault(
        last(LABEL_STUDIO, "It is", "caf\xe9"), ":3, column 32", "iconv", "latin-1"
    ),
    "doccano, mixed": Fault(last(DOCCANO, "It", "\xe9"), ":3, column 20", "iconv", "latin-1"),
    "prodigy, mixed": Fault(last(PRODIGY, "He", "\xe9"), ":3, column 11", "iconv", "latin-1"),
    # --- an assignment twice ---
    "mturk, twice": Fault(again(MTURK), ":5, column 2 (AssignmentId)", "in line 4; .*Keep one"),
    "crowdflower, twice": Fault(again(CROWDFLOWER), ":5, column 2 (_id)", "in line 4; .*Keep one"),
    "toloka, twice": Fault(
        again(TOLOKA), ":5, column 4 (ASSIGNMENT:assignment_id)", "in line 4; .*Keep one"
    ),
    "gug, twice": Fault(again(GUG), ":5, column 1 (Id)", "in line 4; .*Keep one"),
    "label_studio, twice": Fault(
        LABEL_STUDIO.replace("[{", f"[{SECOND},\n{{", 1),
        ":3, key [2].annotations[0].id",
        r"in line 1 \(\[0\].annotations\[0\].id\); .*Keep one",
    ),
    "doccano, twice": Fault(again(DOCCANO), ":4, key id", "in line 3; .*Keep one"),
    "prodigy, twice": Fault(again(PRODIGY), ":4, key _task_hash", "in line 3; .*Keep one"),
}


@pytest.mark.parametrize("who", ["A2XYZ12345678", "192.0.2.1", "ann@example.org"])
def test_a_file_without_its_header_does_not_show_whose_it_is(
    call: Call, tmp_path: Path, who: str
) -> None:
    path = tmp_path / "batch.csv"
    path.write_text(f"h1,a1,{who},No\nh1,a2,{who},Yes\n", encoding="utf-8")
    code, _, err = call("agree", path)
    assert code == 1
    assert err.startswith(f"jurybox: {path}:1, column 3: somebody's id")
    assert "Put the line with the titles back" in err
    assert who not in err


@pytest.mark.parametrize("command", ["convert", "agree"])
@pytest.mark.parametrize("name", FAULTS)
def test_a_malformed_export_is_refused_with_line_column_and_a_way_out(
    call: Call, tmp_path: Path, name: str, command: str
) -> None:
    fault = FAULTS[name]
    path, target = tmp_path / "batch.txt", tmp_path / "j.csv"
    path.write_bytes(fault.text.encode(fault.encoding))
    code, out, err = call(command, path, *([target] if command == "convert" else []))
    assert code == 1
    assert not out
    assert not target.exists()
    first = err.splitlines()[0]
    assert first.startswith(f"jurybox: {path}{fault.place}: ")
    assert re.search(fault.remedy, first)
    assert "Traceback" not in err
    assert SECRET not in err
    assert "192.0.2" not in err
