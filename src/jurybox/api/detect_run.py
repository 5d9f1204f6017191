"""`run_detectors`: what trained detectors say of every preposition of a text, a panel or cases."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain, islice
from math import isnan
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from jurybox.api.cases_result import decision_paths, form_of
from jurybox.api.counting import Progress, expect
from jurybox.api.detect_info import facts_of, package_facts
from jurybox.api.detect_info_result import ModelFacts
from jurybox.api.detect_run_result import DetectionRun
from jurybox.api.detect_run_writing import Delivery, Targets
from jurybox.api.score import collecting_warnings
from jurybox.cases.constructions import CONSTRUCTIONS
from jurybox.cases.infinitives import TAGGERS, choose_tagger
from jurybox.errors import (
    InputError,
    JuryboxWarning,
    MissingExtraError,
    UsageError,
    unknown_name,
)
from jurybox.formats import Input, Source
from jurybox.formats._writing import written_together
from jurybox.model import CaseDescription, CaseSet
from jurybox.signature import signature

if TYPE_CHECKING:
    from jurybox.api.detect_run_blocks import DecidedBlock, Request
    from jurybox.api.detect_run_inputs import Asked
    from jurybox.detect.tagging import Tagger

Folder = str | os.PathLike[str]
Several = Source | Sequence[Source]

THRESHOLD = 0.98
PREPOSITION, MISSING = "preposition", "missing-preposition"
#: sentences of a block: enough to keep a core busy, few enough for a line that moves
BLOCK = 500


def run_detectors(
    models: Folder | Sequence[Folder],
    *,
    text: Several | None = None,
    m2: Several | None = None,
    cases: Source | None = None,
    tokenised: bool = False,
    documents: Source | None = None,
    construction: str | Sequence[str] | None = None,
    threshold: float = THRESHOLD,
    tagger: str = "auto",
    spacy_model: str | None = None,
    output: Folder | None = None,
    decisions: Folder | None = None,
    write_cases: Folder | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> DetectionRun:
    r"""Decide about the prepositions of `text` (prose, or `tokenised`), of `m2`, or about `cases`.

    `construction` is "preposition", "missing-preposition" or both; given cases have their own. A
    case is called an error if the best other choice beats what was written with a score of
    `threshold` or more. Decisions go to the file `output` (one model) or to the folder `decisions`
    (a file for each), block by block; without either the result holds them. A model may also be the
    name of a detector that a package brings; such ones alone decide about any construction.

    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.api.detect_train import train_detector
    >>> clean = Input.from_text("We sat in the sun .\nWe sat on the mat .\n" * 20)
    >>> with TemporaryDirectory() as place:
    ...     model = f"{place}/lm"
    ...     _ = train_detector("lm", clean, model, tokenised=True, fallback_discounts=(0.5, 1, 1.5))
    ...     run = run_detectors(model, text=Input.from_text("We sat at the mat ."), tokenised=True)
    >>> [case.id for case in run.case_set.cases], run.decisions["lm"].suggestion
    (['S1:2-3'], ['on'])
    """
    _check_numbers(threshold, jobs)
    if tagger not in TAGGERS:
        raise unknown_name("tagger", tagger, TAGGERS)
    folders = _named(models)
    targets = _targets(folders, output, decisions, write_cases, given=cases is not None)
    from jurybox.api.detect_run_inputs import asked_from  # with numpy

    with collecting_warnings() as messages:
        facts = {name: _facts(name, folder) for name, folder in folders.items()}
        wanted = _constructions(construction, facts, given=cases is not None)
        asked = asked_from(
            text=text,
            m2=m2,
            cases=cases,
            tokenised=tokenised,
            documents=documents,
            constructions=wanted,
        )
        tags = _tagger_for(facts, spacy_model)
        request, to = _request(facts, tags, tagger, wanted, targets)
        described = _describe(wanted, to.rule, asked)
        begun = monotonic()
        blocks = _decided(asked, request, jobs, progress)
        met = Delivery(facts, threshold, described, targets)
        with written_together(), ExitStack() as files:
            met.open(files)
            for block in blocks:
                met.take(block)
            met.check(asked.inputs)
    return DetectionRun(
        detectors=tuple(
            tally.summary(name, facts[name].learner) for name, tally in met.tallies.items()
        ),
        constructions=wanted,
        threshold=threshold,
        sentences=met.sentences,
        cases=met.cases,
        undecided=met.undecided,
        seconds=round(monotonic() - begun, 3),
        signature=signature(
            "detect",
            task="run",
            models=list(facts),
            construction=wanted or None,
            threshold=threshold,
            text=asked.kind,
            to=to.name,
            by=[one.made_from for one in facts.values() if one.by_package] or None,
        ),
        inputs=(*asked.inputs, *_described(facts.values())),
        warnings=tuple(messages),
        written=met.written,
        case_set=CaseSet(tuple(met.kept_cases), described),
        decisions=met.kept,
    )


# --- what was asked for ---


def _check_numbers(threshold: float, jobs: int | None) -> None:
    if isnan(threshold) or not 0 <= threshold <= 1:
        raise UsageError(f"--threshold {threshold:g}: must be between 0 and 1")
    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs {jobs}: must be 1 or more")


def _named(models: Folder | Sequence[Folder]) -> dict[str, str]:
    """Every model by the name of its folder."""
    given = [models] if isinstance(models, (str, os.PathLike)) else list(models)
    folders: dict[str, str] = {}
    for folder in (os.fspath(one) for one in given):
        name = Path(folder).resolve().name
        if name in folders:
            raise UsageError(
                f"{folders[name]} and {folder} have the same name; rename one of the folders"
            )
        folders[name] = folder
    if not folders:
        raise UsageError("name a model: the folder that jurybox detect train made, or a plug-in")
    return folders


def _targets(
    folders: Mapping[str, str],
    output: Folder | None,
    decisions: Folder | None,
    write_cases: Folder | None,
    *,
    given: bool,
) -> Targets:
    if output is not None and decisions is not None:
        raise UsageError("name one place for the decisions: --output or --decisions")
    files: dict[str, str] = {}
    if output is not None:
        if len(folders) > 1:
            raise UsageError(
                f"{len(folders)} models have {len(folders)} files of decisions; name a folder for "
                "them by --decisions"
            )
        files = dict.fromkeys(folders, os.fspath(output))
    elif decisions is not None:
        files = decision_paths(folders, decisions)
    for target in files.values():
        form_of(target)
    cases = None if write_cases is None else os.fspath(write_cases)
    if cases is not None and given:
        raise UsageError("--write-cases is about --text and --m2; the cases are there already")
    if cases is not None and form_of(cases) != "jsonl":
        raise UsageError(f"--write-cases {cases}: name a file that ends in .jsonl")
    return Targets(files, cases)


def _constructions(
    given_names: str | Sequence[str] | None, facts: Mapping[str, ModelFacts], *, given: bool
) -> tuple[str, ...]:
    """What is looked for; without a word about it prepositions in text, and all given cases."""
    known = tuple(CONSTRUCTIONS) if _any_place(facts) else (PREPOSITION, MISSING)
    if given_names is None:
        return () if given else (PREPOSITION,)
    names = [given_names] if isinstance(given_names, str) else list(given_names)
    for name in names:
        if name not in known:
            raise unknown_name("construction", name, known)
    return tuple(dict.fromkeys(names))


# --- models and tags ---


def _facts(name: str, folder: str) -> ModelFacts:
    """What is known of a model: one in a folder or, where there is none, of a package."""
    from jurybox.detect.plugin_detector import find_detector, offered_detectors

    if not os.path.exists(folder) and name == folder:  # noqa: PTH110  a string stays a string
        if (plugin := find_detector(name)) is not None:
            return package_facts(plugin)
        if offered := offered_detectors():
            raise InputError(
                f"{folder}: no such folder; name the folder that the model was saved in{offered}"
            )
    return facts_of(folder)


def _any_place(facts: Mapping[str, ModelFacts]) -> bool:
    """Ours know prepositions only; what a package brings may know more."""
    return all(one.by_package for one in facts.values())


def _described(facts: Iterable[ModelFacts]) -> Iterator[Input]:
    return (Input(_description(one.folder)) for one in facts if not one.by_package)


def _tagger_for(facts: Mapping[str, ModelFacts], spacy_model: str | None) -> Tagger | None:
    """The tagger of the first model that needs one, if it is installed, else the usual one."""
    needing = {name: one.tagger for name, one in facts.items() if one.tagger is not None}
    if not needing:
        if spacy_model is not None:
            raise UsageError("--spacy-model is about maxent and perceptron; leave it out with lm")
        return None
    from jurybox.detect.tagging import find_tagger, model_named_in

    first = model_named_in(next(iter(needing.values())))
    try:
        tagger = find_tagger(spacy_model or first)
    except MissingExtraError:
        if spacy_model is not None:
            raise
        tagger = find_tagger()
    for name, trained_with in needing.items():
        if trained_with != str(tagger):
            warnings.warn(
                f"{name} was trained with tags by {trained_with}, and {tagger} tags here: its "
                "choices may be worse than its figures say; install that model, or train again",
                JuryboxWarning,
                stacklevel=3,
            )
    return tagger


class _To(NamedTuple):
    """What tells `to` before a verb."""

    name: str
    rule: str


def _request(
    facts: Mapping[str, ModelFacts],
    tags: Tagger | None,
    tagger: str,
    constructions: tuple[str, ...],
    targets: Targets,
) -> tuple[Request, _To]:
    from jurybox.api.detect_run_blocks import LoadedModel, Request, load

    by_tags = tags is not None and tagger != "words"
    if tags is not None and by_tags:
        to = _To(str(tags), f"spaCy tag TO, by {tags}")
    else:
        chosen = choose_tagger(tagger)
        to = _To(chosen.name, chosen.rule)
    models = tuple(
        LoadedModel(one.folder, one.made_from, None, by_package=True)
        if one.by_package
        else LoadedModel(
            os.path.realpath(one.folder),
            Input(_description(one.folder)).sha256,
            tags and tags.model,
        )
        for one in facts.values()
    )
    for model in models:
        load(model)  # here, so that workers inherit it
    request = Request(
        models=models,
        tagger=tags,
        to="tags" if by_tags else tagger,
        constructions=constructions,
        keep_cases=targets.in_memory or targets.cases is not None,
        any_place=_any_place(facts),
    )
    return request, to


def _description(folder: str) -> Path:
    from jurybox.detect.model_folder import DESCRIPTION

    return Path(folder) / DESCRIPTION


def _describe(constructions: Sequence[str], rule: str, asked: Asked) -> CaseDescription:
    """What the cases are, in words, as `jurybox cases` says it."""
    found = [CONSTRUCTIONS[name] for name in constructions]
    units = "; ".join(dict.fromkeys(one.unit for one in found))
    ways = (f"{one.enumeration}{f' ({rule})' if not one.missing else ''}" for one in found)
    return CaseDescription(
        construction="+".join(constructions),
        unit=units,
        enumeration="; ".join(ways),
        trivial_rule="; ".join(one.trivial_rule for one in found if one.trivial_rule),
        origin=", ".join(source.name for source in asked.inputs),
    )


# --- the work ---


def _decided(
    asked: Asked, request: Request, jobs: int | None, progress: Progress | None
) -> Iterator[DecidedBlock]:
    from jurybox.api.detect_run_blocks import decide_block
    from jurybox.engine.local import cores, in_batches, map_batches

    batches = in_batches(asked.sentences, BLOCK)
    first = list(islice(batches, 2))
    alone = len(first) < 2  # not worth another process
    if progress is not None and asked.total is not None:
        expect(progress, asked.total)
    work = partial(decide_block, request=request)
    for block in map_batches(work, chain(first, batches), jobs=1 if alone else jobs or cores()):
        if progress is not None:
            progress(block.sentences)
        yield block
