"""Judgments written: an export as our long table, or as other platforms read it.

A long table is written without the export being held, where its format allows. Label Studio JSON
and doccano JSONL are inverses of our readers for what the format can hold; what it cannot hold is
warned of.
"""

from __future__ import annotations

import io
import zipfile
from array import array
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeAlias

from jurybox.errors import InputError, unknown_name, warn
from jurybox.formats.platforms import CaseFacts, Export, Judgments, Pseudonyms
from jurybox.formats.platforms._export import ABOUT_TEXT, CASE_FIELDS, bad_lines, parse_list
from jurybox.formats.tables._columns import Numbering, find_repeats
from jurybox.formats.tables.coded import Block, converted
from jurybox.formats.tables.judgments import ReadJudgments, Repeats, note_repeats, tell_repeats
from jurybox.formats.tables.long_tables import (
    LineIndex,
    check_form,
    encode_json,
    write_objects,
    write_table,
)
from jurybox.model import LABEL_BITS, NOTHING, Case, CaseSet

if TYPE_CHECKING:
    import numpy as np

#: formats with a fixed list of columns, most of them empty as a rule; these files are small
HELD = ("label_studio", "doccano", "prodigy", "gug")


class Written(NamedTuple):
    """What was written, the cases it is about, and what the user should know."""

    judgments: int
    raters: int
    cases: CaseSet
    repeats: Repeats  # judgments by a rater on a case they had judged before; all are written
    notes: tuple[str, ...]


def write_export(
    export: Export, out: TextIO, form: str = "csv", *, pseudonyms: Pseudonyms | None = None
) -> Written:
    r"""One line per judgment, with every column the export has for it.

    Sentences and places are facts about cases: they are in the cases that come back.

    >>> import sys
    >>> from jurybox.formats import Input
    >>> from jurybox.formats.platforms import open_export
    >>> text = "HITId,AssignmentId,WorkerId,Answer.Q1\nh1,a1,w1,No\n"
    >>> export = open_export(Input.from_text(text), labels={"No": "error"})
    >>> written = write_export(export, sys.stdout, pseudonyms=Pseudonyms())
    case,rater,label
    h1,R1,error
    """
    check_form(form)
    unused = list(export.unused())  # asked first: what comes from a pipe can be read once
    bad = bad_lines("")
    facts, judged = CaseFacts(bad), _Judged()

    def watched() -> Iterator[Block]:
        """Blocks as they pass: cases kept, judgments counted, raters renamed."""
        for name, given in export.blocks():
            bad.name, bad.columns = name, dict(export.columns)
            cases, block = facts.take(given)
            bad.raise_first()
            if not len(cases):
                continue
            judged.take(cases, block, name)
            cells = dict(block.cells)
            if pseudonyms is not None:
                cells["rater"] = converted(cells["rater"], pseudonyms.__getitem__)
            currency = export.currency
            if currency and " " not in currency and "reward" in cells:
                cells["reward"] = [f"{cell} {currency}" if cell else "" for cell in cells["reward"]]
            yield block._replace(cells=cells)

    blocks = watched()
    fields = [field for field in export.fields if field not in CASE_FIELDS]
    if export.format in HELD:
        held = list(blocks)
        fields = [f for f in fields if any(any(block.cells.get(f, ())) for block in held)]
        blocks = iter(held)
    columns = ([block.cells.get(f, [""] * len(block.lines)) for f in fields] for block in blocks)
    rows = chain.from_iterable(zip(*each, strict=True) for each in columns)
    if form == "jsonl":
        records = ({f: c for f, c in zip(fields, row, strict=True) if c} for row in rows)
        lists = ({f: _in_json(f, cell) for f, cell in record.items()} for record in records)
        write_objects(lists, out)
    else:
        write_table(fields, rows, out, form)
    cases, repeats = facts.finish(), judged.repeats()
    notes = (*export.notes, *unused, *facts.notes(), *note_repeats(repeats, "all are written"))
    return Written(judged.rows, len(judged.raters.names), cases, repeats, notes)


def _in_json(field: str, cell: str) -> str | list[str]:
    return (parse_list(cell) or cell) if field in ("alternatives", "gold") else cell


class _Judged:
    """Who gave which label to which case, as numbers: 12 bytes for a judgment that is not held."""

    def __init__(self) -> None:
        self.raters = Numbering("rater", LABEL_BITS)
        self._labels = Numbering("label")
        self._case, self._rater, self._label = array("I"), array("I"), array("I")
        self._lines = LineIndex()

    @property
    def rows(self) -> int:
        return len(self._case)

    def take(self, cases: np.ndarray, block: Block, name: str) -> None:
        self._case.frombytes(cases.tobytes())
        raters = self.raters.numbers(block.cells["rater"])
        self._rater.frombytes(raters.tobytes())
        self._label.frombytes(self._labels.numbers(block.cells["label"]).tobytes())
        self._lines.add(name, block.lines)

    def repeats(self) -> Repeats:
        found = find_repeats(self._case, self._rater)
        pairs = zip(found.rows.tolist(), found.first.tolist(), strict=True)
        same = sum(self._label[row] == self._label[before] for row, before in pairs)
        return tell_repeats(found, same, self._lines)


#: a zip without a clock: the same judgments give the same bytes
NO_TIME = (1980, 1, 1, 0, 0, 0)


AnyJudgments: TypeAlias = Judgments | ReadJudgments


class _Judgment(NamedTuple):
    rater: str
    label: str
    corrections: tuple[str, ...]
    numbers: dict[str, float]  # of `extra`, where there is one
    is_model: bool


def _by_case(given: AnyJudgments) -> Iterator[tuple[Case, list[_Judgment]]]:
    """Every case with its judgments, in their order."""
    table = given.table
    rows: list[list[int]] = [[] for _ in given.cases.cases]
    for row, place in enumerate(table.case):
        rows[place].append(row)
    columns = {field: each for field, each in given.extra.items() if isinstance(each, array)}

    def judgment(row: int) -> _Judgment:
        rater, label = table.answer[row] >> LABEL_BITS, table.answer[row] & ((1 << LABEL_BITS) - 1)
        corrections = () if table.correction is None else table.corrections[table.correction[row]]
        numbers = {f: each[row] for f, each in columns.items() if not isnan(each[row])}
        is_model = table.kinds is not None and table.kinds[rater] == "model"
        return _Judgment(table.raters[rater], table.labels[label], corrections, numbers, is_model)

    for case, places in zip(given.cases.cases, rows, strict=True):
        yield case, list(map(judgment, places))


def write_label_studio(given: AnyJudgments, out: TextIO) -> None:
    r"""A list of tasks, one a line, as Label Studio imports it.

    The controls are called label, correction and confidence; `data` holds what is known of the
    case. Gold labels become annotations marked as ground truth, models' judgments predictions.

    >>> import sys
    >>> from jurybox.formats import Input
    >>> from jurybox.formats.platforms import read_judgments_of
    >>> text = Input.from_text("case,rater,label\nc1,7,ok\n")
    >>> write_label_studio(read_judgments_of(text), sys.stdout)  # doctest: +NORMALIZE_WHITESPACE
    [
    {"id": 1, "data": {"case": "c1"}, "annotations": [{"completed_by": 7, "result":
    [{"from_name": "label", "to_name": "sentence", "type": "choices", "value":
    {"choices": ["ok"]}}]}]}
    ]
    """
    _warn_of_losses(given, {"seconds", "confidence", "submitted"}, "Label Studio")
    numbers = {rater: place for place, rater in enumerate(given.table.raters, 1)}
    between = "["
    for place, (case, judgments) in enumerate(_by_case(given), 1):
        out.write(f"{between}\n{encode_json(_task(place, case, judgments, numbers))}")
        between = ","
    out.write("\n]\n" if between == "," else "[]\n")


def _task(
    place: int, case: Case, judgments: list[_Judgment], numbers: dict[str, int]
) -> dict[str, Any]:
    """A case with its judgments; `numbers` are those of raters, who need one in Label Studio."""
    known = {"case": case.id, **{field: getattr(case, field) for field in CASE_FIELDS}}
    data = {key: value for key, value in known.items() if value not in (None, "")}
    annotations: list[dict[str, Any]] = [
        {"ground_truth": True, "result": [_result("label", "choices", choices=_listed(label))]}
        for label in case.gold
    ]
    predictions: list[dict[str, Any]] = []
    for each in judgments:
        result = [_result("label", "choices", choices=_listed(each.label))]
        if each.corrections:
            words = [word or NOTHING for word in each.corrections]
            result.append(_result("correction", "textarea", text=words))
        created: dict[str, Any] = {}
        if "submitted" in each.numbers:
            moment = datetime.fromtimestamp(each.numbers["submitted"], UTC)
            created["created_at"] = moment.isoformat().replace("+00:00", "Z")
        confidence = each.numbers.get("confidence")
        if each.is_model:
            record = {"model_version": each.rater, "result": result, **created}
            predictions.append(record if confidence is None else {**record, "score": confidence})
            continue
        who: Any = _as_number(each.rater)
        if isinstance(who, str):
            who = {"id": numbers[who], "email": who}
        if confidence is not None:
            result.append(_result("confidence", "number", number=confidence))
        record = {"completed_by": who, "result": result}
        if "seconds" in each.numbers:
            seconds = each.numbers["seconds"]
            record["lead_time"] = int(seconds) if seconds.is_integer() else seconds
        annotations.append(record | created)
    task = {"id": place, "data": data, "annotations": annotations}
    return {**task, "predictions": predictions} if predictions else task


def _listed(label: str) -> list[str]:
    """What was chosen: the labels of a JSON list, or one."""
    return parse_list(label) or [label]


def _result(name: str, kind: str, **value: Any) -> dict[str, Any]:
    return {"from_name": name, "to_name": "sentence", "type": kind, "value": value}


def _as_number(name: str) -> int | str:
    """A whole number that is written as Python writes it; any other name as it is."""
    is_number = name.isascii() and name.isdecimal() and len(name) < 16 and str(int(name)) == name
    return int(name) if is_number else name


def write_doccano(given: AnyJudgments, out: TextIO, rater: str | None = None) -> None:
    r"""The judgments of one rater, as doccano imports them.

    >>> import sys
    >>> from jurybox.formats import Input
    >>> from jurybox.formats.platforms import read_judgments_of
    >>> text = Input.from_text("case,rater,label,sentence\nc1,Ann,ok,He sat .\n")
    >>> write_doccano(read_judgments_of(text), sys.stdout)
    {"id": "c1", "text": "He sat .", "label": ["ok"]}
    """
    raters = given.table.raters
    if rater is None and len(raters) > 1:
        raise InputError(
            f"doccano's JSONL holds one rater, and there are {len(raters)}; write a zip with one "
            "file for each (name the target with the ending .zip)"
        )
    if rater is not None and rater not in raters:
        raise unknown_name("rater", rater, raters)
    _warn_of_losses(given, set(), "doccano")
    wanted = (rater or raters[0]) if raters else ""
    out.writelines(_doccano_lines(given).get(wanted, ()))


def doccano_zip(given: AnyJudgments) -> bytes:
    """The zip that holds a JSONL file for every rater, called after them."""
    for rater in given.table.raters:
        if rater.startswith(".") or "/" in rater or "\\" in rater or "\0" in rater:
            raise InputError(
                "a rater's name cannot be the name of a file; give raters other names with "
                "--pseudonymise"
            )
    _warn_of_losses(given, set(), "doccano")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for rater, lines in _doccano_lines(given).items():
            member = zipfile.ZipInfo(f"{rater}.jsonl", NO_TIME)
            files.writestr(member, "".join(lines).encode(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _doccano_lines(given: AnyJudgments) -> dict[str, list[str]]:
    """Rater -> the lines of their file."""
    lines: dict[str, list[str]] = {rater: [] for rater in given.table.raters}
    for case, judgments in _by_case(given):
        for each in judgments:
            lines[each.rater].append(f"{encode_json(_document(case, each))}\n")
    return lines


def _document(case: Case, given: _Judgment) -> dict[str, Any]:
    record: dict[str, Any] = {"id": _as_number(case.id), "text": case.sentence}
    record["label"] = _listed(given.label)
    more = {
        **{field: getattr(case, field) for field in ("written", *ABOUT_TEXT)},
        "gold": list(case.gold) if len(case.gold) > 1 else "".join(case.gold),
        "correction": (given.corrections[0] or NOTHING) if given.corrections else "",
        "alternatives": [word or NOTHING for word in given.corrections[1:]],
    }
    return record | {key: value for key, value in more.items() if value}


def _warn_of_losses(given: AnyJudgments, kept: set[str], name: str) -> None:
    lost = sorted(
        field
        for field, column in given.extra.items()
        if field not in kept
        and (not all(map(isnan, column)) if isinstance(column, array) else any(column.words))
    )
    if name == "doccano":
        lost += ["start and end of cases"] * any(c.start is not None for c in given.cases.cases)
        lost += ["which raters are models"] * (given.table.kinds is not None)
    if lost:
        warn(f"{name} has no place for: {', '.join(lost)}; a long table keeps them")
