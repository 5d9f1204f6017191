"""`compare`: is the difference between systems more than chance, and where does it come from?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from os import PathLike
from typing import TYPE_CHECKING, Any

from jurybox.api.certainty import Certainty, documents_for, resample, told_statistic
from jurybox.api.comparison import CompareResult, DecidingText, PairResult
from jurybox.api.counting import Progress
from jurybox.api.inputs import Gold, Hypothesis, gold_from, read_tokens, systems_from
from jurybox.api.options import Options
from jurybox.api.results import ScoreResult
from jurybox.api.saved import score_counts
from jurybox.api.score import score
from jurybox.errors import UsageError, unknown_name
from jurybox.formats import Input, PanelStream, counts, text
from jurybox.model import Panel

if TYPE_CHECKING:
    from jurybox.stats.statistic import Statistic

Hypotheses = Mapping[str, Hypothesis] | Sequence[Hypothesis] | str | PathLike[str] | Input


def compare(
    hypotheses: Hypotheses,
    gold: Gold | None = None,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    alpha: float = 0.05,
    resamples: int = 1000,
    ci_level: float = 0.95,
    ci_unit: str = "sentence",
    seed: int = 1,
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
    if not 0 < alpha < 1:
        raise UsageError(f"alpha lies between 0 and 1, as 0.05, not {alpha}")
    if top < 0:
        raise UsageError(f"--top must be 0 or more, not {top}")
    if "ci" in options:
        raise UsageError("compare always gives intervals; leave out ci")
    certainty = Certainty(resamples, ci_level, ci_unit, seed)
    systems = _as_inputs(hypotheses)
    gold = _read_often(gold)
    scored = _scored(systems, gold, progress, options)
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
    known = Options(**{name: value for name, value in scored.options.items() if name != "ci"})
    statistic = told_statistic(known, certainty, progress, times=1 + len(pairs))
    results = _test_pairs(scored, statistic, pairs, certainty, top)
    texts = _texts(systems, gold, known, options, results)
    return CompareResult(
        metric=scored.metric,
        beta=scored.beta,
        signature=certainty.sign(scored.signature),
        scores=scored,
        baseline=None if all_pairs else names[first],
        pairs=tuple(_with_texts(pair, texts) for pair in results),
        certainty=certainty,
        alpha=alpha,
        warnings=scored.warnings,
    )


Systems = dict[str, Hypothesis] | list[Hypothesis]


def _as_inputs(hypotheses: Hypotheses) -> Systems:
    """Paths become files that are opened once: what came through a pipe must not be lost."""
    if isinstance(hypotheses, Mapping):
        return {name: _as_input(one) for name, one in hypotheses.items()}
    if isinstance(hypotheses, (str, PathLike, Input)):
        return [_as_input(hypotheses)]
    return [_as_input(one) for one in hypotheses]


def _as_input(one: Hypothesis) -> Hypothesis:
    if isinstance(one, (str, PathLike)):
        one = Input(one)
    return one.keep() if isinstance(one, Input) else one


def _read_often(gold: Gold | None) -> Gold | None:
    """The gold is read again for the words of the deciding sentences: hold what is piped in."""
    if gold is None or isinstance(gold, (Panel, PanelStream)):
        return gold
    files = [gold] if isinstance(gold, (str, PathLike, Input)) else list(gold)
    return [(one if isinstance(one, Input) else Input(one)).keep() for one in files]


def _scored(
    systems: Systems, gold: Gold | None, progress: Progress | None, options: dict[str, Any]
) -> ScoreResult:
    """The systems' scores, from files, from memory or from saved counts."""
    files = list(systems.values()) if isinstance(systems, dict) else systems
    saved = [file for file in files if isinstance(file, Input) and counts.is_counts(file)]
    if not saved:
        return score(systems, gold, progress=progress, **options)
    if len(saved) < len(files):
        other = next(file for file in files if file not in saved)
        name = other.name if isinstance(other, Input) else "another"
        raise UsageError(
            f"{saved[0].name} holds saved counts but {name} does not; save the counts of all "
            "systems, or give all hypotheses themselves"
        )
    if gold is not None or options:
        given = ", ".join(["gold"] * (gold is not None) + sorted(options))
        raise UsageError(
            f"saved counts are compared as they were made: leave out {given}, or give the "
            "hypotheses themselves"
        )
    return score_counts(saved)


def _test_pairs(
    scored: ScoreResult,
    statistic: Statistic,
    pairs: Sequence[tuple[int, int]],
    certainty: Certainty,
    top: int,
) -> list[PairResult]:
    import numpy as np

    from jurybox.stats.significance import (
        Deciding,
        approximate_randomisation,
        deciding_sentences,
        holm,
        paired_bootstrap,
        smallest_detectable_difference,
    )

    tables = [system.table for system in scored.systems]
    names = [system.name for system in scored.systems]
    drawn = resample(tables, statistic, certainty)
    documents = documents_for(tables, certainty)
    results = []
    for one, other in pairs:
        difference = paired_bootstrap(drawn, other, one, level=certainty.ci_level)
        # A stream of its own for every pair, so that its p-value does not depend on which other
        # pairs are tested, nor in which order the systems were named.
        rng = np.random.default_rng([certainty.seed, *_marks(names[one], names[other])])
        randomised = approximate_randomisation(
            tables[other],
            tables[one],
            statistic,
            rng=rng,
            resamples=certainty.resamples,
            documents=documents,
            observed=drawn.observed[:, [other, one]],
        )[statistic.names[-1]]
        deciding = Deciding((), ())
        if top:
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


def _marks(*names: str) -> list[int]:
    from zlib import crc32

    return sorted(crc32(name.encode()) for name in names)


def _texts(
    hypotheses: Systems,
    gold: Gold | None,
    options: Options,
    given: Mapping[str, Any],
    pairs: Sequence[PairResult],
) -> dict[str, dict[int, str]]:
    """The deciding sentences' words, by system ('' is the source), where they can be read again."""
    wanted = {d.sentence for pair in pairs for d in (*pair.for_first, *pair.for_second)}
    if not wanted or (gold is None and "source" not in given):
        return {}  # saved counts have no words
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
