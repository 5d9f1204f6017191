"""`compare`: is the difference between systems more than chance, and where does it come from?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from os import PathLike
from typing import Any

from jurybox.api.counting import Progress
from jurybox.api.inputs import Gold, Hypothesis, gold_from, read_tokens, systems_from
from jurybox.api.options import Options
from jurybox.api.results import CompareResult, DecidingText, PairResult, ScoreResult
from jurybox.api.score import (
    DEFAULT_SEED,
    documents_for,
    options_of,
    resample,
    score,
    sign_interval,
    statistic_for,
    system_score,
)
from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.formats import Input, PanelStream, text
from jurybox.formats import counts as counts_format

Hypotheses = Mapping[str, Hypothesis] | Sequence[Hypothesis]


def compare(
    hypotheses: Hypotheses,
    gold: Gold | None = None,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    resamples: int = 1000,
    ci_level: float = 0.95,
    ci_unit: str = "sentence",
    seed: int = DEFAULT_SEED,
    top: int = 5,
    progress: Progress | None = None,
    **options: Any,
) -> CompareResult:
    r"""Compare systems on the same sentences: paired bootstrap and approximate randomisation.

    Every system is compared with the first (or `baseline`), or each with each (`all_pairs`).
    The other options are those of `score`. A file written with `--save-counts` can stand in place
    of hypotheses: its systems are compared without matching again.

    >>> from jurybox.formats import Input, read_panel
    >>> gold = read_panel(Input.from_text(
    ...     "S A dogs bark .\nA 0 1|||ArtOrDet||||||REQUIRED|||-NONE-|||0\n" * 1 + "\nS Yes .\n"))
    >>> result = compare({"old": ["A dogs bark .", "Yes ."], "new": ["dogs bark .", "Yes ."]}, gold)
    >>> result.pairs[0].first, result.pairs[0].second, result.pairs[0].difference
    ('old', 'new', 1.0)
    """
    scored = _scored(hypotheses, gold, progress, options)
    names = [system.name for system in scored.systems]
    if len(names) < 2:
        raise UsageError(f"a comparison needs two systems or more; there is only {names[0]}")
    if baseline is not None and baseline not in names:
        raise unknown_name("baseline", baseline, names)
    first = names.index(baseline) if baseline else 0
    if all_pairs:
        pairs = list(combinations(range(len(names)), 2))
    else:
        pairs = [(first, other) for other in range(len(names)) if other != first]
    known = Options(**{k: _tuple(v) for k, v in scored.options.items() if k != "ci"})
    results = _test_pairs(
        scored, known, pairs, resamples=resamples, level=ci_level, unit=ci_unit, seed=seed, top=top
    )
    texts = _texts(hypotheses, gold, known, options, results)
    return CompareResult(
        metric=scored.metric,
        beta=scored.beta,
        signature=sign_interval(scored.signature, resamples, ci_unit, seed),
        scores=scored,
        baseline=None if all_pairs else names[first],
        pairs=tuple(_with_texts(pair, texts) for pair in results),
        resamples=resamples,
        unit=ci_unit,
        seed=seed,
        warnings=scored.warnings,
    )


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _scored(
    hypotheses: Hypotheses, gold: Gold | None, progress: Progress | None, options: dict[str, Any]
) -> ScoreResult:
    """The systems' scores, from files, from memory or from saved counts."""
    saved = _saved_counts(hypotheses)
    if saved is None:
        return score(hypotheses, gold, progress=progress, **options)
    if gold is not None or options:
        given = ", ".join(["gold"] * (gold is not None) + sorted(options))
        raise UsageError(
            f"saved counts are compared as they were made; leave out {given}, or give the "
            "hypotheses themselves"
        )
    first = options_of(saved[0])
    tables = {}
    for one in saved:
        if one.signature.split("|ci:")[0] != saved[0].signature.split("|ci:")[0]:
            raise InputError(
                f"the counts were made differently ({saved[0].signature} against "
                f"{one.signature}); make them again with the same options and gold"
            )
        for name, table in one.tables.items():
            if name in tables:
                raise InputError(f"'{name}' is in two of the counts files; rename one of them")
            tables[name] = table
    return ScoreResult(
        metric=first.metric,
        beta=first.beta,
        signature=saved[0].signature.split("|ci:")[0].split("|v:")[0]
        + "|v:"
        + saved[0].signature.rsplit("|v:", 1)[1],
        systems=tuple(system_score(name, table, first) for name, table in tables.items()),
        options=first.to_dict(),
        saved_inputs=tuple(given for one in saved for given in one.inputs),
    )


def _saved_counts(hypotheses: Hypotheses) -> list[counts_format.SavedCounts] | None:
    """The counts files among the hypotheses: all of them, or none."""
    if isinstance(hypotheses, Mapping):
        return None
    files = [Input(h) if isinstance(h, (str, PathLike)) else h for h in hypotheses]
    paths = [f for f in files if isinstance(f, Input)]
    if len(paths) < len(files):
        return None
    are_counts = [counts_format.is_counts(path) for path in paths]
    if not any(are_counts):
        return None
    if not all(are_counts):
        name = paths[are_counts.index(False)].name
        raise UsageError(
            f"{name} is not a counts file but others are; save its counts too, with "
            f"jurybox score {name} --save-counts"
        )
    return [counts_format.read(path) for path in paths]


def _test_pairs(
    scored: ScoreResult,
    options: Options,
    pairs: Sequence[tuple[int, int]],
    *,
    resamples: int,
    level: float,
    unit: str,
    seed: int,
    top: int,
) -> list[PairResult]:
    import numpy as np

    from jurybox.stats.significance import (
        approximate_randomisation,
        deciding_sentences,
        holm,
        paired_bootstrap,
        smallest_detectable_difference,
    )

    tables = [system.table for system in scored.systems]
    names = [system.name for system in scored.systems]
    statistic = statistic_for(options)
    drawn = resample(tables, options, resamples=resamples, unit=unit, seed=seed)
    documents = documents_for(tables, unit)
    results = []
    for one, other in pairs:
        difference = paired_bootstrap(drawn, other, one, level=level)
        # A stream of its own for every pair, so that a pair's p-value does not depend on which
        # other pairs are tested.
        rng = np.random.default_rng([seed, one, other])
        randomised = approximate_randomisation(
            tables[other],
            tables[one],
            statistic,
            rng=rng,
            resamples=resamples,
            documents=documents,
        )[statistic.names[-1]]
        deciding = deciding_sentences(tables[other], tables[one], statistic, top=top)
        results.append(
            PairResult(
                first=names[one],
                second=names[other],
                difference=difference.value,
                interval=difference.interval,
                standard_error=difference.standard_error,
                p_bootstrap=difference.p_value,
                p_randomisation=randomised.p_value,
                p_bootstrap_holm=difference.p_value,
                p_randomisation_holm=randomised.p_value,
                smallest_detectable=smallest_detectable_difference(difference.standard_error),
                for_second=tuple(
                    DecidingText(s.sentence + 1, s.influence) for s in deciding.for_first
                ),
                for_first=tuple(
                    DecidingText(s.sentence + 1, s.influence) for s in deciding.for_second
                ),
            )
        )
    if any(pair.p_bootstrap != pair.p_bootstrap for pair in results):
        return results  # undefined, the interval says why
    adjusted = zip(
        results,
        holm([pair.p_bootstrap for pair in results]),
        holm([pair.p_randomisation for pair in results]),
        strict=True,
    )
    return [
        replace(pair, p_bootstrap_holm=boot, p_randomisation_holm=random)
        for pair, boot, random in adjusted
    ]


def _texts(
    hypotheses: Hypotheses,
    gold: Gold | None,
    options: Options,
    given: Mapping[str, Any],
    pairs: Sequence[PairResult],
) -> dict[str, dict[int, str]]:
    """The deciding sentences' words, by system ('' is the source), where they can be read again."""
    wanted = {d.sentence for pair in pairs for d in (*pair.for_first, *pair.for_second)}
    if not wanted or _saved_counts(hypotheses) is not None:
        return {}
    found: dict[str, dict[int, str]] = {}
    for system in systems_from(hypotheses, hyp_format=given.get("hyp_format")):
        if isinstance(system.source, Input) and not system.source.rewindable:
            continue
        lines = (" ".join(tokens) for tokens in read_tokens(system, tokenized=not options.tokenize))
        found[system.name] = dict(_pick(lines, wanted))
    found[""] = dict(_pick(_source_lines(gold, given), wanted))
    return found


def _source_lines(gold: Gold | None, given: Mapping[str, Any]) -> Iterator[str]:
    source = given.get("source")
    if gold is not None:
        panel = gold_from(gold, gold_format=given.get("gold_format"))
        if isinstance(panel, PanelStream) and not all(i.rewindable for i in panel.inputs):
            return iter(())
        return (sentence.text for sentence in panel)
    if isinstance(source, (str, PathLike, Input)):
        file = source if isinstance(source, Input) else Input(source)
        return text.read(file) if file.rewindable else iter(())
    return iter(source or ())


def _pick(lines: Iterator[str], wanted: set[int]) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(lines, 1) if number in wanted)


def _with_texts(pair: PairResult, texts: Mapping[str, Mapping[int, str]]) -> PairResult:
    def worded(deciding: DecidingText) -> DecidingText:
        return replace(
            deciding,
            source=texts.get("", {}).get(deciding.sentence),
            first=texts.get(pair.first, {}).get(deciding.sentence),
            second=texts.get(pair.second, {}).get(deciding.sentence),
        )

    return replace(
        pair,
        for_first=tuple(map(worded, pair.for_first)),
        for_second=tuple(map(worded, pair.for_second)),
    )
