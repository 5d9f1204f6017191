"""Known answers beside judgments: out of their own column, a file, or memory."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

from jurybox.errors import Column, InputError, JuryboxWarning
from jurybox.formats import Input, Source, as_inputs
from jurybox.formats.given_values import as_dict, as_word
from jurybox.formats.platforms._export import LabelWords
from jurybox.formats.tables.long_tables import LongTable
from jurybox.formats.tables.memory_tables import is_missing
from jurybox.model import CaseSet

#: files with known answers, or case -> the right label or labels
GivenGold = Source | Sequence[Source] | Mapping[str, str | Sequence[str]]
#: the label that counts as no answer, in any spelling; --relabel WORD=unknown makes others it
NO_ANSWER = "unknown"


def answers_in(gold: Sequence[str]) -> tuple[str, ...]:
    """Right labels that are answers."""
    return tuple(label for label in gold if label.lower() != NO_ANSWER)


def read_gold(
    given: GivenGold, cases: CaseSet, labels: Mapping[str, str] | None
) -> tuple[tuple[tuple[str, ...], ...], str, tuple[Input, ...]]:
    """Known answers of the cases, what to call them, and the files they are from."""
    inputs: tuple[Input, ...] = ()
    known: dict[str, tuple[str, ...]]
    if isinstance(given, Mapping):
        known = {case: _right_labels(right) for case, right in as_dict(given, "gold").items()}
        name = "gold"
    else:
        inputs = tuple(as_inputs(given, "gold"))
        name = "+".join(source.stem for source in inputs)
        known = {}
        for source in inputs:
            _read_gold_file(source, labels or {}, known)
    found = tuple(answers_in(known.get(case.id, ())) for case in cases.cases)
    met = sum(map(bool, found))
    if not met:
        some = next(iter(known), "")
        raise InputError(
            f"--gold: none of its {len(known)} cases was judged (its first case is '{some}', the "
            f"first one judged is '{cases.cases[0].id}')"
        )
    if met < len(known):
        warn(f"--gold: {len(known) - met} of {len(known)} cases were not judged")
    return found, name, inputs


def _right_labels(given: object) -> tuple[str, ...]:
    """One right label or several; a missing value is none."""
    listed = given if isinstance(given, list | tuple | set) else [given]
    cells = (as_word(one, "gold") for one in listed if not is_missing(one))
    return tuple(filter(None, cells))


def _read_gold_file(
    source: Input, labels: Mapping[str, str], known: dict[str, tuple[str, ...]]
) -> None:
    """A table with `case` and `gold`, or `case` and `label`; several labels as a JSON list."""
    table = LongTable(source, ("case", "gold", "label"), can_map=False)
    words = LabelWords(labels)
    for block in table.blocks():
        column = block.cells.get("gold") or block.cells.get("label")
        if column is None:
            table.bad.add(
                1,
                "no column 'gold': a file for --gold has the columns case and gold; rename one",
                Column(1, last=len(table.bad.titles)) if table.bad.titles else "gold",
            )
            break
        for line, case, cell in zip(block.lines, block.cells["case"], column, strict=True):
            right = words.right(cell)
            if right and known.setdefault(case.strip(), right) != right:
                table.bad.add(
                    line,
                    f"case '{case.strip()}' has other right labels before; give one set of them",
                    "gold" if "gold" in block.cells else "label",
                )
    table.bad.raise_first()


def check_gold_labels(gold: Sequence[Sequence[str]], labels: Sequence[str]) -> None:
    """Answers in words that nobody uses are a mistake of spelling, as a rule."""
    right = dict.fromkeys(label for each in gold for label in each)
    if right and not any(label in labels for label in right):
        warn(
            f"no rater gave any of the right labels ({_listed(right)}); raters gave "
            f"{_listed(labels)}: --relabel can make them the same"
        )


def _listed(names: Sequence[str] | Mapping[str, None]) -> str:
    shown = list(names)[:5]
    return ", ".join(shown) + (", …" if len(names) > len(shown) else "")


def warn(message: str) -> None:
    """Tell the user."""
    warnings.warn(message, JuryboxWarning, stacklevel=3)
