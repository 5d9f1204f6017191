"""How `train_detector` trains: text to a model, and the model to its folder."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jurybox.detect.info.describing import facts_of
from jurybox.detect.learning import learn
from jurybox.detect.linear_model import save_linear
from jurybox.detect.model_folder import check_place
from jurybox.detect.ngrams.arpa import read_arpa, write_arpa
from jurybox.detect.ngrams.count_files import counts_inputs
from jurybox.detect.ngrams.counted import train_lm_on_counts
from jurybox.detect.ngrams.model import save_model
from jurybox.detect.ngrams.training import ORDER, train_lm, train_lm_on
from jurybox.detect.prose import part_of, read_tokens, several
from jurybox.detect.tagging import cache_folder, find_tagger
from jurybox.detect.train import LM, STUPID_BACKOFF, TrainDetector
from jurybox.detect.train.result import TrainedDetector
from jurybox.errors import UsageError, collecting_warnings
from jurybox.formats import Input, as_input
from jurybox.formats._io import written_together
from jurybox.options import signature
from jurybox.results import WrittenFile


def train(call: TrainDetector) -> TrainedDetector:
    """Train by the learner asked for, and describe what was saved."""
    check_place(call.folder)
    with collecting_warnings() as messages:
        if call.counts:
            order = ORDER if call.order is None else call.order
            inputs = counts_inputs(several(call.counts), order)
        else:
            sources = call.text if call.from_arpa is None else call.from_arpa
            inputs = tuple(as_input(source) for source in several(sources or ()))
        cache = None
        if call.learner == LM:
            with ExitStack() as files:
                signed = _train_language_model(call, inputs, files)
        else:
            cache = cache_folder(call.cache)
            signed = _learn(call, inputs, cache)
    written = [WrittenFile("model", os.fspath(call.folder))]
    if call.arpa is not None:
        written.append(WrittenFile("ARPA file", os.fspath(call.arpa)))
    return TrainedDetector(
        model=facts_of(call.folder),
        cache=None if cache is None else str(cache),
        signature=signature("detect", task="train", learner=call.learner, **signed),
        inputs=inputs,
        warnings=tuple(messages),
        written=tuple(written),
    )


def _learn(call: TrainDetector, inputs: tuple[Input, ...], cache: Path | None) -> dict[str, Any]:
    """Maximum entropy or perceptron; gives what the signature says of the training."""
    for source in inputs:
        if call.events is not None and not source.rewindable:
            raise UsageError(
                f"--events cannot be used with {source.name}, which is not read to its end; save "
                "it to a file"
            )
    tagger = find_tagger(call.spacy_model)
    model = learn(call, inputs, tagger, cache)
    save_linear(model, call.folder)
    return {
        "text": "tokens" if call.tokenised else "prose",
        "tagger": str(tagger),
        **{name.partition("_")[0]: value for name, value in model.training.options.items()},
        "events": call.events,
    }


def _train_language_model(
    call: TrainDetector, inputs: tuple[Input, ...], files: ExitStack
) -> dict[str, Any]:
    if call.from_arpa is not None:
        kind = "arpa"
        model = read_arpa(inputs[0])
    else:
        kind = "counts" if call.counts else "tokens" if call.tokenised else "prose"
        options: dict[str, Any] = {
            "order": ORDER if call.order is None else call.order,
            "prune": call.prune or (),
            "fallback_discounts": call.fallback_discounts,
            "smoothing": call.method,
            "progress": call.progress,
        }
        if call.counts:
            # beside the model: as much room as it needs is there, if anywhere
            place = Path(os.fspath(call.folder)).absolute().parent
            scratch = files.enter_context(
                TemporaryDirectory(prefix=".counts-", dir=place, ignore_cleanup_errors=True)
            )
            model = train_lm_on_counts(inputs, Path(scratch), **options)
        elif call.tokenised and call.split is None:
            model = train_lm(inputs, **options)
        else:
            model = train_lm_on(read_tokens(inputs, call.tokenised, part_of(call.split)), **options)
            digests = tuple(source.sha256 for source in inputs)
            model = replace(model, about=model.about._replace(sha256=digests, split=call.split))
    with written_together():
        if call.arpa is not None:
            write_arpa(model, call.arpa)
        save_model(model, call.folder)
    return {
        "text": kind,
        "split": call.split,
        "smoothing": call.method if call.method == STUPID_BACKOFF else None,
        "order": model.order,
        "prune": model.about.prune or None,
        "fallback": call.fallback_discounts,
    }
