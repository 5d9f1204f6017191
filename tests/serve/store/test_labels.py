"""Case, rater and label alone: the export without its other columns and without gold."""

from __future__ import annotations

import csv

import pytest

from jurybox.serve.settings import Task
from jurybox.serve.store import Store, export
from serve.made_studies import judged
from serve.watched_studies import EVERYTHING, judge_some, make_study


@pytest.mark.parametrize("task", [Task.JUDGE, Task.CHOICE])
def test_labels_are_those_of_the_export_in_its_order(
    store: Store, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "_LABELS", export._LABELS.limit(7))  # several blocks
    project = make_study(store, 20, task=task, **EVERYTHING | {"gold_rule": None})
    judge_some(store, project, 60)
    store.stop_rater(store.raters(project.id)[0].id)
    given = store.labels_input(project.id)
    given_lines = (line for _, line in given.lines())
    rows = list(csv.DictReader(given_lines))
    words = export.PAIR if task == Task.CHOICE else ()
    wanted = [
        {name: row[name] for name in ("case", "rater", "label", "status", *words)}
        | {"status": "flagged" if "flagged" in row["status"] else ""}
        for row in judged(store, project.id, gold=False)
    ]
    assert len(rows) > 21
    assert {row["status"] for row in rows} == {"", "flagged"}
    assert rows == wanted
