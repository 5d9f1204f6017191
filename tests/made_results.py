"""Results of every command, made up so that each field of their JSON has a reason to be there."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jurybox as jb
from jurybox.formats import Input
from jurybox.jury.cases.duplicates import Duplicates
from jurybox.jury.cases.result import DerivedCases
from jurybox.results import TabularResult

TOKENS = ("He", "like", "the", "cats", ".")
WAYS = (
    (),
    (jb.Edit(1, 2, "likes", "SVA"),),
    (jb.Edit(1, 2, "liked||likes", "Vt"),),
    (jb.Edit(1, 2, "likes", "SVA"), jb.Edit(2, 3, "-NONE-", "ArtOrDet")),
    (jb.Edit(3, 4, "cat", "Nn"),),
    (jb.Edit(2, 2, "all", "Wci"),),
)


def panel_of(annotators: int, sentences: int = 8, *, gaps: bool = False) -> jb.Panel:
    """Annotators who choose among a few ways; with gaps they skip sentences, the last one all."""
    names = [f"A{number}" for number in range(1, annotators + 1)]

    def made(place: int) -> jb.Sentence:
        looked = [
            jb.Annotation(name, WAYS[(place * place + number * (place + 1)) % len(WAYS)])
            for number, name in enumerate(names)
            if not gaps or ((place + number) % 3 and number < annotators - 1)
        ]
        return jb.Sentence(TOKENS, tuple(looked), document=f"essay {place // 3}")

    return jb.Panel(tuple(map(made, range(sentences))), tuple(names))


def texts(sentences: int = 8, step: int = 1) -> list[str]:
    """What a system makes of such a panel."""
    ways = [" ".join(jb.apply_edits(TOKENS, edits)) for edits in WAYS]
    return [ways[(step * place + 1) % len(ways)] for place in range(sentences)]


PANEL = panel_of(3)
SYSTEMS = {"old": texts(), "new": texts(step=2), "source": [" ".join(TOKENS)] * 8}
FEW: dict[str, Any] = {"resamples": 20}


EVENT = '{"tokens": ["We", "sat", "on", "the", "mat"], "target": 2, "written": "on"}'


def with_a_model(ask: Callable[[str, TabularResult], TabularResult]) -> TabularResult:
    """What is asked of a small language model."""
    said = Input.from_text("We sat in the sun .\nWe sat on the mat .\n" * 20)
    with TemporaryDirectory() as place:
        folder = f"{place}/lm"
        trained = jb.train_detector(
            "lm", said, folder, tokenised=True, fallback_discounts=(0.5, 1, 1.5)
        )
        answer = ask(folder, trained)
        answer.to_dict()  # while there are files whose SHA-256 can be told
        return answer


def sample_file(name: str) -> Path:
    return Path(jb.__file__).parent / "data" / "sample" / "tiny" / name


def sample_gold() -> list[Path]:
    return sorted(sample_file("").glob("*.m2"))


def as_m2(lines: Sequence[str]) -> Input:
    """A system's text as M2, its edits found by alignment."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / "made.m2"
        source = Input.from_lines([" ".join(TOKENS)] * len(lines))
        jb.convert(source, target, corrected=[Input.from_lines(lines)])
        return Input.from_text(target.read_text(encoding="utf-8"), "made.m2")


def saved_counts(**options: Any) -> Input:
    with TemporaryDirectory() as folder:
        target = Path(folder) / "counts.json"
        jb.save_counts(jb.score(SYSTEMS, PANEL, **options), target)
        return Input.from_text(target.read_text(encoding="utf-8"), "counts.json")


# --- cases ---

JURY = ("eeeo", "eooo", "eeoo", "oooo", "eeee", "uoe.", "oooe")
LABEL = {"e": "error", "o": "ok", "u": "unknown"}


def jury(marks: Sequence[str] = JURY, *, words: bool = True) -> dict[str, Any]:
    """Cases and judgments; rater 0, 1, … says what stands at their place."""
    titles = "case,rater,label,correction" if words else "case,rater,label"
    rows = [
        f"c{case},R{rater},{LABEL[mark]}" + (f",{('at', 'in', 'on')[rater % 3]}" * words)
        for case, said in enumerate(marks)
        for rater, mark in enumerate(said)
        if mark != "."
    ]
    cases = [f"c{case},{'xyz'[case % 3]},{str(case == 3).lower()}" for case in range(len(marks))]
    return {
        "cases": Input.from_lines(["case,document,trivial", *cases], "cases.csv"),
        "judgments": Input.from_lines([titles, *rows], "judgments.csv"),
    }


def decisions(said: str, scores: Sequence[float] | None = None, *, words: bool = True) -> Input:
    """A system's labels as "eo…", with scores and suggestions where asked for."""
    rows = []
    for case, mark in enumerate(said):
        score = "" if scores is None else str(scores[case])
        rows.append(f"c{case},{LABEL[mark]},{score}" + (f",{('in', 'on')[case % 2]}" * words))
    titles = "case,label,score" + ",suggestion" * words
    return Input.from_lines([titles, *rows], "decisions.csv")


SCORES = (0.9, 0.8, 0.3, 0.1, 0.7, 0.2, 0.3)
BOTH = {"mine": decisions("eeooeoo", SCORES), "other": decisions("oeoooee", words=False)}


def evaluated(**options: Any) -> TabularResult:
    return jb.evaluate(**jury(), systems=BOTH, **options)


def commas() -> TabularResult:
    """Commas have the eight cells."""
    cases = Input.from_lines(["case,construction", "c0,comma", "c1,comma", "c2,missing-comma"])
    given = jury(("eeo", "ooo", "eee"), words=False) | {"cases": cases}
    return jb.evaluate(**given, systems={"mine": decisions("eoe", (1, 0, 1), words=False)})


def out_of_range() -> TabularResult:
    """Scores that are no probabilities have no Brier score; nothing is an error."""
    system = decisions("eoo", (3, 2, 1), words=False)
    return jb.evaluate(
        **jury(("ooo", "ooo", "oo."), words=False), systems={"mine": system}, ci=True
    )


def no_threshold() -> TabularResult:
    """A truth without errors: no threshold has a recall."""
    given = jury(("ooo", "ooo", "ooo", "ooo"), words=False)
    system = decisions("eooo", (0.4, 0.3, 0.2, 0.1), words=False)
    return jb.evaluate(**given, systems={"mine": system}, develop=0.5, choose="recall")


def many_raters() -> TabularResult:
    """So many raters that they are summed up, and agreement that is put into bars."""
    marks = ["e" * k + "o" * (43 - k) for k in range(0, 44, 2)]
    systems = {"mine": decisions("eo" * 11, words=False)}
    return jb.evaluate(**jury(marks, words=False), systems=systems)


def share_nothing() -> TabularResult:
    """Two people who looked at different sentences: no number at all, and why."""
    one, other = (
        (jb.Annotation("A1", WAYS[1]),),
        (jb.Annotation("A2", WAYS[2]),),
    )
    panel = jb.Panel((jb.Sentence(TOKENS, one), jb.Sentence(TOKENS, other)), ("A1", "A2"))
    return jb.ceiling(panel, {"mine": texts(2)}, ci=True, **FEW)


def never_agree() -> jb.Panel:
    """Six people who each change another word: people score 0."""
    made = [
        jb.Annotation(f"A{n}", (jb.Edit(n % 4, n % 4 + 1, f"w{n}", "Wci"),)) for n in range(1, 7)
    ]
    names = tuple(annotation.annotator for annotation in made)
    return jb.Panel((jb.Sentence(TOKENS, tuple(made)),) * 2, names)


def alone() -> jb.Panel:
    """Six people, each with a sentence of their own: nobody can be held against anybody."""
    names = [f"A{number}" for number in range(1, 7)]
    looked = (jb.Sentence(TOKENS, (jb.Annotation(name, WAYS[1]),)) for name in names)
    return jb.Panel(tuple(looked), tuple(names))


Maker = Callable[[], TabularResult]

RESULTS: dict[str, Maker] = {
    # score
    "score": lambda: jb.score(SYSTEMS, PANEL),
    "score, everything": lambda: jb.score(
        SYSTEMS, PANEL, ci=True, by="type", graded=True, details=True, beta=1, **FEW
    ),
    "score, one document": lambda: jb.score(
        texts(2), panel_of(2, 2), ci=True, ci_unit="document", **FEW
    ),
    "score by errant": lambda: jb.score(
        {"m": as_m2(texts())},
        PANEL,
        metric="errant",
        level="span",
        types=["UNK", "SVA"],
        by="type",
    ),
    "score by gleu": lambda: jb.score(SYSTEMS, PANEL, metric="gleu", ci=True, **FEW),
    "score by gleu, averaged": lambda: jb.score(
        SYSTEMS, PANEL, metric="gleu", expected_statistics=True
    ),
    "score, saved counts": lambda: jb.score_counts(saved_counts(by="type"), ci=True, **FEW),
    "score, sample": lambda: jb.score(
        [sample_file("bold.txt"), sample_file("cautious.txt")],
        sample_gold(),
        details=True,
        by="type",
    ),
    # compare
    "compare": lambda: jb.compare(SYSTEMS, PANEL, **FEW),
    "compare all": lambda: jb.compare(SYSTEMS, PANEL, all_pairs=True, ci_level=0.9, seed=7, **FEW),
    "compare by gleu": lambda: jb.compare(SYSTEMS, PANEL, metric="gleu", baseline="new", **FEW),
    "compare, one resample": lambda: jb.compare(SYSTEMS, PANEL, resamples=1, top=0),
    "compare, one document": lambda: jb.compare(
        {"old": texts(2), "new": texts(2, 2)}, panel_of(2, 2), ci_unit="document", **FEW
    ),
    "compare, saved counts": lambda: jb.compare(saved_counts(), **FEW),
    # meta
    "metaeval": lambda: jb.metaeval(
        sample_file("../scores.csv"), sample_file("../rankings.csv"), **FEW
    ),
    "metaeval, given scores": lambda: jb.metaeval(
        {"m": {"a": 0.1, "b": 0.5, "c": 0.4}}, {"a": 1, "b": 3, "c": 3, "d": 2}, **FEW
    ),
    "metaeval, sentences": lambda: jb.metaeval(
        Input.from_text("sentence,system,score\n1,a,.5\n1,b,.2\n1,c,.2\n", "m"),
        Input.from_text("sentence,judge,system,rank\n1,x,a,1\n1,x,b,2\n1,x,c,3\n", "r"),
        **FEW,
    ),
    # ceiling
    "ceiling": lambda: jb.ceiling(PANEL, SYSTEMS),
    "ceiling of people": lambda: jb.ceiling(PANEL, ci=True, **FEW),
    "ceiling, everything": lambda: jb.ceiling(
        panel_of(6), SYSTEMS, sizes="all", pairwise=True, by="type", ci=True, extrapolate=9, **FEW
    ),
    "ceiling, extrapolated": lambda: jb.ceiling(
        panel_of(6), SYSTEMS, sizes=[1, 2, 3, 4], extrapolate=30, select="1-2"
    ),
    "ceiling, sampled": lambda: jb.ceiling(panel_of(7), SYSTEMS, sizes="2-4", max_subsets=4),
    "ceiling by gleu": lambda: jb.ceiling(
        PANEL, SYSTEMS, sizes="all", metric="gleu", pairwise=True, ci=True, **FEW
    ),
    "ceiling, gaps": lambda: jb.ceiling(
        panel_of(6, gaps=True), SYSTEMS, sizes="all", extrapolate=7, ci=True, by="type", **FEW
    ),
    "ceiling, nothing shared": share_nothing,
    "ceiling, people score 0": lambda: jb.ceiling(
        never_agree(), {"s": ["He w1 the cats ."] * 2}, sizes="all", extrapolate=9
    ),
    "ceiling, no curve": lambda: jb.ceiling(alone(), {"s": texts(6)}, sizes="all", extrapolate=9),
    # annotators
    "annotators": lambda: jb.annotators(panel_of(6)),
    "annotators by gleu": lambda: jb.annotators(PANEL, metric="gleu"),
    "annotators, not scored": lambda: jb.annotators(PANEL, pairwise=False),
    "annotators, one": lambda: jb.annotators(panel_of(1)),
    "annotators, gaps": lambda: jb.annotators(panel_of(4, gaps=True)),
    "annotators, many": lambda: jb.annotators(panel_of(25, 3)),
    "annotators, sample": lambda: jb.annotators(sample_gold()),
    # show
    "show": lambda: jb.show(4, panel_of(5), {**SYSTEMS, "m2": as_m2(texts())}),
    "show, gaps": lambda: jb.show(2, panel_of(4, gaps=True)),
    "show, unchanged": lambda: jb.show(1, jb.Panel((jb.Sentence(TOKENS),), ("A1",))),
    "show, bars as words": lambda: jb.show(1, panel_of(2, 1), {"s": ["He || like the cats ."]}),
    "show, sample": lambda: jb.show(2, sample_gold(), {"bold": sample_file("bold.txt")}),
    # cases
    "cases": lambda: jb.derive_cases(PANEL, ["article", "comma"], SYSTEMS),
    "cases, gaps": lambda: jb.derive_cases(panel_of(3, gaps=True), "article"),
    "cases, none": lambda: DerivedCases(jb.CaseDescription(), (), (), (), Duplicates(), "jurybox"),
    # evaluate
    "evaluate": evaluated,
    "evaluate, everything": lambda: evaluated(
        ci=True, stability=True, develop=0.5, compare_with=evaluated(), smooth=1, ties="drop", **FEW
    ),
    "evaluate by raters": lambda: evaluated(
        ci=True, ci_unit="rater", bin_by="error-share", missing="error", beta=2, **FEW
    ),
    "evaluate commas": commas,
    "evaluate, no error": out_of_range,
    "evaluate, no threshold": no_threshold,
    "evaluate, nothing is best": lambda: evaluated(develop=0.5, choose="true_negative_rate"),
    "evaluate, many raters": many_raters,
    # agree
    "agree": lambda: jb.agree(jury(words=False)["judgments"]),
    "agree, everything": lambda: jb.agree(
        jury()["judgments"], experts=["R0", "R1"], gold={"c0": "error", "c1": "ok"}, ci=True
    ),
    "agree, ordered": lambda: jb.agree(
        [(f"c{c}", f"R{r}", str((c * r) % 4)) for c in range(6) for r in range(4)],
        gold={"c1": "1", "c2": ["2", "3"]},
    ),
    "agree, one label": lambda: jb.agree([("c", "A", "ok"), ("c", "B", "ok")], gold={"c": "ok"}),
    "agree, nothing to pair": lambda: jb.agree([("c", "A", "ok"), ("d", "B", "error")]),
    # screen, aggregate, cost
    "screen": lambda: jb.screen(jury()["judgments"]),
    "screen, sample": lambda: jb.screen(sample_file("").parent / "judgments.csv", drop="all"),
    "aggregate": lambda: jb.aggregate(jury()["judgments"], ties="drop"),
    "aggregate by gold": lambda: jb.aggregate(
        jury()["judgments"], method="gold-weighted", gold={"c0": "error", "c3": "ok"}
    ),
    "aggregate by dawid-skene": lambda: jb.aggregate(jury()["judgments"], method="dawid-skene"),
    "cost": lambda: jb.cost(jury()["judgments"], pay="$0.03", fee="10%", more=7),
    "cost, not told": lambda: jb.cost(jury()["judgments"]),
    # sample
    "sample-estimate": lambda: jb.estimate_sample(
        parts={"error": (100, 50, 20), "ok": (900, 50, 3)}
    ),
    "sample-simulate": lambda: jb.simulate_sample(
        None, jury()["judgments"], {"a": BOTH["other"]}, error=1, ok=1, draws=20, resamples=5
    ),
    "sample-plan": lambda: jb.plan_sample(
        error=1000, ok=9000, precision=0.8, error_rate=0.35, recall_within=0.02, pay="$0.05"
    ),
    "sample-plan, verification": lambda: jb.plan_sample(
        error=1000, ok=9000, precision=0.8, error_rate=0.35, precision_within=0.02
    ),
    "sample-plan, budget": lambda: jb.plan_sample(
        error=30, ok=900, precision=0.8, error_rate=0.1, budget=100, pay=0.03, per_case=3
    ),
    # detect
    "detect-train": lambda: with_a_model(lambda _, trained: trained),
    "detect-info": lambda: with_a_model(lambda folder, _: jb.describe_detector(folder)),
    "detect-run": lambda: with_a_model(
        lambda folder, _: jb.run_detectors(
            folder, text=Input.from_text("We sat at the mat ."), tokenised=True, threshold=0.5
        )
    ),
    "detect-selection": lambda: with_a_model(
        lambda folder, _: jb.detect_selection(folder, Input.from_text(EVENT))
    ),
    "detect-mine": lambda: jb.mine_candidates(
        Input.from_text("I live near of the sea ."),
        tokenised=True,
        counts_text=Input.from_text("We live near the sea . The end of it .\n" * 20),
        counts_tokenised=True,
    ),
    # measures
    "measures": lambda: jb.measure(12.5, 18, 28, 42, beta=2),
    "measures, no true negatives": lambda: jb.measure(0, 0, 3),
}


def make(title: str) -> TabularResult:
    """The result of a title, what it warns of left unsaid."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jb.JuryboxWarning)
        return RESULTS[title]()
