"""People against people, one error type at a time (Bryant and Ng 2015, section 6.1)."""

from __future__ import annotations

from math import nan

from jurybox.api.ceiling_result import TypeCurve, TypeSize
from jurybox.api.ceiling_work import Work
from jurybox.api.people import choose_jobs, count_hypotheses, people_of
from jurybox.model import Annotation, Panel, Sentence


def score_types(work: Work) -> tuple[TypeCurve, ...]:
    """Every type's human scores, the most frequent type first.

    Hypothesis and references hold the edits of the type alone. Sentences without such an edit add
    nothing to anybody and are left out, and all types are matched in one pass.
    """
    import numpy as np

    from jurybox.stats.ceiling import score_ceiling, spread_over

    edits = count_types(work.panel)
    whole: list[Sentence] = []
    parts: dict[str, range] = {}
    for kind in edits:
        sentences = sentences_of_type(work.panel, kind)
        parts[kind] = range(len(whole), len(whole) + len(sentences))
        whole += sentences
    typed = Panel(tuple(whole), work.panel.annotators, work.panel.name)
    jobs = choose_jobs(typed, 0, work.jobs)
    people = people_of(typed)
    counts = count_hypotheses(typed, people, work.options, jobs=jobs, progress=work.progress)
    subsets = work.subsets
    curves = []
    for kind, places in parts.items():
        tables = [table.select(places) for table in counts.people.values()]
        scored = score_ceiling(tables, [], subsets, work.statistic)
        human = scored.human()
        sizes = []
        for size, combinations in subsets.combinations.items():
            part = subsets.of(size)
            compared = ~np.isnan(scored.people.scores[:, part])
            shares = scored.people.empty[:, part][compared]
            empty = float(shares.mean()) if shares.size else nan
            sizes.append(TypeSize(size, spread_over(human[part], combinations), empty))
        curves.append(TypeCurve(kind, edits[kind], tuple(sizes)))
    return tuple(curves)


def count_types(panel: Panel) -> dict[str, int]:
    """How many edits of each type all annotators made together, the most frequent first."""
    edits: dict[str, int] = {}
    for sentence in panel:
        for annotation in sentence.annotations:
            for edit in annotation.edits:
                edits[edit.type] = edits.get(edit.type, 0) + 1
    return dict(sorted(edits.items(), key=lambda item: (-item[1], item[0])))


def sentences_of_type(panel: Panel, kind: str) -> list[Sentence]:
    """The sentences in which somebody made an edit of a type, with the edits of that type alone."""
    found = []
    for sentence in panel:
        annotations = tuple(
            Annotation(name, tuple(edit for edit in edits if edit.type == kind))
            for name, edits in sentence.annotations
        )
        if any(annotation.edits for annotation in annotations):
            found.append(sentence._replace(annotations=annotations))
    return found
