"""`run_detectors`: what trained detectors say of every preposition of a text, a panel or cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from jurybox.detect.options import Folder, Jobs, Tagging, TextOrM2
from jurybox.errors import UsageError
from jurybox.formats import Source
from jurybox.options import Opt, Options, argument, verb
from jurybox.shared_options import TAGGER_HELP, TAGGERS, EngineName, ToTagger, Watched

if TYPE_CHECKING:
    from jurybox.detect.run.result import DetectionRun

PREPOSITION, MISSING = "preposition", "missing-preposition"
EXTRANEOUS, WRONG = "extraneous-preposition", "wrong-preposition"


class DecisionRule(ToTagger, group="deciding"):
    """What is an error."""

    construction: Annotated[
        str | Sequence[str] | None,
        Opt(
            "preposition, or only one kind of error: extraneous-preposition (against no "
            "preposition), wrong-preposition (against the others); and missing-preposition",
            "NAME",
            values=(PREPOSITION, EXTRANEOUS, WRONG, MISSING),
            open_values=True,  # detectors of packages know others
            many=True,
            default="preposition; with --cases what the file has",
        ),
    ] = None
    threshold: Annotated[
        float,
        Opt("a case is called an error with a score of T or more", "T", least=0, most=1),
    ] = 0.98
    tagger: Annotated[
        str,
        Opt(
            f"{TAGGER_HELP}spacy, words, or auto for the model's own tags, or spaCy where it is "
            "installed",
            "NAME",
            values=TAGGERS,
            noun="tagger",
        ),
    ] = "auto"


class DecisionFiles(Options, group="output"):
    """Where decisions and cases go; nowhere: they are kept in memory."""

    output: Annotated[
        Folder | None, Opt("write the decisions to this file (.jsonl, .csv)", "FILE", short="-o")
    ] = None
    decisions: Annotated[
        Folder | None,
        Opt("write the decisions of every model to NAME.csv in this folder", "FOLDER"),
    ] = None
    write_cases: Annotated[
        Folder | None, Opt("write the cases of --text or --m2 too (.jsonl)", "FILE")
    ] = None


class RunDetectors(TextOrM2, DecisionRule, Tagging, Jobs, EngineName, DecisionFiles, Watched):
    """What `run_detectors` is called with."""

    models: Annotated[
        Folder | Sequence[Folder],
        Opt("folders of trained models", "MODEL", positional=True, many=True),
    ] = argument(kw_only=False)
    cases: Annotated[Source | None, Opt("a file of cases, whose ids are kept", "FILE")] = None

    def check(self) -> None:
        super().check()
        if sum(one is not None for one in (self.text, self.m2, self.cases)) != 1:
            raise UsageError("name what to look at: one of --text, --m2 and --cases")
        if self.tokenised and self.text is None:
            raise UsageError("--tokenised is about --text; M2 and cases are tokenised always")
        if self.output is not None and self.decisions is not None:
            raise UsageError("name one place for the decisions: --output or --decisions")
        if self.write_cases is not None and self.cases is not None:
            raise UsageError("--write-cases is about --text and --m2; the cases are there already")


@verb(RunDetectors)
def run_detectors(call: RunDetectors) -> DetectionRun:
    r"""Decide about the prepositions of `text` (prose, or `tokenised`), of `m2`, or about `cases`.

    `construction` is "preposition" (or "extraneous-preposition", "wrong-preposition": against
    nothing, against other words), "missing-preposition" or both; given cases have their own. A case
    is called an error if the best other choice beats what was written with a score of `threshold`
    or more. Decisions go to the file `output` (one model) or to the folder `decisions` (a file for
    each), block by block; without either the result holds them. A model may also be the name of a
    detector that a package brings; such ones alone decide about any construction.

    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.detect.train import train_detector
    >>> from jurybox.formats import Input
    >>> clean = Input.from_text("We sat in the sun .\nWe sat on the mat .\n" * 20)
    >>> with TemporaryDirectory() as place:
    ...     model = f"{place}/lm"
    ...     _ = train_detector("lm", clean, model, tokenised=True, fallback_discounts=(0.5, 1, 1.5))
    ...     run = run_detectors(model, text=Input.from_text("We sat at the mat ."), tokenised=True)
    >>> [case.id for case in run.case_set.cases], run.decisions["lm"].suggestion
    (['S1:2-3'], ['on'])
    """
    from jurybox.detect.run.deciding import decide

    return decide(call)
