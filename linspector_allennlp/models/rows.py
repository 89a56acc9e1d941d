"""The rows of an instance: which words a probe asks of, and how their vectors become features."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Optional, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, TextFieldTensors
from allennlp.data.fields import IndexField, TextField
from allennlp.modules import TextFieldEmbedder
from allennlp.nn.util import combine_tensors, get_combined_dim

from linspector_allennlp.encoders import SentenceSpaces
from linspector_allennlp.fields import tensor_of, text_of
from linspector_allennlp.modules.padding import pair_mask
from linspector_allennlp.representations import WordFormIndexer
from linspector_allennlp.representations.word_embedder import WordEmbedder, direct_word_embedders
from linspector_allennlp.representations.words import Words

PART = r"[xy]([-+*/][xy])?"
COMBINATION = rf"{PART}(,{PART})*"


class Rows:
    """
    The base: an instance has one row, from the vector of one word.

    A probe looks at an instance in two ways. `texts` and `places` name its words, so that their vectors
    are looked up without tensors; `represent` takes the tensors of a batch. Both give the same rows.
    """

    inputs: ClassVar[tuple[str, ...]] = ("tokens",)
    """The fields of an instance that have its words."""

    needs_fitting: bool = False
    """Whether `fit` must come before anything is represented."""

    combination = "x"
    """The features of a row as AllenNLP's `combine_tensors` has it: x, y are the vectors of its words."""

    def texts(self, instance: Instance) -> tuple[TextField, ...]:
        """The text of x (and that of y)."""
        return (text_of(instance),)

    def places(self, instance: Instance) -> Sequence[int]:
        """The places of the words in each of the texts, one for each row."""
        return (0,)

    def places_of_texts(self, instance: Instance) -> tuple[Sequence[int], ...]:
        """`places` in each of the `texts`, where these are not the same places."""
        return (self.places(instance),) * len(self.texts(instance))

    def num_rows(self, instance: Instance) -> int:
        return len(self.places(instance))

    def represent(self, embedder: TextFieldEmbedder, *inputs: Any) -> list[torch.Tensor]:
        """The vectors x (and y) of all rows, from tensors. Shape of each: (num_rows, word_dim)"""
        raise NotImplementedError

    def represent_words(
        self, embedder: TextFieldEmbedder, instances: Sequence[Instance]
    ) -> Optional[list[torch.Tensor]]:
        """The same from the words of instances; `None` if the embedder does not take words."""
        texts = self.words(embedder, instances)
        if texts is None:
            return None
        places = zip(*(self.places_of_texts(instance) for instance in instances))
        parts = direct_word_embedders(embedder).values()
        return [
            torch.cat([part.embed_words(sentences, of_text) for part in parts], dim=-1)
            for sentences, of_text in zip(texts, places)
        ]

    def words(
        self, embedder: TextFieldEmbedder, instances: Sequence[Instance]
    ) -> Optional[list[list[Words]]]:
        """The words of each text of all instances; `None` if the embedder does not take words."""
        parts = direct_word_embedders(embedder)
        texts = list(zip(*(self.texts(instance) for instance in instances)))
        if not parts or not all(_has_words(each[0], parts) for each in texts):
            return None
        return [list(map(words_of, each)) for each in texts]

    def fit(self, instances: Iterable[Instance]) -> None:
        """Shows the training data to what must be fitted before it can represent anything."""

    def lengths(self, *inputs: Any) -> torch.Tensor:
        """The number of rows of each instance of a batch. Shape: (batch,)"""
        raise NotImplementedError

    def flat(self, gold: torch.Tensor, *inputs: Any) -> torch.Tensor:
        """A gold field of a batch, one row after the other, without its padding."""
        return gold

    def features(self, vectors: list[torch.Tensor], parts: int) -> torch.Tensor:
        """
        The features of rows, from the vectors x (and y). Where several parts stand for a word, layers
        or pieces, x and y stay apart until the head has made one vector of each. Shape: (num_rows,
        feature_dim)
        """
        words = "x,y" if "y" in self.combination else "x"
        return combine_tensors(words if parts > 1 else self.combination, vectors)

    def feature_dim(self, word_dim: int) -> int:
        return get_combined_dim(self.combination, [word_dim, word_dim])


class OneForm(Rows):
    """A word form."""

    def represent(
        self, embedder: TextFieldEmbedder, tokens: TextFieldTensors
    ) -> list[torch.Tensor]:
        # Shape: (batch, 1, word_dim) → (batch, word_dim)
        return [embedder(tokens).squeeze(1)]

    def lengths(self, tokens: TextFieldTensors) -> torch.Tensor:
        return _ones(tokens)


class TwoForms(Rows):
    """
    A pair of word forms.

    # Parameters

    combination : `str`
        `"x,y"` puts their vectors side by side, `"x-y"` is their difference, `"x*y"` their product
        by component; parts between commas are put side by side.
    """

    inputs: ClassVar[tuple[str, ...]] = ("form1", "form2")

    def __init__(self, combination: str) -> None:
        if not re.fullmatch(COMBINATION, combination):
            raise ConfigurationError(
                "combination: expected parts like x, y, x-y, x*y or x+y, with commas between "
                f"them, found {combination!r}."
            )
        self.combination = combination

    def texts(self, instance: Instance) -> tuple[TextField, ...]:
        return text_of(instance, "form1"), text_of(instance, "form2")

    def represent(
        self, embedder: TextFieldEmbedder, form1: TextFieldTensors, form2: TextFieldTensors
    ) -> list[torch.Tensor]:
        # Shape, both: (batch, 1, word_dim) → (batch, word_dim)
        return [embedder(form1).squeeze(1), embedder(form2).squeeze(1)]

    def lengths(self, form1: TextFieldTensors, form2: TextFieldTensors) -> torch.Tensor:
        return _ones(form1)


class TokenAtIndex(Rows):
    """One word of a sentence."""

    inputs = ("tokens", "index")

    def places(self, instance: Instance) -> Sequence[int]:
        return (cast(IndexField, instance["index"]).sequence_index,)

    def represent(
        self, embedder: TextFieldEmbedder, tokens: TextFieldTensors, index: torch.Tensor
    ) -> list[torch.Tensor]:
        return [_at_index(embedder, tokens, index.flatten())]

    def lengths(self, tokens: TextFieldTensors, index: torch.Tensor) -> torch.Tensor:
        return torch.ones_like(index.flatten())


class TwoTokens(TwoForms):
    """A word of a sentence and one of another; `combination` is that of `TwoForms`."""

    inputs = ("tokens1", "index1", "tokens2", "index2")

    def texts(self, instance: Instance) -> tuple[TextField, ...]:
        return text_of(instance, "tokens1"), text_of(instance, "tokens2")

    def places_of_texts(self, instance: Instance) -> tuple[Sequence[int], ...]:
        indices = (cast(IndexField, instance[name]) for name in ("index1", "index2"))
        return tuple((index.sequence_index,) for index in indices)

    def represent(  # type: ignore[override]
        self,
        embedder: TextFieldEmbedder,
        tokens1: TextFieldTensors,
        index1: torch.Tensor,
        tokens2: TextFieldTensors,
        index2: torch.Tensor,
    ) -> list[torch.Tensor]:
        return [
            _at_index(embedder, tokens1, index1.flatten()),
            _at_index(embedder, tokens2, index2.flatten()),
        ]

    def lengths(  # type: ignore[override]
        self,
        tokens1: TextFieldTensors,
        index1: torch.Tensor,
        tokens2: TextFieldTensors,
        index2: torch.Tensor,
    ) -> torch.Tensor:
        return torch.ones_like(index1.flatten())


class WordsOfSentence(Rows):
    """
    Some or all words of a sentence, a row each. `places` are padded with −1; what is told of pairs of
    words, (batch, n, n), becomes one row for each pair.
    """

    inputs = ("tokens", "places")

    def places(self, instance: Instance) -> Sequence[int]:
        return tensor_of(instance, "places").tolist()

    def represent(
        self, embedder: TextFieldEmbedder, tokens: TextFieldTensors, places: torch.Tensor
    ) -> list[torch.Tensor]:
        sentence, word = (places >= 0).nonzero(as_tuple=True)
        is_asked = (sentence, places[sentence, word])
        # Shape: (batch, num_tokens, word_dim)
        embedded = embedder(_without_others(embedder, tokens, is_asked))
        # Shape: (num_words, word_dim)
        return [embedded[is_asked]]

    def lengths(self, tokens: TextFieldTensors, places: torch.Tensor) -> torch.Tensor:
        return (places >= 0).sum(dim=1)

    def flat(
        self, gold: torch.Tensor, tokens: TextFieldTensors, places: torch.Tensor
    ) -> torch.Tensor:
        mask = places >= 0
        return gold[pair_mask(mask) if gold.dim() == 3 else mask]


class WholeSentence(Rows):
    """
    A sentence, as an encoder has it; or a sentence and its topic, side by side.

    # Parameters

    spaces : `SentenceSpaces`
    with_topic : `bool`, optional (default = `False`)
    """

    def __init__(self, spaces: SentenceSpaces, with_topic: bool = False) -> None:
        self._spaces = spaces
        self.inputs = ("tokens", "topic") if with_topic else ("tokens",)  # type: ignore[misc]
        self.combination = "x,y" if with_topic else "x"
        self.needs_fitting = spaces.needs_fitting

    def texts(self, instance: Instance) -> tuple[TextField, ...]:
        return tuple(text_of(instance, name) for name in self.inputs)

    def represent(
        self, embedder: TextFieldEmbedder, *texts: TextFieldTensors
    ) -> list[torch.Tensor]:
        # Shape of each: (batch, sentence_dim)
        return [self._spaces.encode_tensors(embedder, text) for text in texts]

    def represent_words(
        self, embedder: TextFieldEmbedder, instances: Sequence[Instance]
    ) -> Optional[list[torch.Tensor]]:
        texts = self.words(embedder, instances)
        names = direct_word_embedders(embedder)
        return texts and [self._spaces.encode(sentences, names) for sentences in texts]

    def fit(self, instances: Iterable[Instance]) -> None:
        """Topics are encoded as sentences are, and have no part in the fitting."""
        if self.needs_fitting:
            self._spaces.fit(words_of(text_of(instance)) for instance in instances)

    def lengths(self, *texts: TextFieldTensors) -> torch.Tensor:
        return _ones(texts[0])

    def feature_dim(self, word_dim: int) -> int:
        return len(self.inputs) * self._spaces.output_dim // self._spaces.mixed_layers


def _at_index(
    embedder: TextFieldEmbedder, tokens: TextFieldTensors, index: torch.Tensor
) -> torch.Tensor:
    """The vector of one word of each sentence. Shape of `index`: (batch,)"""
    if direct_word_embedders(embedder):
        # Shape: (batch, 1, word_dim) → (batch, word_dim)
        return embedder(tokens, probed=index).squeeze(1)
    items = torch.arange(len(index), device=index.device)
    # Shape: (batch, num_tokens, word_dim) → (batch, word_dim)
    return embedder(tokens)[items, index]


def words_of(text: TextField) -> Words:
    return tuple([token.ensure_text() for token in text.tokens])


def _has_words(text: TextField, embedders: dict[str, WordEmbedder]) -> bool:
    """Whether the tensors of a text would bring these embedders its words, and no others."""
    indexers = text.token_indexers
    return indexers.keys() == embedders.keys() and all(
        type(indexer) is WordFormIndexer for indexer in indexers.values()
    )


def _without_others(
    embedder: TextFieldEmbedder, tokens: TextFieldTensors, asked: tuple[torch.Tensor, torch.Tensor]
) -> TextFieldTensors:
    """Words that are not asked of become padding where a representation may have no vector for them."""
    changed = dict(tokens)
    for name, part in direct_word_embedders(embedder).items():
        if part.skips and part.ignores_context:
            ((key, code_points),) = tokens[name].items()
            kept = torch.zeros_like(code_points)
            kept[asked] = code_points[asked]
            changed[name] = {key: kept}
    return changed


def _ones(tokens: TextFieldTensors) -> torch.Tensor:
    """For each instance of a batch a 1."""
    tensor = next(iter(next(iter(tokens.values())).values()))
    return torch.ones(len(tensor), dtype=torch.long, device=tensor.device)
