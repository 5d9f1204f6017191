"""Modified Kneser–Ney by its definition, word by word: slow, and without any short cut.

Chen and Goodman (1998), section 3; Heafield et al. (2013), section 3. `ngram_estimate` says the
same in arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Ngram = tuple[str, ...]


class SlowModel:
    """A model of a few sentences."""

    def __init__(
        self,
        sentences: Sequence[Sequence[str]],
        order: int,
        fallback: Sequence[float],
        prune: Sequence[int] = (),
    ) -> None:
        self.order = order
        self.prune = tuple(prune) or (0,) * order
        marked = [("<s>", *words, "</s>") for words in sentences]
        self.raw = {n: Counter(ngrams(marked, n)) for n in range(1, order + 1)}
        self.adjusted = {n: self._adjust(n) for n in range(1, order + 1)}
        self.discounts = {
            n: discounts_by_definition(list(self.adjusted[n].values())) or list(fallback)
            for n in range(1, order + 1)
        }
        self.vocabulary = {"<unk>", "</s>"}.union(*map(set, sentences))

    def _adjust(self, n: int) -> dict[Ngram, int]:
        if n == self.order:
            return dict(self.raw[n])
        found = {}
        for ngram, times in self.raw[n].items():
            before = {longer[0] for longer in self.raw[n + 1] if longer[1:] == ngram}
            found[ngram] = times if ngram[0] == "<s>" else len(before)
        if n == 1:
            del found[("<s>",)]
        return found

    def probability(self, word: str, context: Ngram) -> float:
        n = len(context) + 1
        extensions = [ngram for ngram in self.adjusted[n] if ngram[:-1] == context]
        if not extensions:
            return self.probability(word, context[1:])
        total = sum(self.adjusted[n][ngram] for ngram in extensions)
        weight = sum(self._taken(ngram) for ngram in extensions) / total
        whole = (*context, word)
        own = (self.adjusted[n][whole] - self._taken(whole)) / total if whole in extensions else 0
        lower = self.probability(word, context[1:]) if context else 1 / len(self.vocabulary)
        return own + weight * lower

    def _taken(self, ngram: Ngram) -> float:
        n = len(ngram)
        count = self.adjusted[n][ngram]
        if self.raw[n][ngram] <= self.prune[n - 1]:
            return count
        return self.discounts[n][min(count, 3) - 1]

    def sentence(self, words: Sequence[str]) -> list[float]:
        """The probability of every word, and of the end."""
        marked = ["<s>", *(word if word in self.vocabulary else "<unk>" for word in words), "</s>"]
        return [
            self.probability(marked[i], tuple(marked[max(0, i - self.order + 1) : i]))
            for i in range(1, len(marked))
        ]


def ngrams(sentences: Sequence[Ngram], n: int) -> list[Ngram]:
    return [
        sentence[start : start + n]
        for sentence in sentences
        for start in range(len(sentence) - n + 1)
    ]


def discounts_by_definition(counts: Sequence[int]) -> list[float] | None:
    t = {k: sum(count == k for count in counts) for k in (1, 2, 3, 4)}
    if 0 in t.values():
        return None
    y = t[1] / (t[1] + 2 * t[2])
    found = [1 - 2 * y * t[2] / t[1], 2 - 3 * y * t[3] / t[2], 3 - 4 * y * t[4] / t[3]]
    return found if all(0 < d <= k for k, d in enumerate(found, 1)) else None
