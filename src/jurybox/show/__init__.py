"""`show`: one sentence, all corrections side by side (Table 1 of Bryant and Ng 2015)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from jurybox.options import Opt, Options, argument, verb
from jurybox.shared_options import PanelOptions, PanelSystems

if TYPE_CHECKING:
    from jurybox.show.result import ShowResult


class WhichSentence(Options):
    """The sentence."""

    sentence: Annotated[
        int | str,
        Opt(
            "its number, words that occur in it, or DOCUMENT:NUMBER",
            "SENTENCE",
            positional=True,
            many=True,
            read=lambda words, _flag: " ".join(words),
        ),
    ] = argument(kw_only=False)


class Show(PanelOptions, PanelSystems, WhichSentence):
    """What `show` is called with."""


@verb(Show)
def show(call: Show) -> ShowResult:
    r"""What every annotator and every system made of one sentence, and who made which edit.

    `sentence` is a number from 1, words that occur in one sentence only, or "DOCUMENT:NUMBER"
    where documents are known. Two edits are the same if span and correction are; of alternatives
    (`||`) the first counts. A text has no edits of its own: they are found by MaxMatch so that as
    many as possible are an annotator's; the others are the smallest.

    >>> from jurybox.formats import Input
    >>> text = "S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n"
    >>> result = show("dogs", Input.from_text(text), ["A dog ."])
    >>> result.sentence, result.annotators["0"].text, result.edits[0].systems
    (1, 'A dog .', ('hypothesis',))
    """
    from jurybox.show.showing import show_sentence

    return show_sentence(call)
