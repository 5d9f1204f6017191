"""`score`: how well do systems correct? Count once, choose the annotator, add up."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from jurybox.api.counting import (
    Counted,
    Matched,
    Progress,
    count_errant,
    count_gleu,
    count_maxmatch,
)
from jurybox.api.inputs import Gold, Hypothesis, gold_from, systems_from
from jurybox.api.options import Options
from jurybox.api.results import EditDetail, ScoreResult, SentenceDetail, SystemScore, TypeScore
from jurybox.edits import choice
from jurybox.errors import InputError, JuryboxWarning, UsageError, unknown_name
from jurybox.formats import Input, PanelStream
from jurybox.formats import counts as counts_format
from jurybox.measures import precision_recall_f
from jurybox.model import Counts, CountsTable, Panel

if TYPE_CHECKING:
    from jurybox.stats.resample import Interval, Resampled
    from jurybox.stats.statistic import Statistic

UNITS = ("sentence", "document")
DEFAULT_SEED = 1


def score(
    hypotheses: Hypothesis | Mapping[str, Hypothesis] | Sequence[Hypothesis],
    gold: Gold | None = None,
    *,
    metric: str = "m2",
    source: str | PathLike[str] | Sequence[str] | None = None,
    refs: Sequence[str | PathLike[str] | Sequence[str]] = (),
    beta: float = 0.5,
    choice: str = "running",
    max_unchanged_words: int = 2,
    ignore_case_whitespace: bool = False,
    tokenize: bool = False,
    level: str = "correction",
    types: Sequence[str] | None = None,
    size: str = "any",
    expected_statistics: bool = False,
    by: str | None = None,
    ci: bool = False,
    resamples: int = 1000,
    ci_level: float = 0.95,
    ci_unit: str = "sentence",
    seed: int = DEFAULT_SEED,
    documents: Any = None,
    hyp_format: str | None = None,
    gold_format: str | None = None,
    details: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> ScoreResult:
    r"""Score one or several systems against a panel (m2, errant) or reference texts (gleu).

    `hypotheses` is a path, a list of sentences, or a dict of several systems; `gold` is one path,
    several, or a panel read before with `read_panel`, which is how to score again and again while
    training. Options are those of `jurybox score`; `by="type"` adds the table per error type.

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
        types=None if types is None else tuple(types),
        size=size,
        expected_statistics=expected_statistics,
    )
    if by not in (None, "type"):
        raise unknown_name("way to split results (--by)", str(by), ["type"])
    if by and metric == "gleu":
        raise UsageError("GLEU has no edits and so no types: --by type goes with m2 and errant")
    if details and metric != "m2":
        raise UsageError("the view per sentence (--verbose) goes with --metric m2")
    if jobs < 1:
        raise UsageError(f"--jobs must be 1 or more, not {jobs}")
    counted, inputs = count(
        hypotheses,
        gold,
        options,
        source=source,
        refs=refs,
        documents=documents,
        hyp_format=hyp_format,
        gold_format=gold_format,
        by_type=by == "type",
        keep_edits=details,
        jobs=jobs,
        progress=progress,
    )
    messages = [line for one in counted for line in one.check.warnings()]
    systems = tuple(system_score(one.name, one.table, options, one) for one in counted)
    messages += [
        f"{system.name}: precision is above 1 because a gold edit stands twice in the gold file "
        "and one proposed edit matches both; remove the duplicate lines"
        for system in systems
        if system.precision is not None and system.precision > 1
    ]
    for message in messages:
        python_warnings.warn(message, JuryboxWarning, stacklevel=2)
    result = ScoreResult(
        metric=metric,
        beta=beta,
        signature=options.signature(max(len(one.table.annotators) for one in counted)),
        systems=systems,
        options=options.to_dict(),
        inputs=inputs,
        warnings=tuple(messages),
    )
    if not ci:
        return result
    return with_intervals(
        result, options, resamples=resamples, level=ci_level, unit=ci_unit, seed=seed
    )


def score_counts(
    source: str | PathLike[str] | Input,
    *,
    ci: bool = False,
    resamples: int = 1000,
    ci_level: float = 0.95,
    ci_unit: str = "sentence",
    seed: int = DEFAULT_SEED,
) -> ScoreResult:
    """The result again from a file written with `--save-counts`: nothing is matched."""
    saved = counts_format.read(source)
    options = options_of(saved)
    result = ScoreResult(
        metric=saved.metric,
        beta=options.beta,
        signature=saved.signature,
        systems=tuple(system_score(name, t, options) for name, t in saved.tables.items()),
        options=options.to_dict(),
        saved_inputs=tuple(saved.inputs),
    )
    if not ci:
        return result
    return with_intervals(
        result, options, resamples=resamples, level=ci_level, unit=ci_unit, seed=seed
    )


def options_of(saved: counts_format.SavedCounts) -> Options:
    """The options with which counts were made."""
    known = dict(saved.options)
    if known.get("types") is not None:
        known["types"] = tuple(known["types"])
    try:
        return Options(**known)
    except TypeError as error:
        raise InputError(
            f"the counts file has options this version does not know: {error}"
        ) from None


def count(
    hypotheses: Hypothesis | Mapping[str, Hypothesis] | Sequence[Hypothesis],
    gold: Gold | None,
    options: Options,
    *,
    source: str | PathLike[str] | Sequence[str] | None = None,
    refs: Sequence[str | PathLike[str] | Sequence[str]] = (),
    documents: Any = None,
    hyp_format: str | None = None,
    gold_format: str | None = None,
    by_type: bool = False,
    keep_edits: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> tuple[list[Counted], tuple[Input, ...]]:
    """The counts of all systems, and the files they came from."""
    systems = systems_from(hypotheses, hyp_format=hyp_format)
    origin = _text_source(source)
    references = [_text_source(reference) for reference in refs]
    panel: Panel | PanelStream | None = None
    if gold is not None:
        panel = gold_from(gold, gold_format=gold_format, documents=documents)
    if options.metric == "gleu":
        if panel is None and (origin is None or not references):
            raise UsageError("GLEU needs --source and --refs (or --gold with edits to apply)")
        if panel is not None and references:
            raise UsageError("give GLEU either --refs (with --source) or --gold, not both")
        counted = count_gleu(
            systems,
            options,
            source=origin,
            refs=[r for r in references if r is not None],
            panel=panel,
            progress=progress,
        )
    else:
        if references:
            raise UsageError(
                f"--refs goes with --metric gleu; for {options.metric} give the gold edits with "
                "--gold (jurybox convert makes M2 from source and corrected text)"
            )
        if panel is None:
            raise UsageError(f"--metric {options.metric} needs the gold edits: --gold FILE.m2")
        if options.metric == "errant":
            counted = count_errant(
                systems, panel, options, by_type=by_type, jobs=jobs, progress=progress
            )
        else:
            counted = count_maxmatch(
                systems,
                panel,
                options,
                source=origin,
                by_type=by_type,
                keep_edits=keep_edits,
                jobs=jobs,
                progress=progress,
            )
    if not counted[0].table:
        raise InputError("there is no sentence to score; the files are empty")
    files: list[Input | Sequence[str]] = [system.source for system in systems]
    files += list(panel.inputs) if isinstance(panel, PanelStream) else []
    files += [given for given in (origin, *references) if given is not None]
    return counted, tuple(given for given in files if isinstance(given, Input))


def _text_source(
    given: str | PathLike[str] | Sequence[str] | Input | None,
) -> Input | Sequence[str] | None:
    if isinstance(given, (str, PathLike)):
        return Input(given)
    return given


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
            name,
            len(table),
            table,
            score=value,
            draws_sd=spread,
            blank=blank,
            truncated=truncated,
        )
    rows = choice.choose(table, metric=options.metric, rule=options.choice, beta=options.beta)
    counts = Counts(**choice.totals(table, rows))
    precision, recall, f = precision_recall_f(counts, beta=options.beta)
    by_type: tuple[TypeScore, ...] = ()
    if table.by_type is not None:
        by_type = tuple(
            TypeScore(kind, *row, *precision_recall_f(Counts(*row), beta=options.beta))
            for kind, row in choice.totals_by_type(table, rows).items()
        )
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
        details=_details(counted.matched, rows, table) if counted else (),
    )


def _details(
    matched: Sequence[Matched], rows: Sequence[int], table: CountsTable
) -> tuple[SentenceDetail, ...]:
    details = []
    for number, (one, row) in enumerate(zip(matched, rows, strict=False)):
        place = row - table.starts[number]
        count_here = one.counts[place]
        annotation = one.sentence.annotations[place]
        tokens = one.sentence.tokens
        hits = {g for edit in count_here.edits for g in edit.correct}
        details.append(
            SentenceDetail(
                sentence=number + 1,
                source=one.sentence.text,
                hypothesis=" ".join(one.hypothesis),
                annotator=annotation.annotator,
                proposed=tuple(
                    EditDetail(
                        e.start,
                        e.end,
                        " ".join(tokens[e.start : e.end]),
                        e.replacement,
                        bool(e.correct),
                    )
                    for e in count_here.edits
                ),
                gold=tuple(
                    EditDetail(
                        e.start,
                        e.end,
                        " ".join(tokens[e.start : e.end]),
                        "||".join(e.alternatives),
                        g in hits,
                        e.type,
                    )
                    for g, e in enumerate(annotation.edits)
                ),
                tp=count_here.tp,
                fp=count_here.fp,
                fn=count_here.fn,
            )
        )
    return tuple(details)


def statistic_for(options: Options) -> Statistic:
    """The function of counts that is resampled."""
    from jurybox.stats.statistic import EditScore, GleuScore

    if options.metric == "gleu":
        return GleuScore("expected" if options.expected_statistics else "draws")
    return EditScore(metric=options.metric, rule=options.choice, beta=options.beta)


def resample(
    tables: Sequence[CountsTable], options: Options, *, resamples: int, unit: str, seed: int
) -> Resampled:
    """Bootstrap all systems on the same resamples."""
    import numpy as np

    from jurybox.stats.resample import bootstrap

    return bootstrap(
        tables,
        statistic_for(options),
        rng=np.random.default_rng(seed),
        resamples=resamples,
        documents=documents_for(tables, unit),
    )


def documents_for(tables: Sequence[CountsTable], unit: str) -> list[str] | None:
    """The documents to resample by, or None to resample sentences."""
    if unit not in UNITS:
        raise unknown_name("unit (--ci-unit)", unit, UNITS)
    if unit == "sentence":
        return None
    documents = tables[0].documents
    if documents is None:
        raise InputError(
            "--ci-unit document needs to know the documents: give --documents MAP "
            "(one document id per sentence, or the SGML file), or a gold file that has them"
        )
    return documents


def with_intervals(
    result: ScoreResult, options: Options, *, resamples: int, level: float, unit: str, seed: int
) -> ScoreResult:
    """The same result with an interval for every score, and how it was made in the signature."""
    from jurybox.stats.resample import estimate

    tables = [system.table for system in result.systems]
    drawn = resample(tables, options, resamples=resamples, unit=unit, seed=seed)
    systems = []
    for number, system in enumerate(result.systems):
        intervals: dict[str, Interval] = {
            name: estimate(drawn, number, name, level=level).interval for name in drawn.names
        }
        if options.metric == "gleu":
            intervals = {"score": next(iter(intervals.values()))}
        systems.append(replace(system, intervals=intervals))
    return replace(
        result,
        systems=tuple(systems),
        signature=sign_interval(result.signature, resamples, unit, seed),
        options={
            **result.options,
            "ci": {
                "method": "percentile bootstrap",
                "resamples": resamples,
                "level": level,
                "unit": unit,
                "seed": seed,
            },
        },
    )


def sign_interval(signature: str, resamples: int, unit: str, seed: int) -> str:
    """Put how resampling was done in front of the version."""
    head, version = signature.rsplit("|v:", 1)
    return f"{head}|ci:bootstrap-{resamples}-{unit}|seed:{seed}|v:{version}"


def save_counts(result: ScoreResult, path: str | PathLike[str]) -> None:
    """Keep the counts behind a result, for `compare`, `ceiling` and `report`."""
    from jurybox.formats import writing

    options = {k: v for k, v in result.options.items() if k != "ci"}
    saved = counts_format.SavedCounts(
        result.metric,
        options,
        result.signature,
        result.described_inputs(),
        {system.name: system.table for system in result.systems},
    )
    with writing(path) as out:
        counts_format.write(saved, out)
