"""`derive_cases`: a panel of edits as cases, judgments and decisions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jurybox.api.cases_result import ConstructionSummary, DerivedCases
from jurybox.api.checks import OutputCheck
from jurybox.api.counting import Progress, expect
from jurybox.api.inputs import Gold, Hypothesis, System, only_annotation, systems_from
from jurybox.api.panels import LoadedPanel, Selection, as_selection, load_panel
from jurybox.api.people import read_hypotheses
from jurybox.api.score import collecting_warnings
from jurybox.cases.changes import align
from jurybox.cases.constructions import BY_TYPE, Construction, find_constructions
from jurybox.cases.derive import (
    PanelCases,
    any_edit,
    by_type,
    decide,
    derive,
    edit_types,
    without_types,
)
from jurybox.cases.infinitives import Tagger, Tokens, choose_tagger
from jurybox.errors import InputError, JuryboxWarning, UsageError, unknown_name
from jurybox.formats import Input
from jurybox.model import CaseDescription, CaseSet, DecisionTable, Panel
from jurybox.signature import signature

ERROR_RULES = ("type", "any-edit")


def derive_cases(
    gold: Gold,
    construction: str | Sequence[str] = "preposition",
    systems: Hypothesis | Mapping[str, Hypothesis] | Sequence[Hypothesis] | None = None,
    *,
    error_rule: str = "type",
    tagger: str = "auto",
    gold_format: str | None = None,
    documents: Any = None,
    select: Selection = None,
    coverage: Any = None,
    hyp_format: str | None = None,
    tokenize: bool = False,
    progress: Progress | None = None,
) -> DerivedCases:
    r"""Cases out of a panel, each annotator a rater, and the decisions of systems about them.

    `construction` is preposition, article, comma, token, missing-preposition, missing-article,
    missing-comma, or type=NAME for every token with edits of one type; or several that do not
    share places. `error_rule` "type" counts the edits of the construction's own types, "any-edit"
    all. `tagger` tells which `to` is no preposition: spacy, words, or auto for what is installed.

    >>> text = "S I am at home .\nA 2 3|||Prep|||in|||REQUIRED|||-NONE-|||0\n"
    >>> derived = derive_cases(Input.from_text(text), systems={"mine": ["I am home ."]})
    >>> [(case.id, case.written) for case in derived.case_set.cases]
    [('S1:2-3', 'at')]
    >>> derived.error_rate, derived.decisions["mine"].suggestion
    (1.0, [''])
    """
    if error_rule not in ERROR_RULES:
        raise unknown_name("error rule", error_rule, ERROR_RULES)
    with collecting_warnings() as messages:
        loaded = load_panel(
            gold, gold_format=gold_format, documents=documents, select=select, coverage=coverage
        )
        types = edit_types(loaded.panel)
        wanted = find_constructions(construction, types)
        typed = error_rule == "type" and bool(types)
        _check_rule(wanted, types, error_rule)
        untyped = _untyped(wanted, loaded.panel) if typed else ()
        tags = choose_tagger(tagger if _needs_tags(wanted) else "words")
        derived = derive(
            loaded.panel.sentences,
            loaded.panel.annotators,
            wanted,
            numbers=loaded.numbers,
            tagger=_told(tags, len(loaded.panel), progress),
            concerns=by_type if typed else any_edit,
            untyped=untyped,
        )
        if not derived.cases:
            names = " or ".join(one.name for one in wanted)
            raise InputError(f"no sentence of the panel has a case for --construction {names}")
        opened: list[System] = []
        if systems:
            opened = systems_from(systems, hyp_format=hyp_format)
        decisions = {
            system.name: _decide(system, loaded, derived, tokenized=not tokenize, progress=progress)
            for system in opened
        }
    files = [system.source for system in opened if isinstance(system.source, Input)]
    described = {one.name: _describe(one, typed, untyped, tags, loaded.panel) for one in wanted}
    return DerivedCases(
        case_set=CaseSet(tuple(derived.cases), _join(list(described.values()))),
        judgments=derived.judgments,
        decisions=decisions,
        constructions=tuple(
            ConstructionSummary.of(derived, one.name, described[one.name]) for one in wanted
        ),
        signature=signature(
            "cases",
            refs=len(loaded.panel.annotators),
            construction=[one.name for one in wanted],
            rule="type" if typed else "any-edit",
            to=tags.name if _needs_tags(wanted) else None,
            **loaded.taken(as_selection(select), coverage),
            tokenize="jurybox" if tokenize else None,
        ),
        inputs=(*loaded.inputs, *files),
        warnings=tuple(messages),
    )


def _told(tagger: Tagger, sentences: int, progress: Progress | None) -> Tagger:
    """The same tagger, which tells of every sentence it has looked at: that takes the time."""
    if progress is None:
        return tagger
    expect(progress, sentences)

    def find(given: Iterable[Tokens]) -> Iterator[frozenset[int]]:
        for found in tagger.find(given):
            yield found
            progress(1)

    return tagger._replace(find=find)


def _needs_tags(constructions: Sequence[Construction]) -> bool:
    """Only where prepositions matter is it asked which `to` is one."""
    return any("to" in one.words for one in constructions)


def _check_rule(
    constructions: Sequence[Construction], types: frozenset[str], error_rule: str
) -> None:
    for one in constructions:
        if error_rule == "any-edit" and one.name.startswith(BY_TYPE):
            raise UsageError(
                f"--construction {one.name} takes edits of one type, --error-rule any-edit takes "
                "all; choose one of them, or --construction token"
            )
        if error_rule == "type" and types and not any(map(one.is_about, types)):
            met = ", ".join(sorted(types)[:10]) + (" …" if len(types) > 10 else "")
            message = (
                f"no annotator has an edit of type {' or '.join(one.types)}, so no {one.name} case "
                f"is an error (types there: {met}); say --error-rule any-edit to count every edit"
            )
            warnings.warn(message, JuryboxWarning, stacklevel=3)


def _untyped(constructions: Sequence[Construction], panel: Panel) -> tuple[str, ...]:
    """Annotators whose edits have no types although others' have; all their edits count."""
    names = without_types(panel)
    if not names or not any(one.types for one in constructions):
        return ()
    listed = ", ".join(names)
    for one in constructions:
        if one.name.startswith(BY_TYPE):
            raise InputError(
                f"--construction {one.name}: no edit of {listed} has a type; leave them out, or "
                "give their edits types"
            )
    warnings.warn(
        f"no edit of {listed} has a type, so every edit of theirs counts; --error-rule any-edit "
        "does the same for all annotators",
        JuryboxWarning,
        stacklevel=3,
    )
    return names


def _describe(
    construction: Construction, typed: bool, untyped: Sequence[str], tagger: Tagger, panel: Panel
) -> CaseDescription:
    """What N consists of, in words."""
    one = construction
    enumeration = one.enumeration
    if "to" in one.words and not one.missing:
        enumeration = f"{enumeration} ({tagger.rule})"
    trivial = ""
    if one.trivial_rule:
        trivial = f"{one.trivial_rule}; unless an annotator puts something there"
    return CaseDescription(
        construction=one.name,
        unit=one.unit,
        enumeration=enumeration,
        trivial_rule=trivial,
        error_rule=_error_rule(one, typed, untyped),
        origin=f"{panel.name}: {len(panel)} sentences, {len(panel.annotators)} annotators",
    )


def _error_rule(construction: Construction, typed: bool, untyped: Sequence[str]) -> str:
    one = construction
    edit = f"an edit of type {' or '.join(one.types)}" if typed and one.types else "an edit"
    if untyped and one.types:
        edit = f"{edit} (of {', '.join(untyped)}, without types: any edit)"
    if one.missing and typed and not one.touched:
        return f"{edit} inserts something at the position"
    if one.missing:
        what = one.name.removeprefix("missing-")
        return f"{edit} inserts {'an' if what == 'article' else 'a'} {what} at the position"
    return f"{edit} {'changes the token itself' if one.touched else 'covers the token'}"


def _join(described: Sequence[CaseDescription]) -> CaseDescription:
    """One description of all; what differs is said for each construction."""
    if len(described) == 1:
        return described[0]
    joined = {}
    for name in ("unit", "enumeration", "trivial_rule", "error_rule"):
        said = {one.construction: str(getattr(one, name)) for one in described}
        joined[name] = "; ".join(f"{which}: {text}" for which, text in said.items() if text)
    names = "+".join(one.construction for one in described)
    return CaseDescription(construction=names, origin=described[0].origin, **joined)


def _decide(
    system: System,
    loaded: LoadedPanel,
    derived: PanelCases,
    *,
    tokenized: bool,
    progress: Progress | None,
) -> DecisionTable:
    """A system's decisions, by its own edits or by those that alignment finds in its text."""
    written = read_hypotheses(system, loaded, tokenized=tokenized)
    sentences = loaded.panel.sentences
    if written.edits is not None:
        own = [() if one is None else only_annotation(one, system) for one in written.edits]
    else:
        check = OutputCheck(system.name)
        own = []
        expect(progress, len(sentences))
        for sentence, tokens in zip(sentences, written.sentences, strict=True):
            check.look(sentence.tokens, tokens or ())
            own.append(align(sentence.tokens, tokens or ()))
            if progress is not None:
                progress(1)
        for message in check.warnings():
            warnings.warn(message, JuryboxWarning, stacklevel=2)
    return decide(system.name, sentences, derived.places, own)
