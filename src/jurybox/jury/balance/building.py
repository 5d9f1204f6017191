"""How a balanced set is built: what is confirmed, what is drawn, what is left out.

Preposition errors are rare, so Madnani et al. (2011, section 2.1) mined candidates, kept 500 that
proved to be errors, and added 500 correct uses; 75 of these sentences served as gold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError, UsageError, collecting_warnings, plural, warn
from jurybox.formats import Input, as_inputs
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables import judgments as judgment_files
from jurybox.jury.balance import BalanceCases
from jurybox.jury.balance.result import BalancedCases, LeftOutCases, Pool
from jurybox.jury.cases.duplicates import Duplicates, repeats
from jurybox.jury.votes import LabelArray, VoteArray, Votes, count_votes, keep_judgments
from jurybox.model import LABEL_BITS, Case, CaseDescription, CaseSet, JudgmentTable
from jurybox.options import signature
from jurybox.raters.flagged import split_flagged
from jurybox.streams import lots


def build(call: BalanceCases) -> BalancedCases:
    """Read, decide what is confirmed, draw as many of both, and shuffle them."""
    with collecting_warnings() as messages:
        case_set, given_as_correct, inputs = _read_cases(call)
        votes, skipped, said, cases = _count(call, case_set)
        again = np.array(repeats(cases), dtype=bool)
        duplicates = Duplicates(int(again.sum()), call.duplicates == "drop")
        open_to_all = ~(again & duplicates.dropped)
        trivial = np.fromiter((one.trivial for one in cases), dtype=bool, count=len(cases))
        label = _confirmed(cases, votes, call.agreement)
        judged = votes.deciding > 0
        has_gold = np.fromiter((bool(one.gold) for one in cases), dtype=bool, count=len(cases))
        assumed = given_as_correct & ~judged & ~has_gold
        pools = [
            np.flatnonzero(open_to_all & ~trivial & (label == 1)),
            np.flatnonzero(open_to_all & ~trivial & ((label == 0) | assumed)),
        ]
        drawn, lost = _draw(cases, pools, call)
        _check([len(pool) - missed for pool, missed in zip(pools, lost, strict=True)], drawn, call)
        unclear = open_to_all & ~trivial & (label < 0) & ~assumed
        errors, correct = (
            Pool(
                name,
                len(pool) - int(assumed[pool].sum()),
                int(assumed[pool].sum()),
                len(chosen),
                missed,
            )
            for name, pool, chosen, missed in zip(("error", "ok"), pools, drawn, lost, strict=True)
        )
        gold, chosen_cases = _shuffled(cases, drawn, call)
    description = _describe(case_set, inputs, len(drawn[0]), call)
    return BalancedCases(
        given=len(cases),
        errors=errors,
        correct=correct,
        left_out=LeftOutCases(
            undecided=int((unclear & (judged | has_gold)).sum()),
            unjudged=int((unclear & ~judged & ~has_gold).sum()),
            trivial=int((trivial & open_to_all).sum()),
            judgments=skipped,
        ),
        duplicates=duplicates,
        gold=gold,
        seed=call.seed,
        description=description,
        signature=signature(
            "cases",
            task="balance",
            errors=call.errors,
            agreement=call.agreement if call.agreement > 0.5 else None,
            each="sentence" if call.one_per_sentence else None,
            duplicates="drop" if duplicates.dropped else None,
            gold=call.gold_cases or None,
            models="yes" if call.count_models else None,
            flagged="yes" if call.with_flagged else None,
            seed=call.seed,
        ),
        case_set=CaseSet(chosen_cases, description),
        inputs=(*inputs, *said),
        warnings=tuple(messages),
    )


def _read_cases(call: BalanceCases) -> tuple[CaseSet, NDArray[np.bool_], list[Input]]:
    """The cases of all files, those of two counting once; which of them were given as correct."""
    sets: list[tuple[CaseSet, bool, str]] = []
    inputs: list[Input] = []
    if isinstance(call.cases, CaseSet):
        sets.append((call.cases, False, "cases"))
    for sources, correct in ((call.cases, False), (call.correct, True)):
        if sources is None or isinstance(sources, CaseSet):
            continue
        for source in as_inputs(sources, "cases"):
            inputs.append(source)
            read = case_files.read(source, labels=call.relabel)
            sets.append((read, correct, source.name))
    found: dict[str, Case] = {}
    assumed: list[bool] = []
    for one, correct, name in sets:
        for case in one.cases:
            before = found.get(case.id)
            if before is None:
                found[case.id] = case
                assumed.append(correct)
            elif before[:4] != case[:4]:
                raise InputError(
                    f"{name}: case '{case.id}' is another one in a file before; give the cases of "
                    "one of the files other ids"
                )
    if not found:
        raise UsageError("there are no cases; name a case file")
    described = [one.description for one, _, _ in sets]
    return CaseSet(tuple(found.values()), described[0]), np.array(assumed, dtype=bool), inputs


def _count(
    call: BalanceCases, cases: CaseSet
) -> tuple[Votes, int, Sequence[Input], Sequence[Case]]:
    """Votes of the raters who count, how many judgments are on other cases, and their files.

    The cases come with the known answers that judgments bring.
    """
    if call.judgments is None:
        nothing: VoteArray = np.zeros(len(cases), dtype=np.int32)
        if not any(case.gold for case in cases):
            raise UsageError(
                "nothing tells which cases are errors: give --judgments, or cases with the column "
                "'gold'"
            )
        return Votes(nothing, nothing, nothing), 0, (), cases.cases
    sources = as_inputs(call.judgments, "judgments", judgment_files.REQUIRED)
    read = judgment_files.read(sources, cases, labels=call.relabel, unknown_case="skip")
    table = read.table
    if (split := split_flagged(table, counted=call.with_flagged)) is not None:
        table = split.counting
        warn(split.flagged.sentence())
    votes = count_votes(_without_models(table, call), len(cases))
    return votes, read.unknown_cases, sources, read.cases.cases


def _without_models(table: JudgmentTable, call: BalanceCases) -> JudgmentTable:
    is_model = np.array([kind == "model" for kind in table.kinds or ()], dtype=bool)
    if call.count_models or not is_model.any():
        return table
    warn(f"raters that are models are left out: {int(is_model.sum())} (--count-models counts them)")
    return keep_judgments(table, ~is_model[np.asarray(table.answer) >> LABEL_BITS])


def _confirmed(cases: Sequence[Case], votes: Votes, agreement: float) -> LabelArray:
    """1 a confirmed error, 0 a confirmed correct use, -1 neither; gold comes before judgments.

    >>> votes = Votes(np.array([3, 1, 2, 0]), np.array([1, 3, 2, 0]), np.zeros(4))
    >>> cases = [Case("a"), Case("b"), Case("c"), Case("d", gold=("error",))]
    >>> _confirmed(cases, votes, 0.5).tolist(), _confirmed(cases, votes, 0.8).tolist()
    ([1, 0, -1, 1], [-1, -1, -1, 1])
    """
    label: LabelArray = np.full(len(cases), -1, dtype=np.int8)
    for value, ours, theirs in ((1, votes.errors, votes.oks), (0, votes.oks, votes.errors)):
        label[(ours > theirs) & (ours >= agreement * votes.deciding)] = value
    for number, case in enumerate(cases):
        if case.gold:
            label[number] = {"error": 1, "ok": 0}.get("+".join(case.gold), -1)
    return label


def _draw(
    cases: Sequence[Case], pools: Sequence[np.ndarray], call: BalanceCases
) -> tuple[list[list[int]], list[int]]:
    """As many of each pool by lot, and how many their sentences kept out."""
    lot = lots(call.seed, "balance", (case.id for case in cases))
    taken: set[str] = set()
    ordered: list[list[int]] = []
    for pool in pools:
        by_lot = pool[np.argsort(lot[pool], kind="stable")].tolist()
        if call.one_per_sentence:
            first = {cases[number].sentence or cases[number].id: number for number in by_lot[::-1]}
            kept = {number for sentence, number in first.items() if sentence not in taken}
            by_lot = [number for number in by_lot if number in kept]
        ordered.append(by_lot)
        if len(ordered) == 1:  # correct uses come from sentences without a drawn error
            by_lot = by_lot[: call.errors]
            taken = {cases[number].sentence for number in by_lot if cases[number].sentence}
    size = min(len(ordered[0]), len(ordered[1]), call.errors or len(cases))
    lost = [len(pool) - len(kept) for pool, kept in zip(pools, ordered, strict=True)]
    return [one[:size] for one in ordered], lost


def _check(found: Sequence[int], drawn: Sequence[Sequence[int]], call: BalanceCases) -> None:
    """Nothing to draw is an error, fewer than wanted a warning."""
    size = len(drawn[0])
    if not size:
        what = "correct use" if found[0] else "confirmed error"
        raise InputError(
            f"there is no {what}, so no balanced set; give more judgments, or correct uses with "
            "--correct"
        )
    if call.gold_cases > 2 * size:
        raise UsageError(f"--gold-cases {call.gold_cases}: the set has {2 * size} cases only")
    wanted = call.errors or found[0]
    if size < wanted:
        warn(
            f"{plural(size, 'confirmed error')} instead of {wanted}, and as many correct uses: "
            f"there are {found[0]} errors and {found[1]} correct uses to draw from"
        )


def _shuffled(
    cases: Sequence[Case], drawn: Sequence[Sequence[int]], call: BalanceCases
) -> tuple[int, tuple[Case, ...]]:
    """The drawn cases in random order; a few keep their answer, the others lose it."""
    answers = {
        number: answer
        for answer, chosen in zip(("error", "ok"), drawn, strict=True)
        for number in chosen
    }
    numbers = list(answers)
    order = np.argsort(lots(call.seed, "balance order", (cases[n].id for n in numbers)))
    shuffled = [numbers[place] for place in order.tolist()]
    keep = np.argsort(lots(call.seed, "balance gold", (cases[n].id for n in shuffled)))
    gold = {shuffled[place] for place in keep[: call.gold_cases].tolist()}
    return len(gold), tuple(
        cases[number]._replace(gold=(answers[number],) if number in gold else ())
        for number in shuffled
    )


def _describe(
    given: CaseSet, inputs: Sequence[Input], size: int, call: BalanceCases
) -> CaseDescription:
    """What the cases are: half of them errors, which is no rate of any corpus."""
    described = given.description
    constructions = dict.fromkeys(case.construction for case in given.cases)
    share = f"at least {call.agreement:g} of its raters" if call.agreement > 0.5 else "most raters"
    return replace(
        described,
        construction=described.construction or "+".join(filter(None, constructions)),
        enumeration=f"balanced, no random sample: {plural(size, 'confirmed error')} (gold, or "
        f"{share}) and as many correct uses, drawn from {len(given)} cases; their error "
        "rate says nothing of a corpus",
        trivial_rule="",
        origin=", ".join(one.name for one in inputs) or described.origin,
    )
