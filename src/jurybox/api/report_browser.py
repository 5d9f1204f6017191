"""The sentence browser of the report: every sentence with what everybody made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jurybox.api.counting import Progress
from jurybox.api.inputs import System
from jurybox.api.panels import LoadedPanel
from jurybox.api.people import read_hypotheses
from jurybox.api.side_by_side import lay_out, sign
from jurybox.report.html import Browser, Edit, Sentence


def browse(
    loaded: LoadedPanel,
    opened: Sequence[System] = (),
    *,
    tokenize: bool = False,
    progress: Progress | None = None,
) -> Browser:
    r"""All sentences of a panel, each edit with everybody who made it.

    >>> from jurybox.api.inputs import systems_from
    >>> from jurybox.api.panels import load_panel
    >>> from jurybox.formats import Input
    >>> text = "S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n"
    >>> loaded = load_panel(Input.from_text(text))
    >>> made = browse(loaded, systems_from({"mine": ["A dog ."]})).sentences[0]
    >>> made.tokens, made.edits[0].annotators, made.edits[0].systems
    (('A', 'dogs', '.'), (0,), (0,))
    """
    written = [read_hypotheses(system, loaded, tokenized=not tokenize) for system in opened]
    people = {name: place for place, name in enumerate(loaded.panel.annotators)}
    machines = {system.name: place for place, system in enumerate(opened)}
    sentences = []
    for place, sentence in enumerate(loaded.panel):
        laid_out = lay_out(sentence, written, place)
        present = {one.name for one in laid_out.annotators}
        edits = tuple(
            Edit(
                edit.start,
                edit.end,
                edit.replacement,
                edit.types,
                _places(edit.annotators, people),
                _places(edit.systems, machines),
            )
            for edit in laid_out.edits
        )
        skipped = tuple(place for name, place in people.items() if name not in present)
        sentences.append(
            Sentence(
                loaded.numbers[place], sentence.document or "", sentence.tokens, edits, skipped
            )
        )
        if progress is not None:
            progress(1)
    return Browser(
        tuple(people), tuple(machines), tuple(sentences), sign(loaded, opened, tokenize=tokenize)
    )


def _places(names: Sequence[str], numbers: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(numbers[name] for name in names)
