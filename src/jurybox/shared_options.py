"""Groups of options that several verbs share: the same name, meaning, help and check everywhere.

A verb's options inherit from the groups it needs (`jurybox.options` says how). A group is declared
again, field by field, only where a verb has another default or more to say about it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from jurybox.engine import check_engine
from jurybox.errors import UsageError
from jurybox.formats import MISSING_RULES, PLATFORMS
from jurybox.formats.given_values import as_word_map
from jurybox.options import Opt, Options, argument
from jurybox.records import HIDDEN

if TYPE_CHECKING:
    from jurybox.counting.panels import Selection
    from jurybox.counting.systems import Gold, Hypothesis, Systems
    from jurybox.engine import Progress
    from jurybox.formats._io import Frame
    from jurybox.model import CaseSet
    from jurybox.raters.inputs import GivenGold, GivenJudgments

    #: a file, or the document of every sentence
    GivenDocuments = Any
    #: a coverage map, a dict of what each annotator looked at, or "all"
    GivenCoverage = Any
else:  # what results record of them
    Selection = GivenCoverage = str | None

CONFIDENCE = "confidence intervals and significance"
READING = "reading"
INPUT_FORMATS = ("long", "wide", *PLATFORMS)
#: a format that only `agree` can read: it does not say who gave which label
COUNTS = "counts"


class Watched(Options):
    """A caller who wants to know how far the work is."""

    progress: Annotated[Progress | None, HIDDEN] = None


# --- confidence intervals and significance ---


class Level(Options, group=CONFIDENCE):
    """How sure intervals are to be."""

    ci_level: Annotated[float, Opt("level of the intervals", "L", above=0, below=1)] = 0.95


class Seed(Options, group=CONFIDENCE):
    """Where random numbers begin."""

    seed: Annotated[
        int,
        Opt("seed of the random numbers: the same seed gives the same digits", "N", least=0),
    ] = 1


class Resamples(Options, group=CONFIDENCE):
    """How often the data are drawn anew."""

    resamples: Annotated[
        int, Opt("bootstrap resamples, and random exchanges when comparing", "N", least=1)
    ] = 1000


class Unit(Options, group=CONFIDENCE):
    """What is drawn."""

    ci_unit: Annotated[
        str,
        Opt(
            "what is resampled: auto, sentence or document",
            "UNIT",
            values=("auto", "sentence", "document"),
            noun="unit",
            default="auto; documents where they are known and 10 or more",
        ),
    ] = "auto"


class Resampling(Resamples, Level, Unit, Seed):
    """How intervals are made."""


class WithIntervals(Options, group=CONFIDENCE):
    """Whether there are intervals."""

    ci: Annotated[bool, Opt("bootstrap intervals for every score"), HIDDEN] = False


# --- metrics ---


class EngineName(Options):
    """Where the work runs."""

    engine: Annotated[
        str | None,
        Opt(
            "where the work runs: local:N (N processes of this machine) or dask://HOST:PORT (a "
            "Dask cluster); the result is the same",
            "WHERE",
            take=check_engine,
        ),
        HIDDEN,
    ] = None


class Jobs(EngineName, group="metric"):
    """How many processes work, or where else."""

    jobs: Annotated[
        int, Opt("processes to match with, short for --engine local:N", "N", least=1), HIDDEN
    ] = 1


PanelJobs = Annotated[
    int | None,
    Opt("processes to match with, short for --engine local:N", "N", least=1, default="all cores"),
    HIDDEN,
]


class PanelMatching(EngineName, group="metric"):
    """How many processes match people with people: one by default, in Python."""

    jobs: PanelJobs = 1


class Beta(Options, group="metric"):
    """The beta of F."""

    beta: Annotated[float, Opt("weight of recall against precision in F", "B")] = 0.5


# --- panels and systems ---

GOLD_EDITS = (
    "gold edits: one file, or several single-annotator files as a panel (M2, SGML, JSONL, labels "
    "of tokens); or the folder of a data set (src.txt, ref0.txt ...)"
)
SYSTEM_TEXTS = "a system's corrected sentences, and what to call it (text, M2, SGML or JSONL)"
DOCUMENTS = "document of every sentence: one id per line, a CSV, or the SGML file"
MISSING_ANNOTATOR = (
    "an annotator has no line where others of the same file have one: they made the same edits "
    "(same), made no edit (none) or did not look (skipped); auto: same for the combined file of "
    "CoNLL-2014, else skipped"
)


class GoldEdits(Options, group="panel"):
    """The panel of annotators."""

    gold: Annotated[Gold, Opt(GOLD_EDITS, "FILE", many=True), HIDDEN] = argument(kw_only=False)


class GoldFormat(Options):
    """How gold files are read."""

    gold_format: Annotated[
        str | None,
        Opt(
            "read gold files as m2, sgml, jsonl or labels instead of auto-detecting the format",
            "FORMAT",
            values=("m2", "sgml", "jsonl", "labels"),
            open_values=True,
            noun="format",
        ),
        HIDDEN,
    ] = None


class PanelReading(Options, group="panel"):
    """Which part of a panel is taken, and who looked at what."""

    documents: Annotated[
        GivenDocuments,
        Opt(
            f"{DOCUMENTS}; and which of them to take, as 1-10 (numbers in order, or ids)",
            "FILE|WHICH",
            many=True,
        ),
        HIDDEN,
    ] = None
    select: Annotated[
        Selection, "The documents that are taken, as they were selected; null for all."
    ] = None
    coverage: Annotated[
        GivenCoverage,
        "all: everybody looked at everything; map: a coverage map says who looked at what.",
        Opt(
            "who looked at what: a CSV with annotator,documents or annotator,sentences; 'all': "
            "everybody looked at everything",
            "FILE",
        ),
    ] = None
    missing_annotator: Annotated[
        str, Opt(MISSING_ANNOTATOR, "RULE", values=MISSING_RULES, noun="rule")
    ] = "auto"


class PanelOptions(GoldEdits, PanelReading, GoldFormat, group="panel"):
    """A panel of annotators, and how it is read."""


PanelCall = TypeVar("PanelCall", bound=PanelReading)


def split_documents(call: PanelCall) -> PanelCall:
    """The words after `--documents` as a file with documents, and which of them are taken.

    >>> call = split_documents(PanelReading(documents=("essays.sgml", "1-3", "7")))
    >>> call.documents, call.select
    ('essays.sgml', '1-3,7')
    """
    words: Sequence[str] = call.documents or ()
    files = [word for word in words if _is_file_name(word)]
    which = [word for word in words if word not in files]
    if len(files) > 1:
        raise UsageError(
            f"--documents takes one file with the documents of all sentences, not {len(files)}"
        )
    return call.replace(documents=files[0] if files else None, select=",".join(which) or None)


def _is_file_name(word: str) -> bool:
    """Whether a file is meant: it is there, or it could be nothing else but a missing one."""
    suffixes = (".txt", ".csv", ".sgml", ".sgm", ".jsonl", ".gz", ".xz")
    return word == "-" or "/" in word or word.endswith(suffixes) or os.path.exists(word)  # noqa: PTH110  as quick as can be


def named_files(given: Sequence[str], flag: str) -> dict[str, str]:
    """Files by name, as NAME=FILE; a file alone is called by its own name.

    >>> named_files(["CAMB=out/camb.txt", "amu.txt"], "--system")
    {'CAMB': 'out/camb.txt', 'amu.txt': 'amu.txt'}
    """
    named: dict[str, str] = {}
    for word in given:
        name, equals, path = word.partition("=")
        if not equals or os.path.isfile(word):  # noqa: PTH113  as quick as can be
            name, path = os.path.basename(word), word  # noqa: PTH119  see above
        if not name or not path:
            raise UsageError(f"{flag} {word}: write NAME=FILE, as {flag} CAMB=camb.txt")
        if name in named:
            raise UsageError(f"{flag} {name} is given twice; every system needs its own name")
        named[name] = path
    return named


def systems_option(what: str, flag: str = "--system", **more: Any) -> Opt:
    """An option for systems: what they are called, and their files."""
    return Opt(what, "NAME=FILE", flag=flag, many=True, read=named_files, **more)


class NamedSystems(Options, group="systems"):
    """Corrected sentences of systems, by name."""

    systems: Annotated[
        Systems | None,
        systems_option(SYSTEM_TEXTS),
        HIDDEN,
    ] = argument(kw_only=False, default=None)


class HypothesisReading(Options):
    """How the output of systems is read."""

    hyp_format: Annotated[
        str | None,
        Opt(
            "read hypotheses as text, m2, sgml, jsonl (ours), json (others'), labels or essays "
            "instead of auto-detecting the format",
            "FORMAT",
            values=("text", "m2", "sgml", "jsonl", "json", "labels", "essays"),
            open_values=True,
            noun="format",
        ),
        HIDDEN,
    ] = None
    hyp_key: Annotated[
        str | None,
        Opt("key of the corrected sentence in JSON hypotheses, where it is not a usual one", "KEY"),
        HIDDEN,
    ] = None
    tokenize: Annotated[
        bool, Opt("hypotheses are plain prose: undo the usual detokenisation first")
    ] = False


class SystemOptions(NamedSystems, HypothesisReading, group="systems"):
    """Systems by name, and how their output is read."""


class PanelSystems(SystemOptions, GoldEdits):
    """The same for systems that are held against a panel, which is named first."""


class ReferenceFiles(Options):
    """Systems, and the gold edits or reference texts that they are compared with."""

    hypotheses: Annotated[
        Systems, Opt("systems' output", "HYP", positional=True, many=True), HIDDEN
    ] = argument(kw_only=False)
    gold: Annotated[Gold | None, Opt(GOLD_EDITS, "FILE", many=True), HIDDEN] = argument(
        kw_only=False, default=None
    )
    source: Annotated[
        Hypothesis | None,
        Opt(
            "source text, needed beside --refs; beside --gold it is checked against the gold (m2)",
            "FILE",
        ),
        HIDDEN,
    ] = None
    refs: Annotated[
        Hypothesis | Sequence[Hypothesis] | Frame,
        Opt(
            "reference texts, in plain text or essays; m2 and errant find the edits in them",
            "FILE",
            many=True,
        ),
        HIDDEN,
    ] = ()
    documents: Annotated[Any, Opt(DOCUMENTS, "FILE"), HIDDEN] = None


class Matching(ReferenceFiles, HypothesisReading, GoldFormat, group="what to compare with"):
    """What systems are compared with, and how files are read."""


# --- prepositions ---

TAGGERS = ("auto", "spacy", "words")
TAGGER_HELP = "what tells to before a verb from the preposition: "


class ToTagger(Options):
    """How the infinitive marker `to` is told from the preposition."""

    tagger: Annotated[
        str,
        Opt(
            f"{TAGGER_HELP}spacy, words, or auto for spaCy where it is installed",
            "NAME",
            values=TAGGERS,
            noun="tagger",
        ),
    ] = "auto"


def keep_or_drop(what: str, noun: str) -> Opt:
    """An option for cases of some kind, which are kept or dropped."""
    return Opt(what, "WHAT", values=("keep", "drop"), noun=f"way to treat {noun}")


class DuplicateCases(Options):
    """What becomes of cases that are there twice."""

    duplicates: Annotated[
        str,
        keep_or_drop(
            "cases at the same place of the same sentence as one before: keep or drop them (their "
            "number is reported)",
            "duplicates",
        ),
    ] = "keep"


# --- judgments ---


def pairs_of_columns(given: Sequence[str], flag: str) -> dict[str, str]:
    """`case=HITId,label=Answer.Q1` as a dict.

    >>> pairs_of_columns(["case=HITId,label=Answer.Q1"], "--columns")
    {'case': 'HITId', 'label': 'Answer.Q1'}
    """
    parts = [part for listed in given for part in listed.split(",") if part.strip()]
    return _as_pairs([part.partition("=") for part in parts], flag, "case=HITId,label=Answer")


def pairs_of_labels(given: Sequence[str], flag: str) -> dict[str, str]:
    """`2=ok,e=ok` as a dict; a label may hold commas and equals signs, its new name may not.

    >>> pairs_of_labels(["2=ok,e=ok", "No, never=error"], "--relabel")
    {'2': 'ok', 'e': 'ok', 'No, never': 'error'}
    """
    return _as_pairs(_split_labels(given, lambda _: True), flag, "Yes=ok,No=error")


def pairs_of_meanings(given: Sequence[str], flag: str) -> dict[str, str]:
    """The same where a new name can only be error, ok or unknown.

    A label may hold commas and equals signs: a pair ends only after what a word may mean. What
    looks like a meaning that is none, as in No=eror, ends a pair too, so that it is refused.

    >>> pairs_of_meanings(["No, never=error,Yes=ok"], "--relabel")
    {'No, never': 'error', 'Yes': 'ok'}
    """
    from jurybox.formats.tables._labels import looks_like_label  # late: `score` needs no labels

    return _as_pairs(_split_labels(given, looks_like_label), flag, "Yes=ok,No=error")


def _split_labels(given: Sequence[str], is_end: Any) -> list[tuple[str, str, str]]:
    """Words and labels, split at commas where a pair is complete."""
    found: list[tuple[str, str, str]] = []
    for listed in given:
        begun = ""
        for part in listed.split(","):
            begun = f"{begun},{part}" if begun else part
            pair = begun.rpartition("=")
            if pair[1] and is_end(pair[2]):
                found.append(pair)
                begun = ""
        if begun.strip():
            found.append(begun.rpartition("="))
    return found


def _as_pairs(pairs: Sequence[tuple[str, str, str]], flag: str, example: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, equals, value in pairs:
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f"{flag} {name}{equals}{value}: write pairs, as {flag} {example}")
        if name.strip() in found:
            raise UsageError(f"{flag}: {name.strip()} is given twice")
        found[name.strip()] = value.strip()
    return found


def columns_option(example: str) -> Opt:
    """An option for columns by our names for them."""
    what, read = f"which columns are meant, as {example}", pairs_of_columns
    return Opt(what, "OURS=TITLE", many=True, take=as_word_map, read=read)


def relabel_option(
    what: str, read: Callable[[Sequence[str], str], dict[str, str]] = pairs_of_labels
) -> Opt:
    """An option for labels and their new names."""
    return Opt(what, "WORD=LABEL", many=True, take=as_word_map, read=read)


class Columns(Options, group=READING):
    """Which columns of a table are meant."""

    columns: Annotated[
        Mapping[str, str] | None, columns_option("case=HITId,label=Answer.Q1"), HIDDEN
    ] = None


class Relabel(Options, group=READING):
    """Other names for labels."""

    relabel: Annotated[
        Mapping[str, str],
        relabel_option(
            "give labels another name, or several the same, as 2=ok,e=ok; unknown is no answer"
        ),
    ] = {}


class Meanings(Relabel):
    """Which labels mean error, ok or no answer."""

    relabel: Annotated[
        Mapping[str, str], relabel_option("what labels mean, as Yes=ok,No=error", pairs_of_meanings)
    ] = {}


class InputFormat(Options, group=READING):
    """How files with judgments are read."""

    input_format: Annotated[
        str | None,
        Opt(
            f"read as {', '.join(INPUT_FORMATS[:-1])} or {INPUT_FORMATS[-1]} instead of "
            "auto-detecting the format; wide is a row per case and a column per rater; agree also "
            "reads counts, a row per case and a column per label",
            "FORMAT",
            values=(*INPUT_FORMATS, COUNTS),
            noun="format",
        ),
        HIDDEN,
    ] = None


class CountModels(Options, group=READING):
    """Whether models count like people."""

    count_models: Annotated[
        bool,
        Opt("count raters of kind model like people; else they are left out", sign="models"),
    ] = False


class WithRejected(Options, group=READING):
    """Whether judgments count that a platform rejected."""

    with_rejected: Annotated[
        bool,
        Opt("count rejected and tainted judgments too; else they are left out", sign="rejected"),
    ] = False


class WithFlagged(Options, group=READING):
    """Whether raters count whom an annotation server flagged."""

    with_flagged: Annotated[
        bool,
        Opt(
            "count raters whom the annotation server flagged (gold rule); else they are left out",
            sign="flagged",
        ),
    ] = False


class SpoiledCases(Options, group=READING):
    """Whether cases with a spoiled context count."""

    spoiled: Annotated[
        str,
        keep_or_drop(
            "cases that a rater flags in the column context: keep or drop", "spoiled cases"
        ),
    ] = "keep"


class ShowRaters(Options, group=READING):
    """Whether raters of a platform are shown by their ids."""

    show_raters: Annotated[
        bool, Opt("show raters of a platform by their ids; else as R1, R2 …"), HIDDEN
    ] = False


class GivenRatings(Watched):
    """Judgments, out of files or out of memory."""

    judgments: Annotated[
        GivenJudgments,
        Opt(
            "judgments: a table with case,rater,label (CSV, TSV, JSONL) or the export of a "
            "platform (auto-detected)",
            "JUDGMENTS",
            positional=True,
            many=True,
        ),
    ] = argument(kw_only=False)
    cases: CaseSet | None = None


class JudgmentReading(Columns, Relabel, InputFormat, CountModels, WithRejected, ShowRaters):
    """How judgments are read."""


class KnownAnswers(Options, group=READING):
    """Where known answers come from."""

    gold: Annotated[
        GivenGold | None,
        Opt(
            "known answers: tables with case,gold (default: the column gold, if there is one)",
            "FILE",
            many=True,
        ),
        HIDDEN,
    ] = None


def one_expert(given: Sequence[str], flag: str) -> str:
    """The one rater whose labels are the known answers."""
    if len(given) > 1:
        raise UsageError(f"{flag}: one rater's labels can be the known answers; name one")
    return given[0]


class ExpertAnswers(KnownAnswers, group=READING):
    """The same, or an expert among the raters."""

    expert: Annotated[
        str | None,
        Opt(
            "this rater's labels are the known answers, and none of the judgments",
            "NAME",
            many=True,
            read=one_expert,
        ),
        HIDDEN,
    ] = None

    def check(self) -> None:
        if self.gold is not None and self.expert is not None:
            raise UsageError("--gold and --expert both tell the known answers; give one of them")
        super().check()
