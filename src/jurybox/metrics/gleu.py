"""GLEU: n-gram overlap with a reference, less what was kept of the source but should have changed.

Napoles et al. (2015), "Ground truth for grammatical error correction metrics", with the changed
formula of Napoles et al. (2016), "GLEU without tuning". For one reference and n = 1..4 a sentence
adds

    num = max(0, n-grams shared with the reference
                 - n-grams shared with the source whose type is absent from the reference)
    den = max(0, |hypothesis| + 1 - n)

Everything is summed over the corpus: GLEU is the brevity penalty exp(min(0, 1 - |ref| / |hyp|))
times the geometric mean of the four num / den, and 0 where one of them is 0. Shared n-grams are
counted as often as both sides have them. Tokens are what white space separates.

Several references are used one at a time: the official score is the mean over 500 draws of one
reference per sentence (`score_draws`). `score_expected` scores the average statistics of all
references instead: no chance in it, but another number, to be reported under its own name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from math import exp, fsum, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from jurybox.errors import InputError, LengthError, UsageError
from jurybox.model import CountsTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ORDERS = (1, 2, 3, 4)
COLUMNS = ("hyp_len", "ref_len", *(f"{part}{n}" for n in ORDERS for part in ("num", "den")))
DRAWN_COLUMNS = ("ref_len", *(f"num{n}" for n in ORDERS))  # what depends on the reference
DRAWS = 500

#: 97.5 % of a normal distribution lie below this many standard deviations
_NORMAL_95 = 1.959963984540054

NgramCounts = dict[tuple[str, ...], int]
#: source, hypothesis and references of a sentence
Versions = tuple[Sequence[str], Sequence[str], Sequence[Sequence[str]]]

#: sentences counted at once: worth loading numpy, and few enough for the processor's cache
BATCH = 250
#: bits of a token in the number of an n-gram, and of all its tokens
TOKEN = 8
NGRAM = TOKEN * len(ORDERS)


class DrawnScore(NamedTuple):
    """The mean over the draws, their standard deviation, and the 95 % interval of a draw.

    The interval is the official one, mean ± 1.96 standard deviations: it shows how much the
    choice of references moves the score, not how much another sample of sentences would.
    """

    score: float
    sd: float
    low: float
    high: float
    draws: int


def count(
    source: Sequence[str], hypothesis: Sequence[str], references: Iterable[Sequence[str]]
) -> list[tuple[int, ...]]:
    """The statistics of one sentence: a row per reference, in the order of `COLUMNS`.

    The hypothesis below keeps "a" and "cats", which the reference changes, and so loses the two
    unigrams it shares with the reference.

    >>> count("a cats sat".split(), "a cats sat .".split(), ["the cat sat .".split()])
    [(4, 4, 0, 4, 0, 3, 0, 2, 0, 1)]
    """
    return count_texts(source, [hypothesis], references)[0]


def count_texts(
    source: Sequence[str],
    hypotheses: Iterable[Sequence[str] | None],
    references: Iterable[Sequence[str]],
) -> list[list[tuple[int, ...]]]:
    """The same for several hypotheses; the n-grams of a text are counted once, however often it
    comes. A hypothesis that is None has no rows.
    """
    known: dict[tuple[str, ...], list[NgramCounts]] = {}

    def ngrams_of(text: Sequence[str]) -> list[NgramCounts]:
        tokens = tuple(text)
        if tokens not in known:
            known[tokens] = [_ngrams(tokens, n) for n in ORDERS]
        return known[tokens]

    written = ngrams_of(source)
    wanted = [(len(reference), ngrams_of(reference)) for reference in references]
    rows: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
    result: list[list[tuple[int, ...]]] = []
    for hypothesis in hypotheses:
        if hypothesis is None:
            result.append([])
            continue
        text = tuple(hypothesis)
        if text not in rows:
            rows[text] = [
                _statistics(len(text), ngrams_of(text), written, length, reference)
                for length, reference in wanted
            ]
        result.append(rows[text])
    return result


def _statistics(
    length: int,
    ours: Sequence[NgramCounts],
    written: Sequence[NgramCounts],
    reference_length: int,
    reference: Sequence[NgramCounts],
) -> tuple[int, ...]:
    row = [length, reference_length]
    for place, n in enumerate(ORDERS):
        row.append(_overlap(ours[place], written[place], reference[place]))
        row.append(max(0, length + 1 - n))
    return tuple(row)


def _ngrams(tokens: Sequence[str], n: int) -> NgramCounts:
    counts: NgramCounts = {}
    for ngram in zip(*(tokens[start:] for start in range(n)), strict=False):
        counts[ngram] = counts.get(ngram, 0) + 1
    return counts


def _overlap(ours: NgramCounts, written: NgramCounts, reference: NgramCounts) -> int:
    shared = 0
    for ngram, times in ours.items():
        if ngram in reference:
            shared += min(times, reference[ngram])
        elif ngram in written:
            shared -= min(times, written[ngram])
    return max(0, shared)


def count_batch(sentences: Sequence[Versions]) -> list[list[tuple[int, ...]]]:
    """`count` of many sentences at once, which takes a quarter of the time.

    An n-gram in a text is one whole number: its sentence, its tokens (numbered within the sentence)
    and the text. Sorted, equal n-grams of all texts of a sentence lie side by side. A sentence with
    more different tokens than there are numbers is counted by itself.
    """
    if len(sentences) < BATCH:
        return [count(*versions) for versions in sentences]
    import numpy as np

    coded: list[bytes] = []
    widths: list[int] = []
    counted: dict[int, list[tuple[int, ...]]] = {}  # by themselves
    for place, (source, hypothesis, references) in enumerate(sentences):
        texts = [source, hypothesis, *references]
        words = list(chain.from_iterable(texts))
        numbers = dict(zip(dict.fromkeys(words), range(1 << TOKEN), strict=False))
        try:
            coded.append(bytes(map(numbers.__getitem__, words)))
        except KeyError:
            texts = [()] * len(texts)
            counted[place] = count(source, hypothesis, references)
        widths += map(len, texts)
    sizes = np.array([2 + len(references) for _, _, references in sentences])
    lengths = np.array(widths)
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    # 0: source, 1: hypothesis, then the references
    version = np.arange(len(lengths)) - (np.cumsum(sizes) - sizes)[sentence]
    own, wanted = lengths[version == 1], version > 1
    columns = [own[sentence[wanted]], lengths[wanted]]
    bits = int(sizes.max()).bit_length()
    tokens = np.frombuffer(b"".join([*coded, bytes(len(ORDERS))]), np.uint8)
    stands = np.repeat(sentence << NGRAM + bits | version, lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(stands))  # of the text, from here
    ngrams = np.zeros(len(stands), np.int64)
    for n in ORDERS:
        ngrams <<= TOKEN
        ngrams |= tokens[n - 1 :][: len(ngrams)]
        found = (ngrams << bits | stands)[left >= n]
        found.sort()
        firsts = np.flatnonzero(np.diff(found, prepend=-1))
        times = np.diff(firsts, append=len(found))
        found = found[firsts]
        is_new = np.diff(found >> bits, prepend=-1) != 0
        counts = np.zeros((int(sizes.max()), int(is_new.sum())), np.int64)
        counts[found & (1 << bits) - 1, np.cumsum(is_new) - 1] = times
        written, ours, *others = counts
        fault = -np.minimum(ours, written)
        overlap = [np.where(other, np.minimum(ours, other), fault) for other in others]
        where = found[is_new] >> NGRAM + bits
        sums = [np.bincount(where, each, len(sizes)) for each in overlap]
        shared = np.reshape(sums, (-1, len(sizes)))[version[wanted] - 2, sentence[wanted]]
        columns += [np.maximum(0, shared.astype(np.int64)), np.maximum(0, columns[0] + 1 - n)]
    rows = zip(*(column.tolist() for column in columns), strict=True)
    listed = [list(islice(rows, len(references))) for _, _, references in sentences]
    for place, alone in counted.items():
        listed[place] = alone
    return listed


def count_table(
    sources: Iterable[str],
    hypotheses: Iterable[str],
    references: Sequence[Iterable[str]],
    *,
    names: Sequence[str] | None = None,
) -> CountsTable:
    """Fill a table from parallel lines: source, hypothesis and one or more references.

    `names` are what to call the source, the hypothesis and each reference, in this order; the
    references' names become the table's annotators.

    >>> table = count_table(["a cat sit ."], ["a cat sits ."], [["a cat sits ."], ["cats sit ."]])
    >>> table.annotators, list(table.values["num1"]), list(table.values["ref_len"])
    (['reference 0', 'reference 1'], [4, 0], [4, 3])
    """
    if not references:
        raise InputError("GLEU needs at least one reference; give one or more with --refs")
    numbered = [f"reference {i}" for i in range(len(references))]
    names = list(names) if names is not None else ["source", "hypothesis", *numbered]
    table = CountsTable(columns=COLUMNS, annotators=names[2:])
    for number, lines in enumerate(zip_longest(sources, hypotheses, *references), start=1):
        if None in lines:
            shorter = [name for name, line in zip(names, lines, strict=True) if line is None]
            longer = [name for name, line in zip(names, lines, strict=True) if line is not None]
            raise LengthError(
                f"files differ in length: line {number} of {' and '.join(longer)} has no partner "
                f"in {' and '.join(shorter)}; GLEU needs the same sentences, line by line, in all "
                "files"
            )
        source, hypothesis, *corrected = (line.split() for line in lines)
        table.append(enumerate(count(source, hypothesis, corrected)))
    return table


def score_from_totals(totals: Mapping[str, float]) -> float:
    """GLEU of summed statistics; 0 where an order has no overlap or no n-grams at all.

    >>> same = {"hyp_len": 4, "ref_len": 4, **{c: 2 for c in COLUMNS[2:]}}
    >>> score_from_totals(same), score_from_totals(same | {"num4": 0})
    (1.0, 0.0)
    >>> round(score_from_totals(same | {"ref_len": 5}), 4)
    0.7788
    """
    ratios = [(totals[f"num{n}"], totals[f"den{n}"]) for n in ORDERS]
    if any(num == 0 or den == 0 for num, den in ratios):
        return 0.0
    brevity = min(0.0, 1 - totals["ref_len"] / totals["hyp_len"])
    return exp(brevity + sum(log(num / den) for num, den in ratios) / len(ORDERS))


def random_numbers(draws: Iterable[int], sentences: int) -> Iterator[NDArray[np.float64]]:
    """The numbers of the official draws: draw j takes those of `random.Random(101 * j)`.

    >>> from random import Random
    >>> [numbers] = random_numbers([3], sentences=1)
    >>> float(numbers[0]) == Random(303).random()
    True
    """
    import numpy as np  # late: only draws need it

    twister = np.random.RandomState()
    for draw in draws:
        twister.seed([101 * draw])  # a list: as Python's own random numbers are seeded
        yield twister.random_sample(sentences)


def draw_rows(table: CountsTable, *, draws: int = DRAWS) -> Iterator[NDArray[np.intp]]:
    """For every draw the row of the reference drawn for each sentence, in the official way.

    That is reference int(random · k) of the k references of each sentence in order.

    >>> table = CountsTable(annotators=["0", "1"])
    >>> for _ in range(4):
    ...     table.append([(0, (0, 0, 0)), (1, (0, 0, 0))])
    >>> [rows.tolist() for rows in draw_rows(table, draws=2)]
    [[1, 3, 4, 6], [1, 2, 5, 7]]
    """
    import numpy as np

    starts = np.array(table.starts, dtype=np.intp)
    references = np.diff(starts)
    for numbers in random_numbers(range(draws), len(table)):
        rows = (numbers * references).astype(np.intp)
        rows += starts[:-1]
        yield rows


def score_draws(table: CountsTable, *, draws: int = DRAWS) -> DrawnScore:
    """The official GLEU: the mean over draws of one reference per sentence.

    Where no sentence has a second reference there is nothing to draw and the score is direct.

    >>> table = count_table(["a b c d"], ["a b c d"], [["a b c d"], ["a b c e"]])
    >>> drawn = score_draws(table)
    >>> round(drawn.score, 3), drawn.draws
    (0.484, 500)
    """
    if draws < 1:
        raise UsageError(f"draws must be 1 or more, not {draws}")
    if len(table.annotator) == len(table):
        draws = 1
        totals: Iterable[dict[str, int]] = [{n: sum(values) for n, values in table.values.items()}]
    else:
        totals = _drawn_totals(table, draws)
    scores = [score_from_totals(drawn) for drawn in totals]
    mean = fsum(scores) / draws
    sd = sqrt(fsum((score - mean) ** 2 for score in scores) / draws)
    return DrawnScore(mean, sd, mean - _NORMAL_95 * sd, mean + _NORMAL_95 * sd, draws)


def _drawn_totals(table: CountsTable, draws: int) -> Iterable[dict[str, int]]:
    import numpy as np

    # What describes the hypothesis alone is the same in every row of a sentence: add it once.
    values = {name: np.asarray(column) for name, column in table.values.items()}
    firsts = np.array(table.starts[:-1])
    fixed = {name: int(values[name][firsts].sum()) for name in COLUMNS if name not in DRAWN_COLUMNS}
    for rows in draw_rows(table, draws=draws):
        yield fixed | {name: int(values[name][rows].sum()) for name in DRAWN_COLUMNS}


def expected_totals(table: CountsTable) -> dict[str, float]:
    """The statistics every sentence adds on average over its references, summed.

    >>> table = count_table(["a b"], ["a b"], [["a b"], ["a c d"]])
    >>> totals = expected_totals(table)
    >>> totals["ref_len"], totals["num1"], totals["den1"]
    (2.5, 1.0, 2.0)
    """
    return {
        name: fsum(
            sum(values[row] for row in rows) / len(rows)
            for rows in map(table.rows, range(len(table)))
        )
        for name, values in table.values.items()
    }


def score_expected(table: CountsTable) -> float:
    """GLEU of the expected statistics; not the official number, but free of chance."""
    return score_from_totals(expected_totals(table))
