"""`score`: how well do systems correct? Count once, choose the annotator, add up."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.certainty import Certainty, with_intervals
from jurybox.api.counting import Counted, Progress, expect
from jurybox.api.inputs import (
    Gold,
    Hypothesis,
    System,
    gold_from,
    place_of_panel,
    systems_from,
)
from jurybox.api.options import EDIT_METRICS, METRICS, Options, title_of_score
from jurybox.api.results import ScoreResult, SystemScore, TypeScore
from jurybox.edits import choice as choosing
from jurybox.errors import InputError, JuryboxWarning, UsageError, unknown_name
from jurybox.formats import Input, PanelStream
from jurybox.measures import precision_recall_f
from jurybox.model import Counts, CountsTable, Panel

if TYPE_CHECKING:
    from jurybox.api.details import SentenceDetail

Text = str | PathLike[str] | Input | Sequence[str]


def score(
    hypotheses: Hypothesis | Mapping[str, Hypothesis] | Sequence[Hypothesis],
    gold: Gold | None = None,
    *,
    metric: str = "m2",
    source: Text | None = None,
    refs: str | PathLike[str] | Input | Sequence[Text] = (),
    beta: float = 0.5,
    choice: str = "running",
    max_unchanged_words: int = 2,
    ignore_case_whitespace: bool = False,
    tokenize: bool = False,
    level: str = "correction",
    types: str | Sequence[str] | None = None,
    size: str = "any",
    expected_statistics: bool = False,
    by: str | None = None,
    ci: bool = False,
    resamples: int = 1000,
    ci_level: float = 0.95,
    ci_unit: str = "sentence",
    seed: int = 1,
    documents: Any = None,
    hyp_format: str | None = None,
    gold_format: str | None = None,
    graded: bool = False,
    details: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> ScoreResult:
    r"""Score one or several systems against a panel (m2, errant) or reference texts (gleu).

    `hypotheses` is a path, a list of sentences, or a dict of several systems; `gold` is one path,
    several, or a panel read before with `read_panel`, which is how to score again and again while
    training. Options are those of `jurybox score`; `by="type"` adds the table per error type,
    `graded=True` scores in which an edit counts by the share of annotators who made it.

    >>> from jurybox.formats import Input, read_panel
    >>> gold = read_panel(Input.from_text(
    ...     "S A dogs bark .\nA 0 1|||ArtOrDet||||||REQUIRED|||-NONE-|||0\n"))
    >>> score(["dogs bark ."], gold).f
    1.0
    """
    options = Options(
        metric=metric,
        beta=beta,
        choice=choice,
        max_unchanged_words=max_unchanged_words,
        ignore_case_whitespace=ignore_case_whitespace,
        tokenize=tokenize,
        level=level,
        types=types,  # type: ignore[arg-type]  # Options takes one name and any sequence
        size=size,
        expected_statistics=expected_statistics,
    )
    certainty = Certainty(resamples, ci_level, ci_unit, seed)
    if by not in (None, "type"):
        raise unknown_name("way to split results (--by)", str(by), ["type"])
    if by and metric not in EDIT_METRICS:
        title = title_of_score(metric, beta)
        raise UsageError(f"{title} has no edits and so no types: --by type goes with m2 and errant")
    if details and metric != "m2":
        raise UsageError("the view per sentence (--verbose) goes with --metric m2")
    if graded and metric != "m2":
        raise UsageError("--graded goes with --metric m2: it weighs the edits that MaxMatch finds")
    if jobs < 1:
        raise UsageError(f"--jobs must be 1 or more, not {jobs}")
    with collecting_warnings() as messages:
        refs = [refs] if isinstance(refs, (str, PathLike, Input)) else refs
        work = _Work(
            hypotheses,
            gold,
            options,
            source,
            refs,
            documents,
            hyp_format,
            gold_format,
            by_type=by == "type",
            keep_edits=details,
            graded=graded,
            jobs=jobs,
            progress=progress,
        )
        counted, files, gold_files = count(work)
        systems = tuple(system_score(one.name, one.table, options, one) for one in counted)
        _warn_of_oddities(counted, systems)
    result = ScoreResult(
        metric=metric,
        beta=options.beta,
        signature=options.signature(
            max(len(one.table.annotators) for one in counted),
            next((one.extractor for one in counted if one.extractor), None),
        ),
        systems=systems,
        options=options.to_dict(),
        inputs=files,
        gold_inputs=gold_files,
        warnings=tuple(messages),
    )
    if not ci:
        return result
    return with_intervals(result, options, certainty, progress)


@contextmanager
def collecting_warnings() -> Iterator[list[str]]:
    """Our own warnings as text, for the result; they are issued again at the end."""
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", JuryboxWarning)
        yield messages
    for one in caught:
        if issubclass(one.category, JuryboxWarning):
            messages.append(str(one.message))
        warnings.warn(one.message, one.category, stacklevel=4)


def _warn_of_oddities(counted: Sequence[Counted], systems: Sequence[SystemScore]) -> None:
    for one in counted:
        for line in one.check.warnings():
            warnings.warn(line, JuryboxWarning, stacklevel=2)
    for system in systems:
        if system.precision is not None and system.precision > 1:
            message = (
                f"{system.name}: precision is above 1 because a gold edit stands twice in the "
                "gold file and one proposed edit matches both; remove the duplicate lines"
            )
            warnings.warn(message, JuryboxWarning, stacklevel=2)


class _Work(NamedTuple):
    """What to count: the arguments of `score` that matter until there are counts."""

    hypotheses: Hypothesis | Mapping[str, Hypothesis] | Sequence[Hypothesis]
    gold: Gold | None
    options: Options
    source: Text | None
    refs: Sequence[Text]
    documents: Any
    hyp_format: str | None
    gold_format: str | None
    by_type: bool
    keep_edits: bool
    graded: bool
    jobs: int
    progress: Progress | None


def count(work: _Work) -> tuple[list[Counted], tuple[Input, ...], tuple[Input, ...]]:
    """The counts of all systems, all the files that were read, and the gold among them."""
    systems = systems_from(work.hypotheses, hyp_format=work.hyp_format)
    source = None if work.source is None else _as_text(work.source)
    refs = [_as_text(reference) for reference in work.refs]
    panel: Panel | PanelStream | None = None
    if work.gold is not None:
        panel = gold_from(work.gold, gold_format=work.gold_format, documents=work.documents)
    metric = work.options.metric
    _expect_sentences(work, systems, panel)
    if metric not in EDIT_METRICS:
        title = title_of_score(metric, work.options.beta)
        if panel is None and (source is None or not refs):
            raise UsageError(f"{title} needs --source and --refs (or --gold with edits to apply)")
        if panel is not None and refs:
            raise UsageError(f"give {title} either --refs (with --source) or --gold, not both")
        from jurybox.api.count_texts import count_texts

        counted = count_texts(
            systems,
            work.options,
            source=source,
            refs=refs,
            panel=panel,
            documents=work.documents if panel is None else None,
            progress=work.progress,
        )
    elif refs:
        raise UsageError(
            f"--refs goes with --metric gleu; for {metric} give the gold edits with --gold "
            "(jurybox convert makes M2 from source and corrected text)"
        )
    elif panel is None:
        raise UsageError(f"--metric {metric} needs the gold edits: --gold FILE.m2")
    elif metric == "errant":
        from jurybox.api.count_errant import count_errant

        counted = count_errant(
            systems,
            panel,
            work.options,
            by_type=work.by_type,
            jobs=work.jobs,
            progress=work.progress,
        )
    else:
        from jurybox.api.count_maxmatch import count_maxmatch

        held = panel
        if work.graded:
            from jurybox.api.graded import grade_system, keep_for_grading

            keep_for_grading(systems)
            held = Panel(tuple(panel), panel.annotators, place_of_panel(panel))
        counted = count_maxmatch(
            systems,
            held,
            work.options,
            source=source,
            by_type=work.by_type,
            keep_edits=work.keep_edits,
            jobs=work.jobs,
            progress=work.progress,
        )
        if work.graded and isinstance(held, Panel):
            for one, system in zip(counted, systems, strict=True):
                one.graded = grade_system(system, held, work.options)
    if not counted[0].table:
        raise InputError("there is no sentence to score; the files are empty")
    gold_files = list(panel.inputs) if isinstance(panel, PanelStream) else []
    gold_files += [given for given in refs if isinstance(given, Input)]
    others = [given for given in (*(s.source for s in systems), source) if isinstance(given, Input)]
    return counted, (*others, *gold_files), tuple(gold_files)


def _expect_sentences(
    work: _Work, systems: Sequence[System], panel: Panel | PanelStream | None
) -> None:
    """Tell how many sentences there will be, where that is known without much reading."""
    if work.progress is None:
        return
    sentences = len(panel) if isinstance(panel, Panel) else max(map(_count_lines, systems))
    passes = len(systems) if work.options.metric == "errant" else 1
    if sentences:
        expect(work.progress, sentences * passes)


def _count_lines(system: System) -> int:
    """How many sentences a text has; 0 where only reading it would tell."""
    if not isinstance(system.source, Input):
        return len(system.source)
    if system.format != "text" or not system.source.rewindable:
        return 0
    return sum(piece.count(b"\n") for piece in system.source.whole_lines())


def _as_text(given: Text) -> Input | Sequence[str]:
    return Input(given) if isinstance(given, (str, PathLike)) else given


def _type_score(kind: str, row: tuple[int, int, int], beta: float) -> TypeScore:
    precision, recall, f = precision_recall_f(Counts(*row), beta=beta)
    if not kind:
        return TypeScore(kind, *row, precision, None, None)
    return TypeScore(kind, *row, precision, recall, f)


def system_score(
    name: str, table: CountsTable, options: Options, counted: Counted | None = None
) -> SystemScore:
    """A system's numbers from its counts."""
    check = counted.check if counted else None
    blank, truncated = (check.blank, check.truncated) if check else (0, 0)
    if options.metric == "gleu":
        from jurybox.edits import gleu

        if options.expected_statistics:
            value, spread = gleu.score_expected(table), None
        else:
            drawn = gleu.score_draws(table)
            value, spread = drawn.score, drawn.sd if drawn.draws > 1 else None
        return SystemScore(
            name, len(table), table, score=value, draws_sd=spread, blank=blank, truncated=truncated
        )
    if options.metric not in METRICS:
        from jurybox.api.plugin_metric import plugin_score

        value = float(plugin_score(options.metric).observed([table])[0, 0])
        return SystemScore(name, len(table), table, score=value, blank=blank, truncated=truncated)
    rows = choosing.choose(table, metric=options.metric, rule=options.choice, beta=options.beta)
    counts = Counts(**choosing.totals(table, rows))
    precision, recall, f = precision_recall_f(counts, beta=options.beta)
    by_type: tuple[TypeScore, ...] = ()
    if table.by_type is not None:
        by_type = tuple(
            _type_score(kind, row, options.beta)
            for kind, row in choosing.totals_by_type(table, rows).items()
        )
    details: tuple[SentenceDetail, ...] = ()
    if counted and counted.matched:
        from jurybox.api.details import sentence_details

        details = sentence_details(counted.matched, rows, table)
    return SystemScore(
        name,
        len(table),
        table,
        counts=counts,
        precision=precision,
        recall=recall,
        f=f,
        by_type=by_type,
        blank=blank,
        truncated=truncated,
        details=details,
        graded=counted.graded if counted else (),
    )
