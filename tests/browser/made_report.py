"""A report with something of everything, small enough to know what each filter must find."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from matplotlib.figure import Figure as Drawing

from jurybox.figures import Curve, draw_curves, draw_heat_map, save_figure
from jurybox.report.html import (
    Browser,
    BrowserEdit,
    BrowserSentence,
    Figure,
    Highlight,
    Page,
    Recommendation,
    Section,
    render_page,
)
from jurybox.tables import Column, Table

SIGNATURE = "jurybox m2|refs:4|choice:running|beta:0.5|unchanged:2|case:kept|v:1.0.0"

#: more sentences than are shown at a time; those from 9 on are all alike
NUMBER = 45
ANN, BOB, CEM, DEE = range(4)
CAREFUL, BOLD = range(2)
SENTENCES = (
    BrowserSentence(
        1,
        "essay 1",
        ("He", "go", "home", "."),
        (BrowserEdit(1, 2, "goes", ("SVA",), (ANN, BOB, CEM, DEE), (CAREFUL,)),),
    ),
    BrowserSentence(
        2,
        "essay 1",
        ("I", "like", "cat", "."),
        (
            BrowserEdit(2, 3, "cats", ("Nn",), (ANN, BOB)),
            BrowserEdit(2, 3, "dogs", ("Wci",), (), (BOLD,)),
        ),
    ),
    BrowserSentence(3, "essay 2", ("All", "is", "well", ".")),
    BrowserSentence(
        4, "essay 2", ("It", "is", "fine", "."), (BrowserEdit(2, 3, "good", (), (), (BOLD,)),)
    ),
    BrowserSentence(
        5,
        "essay 2",
        ("She", "see", "the", "film", "yesterday", "."),
        (
            BrowserEdit(1, 2, "saw", ("Vt",), (ANN, BOB)),
            BrowserEdit(1, 2, "had seen", ("Vt",), (CEM,)),
        ),
        skipped=(DEE,),
    ),
    BrowserSentence(
        6,
        "essay 2",
        ("We", "went", "cinema", "."),
        (
            BrowserEdit(2, 2, "to the", ("Prep", "ArtOrDet"), (ANN, BOB, CEM)),
            BrowserEdit(2, 2, "to", ("Prep",), (), (CAREFUL,)),
        ),
    ),
    BrowserSentence(
        7, "essay 2", ("<img", "src=x", 'onerror="fail()">', "</script>", "&amp;", "<!--")
    ),
    BrowserSentence(
        8,
        "essay 2",
        ("a", "b", "c", "d", "."),
        tuple(BrowserEdit(k, k + 1, "ABCD"[k], ("Mec",), (k,)) for k in range(4)),
    ),
    *(BrowserSentence(k, "essay 3", ("Number", str(k), ".")) for k in range(9, NUMBER + 1)),
)
BROWSER = Browser(("Ann", "Bob", "Cem", "Dee"), ("Careful", "Bold"), SENTENCES, SIGNATURE)

SCORES = Table(
    (Column("system", text=True), Column("TP"), Column("P"), Column("interval", text=True)),
    (
        ("S10", 9, 0.123412, "[0.10, 0.15]"),
        ("S2", 100, None, ""),
        ("S1", 25, 0.123411, "[0.09, 0.15]"),
        ("S3", 3, float("inf"), "[0.2, 0.3]"),
    ),
    title="Scores of four systems",
    notes=("P: precision. –: undefined.",),
)
WIDE = Table(
    (Column("annotator", text=True), *(Column(f"against A{k}") for k in range(1, 21))),
    tuple((f"A{k}", *(0.25 + j / 100 for j in range(20))) for k in range(1, 6)),
    title="One annotator against another",
)
GLANCE = Table(
    (Column("at a glance", text=True), Column("", text=True)),
    (("sentences", "45"), ("edits", "12")),
)


def svg_of(drawing: Drawing) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "figure.svg"
        save_figure(drawing, path)
        return path.read_text("utf-8")


@cache
def figures() -> tuple[Figure, ...]:
    curves = [
        Curve("human", (1, 2, 3), (0.459, 0.566, 0.617), human=True),
        Curve("Careful", (1, 2, 3), (0.282, 0.377, 0.426)),
    ]
    names = ["A1", "A2", "A3"]
    values = [[None, 0.45, 0.5], [0.4, None, 0.85], [0.35, 0.05, None]]
    return (
        Figure(
            svg_of(draw_curves(curves, title="Human and systems", score="F0.5")),
            "F0.5 rises with the number of references: human to 61.7, Careful to 42.6.",
            "The human curve stays above.",
            SCORES,
        ),
        Figure(
            svg_of(draw_heat_map(names, names, values, title="Pairs", score="F0.5")),
            "F0.5 of three annotators against each other, from 5 to 85.",
        ),
    )


@cache
def report() -> str:
    return render_page(
        Page(
            "Two systems before four annotators",
            "Forty-five sentences, made up for tests.",
            "constructed sample data",
            (
                Highlight("61.7", "Human ceiling, F0.5", "one against three others", "figures"),
                Highlight("42.6", "Careful, the best system", "69% of a person", "scores"),
                Highlight("45", "Sentences", "in three essays", "sentences"),
            ),
            (
                Recommendation("Four counts", "met", "TP to TN of every system.", "scores"),
                Recommendation("Kappa and its curve", "partly", "No scores are given.", "scores"),
                Recommendation("Unit size", "missing", "Say it in the cases file."),
            ),
            (
                Section(
                    "scores", "Scores", "Against all.", (SCORES,), (), (), SIGNATURE, "Systems"
                ),
                Section(
                    "figures", "Figures", "", (), figures(), ("A note.",), SIGNATURE, "Systems"
                ),
                Section("people", "People", "", (GLANCE, WIDE), (), (), SIGNATURE, "People"),
                Section("others", "People", "Once more, in another group.", group="Others"),
            ),
            BROWSER,
            (("gold.m2", "ab" * 32), ("a/long/path/to/a/file-without-blanks.txt", "cd" * 32)),
            "1.0.0",
            "jurybox report --gold gold.m2 --system Careful=careful.txt -o report.html",
        )
    )


def large_browser(sentences: int = 1312, annotators: int = 10, systems: int = 12) -> Browser:
    """As many sentences, people and systems as a shared task has, with about as many edits."""
    rng = random.Random(1)
    words = ("the", "people", "of", "a", "country", "have", "to", "think", "about", "technology")
    made = []
    for number in range(1, sentences + 1):
        tokens = tuple(rng.choices(words, k=23))
        edits = []
        for _ in range(25):
            start = rng.randrange(22)
            end = start + rng.choice((0, 1, 1, 1, 2))
            people = tuple(k for k in range(annotators) if rng.random() < 0.12)
            machines = tuple(k for k in range(systems) if rng.random() < 0.06)
            new = " ".join(rng.choices(words, k=rng.choice((1, 1, 2))))
            kind = (f"Type{rng.randrange(26)}",)
            edits.append(BrowserEdit(start, end, new, kind, people, machines))
        made.append(BrowserSentence(number, f"essay {number // 26}", tokens, tuple(edits)))
    return Browser(
        tuple(f"A{k}" for k in range(annotators)),
        tuple(f"system-{k}" for k in range(systems)),
        tuple(made),
        SIGNATURE,
    )
