from collections.abc import Sequence
from typing import Optional

import numpy
import torch

from linspector_allennlp.representations.word_embedder import WordEmbedder
from linspector_allennlp.representations.words import Words, decode_words


class FormEmbedder(WordEmbedder):
    """
    The base of representations that are a function of the word form alone. It embeds each distinct
    form of a batch once, and leaves padding at zero.

    A subclass implements `embed_forms` and `knows`, both of the `types` of the forms. What it needs to
    give the same vectors again is in its settings.

    # Parameters

    dimension : `int`
    lowercase : `bool`, optional (default = `False`)
        Whether forms are lower-cased before they are looked up.
    """

    ignores_context = True

    def __init__(self, dimension: int, lowercase: bool = False) -> None:
        super().__init__(dimension=dimension)
        self._lowercase = lowercase

    def types(self, forms: Sequence[str]) -> list[str]:
        """The forms as they are looked up."""
        return [form.lower() for form in forms] if self._lowercase else list(forms)

    def embed_forms(self, forms: Sequence[str]) -> numpy.ndarray:
        """A float32 matrix with a row for each form."""
        raise NotImplementedError

    def has_vectors(self, sentence: Words, places: Sequence[int]) -> numpy.ndarray:
        known = self.knows([sentence[i] for i in places])
        return numpy.ones(len(places), dtype=bool) if known is None else known

    def embed_words(
        self, sentences: Sequence[Words], places: Sequence[Sequence[int]]
    ) -> torch.Tensor:
        forms = [sentence[i] for sentence, asked in zip(sentences, places) for i in asked]
        distinct = {form: number for number, form in enumerate(dict.fromkeys(forms))}
        vectors = torch.from_numpy(self.embed_forms(list(distinct)))
        return vectors[[distinct[form] for form in forms]]

    def forward(
        self, code_points: torch.Tensor, probed: Optional[torch.Tensor] = None
    ) -> torch.Tensor:
        if probed is not None:
            # The other words of the sentence need no vectors, and may have none.
            items = torch.arange(len(probed), device=code_points.device)
            code_points = code_points[items, probed].unsqueeze(1)
        batch, num_tokens, _ = code_points.shape
        forms, inverse = numpy.unique(decode_words(code_points).ravel(), return_inverse=True)
        # Shape: (num_distinct_forms, dimension)
        vectors = numpy.zeros((len(forms), self._dimension), dtype=numpy.float32)
        is_word = forms != ""
        if is_word.any():
            vectors[is_word] = self.embed_forms(forms[is_word].tolist())
        # Shape: (batch, num_tokens, dimension)
        embedded = torch.from_numpy(vectors[inverse.ravel()])
        return embedded.view(batch, num_tokens, self._dimension).to(code_points.device)
