"""`jurybox sample estimate`."""

from __future__ import annotations

from typing import Annotated, Any

from jurybox.cli.output import Output, check_files, deliver
from jurybox.cli.stored import StoredJudgments, opened, stored_judgments
from jurybox.errors import InputError, UsageError
from jurybox.formats import Input
from jurybox.options import Opt
from jurybox.sample.estimate import EstimateSample, estimate_sample

USAGE = "jurybox sample estimate KEY [...] JUDGMENTS [...] [options]"

HELP = """\
Precision and recall of a system out of a judged sample, with intervals that can be trusted.

What raters found in the sample is weighed by how large each part of the corpus is (Tetreault and
Chodorow 2008). Keys and judgments are told apart by their content; several draws are one sample.
Without a key, give counts: --part error=SIZE:SAMPLED:ERRORS ok=SIZE:SAMPLED:ERRORS.

examples:
  jurybox sample estimate --part error=1000:750:600 ok=9000:1500:450
  jurybox sample estimate key.jsonl judgments.csv
  jurybox sample estimate key1.jsonl key2.jsonl judgments.csv --about corpus
  jurybox sample estimate key.jsonl judgments.csv --verification
  jurybox sample estimate key.jsonl judgments.csv --system new=new-decisions.csv
  jurybox sample estimate key.jsonl judgments.csv --assist decisions-with-scores.csv
  jurybox sample estimate --db study.db --project prepositions"""


class Call(EstimateSample, StoredJudgments, Output):
    """The options of the task."""

    files: Annotated[
        tuple[str, ...],
        Opt("keys of draws, and judgments on their cases", "FILE", positional=True, many=True),
    ] = ()


def run(call: Call) -> None:
    """Estimate and print."""
    read = [*call.files, *map(str, (call.systems or {}).values())]
    check_files(call, [*read, *([] if call.assist is None else [str(call.assist)])])
    if call.db is not None or call.project is not None:
        call = call.replace(**_stored(call))
    elif call.parts:
        if call.files:
            raise UsageError("give a key and judgments, or counts with --part, not both")
    else:
        call = call.replace(**_tell_apart(call.files))
    deliver(estimate_sample.of(call), call)


def _tell_apart(files: tuple[str, ...]) -> dict[str, Any]:
    """Keys and judgments, by how they begin."""
    from jurybox.formats.tables.sample_key import looks_like_key

    found: dict[str, Any] = {"keys": [], "judgments": []}
    for one in map(Input, files):
        if not one.rewindable:
            one.keep()
        found["keys" if looks_like_key(one) else "judgments"].append(one)
    return {name: given or None for name, given in found.items()}


def _stored(call: Call) -> dict[str, Any]:
    """Keys and judgments of a server's project."""
    if call.db is None:
        raise UsageError(f"--project {call.project}: name the database too, with --db")
    if call.files or call.parts:
        raise UsageError("give a key and judgments, counts with --part, or --db, only one of them")
    with opened(call) as (store, project):
        keys = store.sample_keys(project.id)
        if not keys:
            raise InputError(
                f"{project.name} has no key: add the one that jurybox sample draw wrote, in the "
                "browser or with jurybox serve new --key"
            )
        return {"keys": keys, "judgments": [stored_judgments(store, project)]}
