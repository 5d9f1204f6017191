"""How `metaeval` works: who is compared, correlations over systems, pairs within sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from math import isnan, nan

import numpy as np

from jurybox.errors import InputError, UsageError, collecting_warnings, plural, unknown_name, warn
from jurybox.metaeval import Metaeval, MetaevalOptions
from jurybox.metaeval.correlation import ALL_ORDERS, CORRELATIONS, MEASURES, permutation_p, williams
from jurybox.metaeval.inputs import HumanSide, MetricScores, gather_human, gather_scores, matched
from jurybox.metaeval.intervals import (
    correlation_interval,
    correlation_over_sentences,
    over_sentences,
)
from jurybox.metaeval.ranked_pairs import (
    PAIR_MEASURES,
    Wins,
    count_wins,
    expected_wins,
    judge_pairs,
    share_of_pairs,
)
from jurybox.metaeval.result import (
    IntervalMethod,
    MeasureAgreement,
    MetaevalResult,
    MetricAgreement,
    MetricPair,
    MetricScore,
    RankedSystem,
    RankingFacts,
    RecordedMeta,
)
from jurybox.options import signature
from jurybox.stats.resample import bootstrap_weights, chunk_sizes
from jurybox.stats.running_choice import FloatArray
from jurybox.streams import stream

#: how intervals are computed, for JSON
OVER_SYSTEMS = "Fisher's z; rank correlations: test inversion"
OVER_SENTENCES = "bootstrap: test inversion; of shares: Wilson form, t-quantiles"


def compare_with_people(call: Metaeval) -> MetaevalResult:
    """Read everybody's scores, and say how far metrics agree with people."""
    with collecting_warnings() as messages:
        given = gather_scores(call.scores).only(call.metrics)
        side = gather_human(call.human, call.without_judges)
        result = _Comparison(given, side, call).result()
    return replace(result, warnings=tuple(messages))


class _Comparison:
    """Everything that was given, people's scores, and what follows from them."""

    def __init__(self, given: MetricScores, side: HumanSide, call: Metaeval) -> None:
        self.given, self.side = given, side
        # scores of people cannot be resampled by sentences
        self.options = call if side.rankings else call.replace(ci_unit="system")
        human = dict(side.scores)
        if side.rankings:
            human = dict(zip(self.wins.systems, expected_wins(self.wins).tolist(), strict=True))
        undecided = {name for name, score in human.items() if isnan(score)}
        _note_missing("people never decide about", undecided)
        self.human = {name: score for name, score in human.items() if name not in undecided}
        for name in call.without:
            if name not in self.human:
                raise unknown_name("system (--without)", name, self.human)
        for name in call.lower_is_better:
            if name not in given.names:
                raise unknown_name("metric (--lower-is-better)", name, given.names)

    @cached_property
    def wins(self) -> Wins:
        """The pairs that people decided; only where there are rankings."""
        return count_wins(self.side.rankings)

    def result(self) -> MetaevalResult:
        call, rankings = self.options, self.side.rankings
        by_system = {name: self._named(name) for name in self.given.systems}
        by_sentence = {name: self._named_in_sentences(name) for name in self.given.sentences}
        found = [self._over_systems(name, scores) for name, scores in by_system.items()]
        found += [self._over_sentences(name, scores) for name, scores in by_sentence.items()]
        systems = self._systems(by_system, by_sentence)
        ranked = None
        if rankings:
            judges = {ranking.judge for ranking in rankings}
            sizes = (len(rankings), len(self.wins.sentences), len(judges))
            ranked = RankingFacts(*sizes, self.wins.decided, self.wins.ties)
        ci = IntervalMethod(OVER_SYSTEMS, call.ci_level, "system", call.seed)
        signed = "inversion-system"
        if call.ci_unit == "sentence":
            ci = ci._replace(method=OVER_SENTENCES, unit="sentence", resamples=call.resamples)
            signed = f"bootstrap-{call.resamples}-sentence"
        return MetaevalResult(
            systems=systems,
            metrics=tuple(found),
            pairs=tuple(self._pairs(by_system)),
            ranked=ranked,
            options=RecordedMeta(**dict(call.only(MetaevalOptions)), ci=ci),
            signature=signature(
                "metaeval",
                human="expected-wins" if rankings else "scores",
                systems=len(systems),
                without=call.without or None,
                judges=f"without-{'+'.join(call.without_judges)}" if call.without_judges else None,
                lower=call.lower_is_better or None,
                orders="all" if len(systems) <= ALL_ORDERS else call.orders,
                ci=signed,
                seed=call.seed,
            ),
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
        if not self.side.rankings:
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
        names = list(scores)
        x = self._sign(metric) * np.array(list(scores.values()))
        y = np.array([self.human[name] for name in names])
        order = np.lexsort((x, y))  # so that names and the order of rows change no digit
        names, x, y = [names[k] for k in order], x[order], y[order]
        level, drawn = self.options.ci_level, None
        if self.options.ci_unit == "sentence":
            drawn = self.drawn_wins[:, [self.wins.systems.index(name) for name in names]]
        listed = []
        for name, measure in MEASURES.items():
            value, p_value = float(measure(x, y)), None
            if name in CORRELATIONS:
                rng = stream(self.options.seed, "orders")
                p_value = permutation_p(x, y, name, rng=rng, orders=self.options.orders)
            if drawn is None:
                interval = correlation_interval(name, value, len(names), level)
            else:
                sentences = len(self.wins.sentences)
                interval = correlation_over_sentences(
                    name, x, y, drawn, sentences=sentences, level=level
                )
            listed.append(MeasureAgreement(name, value, interval, p_value))
        return MetricAgreement(metric, "system", len(names), tuple(listed))

    @cached_property
    def drawn_wins(self) -> FloatArray:
        """Expected wins [resamples, systems] on resamples of sentences, once for all metrics."""
        n, systems = len(self.wins.sentences), self.wins.systems
        rng = stream(self.options.seed, "bootstrap")
        sizes = chunk_sizes(self.options.resamples, sentences=n, systems=len(systems) ** 2)
        drawn = np.concatenate(
            [expected_wins(self.wins, bootstrap_weights(n, size, rng)) for size in sizes]
        )
        places = [place for place, name in enumerate(systems) if name in self.human]
        missing = int(np.isnan(drawn[:, places]).any(axis=1).sum())
        if missing:
            message = (
                f"in {missing} of {len(drawn)} resamples of sentences a system is decided against "
                "nobody; they are left out of its intervals"
            )
            warn(message)
        return drawn

    def _pairs(self, by_system: Mapping[str, Mapping[str, float]]) -> list[MetricPair]:
        """Every two metrics that score the same systems."""
        found = []
        for (first, one), (second, other) in combinations(by_system.items(), 2):
            names = [name for name in one if name in other]
            if len(names) < len(one) or len(names) < len(other):
                continue
            x = self._sign(first) * np.array([one[name] for name in names])
            y = self._sign(second) * np.array([other[name] for name in names])
            test = williams(x, y, np.array([self.human[name] for name in names]))
            found.append(MetricPair(first, second, *test))
        return found

    # --- over sentences ---

    def _over_sentences(
        self, metric: str, scores: Mapping[str, Mapping[str, float]]
    ) -> MetricAgreement:
        """The pairs that people decided, right or wrong by the metric."""
        if self.options.ci_unit == "system":
            raise UsageError(
                f"'{metric}' scores sentences, and its intervals are over sentences: leave out "
                "--ci-unit"
            )
        counts = judge_pairs(self.wins, self._score_matrix(metric, scores))
        rng = stream(self.options.seed, "bootstrap")
        weights = bootstrap_weights(len(counts), self.options.resamples, rng)
        totals, drawn = counts.sum(axis=0), weights.astype(np.float64) @ counts
        measures = []
        for name in PAIR_MEASURES:
            value = float(share_of_pairs(name, totals))
            lowest = -1.0 if name == "kendall" else 0.0
            interval = over_sentences(
                value,
                share_of_pairs(name, drawn),
                sentences=len(counts),
                level=self.options.ci_level,
                lowest=lowest,
            )
            measures.append(MeasureAgreement(name, value, interval, None))
        systems = len({name for one in scores.values() for name in one})
        return MetricAgreement(metric, "sentence", systems, tuple(measures), *map(int, totals))

    def _score_matrix(self, metric: str, scores: Mapping[str, Mapping[str, float]]) -> FloatArray:
        """Scores [sentences, systems] as the rankings have them; nan where a system is left out."""
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
            if self.options.ci_unit == "sentence":
                interval = over_sentences(
                    self.human[name],
                    self.drawn_wins[:, self.wins.systems.index(name)],
                    sentences=len(self.wins.sentences),
                    level=self.options.ci_level,
                )
            scores = tuple(
                MetricScore(metric, scores[name])
                for metric, scores in by_system.items()
                if name in scores
            )
            found.append(RankedSystem(name, self.human[name], interval, scores))
        return tuple(found)


def _note_missing(what: str, names: set[str]) -> None:
    if names:
        listed = ", ".join(sorted(names))
        warn(f"{what} {listed}; left out")
