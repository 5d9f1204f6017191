"""CoNLL-2014's combined file gives what its two single files give.

The combined file has no line of annotator 1 where the edits equal those of annotator 0, and no line
at all where nobody edits. In 15 of these sentences annotator 1 gave an edit another type, which the
combined file does not have: with types put aside, every number is the same.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jurybox.annotators import annotators
from jurybox.ceiling import ceiling
from jurybox.errors import JuryboxNote, JuryboxWarning
from jurybox.formats import read_panel
from jurybox.jury.cases import derive_cases
from jurybox.score import score

NAMES = {"official-2014.0+official-2014.1": "panel", "official-2014.combined": "panel"}
NAMES |= {"official-2014.0": "0", "official-2014.1": "1"}


@pytest.fixture(scope="module")
def conll14(data_dir: Path) -> Path:
    return data_dir / "conll14"


@pytest.fixture(scope="module")
def untyped(conll14: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three files with one type for every edit."""
    folder = tmp_path_factory.mktemp("untyped")
    for name in ("combined", "0", "1"):
        text = (conll14 / f"official-2014.{name}.m2").read_text(encoding="utf-8")
        text = re.sub(r"^(A \d+ \d+\|\|\|)[^|]+", r"\1X", text, flags=re.MULTILINE)
        (folder / f"official-2014.{name}.m2").write_text(text, encoding="utf-8")
    return folder


def combined_in(folder: Path) -> Path:
    return folder / "official-2014.combined.m2"


def single_in(folder: Path) -> list[Path]:
    return [folder / f"official-2014.{number}.m2" for number in (0, 1)]


def plain(result: Any) -> dict[str, Any]:
    """The JSON of a result without what tells the files apart."""
    record = result.to_dict()
    for key in ("inputs", "signature", "warnings"):
        record.pop(key, None)
    (record.get("options") or {}).pop("missing_annotator", None)
    text = json.dumps(record)
    for name, shown in NAMES.items():
        text = text.replace(name, shown)
    made: dict[str, Any] = json.loads(text)
    return made


def test_the_known_file_is_read_as_two_persons_and_says_so(conll14: Path) -> None:
    with pytest.warns(JuryboxNote, match=r"in 88 sentences .*left 136 sentences unchanged"):
        found = annotators(combined_in(conll14), pairwise=False)
    assert "|missing:same|" in found.signature
    expected = annotators(single_in(conll14), pairwise=False)
    ours, theirs = plain(found), plain(expected)
    assert found.sentence_agreement is not None
    assert f"{found.sentence_agreement.cohen_kappa.mean:.4f}" == "0.3830"
    for key in ("corpus", "texts", "sentence_agreement", "undefined"):
        assert ours[key] == theirs[key]
    for key in ("edit", "span"):  # the others look at types
        assert ours["consensus"][key] == theirs["consensus"][key]
    assert ours["places"]["overall"] == theirs["places"]["overall"]
    moved = sum(
        abs(count - theirs["annotators"]["1"]["by_type"][kind])
        for kind, count in ours["annotators"]["1"]["by_type"].items()
    )
    assert 0 < moved <= 2 * 15
    assert ours["annotators"]["0"] == theirs["annotators"]["0"]


def test_by_the_letter_and_with_everybody_everywhere_it_is_another_panel(conll14: Path) -> None:
    letter = annotators(combined_in(conll14), pairwise=False, missing_annotator="skipped")
    none = annotators(combined_in(conll14), pairwise=False, missing_annotator="none")
    found = [one.sentence_agreement for one in (letter, none)]
    assert [one and f"{one.cohen_kappa.mean:.4f}" for one in found] == ["-0.0757", "0.2512"]


def test_coverage_does_not_contradict_how_the_known_file_is_read(conll14: Path) -> None:
    with pytest.warns(JuryboxNote):
        found = annotators(combined_in(conll14), pairwise=False, coverage="all")
    assert found.sentence_agreement is not None
    assert f"{found.sentence_agreement.cohen_kappa.mean:.4f}" == "0.3830"


@pytest.mark.parametrize(
    "look_at",
    [
        pytest.param(annotators, id="annotators", marks=pytest.mark.slow),
        pytest.param(ceiling, id="ceiling", marks=pytest.mark.slow),
        pytest.param(lambda gold, **how: derive_cases(gold, "token", **how), id="cases"),
    ],
)
def test_with_types_put_aside_every_number_is_the_same(
    untyped: Path, look_at: Callable[..., Any]
) -> None:
    found = look_at(combined_in(untyped), missing_annotator="same")
    assert plain(found) == plain(look_at(single_in(untyped)))


def test_prepositions_are_the_same_with_types(conll14: Path) -> None:
    with pytest.warns(JuryboxNote):
        found = derive_cases(combined_in(conll14), tagger="words")
    expected = derive_cases(single_in(conll14), tagger="words")
    assert plain(found) == plain(expected)
    assert found.judgments.answer == expected.judgments.answer


def test_the_file_with_alternatives_warns_that_its_numbers_are_no_persons(conll14: Path) -> None:
    with pytest.warns(JuryboxWarning, match="annotators 1 to 4 are not the same person"):
        annotators(conll14 / "official-2014.combined-withalt.m2", pairwise=False)


@pytest.mark.parametrize(
    "system", ["CAMB", *(pytest.param(name, marks=pytest.mark.slow) for name in ("AMU", "CUUI"))]
)
def test_scores_are_the_same_by_the_letter_and_with_equal_edits_put_in(
    conll14: Path, system: str
) -> None:
    """An equal candidate later in the order wins no tie."""
    hypothesis = conll14.parent / "systems" / system
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # `score` reads by the letter, and has nothing to say
        letter = score(hypothesis, combined_in(conll14))
    same = score(hypothesis, read_panel(combined_in(conll14), missing_annotator="same"))
    assert plain(letter)["systems"] == plain(same)["systems"]
