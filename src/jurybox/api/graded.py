"""Systems graded by how many annotators agree with each of their edits."""

from __future__ import annotations

from collections.abc import Sequence

from jurybox.api.inputs import System, read_tokens
from jurybox.api.options import Options
from jurybox.api.results import GradedScore
from jurybox.edits.graded import Grade, Grades, grade_sentence
from jurybox.formats import Input
from jurybox.measures import precision_recall_f
from jurybox.model import Counts, Panel


def keep_for_grading(systems: Sequence[System]) -> None:
    """Hypotheses are read twice, to be scored and to be graded."""
    for system in systems:
        if isinstance(system.source, Input):
            system.source.keep()


def grade_system(system: System, panel: Panel, options: Options) -> tuple[GradedScore, ...]:
    """One system's weighted counts and scores, by edit and by span."""
    total = Grades()
    tokens = read_tokens(system, tokenized=not options.tokenize)
    for sentence, hypothesis in zip(panel, tokens, strict=True):
        unchanged = options.max_unchanged_words
        total = total.plus(grade_sentence(sentence, hypothesis, unchanged=unchanged))
    return (_scored("edit", total.edit, options), _scored("span", total.span, options))


def _scored(by: str, grade: Grade, options: Options) -> GradedScore:
    return GradedScore(by, *grade, *precision_recall_f(Counts(*grade), beta=options.beta))
