"""The study of docs/studies/detectors.md, from text and essays to its tables and figures.

    python docs/studies/detectors.py TEXT_FOLDER ESSAYS_FOLDER SYSTEMS_FOLDER OUTPUT_FOLDER

TEXT_FOLDER holds enwiki-a.txt.xz, openstax.txt.xz and selection-heldout.jsonl.xz, ESSAYS_FOLDER
A1.m2 to A10.m2 and sgml/A1.sgml, SYSTEMS_FOLDER the files AMU, CAMB and CUUI. Models that are in
OUTPUT_FOLDER already are not trained again, and text that was tagged before is not tagged again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import jurybox as jb
from jurybox.cases.curves import best_threshold, trace_curve
from jurybox.cases.votes import count_votes, majority
from jurybox.report.figures import save_figure

#: points of the learning curve, in events; the whole text comes after them
CURVE = (300_000, 600_000, 1_200_000, 2_400_000)
#: essays the threshold is chosen on, and those it is reported on
CHOSEN_ON, REPORTED_ON = "1-25", "26-50"
LEARNERS = {"ME": "maxent", "PERC": "perceptron", "LM": "lm"}


def main(text: Path, essays: Path, systems: Path, output: Path) -> None:
    output.mkdir(parents=True, exist_ok=True)
    models = train_all(text, output)
    held_out = text / "selection-heldout.jsonl.xz"
    everybody = jb.detect_selection([models[name] for name in LEARNERS], held_out)
    save(output / "selection.txt", str(everybody))
    curve = [models[name] for name in models if name.startswith("ME")]
    learning = jb.detect_selection(curve, held_out)
    save(output / "learning-curve.txt", str(learning.tables()[0].to_text()))
    save_figure(learning.figure("curve"), output / "learning-curve.svg")
    detect(models, essays, systems, output)


def train_all(text: Path, output: Path) -> dict[str, Path]:
    """The three detectors on all of the text, and maximum entropy on parts of it."""
    files = [text / "enwiki-a.txt.xz", text / "openstax.txt.xz"]
    wanted: dict[str, tuple[str, int | None]] = {
        **{f"ME-{events}": ("maxent", events) for events in CURVE},
        **{name: (learner, None) for name, learner in LEARNERS.items()},
    }
    models = {name: output / name for name in wanted}
    for name, (learner, events) in wanted.items():
        if not models[name].is_dir():
            trained = jb.train_detector(learner, files, models[name], events=events)
            save(output / f"{name}.txt", str(trained))
    return models


def detect(models: dict[str, Path], essays: Path, systems: Path, output: Path) -> None:
    """Errors in essays: a threshold from one half, everything else from the other."""
    development = derive(essays, systems, CHOSEN_ON)
    rest = derive(essays, systems, REPORTED_ON)
    for name, half in (("development", development), ("rest", rest)):
        half.save(output / f"{name}.jsonl", output / f"{name}.csv", output / f"{name}-decisions")
    decided: dict[str, jb.DecisionTable] = dict(rest.decisions)
    lines = []
    for name in LEARNERS:
        threshold = choose(models[name], development, output / "development.jsonl")
        run = jb.run_detectors(models[name], cases=output / "rest.jsonl", threshold=threshold)
        (decided[name],) = run.decisions.values()
        lines.append(f"{name}: {threshold:.4f}")
    save(output / "thresholds.txt", "\n".join(lines))
    result = jb.evaluate(
        rest.case_set, rest.judgments, {name: decided[name] for name in sorted(decided)}, ci=True
    )
    save(output / "detection.txt", str(result))
    for kind in ("precision-recall", "roc"):
        save_figure(result.figure(kind), output / f"detectors-{kind}.svg")


def derive(essays: Path, systems: Path, which: str) -> jb.DerivedCases:
    return jb.derive_cases(
        [essays / f"A{number}.m2" for number in range(1, 11)],
        "preposition",
        {name: systems / name for name in ("AMU", "CAMB", "CUUI")},
        tagger="words",
        documents=essays / "sgml" / "A1.sgml",
        select=which,
    )


def choose(model: Path, derived: jb.DerivedCases, cases: Path) -> float:
    """The threshold with the best F0.5 against the majority of the ten."""
    (decided,) = jb.run_detectors(model, cases=cases).decisions.values()
    truth = majority(count_votes(derived.judgments, len(derived.case_set))).truth
    curve = trace_curve(np.asarray(decided.score), truth)
    return best_threshold(curve, "f_beta", beta=0.5).threshold


def save(path: Path, text: str) -> None:
    path.write_text(text + "\n", "utf-8")
    print(f"{path}:\n{text}\n", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*map(Path, sys.argv[1:]))
