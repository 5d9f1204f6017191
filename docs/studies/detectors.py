"""The detectors of the papers, trained on text without errors and tried on learners' essays.

    python docs/studies/detectors.py --models FOLDER    writes tables and figures; takes hours
    python docs/studies/detectors.py --check            seconds: all that needs no models

The first command trains what is not in FOLDER yet: 40 million tokens are tagged once (44 minutes
on two cores), and training takes up to 7 GB of memory. Text that was tagged before is not tagged
again. The second one needs the essays and the systems only; rows of trained models it leaves alone.
"""

from __future__ import annotations

import json
import lzma
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from studying import (
    HERE,
    PLACE,
    Findings,
    data_table,
    essay_map,
    find_data,
    gold_files,
    missing_data,
    share,
    system_files,
    table_of,
    write,
)

import jurybox as jb
from jurybox.jury.curves import best_threshold, trace_curve
from jurybox.jury.votes import count_votes, majority

#: points of the learning curve, in events; the whole text comes after them
CURVE = (300_000, 600_000, 1_200_000, 2_400_000)
#: essays the threshold is chosen on, and those it is reported on
CHOSEN_ON, REPORTED_ON = "1-25", "26-50"
LEARNERS = {"ME": "maxent", "PERC": "perceptron", "LM": "lm"}
#: systems whose rows are in the table by agreement
BINNED = ("CAMB", *sorted(LEARNERS))
PAGE = HERE / "detectors.md"
NEEDS = ("text", "conll14-10", "systems")


# --- with models: hours ---


def find(data: Path, models: Path) -> Findings:
    """Everything, out of models that are trained where they are missing."""
    found = Findings()
    trained = train_all(data / "text", models)
    held_out = data / "text" / "selection-heldout.jsonl.xz"
    chosen = jb.detect_selection([trained[name] for name in LEARNERS], held_out)
    found.table("selection", chosen.tables()[0])
    curve = [trained[name] for name in trained if name.startswith("ME")]
    learning = jb.detect_selection(curve, held_out)
    found.table("learning-curve", learning.tables()[0])
    found.figure("detectors-learning-curve.svg", learning.figure("curve"))
    detect(trained, data, models, found)
    found.table("data", data_table(NEEDS))
    return found


def train_all(text: Path, folder: Path) -> dict[str, Path]:
    """The three detectors on all of the text, and maximum entropy on parts of it."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [text / "enwiki-a.txt.xz", text / "openstax.txt.xz"]
    wanted: dict[str, tuple[str, int | None]] = {
        **{f"ME-{events}": ("maxent", events) for events in CURVE},
        **{name: (learner, None) for name, learner in LEARNERS.items()},
    }
    models = {name: folder / name for name in wanted}
    for name, (learner, events) in wanted.items():
        if not models[name].is_dir():
            print(f"training {name} ...", flush=True)
            print(jb.train_detector(learner, files, models[name], events=events), flush=True)
    return models


def detect(models: dict[str, Path], data: Path, folder: Path, found: Findings) -> None:
    """Errors in essays: a threshold from one half, everything else from the other."""
    development, rest = derive(data, CHOSEN_ON), derive(data, REPORTED_ON)
    for name, half in (("development", development), ("rest", rest)):
        half.save(folder / f"{name}.jsonl", folder / f"{name}.csv", folder / f"{name}-decisions")
    decided: dict[str, jb.DecisionTable] = dict(rest.decisions)
    for name in LEARNERS:
        threshold = choose(models[name], development, folder / "development.jsonl")
        run = jb.run_detectors(models[name], cases=folder / "rest.jsonl", threshold=threshold)
        (decided[name],) = run.decisions.values()
        print(f"{name}: threshold {threshold:.4f}", flush=True)
    result = evaluate(rest, decided)
    tables = result.tables()
    print(table_of(tables, "Differences between systems").to_text(), flush=True)
    found.table("detection", table_of(tables, "Detection"))
    found.table("areas", table_of(tables, "Scores over all thresholds"))
    binned = evaluate(rest, {name: decided[name] for name in BINNED})
    found.table("agreement", table_of(binned.tables(), "By agreement"))
    found.figure("detectors-roc.svg", result.figure("roc"))
    found.figure("detectors-by-agreement.svg", result.figure("precision-recall"))


def choose(model: Path, derived: jb.DerivedCases, cases: Path) -> float:
    """The threshold with the best F0.5 against the majority of the ten."""
    (decided,) = jb.run_detectors(model, cases=cases).decisions.values()
    truth = majority(count_votes(derived.judgments, len(derived.case_set))).truth
    curve = trace_curve(np.asarray(decided.score), truth)
    return best_threshold(curve, "f_beta", beta=0.5).threshold


# --- without models: seconds ---


def derive(data: Path, which: str) -> jb.DerivedCases:
    return jb.derive_cases(
        gold_files(data),
        "preposition",
        system_files(data),
        tagger="words",
        documents=essay_map(data),
        select=which,
    )


def evaluate(derived: jb.DerivedCases, decided: dict[str, jb.DecisionTable]) -> jb.EvaluateResult:
    systems = {name: decided[name] for name in sorted(decided)}
    return jb.evaluate(derived.case_set, derived.judgments, systems, ci=len(systems) > 1)


def known_rows(data: Path) -> Iterator[tuple[str, str]]:
    """Rows of the page's tables that need no model: the table's name, and the row."""
    rest = derive(data, REPORTED_ON)
    tables = evaluate(rest, dict(rest.decisions)).tables()
    for line in table_of(tables, "Detection")._replace(notes=()).to_text().splitlines()[2:]:
        yield "detection", line
    for line in table_of(tables, "By agreement")._replace(notes=()).to_text().splitlines()[2:]:
        if line.split()[0] in BINNED:
            yield "agreement", line


def known_phrases(data: Path) -> Iterator[str]:
    """What the prose says of the data."""
    with lzma.open(data / "text" / "selection-heldout.jsonl.xz", "rt", encoding="utf-8") as lines:
        words = [json.loads(line)["written"] for line in lines]
    yield f"{len(words):,} held-out events"
    yield f"always of – {share(words.count('of') / len(words)).replace(' ', '')}"
    cases = [len(derive(data, which).case_set) for which in (CHOSEN_ON, REPORTED_ON)]
    yield f"{sum(cases):,} prepositions of 50 essays"


def complaints(page: str, data: Path) -> Iterator[str]:
    """What of the page is not so, as far as that can be told without models."""
    places = {found[2]: found[3] for found in PLACE.finditer(page)}
    wanted = ("data", "selection", "learning-curve", "detection", "areas", "agreement")
    for name in wanted:
        if name not in places:
            yield f"table {name}: the page has no place for it"
    if places.get("data", "").strip() != data_table(NEEDS):
        yield "table data: not what is known of the data"
    for name, row in known_rows(data):
        shown = [" ".join(line.split()) for line in places.get(name, "").splitlines()]
        if " ".join(row.split()) not in shown:
            yield f"table {name}: without the row {row}"
    prose = " ".join(page.split())
    for phrase in known_phrases(data):
        if phrase not in prose:
            yield f"the page does not say: {phrase}"


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="folder of the data (JURYBOX_DATA, or ../shared/data)")
    parser.add_argument("--models", type=Path, help="folder of the trained models")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where stale")
    options = parser.parse_args()
    if options.check == (options.models is not None):
        parser.error("give --models FOLDER to make everything anew, or --check")
    data = find_data(options.data)
    if lines := missing_data(data, NEEDS):
        sys.exit("\n".join(lines))
    if options.check:
        wrong = list(complaints(PAGE.read_text("utf-8"), data))
    else:
        print(f"written: {', '.join(write(PAGE, find(data, options.models)))}")
        print("Numbers in the prose are of the models of this page: read it again.")
        wrong = []
    if wrong:
        sys.exit("\n".join([f"{PAGE.name}:", *wrong]))


if __name__ == "__main__":
    main()
