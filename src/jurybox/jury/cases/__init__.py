"""`derive_cases`: a panel of edits as cases, judgments and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from jurybox.options import Opt, argument, verb
from jurybox.shared_options import (
    DuplicateCases,
    GoldEdits,
    PanelOptions,
    SystemOptions,
    ToTagger,
    Watched,
    keep_or_drop,
)

if TYPE_CHECKING:
    from jurybox.jury.cases.result import DerivedCases

#: and type=NAME, for any type of edits, and files; `constructions.toml` defines them
CONSTRUCTIONS = (
    *("preposition", "article", "comma", "token"),
    *("extraneous-preposition", "wrong-preposition", "extraneous-article", "wrong-article"),
    *("missing-preposition", "missing-article", "missing-comma"),
)
ERROR_RULES = ("type", "any-edit")


class CaseDefinition(GoldEdits):
    """What is a case, and when it is an error."""

    construction: Annotated[
        str | Sequence[str],
        Opt(
            "what is a case: preposition, article, comma, token, one kind of error alone "
            "(extraneous-, wrong- or missing-preposition, extraneous-, wrong- or "
            "missing-article, missing-comma), type=NAME (every token, errors by edits of that "
            "type), or a file with your own words and types (FILE.toml, or FILE.toml:NAME for one "
            "of them); several if they do not share places",
            "NAME",
            many=True,
            values=CONSTRUCTIONS,
            open_values=True,
        ),
    ] = argument(kw_only=False, default="preposition")
    error_rule: Annotated[
        str,
        Opt(
            "which edits make a case an error: type (those of the construction's own types; all "
            "where the data has no types) or any-edit",
            "RULE",
            values=ERROR_RULES,
            noun="error rule",
        ),
    ] = "type"
    tagger: Annotated[str, ToTagger.notes()["tagger"]] = "auto"
    trivial: Annotated[
        str,
        keep_or_drop(
            "positions that a rule decides to be no error before any judgment: keep (marked, so "
            "that measures come with and without them) or drop (their number is reported)",
            "trivial cases",
        ),
    ] = "keep"


class DeriveCases(SystemOptions, CaseDefinition, DuplicateCases, PanelOptions, Watched):
    """What `derive_cases` is called with."""


@verb(DeriveCases)
def derive_cases(call: DeriveCases) -> DerivedCases:
    r"""Cases out of a panel, each annotator a rater, and the decisions of systems about them.

    `construction` is preposition, article, comma, token, missing-preposition, missing-article,
    missing-comma, type=NAME for every token with edits of one type, or a TOML file with words and
    types of other languages (FILE.toml, FILE.toml:NAME); or several that do not share places.
    `error_rule` "type" counts the edits of the construction's own types, "any-edit" all. `tagger`
    tells which `to` is no preposition: spacy, words, or auto for what is installed. `trivial` keeps
    or drops the positions that a rule decides.

    >>> from jurybox.formats import Input
    >>> text = "S I am at home .\nA 2 3|||Prep|||in|||REQUIRED|||-NONE-|||0\n"
    >>> derived = derive_cases(Input.from_text(text), systems={"mine": ["I am home ."]})
    >>> [(case.id, case.written) for case in derived.case_set.cases]
    [('S1:2-3', 'at')]
    >>> derived.error_rate, derived.decisions["mine"].suggestion
    (1.0, [''])
    """
    from jurybox.jury.cases.derive import derive_from_panel

    return derive_from_panel(call)
