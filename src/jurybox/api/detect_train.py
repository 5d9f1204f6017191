"""`train_detector`: well-formed text to a model in a folder, by one of three learners."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from jurybox.api.counting import Progress
from jurybox.api.detect_info import facts_of
from jurybox.api.detect_train_result import TrainedDetector
from jurybox.api.score import collecting_warnings
from jurybox.errors import UsageError, unknown_name
from jurybox.formats import Input, Source, as_input
from jurybox.formats._writing import written_together
from jurybox.signature import signature

if TYPE_CHECKING:
    from jurybox.detect.learning import Corpus
    from jurybox.detect.ngram_model import NgramModel

Folder = str | os.PathLike[str]

MAXENT, PERCEPTRON, LM = "maxent", "perceptron", "lm"
LEARNERS = (MAXENT, PERCEPTRON, LM)
_TAGGED = (MAXENT, PERCEPTRON)
#: option -> the learners that have it; all have those that are not here
OWNERS = {
    "spacy_model": _TAGGED,
    "cache": _TAGGED,
    "jobs": _TAGGED,
    "least": _TAGGED,
    "nothing_rate": _TAGGED,
    "passes": _TAGGED,
    "seed": _TAGGED,
    "events": _TAGGED,
    "strength": (MAXENT,),
    "order": (LM,),
    "prune": (LM,),
    "fallback_discounts": (LM,),
    "arpa": (LM,),
    "from_arpa": (LM,),
}


class _Saved(NamedTuple):
    """What the signature and the result need to know of a training beside its model."""

    options: dict[str, Any]
    inputs: tuple[Input, ...]
    cache: Path | None = None
    arpa: str | None = None


def train_detector(
    learner: str,
    text: Source | Sequence[Source] | None,
    folder: Folder,
    *,
    tokenised: bool = False,
    spacy_model: str | None = None,
    cache: Folder | bool | None = None,
    jobs: int | None = None,
    least: int | None = None,
    nothing_rate: float | None = None,
    passes: int | None = None,
    strength: float | None = None,
    seed: int | None = None,
    events: int | None = None,
    order: int | None = None,
    prune: Sequence[int] | None = None,
    fallback_discounts: Sequence[float] | None = None,
    arpa: Folder | None = None,
    from_arpa: Source | None = None,
    progress: Progress | None = None,
) -> TrainedDetector:
    r"""Train a detector of preposition errors on text without errors, and save it in `folder`.

    `learner` is "maxent", "perceptron" or "lm". `text` is prose, a paragraph per line, or with
    `tokenised` a sentence per line; a language model can be read `from_arpa` instead. Tagged text
    is kept in the user's cache, in the folder `cache`, or nowhere with `cache=False`. An option of
    another learner is refused; None is the learner's own default. The same text, options and
    package versions give the same bytes.

    >>> from tempfile import TemporaryDirectory
    >>> text = Input.from_text("We sat on the mat . We sat in the sun .\n" * 20)
    >>> with TemporaryDirectory() as place:
    ...     trained = train_detector(
    ...         "lm", text, f"{place}/lm", order=2, fallback_discounts=(0.5, 1, 1.5)
    ...     )
    >>> trained.model.sentences, trained.model.ngrams
    (40, (11, 11))
    """
    if learner not in LEARNERS:
        raise unknown_name("learner", learner, LEARNERS)
    given: dict[str, Any] = {
        "tokenised": tokenised,
        "spacy_model": spacy_model,
        "cache": cache,
        "jobs": jobs,
        "least": least,
        "nothing_rate": nothing_rate,
        "passes": passes,
        "strength": strength,
        "seed": seed,
        "events": events,
        "order": order,
        "prune": prune,
        "fallback_discounts": fallback_discounts,
        "arpa": arpa,
        "from_arpa": from_arpa,
    }
    _check_owners(learner, given)
    _check_numbers(given)
    from jurybox.detect.model_folder import check_place

    check_place(folder)
    with collecting_warnings() as messages:
        if learner == LM:
            saved = _train_lm(text, folder, given, progress)
        else:
            saved = _learn(learner, _inputs_of(text), folder, given, progress)
    written = {"model": os.fspath(folder)}
    if saved.arpa is not None:
        written["ARPA file"] = saved.arpa
    return TrainedDetector(
        model=facts_of(folder),
        cache=None if saved.cache is None else str(saved.cache),
        signature=signature("detect", task="train", learner=learner, **saved.options),
        inputs=saved.inputs,
        warnings=tuple(messages),
        written=written,
    )


def _check_owners(learner: str, given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value is None or learner in OWNERS.get(name, LEARNERS):
            continue
        flag = "no-cache" if value is False else name.replace("_", "-")
        owners = " and ".join(OWNERS[name])
        raise UsageError(f"--{flag} is an option of {owners}, and this is {learner}; leave it out")


def _check_numbers(given: dict[str, Any]) -> None:
    for name in ("jobs", "least", "passes", "events"):
        if given[name] is not None and given[name] < 1:
            raise UsageError(f"--{name} {given[name]}: must be 1 or more")
    if given["seed"] is not None and given["seed"] < 0:
        raise UsageError(f"--seed {given['seed']}: must be 0 or more")
    rate, strength = given["nothing_rate"], given["strength"]
    if rate is not None and not 0 < rate <= 1:
        raise UsageError(f"--nothing-rate {rate}: must be above 0 and at most 1")
    if strength is not None and not 0 < strength < float("inf"):
        raise UsageError(f"--strength {strength}: must be a number above 0")


def _inputs_of(text: Source | Sequence[Source] | None) -> tuple[Input, ...]:
    from jurybox.detect.prose import several

    if text is None or not (sources := several(text)):
        raise UsageError("name the text to learn from: --text FILE")
    return tuple(as_input(source) for source in sources)


# --- maximum entropy and perceptron ---


def _learn(
    learner: str,
    inputs: tuple[Input, ...],
    folder: Folder,
    given: dict[str, Any],
    progress: Progress | None,
) -> _Saved:
    from jurybox.detect.learning import LearnOptions, learn
    from jurybox.detect.linear_model import save_linear
    from jurybox.detect.tagging import find_tagger

    for source in inputs:
        if given["events"] is not None and not source.rewindable:
            raise UsageError(
                f"--events cannot be used with {source.name}, which is not read to its end; save "
                "it to a file"
            )
    named = ("least", "nothing_rate", "passes", "strength", "seed")
    options = LearnOptions(**{n: given[n] for n in named if given[n] is not None})
    cache = cache_folder(given["cache"])
    tagger = find_tagger(given["spacy_model"])
    model = learn(
        learner,
        _corpus(inputs, given["tokenised"]),
        tagger,
        options,
        most_events=given["events"],
        cache_folder=cache,
        jobs=given["jobs"],
        progress=progress,
    )
    save_linear(model, folder)
    told = {name.partition("_")[0]: value for name, value in model.training.options}
    described = {
        "text": "tokens" if given["tokenised"] else "prose",
        "tagger": str(tagger),
        **told,
        "events": given["events"],
    }
    return _Saved(described, inputs, cache)


def _corpus(inputs: Sequence[Input], tokenised: bool) -> Corpus:
    from jurybox.detect.learning import Corpus, batches_of
    from jurybox.detect.prose import read_prose, read_tokenised

    sentences = read_tokenised(inputs) if tokenised else read_prose(inputs)
    return Corpus(batches_of(sentences), _Digests(inputs))


class _Digests(Sequence[str]):
    """The SHA-256 of files, asked for when they have been read: a pipe has none before."""

    def __init__(self, inputs: Sequence[Input]) -> None:
        self._inputs = inputs

    def __len__(self) -> int:
        return len(self._inputs)

    @overload
    def __getitem__(self, number: int) -> str: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...

    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        if isinstance(number, slice):
            return [source.sha256 for source in self._inputs[number]]
        return self._inputs[number].sha256


def cache_folder(given: Folder | bool | None) -> Path | None:
    """Where tagged text is kept: the user's cache unless said otherwise; False: nowhere."""
    from jurybox.detect.tagging import default_cache, made_cache

    if given is False:
        return None
    return made_cache(default_cache() if given is None or given is True else given)


# --- language model ---


def _train_lm(
    text: Source | Sequence[Source] | None,
    folder: Folder,
    given: dict[str, Any],
    progress: Progress | None,
) -> _Saved:
    from jurybox.detect.arpa import read_arpa, write_arpa
    from jurybox.detect.ngram_store import save_model

    if given["from_arpa"] is not None:
        _check_alone(text, given)
        inputs: tuple[Input, ...] = (as_input(given["from_arpa"]),)
        model = read_arpa(inputs[0])
    else:
        inputs = _inputs_of(text)
        model = _estimate(inputs, given, progress)
    arpa = given["arpa"]
    with written_together():
        if arpa is not None:
            write_arpa(model, arpa)
        save_model(model, folder)
    described = {
        "text": "arpa"
        if given["from_arpa"] is not None
        else "tokens"
        if given["tokenised"]
        else "prose",
        "order": model.order,
        "prune": model.about.prune or None,
        "fallback": given["fallback_discounts"],
    }
    return _Saved(described, inputs, arpa=None if arpa is None else os.fspath(arpa))


def _estimate(
    inputs: Sequence[Input], given: dict[str, Any], progress: Progress | None
) -> NgramModel:
    from jurybox.detect.ngram_training import ORDER, train_lm, train_lm_on

    options: dict[str, Any] = {
        "order": ORDER if given["order"] is None else given["order"],
        "prune": given["prune"] or (),
        "fallback_discounts": given["fallback_discounts"],
        "progress": progress,
    }
    if given["tokenised"]:
        return train_lm(inputs, **options)
    model = train_lm_on(_tokens_of(inputs), **options)
    digests = tuple(source.sha256 for source in inputs)
    return replace(model, about=model.about._replace(sha256=digests))


def _tokens_of(inputs: Sequence[Input]) -> Iterator[list[str]]:
    from jurybox.detect.prose import read_prose
    from jurybox.formats.tokens import tokenize

    return map(tokenize, read_prose(inputs))


def _check_alone(text: Source | Sequence[Source] | None, given: dict[str, Any]) -> None:
    """A model that is read has been trained: nothing about training can be said."""
    if text is not None:
        raise UsageError("--from-arpa reads a trained model; leave --text out")
    if given["tokenised"]:
        raise UsageError("--tokenised is about --text; leave it out with --from-arpa")
    for name in ("order", "prune", "fallback_discounts"):
        if given[name] is not None:
            flag = name.replace("_", "-")
            raise UsageError(f"--{flag} is about training; leave it out with --from-arpa")
