"""The vectors of sentences in several files, such as one for each part of a treebank."""

from collections.abc import Iterable, Iterator, Sequence

from linspector_allennlp.representations.sentence_vectors.stored_vectors import (
    PrecomputedSentences,
    VectorRows,
)
from linspector_allennlp.representations.words import Words


class SeveralFiles(PrecomputedSentences):
    """
    The sentences of some files. One that is in several must have the same vectors in all: which were
    taken would depend on the order of the files.

    # Parameters

    files : `Sequence[PrecomputedSentences]`
    """

    def __init__(self, files: Sequence[PrecomputedSentences]) -> None:
        super().__init__(
            path=", ".join(str(file.path) for file in files), per_sentence=files[0].per_sentence
        )
        self._files = files
        self.example = files[0].example
        for file in files:
            self.check_size(file.example)

    def places(self, text: str) -> list[VectorRows]:
        return [place for file in self._files for place in file.places(text)]

    def advice(self) -> str:
        return self._files[0].advice()

    def places_of_all(self, sentences: Iterable[Words]) -> Iterator[tuple[Words, list[VectorRows]]]:
        for sentence, places in super().places_of_all(sentences):
            text = " ".join(sentence)
            first, *others = (found[0] for file in self._files if (found := file.places(text)))
            for other in others:
                if self.differ([first, other]):
                    raise ValueError(
                        f"{first.array.name} and {other.array.name}: expected the same vectors of a "
                        f"sentence in both, found different ones of {text!r}. Compute them again "
                        "in the same way, or take the sentence out of the data and of one file."
                    )
            yield sentence, places
