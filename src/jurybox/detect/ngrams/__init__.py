"""The language model: counts of n-grams, Kneser-Ney smoothing, ARPA files."""
