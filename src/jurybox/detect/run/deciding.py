"""How `run_detectors` decides: what is asked, by which models, block by block to the files.

Decisions and cases are written as they come, so that no corpus is too large.
"""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from io import StringIO
from itertools import chain, groupby, islice
from operator import attrgetter
from pathlib import Path
from time import monotonic
from typing import NamedTuple, TextIO

from jurybox.detect.detector import NamedModel, find_detector, load, name_model
from jurybox.detect.info.describing import facts_of, package_facts
from jurybox.detect.info.result import ModelFacts
from jurybox.detect.model_folder import DESCRIPTION
from jurybox.detect.prose import PlacedSentence, name_sentences, read_placed, several, with_contexts
from jurybox.detect.run import EXTRANEOUS, MISSING, PREPOSITION, WRONG, RunDetectors
from jurybox.detect.run.blocks import BlockRequest, DecidedBlock, decide_block
from jurybox.detect.run.result import DetectionRun, DetectorSummary, Flagged
from jurybox.detect.tagging import Tagger, find_tagger, model_named_in
from jurybox.engine import cores, expect, in_batches, jobs_of, map_batches
from jurybox.errors import (
    InputError,
    MissingExtraError,
    UsageError,
    collecting_warnings,
    unknown_name,
    warn,
)
from jurybox.formats import Input, as_input, open_panel, writing
from jurybox.formats._io import written_together
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables.long_tables import encode_json, write_lines, write_table
from jurybox.jury.cases.constructions import CONSTRUCTIONS, find_constructions
from jurybox.jury.cases.context import Context
from jurybox.jury.cases.infinitives import choose_tagger
from jurybox.jury.cases.result import decision_paths, form_of
from jurybox.model import NOTHING, Case, CaseDescription, CaseSet, DecisionTable
from jurybox.options import signature
from jurybox.plugins import names
from jurybox.results import WrittenFile

#: sentences of a block: enough to keep a core busy, few enough for a line that moves
BLOCK = 500
TITLES = ("case", "label", "score", "suggestion")
#: frequent pairs of words in the summary of a detector
PAIRS = 10


def decide(call: RunDetectors) -> DetectionRun:
    """Ask every model about every case, and write the decisions as they come."""
    folders = _named(call.models)
    files = _decision_files(folders, call)
    case_file = None if call.write_cases is None else os.fspath(call.write_cases)
    if case_file is not None and form_of(case_file) != "jsonl":
        raise UsageError(f"--write-cases {case_file}: name a file that ends in .jsonl")
    with collecting_warnings() as messages:
        facts = {name: _facts(name, folder) for name, folder in folders.items()}
        # ours know prepositions only; what a package brings may know more
        any_place = all(one.by_package for one in facts.values())
        wanted = _constructions(call, any_place)
        asked = _asked(call, wanted)
        tags = _tagger_for(facts, call.spacy_model)
        by_tags = tags is not None and call.tagger != "words"
        if by_tags:
            to, rule = str(tags), f"spaCy tag TO, by {tags}"
        else:
            to, rule, _ = choose_tagger(call.tagger)
        request = BlockRequest(
            models=tuple(map(_loaded, facts.values())),
            tagger=tags,
            to="tags" if by_tags else call.tagger,
            constructions=wanted,
            keep_cases=not files or case_file is not None,
            any_place=any_place,
        )
        found = [CONSTRUCTIONS[name] for name in wanted]
        ways = (f"{one.enumeration}{f' ({rule})' if not one.missing else ''}" for one in found)
        described = CaseDescription(  # in words, as `jurybox cases` describes them
            construction="+".join(wanted),
            unit="; ".join(dict.fromkeys(one.unit for one in found)),
            enumeration="; ".join(ways),
            trivial_rule="; ".join(one.trivial_rule for one in found if one.trivial_rule),
            origin=", ".join(source.name for source in asked.inputs),
        )
        begun = monotonic()
        with written_together(), ExitStack() as opened:
            delivery = Delivery(
                facts, call.threshold, described, files=files, case_file=case_file, opened=opened
            )
            for block in _decided(asked, request, call):
                delivery.take(block)
            if not delivery.cases:
                names = ", ".join(source.name for source in asked.inputs)
                more = f" among {delivery.undecided} cases" if delivery.undecided else ""
                raise InputError(f"{names}: has no preposition to decide about{more}")
    models = (Input(Path(one.folder) / DESCRIPTION) for one in facts.values() if not one.by_package)
    return DetectionRun(
        constructions=wanted,
        threshold=call.threshold,
        sentences=delivery.sentences,
        cases=delivery.cases,
        undecided=delivery.undecided,
        seconds=round(monotonic() - begun, 3),
        detectors=tuple(
            summarise(name, facts[name].learner, pairs) for name, pairs in delivery.flagged.items()
        ),
        written=delivery.written,
        signature=signature(
            "detect",
            task="run",
            models=list(facts),
            construction=wanted or None,
            threshold=call.threshold,
            text=asked.kind,
            to=to,
            by=[one.made_from for one in facts.values() if one.by_package] or None,
        ),
        inputs=(*asked.inputs, *models),
        warnings=tuple(messages),
        with_before=delivery.with_before if request.keep_cases else None,
        case_set=CaseSet(tuple(delivery.kept_cases), described),
        decisions=delivery.kept,
    )


def _named(models: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> dict[str, str]:
    """Every model by the name of its folder."""
    folders: dict[str, str] = {}
    for given in [models] if isinstance(models, (str, os.PathLike)) else models:
        folder = os.fspath(given)
        name = Path(folder).resolve().name
        if name in folders:
            raise UsageError(
                f"{folders[name]} and {folder} have the same name; rename one of the folders"
            )
        folders[name] = folder
    if not folders:
        raise UsageError("name a model: the folder that jurybox detect train made, or a plug-in")
    return folders


def _decision_files(folders: Mapping[str, str], call: RunDetectors) -> dict[str, str]:
    """The file for the decisions of each model; none: they are kept in memory."""
    files: dict[str, str] = {}
    if call.output is not None:
        if len(folders) > 1:
            raise UsageError(
                f"{len(folders)} models have {len(folders)} files of decisions; name a folder for "
                "them by --decisions"
            )
        files = dict.fromkeys(folders, os.fspath(call.output))
    elif call.decisions is not None:
        files = decision_paths(folders, call.decisions)
    for target in files.values():
        form_of(target)
    return files


def _constructions(call: RunDetectors, any_place: bool) -> tuple[str, ...]:
    """What is looked for; by default prepositions in text, and all given cases."""
    if call.construction is None:
        return (PREPOSITION,) if call.cases is None else ()
    given = call.construction
    names = [given] if isinstance(given, str) else list(given)
    known = tuple(CONSTRUCTIONS) if any_place else (PREPOSITION, EXTRANEOUS, WRONG, MISSING)
    for name in names:
        if name not in known:
            raise unknown_name("construction", name, known)
    if call.cases is None:
        find_constructions(names, ())  # complains where they share places
    return tuple(dict.fromkeys(names))


# --- whose prepositions are asked about: a text, a panel, or a file of cases, as a stream ---


class Asked(NamedTuple):
    """The sentences to look at, how many if that is known, and what they come from."""

    kind: str  # prose, tokens, m2 or cases
    sentences: Iterator[PlacedSentence]
    inputs: tuple[Input, ...]
    total: int | None = None


def _asked(call: RunDetectors, constructions: Sequence[str]) -> Asked:
    if call.cases is not None:
        return _given_cases(as_input(call.cases), constructions)
    documents = None if call.documents is None else as_input(call.documents)
    if call.text is None:
        panel = open_panel(several(call.m2 or ()), documents=documents)
        sentences = name_sentences(enumerate(panel, 1), of_panel=True)
        return Asked("m2", sentences, (*panel.inputs, *([documents] if documents else [])))
    inputs = tuple(as_input(source) for source in several(call.text))
    read = (*inputs, *([documents] if documents else []))
    sentences = read_placed(inputs, call.tokenised, documents)
    return Asked("tokens" if call.tokenised else "prose", sentences, read)


def _given_cases(source: Input, constructions: Sequence[str]) -> Asked:
    case_set = case_files.read(source)
    chosen = [
        one for one in case_set.cases if not constructions or one.construction in constructions
    ]
    if not chosen:
        raise InputError(
            f"{source.name}: has no case of --construction {' or '.join(constructions)}"
        )
    if constructions and len(chosen) < len(case_set):
        warn(
            f"{source.name}: {len(case_set) - len(chosen)} of {len(case_set)} cases are of another "
            "construction; they get no decision"
        )
    alike = [
        list(cases)
        for _, cases in groupby(chosen, attrgetter("sentence", "document", "before", "after"))
    ]
    sentences = (
        PlacedSentence(
            "",
            together[0].document,
            together[0].sentence.split(),
            context=Context(together[0].before, together[0].after),
            given=tuple(together),
        )
        for together in alike
    )
    return Asked("cases", sentences, (source,), len(alike))


# --- models and tags ---


def _facts(name: str, folder: str) -> ModelFacts:
    """What is known of a model: one in a folder or, where there is none, of a package."""
    if not os.path.exists(folder) and name == folder:  # noqa: PTH110  a string stays a string
        if (plugin := find_detector(name)) is not None:
            return package_facts(plugin)
        if offered := names("detector", ()):
            raise InputError(
                f"{folder}: no such folder; name the folder that the model was saved in, or what a "
                f"package brings: {', '.join(offered)}"
            )
    return facts_of(folder)


def _tagger_for(facts: Mapping[str, ModelFacts], spacy_model: str | None) -> Tagger | None:
    """The tagger of the first model that needs one, if it is installed, else the usual one."""
    needing = {name: one.tagger for name, one in facts.items() if one.tagger is not None}
    if not needing:
        if spacy_model is not None:
            raise UsageError("--spacy-model is about maxent and perceptron; leave it out with lm")
        return None
    first = model_named_in(next(iter(needing.values())))
    try:
        tagger = find_tagger(spacy_model or first)
    except MissingExtraError:
        if spacy_model is not None:
            raise
        tagger = find_tagger()
    for name, trained_with in needing.items():
        if trained_with != str(tagger):
            warn(
                f"{name} was trained with tags by {trained_with}, and {tagger} tags here: its "
                "choices may be worse than its figures say; install that model, or train again"
            )
    return tagger


def _loaded(one: ModelFacts) -> NamedModel:
    """A model that is loaded here, so that workers inherit it."""
    by_package = NamedModel(one.folder, one.made_from, by_package=True)
    model = by_package if one.by_package else name_model(one.folder)
    load(model)
    return model


def _decided(asked: Asked, request: BlockRequest, call: RunDetectors) -> Iterator[DecidedBlock]:
    sentences = asked.sentences
    if request.keep_cases and asked.kind != "cases":  # these have their context
        sentences = with_contexts(sentences)
    batches = in_batches(sentences, BLOCK)
    first = list(islice(batches, 2))
    jobs = jobs_of(call, cores()) if len(first) == 2 else 1  # one block is not worth a process
    if call.progress is not None and asked.total is not None:
        expect(call.progress, asked.total)
    work = partial(decide_block, request=request)
    for block in map_batches(work, chain(first, batches), jobs=jobs):
        if call.progress is not None:
            call.progress(block.sentences)
        yield block


# --- what has been decided: written to files, counted, or kept in memory ---


def summarise(name: str, learner: str, flagged: Counter[tuple[str, str]]) -> DetectorSummary:
    """What a detector flags, out of words and what it would put there; '' is nothing.

    >>> pairs = Counter([("at", "in"), ("to", ""), ("", "of")])
    >>> summarise("me", "maxent", pairs)[2:6]
    (3, 1, 1, 1)
    """
    ordered = sorted(flagged.items(), key=lambda item: (-item[1], item[0]))  # ties by the words
    kinds = Counter[str]()
    for (written, put), count in ordered:
        kinds["missing" if not written else "wrong" if put else "extraneous"] += count
    return DetectorSummary(
        name=name,
        learner=learner,
        flagged=sum(kinds.values()),
        wrong=kinds["wrong"],
        extraneous=kinds["extraneous"],
        missing=kinds["missing"],
        pairs=tuple(Flagged(*pair, count) for pair, count in ordered[:PAIRS]),
    )


class Delivery:
    """What has been decided so far."""

    def __init__(
        self,
        names: Iterable[str],
        threshold: float,
        description: CaseDescription,
        *,
        files: dict[str, str],
        case_file: str | None,
        opened: ExitStack,
    ) -> None:
        self.flagged = {name: Counter[tuple[str, str]]() for name in names}
        self.kept: dict[str, DecisionTable] = {}
        self.kept_cases: list[Case] = []
        self.sentences = self.cases = self.undecided = self.with_before = 0
        self._threshold = threshold
        self._description = description
        self._files = files  # of the decisions, by detector; none: they are kept
        self._case_file = case_file
        self._begun = False
        if not files:
            self.kept = {n: DecisionTable(n, score=array("d"), suggestion=[]) for n in self.flagged}
        self._outs: dict[str, TextIO] = {}
        for name, target in files.items():
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            self._outs[name] = opened.enter_context(writing(target))
        self._case_out = None if case_file is None else opened.enter_context(writing(case_file))

    def take(self, block: DecidedBlock) -> None:
        """A block more."""
        if self._case_out is not None:  # the first cases come with the description of all
            lines = StringIO()
            case_files.write(CaseSet(tuple(block.cases), self._description), lines)
            self._write_rest(lines, self._case_out)
        if self.kept:
            self.kept_cases += block.cases
        for name, (scores, suggestions) in zip(self.flagged, block.answers, strict=True):
            # nine digits, so that what is written, and called an error, hardly depends on the
            # machine
            shown = [f"{score:.9g}" for score in scores]
            flags = [float(score) >= self._threshold for score in shown]
            self.flagged[name].update(
                (word.lower(), "" if put in (None, NOTHING) else str(put).lower())
                for word, put, flag in zip(block.written, suggestions, flags, strict=True)
                if flag
            )
            if name in self._outs:
                labels = ["error" if flag else "ok" for flag in flags]
                words = [word or "" for word in suggestions]
                rows = list(zip(block.ids, labels, shown, words, strict=True))
                self._write_decisions(rows, name)
            if name in self.kept:
                table = self.kept[name]
                assert table.score is not None  # made so
                assert table.suggestion is not None
                table.label.extend(map(int, flags))
                table.score.extend(scores)
                table.suggestion.extend("" if word == NOTHING else word for word in suggestions)
        self.sentences += block.sentences
        self.cases += len(block.ids)
        self.with_before += sum(bool(case.before) for case in block.cases)
        self.undecided += block.undecided
        self._begun = True

    def _write_decisions(self, rows: list[tuple[str, str, str, str]], name: str) -> None:
        form = form_of(self._files[name])
        if form != "jsonl":
            table = StringIO()
            write_table(TITLES, rows, table, form)
            self._write_rest(table, self._outs[name])
        elif rows:
            lines = []
            for case, label, score, word in rows:
                put = f', "suggestion": {encode_json(word)}' if word else ""
                head = f'"case": {encode_json(case)}, "label": "{label}"'
                lines.append(f'{{{head}, "score": {score}{put}}}')
            write_lines(lines, self._outs[name], self.cases)

    def _write_rest(self, lines: StringIO, out: TextIO) -> None:
        """Without the first line, the header, if that was written before."""
        text = lines.getvalue()
        out.write(text.partition("\n")[2] if self._begun else text)

    @property
    def written(self) -> tuple[WrittenFile, ...]:
        """What was written, by what it is."""
        found = [WrittenFile(f"decisions of {name}", file) for name, file in self._files.items()]
        if self._case_file is not None:
            found.append(WrittenFile("cases", self._case_file))
        return tuple(found)
