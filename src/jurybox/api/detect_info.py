"""`describe_detector`: what a trained model is, where it comes from, and whether it is whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from jurybox.api.detect_info_result import (
    LANGUAGE_MODEL,
    LEARNING,
    PLUGIN,
    DetectorInfo,
    ModelFacts,
    TemplateInWords,
)
from jurybox.errors import FormatError
from jurybox.formats import Input
from jurybox.signature import signature

if TYPE_CHECKING:
    from jurybox.detect.linear_model import LinearModel
    from jurybox.detect.ngram_model import NgramModel
    from jurybox.plugins import Plugin

Folder = str | os.PathLike[str]


def describe_detector(
    folder: Folder, *, check: bool = False, features: bool = False
) -> DetectorInfo:
    """The model in a folder; `check` looks at every byte, `features` lists the templates.

    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.detect.ngram_store import save_model
    >>> from jurybox.detect.ngram_training import train_lm_on
    >>> model = train_lm_on(["a cat sat"], order=2, fallback_discounts=(0.5, 1, 1.5))
    >>> with TemporaryDirectory() as place:
    ...     save_model(model, f"{place}/lm")
    ...     info = describe_detector(f"{place}/lm", check=True)
    >>> info.model.learner, info.model.ngrams, info.checked
    ('lm', (6, 4), True)
    """
    from jurybox.detect.model_folder import DESCRIPTION

    model = facts_of(folder, check=check)
    with_templates = features and model.features is not None
    return DetectorInfo(
        model=model,
        checked=check,
        templates=templates_in_words() if with_templates else (),
        signature=signature("detect", task="info"),
        inputs=(Input(Path(folder) / DESCRIPTION),),
    )


def facts_of(folder: Folder, *, check: bool = False) -> ModelFacts:
    """What is known of a model of either kind; a damaged or foreign folder is refused."""
    from jurybox.detect.linear_model import LEARNT_MODEL, load_linear
    from jurybox.detect.model_folder import DESCRIPTION, describe_folder
    from jurybox.detect.ngram_store import LANGUAGE_MODEL, load_model

    found = describe_folder(folder)["format"]
    if found == LEARNT_MODEL.format:
        return _linear_facts(load_linear(folder, check=check), folder)
    if found == LANGUAGE_MODEL.format:
        return _ngram_facts(load_model(folder, check=check), folder)
    raise FormatError(
        f"describes '{found}', which is no detector; train one by jurybox detect train",
        path=str(Path(folder) / DESCRIPTION),
    )


def package_facts(plugin: Plugin) -> ModelFacts:
    """A detector that a package brings, which has no folder."""
    return ModelFacts(
        learner=PLUGIN,
        folder=plugin.name,
        bytes=0,
        made_from=f"{plugin.package}-{plugin.version}",
        sha256=(),
        sentences=None,
        tokens=None,
        options={},
        versions={plugin.package: plugin.version},
    )


def _linear_facts(model: LinearModel, folder: Folder) -> ModelFacts:
    training = model.training
    return ModelFacts(
        learner=model.learner,
        folder=os.fspath(folder),
        bytes=_size(folder),
        made_from="text",
        sha256=training.sha256,
        sentences=training.sentences,
        tokens=training.tokens,
        options={**dict.fromkeys((*LEARNING, *LANGUAGE_MODEL)), **dict(training.options)},
        versions=dict(training.versions),
        tagger=training.tagger,
        events=training.events,
        nothing=training.nothing,
        held_out=training.held_out,
        accuracy=training.accuracy,
        log_loss=training.log_loss,
        temperature=model.temperature,
        features=len(model.keys),
    )


def _ngram_facts(model: NgramModel, folder: Folder) -> ModelFacts:
    about = model.about
    fallback = about.fallback_discounts
    return ModelFacts(
        learner="lm",
        folder=os.fspath(folder),
        bytes=_size(folder),
        made_from=about.made_from,
        sha256=about.sha256,
        sentences=about.sentences,
        tokens=about.words,
        options={
            **dict.fromkeys(LEARNING),
            "order": model.order,
            "prune": list(about.prune),
            "fallback_discounts": None if fallback is None else list(fallback),
        },
        versions=dict(about.versions),
        ngrams=model.sizes,
    )


def _size(folder: Folder) -> int:
    return sum(file.stat().st_size for file in Path(folder).iterdir() if file.is_file())


def templates_in_words() -> tuple[TemplateInWords, ...]:
    """The feature templates, each with what its parts look at.

    >>> templates_in_words()[0]
    TemplateInWords(number=1, template='w-1', words='word before')
    """
    from jurybox.detect.features import COLUMNS, TEMPLATES

    return tuple(
        TemplateInWords(number, " ".join(parts), " + ".join(COLUMNS[name][1] for name in parts))
        for number, parts in enumerate(TEMPLATES, 1)
    )
