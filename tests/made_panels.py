"""Panels made up for the tests of people against people."""

from __future__ import annotations

from hypothesis import strategies as st

from jurybox.model import Annotation, Edit, Panel, Sentence

WORDS = ("a", "b", "c", "d")
TYPES = ("Nn", "Prep", "Wci")


@st.composite
def edits_of(draw: st.DrawFn, tokens: tuple[str, ...]) -> tuple[Edit, ...]:
    """A few edits that do not overlap."""
    edits = []
    at = 0
    for _ in range(draw(st.integers(0, 3))):
        if at > len(tokens):
            break
        start = draw(st.integers(at, len(tokens)))
        end = min(len(tokens), start + draw(st.integers(0, 2)))
        words = draw(st.lists(st.sampled_from(WORDS), max_size=2))
        if list(tokens[start:end]) != words:
            edits.append(
                Edit(start, end, " ".join(words) or "-NONE-", draw(st.sampled_from(TYPES)))
            )
        at = end + 1
    return tuple(edits)


@st.composite
def panels(draw: st.DrawFn, annotators: int, *, gaps: bool = False) -> Panel:
    """Some sentences, each corrected by everybody, or with gaps by some."""
    names = tuple(f"A{number}" for number in range(1, annotators + 1))
    sentences = []
    for _ in range(draw(st.integers(1, 4))):
        tokens = tuple(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)))
        looked = [name for name in names if not gaps or draw(st.booleans())]
        annotations = tuple(Annotation(name, draw(edits_of(tokens))) for name in looked)
        sentences.append(Sentence(tokens, annotations))
    return Panel(tuple(sentences), names)


@st.composite
def outputs(draw: st.DrawFn, panel: Panel) -> list[str]:
    """What a system makes of the sentences: a few edits of its own."""
    from jurybox.model import apply_edits

    return [
        " ".join(apply_edits(sentence.tokens, draw(edits_of(sentence.tokens))))
        for sentence in panel
    ]


def restricted(panel: Panel, names: tuple[str, ...]) -> Panel:
    """The panel as if only these had annotated; sentences none of them looked at are left out."""
    sentences = tuple(
        sentence._replace(
            annotations=tuple(a for a in sentence.annotations if a.annotator in names)
        )
        for sentence in panel
    )
    return Panel(tuple(s for s in sentences if s.annotations), names)
