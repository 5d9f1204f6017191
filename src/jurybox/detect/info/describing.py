"""What a folder, or a package, says of its model."""

from __future__ import annotations

import os
from pathlib import Path

from jurybox.detect.features import COLUMNS, TEMPLATES
from jurybox.detect.info import DescribeDetector, Folder
from jurybox.detect.info.result import (
    PLUGIN,
    DetectorInfo,
    ModelFacts,
    PackageVersion,
    TemplateInWords,
    TrainingOptions,
)
from jurybox.detect.linear_model import LEARNT_MODEL, load_linear
from jurybox.detect.model_folder import DESCRIPTION, describe_folder
from jurybox.detect.ngrams.model import LANGUAGE_MODEL, load_model
from jurybox.errors import FormatError
from jurybox.formats import Input
from jurybox.plugins import Plugin
from jurybox.signature import signature


def describe(call: DescribeDetector) -> DetectorInfo:
    """Look at the folder, at every byte if asked to."""
    model = facts_of(call.folder, check=call.check_bytes)
    with_templates = call.features and model.features is not None
    return DetectorInfo(
        model=model,
        checked=call.check_bytes,
        templates=templates_in_words() if with_templates else (),
        signature=signature("detect", task="info"),
        inputs=(Input(Path(call.folder) / DESCRIPTION),),
    )


def facts_of(folder: Folder, *, check: bool = False) -> ModelFacts:
    """What is known of a model of either kind; a damaged or foreign folder is refused."""
    found = describe_folder(folder)["format"]
    if found == LEARNT_MODEL.format:
        model = load_linear(folder, check=check)
        training = model.training
        facts = ModelFacts(
            learner=model.learner,
            folder=os.fspath(folder),
            made_from="text",
            sha256=training.sha256,
            sentences=training.sentences,
            tokens=training.tokens,
            options=TrainingOptions(**dict(training.options)),  # type: ignore[arg-type]  # by name
            versions=_packages(training.versions),
            tagger=training.tagger,
            events=training.events,
            nothing=training.nothing,
            held_out=training.held_out,
            accuracy=training.accuracy,
            log_loss=training.log_loss,
            temperature=model.temperature,
            features=len(model.keys),
        )
    elif found == LANGUAGE_MODEL.format:
        ngrams = load_model(folder, check=check)
        about = ngrams.about
        facts = ModelFacts(
            learner="lm",
            folder=os.fspath(folder),
            made_from=about.made_from,
            sha256=about.sha256,
            sentences=about.sentences,
            tokens=about.words,
            options=TrainingOptions(
                order=ngrams.order,
                prune=tuple(about.prune),
                fallback_discounts=about.fallback_discounts and tuple(about.fallback_discounts),
            ),
            versions=_packages(about.versions),
            ngrams=ngrams.sizes,
        )
    else:
        raise FormatError(
            f"describes '{found}', which is no detector; train one by jurybox detect train",
            path=str(Path(folder) / DESCRIPTION),
        )
    size = sum(file.stat().st_size for file in Path(folder).iterdir() if file.is_file())
    return facts._replace(bytes=size)


def package_facts(plugin: Plugin) -> ModelFacts:
    """A detector that a package brings, which has no folder."""
    return ModelFacts(
        learner=PLUGIN,
        folder=plugin.name,
        made_from=f"{plugin.package}-{plugin.version}",
        versions=(PackageVersion(plugin.package, plugin.version),),
    )


def _packages(versions: tuple[tuple[str, str], ...]) -> tuple[PackageVersion, ...]:
    return tuple(PackageVersion(*one) for one in versions)


def templates_in_words() -> tuple[TemplateInWords, ...]:
    """The feature templates, each with what its parts look at.

    >>> templates_in_words()[0]
    TemplateInWords(number=1, template='w-1', words='word before')
    """
    return tuple(
        TemplateInWords(number, " ".join(parts), " + ".join(COLUMNS[name][1] for name in parts))
        for number, parts in enumerate(TEMPLATES, 1)
    )
