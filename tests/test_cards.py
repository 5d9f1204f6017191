"""Every measure has a card: what it is, when it misleads, an example that runs, and its paper."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from jurybox.jury import calibration, curves
from jurybox.metaeval import correlation, ranked_pairs
from jurybox.metrics import measures
from jurybox.metrics.measures import MEASURES
from jurybox.metrics.options import METRICS
from jurybox.raters import agreement
from jurybox.raters.named_coefficients import COEFFICIENTS

CARDS = Path(__file__).resolve().parent.parent / "docs" / "measures"
ALL = sorted(CARDS.glob("*.md"))
#: what a card has, in this order, after its title and the definition
PARTS = ("**When it misleads.**", "**Example.**", "**Source.**")
#: names of coefficients in results -> their cards
COEFFICIENT_CARDS = {
    "observed": "observed_agreement",
    "fleiss_kappa": "fleiss_kappa",
    "ac1": "ac1",
    "alpha_nominal": "krippendorff_alpha_raters",
    "alpha_ordinal": "krippendorff_alpha_scales",
    "alpha_interval": "krippendorff_alpha_scales",
    "alpha_ratio": "krippendorff_alpha_scales",
}


#: cards of what has no registry
FURTHER = {
    *("weighted_counts", "auc", "auk", "average_precision", "brier", "text_accuracy"),
    *("weighted_kappa", "crowd_of_n", "dawid_skene", "spammer_score"),
    "expected_wins",
}


def functions_giving(module: ModuleType, result: str) -> Iterator[str]:
    """The public functions of a module that give such a result."""
    for name, function in inspect.getmembers(module, inspect.isfunction):
        own = function.__module__ == module.__name__ and not name.startswith("_")
        if own and function.__annotations__.get("return") == result:
            yield name


def names_of_registries() -> set[str]:
    named = {*METRICS, *MEASURES, *correlation.MEASURES, *ranked_pairs.PAIR_MEASURES}
    return named | {COEFFICIENT_CARDS[name] for name in COEFFICIENTS}


@pytest.mark.parametrize("card", ALL, ids=lambda card: card.stem)
def test_a_card_tells_what_it_is_when_it_misleads_an_example_and_the_paper(card: Path) -> None:
    text = card.read_text(encoding="utf-8")
    title, definition = text.split("\n\n")[:2]
    assert re.fullmatch(r"# .+", title)
    assert len(definition) > 50
    assert not definition.startswith("**")
    places = [text.find(part) for part in PARTS]
    assert -1 not in places, [part for part in PARTS if part not in text]
    assert places == sorted(places)
    # of these, tests/test_docs.py runs the first kind and tests/test_measures.py the second
    assert re.search(">>>|`jurybox measures .+` gives", text[places[1] : places[2]])
    assert re.search(r"\b(?:19|20)\d\d\b", text[places[2] :]), "the source has no year"


def test_every_metric_and_every_measure_of_a_registry_has_its_card() -> None:
    assert names_of_registries() - {card.stem for card in ALL} == set()


def test_no_card_is_left_over() -> None:
    assert {card.stem for card in ALL} == names_of_registries() | FURTHER


def test_every_function_of_counts_that_can_be_undefined_is_in_the_registry() -> None:
    found = {
        name
        for name in functions_giving(measures, "float")
        if {"counts", "undefined"} <= set(inspect.signature(getattr(measures, name)).parameters)
    }
    assert found == set(MEASURES)


@pytest.mark.parametrize(
    ("module", "result"),
    [
        pytest.param(agreement, "Agreement", id="agreement"),
        pytest.param(curves, "Area", id="curves"),
        pytest.param(calibration, "Brier", id="calibration"),
    ],
)
def test_every_measure_that_is_a_function_is_used_on_a_card(
    module: ModuleType, result: str
) -> None:
    cards = "\n".join(card.read_text(encoding="utf-8") for card in ALL)
    names = set(functions_giving(module, result))
    assert names
    assert {name for name in names if not re.search(rf"\b{name}\b", cards)} == set()
