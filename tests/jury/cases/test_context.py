"""The sentence before a case, and the one after it: of the same document, or none.

"The raters were also shown the sentence which preceded the one containing the preposition that they
rated" (Tetreault and Chodorow 2008, section 5).
"""

from __future__ import annotations

import io
import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jurybox as jb
from jurybox.formats import Input
from jurybox.formats.tables import cases as case_files
from jurybox.jury.cases import derive_cases
from jurybox.jury.cases.context import neighbours
from jurybox.model import CaseSet
from jurybox.sample.draw import draw_sample

SAMPLE = Path(jb.__file__).parent / "data" / "sample"
#: two essays of two sentences, each with one preposition
TEXTS = ("We sat in .", "He is at home .", "They go by bus .", "Look on it .")
M2 = "".join(f"S {text}\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n" for text in TEXTS)
ESSAYS = ["a", "a", "b", "b"]


def contexts(case_set: CaseSet) -> list[tuple[str, str]]:
    return [(case.before, case.after) for case in case_set]


@given(st.lists(st.tuples(st.sampled_from("abc") | st.none(), st.text(max_size=3))))
def test_a_neighbour_is_shown_if_and_only_if_it_is_of_the_same_document(
    placed: list[tuple[str | None, str]],
) -> None:
    found = list(neighbours(placed))
    assert len(found) == len(placed)
    edge = (None, "")
    for (first, text), (second, other), here, there in zip(
        [edge, *placed], [*placed, edge], [None, *found], [*found, None], strict=True
    ):
        same = first is not None and first == second
        assert here is None or here.after == (other if same else "")
        assert there is None or there.before == (text if same else "")


def test_cases_have_the_neighbouring_sentences_of_their_document() -> None:
    derived = derive_cases(Input.from_text(M2), documents=ESSAYS, tagger="words")
    expected = [("", TEXTS[1]), (TEXTS[0], ""), ("", TEXTS[3]), (TEXTS[2], "")]
    assert contexts(derived.case_set) == expected
    assert derived.with_before == 2
    assert "context: 2 of 4 cases have the sentence before, of the same document" in str(derived)


def test_without_documents_no_sentence_is_guessed_and_the_result_says_so() -> None:
    derived = derive_cases(Input.from_text(M2), tagger="words")
    assert contexts(derived.case_set) == [("", "")] * 4
    assert derived.with_before == 0
    assert "context: no case has the sentence before" in str(derived)
    assert "(--documents)" in str(derived)


def test_documents_of_json_lines_are_known() -> None:
    looked = [{"annotator": "0", "edits": []}]
    sentences = (
        json.dumps({"tokens": text.split(), "document": essay, "annotations": looked})
        for text, essay in zip(TEXTS, ESSAYS, strict=True)
    )
    derived = derive_cases(Input.from_lines(sentences), tagger="words")
    assert [case.before for case in derived.case_set] == ["", TEXTS[0], "", TEXTS[2]]


def test_a_sentence_that_nobody_looked_at_is_still_the_sentence_before() -> None:
    """Coverage leaves it out of the panel, but not out of the essay."""
    source, looked = Input.from_text(M2), {"0": "1,3-4"}
    with pytest.warns(jb.JuryboxWarning, match="nobody looked at 1 of 4"):
        derived = derive_cases(
            source, documents=["a", "a", "a", "b"], coverage=coverage(looked), tagger="words"
        )
    assert contexts(derived.case_set) == [("", TEXTS[1]), (TEXTS[1], ""), ("", "")]


def coverage(looked: dict[str, str]) -> Input:
    rows = (f'{name},"{which}"\n' for name, which in looked.items())
    return Input.from_text(f"annotator,sentences\n{''.join(rows)}", "coverage.csv")


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
def test_a_sample_drawn_from_a_case_file_keeps_the_context_in_the_blind_file(form: str) -> None:
    """Section 5 shows the sentence before to raters, section 6.1 draws what they judge."""
    derived = derive_cases(Input.from_text(M2), documents=ESSAYS, tagger="words")
    out = io.StringIO()
    case_files.write(derived.case_set, out, form)
    decided = {case.id: "error" if case.written == "in" else "ok" for case in derived.case_set}
    for cases in (Input.from_text(out.getvalue(), f"cases.{form}"), derived.case_set):
        drawn = draw_sample(decided, error=1, ok=3, cases=cases)
        assert drawn.with_before == 2
        assert "context: 2 of 4 cases" in str(drawn)
        blind = io.StringIO()
        case_files.write_blind(drawn.blind, blind, form)
        read = case_files.read(Input.from_text(blind.getvalue()))
        assert sorted(contexts(read)) == sorted(contexts(derived.case_set))
        assert {case.document for case in read} == {None}


def test_a_sample_without_context_says_so_and_one_without_sentences_says_nothing() -> None:
    decided = {"c1": "error", "c2": "ok"}
    cases = Input.from_text("case,sentence\nc1,So .\nc2,No .\n")
    assert "no case has the sentence before" in str(
        draw_sample(decided, error=1, ok=1, cases=cases)
    )
    assert "sentence before" not in str(draw_sample(decided, error=1, ok=1))


# --- real data ---


def test_no_case_of_conll_2014_shows_the_sentence_of_another_essay(data_dir: Path) -> None:
    """Fifty essays: the last sentence of one stands right before the first of the next."""
    folder = data_dir / "conll14"
    gold = [folder / f"official-2014.{annotator}.m2" for annotator in (0, 1)]
    essays = folder / "official-2014.0.sgml"
    derived = derive_cases(gold, documents=essays, tagger="words")
    panel = jb.read_panel(gold, documents=essays)
    texts = [(sentence.document, sentence.text) for sentence in panel]
    assert len({document for document, _ in texts}) == 50
    neighbouring = set(pairwise(texts))
    for case in derived.case_set:
        here = (case.document, case.sentence)
        assert not case.before or ((case.document, case.before), here) in neighbouring
        assert not case.after or (here, (case.document, case.after)) in neighbouring
    # the first sentences of essays have none before them; 105 of their cases (with spaCy's tags
    # 104 of 3,009) would show the last sentence of another essay
    first = [case for case in derived.case_set if case.id.split(":")[1] == "1"]
    assert [case for case in first if case.before] == []
    assert (len(derived.case_set), derived.with_before) == (2996, 2996 - len(first))
    assert len([case for case in first if case.document != texts[0][0]]) == 105
    assert derive_cases(gold, tagger="words").with_before == 0
