"""`meta`: which metric orders systems as people do?

Human scores out of rankings are expected wins (Grundkiewicz et al. 2015). Metrics that score whole
systems are correlated with them over systems. Metrics that score sentences are held against the
pairs that people decided, sentence by sentence (Kobayashi et al. 2024).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import isnan, nan
from typing import TYPE_CHECKING

from jurybox.api.certainty import Certainty
from jurybox.api.meta_inputs import (
    Human,
    HumanSide,
    MetricScores,
    Scores,
    gather_human,
    gather_scores,
    matched,
)
from jurybox.api.meta_options import MetaOptions
from jurybox.api.meta_result import (
    Agreement,
    MetaResult,
    MetricAgreement,
    MetricPair,
    RankedSystem,
    RankingFacts,
)
from jurybox.api.score import collecting_warnings
from jurybox.errors import InputError, JuryboxWarning, UsageError, plural, unknown_name

if TYPE_CHECKING:
    from jurybox.stats.expected_wins import Wins
    from jurybox.stats.resample import Interval
    from jurybox.stats.running_choice import FloatArray


def meta(
    scores: Scores | Sequence[Scores],
    human: Human | Sequence[Human],
    *,
    metrics: Sequence[str] = (),
    without: Sequence[str] = (),
    without_judges: Sequence[str] = (),
    lower_is_better: Sequence[str] = (),
    orders: int = 10_000,
    resamples: int = 1000,
    ci_level: float = 0.95,
    ci_unit: str = "sentence",
    seed: int = 1,
) -> MetaResult:
    """How far metrics order systems as people do.

    `scores` are tables (system, metric, score; with a column sentence: scores of sentences),
    results of `score`, or {metric: {system: score}}; `human` is files of rankings (Appraise XML, or
    sentence, judge, system, rank), a file of scores, {system: score}, or `Ranking`s. Options are
    those of `jurybox meta`.

    >>> by_metric = {"m2": {"AMU": 0.35, "CAMB": 0.37, "IPN": 0.07, "UFC": 0.08}}
    >>> found = meta(by_metric, {"AMU": 0.63, "CAMB": 0.56, "IPN": 0.30, "UFC": 0.51})
    >>> agreement = found.of("m2")
    >>> round(agreement.by("pearson").value, 4), round(agreement.by("pairwise_accuracy").value, 4)
    (0.7756, 0.8333)
    """
    options = MetaOptions(
        tuple(metrics),
        tuple(without),
        tuple(without_judges),
        tuple(lower_is_better),
        orders,
        ci_unit,
        Certainty(resamples, ci_level, seed=seed),
    )
    with collecting_warnings() as messages:
        given = gather_scores(scores).only(options.metrics)
        side = gather_human(human, options.without_judges)
        result = _Work(given, side, options).result()
    return replace(result, warnings=tuple(messages))


class _Work:
    """Everything that was given, people's scores, and what follows from them."""

    def __init__(self, given: MetricScores, side: HumanSide, options: MetaOptions) -> None:
        from jurybox.stats.expected_wins import count_wins, expected_wins

        self.given, self.side = given, side
        self.wins: Wins | None = count_wins(side.rankings) if side.rankings else None
        # scores of people cannot be resampled by sentences
        unit = options.ci_unit if self.wins is not None else "system"
        self.options = replace(options, ci_unit=unit)
        self.drawn: FloatArray | None = None  # people's scores [resamples, systems of wins]
        if self.wins is not None:
            found = expected_wins(self.wins).tolist()
            self.human = dict(zip(self.wins.systems, found, strict=True))
        else:
            self.human = dict(side.scores)
        undecided = {name for name, score in self.human.items() if isnan(score)}
        _note_missing("people never decide about", undecided)
        self.human = {name: s for name, s in self.human.items() if name not in undecided}
        self._check_names()

    def _check_names(self) -> None:
        for name in self.options.without:
            if name not in self.human:
                raise unknown_name("system (--without)", name, self.human)
        for name in self.options.lower_is_better:
            if name not in self.given.names:
                raise unknown_name("metric (--lower-is-better)", name, self.given.names)

    def result(self) -> MetaResult:
        by_system = {name: self._named(name) for name in self.given.systems}
        by_sentence = {name: self._named_in_sentences(name) for name in self.given.sentences}
        found = [self._over_systems(name, scores) for name, scores in by_system.items()]
        found += [self._over_sentences(name, scores) for name, scores in by_sentence.items()]
        systems = self._systems(by_system, by_sentence)
        kind = "scores" if self.wins is None else "expected-wins"
        return MetaResult(
            systems=systems,
            metrics=tuple(found),
            pairs=tuple(self._pairs(by_system)),
            ranked=self._facts(),
            options=self.options.to_dict(),
            signature=self.options.sign(kind, len(systems)),
            inputs=(*self.given.inputs, *self.side.inputs),
        )

    # --- who is compared ---

    def _named(self, metric: str) -> dict[str, float]:
        """A metric's scores by the names that people's side has, of systems that both know."""
        given: dict[str, float] = {}
        for name, score in self.given.systems[metric].items():
            system = matched(name, self.human)
            if system in given:
                raise InputError(f"'{system}' has two scores by '{metric}'; keep one")
            given[system] = score
        return self._kept(metric, given)

    def _kept(self, metric: str, given: Mapping[str, float]) -> dict[str, float]:
        left_out = set(self.options.without)
        _note_missing(f"'{metric}' has no score for", self.human.keys() - given.keys() - left_out)
        _note_missing(
            f"people say nothing of systems that '{metric}' scores:",
            given.keys() - self.human.keys(),
        )
        kept = {name: given[name] for name in self.human if name in given and name not in left_out}
        if len(kept) < 2:
            raise InputError(
                f"people and '{metric}' have {plural(len(kept), 'system')} in common, and two are "
                f"needed; people's are: {', '.join(self.human)}; the metric's: {', '.join(given)}"
            )
        return kept

    def _named_in_sentences(self, metric: str) -> dict[str, dict[str, float]]:
        """The same for scores of sentences."""
        if self.wins is None:
            raise InputError(
                f"'{metric}' scores sentences, and people's scores are of whole systems; give "
                "rankings (sentence,judge,system,rank) with --human"
            )
        given = {
            sentence: {matched(name, self.human): score for name, score in scores.items()}
            for sentence, scores in self.given.sentences[metric].items()
        }
        everybody = {system: 0.0 for scores in given.values() for system in scores}
        kept = self._kept(metric, everybody)
        return {
            sentence: {name: score for name, score in scores.items() if name in kept}
            for sentence, scores in given.items()
        }

    def _sign(self, metric: str) -> int:
        return -1 if metric in self.options.lower_is_better else 1

    # --- over systems ---

    def _over_systems(self, metric: str, scores: Mapping[str, float]) -> MetricAgreement:
        import numpy as np

        from jurybox.stats.correlation import CORRELATIONS, MEASURES, permutation_p

        names = list(scores)
        x = self._sign(metric) * np.array(list(scores.values()))
        y = np.array([self.human[name] for name in names])
        drawn_x, drawn_y = self._drawn(names, x, y)
        listed = []
        for name, measure in MEASURES.items():
            p_value = None
            if name in CORRELATIONS:
                rng = np.random.default_rng(self.options.certainty.seed)
                p_value = permutation_p(x, y, name, rng=rng, orders=self.options.orders).p_value
            value = float(measure(x, y))
            interval = self._interval(value, measure(drawn_x, drawn_y))
            listed.append(Agreement(name, value, interval, p_value))
        return MetricAgreement(metric, "system", len(names), tuple(listed))

    def _drawn(
        self, names: Sequence[str], x: FloatArray, y: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Scores by the metric and by people in every resample: [resamples, systems]."""
        import numpy as np

        resamples = self.options.certainty.resamples
        if self.options.ci_unit == "system":
            rng = np.random.default_rng(self.options.certainty.seed)
            drawn = rng.integers(0, len(names), size=(resamples, len(names)))
            return x[drawn], y[drawn]
        assert self.wins is not None
        places = [self.wins.systems.index(name) for name in names]
        return np.broadcast_to(x, (resamples, len(names))), self._drawn_wins()[:, places]

    def _drawn_wins(self) -> FloatArray:
        """People's scores on resamples of sentences, the same for all metrics."""
        import numpy as np

        from jurybox.stats.expected_wins import expected_wins
        from jurybox.stats.resample import bootstrap_weights, chunk_sizes

        assert self.wins is not None
        if self.drawn is None:
            n = len(self.wins.sentences)
            rng = np.random.default_rng(self.options.certainty.seed)
            sizes = chunk_sizes(
                self.options.certainty.resamples,
                sentences=n,
                systems=len(self.wins.systems) ** 2,
            )
            parts = [expected_wins(self.wins, bootstrap_weights(n, size, rng)) for size in sizes]
            self.drawn = np.concatenate(parts)
            self._note_undecided(self.drawn)
        return self.drawn

    def _note_undecided(self, drawn: FloatArray) -> None:
        import numpy as np

        assert self.wins is not None
        places = [place for place, name in enumerate(self.wins.systems) if name in self.human]
        missing = int(np.isnan(drawn[:, places]).any(axis=1).sum())
        if missing:
            message = (
                f"in {missing} of {len(drawn)} resamples of sentences a system is decided against "
                "nobody; they are left out of its intervals"
            )
            warnings.warn(message, JuryboxWarning, stacklevel=2)

    def _interval(self, value: float, drawn: FloatArray) -> Interval:
        import numpy as np

        from jurybox.stats.resample import Interval, summarise

        level = self.options.certainty.ci_level
        known = drawn[~np.isnan(drawn)]
        if not known.size or isnan(value):
            return Interval(nan, nan, level, "not defined")
        alone = ""
        if self.options.ci_unit == "sentence" and self.wins is not None:
            alone = "one sentence shows no variation" * (len(self.wins.sentences) == 1)
        return summarise(value, known, level=level, only_one=alone).interval

    def _pairs(self, by_system: Mapping[str, Mapping[str, float]]) -> list[MetricPair]:
        """Every two metrics that score the same systems."""
        import numpy as np

        from jurybox.stats.correlation import williams

        found = []
        for (first, one), (second, other) in combinations(by_system.items(), 2):
            names = [name for name in one if name in other]
            if len(names) < len(one) or len(names) < len(other):
                continue
            x = self._sign(first) * np.array([one[name] for name in names])
            y = self._sign(second) * np.array([other[name] for name in names])
            test = williams(x, y, np.array([self.human[name] for name in names]))
            numbers = (test.first, test.second, test.between, test.t, test.p_value)
            found.append(MetricPair(first, second, *numbers))
        return found

    # --- over sentences ---

    def _over_sentences(
        self, metric: str, scores: Mapping[str, Mapping[str, float]]
    ) -> MetricAgreement:
        """The pairs that people decided, right or wrong by the metric."""
        import numpy as np

        from jurybox.stats.decided_pairs import MEASURES, judge_pairs, share_of_pairs
        from jurybox.stats.resample import bootstrap_weights

        assert self.wins is not None
        if self.options.ci_unit == "system":
            raise UsageError(
                f"'{metric}' scores sentences, and its intervals are over sentences: leave out "
                "--ci-unit"
            )
        counts = judge_pairs(self.wins, self._score_matrix(metric, scores))
        rng = np.random.default_rng(self.options.certainty.seed)
        weights = bootstrap_weights(len(counts), self.options.certainty.resamples, rng)
        totals, drawn = counts.sum(axis=0), weights.astype(np.float64) @ counts
        measures = []
        for name in MEASURES:
            value = float(share_of_pairs(name, totals))
            interval = self._interval(value, share_of_pairs(name, drawn))
            measures.append(Agreement(name, value, interval, None))
        systems = len({name for one in scores.values() for name in one})
        pairs = map(int, totals)
        return MetricAgreement(metric, "sentence", systems, tuple(measures), *pairs)

    def _score_matrix(self, metric: str, scores: Mapping[str, Mapping[str, float]]) -> FloatArray:
        """Scores [sentences, systems] as the rankings have them; nan where a system is left out."""
        import numpy as np

        assert self.wins is not None
        compared = {name for one in scores.values() for name in one}
        kept = np.array([name in compared for name in self.wins.systems])
        found = np.full((len(self.wins.sentences), len(kept)), nan)
        for row, sentence in enumerate(self.wins.sentences):
            here = scores.get(sentence, {})
            found[row] = [here.get(name, nan) for name in self.wins.systems]
        decided = self.wins.wins[:, :, kept].any(axis=2) | self.wins.wins[:, kept].any(axis=1)
        missing = np.argwhere(decided & kept & np.isnan(found))
        if len(missing):
            row, place = missing[0]
            raise InputError(
                f"'{metric}' has no score for '{self.wins.systems[place]}' on sentence "
                f"'{self.wins.sentences[row]}', which people ranked ({len(missing)} are missing); "
                "score it, or leave the system out with --without"
            )
        return self._sign(metric) * found

    # --- people ---

    def _systems(
        self,
        by_system: Mapping[str, Mapping[str, float]],
        by_sentence: Mapping[str, Mapping[str, Mapping[str, float]]],
    ) -> tuple[RankedSystem, ...]:
        compared = {name for scores in by_system.values() for name in scores}
        for scores_of in by_sentence.values():
            compared |= {name for one in scores_of.values() for name in one}
        found = []
        for name in sorted(compared, key=lambda name: (-self.human[name], name)):
            interval = None
            if self.wins is not None and self.options.ci_unit == "sentence":
                column = self._drawn_wins()[:, self.wins.systems.index(name)]
                interval = self._interval(self.human[name], column)
            scores = {m: scores[name] for m, scores in by_system.items() if name in scores}
            found.append(RankedSystem(name, self.human[name], interval, scores))
        return tuple(found)

    def _facts(self) -> RankingFacts | None:
        if self.wins is None:
            return None
        judges = {ranking.judge for ranking in self.side.rankings}
        return RankingFacts(
            len(self.side.rankings),
            len(self.wins.sentences),
            len(judges),
            self.wins.decided,
            self.wins.ties,
        )


def _note_missing(what: str, names: set[str]) -> None:
    if names:
        listed = ", ".join(sorted(names))
        warnings.warn(f"{what} {listed}; left out", JuryboxWarning, stacklevel=3)
