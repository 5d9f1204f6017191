"""Case, rater and label alone: the export without its other columns and without gold."""

from __future__ import annotations

import csv

import pytest

from jurybox.serve.model import Task
from jurybox.serve.store import Store, labels
from serve.made_studies import judged
from serve.watched_studies import EVERYTHING, judge_some, make_study


@pytest.mark.parametrize("task", [Task.JUDGE, Task.CHOICE])
def test_labels_are_those_of_the_export_in_its_order(
    store: Store, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labels, "_LABELS", labels._LABELS.limit(7))  # several blocks
    project = make_study(store, 20, task=task, **EVERYTHING)
    judge_some(store, project, 60)
    given = store.labels_input(project.id)
    given_lines = (line for _, line in given.lines())
    rows = list(csv.DictReader(given_lines))
    wanted = [
        {name: row[name] for name in labels.COLUMNS}
        for row in judged(store, project.id, gold=False)
    ]
    assert len(rows) > 21
    assert rows == wanted
