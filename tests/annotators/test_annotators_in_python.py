"""`annotators` inside a program: what is counted, what is undefined and why, and all its forms."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from math import isnan
from pathlib import Path
from typing import Any

import pytest

import jurybox as jb
from jurybox.annotators import annotators
from jurybox.annotators.result import AnnotatorsResult
from jurybox.errors import InputError, UsageError
from saved_results import check_schema

GOLD = Path(jb.__file__).parent / "data" / "sample" / "tiny" / "gold.m2"
TOKENS = ("He", "like", "the", "cats", ".")
LIKES, LIKED, NO_THE = (
    jb.Edit(1, 2, "likes", "SVA"),
    jb.Edit(1, 2, "liked", "Vt"),
    jb.Edit(2, 3, ""),
)

pytestmark = pytest.mark.filterwarnings("ignore:not every annotator:jurybox.errors.JuryboxWarning")


def panel_of(*sentences: dict[str, tuple[jb.Edit, ...]]) -> jb.Panel:
    names = dict.fromkeys(name for sentence in sentences for name in sentence)
    made = (jb.Sentence(TOKENS, tuple(map(jb.Annotation, s, s.values()))) for s in sentences)
    return jb.Panel(tuple(made), tuple(names))


def large_panel(annotators: int, sentences: int = 4) -> jb.Panel:
    ways = [(), (LIKES,), (LIKED,), (LIKES, NO_THE), (NO_THE,)]
    names = [f"R{number}" for number in range(annotators)]
    return panel_of(
        *(
            {name: ways[(place * sentence + place) % 5] for place, name in enumerate(names)}
            for sentence in range(1, sentences + 1)
        )
    )


def as_json(result: AnnotatorsResult) -> dict[str, Any]:
    """The JSON, checked against its schema."""
    return check_schema(result, "annotators")


# --- the numbers ---


@pytest.mark.filterwarnings("ignore:.*not extracted by ERRANT")  # they have NUCLE's types
@pytest.mark.parametrize("metric", ["m2", "errant", "gleu"])
def test_pairwise_scores_are_those_of_score_with_one_annotator_as_gold(
    metric: str, tmp_path: Path
) -> None:
    panel = jb.read_panel(GOLD)
    result = annotators(panel, metric=metric)
    assert result.pairwise is not None
    assert [(pair.hypothesis, pair.annotator) for pair in result.pairwise] == [
        ("0", "1"),
        ("1", "0"),
    ]
    for pair in result.pairwise:
        paths = {}
        for name in ("0", "1"):
            paths[name] = tmp_path / f"{name}.m2"
            jb.convert(GOLD, paths[name], annotators=[name])
        scored = jb.score(paths[pair.hypothesis], paths[pair.annotator], metric=metric)
        if metric == "gleu":
            assert pair.scores._asdict() == {"score": pytest.approx(scored.score)}
        else:
            expected = (scored.precision, scored.recall, scored.f)
            assert tuple(pair.scores) == pytest.approx(expected)


def test_options_of_the_metric_change_the_scores_and_the_signature() -> None:
    half, one = annotators(GOLD), annotators(GOLD, beta=1)
    assert half.pairwise is not None
    assert one.pairwise is not None
    (first, _), (second, _) = half.pairwise, one.pairwise
    assert first.scores[0] == second.scores[0]
    assert first.main != second.main
    assert "|beta:1|" in one.signature
    assert one.score_title == "F1"


def test_a_file_and_a_panel_in_memory_give_the_same_but_for_the_inputs() -> None:
    from_file, from_memory = annotators(GOLD).to_dict(), annotators(jb.read_panel(GOLD)).to_dict()
    assert [given["path"] for given in from_file.pop("inputs")] == [str(GOLD)]
    assert from_memory.pop("inputs") == []
    assert from_file == from_memory


def test_kappa_is_about_sentences_left_as_they_are() -> None:
    """They agree on 3 of 4; a left 1/4 and b 2/4, so that chance gives 1/4 · 2/4 + 3/4 · 2/4."""
    rows = [((), ()), ((LIKES,), (LIKED,)), ((LIKES,), (NO_THE,)), ((LIKES,), ())]
    result = annotators(panel_of(*({"a": one, "b": other} for one, other in rows)))
    found = result.sentence_agreement
    assert found is not None
    (pair,) = found.cohen_kappa.pairs
    assert pair.sentences == found.sentences == 4
    assert (pair.kappa.observed, pair.kappa.expected) == (0.75, 0.5)
    assert pair.kappa.value == 0.5
    assert (found.all_left, found.all_changed, found.unanimous_share) == (1, 2, 0.75)


def test_lowest_highest_and_mean_kappa_are_over_all_pairs() -> None:
    result = annotators(large_panel(5), pairwise=False)
    found = result.sentence_agreement
    assert found is not None
    values = sorted(pair.kappa.value for pair in found.cohen_kappa.pairs)
    assert len(values) == 10
    assert [pair.kappa.value for pair in found.cohen_kappa.defined] == values
    cohen = as_json(result)["sentence_agreement"]["cohen_kappa"]
    assert (cohen["min"], cohen["max"]) == (values[0], values[-1])
    assert cohen["mean"] == pytest.approx(sum(values) / 10)


def test_all_annotators_have_the_same_types_with_zero_for_unused_ones() -> None:
    record = as_json(annotators(panel_of({"a": (LIKES,), "b": (LIKED,)})))
    assert record["annotators"]["a"]["by_type"] == {"SVA": 1, "Vt": 0}
    assert record["annotators"]["b"]["by_type"] == {"SVA": 0, "Vt": 1}


# --- who looked at what ---


def test_somebody_who_skipped_a_sentence_is_not_compared_there() -> None:
    result = annotators(panel_of({"a": (LIKES,), "b": (LIKES,)}, {"a": (LIKES,)}))
    record = as_json(result)
    assert record["annotators"]["b"]["sentences"] == 1
    assert record["consensus"]["edit"] == [{"made_by": 2, "of": 2, "distinct": 1}]
    assert record["texts"]["sentences"] == record["sentence_agreement"]["sentences"] == 1
    assert [pair["f"] for pair in record["pairwise"]] == [1, 1]


def test_a_coverage_map_turns_silence_into_having_skipped() -> None:
    panel = panel_of({"a": (LIKES,), "b": ()}, {"a": (LIKES,), "b": (LIKES,)})
    seen = as_json(annotators(panel))["annotators"]["b"]
    assert (seen["sentences"], seen["untouched"]) == (2, 1)
    result = annotators(panel, coverage={"a": "all", "b": "2"})
    skipped = as_json(result)["annotators"]["b"]
    assert (skipped["sentences"], skipped["untouched"]) == (1, 0)
    assert "|coverage:map|" in result.signature
    assert "|coverage:all|" in annotators(panel, coverage="all").signature


def test_two_who_share_no_sentence_have_no_score_but_a_reason() -> None:
    result = annotators(panel_of({"a": (LIKES,), "c": ()}, {"b": (LIKES,), "c": ()}))
    scores = {(p["hypothesis"], p["annotator"]): p for p in as_json(result)["pairwise"]}
    assert scores["a", "b"]["f"] is None
    assert scores["a", "b"]["reason"] == "they looked at no sentence in common"
    assert "reason" not in scores["a", "c"]
    assert isnan(result.matrix()[0][result.names.index("b")])
    cohen = as_json(result)["sentence_agreement"]["cohen_kappa"]["pairs"]
    reasons = {(p["first"], p["second"]): p.get("reason") for p in cohen}
    assert reasons["a", "b"] == "there is no case that both raters judged"
    assert str(result)


def test_some_documents_can_be_taken() -> None:
    panel = jb.read_panel(GOLD, documents=["x"] * 10 + ["y"] * 5)
    result = annotators(panel, select="y", pairwise=False)
    assert (result.corpus.sentences, result.corpus.documents) == (5, 1)
    assert "|documents:y|" in result.signature


# --- what is undefined ---


def test_one_annotator_is_described_and_the_rest_says_why_it_is_missing() -> None:
    result = annotators(panel_of({"a": (LIKES,)}, {"a": ()}))
    record = as_json(result)
    assert record["annotators"]["a"]["untouched_share"] == 0.5
    parts = ("pairwise", "consensus", "places", "texts", "sentence_agreement")
    assert [record[part] for part in parts] == [None] * 5
    assert record["metric"] is None
    assert set(record["undefined"]) == set(parts)
    assert "it takes two annotators; give more files with --gold" in str(result)
    with pytest.raises(UsageError, match="no heat map to draw: it takes two annotators"):
        result.figure()


def test_annotators_without_a_common_sentence_cannot_agree() -> None:
    result = annotators(panel_of({"a": (LIKES,)}, {"b": (LIKES,)}))
    assert set(as_json(result)["undefined"].values()) == {
        "no sentence was looked at by two annotators"
    }


def test_annotators_who_changed_every_sentence_have_no_kappa_but_a_reason() -> None:
    changed: dict[str, tuple[jb.Edit, ...]] = {"a": (LIKES,), "b": (LIKED,), "c": (LIKES,)}
    result = annotators(panel_of(changed, changed))
    agreement = as_json(result)["sentence_agreement"]
    assert agreement["unanimous_share"] == 1
    assert agreement["cohen_kappa"]["mean"] is None
    assert agreement["fleiss_kappa"]["value"] is None
    assert agreement["fleiss_kappa"]["reason"] == "all judgments are the same label"
    text = str(result)
    assert "both raters give every case the same label" in text
    assert "undefined for every pair" in text


def test_nobody_who_changed_anything_leaves_nothing_to_agree_on() -> None:
    result = annotators(panel_of({"a": (), "b": ()}))
    record = as_json(result)
    assert record["consensus"] == {"edit": [], "span_type": [], "span": [], "type": []}
    assert record["places"]["overall"]["shares"]["nothing"] is None
    assert "Edits by type" not in str(result)


def test_an_annotator_who_looked_at_nothing_has_no_averages() -> None:
    panel = jb.Panel(panel_of({"a": (LIKES,)}).sentences, ("a", "b"))
    record = as_json(annotators(panel))
    assert record["annotators"]["b"]["edits_per_sentence"] is None
    assert record["annotators"]["b"]["untouched_share"] is None


def test_pairwise_scores_can_be_left_out() -> None:
    result = annotators(GOLD, pairwise=False)
    record = as_json(result)
    assert record["pairwise"] is record["metric"] is None
    assert record["undefined"] == {"pairwise": "they were not asked for"}
    assert record["signature"].startswith("jurybox annotators|annotators:2|v:")
    whole = as_json(annotators(GOLD))
    same = ("corpus", "annotators", "consensus", "places", "texts", "sentence_agreement")
    assert [record[part] for part in same] == [whole[part] for part in same]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"metric": "m3"}, InputError, "unknown metric 'm3'; did you mean 'm2'?"),
        ({"metric": "gleu", "beta": 1}, UsageError, "--beta goes with --metric m2 or errant"),
        ({"jobs": 0}, UsageError, "--jobs must be 1 or more, not 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        annotators(GOLD, **options)


# --- its forms ---


def test_a_result_cannot_be_changed() -> None:
    result = annotators(GOLD, pairwise=False)
    with pytest.raises(FrozenInstanceError):
        result.metric = "gleu"  # type: ignore[misc]  # that is what must fail


@pytest.mark.parametrize("metric", ["m2", "gleu"])
def test_fifty_annotators_get_summaries_that_fit_and_json_keeps_all(metric: str) -> None:
    result = annotators(large_panel(50), metric=metric)
    text = str(result)
    assert max(map(len, text.splitlines())) <= 120
    assert text.count("--format json or csv has every number") == 2
    assert "6–10" in text
    record = as_json(result)
    assert len(record["annotators"]) == 50
    assert len(record["pairwise"]) == 50 * 49
    assert len(record["sentence_agreement"]["cohen_kappa"]["pairs"]) == 50 * 49 // 2


def test_ten_annotators_get_whole_matrices() -> None:
    tables = {table.title: table for table in annotators(large_panel(10)).tables()}
    assert len(tables["Edits by type"].columns) == 12
    assert len(tables["One annotator against another, F0.5"].rows) == 11


def test_gleu_is_shown_from_0_to_100_and_other_scores_from_0_to_1() -> None:
    rows = {}
    for metric in ("m2", "gleu"):
        title = f"One annotator against another, {'GLEU' if metric == 'gleu' else 'F0.5'}"
        result = annotators(GOLD, metric=metric)
        (table,) = [table for table in result.tables() if table.title == title]
        rows[metric] = table.rows[0]
        assert result.matrix()[0][1] <= 1
    assert rows["gleu"][2] == pytest.approx(64.0, abs=0.1)
    assert rows["m2"][2] == pytest.approx(0.6075, abs=1e-4)


def test_records_hold_every_number_of_the_json_in_a_row_of_its_own() -> None:
    result = annotators(GOLD)
    record = as_json(result)
    rows = result.records()
    assert {row["signature"] for row in rows} == {result.signature}

    def value(**wanted: object) -> Any:
        (row,) = [row for row in rows if all(row[name] == v for name, v in wanted.items())]
        return row["value"]

    assert value(section="corpus", name="tokens") == record["corpus"]["tokens"]
    assert value(section="annotators", annotator="1", name="total") == 23
    assert value(section="by_type", annotator="1", type="Wci") == 4
    pair = record["pairwise"][0]
    assert value(section="pairwise", annotator="0", against="1", name="recall") == pair["recall"]
    assert value(section="consensus", level="span", k=2, of=2) == 14
    place = record["places"]["by_type"]["Nn"]
    assert value(section="places", type="Nn", name="same_edit") == place["same_edit"]
    share = place["shares"]["same_edit"]
    assert value(section="places", type="Nn", name="same_edit_share") == share
    assert value(section="texts", k=2, of=2, name="sentences") == 10
    assert value(section="texts", name="all_differ") == 10
    assert value(section="sentence_agreement", annotator="0", against="1") == 1
    alpha = record["sentence_agreement"]["krippendorff_alpha"]["value"]
    assert value(section="sentence_agreement", name="krippendorff_alpha") == alpha
    by_type = result.to_frame().query("section == 'by_type'")
    assert by_type.pivot_table("value", "type", "annotator").shape == (11, 2)


def test_the_heat_map_has_everybody_against_everybody() -> None:
    figure = annotators(GOLD).figure()
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert shown == ["60.7", "59.6"]


def test_progress_is_told() -> None:
    told: list[int] = []
    annotators(GOLD, progress=lambda more, *_: told.append(more))
    assert sum(told) >= 15
