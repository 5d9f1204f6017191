"""What `metaeval` is given: scores by metrics and by people, out of files, results or memory."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from jurybox.compare.result import CompareResult
from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.formats import Input, as_input
from jurybox.formats._io import Frame
from jurybox.formats.given_values import as_dict, as_list
from jurybox.formats.tables.rankings import Ranking, holds_rankings, read_scores
from jurybox.formats.tables.rankings import read as read_rankings
from jurybox.results import GivenFile
from jurybox.saved_results import read_result
from jurybox.score.result import ScoreResult

File = str | os.PathLike[str] | Input | Frame
#: metric -> system -> score
ByMetric = Mapping[str, Mapping[str, float]]
Scores = File | ScoreResult | CompareResult | ByMetric
Human = File | Mapping[str, float] | Ranking

RESULT = re.compile(rb'\s*\{\s*"schema"\s*:\s*"jurybox\.')


@dataclass
class MetricScores:
    """Scores by metric, of systems and of systems on sentences, and the files they are from."""

    systems: dict[str, dict[str, float]] = field(default_factory=dict)
    sentences: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    on_request: set[str] = field(default_factory=set)  # used only if asked for by name
    inputs: list[GivenFile] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [*self.systems, *self.sentences]

    def only(self, wanted: Sequence[str]) -> MetricScores:
        """The metrics asked for, else all but those that must be asked for; `m2` alone is its F."""
        main = [name for name in self.names if name not in self.on_request]
        kept = set()
        for name in wanted:
            found = {name} if name in self.names else {m for m in main if m.startswith(f"{name}:")}
            if not found:
                raise unknown_name("metric (--metrics)", name, self.names)
            kept |= found
        kept = kept or set(main)
        return MetricScores(
            {name: scores for name, scores in self.systems.items() if name in kept},
            {name: scores for name, scores in self.sentences.items() if name in kept},
            inputs=self.inputs,
        )


def gather_scores(given: Scores | Sequence[Scores]) -> MetricScores:
    """All metrics of everything that was given."""
    found = MetricScores()
    for one in _each(given):
        if isinstance(one, (ScoreResult, CompareResult)):
            _take_result(one, found, "a result")
            known = {file.name for file in found.inputs}  # several results may be of the same ones
            found.inputs += [file for file in one.inputs if file.name not in known]
        elif isinstance(one, Mapping):
            for metric, scores in as_dict(one, "scores").items():
                _take(found, metric, _numbers(scores, metric), "the scores given")
        else:
            _take_file(as_input(one, "scores"), found)
    if not found.names:
        raise UsageError("name a file of scores, or the JSON of jurybox score")
    return found


def _each(given: Any) -> Iterable[Any]:
    """One value, or a list of whatever is known here."""
    single = (ScoreResult, CompareResult, Mapping, Ranking, str, os.PathLike, Input)
    is_one = isinstance(given, single) or hasattr(given, "columns")
    return [given] if is_one else as_list(given, "scores")


def _take_file(file: Input, found: MetricScores) -> None:
    if RESULT.match(file.peek(512)):
        result = read_result(file)
        if not isinstance(result, (ScoreResult, CompareResult)):
            raise InputError(f"{file.name}: has no scores of systems; give the JSON of score")
        _take_result(result, found, file.name)
    else:
        table = read_scores(file)
        for metric, scores in table.systems.items():
            _take(found, metric, scores, file.name)
        for metric, by_sentence in table.sentences.items():
            _refuse_twice(found, metric, file.name)
            found.sentences[metric] = by_sentence
    found.inputs.append(file)


def _take_result(result: ScoreResult | CompareResult, found: MetricScores, place: str) -> None:
    systems = result.systems
    if any(system.f is None for system in systems):
        values = {system.name: system.score or 0.0 for system in systems}
        _take(found, result.metric, values, place)
        return
    for name, title in (("f", f"f{result.beta:g}"), ("precision",) * 2, ("recall",) * 2):
        metric = f"{result.metric}:{title}"
        _take(found, metric, {system.name: getattr(system, name) for system in systems}, place)
        if name != "f":
            found.on_request.add(metric)


def _numbers(given: object, what: str) -> dict[str, float]:
    """Scores by system."""
    try:
        return {name: float(score) for name, score in as_dict(given, what).items()}
    except (TypeError, ValueError):
        raise InputError(f"{what}: a score is no number; give a number for each system") from None


def _take(found: MetricScores, metric: str, scores: dict[str, float], place: str) -> None:
    _refuse_twice(found, metric, place)
    for system, score in scores.items():
        if not isfinite(score):
            raise InputError(f"{place}: the score of '{system}' by '{metric}' is {score}")
    found.systems[metric] = scores


def _refuse_twice(found: MetricScores, metric: str, place: str) -> None:
    if metric in found.names:
        raise InputError(
            f"{place}: scores by '{metric}' are there already; give the metric another name in a "
            "column 'metric' (system,metric,score)"
        )


@dataclass(frozen=True)
class HumanSide:
    """What people say: rankings, or scores of systems."""

    rankings: tuple[Ranking, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()


def gather_human(given: Human | Sequence[Human], without_judges: Sequence[str] = ()) -> HumanSide:
    """The rankings of all files, or the scores of one."""
    rankings: list[Ranking] = []
    tables: list[Mapping[str, float]] = []
    inputs: list[Input] = []
    for one in _each(given):
        if isinstance(one, Ranking):
            rankings.append(one)
        elif isinstance(one, Mapping):
            tables.append(_numbers(one, "human"))
        else:
            inputs.append(as_input(one, "human"))
            if holds_rankings(inputs[-1]):
                rankings += read_rankings(inputs[-1])
            else:
                table = read_scores(inputs[-1])
                if table.sentences or len(table.systems) > 1:
                    raise InputError(
                        f"{inputs[-1].name}: people's scores are one for each system "
                        "(system,score); for sentences give rankings (sentence,judge,system,rank)"
                    )
                tables += table.systems.values()
    if len(tables) + bool(rankings) != 1:
        raise UsageError(
            "--human takes rankings, of which there may be several files, or one file "
            "of scores of systems"
        )
    if tables:
        if without_judges:
            raise UsageError("--without-judges is about rankings; these are scores of systems")
        return HumanSide(scores=tables[0], inputs=tuple(inputs))
    known = dict.fromkeys(ranking.judge for ranking in rankings)
    if unknown := [judge for judge in without_judges if judge not in known]:
        raise unknown_name("judge (--without-judges)", unknown[0], known)
    kept = tuple(ranking for ranking in rankings if ranking.judge not in without_judges)
    if not kept:
        raise InputError("no ranking is left; leave out fewer judges")
    return HumanSide(kept, inputs=tuple(inputs))


def matched(name: str, known: Iterable[str]) -> str:
    """A system's name as people's side has it: `AMU.txt` is `AMU` where there is no `AMU.txt`.

    >>> matched("out/AMU.txt", ["AMU", "CAMB"]), matched("AMU", ["CAMB"])
    ('AMU', 'AMU')
    """
    names = set(known)
    stem = Input(name).stem
    return stem if name not in names and stem in names else name
