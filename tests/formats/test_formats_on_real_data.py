"""The readers and writers on the shared-task files themselves."""

from __future__ import annotations

import io
import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from jurybox.formats import Input, detect, open_panel, read_panel
from jurybox.formats.edits import jsonl, m2, sgml
from jurybox.formats.edits.tokens import tokenize
from jurybox.model import Sentence

CONLL = [
    "conll14/official-2014.0.m2",
    "conll14/official-2014.1.m2",
    "conll14/official-2014.combined.m2",
    "conll14/official-2014.combined-withalt.m2",
    *(f"conll14-10/A{number}.m2" for number in range(1, 11)),
]
ERRANT = ["errant/conll14.errant", "errant/conll14-CAMB.errant", "errant/conll14-CUUI.errant"]
UNENDED = "errant/conll14-AMU.errant"  # the last blank line is missing
TEN = [f"conll14-10/A{number}.m2" for number in range(1, 11)]

Key = tuple[int, int, str, str]


def written(sentences: Sequence[Sentence], noop: m2.Noop) -> str:
    out = io.StringIO()
    m2.write(sentences, out, noop=noop)
    return out.getvalue()


def keys(sentence: Sentence) -> list[Key]:
    return [(e.start, e.end, e.replacement, e.type) for a in sentence.annotations for e in a.edits]


@pytest.mark.parametrize("name", [*CONLL, *ERRANT, UNENDED])
@pytest.mark.slow
def test_m2_files_are_written_as_they_were(data_dir: Path, name: str) -> None:
    sentences = list(m2.read(data_dir / name))
    assert len(sentences) == 1312
    text = written(sentences, "needed" if name in CONLL else "always")
    assert text == (data_dir / name).read_text(encoding="utf-8") + ("\n" if name == UNENDED else "")
    assert list(m2.read(Input.from_text(text))) == sentences


def test_every_file_is_told_by_its_content(data_dir: Path) -> None:
    expected = dict.fromkeys([*CONLL, *ERRANT, UNENDED], "m2")
    expected |= dict.fromkeys(["systems/AMU", "systems/INPUT", "jfleg/dev.src"], "text")
    expected |= dict.fromkeys(["conll14/official-2014.0.sgml", "lm/test.txt.xz"], "sgml")
    expected["lm/test.txt.xz"] = "text"
    assert {name: detect(data_dir / name) for name in expected} == expected


def test_reading_the_combined_file_is_quick(data_dir: Path) -> None:
    def once() -> float:
        begin = time.process_time()
        for _ in m2.read(data_dir / "conll14/official-2014.combined.m2"):
            pass
        return time.process_time() - begin

    # about 0.02 s; ten times that would eat the whole budget of a score
    assert min(once() for _ in range(5)) < 0.2


def test_candidates_of_the_combined_file_follow_its_lines(data_dir: Path) -> None:
    panel = read_panel(data_dir / "conll14/official-2014.combined.m2")
    listed = Counter(tuple(a.annotator for a in sentence.annotations) for sentence in panel)
    assert panel.annotators == ("0", "1")
    assert set(listed) == {("0",), ("0", "1")}


def test_ten_files_make_ten_candidates_in_every_sentence(data_dir: Path) -> None:
    panel = open_panel([data_dir / name for name in TEN])
    names = tuple(f"A{number}" for number in range(1, 11))
    for sentence in panel:
        assert tuple(a.annotator for a in sentence.annotations) == names
    assert panel.annotators == names


def test_jsonl_keeps_the_whole_panel(data_dir: Path) -> None:
    panel = read_panel([data_dir / name for name in TEN[:3]])
    out = io.StringIO()
    jsonl.write(panel, out)
    back = read_panel(Input.from_text(out.getvalue()))
    assert (back.sentences, back.annotators) == (panel.sentences, panel.annotators)


@pytest.mark.parametrize("name", ["conll14/official-2014.0.sgml", "conll14-10/sgml/A1.sgml"])
def test_sgml_files_are_written_as_they_were(data_dir: Path, name: str) -> None:
    documents = list(sgml.read(data_dir / name))
    assert len(documents) == 50
    out = io.StringIO()
    sgml.write(documents, out)
    assert out.getvalue() == (data_dir / name).read_text(encoding="utf-8")


# What the official conversion did otherwise, sentence by sentence (from 0):
# - It left a comma at the end of a correction that ends the sentence glued to its word, so the
#   word was not cut off either ("media," for "media .", where we have "," for ".").
GLUED_COMMA = {677, 1027, 1308}
# - An older version of it left the full stop glued to the last word of a longer correction
#   ("dilemma."); A7.m2, made from the same file, has them apart, as we do.
GLUED_STOP = {337, 592, 765, 892, 899, 1078}


@pytest.mark.parametrize(
    ("essays", "tokens", "edits", "differing", "unused"),
    [
        ("conll14-10/sgml/A1.sgml", "conll14-10/A1.m2", 5560, GLUED_COMMA, 15),
        ("conll14-10/sgml/A7.sgml", "conll14-10/A7.m2", 2391, set(), 6),
        ("conll14/official-2014.0.sgml", "conll14/official-2014.0.m2", 2391, GLUED_STOP, 6),
    ],
)
def test_sgml_on_given_tokens_gives_the_official_edits(
    data_dir: Path, *, essays: str, tokens: str, edits: int, differing: set[int], unused: int
) -> None:
    official = list(m2.read(data_dir / tokens))
    left_out: list[str] = []
    ours = list(sgml.to_sentences(sgml.read(data_dir / essays), official, unused=left_out))
    assert sum(len(keys(sentence)) for sentence in official) == edits
    pairs = list(zip(ours, official, strict=True))
    assert {n for n, (a, b) in enumerate(pairs) if keys(a) != keys(b)} == differing
    # in each of those sentences exactly one edit is another one, and only by its glued sign
    for number in differing:
        a, b = (Counter(keys(sentence)) for sentence in pairs[number])
        ((_, _, mine, _),) = a - b
        ((_, _, theirs, _),) = b - a
        assert theirs.replace(" ", "").endswith(mine.replace(" ", ""))
    assert len(left_out) == unused
    assert all(re.search(r"sgml:\d+: .*(joins two sent|changes nothing)", e) for e in left_out)


def test_essays_one_to_ten_are_the_first_229_sentences(data_dir: Path) -> None:
    panel = open_panel(
        data_dir / "conll14/official-2014.combined.m2",
        documents=data_dir / "conll14/official-2014.0.sgml",
    )
    documents = [sentence.document for sentence in panel]
    assert len(documents) == 1312
    first_ten = {str(number) for number in range(1, 11)}
    assert {n for n, each in enumerate(documents) if each in first_ten} == set(range(229))


def share(prose: Sequence[str], tokens: Sequence[Sequence[str]]) -> float:
    pairs = zip(prose, tokens, strict=True)
    return sum(tokenize(text) == list(expected) for text, expected in pairs) / len(tokens)


def test_tokenised_sentences_stay_as_they_are(data_dir: Path) -> None:
    conll = [s.tokens for s in m2.read(data_dir / CONLL[0])]
    assert share([" ".join(tokens) for tokens in conll], conll) > 0.995
    for name in ("src", "ref0", "ref1", "ref2", "ref3"):
        text = (data_dir / f"jfleg/dev.{name}").read_text(encoding="utf-8")
        jfleg = [line.split() for line in text.split("\n")[:-1]]
        assert share([" ".join(tokens) for tokens in jfleg], jfleg) > 0.975


def test_prose_of_the_essays_gives_the_official_tokens(data_dir: Path) -> None:
    official = list(m2.read(data_dir / CONLL[0]))
    prose = []
    documents = sgml.read(data_dir / "conll14/official-2014.0.sgml")
    paragraphs = [paragraph.text for document in documents for paragraph in document.paragraphs]
    rest = iter(" ".join(paragraphs))
    for sentence in official:
        wanted, text = len("".join(sentence.tokens)), ""
        while wanted:
            text += next(rest)
            wanted -= not text[-1].isspace()
        prose.append(text)
    assert share(prose, [sentence.tokens for sentence in official]) > 0.99


def test_our_own_splitter_comes_close_to_the_official_sentences(data_dir: Path) -> None:
    official = {s.tokens for s in m2.read(data_dir / CONLL[0])}
    ours = {
        s.tokens
        for s in sgml.to_sentences(sgml.read(data_dir / CONLL[0].replace("m2", "sgml")), unused=[])
    }
    assert len(ours & official) / len(official) > 0.98
