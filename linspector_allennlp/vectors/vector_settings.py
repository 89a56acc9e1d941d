"""How word vectors are trained."""

from typing import NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

WORD2VEC, FASTTEXT = ALGORITHMS = ("word2vec", "fasttext")

_LEAST = {
    "dimension": 1, "window": 1, "min_count": 1, "epochs": 1, "negative": 1, "shortest": 1,
    "longest": 1, "buckets": 1, "seed": 0, "workers": 1,
}  # fmt: skip

# Beyond these gensim's own numbers overflow, or its threads end without a word.
_MOST = {
    "dimension": 100_000, "window": 10_000, "min_count": 2**31 - 1, "epochs": 100_000, "negative": 10_000,
    "shortest": 100, "longest": 100, "buckets": 2**31 - 1, "seed": 2**32 - 1, "workers": 1_000,
}  # fmt: skip


class VectorSettings(NamedTuple):
    """
    The defaults are LINSPECTOR's (Şahin et al. 2020), CBOW with 300 dimensions, a window of 10 and words that
    occur 5 times, and what it does not say as the tool `word2vec` has it.

    # Parameters

    algorithm : `str`, optional (default = `"word2vec"`)
        `"word2vec"` (Mikolov et al. 2013) or `"fasttext"` (Bojanowski et al. 2017), which also learns vectors
        of character n-grams.
    dimension : `int`, optional (default = `300`)
    window : `int`, optional (default = `10`)
        So many words on either side are the context at most.
    min_count : `int`, optional (default = `5`)
        Words that occur less often have no vector, and are no context.
    epochs : `int`, optional (default = `5`)
    skip_gram : `bool`, optional (default = `False`)
        Whether a word predicts each word of its context; by default the context predicts it (CBOW).
    negative : `int`, optional (default = `5`)
        Words drawn against each that is predicted.
    learning_rate, subsampling : `float`, optional
        That of the beginning, and the share from which on a word is frequent, and seen less often. By
        default those of the tools: 0.05, for word2vec's skip-grams 0.025; 0.001, for fastText 0.0001.
    shortest, longest : `int`, optional (default = `3`, `6`)
        The n-grams of fastText.
    buckets : `int`, optional (default = `200000`)
        So many vectors the n-grams share; the tool has 2,000,000, which take 2.4 GB with 300 dimensions.
    seed : `int`, optional (default = `0`)
    workers : `int`, optional (default = `1`)
        Threads. With several, no two runs give the same vectors.
    """

    algorithm: str = WORD2VEC
    dimension: int = 300
    window: int = 10
    min_count: int = 5
    epochs: int = 5
    skip_gram: bool = False
    negative: int = 5
    learning_rate: Optional[float] = None
    subsampling: Optional[float] = None
    shortest: int = 3
    longest: int = 6
    buckets: int = 200_000
    seed: int = 0
    workers: int = 1

    def checked(self) -> "VectorSettings":
        """The same with what was left out, once it is known to make sense."""
        if self.algorithm not in ALGORITHMS:
            expected = " or ".join(ALGORITHMS)
            raise ConfigurationError(f"algorithm: expected {expected}, found {self.algorithm!r}.")
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise ConfigurationError(
                    f"{name}: expected {least} or more, found {getattr(self, name)}."
                )
        for name, most in _MOST.items():
            if getattr(self, name) > most:
                raise ConfigurationError(
                    f"{name}: expected {most} or less, found {getattr(self, name)}."
                )
        if self.shortest > self.longest:
            raise ConfigurationError(
                f"n-grams: expected the shortest and the longest, found {self.shortest} and {self.longest}."
            )
        is_word2vec = self.algorithm == WORD2VEC
        rate = 0.025 if is_word2vec and self.skip_gram else 0.05
        settings = self._replace(
            learning_rate=rate if self.learning_rate is None else self.learning_rate,
            subsampling=(0.001 if is_word2vec else 0.0001)
            if self.subsampling is None
            else self.subsampling,
        )
        for name in ("learning_rate", "subsampling"):
            if not 0 < getattr(settings, name) < 1:
                raise ConfigurationError(
                    f"{name}: expected a number between 0 and 1, found {getattr(settings, name)}."
                )
        return settings

    def as_recorded(self) -> dict[str, object]:
        """Those that the algorithm has, for a provenance."""
        of_ngrams = {"shortest", "longest", "buckets"} if self.algorithm == WORD2VEC else set()
        return {key: value for key, value in self._asdict().items() if key not in of_ngrams}
