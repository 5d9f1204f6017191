"""A plug-in for jurybox in thirty lines: a metric, a format and a detector."""

import jurybox as jb


class ExactMatch:
    """The share of sentences that are corrected exactly as a reference is."""

    columns = ("same", "sentences")

    def count(self, source, hypothesis, reference):
        return int(hypothesis == reference), 1

    def score(self, same, sentences):
        return same / sentences


class Pairs:
    """A table without quotes: the sentence and its correction, set apart by a tab."""

    def read(self, lines):
        for _, line in lines:
            source, tab, corrected = line.partition("\t")
            if not tab:
                raise ValueError("there is no tab between sentence and correction")
            edits = jb.align_edits(source.split(), corrected.split())
            yield jb.Sentence(tuple(source.split()), (jb.Annotation("0", edits),))

    def write(self, sentences, out):
        for one in sentences:
            corrected = jb.apply_edits(one.tokens, one.annotations[0].edits)
            out.write(f"{one.text}\t{' '.join(corrected)}\n")


class Doubled:
    """Calls a word an error that stands there twice."""

    def decide(self, tokens, start, end):
        same = start < end and tokens[start:end] == tokens[end : 2 * end - start]
        return (1.0, "") if same else (0.0, None)
