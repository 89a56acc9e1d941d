"""The models of gensim: made from counts, trained on sentences that are walked through, and saved."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Optional, Union

from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.vectors.vector_settings import WORD2VEC, VectorSettings


def import_gensim() -> Any:
    """`gensim.models`, or the sentence that says how to get it."""
    try:
        from gensim import models
    except ImportError as error:
        raise ConfigurationError(
            "Training vectors needs a package: pip install 'gensim>=4.3' (or linspector_allennlp[vectors])"
        ) from error
    return models


def train_model(
    sentences: Iterable[list[str]],
    num_sentences: int,
    words: "Counter[str]",
    settings: VectorSettings,
) -> Any:
    """
    A trained `Word2Vec` or `FastText` of gensim.

    # Parameters

    sentences : `Iterable[list[str]]`
        Walked through once an epoch.
    num_sentences, words : `int`, `Counter[str]`
        Of one walk.
    """
    model = _new_model(settings)
    model.build_vocab_from_freq(words, corpus_count=num_sentences)
    model.corpus_total_words = words.total()  # a file of fastText's has it
    walks = _Walks(sentences, num_sentences, settings.epochs)
    try:
        model.train(
            corpus_iterable=walks,
            total_examples=num_sentences,
            total_words=words.total(),
            epochs=settings.epochs,
        )
    finally:
        walks.end()
    if walks.error is not None:
        raise walks.error
    return model


def save_model(model: Any, path: Path, as_fasttext: bool) -> None:
    """Writes fastText's own format, or text with the number of words and dimensions in its first line."""
    if as_fasttext:
        import_gensim().fasttext.save_facebook_model(model, str(path))
    else:
        model.wv.save_word2vec_format(str(path))


def _new_model(settings: VectorSettings) -> Any:
    common = {
        "vector_size": settings.dimension,
        "window": settings.window,
        "min_count": settings.min_count,
        "epochs": settings.epochs,
        "sg": int(settings.skip_gram),
        "negative": settings.negative,
        "alpha": settings.learning_rate,
        "sample": settings.subsampling,
        "seed": settings.seed,
        "workers": settings.workers,
    }
    models = import_gensim()
    if settings.algorithm == WORD2VEC:
        return models.Word2Vec(**common)
    return models.FastText(
        min_n=settings.shortest, max_n=settings.longest, bucket=settings.buckets, **common
    )


class _Walks:
    """
    The sentences, with one progress bar for all epochs. They are read in a thread of gensim's, and it waits for
    ever for one that fails: an error ends the walk, and is kept.
    """

    def __init__(self, sentences: Iterable[list[str]], num_sentences: int, epochs: int) -> None:
        self.error: Optional[Union[OSError, ValueError]] = None
        self._sentences = sentences
        self._ended = False
        self._bar = Tqdm.tqdm(total=num_sentences * epochs, desc="training", unit=" sentences")

    def __iter__(self) -> Iterator[list[str]]:
        try:
            for sentence in self._sentences:
                if self._ended or self.error is not None:
                    return
                yield sentence
                self._bar.update()
        except (OSError, ValueError) as error:
            self.error = error

    def end(self) -> None:
        """Lets the thread end, also after an interruption."""
        self._ended = True
        self._bar.close()
