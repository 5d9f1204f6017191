r"""Projects made of settings and files: all of it is stored, or nothing.

Cases come out of case files, blind files of `jurybox sample draw`, M2, and files of essays.
In addition to the columns of a case file (docs/formats.md) a project can use:

    first       choice: one of the two words (else `written`)
    second      choice: the other one; `written` says which is the writer's, unless a key does
    purpose     work, gold or practice; nothing: gold where `gold` is filled in, else work
    feedback    practice: what is said after the answer
    per_case    judgments that this case needs, where that is not --per-case
    batch       the batch of its judgments in exports (`jurybox agree --by-batch`)

`gold` holds the answer that is right, or a JSON list of several: labels for judge, words for cloze,
first, second, equal or bad for choice. For judge-trained, error and ok stand for two labels each;
extraneous, wrong, correct or equal ask for one. Essays (task correct) are read by
`essays/reading.py`; in a table their text stands in `sentence`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from jurybox.errors import UsageError, warn
from jurybox.formats import File, Input, as_input, detect
from jurybox.formats._io import is_whole_number
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables import sample_key
from jurybox.formats.tables._labels import LabelNumbers
from jurybox.formats.tables.long_tables import LongTable, note_unused
from jurybox.formats.tables.sample_key import SampleKey
from jurybox.jury.cases import derive_cases
from jurybox.model import LABELS, TRAINED_LABELS
from jurybox.serve.answers import complaints_about
from jurybox.serve.essays.reading import as_essay, is_table, read_essays
from jurybox.serve.model import NewCase, Project, Purpose
from jurybox.serve.settings import Settings, Task
from jurybox.serve.store import Store, open_store
from jurybox.serve.warning_turns import collected_warnings

MORE_COLUMNS = ("first", "second", "purpose", "feedback", "per_case", "batch")


class Files(NamedTuple):
    """What goes into a project: cases, and the keys of samples they were drawn with."""

    cases: tuple[Input, ...] = ()
    keys: tuple[Input, ...] = ()
    columns: Mapping[str, str] | None = None
    labels: Mapping[str, str] | None = None
    construction: str | None = None
    documents: Input | None = None  # the document map of M2, or of essays in text


class FilledProject(NamedTuple):
    project: Project
    notes: tuple[str, ...]


class ReadProject(NamedTuple):
    """Settings, cases and keys of a project, and what readers warn of."""

    settings: Settings
    cases: Sequence[NewCase]
    keys: Sequence[SampleKey]
    notes: tuple[str, ...]

    def make(self, store: Store, *, shuffle: bool = True) -> FilledProject:
        with store.database.transaction():
            project = store.create_project(self.settings)
            return self.fill(store, project, shuffle=shuffle)

    def fill(self, store: Store, project: Project, *, shuffle: bool) -> FilledProject:
        with store.database.transaction():
            if self.cases:
                project = store.add_cases(project.id, self.cases, shuffle=shuffle)
            for key in self.keys:
                store.add_key(project.id, key)
        return FilledProject(project, self.notes)


def check_project(settings: Settings, files: Files) -> ReadProject:
    """Read the files of a project, and try it out in a database that is thrown away.

    What is wrong with a case, or with a key, is known before the real database is opened.
    """
    found = _read_project(settings, files)
    with TemporaryDirectory() as folder, open_store(f"{folder}/trial.db") as trial:
        found.make(trial)
    return found


def make_project(
    store: Store, settings: Settings, files: Files, *, shuffle: bool = True
) -> FilledProject:
    return _read_project(settings, files).make(store, shuffle=shuffle)


def add_to_project(
    store: Store, project: Project, files: Files, *, shuffle: bool = True
) -> FilledProject:
    """More cases, or keys, for a project that is there; all files are read before any is stored."""
    return _read_project(project.settings, files).fill(store, project, shuffle=shuffle)


def _read_project(settings: Settings, files: Files) -> ReadProject:
    options = ("columns", "labels", "construction", "documents")
    given: dict[str, Any] = {name: getattr(files, name) or None for name in options}
    with collected_warnings() as notes:
        cases = [case for one in files.cases for case in read_cases(one, settings.task, **given)]
    return ReadProject(settings, cases, [sample_key.read(key) for key in files.keys], tuple(notes))


# --- cases out of files ---


def read_cases(
    source: File,
    task: Task = Task.JUDGE,
    *,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    construction: str | None = None,
    documents: File | None = None,
) -> list[NewCase]:
    """The cases of a file, in its order.

    M2 is derived: `construction` says which places are cases (`jurybox cases derive`). Trivial
    cases, which a rule decided before any judgment, are left out with a JuryboxWarning.
    `documents` is the document map of an M2 file, or of essays in a text; without it, cases of M2
    have no sentence before, with a JuryboxWarning.
    """
    given = as_input(source).keep()
    if task == Task.CORRECT:
        if construction is not None:
            raise UsageError("--construction is not for essays (correct): they are corrected whole")
        if not columns and not is_table(given):
            return read_essays(given, documents)
    if task != Task.CORRECT and detect(given) == "m2":
        return _derive(given, construction, documents)
    if documents is not None:
        raise UsageError(f"--documents is for M2 and for essays in text, not for {given.name}")
    if construction is not None:
        raise UsageError(f"--construction is for M2; {given.name} holds cases already")
    table = LongTable(
        given, (*case_files.COLUMNS, *MORE_COLUMNS), columns=columns, schema=case_files.SCHEMA
    )
    vocabulary = (*LABELS, *TRAINED_LABELS) if task == Task.TRAINED else LABELS
    found, trivial = _read_table(table, task, LabelNumbers(labels, vocabulary))
    if not found and not table.bad.count and not trivial:
        table.bad.add(None, "holds no case; write one per line below the header 'case'")
    table.bad.raise_first()
    if note := note_unused(table):
        warn(note)
    _warn_of_trivial(given.name, trivial)
    if task == Task.CORRECT:
        return [as_essay(case, given.name) for case in found]
    return found


def _read_table(table: LongTable, task: Task, labels: LabelNumbers) -> tuple[list[NewCase], int]:
    """The cases of a table, and how many are trivial; its complaints say what is wrong."""
    read_gold = _listed if task in (Task.CLOZE, Task.CHOICE) else labels.read_gold
    found: list[NewCase] = []
    lines: dict[str, int] = {}
    trivial = 0
    for block in table.blocks():
        for line, *row in zip(block.lines, *block.cells.values(), strict=True):
            cells = defaultdict(str, zip(block.cells, row, strict=True))
            if case_files.TRUTHS.get(cells["trivial"].strip().lower()):
                trivial += 1
                continue
            complain = partial(table.bad.add, line)
            before = table.bad.count
            case = _read_case(cells, complain, read_gold)
            found.append(case)
            if table.bad.count > before:
                continue
            first = lines.setdefault(case.id, line)
            if first != line:
                complain(
                    f"case '{case.id}' was given in line {first} already; keep one of them", "case"
                )
            elif task != Task.CORRECT:  # essays are looked at when they are made of it
                for field, message in complaints_about(case, task):
                    place = field if field in block.cells else None
                    complain(f"case '{case.id}': {message}", place)
                    break
    return found, trivial


def _read_case(
    cells: Mapping[str, str],
    complain: Callable[[str, str], None],
    read_gold: Callable[[str], tuple[str, ...]],
) -> NewCase:
    name = cells["case"].strip()
    if not name:
        complain("no case id; every case needs one", "case")
    numbers: dict[str, Any] = {}
    for field in ("start", "end", "per_case"):
        text = cells[field].strip()
        numbers[field] = int(text) if is_whole_number(text) else None
        if text and numbers[field] is None:
            what = "how many judgments it needs" if field == "per_case" else "tokens count from 0"
            complain(f"{field} '{text}' is not a whole number; {what}", field)
    purpose = cells["purpose"].strip().lower() or "work"
    if purpose not in tuple(Purpose):
        complain(f"purpose '{purpose}' is not one of {', '.join(Purpose)}", "purpose")
        purpose = "work"
    gold: tuple[str, ...] = ()
    try:
        gold = read_gold(cells["gold"].strip())
    except ValueError as error:
        complain(str(error), "gold")
    whole = ("sentence", "written", "before", "after", "feedback", "construction")
    texts: dict[str, Any] = {
        **{field: cells[field] for field in whole},
        **{field: cells[field].strip() for field in ("first", "second", "batch")},
        "document": cells["document"].strip() or None,
    }
    return NewCase(id=name, **texts, **numbers, purpose=Purpose(purpose), gold=gold)


def _listed(text: str) -> tuple[str, ...]:
    """Words: a JSON list, or the one that is there.

    >>> _listed('["in", "at"]'), _listed("in"), _listed("")
    (('in', 'at'), ('in',), ())
    """
    if not text.startswith("["):
        return (text,) if text else ()
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"gold {text[:40]} is no JSON list of words")
    return tuple(dict.fromkeys(words))


def _derive(given: File, construction: str | None, documents: File | None) -> list[NewCase]:
    derived = derive_cases(given, construction or "preposition", documents=documents)
    fields = (*case_files.SHOWN[1:], "construction", "document")
    found = [
        NewCase(case.id, **{name: getattr(case, name) for name in fields})
        for case in derived.case_set
        if not case.trivial
    ]
    name = as_input(given).name
    _warn_of_trivial(name, len(derived.case_set) - len(found))
    if not any(case.document for case in found):
        warn(
            f"{name}: raters see no sentence before, for documents are not known; name the SGML "
            "file or a document map with --documents, or give what jurybox cases derive makes"
        )
    return found


def _warn_of_trivial(name: str, count: int) -> None:
    if count:
        message = f"{name}: {count} trivial cases are left out: a rule decided them beforehand"
        warn(message)
