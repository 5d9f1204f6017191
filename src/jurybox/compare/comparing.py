"""How `compare` works: scores, tests of every pair, and the sentences that decide."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import ceil, isnan, nan
from os import PathLike
from typing import Any

from jurybox.compare import Compare
from jurybox.compare.result import CompareResult, DecidingText, PairResult
from jurybox.counting.systems import (
    EssayTokens,
    Hypothesis,
    by_name,
    gold_from,
    read_tokens,
    sentences_from,
    systems_from,
)
from jurybox.errors import JuryboxWarning, UsageError, unknown_name
from jurybox.formats import Input, PanelStream, as_inputs
from jurybox.formats.edits import text
from jurybox.formats.edits.tokens import tokenize
from jurybox.model import Panel
from jurybox.score import MATCHING, Score, is_counts, score
from jurybox.score.result import ScoreResult
from jurybox.stats.confidence import (
    Bootstrap,
    documents_for,
    resample,
    statistic_for,
    watched_statistic,
)
from jurybox.stats.significance import (
    Deciding,
    Randomised,
    approximate_randomisation,
    deciding_sentences,
    holm,
    paired_bootstrap,
    smallest_detectable_difference,
)
from jurybox.stats.statistic import Statistic
from jurybox.streams import stream

Systems = dict[str, Hypothesis] | list[Hypothesis]


def compare_systems(call: Compare) -> CompareResult:
    """Score all systems, test the pairs, and look up the words of the sentences that decide."""
    level = 1 - call.alpha if call.ci_level is None else call.ci_level
    systems = _as_inputs(call.hypotheses)
    gold = call.gold
    if gold is not None and not isinstance(gold, (Panel, PanelStream)):
        # it is read again for the words of the deciding sentences: hold what is piped in
        call = call.replace(gold=[one.keep() for one in as_inputs(gold, "gold")])
    scored = _scored(systems, call)
    names = [system.name for system in scored.systems]
    if len(names) < 2:
        raise UsageError(f"a comparison needs two systems or more; there is only {names[0]}")
    baseline = names[0] if call.baseline is None else str(call.baseline)
    if baseline not in names:
        raise unknown_name("baseline", baseline, names)
    first = names.index(baseline)
    if call.all_pairs:
        pairs = list(combinations(range(len(names)), 2))
    else:
        pairs = [(first, other) for other in range(len(names)) if other != first]
    how = Bootstrap(call.resamples, level, call.ci_unit, call.seed)
    how = how.settled(scored.systems[0].table.documents)
    results = _test_pairs(scored, pairs, how, call)
    with warnings.catch_warnings():  # the files are read again, and have been warned of
        warnings.simplefilter("ignore", JuryboxWarning)
        texts = _texts(systems, call, results)
    return CompareResult(
        options=scored.options.replace(ci=how),
        baseline=None if call.all_pairs else names[first],
        alpha=call.alpha,
        systems=scored.systems,
        pairs=tuple(_with_texts(pair, texts) for pair in results),
        signature=how.sign(scored.signature),
        inputs=scored.inputs,
        warnings=scored.warnings,
    )


def _as_inputs(hypotheses: Any) -> Systems:
    """Paths become files that are opened once: what came through a pipe must not be lost."""
    hypotheses = by_name(hypotheses)
    if isinstance(hypotheses, Mapping):
        return {str(name): _as_input(one) for name, one in hypotheses.items()}
    if isinstance(hypotheses, (str, PathLike, Input)):
        return [_as_input(hypotheses)]
    return [_as_input(one) for one in sentences_from(hypotheses, "hypotheses", any_kind=True)]


def _as_input(one: Hypothesis) -> Hypothesis:
    if isinstance(one, (str, PathLike)):
        one = Input(one)
    return one.keep() if isinstance(one, Input) else one


def _scored(systems: Systems, call: Compare) -> ScoreResult:
    """The systems' scores, from files, from memory or from saved counts."""
    files = list(systems.values()) if isinstance(systems, dict) else systems
    saved = [file for file in files if isinstance(file, Input) and is_counts(file)]
    if not saved:
        return score.of(call.only(Score, hypotheses=systems, ci_level=0.95))  # no intervals yet
    if len(saved) < len(files):
        other = next(file for file in files if file not in saved)
        name = other.name if isinstance(other, Input) else "another"
        raise UsageError(
            f"{saved[0].name} holds saved counts but {name} does not; save the counts of all "
            "systems, or give all hypotheses themselves"
        )
    given = sorted(name for name in call.changed() if name in MATCHING)
    if given:
        raise UsageError(
            f"saved counts are compared as they were made: leave out {', '.join(given)}, or give "
            "the hypotheses themselves"
        )
    from jurybox.score.saved_counts import score_counts  # start-up: only where counts are given

    return score_counts(saved)


def _test_pairs(
    scored: ScoreResult, pairs: Sequence[tuple[int, int]], how: Bootstrap, call: Compare
) -> list[PairResult]:
    statistic = watched_statistic(scored.options, how, call.progress, times=1 + len(pairs))
    untold = statistic_for(scored.options)  # exchanges that were not announced to the progress
    tables = [system.table for system in scored.systems]
    names = [system.name for system in scored.systems]
    drawn = resample(tables, statistic, how)
    documents = documents_for(tables, how)
    enough = exchanges_for(len(pairs), call.alpha, how.resamples)
    results = []
    for one, other in pairs:
        # Every pair sees the same exchanges, so its p-value depends on nothing but the pair.
        def exchange(
            by: Statistic, times: int, first: int = other, second: int = one
        ) -> Randomised:
            return approximate_randomisation(
                tables[first],
                tables[second],
                by,
                rng=stream(how.seed, "exchange"),
                resamples=times,
                documents=documents,
            )

        randomised = exchange(statistic, how.resamples)
        p_value = randomised.p_value()
        more = enough > how.resamples and p_value <= call.alpha
        bootstrapped = paired_bootstrap(drawn, other, one, level=how.level)
        interval = randomised.interval(how.level)
        if isnan(bootstrapped.p_value):
            interval = bootstrapped.interval  # there is only one unit
        deciding = Deciding()
        if call.top:
            deciding = deciding_sentences(tables[other], tables[one], statistic, top=call.top)
        results.append(
            PairResult(
                first=names[one],
                second=names[other],
                difference=bootstrapped.value,
                interval=interval,
                standard_error=randomised.standard_error if drawn.units > 1 else nan,
                p_bootstrap=bootstrapped.p_value,
                p_randomisation=p_value,
                p_bootstrap_holm=bootstrapped.p_value,
                p_randomisation_holm=exchange(untold, enough).p_value() if more else p_value,
                lowest_p=randomised.lowest_p(),
                exchanges=enough if more else how.resamples,
                smallest_detectable=smallest_detectable_difference(
                    randomised.standard_error if drawn.units > 1 else nan, alpha=call.alpha
                ),
                for_second=tuple(DecidingText(i + 1, moved) for i, moved in deciding.for_first),
                for_first=tuple(DecidingText(i + 1, moved) for i, moved in deciding.for_second),
            )
        )
    if any(isnan(pair.p_bootstrap) for pair in results):
        return results  # undefined, the interval says why
    adjusted = zip(
        results,
        holm([pair.p_bootstrap for pair in results]),
        holm([pair.p_randomisation_holm for pair in results]),
        strict=True,
    )
    return [
        pair._replace(p_bootstrap_holm=boot, p_randomisation_holm=random)
        for pair, boot, random in adjusted
    ]


def exchanges_for(pairs: int, alpha: float, asked: int) -> int:
    """How many exchanges can decide among so many pairs: those asked for, or more.

    R exchanges give a p-value of 1 / (R + 1) at the lowest, which Holm's correction multiplies by
    the number of pairs. Where that is above alpha, as many are made as bring it to half of alpha.

    >>> exchanges_for(3, 0.05, 1000), exchanges_for(105, 0.05, 1000)
    (1000, 4199)
    """
    return asked if pairs / (asked + 1) <= alpha else ceil(2 * pairs / alpha) - 1


def _texts(
    hypotheses: Systems, call: Compare, pairs: Sequence[PairResult]
) -> dict[str, dict[int, str]]:
    """The deciding sentences' words, by system ('' is the source), where they can be read again."""
    wanted = {d.sentence for pair in pairs for d in (*pair.for_first, *pair.for_second)}
    if not wanted or (call.gold is None and call.source is None):
        return {}  # saved counts have no words
    sources = list(islice(_sources(call), max(wanted)))
    essays = [document for document, _ in sources if document is not None]
    found = {"": dict(_pick((words for _, words in sources), wanted))}
    for system in systems_from(hypotheses, hyp_format=call.hyp_format, hyp_key=call.hyp_key):
        if isinstance(system.source, Input) and not system.source.rewindable:
            continue
        texts = read_tokens(system, tokenized=not call.tokenize)
        if isinstance(texts, EssayTokens) and essays:
            texts = map(texts.of, essays)
        found[system.name] = dict(_pick((" ".join(tokens) for tokens in texts), wanted))
    return found


def _sources(call: Compare) -> Iterator[tuple[str | None, str]]:
    """Document, if it is known, and words of every source sentence."""
    source = call.source
    if call.gold is not None:
        panel = gold_from(call.gold, gold_format=call.gold_format)
        if isinstance(panel, PanelStream) and not all(i.rewindable for i in panel.inputs):
            return iter(())
        return ((sentence.document, sentence.text) for sentence in panel)
    if isinstance(source, (str, PathLike, Input)):
        file = source if isinstance(source, Input) else Input(source)
        versions = text.read_versions(file, ()) if file.rewindable else iter(())
        split = tokenize if call.tokenize else str.split
        return ((one.document, " ".join(split(one.source))) for one in versions)
    return ((None, line) for line in source or ())


def _pick(lines: Iterator[str], wanted: set[int]) -> Iterator[tuple[int, str]]:
    """The wanted lines; what follows the last of them is not read."""
    numbered = islice(enumerate(lines, 1), max(wanted, default=0))
    return ((number, line) for number, line in numbered if number in wanted)


def _with_texts(pair: PairResult, texts: Mapping[str, Mapping[int, str]]) -> PairResult:
    def worded(deciding: DecidingText) -> DecidingText:
        return deciding._replace(
            source=texts.get("", {}).get(deciding.sentence),
            first=texts.get(pair.first, {}).get(deciding.sentence),
            second=texts.get(pair.second, {}).get(deciding.sentence),
        )

    return pair._replace(
        for_first=tuple(map(worded, pair.for_first)),
        for_second=tuple(map(worded, pair.for_second)),
    )
