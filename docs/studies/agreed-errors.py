"""Three systems on what ten people call an error: prepositions and all words, by how far the ten
agree. Takes some seconds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studying import (
    SYSTEMS,
    Findings,
    Study,
    essay_map,
    gold_files,
    points,
    run,
    share,
    system_files,
    table_of,
)

import jurybox as jb


def find(data: Path) -> Findings:
    found = Findings()
    prepositions = jb.evaluate(derived=derive(data, "preposition"), ci=True)
    tell_agreement(prepositions, found)
    tell_prepositions(prepositions, found)
    words = jb.evaluate(derived=derive(data, "token"), ci=True, ci_unit="document", stability=True)
    tell_words(words, found)
    tell_steadiness(words.to_dict(), found)
    found.quotes("over the 50 essays", "a share of ten people is a rough measure: .1 is one person")
    return found


def derive(data: Path, construction: str) -> jb.DerivedCases:
    return jb.derive_cases(
        gold_files(data),
        construction,
        system_files(data),
        tagger="words",
        documents=essay_map(data),
    )


def named(result: dict[str, Any], name: str) -> dict[str, Any]:
    """What the JSON form has about a system."""
    (one,) = (one for one in result["systems"] if one["name"] == name)
    return dict(one)


def tell_agreement(result: jb.EvaluateResult, found: Findings) -> None:
    unanimous = result.to_dict()["histogram"][-1]  # an agreement of 1
    found.says(
        f"{result.cases.n:,} prepositions",
        f"On {share(unanimous['n'] / result.cases.n)} all ten agree",
        f"{unanimous['errors']} of these {unanimous['n']:,} are errors to everybody",
        f"Most people call {share(result.error_rate)} an error; "
        f"the average person calls {share(result.graded_error_rate)} one",
    )
    found.figure("prepositions-agreement.svg", result.figure("histogram"))


def tell_prepositions(result: jb.EvaluateResult, found: Findings) -> None:
    tables, told = result.tables(), result.to_dict()
    found.table("prepositions", table_of(tables, "Detection"))
    found.table("prepositions-by-agreement", table_of(tables, "By agreement"))
    found.figure("prepositions-by-agreement.svg", result.figure("precision-recall"))
    camb = named(told, "CAMB")
    errors = camb["detection"]["tp"] + camb["detection"]["fn"]
    unanimous = told["histogram"][-1]
    somebody = result.cases.n - (unanimous["n"] - unanimous["errors"])
    found.says(
        f"{somebody} of the prepositions are an error to somebody, {errors} to most",
        "Weighted recall is lower for all three",
        when=all(
            named(told, name)["weighted_measures"]["recall"]
            < named(told, name)["measures"]["recall"]
            for name in SYSTEMS
        ),
    )
    accuracy = {name: named(told, name)["measures"]["accuracy"] for name in SYSTEMS}
    always = camb["measures"]["always_ok_accuracy"]
    found.says(
        f"right in {share(always)} of the cases by the majority, which CAMB "
        f"({share(accuracy['CAMB'])}) and CUUI ({share(accuracy['CUUI'])}) do not reach and AMU "
        f"({share(accuracy['AMU'])}) hardly passes",
        when=max(accuracy["CAMB"], accuracy["CUUI"]) < always < accuracy["AMU"],
    )
    tell_bins(told, found)
    alone = {one["name"]: one for one in camb["raters"]}
    said = {name: (one["tp"] + one["fn"]) / one["n"] for name, one in alone.items()}
    found.says(
        f"Against A7 alone, who marks {share(said['A7'], 0)} of the prepositions, "
        f"CAMB has a precision "
        f"of {points(alone['A7']['precision'])}; against A2 alone, who marks "
        f"{share(said['A2'], 0)}, {points(alone['A2']['precision'])}"
    )


def tell_bins(told: dict[str, Any], found: Findings) -> None:
    recalls = {name: [one["recall"] for one in named(told, name)["bins"]] for name in SYSTEMS}
    found.says(
        "CAMB finds more than half of the errors that at least nine of ten people see, "
        "and a third of "
        "the disputed ones",
        when=recalls["CAMB"][2] > 0.5 and 0.3 < recalls["CAMB"][0] < 0.36,
    )
    found.says(
        "The others find a fifth of the clear ones",
        when=all(0.15 < recalls[name][2] < 0.25 for name in ("AMU", "CUUI")),
    )
    errors = [one["tp"] + one["fn"] for one in named(told, "CAMB")["bins"]]
    found.says(f"there are {errors[2]} errors in the last, {errors[1]} in the middle one")


def tell_words(result: jb.EvaluateResult, found: Findings) -> None:
    told = result.to_dict()
    found.table("words", table_of(result.tables(), "By agreement"))
    found.figure("tokens-kappa-by-agreement.svg", result.figure("kappa"))
    found.says(
        f"{result.cases.n:,} words, {share(result.graded_error_rate)} of which the average person "
        "would change"
    )
    kappas = [[named(told, name)["bins"][place]["kappa"] for name in SYSTEMS] for place in (0, 2)]
    found.says(
        f"far better (kappa {points(min(kappas[1]), 2)} to {points(max(kappas[1]), 2)}) "
        "than on what "
        f"people dispute ({points(min(kappas[0]), 2)} to {points(max(kappas[0]), 2)})"
    )
    scores = [named(told, name)["measures"]["f_beta"] for name in SYSTEMS]
    pairs = {(one["first"], one["second"]): one["differences"] for one in told["comparisons"]}
    plain = [one["plain"]["f_beta"] for one in pairs.values()]
    found.says(
        f"({', '.join(map(points, scores))}; all differences below .006, "
        "p = 1 after Holm's correction)",
        when=all(abs(one["value"]) < 0.006 and one["p_holm"] == 1 for one in plain),
    )
    ahead = pairs["AMU", "CAMB"]["weighted"]["f_beta"]
    other = pairs["CAMB", "CUUI"]["weighted"]["f_beta"]
    found.says(
        f"CAMB is ahead of AMU by {points(-ahead['value'])} [{points(-ahead['high'])}, "
        f"{points(-ahead['low'])}] and of CUUI by {points(other['value'])} "
        f"[{points(other['low'])}, {points(other['high'])}]"
    )


def tell_steadiness(told: dict[str, Any], found: Findings) -> None:
    drawn, flipped = movements(told, "raters drawn anew"), movements(told, "every case flipped")
    ours = {kind: drawn["CAMB", kind, "f_beta"]["deviation"] for kind in ("plain", "weighted")}
    found.says(
        f"F0.5 of CAMB has a standard deviation of {points(ours['plain'])} by the majority and of "
        f"{points(ours['weighted'])} weighted; the same holds for all systems and for precision, "
        "recall and kappa",
        when=all(
            drawn[name, "weighted", measure]["deviation"] < move["deviation"]
            for (name, kind, measure), move in drawn.items()
            if kind == "plain"
        ),
    )
    weighted, plain = (flipped["CAMB", kind, "recall"] for kind in ("weighted", "plain"))
    found.says(
        f"(CAMB {points(weighted['value'])} to {points(weighted['mean'])}), "
        "although it hardly varies "
        f"({points(weighted['deviation'], 4)} against {points(plain['deviation'], 4)} "
        "by the majority)"
    )


def movements(told: dict[str, Any], change: str) -> dict[tuple[str, str, str], dict[str, float]]:
    """How measures move with a kind of change: by system, kind of truth and measure."""
    return {
        (system["name"], move["kind"], move["measure"]): move
        for system in told["systems"]
        for one in system["stability"]
        if one["change"].endswith(change)
        for move in one["movements"]
    }


STUDY = Study("agreed-errors", ("conll14-10", "systems"), find)

if __name__ == "__main__":
    run(STUDY, __doc__)
