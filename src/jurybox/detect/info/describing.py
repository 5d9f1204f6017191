"""What a folder, or a package, says of its model."""

from __future__ import annotations

import os
from pathlib import Path

from jurybox.detect.detector import load_folder_model
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
from jurybox.detect.linear_model import LinearModel
from jurybox.detect.model_folder import DESCRIPTION
from jurybox.formats import Input
from jurybox.options import signature
from jurybox.plugins import Plugin


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
    model = load_folder_model(folder, check=check)
    if isinstance(model, LinearModel):
        training = model.training
        facts = ModelFacts(
            learner=model.learner,
            folder=os.fspath(folder),
            made_from="text",
            sentences=training.sentences,
            tokens=training.tokens,
            options=TrainingOptions(**training.options),  # type: ignore[arg-type]  # by name
            tagger=training.tagger,
            events=training.events,
            nothing=training.nothing,
            held_out=training.held_out,
            accuracy=training.accuracy,
            log_loss=training.log_loss,
            temperature=model.temperature,
            features=len(model.keys),
        )
    else:
        about = model.about
        facts = ModelFacts(
            learner="lm",
            folder=os.fspath(folder),
            made_from=about.made_from,
            sentences=about.sentences,
            tokens=about.words,
            options=TrainingOptions(
                split=about.split,
                smoothing=about.smoothing,
                order=model.order,
                prune=tuple(about.prune),
                fallback_discounts=about.fallback_discounts and tuple(about.fallback_discounts),
            ),
            ngrams=model.sizes,
        )
    origin = model.training if isinstance(model, LinearModel) else model.about
    return facts._replace(
        sha256=origin.sha256,
        versions=tuple(PackageVersion(*one) for one in origin.versions.items()),
        bytes=sum(file.stat().st_size for file in Path(folder).iterdir() if file.is_file()),
    )


def package_facts(plugin: Plugin) -> ModelFacts:
    """A detector that a package brings, which has no folder."""
    return ModelFacts(
        learner=PLUGIN,
        folder=plugin.name,
        made_from=f"{plugin.package}-{plugin.version}",
        versions=(PackageVersion(plugin.package, plugin.version),),
    )


def templates_in_words() -> tuple[TemplateInWords, ...]:
    """The feature templates, each with what its parts look at."""
    return tuple(
        TemplateInWords(number, " ".join(parts), " + ".join(COLUMNS[name][0] for name in parts))
        for number, parts in enumerate(TEMPLATES, 1)
    )
