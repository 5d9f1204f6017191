"""Label Studio: its JSON export.

A list of tasks, each with `data` and `annotations` (before 1.0 `completions`). An annotation has
results by name of the control (`from_name`): choices, a rating, a number or a pairwise choice is
the label, a text area the correction; labelled spans become cases of their own where nothing else
was asked. A cancelled annotation is a skipped one; one marked as ground truth is the gold label;
predictions are judgments of models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from jurybox.errors import Column, near_name, plural
from jurybox.formats._io import Input
from jurybox.formats.platforms._columns import Times
from jurybox.formats.platforms._export import (
    ABOUT_TEXT,
    CASE_FIELDS,
    ExportRequest,
    ExportRow,
    KeyFaultError,
    Raw,
    ordered,
    under,
)
from jurybox.formats.platforms._objects import (
    Marked,
    ObjectReading,
    Span,
    as_label,
    note_unmarked,
    read_span,
    span_rows,
)
from jurybox.formats.tables.long_tables import as_text, encode_json, listed

TITLE = "Label Studio JSON"
ANNOTATIONS = ("annotations", "completions")
#: where a control keeps what was answered
VALUES = ("choices", "rating", "number", "selected", "taxonomy")
TEXT = "text"
FROM_NAME = Column(title="[].annotations[].result[].from_name")
FIELDS = ordered(
    (
        *("case", "rater", "label", "correction", "alternatives", "gold", "kind"),
        *("confidence", "seconds", "submitted", *CASE_FIELDS),
    )
)
#: fields that are not read from a task's data
OWN = ("rater", "label", "correction", "alternatives", "confidence", "kind", "seconds", "submitted")
#: keys of the tasks that we write
OUR_KEYS = {"case": ("case",), "start": ("start",), "end": ("end",)}


class _Answer(NamedTuple):
    """One annotation or prediction."""

    rater: str
    values: dict[str, Any]  # by control
    texts: dict[str, list[str]]
    spans: dict[Span, str]
    cells: dict[str, str]
    key: str  # where it stands in its task
    leave: str = ""
    is_gold: bool = False


def read(given: Input, request: ExportRequest) -> Raw:
    """The judgments of a project; the whole file is held as text, its tasks one by one."""
    reading = _TaskReading(given, request)
    keys = {"case": "id", "label": "annotations[].result"}
    raw = reading.raw(FIELDS, keys)
    raw.titles = {"label": "from_name", **request.columns}
    return raw


class _TaskReading(ObjectReading):
    def __init__(self, given: Input, request: ExportRequest) -> None:
        # "id" asks for the task's own id, which is no key of its data
        own = (*OWN, "case") if request.columns.get("case") == "id" else OWN
        super().__init__(given.name, request, own, OUR_KEYS)
        self._given = given
        self._confidence = self._map.get("confidence", "confidence")  # the control that holds it
        self._controls: dict[str, None] = {}
        self._texts: dict[str, None] = {}
        self._unmarked: list[ExportRow] = []  # annotations without a label, before one was met
        self._times = Times()
        self._seen: dict[tuple[str, str], tuple[int, str]] = {}  # task and annotation -> place
        self._gold = self._predictions = self._bare = 0

    def rows(self) -> Iterator[ExportRow]:
        """One row per annotation; a task without any gives its case only."""
        yield from self.rows_of(self._given, self._named_task_rows)
        self.check_keys(self._given.name)
        self._check_controls()
        if self._controls:
            yield from self._unmarked
            if any(each.spans for each in self._spans):
                spans = sum(len(each.spans) for each in self._spans)
                self._notes.append(f"{plural(spans, 'marked span')} beside the label: not read")
        else:
            self._notes += note_unmarked(self._spans)
            yield from span_rows(self._spans)
        counted = (
            (self._gold, "annotation", "marked as ground truth: read as gold, not as judgments"),
            (self._predictions, "prediction", "read as judgments by models"),
            (self._bare, "task", "without a judgment"),
            (self._nameless, "annotation", "by nobody named: the rater is called after the file"),
        )
        self._notes += [f"{plural(count, noun)} {what}" for count, noun, what in counted if count]
        if note := self._times.note(Column(title="created_at")):
            self._notes.append(note)

    def _named_task_rows(self, line: int, task: dict[str, Any], place: int) -> list[ExportRow]:
        """The rows of a task; errors name it, for often all tasks are in one line."""
        with under(f"[{place}]"):
            return list(self._task_rows(line, task, f"[{place}]"))

    def _task_rows(self, line: int, task: dict[str, Any], at: str) -> Iterator[ExportRow]:
        data = task.get("data", {})
        if not isinstance(data, dict):
            raise KeyFaultError("data", "is no object; export the project as JSON")
        usual = "" if self._map.get("case", "id") != "id" else as_text(task.get("id"))
        facts = {"case": usual, **self.read_facts(data)}
        answers: list[_Answer] = []
        for keys, read_one in ((ANNOTATIONS, self._answer), (("predictions",), self._prediction)):
            key, given = _listed(task, *keys)
            for place, each in enumerate(given):
                with under(f"{key}[{place}]"):
                    answers.append(read_one(each, facts, f"{key}[{place}]"))
                    self._check_once(line, task, each, f"{at}.{key}[{place}].id")
        golds = [self._label(answer) for answer in answers if answer.is_gold]
        gold = list(dict.fromkeys(label for label in golds if label))
        self._gold += len(golds)
        if gold:
            facts["gold"] = encode_json(gold) if len(gold) > 1 else gold[0]
        self._spans += [_marked(line, facts, a) for a in answers if a.is_gold and not a.values]
        judged = self._named_raters([answer for answer in answers if not answer.is_gold])
        if not judged:
            self._bare += 1
            yield ExportRow(line, facts)
        for answer in judged:
            label = self._label(answer)
            cells = {**answer.cells, "rater": answer.rater, "label": label, "leave": answer.leave}
            cells["key"] = f"{at}.{answer.key}.result"
            row = ExportRow(line, {**facts, **cells, **self._correction(answer)})
            if label or answer.leave:
                yield row
            else:
                self._spans.append(_marked(line, facts, answer))
                self._unmarked.append(row)

    def _check_once(self, line: int, task: dict[str, Any], given: dict[str, Any], at: str) -> None:
        """An annotation that comes again in its task, or with it, is a copy."""
        ids = as_text(task.get("id")), as_text(given.get("id"))
        if not all(ids):
            return
        before, key = self._seen.setdefault(ids, (line, at))
        if key != at:
            self._bad.add(
                line,
                f"the same annotation as in line {before} ({key}); was the file put together from "
                "overlapping parts? Keep one of the two",
                at,
            )

    def _named_raters(self, answers: list[_Answer]) -> list[_Answer]:
        """Old exports do not say who it was: then the file's name, and the place, must do."""
        named = []
        nameless = 0
        for answer in answers:
            name = answer.rater
            if not name:
                nameless += 1
                name = self._given.stem + (f"-{nameless}" if nameless > 1 else "")
            named.append(answer._replace(rater=name))
        self._nameless += nameless
        return named

    def _answer(self, given: Any, facts: Mapping[str, str], key: str) -> _Answer:
        if not isinstance(given, dict):
            raise ValueError("an annotation is no object; export the project as JSON")
        cells = {"submitted": self._times[as_text(given.get("created_at"))]}
        if given.get("lead_time") is not None:
            cells["seconds"] = as_text(given["lead_time"])
        # who completed it: a number, a name, or an object with both
        who = given.get("completed_by", given.get("created_username", given.get("user")))
        if isinstance(who, dict):
            keys = ("email", "username", "id")
            who = next((who[key] for key in keys if who.get(key) not in (None, "")), "")
        leave = "skipped" if given.get("was_cancelled") or given.get("skipped") else ""
        values, texts, spans = self._results(given.get("result"), facts)
        is_gold = bool(given.get("ground_truth")) and not leave
        return _Answer(as_text(who), values, texts, spans, cells, key, leave, is_gold)

    def _prediction(self, given: Any, facts: Mapping[str, str], key: str) -> _Answer:
        if not isinstance(given, dict):
            raise ValueError("a prediction is no object; export the project as JSON")
        self._predictions += 1
        cells = {"kind": "model", "submitted": self._times[as_text(given.get("created_at"))]}
        if given.get("score") is not None:
            cells["confidence"] = as_text(given["score"])
        name = as_text(given.get("model_version")) or "model"
        return _Answer(name, *self._results(given.get("result"), facts), cells, key)

    def _results(
        self, results: Any, facts: Mapping[str, str]
    ) -> tuple[dict[str, Any], dict[str, list[str]], dict[Span, str]]:
        values: dict[str, Any] = {}
        texts: dict[str, list[str]] = {}
        spans: dict[Span, str] = {}
        for place, result in enumerate(_listed({"result": results or []}, "result")[1]):
            value = result.get("value", {}) if isinstance(result, dict) else None
            if not isinstance(value, dict):
                raise KeyFaultError(
                    f"result[{place}]", "a result without a value; export the project as JSON"
                )
            control = as_text(result.get("from_name"))
            if "start" in value and (marks := [key for key in value if key.endswith("labels")]):
                text = facts.get("sentence", "")
                with under(f"result[{place}].value"):
                    span, label = read_span(value["start"], value.get("end"), value[marks[0]], text)
                spans[span] = label
            elif answered := [key for key in VALUES if key in value]:
                values[control] = value[answered[0]]
                self._controls[control] = None
            elif TEXT in value:
                found = value[TEXT] if isinstance(value[TEXT], list) else [value[TEXT]]
                self._texts[control] = None
                texts[control] = [as_text(word) for word in found]
        return values, texts, spans

    def _label(self, answer: _Answer) -> str:
        wanted = self._map.get("label")
        if wanted is not None:
            return as_label(answer.values.get(wanted, answer.texts.get(wanted, [])))
        left = [value for name, value in answer.values.items() if name != self._confidence]
        return as_label(left[0]) if left else ""

    def _correction(self, answer: _Answer) -> dict[str, str]:
        """The text that was typed: of the control that is mapped, or of the only one."""
        cells: dict[str, str] = {}
        if answer.values.get(self._confidence) is not None:
            cells["confidence"] = as_text(answer.values[self._confidence])
        wanted = self._map.get("correction")
        texts = {k: v for k, v in answer.texts.items() if k != self._map.get("label")}
        if wanted is None and len(texts) > 1 and "correction" in texts:
            wanted = "correction"
        words = texts.get(wanted, []) if wanted else next(iter(texts.values()), [])
        if wanted is None and len(texts) > 1:
            raise KeyFaultError(
                f"{answer.key}.result",
                f"several texts were typed: {listed(list(texts))}; choose one with "
                f"--columns correction={next(iter(texts))}",
            )
        if words:
            cells["correction"] = words[0]
        if len(words) > 1:
            cells["alternatives"] = encode_json(words[1:])
        return cells

    def _check_controls(self) -> None:
        left = [name for name in self._controls if name != self._confidence]
        wanted = self._map.get("label")
        every = [*self._controls, *self._texts]
        message = ""
        if wanted is not None and wanted not in every:
            message = (
                f"no control is called '{wanted}' (--columns label={wanted})"
                f"{near_name(wanted, every)}; the controls are: {listed(every)}"
            )
        elif wanted is None and len(left) > 1:
            message = (
                f"{len(left)} controls may be the answer: {listed(left)}; choose one with "
                f"--columns label={left[0]}"
            )
        if message:
            raise self._given.error(message, 1, FROM_NAME)


def _listed(record: Mapping[str, Any], *keys: str) -> tuple[str, list[Any]]:
    """The first of the keys that is there, and its list."""
    for key in keys:
        if record.get(key) is not None:
            found = record[key]
            if not isinstance(found, list):
                raise KeyFaultError(key, "is no list; export the project as JSON")
            return key, found
    return keys[0], []


def _marked(line: int, facts: Mapping[str, str], answer: _Answer) -> Marked:
    sentence = facts.get("sentence", "")
    about = {field: facts[field] for field in ABOUT_TEXT if field in facts}
    known = (line, facts["case"], sentence, answer.rater, answer.spans, {**about, **answer.cells})
    return Marked(*known, is_gold=answer.is_gold)
