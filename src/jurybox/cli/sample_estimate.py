"""`jurybox sample estimate`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from jurybox.cli._certainty_options import add_ci_level, add_resamples, add_seed
from jurybox.cli._judgment_options import add_with_models
from jurybox.cli._label_options import add_labels, label_arguments
from jurybox.cli._options import (
    OneOf,
    add_beta,
    add_files,
    add_output,
    check_output,
    check_read_once,
    deliver,
)
from jurybox.cli._sample_options import add_truth
from jurybox.cli._serve_options import add_stored, opened, stored_judgments
from jurybox.errors import InputError, UsageError

USAGE = "jurybox sample estimate KEY [...] JUDGMENTS [...] [options]"

HELP = """\
Precision and recall of a system out of a judged sample, with intervals that can be trusted.

What raters found in the sample is weighed by how large each part of the corpus is (Tetreault and
Chodorow 2008). Keys and judgments are told apart by their content; several draws are one sample.
Without a key, give counts: --part error=SIZE:SAMPLED:ERRORS ok=SIZE:SAMPLED:ERRORS.

examples:
  jurybox sample estimate --part error=1000:750:600 ok=9000:1500:450
  jurybox sample estimate key.jsonl judgments.csv
  jurybox sample estimate key1.jsonl key2.jsonl judgments.csv --finite
  jurybox sample estimate key.jsonl judgments.csv --verification
  jurybox sample estimate key.jsonl judgments.csv --system new=new-decisions.csv
  jurybox sample estimate key.jsonl judgments.csv --assist decisions-with-scores.csv
  jurybox sample estimate --db study.db --project prepositions"""

#: options that are keyword arguments of the verb by the same name
_SAME = (
    *("method", "finite", "truth", "ties", "verification", "with_models"),
    *("beta", "ci_level", "resamples", "seed", "assist", "threshold"),
)


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="keys of draws, and judgments on their cases"
    )
    add_files(
        parser,
        "--part",
        "counts instead of files: cases in the part, sampled cases, errors among them",
        metavar="NAME=N:n:ERRORS",
    )
    add_files(
        parser,
        "--system",
        "another system's decisions on the corpus, tested on the same judgments",
        metavar="NAME=FILE",
    )
    parser.add_argument(
        "--assist",
        metavar="FILE",
        help="the decisions that were sampled, with a score for every case: scores make the "
        "estimate surer",
    )
    parser.add_argument(
        "--verification",
        action="store_true",
        help="only what the system flags was judged: precision, and no recall",
    )
    add_stored(parser)
    _add_reading(parser)
    _add_certainty(parser)
    add_output(parser)


def _add_reading(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("reading")
    add_labels(group)
    group.add_argument(
        "--threshold",
        type=float,
        metavar="T",
        help="a system of --system calls a case an error if its score is T or more, whatever its "
        "label",
    )
    add_truth(
        group,
        "graded",
        truth="a case that several people judged counts as an error by the share of them who say "
        "so (graded), or wholly by their majority",
        ties="with --truth majority, cases with as many for error as for ok",
    )
    add_with_models(group)


def _add_certainty(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("certainty")
    group.add_argument(
        "--method",
        default="recommended",
        metavar="METHOD",
        type=OneOf("recommended", "wald", "wilson", "exact", "bootstrap"),
        help="interval: recommended (exact, for recall and F corrected), wald (as in the paper; "
        "for recall and F delta), wilson (score), exact or bootstrap (default: recommended)",
    )
    group.add_argument(
        "--finite",
        action="store_true",
        help="the question is about these very cases, not about text of this kind: correct for "
        "the size of the corpus",
    )
    add_ci_level(group)
    add_beta(group)
    add_resamples(group, "resamples of the bootstrap")
    add_seed(group)


def read_counts(given: list[str] | None) -> dict[str, str]:
    """`error=1000:750:600` as name and counts.

    >>> read_counts(["error=1000:750:600", "ok=9000:1500:450"])
    {'error': '1000:750:600', 'ok': '9000:1500:450'}
    """
    parts: dict[str, str] = {}
    for one in given or ():
        name, equals, counts = one.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--part {one}: write it as error=1000:750:600")
        if name.strip() in parts:
            raise UsageError(f"--part {name.strip()} is given twice; call them error/a, error/b")
        parts[name.strip()] = counts.strip()
    return parts


def run(options: Namespace) -> None:
    """Estimate and print."""
    from jurybox.api.sample_estimate import estimate_sample
    from jurybox.cli._panel_options import system_arguments
    from jurybox.formats import Input

    systems = system_arguments(options) if options.system else {}
    read = [*options.files, *systems.values(), *([options.assist] if options.assist else [])]
    check_read_once(read)
    options.files_read = read
    check_output(options)
    given: dict[str, Any] = {}
    if options.db is not None or options.project is not None:
        given |= _stored(options)
    elif options.part:
        given["parts"] = read_counts(options.part)
        if options.files:
            raise UsageError("give a key and judgments, or counts with --part, not both")
    else:
        keys, judgments = _tell_apart([Input(name) for name in options.files])
        given |= {"keys": keys or None, "judgments": judgments or None}
    result = estimate_sample(
        **given,
        systems=systems,
        **label_arguments(options),
        **{name: getattr(options, name) for name in _SAME},
    )
    deliver(result, options)


def _tell_apart(files: list[Any]) -> tuple[list[Any], list[Any]]:
    """Keys and judgments, by how they begin."""
    from jurybox.formats.sample_key import looks_like_key

    keys: list[Any] = []
    judgments: list[Any] = []
    for one in files:
        if not one.rewindable:
            one.keep()
        (keys if looks_like_key(one) else judgments).append(one)
    return keys, judgments


def _stored(options: Namespace) -> dict[str, Any]:
    """Keys and judgments of a server's project."""
    if options.db is None:
        raise UsageError(f"--project {options.project}: name the database too, with --db")
    if options.files or options.part:
        raise UsageError("give a key and judgments, counts with --part, or --db, only one of them")
    with opened(options) as (store, project):
        keys = store.sample_keys(project.id)
        if not keys:
            raise InputError(
                f"{project.name} has no key: add the one that jurybox sample draw wrote, in the "
                "browser or with jurybox serve new --key"
            )
        return {"keys": keys, "judgments": [stored_judgments(store, project)]}
