"""Options about text that is looked at: prose or M2, its documents, who tells its words apart."""

from __future__ import annotations

from typing import Any

from jurybox.cli._options import OneOf, add_files


def add_text(group: Any, *, m2: str = "M2 files of annotators") -> None:
    """Prose, or M2; `m2` is what is said of the latter."""
    add_files(group, "--text", "prose, a paragraph per line")
    add_tokenised(group)
    add_files(group, "--m2", m2)
    group.add_argument(
        "--documents", metavar="FILE", help="which document each sentence of --m2 belongs to"
    )


def add_tokenised(group: Any) -> None:
    """Whether --text is tokenised already."""
    group.add_argument(
        "--tokenised", action="store_true", help="--text is tokenised, a sentence per line"
    )


def add_tagger(
    group: Any, *, auto: str = "spaCy where it is installed", quick: bool = False
) -> None:
    """Who tells `to` before a verb from the preposition.

    `auto` is what that name stands for; `quick`: words are enough unless somebody asks for more.
    """
    names = ("words", "spacy", "auto") if quick else ("auto", "spacy", "words")
    others = "words, spacy" if quick else "spacy, words"
    default = "words, which is quick" if quick else "auto"
    group.add_argument(
        "--tagger",
        default=names[0],
        metavar="NAME",
        type=OneOf(*names),
        help=f"what tells to before a verb from the preposition: {others}, or auto for {auto} "
        f"(default: {default})",
    )
