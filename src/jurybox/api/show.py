"""`show`: one sentence, all corrections side by side (Table 1 of Bryant and Ng 2015)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jurybox.api.inputs import Gold, Hypothesis, System, systems_from
from jurybox.api.lookup import find_sentence
from jurybox.api.panels import Selection, load_panel
from jurybox.api.people import read_hypotheses
from jurybox.api.shown import ShowResult
from jurybox.api.side_by_side import lay_out, sign
from jurybox.formats import Input


def show(
    sentence: int | str,
    gold: Gold,
    systems: Hypothesis | Mapping[str, Hypothesis] | Sequence[Hypothesis] | None = None,
    *,
    gold_format: str | None = None,
    documents: Any = None,
    select: Selection = None,
    coverage: Any = None,
    hyp_format: str | None = None,
    tokenize: bool = False,
) -> ShowResult:
    r"""What every annotator and every system made of one sentence, and who made which edit.

    `sentence` is a number from 1, words that occur in one sentence only, or "DOCUMENT:NUMBER"
    where documents are known. Two edits are the same if span and correction are; of alternatives
    (`||`) the first counts. A text has no edits of its own: they are found by MaxMatch so that as
    many as possible are an annotator's; the others are the smallest.

    >>> text = "S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n"
    >>> result = show("dogs", Input.from_text(text), ["A dog ."])
    >>> result.sentence, result.annotators[0].text, result.edits[0].systems
    (1, 'A dog .', ('hypothesis',))
    """
    loaded = load_panel(
        gold, gold_format=gold_format, documents=documents, select=select, coverage=coverage
    )
    opened: list[System] = []
    if systems:
        opened = systems_from(systems, hyp_format=hyp_format)
    place = find_sentence(sentence, loaded)
    wanted = loaded.panel.sentences[place]
    written = [read_hypotheses(system, loaded, tokenized=not tokenize) for system in opened]
    laid_out = lay_out(wanted, written, place)
    present = {one.name for one in laid_out.annotators}
    files = [system.source for system in opened if isinstance(system.source, Input)]
    return ShowResult(
        sentence=loaded.numbers[place],
        sentences=loaded.total,
        document=wanted.document,
        tokens=wanted.tokens,
        annotators=laid_out.annotators,
        skipped=tuple(name for name in loaded.panel.annotators if name not in present),
        systems=laid_out.systems,
        edits=laid_out.edits,
        signature=sign(loaded, opened, tokenize=tokenize),
        inputs=(*loaded.inputs, *files),
    )
