"""Options that several verbs about detectors share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

from jurybox.errors import UsageError
from jurybox.formats import File
from jurybox.options import Opt, Options

Folder = str | os.PathLike[str]
Several = File | Sequence[File]
TAGGING = "tagging (maxent, perceptron)"
DOCUMENTS = "which document each sentence of --m2, or of --tokenised text, belongs to"


class Tokenised(Options, group="text"):
    """Whether text is tokenised already."""

    tokenised: Annotated[bool, Opt("--text is tokenised, a sentence per line")] = False


class SplitText(Tokenised, group="text"):
    """The same, and how one text is learnt from and tested on (Tetreault and Chodorow 2008)."""

    split: Annotated[
        float | None,
        Opt(
            "split --text at random, by article or paragraph: detect train learns from this "
            "share, detect selection chooses in the rest",
            "R",
            above=0,
            below=1,
        ),
    ] = None


class TextOrM2(Tokenised, group="text"):
    """The text to look at: prose, tokens, or the files of annotators."""

    text: Annotated[Several | None, Opt("prose, a paragraph per line", "FILE", many=True)] = None
    m2: Annotated[Several | None, Opt("M2 files of annotators", "FILE", many=True)] = None
    documents: Annotated[File | None, Opt(DOCUMENTS, "FILE")] = None

    def check(self) -> None:
        super().check()
        if self.documents is not None and self.m2 is None and not self.tokenised:
            raise UsageError("--documents is about --m2 and --tokenised text; leave it out")


class Tagging(Options, group=TAGGING):
    """Which spaCy model tags."""

    spacy_model: Annotated[
        str | None,
        Opt(
            "the spaCy model that tags words (maxent, perceptron); without it the model that "
            "training used, or the usual one that is installed",
            "NAME",
        ),
    ] = None


class CachedTagging(Tagging, group=TAGGING):
    """The same, and where tagged text is kept; False: nowhere."""

    cache: Annotated[
        Folder | bool | None,
        Opt(
            "where tagged text is kept, so that nothing is tagged twice",
            "FOLDER",
            default="jurybox/tagged in the user's cache",
        ),
    ] = None


class Jobs(Options):
    """How many processes."""

    jobs: Annotated[int | None, Opt("processes", "N", least=1, default="all cores")] = None
