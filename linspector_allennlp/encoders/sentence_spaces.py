from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import lazy_groups_of
from allennlp.modules import TextFieldEmbedder
from allennlp.nn.util import get_text_field_mask

from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows
from linspector_allennlp.representations.transfer_embedder import both_embedders
from linspector_allennlp.representations.word_embedder import (
    WordEmbedder,
    direct_word_embedders,
    hand_over_layers,
)
from linspector_allennlp.representations.words import Words, decode_words

POLICIES = ("skip", "representation")
SENTENCE_POLICIES = ("zeros", "error")
BATCH_SIZE = 256
WHOLE = "all"
"""The name of the only space where the representation is not one of this package."""


class SentenceSpaces(torch.nn.Module):
    """
    The encoding of sentences in each space of a representation, side by side: its words are found, the
    unknown ones among them left out or not, and their vectors go through an encoder. Each space has an
    encoder of its own.

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
    encoder : `Lazy[SentenceEncoder]`
    unk : `str`, optional (default = `"skip"`)
        What becomes of words that a representation of single words does not know: `"skip"` leaves them
        out, `"representation"` gives them the vector that the representation has for such words. A
        representation that composes unknown words, or that sees words in their sentence, has a vector for
        each in any case.
    unknown_sentences : `str`, optional
        What becomes of a sentence of which no word is left: `"zeros"`, or `"error"`. By default the
        latter where the representation has `unk: "error"`, else the former. Where that has `unk:
        "skip"` such sentences leave the task of a `probe_run`.
    """

    def __init__(
        self,
        text_field_embedder: TextFieldEmbedder,
        encoder: Lazy[SentenceEncoder],
        unk: str = "skip",
        unknown_sentences: Optional[str] = None,
    ) -> None:
        super().__init__()
        for name, found, expected in (
            ("unk", unk, POLICIES),
            ("unknown_sentences", unknown_sentences, (None, *SENTENCE_POLICIES)),
        ):
            if found not in expected:
                names = " or ".join(filter(None, expected))
                raise ConfigurationError(f"{name}: expected {names}, found {found!r}.")
        self.mixed_layers = hand_over_layers(text_field_embedder)
        # In a transfer those of the test data come second: in the same spaces, by other names.
        self._sides = [direct_word_embedders(each) for each in both_embedders(text_field_embedder)]
        self._parts = self._sides[0]
        dims = {name: part.get_output_dim() for name, part in self._parts.items()}
        dims = dims or {WHOLE: text_field_embedder.get_output_dim()}
        self.encoders = torch.nn.ModuleDict(
            {name: encoder.construct(word_dim=dim) for name, dim in dims.items()}
        ).requires_grad_(False)
        self._unk = unk
        parts = [part for side in self._sides for part in side.values()]
        if any(part.max_pieces for part in parts):
            raise ConfigurationError(
                'pool: "attention" is learned in the head of a probe of words, and an encoder comes '
                'before: name another pooling, such as "mean".'
            )
        if unk == "representation" and any(part.skips and part.ignores_context for part in parts):
            raise ConfigurationError(
                'unk: a representation with "unk": "skip" has no vector for unknown words: expected '
                "skip of the encoder, too, found representation."
            )
        # Of a sentence that leaves the task nothing is asked.
        errors = [part.skips or part.provenance().get("unk") == "error" for part in parts]
        self._unknown_sentences = unknown_sentences or ("error" if any(errors) else "zeros")
        first = self._encoder()
        if self.mixed_layers > 1 and not first.is_linear:
            raise ConfigurationError(
                f"{first.registered_name}: layers can be mixed after an average only. Name a `layer`."
            )

    @property
    def output_dim(self) -> int:
        return sum(encoder.output_dim for encoder in self._encoders())

    @property
    def needs_fitting(self) -> bool:
        return self._encoder().needs_fitting

    def provenance(self) -> dict[str, Any]:
        """The encoder, its parameters, and what becomes of unknown words; the same in all spaces."""
        first = self._encoder()
        return {
            "type": first.registered_name,
            **first.provenance(),
            "unk": self._unk,
            "unknown_sentences": self._unknown_sentences,
            "dimension": self.output_dim // self.mixed_layers,
        }

    def encode(
        self, sentences: Sequence[Words], names: Optional[Collection[str]] = None
    ) -> torch.Tensor:
        """
        The vectors of sentences, those of the training data or others whose indexers have these `names`.
        Shape: (num_sentences, output_dim)
        """
        vectors = []
        for encoder, part in self._spaces(names):
            kept = self._kept(part, encoder, sentences)
            encoded = torch.zeros(len(sentences), encoder.output_dim)
            if kept.numbers:
                encoded[kept.numbers] = encoder(_rows(part, kept)).float().cpu()
            if self._unknown_sentences == "error" and len(kept.numbers) < len(sentences):
                self._refuse_unknown(part, kept, sentences)
            vectors.append(encoded)
        return torch.cat(vectors, dim=-1)

    def encode_tensors(self, embedder: TextFieldEmbedder, tokens: Any) -> torch.Tensor:
        """The same of the tensors of a text, for any embedder of AllenNLP's."""
        if self._parts:
            return self.encode(sentences_of(tokens, min(tokens)), tokens)
        encoder, mask = self._encoder(), get_text_field_mask(tokens)
        lengths = mask.sum(dim=1)
        # Its words are not known here: each is one of its own.
        numbers = map(str, range(int(lengths.sum())))
        words = [tuple(islice(numbers, length)) for length in lengths.tolist()]
        return encoder(WordRows(embedder(tokens)[mask], lengths, words))

    def fit(self, sentences: Iterable[Words]) -> None:
        """Shows the encoders the training sentences."""
        if not self._parts:
            raise ConfigurationError(
                f"{self._encoder().registered_name} is fitted on words: expected a representation of "
                "this package, with the indexer word_form."
            )
        sentences = list(sentences)
        for encoder, part in self._spaces():
            encoder.fit(_Again(partial(self._batches, part, encoder, sentences)))

    def num_unknown(
        self, sentences: Sequence[Words], names: Optional[Collection[str]] = None
    ) -> int:
        """How many sentences have no word that some space knows; `names` as those of `encode`."""
        unknown: set[int] = set()
        for encoder, part in self._spaces(names):
            kept = self._kept(part, encoder, sentences)
            unknown |= set(range(len(sentences))) - set(kept.numbers)
        return len(unknown)

    def _batches(
        self, part: WordEmbedder, encoder: SentenceEncoder, sentences: Sequence[Words]
    ) -> Iterator[WordRows]:
        for some in lazy_groups_of(sentences, BATCH_SIZE):
            kept = self._kept(part, encoder, some)
            if kept.numbers:
                yield _rows(part, kept)

    def _kept(
        self, part: WordEmbedder, encoder: SentenceEncoder, sentences: Sequence[Words]
    ) -> "_Kept":
        if encoder.takes_first_word:
            return _Kept(list(range(len(sentences))), sentences, [(0,)] * len(sentences))
        known: Optional[set[str]] = None
        if self._unk == "skip" and part.ignores_context and not part.composes_unknown_words:
            words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
            answers = part.knows(words)
            if answers is not None:
                known = {word for word, is_known in zip(words, answers) if is_known}
        places = [
            [i for i, word in enumerate(sentence) if known is None or word in known]
            for sentence in sentences
        ]
        numbers = [number for number, here in enumerate(places) if here]
        return _Kept(numbers, [sentences[n] for n in numbers], [places[n] for n in numbers])

    def _refuse_unknown(
        self, part: WordEmbedder, kept: "_Kept", sentences: Sequence[Words]
    ) -> None:
        number = min(set(range(len(sentences))) - set(kept.numbers))
        raise ValueError(
            f"{part.source or part.registered_name} knows no word of the sentence "
            f'{" ".join(sentences[number])!r}; `unknown_sentences: "zeros"` gives such a sentence zeros.'
        )

    def _spaces(
        self, names: Optional[Collection[str]] = None
    ) -> Iterator[tuple[SentenceEncoder, WordEmbedder]]:
        """The encoder of each space, and what gives the vectors of its words."""
        is_test = names is not None and set(names) == self._sides[-1].keys()
        return zip(self._encoders(), self._sides[-1 if is_test else 0].values())

    def _encoder(self) -> SentenceEncoder:
        return self._encoders()[0]

    def _encoders(self) -> list[SentenceEncoder]:
        return list(self.encoders.values())  # type: ignore[arg-type]


class _Again:
    """Batches that can be gone through more than once, without being kept."""

    def __init__(self, batches: Callable[[], Iterator[WordRows]]) -> None:
        self._batches = batches

    def __iter__(self) -> Iterator[WordRows]:
        return self._batches()


class _Kept(NamedTuple):
    """The sentences with a word that is kept, by their numbers, and the places of such words."""

    numbers: list[int]
    sentences: Sequence[Words]
    places: Sequence[Sequence[int]]


def _rows(part: WordEmbedder, kept: _Kept) -> WordRows:
    vectors = part.embed_words(kept.sentences, kept.places)
    device = part.fingerprint.device
    lengths = torch.tensor([len(places) for places in kept.places], device=device)
    words = [tuple(s[i] for i in places) for s, places in zip(kept.sentences, kept.places)]
    return WordRows(vectors.to(device), lengths, words)


def sentences_of(tokens: Any, name: str) -> list[Words]:
    """The words of a batch, from the tensors that `WordFormIndexer` makes."""
    (code_points,) = tokens[name].values()
    return [tuple(word for word in row if word) for row in decode_words(code_points).tolist()]
