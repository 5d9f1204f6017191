"""Plain prose to the tokens of the shared-task data, and paragraphs to sentences.

For systems that return ordinary text (`--tokenize`) and for SGML without given tokens. The rules
aim at the Penn-treebank-like tokens of the CoNLL-2014 test set, as its S lines show them. They
only put in blanks and never change a character, so that `"` stays `"`:

1. White space separates. The other rules act on each piece between blanks.
2. A character that is neither letter, digit nor one of _ . ' ’ - / , & is a token: ( ) " ; ? ! % $
   and so on. These stay whole: a colon between digits (10:30), two or more hyphens, an entity such
   as &amp; and web and mail addresses.
3. A comma at the end of a word is a token; "2,500" and "time,they" stay.
4. So are n't 's 'm 'd 'll 're 've, and apostrophes, at the end of a word ("parents '"); an
   apostrophe at its beginning stays ("'direct"). "cannot" becomes "can not".
5. Two or more full stops at the end of a word are one token. A single one is a token at the end
   of a sentence only (closing quotes and brackets may follow): "etc." inside stays. A line may
   hold several sentences, since systems split them; `split_sentences` says where they end.

The result is stable: tokens joined by blanks give the same tokens again.
"""

from __future__ import annotations

import re
from itertools import pairwise

_PART = re.compile(
    r"""(?P<whole> (?:https?://|www\.)[^\s"<>]*[\w/]   # web addresses
                 | [\w.+-]+@[\w-]+\.[\w.-]*\w          # mail addresses
                 | &\#?\w+;                            # entities
                 | \d+(?::\d+)+\w*                     # times, scores
                 | -{2,} )
      | (?P<word> (?:(?!--)[\w.'’\-/,&])+ )
      | (?P<sign> . )""",
    re.VERBOSE | re.IGNORECASE,
)
_CLOSING = frozenset("\"'’”»)]}")
_CLITIC = re.compile(r"(.*[^'’])(n['’]t|['’](?:s|m|d|ll|re|ve))", re.IGNORECASE)
_APOSTROPHES = re.compile(r"(.*[^'’])(['’]+)")
_STOPS = re.compile(r"(.*[^.])(\.{2,})")
_FINAL_STOP = re.compile(r"(.*[^.])(\.)")


def tokenize(text: str) -> list[str]:
    """The tokens of a line of prose.

    >>> " ".join(tokenize("She can't miss her parents' offer (i.e. the $2,500)."))
    "She ca n't miss her parents ' offer ( i.e. the $ 2,500 ) ."
    """
    tokens: list[str] = []
    for sentence in split_sentences(text):
        *pieces, last = sentence.split()
        for piece in pieces:
            tokens += _split_piece(piece, last=False)
        tokens += _split_piece(last, last=True)
    return tokens


def _split_piece(piece: str, *, last: bool) -> list[str]:
    if piece.isalnum() and piece.lower() != "cannot":
        return [piece]
    parts = list(_PART.finditer(piece))
    open_end = last  # whether only closing signs follow
    tokens: list[str] = []
    for part in reversed(parts):
        split = _split_word(part[0], open_end) if part["word"] else [part[0]]
        tokens[:0] = split
        open_end = open_end and part[0] in _CLOSING
    return tokens


def _split_word(word: str, final: bool) -> list[str]:
    """Peel endings off until none is left, so that no token could be split again."""
    endings: list[str] = []
    while True:
        if word.endswith(",") and len(word) > 1:
            kept = len(word.rstrip(",")) or 1
            endings[:0] = word[kept:]
            word, final = word[:kept], False
            continue
        if found := _STOPS.fullmatch(word) or _CLITIC.fullmatch(word):
            word, ending = found.groups()
            final = False
        elif found := _APOSTROPHES.fullmatch(word):
            word, ending = found.groups()
        elif final and (found := _FINAL_STOP.fullmatch(word)):
            word, ending = found.groups()
            final = False
        else:
            break
        endings.insert(0, ending)
    head = [word[:3], word[3:]] if word.lower() == "cannot" else [word]
    return head + endings


# a full stop after these does not end a sentence
_ABBREVIATION = re.compile(
    r"[a-hj-z]|mrs?|ms|dr|prof|st|jr|sr|gen|gov|rev|hon|dept|e\.g|i\.e|cf|vs|fig|vol|al|approx"
)
_LONGEST_ABBREVIATION = 12  # opening quotes and brackets included
_SENTENCE_END = re.compile(r"""(?<![.?!])([.?!]+)(["'’”)\]]*)\s+(?=["'‘“(\[]*[A-Z0-9])""")


def split_sentences(text: str) -> list[str]:
    """The sentences of a paragraph.

    A sentence ends after . ? or !, closing quotes and brackets included, where a blank and then a
    capital or a digit follow; not after a single full stop behind an initial ("J. Smith") or a
    common abbreviation ("Dr. Lee"). Line breaks count as blanks.

    >>> split_sentences("Ask Dr. Lee. He knows! (Perhaps.) or not.")
    ['Ask Dr. Lee.', 'He knows!', '(Perhaps.) or not.']
    """
    cuts = [0]
    for found in _SENTENCE_END.finditer(text):
        before = text[max(0, found.start() - _LONGEST_ABBREVIATION) : found.start()]
        word = re.split(r"\s", before)[-1].lstrip("\"'‘“([").lower()
        if found[1] != "." or found[2] or not _ABBREVIATION.fullmatch(word):
            cuts.append(found.end())
    sentences = (text[start:end].strip() for start, end in pairwise([*cuts, len(text)]))
    return [sentence for sentence in sentences if sentence]
