"""`describe_detector`: what a trained model is, where it comes from, and whether it is whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

from jurybox.options import Opt, Options, argument, verb

if TYPE_CHECKING:
    from jurybox.detect.info.result import DetectorInfo

Folder = str | os.PathLike[str]


class DescribeDetector(Options):
    """What `describe_detector` is called with."""

    folder: Annotated[Folder, Opt("the folder of a trained model", "MODEL", positional=True)] = (
        argument(kw_only=False)
    )
    check_bytes: Annotated[
        bool, Opt("look at every byte: is it as it was saved?", flag="--check")
    ] = False
    features: Annotated[bool, Opt("list the features in words (maxent, perceptron)")] = False


@verb(DescribeDetector)
def describe_detector(call: DescribeDetector) -> DetectorInfo:
    """The model in a folder; `check_bytes` checks every byte, `features` lists the templates.

    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.detect.ngrams.model import save_model
    >>> from jurybox.detect.ngrams.training import train_lm_on
    >>> model = train_lm_on(["a cat sat"], order=2, fallback_discounts=(0.5, 1, 1.5))
    >>> with TemporaryDirectory() as place:
    ...     save_model(model, f"{place}/lm")
    ...     info = describe_detector(f"{place}/lm", check_bytes=True)
    >>> info.model.learner, info.model.ngrams, info.checked
    ('lm', (6, 4), True)
    """
    from jurybox.detect.info.describing import describe

    return describe(call)
