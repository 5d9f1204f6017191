"""Every published number about raters that the specification names, one test for each source."""

from __future__ import annotations

import ast
import csv
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from jurybox.formats.tables import judgments
from jurybox.jury.cases import derive_cases
from jurybox.raters.aggregate.methods import aggregate, check_against_gold
from jurybox.raters.agree import agree
from jurybox.raters.agreement import (
    MISSING,
    count_labels,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
)
from jurybox.raters.cohen import confusion_table, estimate_kappa
from jurybox.raters.cost.costs import cost_of_pays
from jurybox.raters.cost.pay import Fee, show_money
from jurybox.raters.crowd import crowd_curve
from jurybox.raters.majority import Ties, take_majority, ties_named
from jurybox.raters.pairs import agree_in_pairs
from jurybox.raters.ratings import label_counts, ratings_of
from made_ratings import read_rte, right_labels, winning_chances

#: Snow et al. 2008, RTE: expected agreement of a crowd of 1 to 10 with the gold label
RTE_CURVE = [n for n in (0.729125, 0.805125, 0.847679, 0.874583, 0.896875) for _ in range(2)]


def test_krippendorff_2011_with_gaps_on_all_four_scales_and_gwets_coefficients(
    data_dir: Path,
) -> None:
    with (data_dir / "agreement" / "krippendorff-2011.csv").open(encoding="utf-8") as lines:
        rows = list(csv.reader(lines))[1:]
    codes = [[int(cell) - 1 if cell else MISSING for cell in row[1:]] for row in rows]
    counts = count_labels(codes, 5)
    found = {
        scale: krippendorff_alpha(counts, scale=scale, numbers=[1, 2, 3, 4, 5]).value
        for scale in ("nominal", "ordinal", "interval", "ratio")
    }
    expected = {"nominal": 0.743421, "ordinal": 0.815388, "interval": 0.849107, "ratio": 0.797403}
    assert found == pytest.approx(expected, abs=5e-7)
    assert fleiss_kappa(counts).value == pytest.approx(0.76117, abs=5e-6)
    assert gwet_ac1(counts).value == pytest.approx(0.77544, abs=5e-6)


def test_cohen_table_of_three_labels_has_the_published_standard_error_and_weighted_kappa() -> None:
    table = [[0, 4, 1], [0, 8, 0], [0, 1, 5]]
    found = estimate_kappa(table)
    assert (found.value, found.standard_error) == pytest.approx((0.4842, 0.1380), abs=5e-5)
    # the published interval is that of large samples; ours is made for 19 cases too
    reach = 1.96 * found.standard_error
    assert (found.value - reach, found.value + reach) == pytest.approx((0.2137, 0.7547), abs=5e-5)
    assert found.high - found.low > 2 * reach
    assert estimate_kappa(table, weights="linear").value == pytest.approx(0.4701, abs=5e-5)


def test_cohen_table_of_two_labels() -> None:
    assert estimate_kappa([[20, 20], [10, 50]]).value == pytest.approx(0.347826, abs=5e-7)


def test_snow_2008_alpha_and_fleiss_kappa_out_of_judgments(data_dir: Path) -> None:
    ratings, _ = read_rte(data_dir)
    counts = label_counts(ratings)
    assert len(ratings) == 8000
    assert krippendorff_alpha(counts).value == pytest.approx(0.241479, abs=5e-7)
    assert fleiss_kappa(counts).value == pytest.approx(0.241384, abs=5e-7)


def test_snow_2008_crowd_of_n_has_the_exact_expected_agreement(data_dir: Path) -> None:
    ratings, truth = read_rte(data_dir)
    rng = np.random.default_rng(1)
    curve = crowd_curve(label_counts(ratings), truth, rng, draws=300)
    assert [point.expected for point in curve.points] == pytest.approx(RTE_CURVE, abs=5e-7)
    for point in curve.points:
        # means of 300 draws: standard errors are below .001
        assert point.agreement.mean == pytest.approx(point.expected, abs=0.004)
        assert point.agreement.low < point.expected < point.agreement.high


def test_snow_2008_ties_given_to_one_label_move_the_accuracy(data_dir: Path) -> None:
    ratings, truth = read_rte(data_dir)
    counts, gold = label_counts(ratings), right_labels(truth)
    everywhere = np.ones(800, dtype=bool)
    zero = take_majority(counts, ties_named("0", ratings.labels))
    assert int(zero.tied.sum()) == 65
    assert check_against_gold(zero.label, gold, everywhere).value == 0.91875
    chances = winning_chances(counts, 10, ties_named("0", ratings.labels))
    assert chances[np.arange(800), 9, truth].mean() == pytest.approx(0.91875)
    by_lot = np.random.default_rng(0).random((200, 800))
    drawn = [
        check_against_gold(
            take_majority(counts, Ties("random"), lots).label, gold, everywhere
        ).value
        for lots in by_lot
    ]
    assert np.mean(drawn) == pytest.approx(0.896875, abs=0.002)


@pytest.mark.parametrize(("smoothing", "right"), [(0.0, 742), (1.0, 744)])
def test_snow_2008_dawid_skene_without_and_with_add_one_smoothing(
    data_dir: Path, smoothing: float, right: int
) -> None:
    ratings, truth = read_rte(data_dir)
    found = aggregate(ratings, "dawid-skene", ties=Ties("first"), smoothing=smoothing)
    gold = right_labels(truth)
    assert found.model is not None
    assert found.model.converged
    assert check_against_gold(found.labelling.label, gold, np.ones(800, dtype=bool)).right == right


def test_tetreault_chodorow_2008_table_3_has_agreement_952_and_kappa_630() -> None:
    found = estimate_kappa([[17, 0, 6], [1, 42, 20], [4, 33, 1213]])
    assert (round(found.observed, 3), round(found.value, 3), found.n) == (0.952, 0.630, 1336)


@pytest.mark.parametrize(
    ("cases", "per_case", "hours", "paid", "total"),
    [(194, 10, 0.5, "$38.80", "$48.50"), (152, 20, 6.0, "$60.80", "$76.00")],
)
def test_tetreault_2010_table_1_costs_what_is_printed_with_fees(
    cases: int, per_case: int, hours: float, paid: str, total: str
) -> None:
    fee = Fee(share=Decimal("0.10"), least=Decimal("0.005"))
    found = cost_of_pays({Decimal("0.02"): cases * per_case}, cases, fee=fee, hours=hours)
    assert found.paid is not None
    assert found.total is not None
    assert (show_money(found.paid), show_money(found.total)) == (paid, total)
    assert found.judgments_per_case == per_case


def test_mturk_batch_gives_the_same_pairs_as_tables_of_each_two_raters(data_dir: Path) -> None:
    read = judgments.read(
        data_dir / "mturk" / "confirmation_batch.csv",
        columns={"case": "HITId", "rater": "WorkerId", "label": "Answer.Q1Answer"},
        labels={"Yes": "ok", "No": "error"},
    )
    ratings = ratings_of(read.table, len(read.cases))
    assert (len(ratings), ratings.cases, len(ratings.raters)) == (3264, 1088, 96)
    codes = np.full((1088, 96), MISSING)
    codes[ratings.case, ratings.rater] = ratings.label
    pairs = agree_in_pairs(ratings)
    assert int(pairs.cases.sum()) == 1088 * 3
    for place in range(0, len(pairs.first), 7):
        a, b = int(pairs.first[place]), int(pairs.second[place])
        expected = estimate_kappa(confusion_table(codes[:, a], codes[:, b], 2))
        assert expected.n == pairs.cases[place]
        assert pairs.kappa[place] == pytest.approx(expected.value, nan_ok=True)
        assert pairs.observed[place] == pytest.approx(expected.observed)


def test_gug_crowd_of_five_against_the_expert_agrees_with_drawing_judgments(
    data_dir: Path,
) -> None:
    """Expert 1 to 4 and five crowd scores; 110 sentences have no crowd score."""
    with (data_dir / "gug" / "gug_annotations.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    scored = [row for row in rows if row["Crowd Flower Judgements"].strip("[] ")]
    assert len(scored) == 3019
    crowd = np.array([ast.literal_eval(row["Crowd Flower Judgements"]) for row in scored]) - 1
    expert = np.array([int(row["Expert Judgement"]) for row in scored]) - 1
    curve = crowd_curve(count_labels(crowd, 4), expert, np.random.default_rng(2))
    assert curve.points[0].expected == pytest.approx((crowd == expert[:, np.newaxis]).mean())
    rng = np.random.default_rng(3)
    three = np.array([_draw_majority(crowd, 3, rng) for _ in range(60)])
    agreed = (three == expert).mean(axis=1)
    assert curve.points[2].expected == pytest.approx(agreed.mean(), abs=0.003)
    kappas = [estimate_kappa(confusion_table(expert, draw, 4)).value for draw in three]
    assert curve.points[2].kappa.mean == pytest.approx(np.mean(kappas), abs=0.006)


def test_seven_annotators_against_the_mean_over_three_as_in_the_2010_paper(
    data_dir: Path, tmp_path: Path
) -> None:
    """Tetreault, Filatova and Chodorow (2010, section 4, Figure 2), on the prepositions of Bryant
    and Ng's ten annotators: the Turkers' judgments of the paper (13 of them, .608) are not public.
    """
    folder = data_dir / "conll14-10"
    files = [folder / f"A{number}.m2" for number in range(1, 11)]
    derive_cases(files, tagger="words").save(judgments=tmp_path / "judgments.csv")
    names = ("A3", "A7", "A1")
    result = agree(tmp_path / "judgments.csv", experts=names)
    said: dict[str, dict[str, str]] = {}
    with (tmp_path / "judgments.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            said.setdefault(row["rater"], {})[row["case"]] = row["label"]
    votes = {
        name: np.array([label == "error" for label in labels.values()])
        for name, labels in said.items()
    }
    crowd = np.array([votes[name] for name in votes if name not in names])
    mean = result.curve("mean over experts")
    single = np.mean([(crowd == votes[name]).mean() for name in names])
    assert mean[0].agreement == pytest.approx(single)
    majority = (crowd.sum(axis=0) > 3).astype(int)  # of all seven there is one draw
    kappas = [
        estimate_kappa(confusion_table(votes[name].astype(int), majority, 2)).value
        for name in names
    ]
    assert len(crowd) == len(mean) == 7
    assert mean[6].kappa == pytest.approx(np.mean(kappas))
    assert round(mean[6].kappa, 3) == 0.529
    assert mean[6].kappa_low == mean[6].kappa_high == pytest.approx(mean[6].kappa)
    for n, point in enumerate(mean):
        own = [result.curve(name)[n].kappa for name in names]
        assert point.kappa == pytest.approx(np.mean(own))
        assert point.kappa_low < point.kappa < point.kappa_high or n == 6


def _draw_majority(crowd: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """The slow way: judgments of each case shuffled, the first n taken, their majority."""
    shuffled = rng.permuted(crowd, axis=1)[:, :n]
    counts = count_labels(shuffled, 4)
    return take_majority(counts, Ties("random"), rng.random(len(counts))).label
