"""Options that several verbs about detectors share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

from jurybox.formats import File
from jurybox.options import Opt, Options

Folder = str | os.PathLike[str]
Several = File | Sequence[File]
TAGGING = "tagging (maxent, perceptron)"


class Tokenised(Options, group="text"):
    """Whether text is tokenised already."""

    tokenised: Annotated[bool, Opt("--text is tokenised, a sentence per line")] = False


class TextOrM2(Tokenised, group="text"):
    """The text to look at: prose, tokens, or the files of annotators."""

    text: Annotated[Several | None, Opt("prose, a paragraph per line", "FILE", many=True)] = None
    m2: Annotated[Several | None, Opt("M2 files of annotators", "FILE", many=True)] = None
    documents: Annotated[
        File | None, Opt("which document each sentence of --m2 belongs to", "FILE")
    ] = None


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
