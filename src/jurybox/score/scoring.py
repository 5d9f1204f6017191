"""How `score` works: read, count, choose the annotator of every sentence, add up, resample."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any

from jurybox.counting import Counted, GradedScore, Matched
from jurybox.counting.shards import Texts, count_shards
from jurybox.counting.systems import (
    System,
    aligned_panel,
    by_name,
    files_of_panel,
    gold_from,
    place_of_panel,
    plain_text_from,
    read_tokens,
    systems_from,
)
from jurybox.engine import Jobs, Progress, expect, jobs_of
from jurybox.errors import InputError, UsageError, collecting_warnings, warn
from jurybox.formats import Input, PanelStream, detect
from jurybox.formats.edits import m2, text
from jurybox.formats.file_parts import can_be_cut
from jurybox.metrics import choice as choosing
from jurybox.metrics.measures import precision_recall_f
from jurybox.metrics.options import EDIT_METRICS, METRICS, MetricOptions, title_of_score
from jurybox.model import Counts, CountsTable, Panel
from jurybox.score import Intervals, Score
from jurybox.score.result import (
    EditDetail,
    EditNumbers,
    ScoreResult,
    SentenceDetail,
    SystemScore,
    TextNumbers,
    TypeScore,
)
from jurybox.stats.confidence import (
    Bootstrap,
    ScoringOptions,
    few_units,
    resample,
    watched_statistic,
)


def score_systems(call: Score) -> ScoreResult:
    """Count, score, and make intervals where they are asked for."""
    options = call.only(ScoringOptions, ci=None)
    with collecting_warnings() as messages:
        counted, files, gold_files, aligned = _count(call)
        systems = tuple(system_score(one.name, one.table, options, one) for one in counted)
        for one in counted:
            warn(*one.check.warnings())
        for system in systems:
            if isinstance(system.numbers, EditNumbers) and system.numbers.precision > 1:
                warn(
                    f"{system.name}: precision is above 1 because a gold edit stands twice in the "
                    "gold file and one proposed edit matches both; remove the duplicate lines"
                )
    result = ScoreResult(
        options=options,
        systems=systems,
        signature=options.signature(
            max(len(one.table.annotators) for one in counted),
            next((one.extractor for one in counted if one.extractor), None),
            aligned,
        ),
        inputs=files,
        gold_inputs=gold_files,
        warnings=tuple(messages),
    )
    return with_intervals(result, call) if call.ci else result


# --- counting ---


def _count(call: Score) -> tuple[list[Counted], tuple[Input, ...], tuple[Input, ...], str | None]:
    """The counts of all systems, all the files that were read, the gold among them, and what found
    its edits where it is corrected texts.
    """
    systems = systems_from(call.hypotheses, hyp_format=call.hyp_format, hyp_key=call.hyp_key)
    source = None if call.source is None else plain_text_from(call.source, "the source")
    refs = [
        plain_text_from(one, f"reference {number}")
        for number, one in enumerate(_references(call.refs))
    ]
    panel: Panel | PanelStream | None = None
    if call.gold is not None:
        panel = gold_from(
            call.gold,
            gold_format=call.gold_format,
            documents=call.documents,
            align=lambda source, references: _aligned(call, source, references),
        )
        if refs:
            raise UsageError("give either --refs (with --source) or --gold, not both")
    elif refs and source is not None and (call.metric in EDIT_METRICS or _as_panel(source, refs)):
        panel, source, refs = _aligned(call, source, refs), None, []
    _refuse_labels(call, systems, panel)
    if call.progress is not None:
        _expect_sentences(call.progress, call.metric, systems, panel)
    if call.metric not in EDIT_METRICS:
        if panel is None and (source is None or not refs):
            title = title_of_score(call.metric, call.beta)
            raise UsageError(f"{title} needs --source and --refs (or --gold with edits to apply)")
    elif panel is None:
        raise UsageError(
            f"--metric {call.metric} needs the gold edits: --gold FILE.m2, or corrected texts: "
            "--source FILE --refs FILE"
        )
    texts = Texts(systems, panel, source, refs)
    counted = None
    if (jobs := jobs_of(call)) != 1 and _is_sum_of_shards(call, systems):
        alone = call.replace(hypotheses="", gold=None, refs=(), source=None, progress=None)
        count = partial(_count_texts, alone)
        counted = count_shards(
            texts, count, jobs=jobs, progress=call.progress, passes=_passes(call.metric, systems)
        )
    if counted is None:
        counted = _count_texts(call, texts, jobs=jobs)
    if not counted[0].table:
        raise InputError("there is no sentence to score; the files are empty")
    gold_files = [] if panel is None else list(files_of_panel(panel))
    gold_files += [given for given in refs if isinstance(given, Input)]
    others = [given for given in (*(s.source for s in systems), source) if isinstance(given, Input)]
    aligned = panel.aligned if isinstance(panel, PanelStream) else None
    return counted, (*others, *gold_files), tuple(gold_files), aligned


def _is_sum_of_shards(call: Score, systems: Sequence[System]) -> bool:
    """Whether files can be cut: nothing looks at more than a sentence at a time."""
    if call.graded or call.details or call.types or call.documents is not None:
        return False
    # several coders of a hypothesis change the names of all candidates (errant)
    edits = [one for one in systems if call.metric == "errant" and one.format == "m2"]
    files = [file for one in edits for file in one.files]
    return all(can_be_cut(file) and m2.read_annotators(file) in ([], ["0"]) for file in files)


def _count_texts(call: Score, texts: Texts, *, jobs: Jobs = 1) -> list[Counted]:
    """Count all systems, from the first sentence to the last."""
    systems, panel, source, refs = texts
    if call.metric not in EDIT_METRICS:
        from jurybox.counting.texts import count_texts

        return count_texts(
            systems,
            call,
            source=source,
            refs=refs,
            panel=panel,
            documents=call.documents if panel is None else None,
            progress=call.progress,
        )
    if call.metric == "errant":
        from jurybox.counting.errant import count_errant

        by_type = call.by == "type"
        return count_errant(
            systems, panel, call, by_type=by_type, jobs=jobs, progress=call.progress
        )
    return _count_maxmatch(call, texts, jobs)


def _as_panel(source: Input | Sequence[str], refs: Sequence[Input | Sequence[str]]) -> bool:
    """Whether texts are essays, or several references stand on a line: some may be missing then."""
    files = [one for one in refs if isinstance(one, Input)]
    if not isinstance(source, Input) or len(files) < len(refs):
        return False
    return detect(source) == "essays" or max(text.count_columns(source, files)) > 1


def _aligned(
    call: Score, source: Input | Sequence[str], refs: Sequence[Input | Sequence[str]]
) -> PanelStream:
    """Corrected texts as gold edits: found by alignment, and for ERRANT by errant itself."""
    first, *others = (
        one.keep() if isinstance(one, Input) else Input.from_lines(one, name)
        for name, one in (("the source", source), *((f"ref{n}", one) for n, one in enumerate(refs)))
    )
    by_errant: dict[str, Any] = {}
    if call.metric == "errant":
        from jurybox.metrics import extraction

        extraction.load_errant()
        by_errant = {"extract": extraction.extract, "by": extraction.describe_extractor()}
    return aligned_panel(
        first, others, tokenize=call.tokenize, documents=call.documents, **by_errant
    )


def _refuse_labels(
    call: Score, systems: Sequence[System], panel: Panel | PanelStream | None
) -> None:
    """Labels of tokens say where errors are and nothing else; only that can be compared."""
    files = [(one.place, one.format) for one in systems]
    files += [(f.source.name, f.format) for f in getattr(panel, "files", ())]
    labelled = [name for name, form in files if form == "labels"]
    if labelled and (call.metric != "errant" or call.level != "token"):
        raise UsageError(
            f"{labelled[0]} holds labels of tokens, without corrections: say --metric errant "
            "--level token for precision, recall and F of the tokens"
        )


def _count_maxmatch(call: Score, texts: Texts, jobs: Jobs) -> list[Counted]:
    from jurybox.counting.maxmatch import count_maxmatch

    systems, panel = texts.systems, texts.panel
    if call.graded:  # hypotheses and gold are read twice, to be scored and to be graded
        for file in (file for system in systems for file in system.files):
            file.keep()
        panel = Panel(tuple(panel), panel.annotators, place_of_panel(panel))
    counted = count_maxmatch(
        systems,
        panel,
        call,
        source=texts.source,
        by_type=call.by == "type",
        keep_edits=call.details,
        jobs=jobs,
        progress=call.progress,
    )
    if call.graded:
        for one, system in zip(counted, systems, strict=True):
            one.graded = _grade_system(system, panel, call)
    return counted


def _references(given: Any) -> list[Any]:
    """One reference or several: the columns of a frame, or a list of files and texts."""
    if isinstance(given, (str, PathLike, Input)):
        return [given]
    found = by_name(given)
    if isinstance(found, Mapping):
        return list(found.values())
    if not isinstance(found, Iterable) or isinstance(found, bytes):
        raise UsageError(f"refs: give files or lists of sentences, not a {type(given).__name__}")
    listed = list(found)
    are_sentences = not isinstance(given, list | tuple) and all(isinstance(s, str) for s in listed)
    return [listed] if listed and are_sentences else listed


def _expect_sentences(
    progress: Progress, metric: str, systems: Sequence[System], panel: Panel | PanelStream | None
) -> None:
    """Announce how many sentences there will be, where that is known without much reading."""
    sentences = len(panel) if isinstance(panel, Panel) else max(map(_count_lines, systems))
    if sentences:
        expect(progress, sentences * _passes(metric, systems))


def _passes(metric: str, systems: Sequence[System]) -> int:
    """How often all sentences are read."""
    return len(systems) if metric == "errant" else 1


def _count_lines(system: System) -> int:
    """How many sentences a text has; 0 where only reading it would tell."""
    if not isinstance(system.source, Input):
        return len(system.source)
    if system.format != "text" or not system.source.rewindable:
        return 0
    return sum(piece.count(b"\n") for piece in system.source.whole_lines())


def _grade_system(system: System, panel: Panel, options: MetricOptions) -> tuple[GradedScore, ...]:
    """One system's weighted counts and scores, by edit and by span."""
    from jurybox.metrics.graded import Grades, grade_sentence

    total = Grades()
    tokens = read_tokens(system, tokenized=not options.tokenize)
    for sentence, hypothesis in zip(panel, tokens, strict=True):
        unchanged = options.max_unchanged_words
        total = total.plus(grade_sentence(sentence, hypothesis, unchanged=unchanged))
    return tuple(
        GradedScore(by, *grade, *precision_recall_f(Counts(*grade), beta=options.beta))
        for by, grade in (("edit", total.edit), ("span", total.span))
    )


# --- from counts to scores ---


def system_score(
    name: str, table: CountsTable, options: MetricOptions, counted: Counted | None = None
) -> SystemScore:
    """A system's numbers from its counts."""
    check = counted.check if counted else None
    found = SystemScore(
        name,
        TextNumbers(0.0),
        len(table),
        blank=check.blank if check else 0,
        truncated=check.truncated if check else 0,
        counted=table,
    )
    if options.metric == "gleu":
        from jurybox.metrics import gleu

        if options.expected_statistics:
            return replace(found, numbers=TextNumbers(gleu.score_expected(table)))
        drawn = gleu.score_draws(table)
        spread = drawn.sd if drawn.draws > 1 else None
        return replace(found, numbers=TextNumbers(drawn.score, spread))
    if options.metric not in METRICS:
        from jurybox.stats.plugin_metric import plugin_score

        value = float(plugin_score(options.metric).observed([table])[0, 0])
        return replace(found, numbers=TextNumbers(value))
    rows = choosing.choose(table, metric=options.metric, rule=options.choice, beta=options.beta)
    counts = Counts(**choosing.totals(table, rows))
    by_type = choosing.totals_by_type(table, rows) if table.by_type is not None else {}
    matched = counted.matched if counted else []
    return replace(
        found,
        numbers=EditNumbers(
            int(counts.tp),
            int(counts.fp),
            int(counts.fn),
            *precision_recall_f(counts, beta=options.beta),
        ),
        by_type=tuple(_type_score(kind, row, options.beta) for kind, row in by_type.items()),
        details=_sentence_details(matched, rows, table) if matched else (),
        graded=counted.graded if counted else (),
    )


def _type_score(kind: str, row: tuple[int, int, int], beta: float) -> TypeScore:
    precision, recall, f = precision_recall_f(Counts(*row), beta=beta)
    if not kind:  # no gold edit is near: there is nothing to recall
        return TypeScore(kind, *row, precision, None, None)
    return TypeScore(kind, *row, precision, recall, f)


def _sentence_details(
    matched: Sequence[Matched], rows: Sequence[int], table: CountsTable
) -> tuple[SentenceDetail, ...]:
    """What was found in each sentence, against the annotator chosen for it."""
    details = []
    for number, (one, row) in enumerate(zip(matched, rows, strict=True)):
        place = row - table.starts[number]
        found = one.counts[place]
        annotation = one.sentence.annotations[place]
        tokens = one.sentence.tokens
        hits = {g for edit in found.edits for g in edit.correct}
        proposed = tuple(
            EditDetail(
                edit.start,
                edit.end,
                " ".join(tokens[edit.start : edit.end]),
                edit.replacement,
                bool(edit.correct),
            )
            for edit in found.edits
        )
        gold = tuple(
            EditDetail(
                edit.start,
                edit.end,
                " ".join(tokens[edit.start : edit.end]),
                "||".join(edit.alternatives),
                place in hits,
                edit.type,
            )
            for place, edit in enumerate(annotation.edits)
        )
        details.append(
            SentenceDetail(
                sentence=number + 1,
                source=one.sentence.text,
                hypothesis=" ".join(one.hypothesis),
                annotator=annotation.annotator,
                proposed=proposed,
                gold=gold,
                tp=found.tp,
                fp=found.fp,
                fn=found.fn,
            )
        )
    return tuple(details)


# --- intervals ---


def with_intervals(result: ScoreResult, call: Intervals) -> ScoreResult:
    """The same result with an interval for every score, and how it was made in the signature."""
    from jurybox.stats.resample import estimate

    tables = [system.table for system in result.systems]
    how = Bootstrap(call.resamples, call.ci_level, call.ci_unit, call.seed)
    how = how.settled(tables[0].documents)
    drawn = resample(tables, watched_statistic(result.options, how, call.progress), how)
    rests_on = {
        f"{name.capitalize()} of {system.name}": float(drawn.evidence[place, number])
        for number, system in enumerate(result.systems)
        for place, name in enumerate(drawn.names)
    }
    if caution := few_units(how.unit, rests_on):
        how = how._replace(cautions=(*how.cautions, caution))
    systems = []
    for number, system in enumerate(result.systems):
        intervals = {
            name: estimate(drawn, number, name, level=how.level).interval for name in drawn.names
        }
        systems.append(replace(system, intervals=intervals))
    return replace(
        result,
        systems=tuple(systems),
        signature=how.sign(result.signature),
        options=result.options.replace(ci=how),
    )
