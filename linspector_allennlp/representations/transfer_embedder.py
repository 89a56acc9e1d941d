from collections.abc import Collection
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors
from allennlp.modules import TextFieldEmbedder, TokenEmbedder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

PREFIX = "token_embedder_"  # of the parts of a `BasicTextFieldEmbedder`


@TextFieldEmbedder.register("transfer")
class TransferEmbedder(TextFieldEmbedder):
    """
    Two representations in the same space, such as the aligned word vectors of two languages: one for
    the training data, one for the test data. Which of them a text gets depends on its reader, never on
    its words, because both languages may have the same one: the indexers of the two readers have
    different names, and each representation has the names of its reader.

    Registered as a `TextFieldEmbedder` with name "transfer".

    # Parameters

    train, test : `TextFieldEmbedder`
        Each with `token_embedders`; part by part, their vectors have the same size.
    """

    def __init__(self, train: TextFieldEmbedder, test: TextFieldEmbedder) -> None:
        super().__init__()
        of_train, of_test = _parts(train), _parts(test)
        common = of_train.keys() & of_test.keys()
        if common:
            raise ConfigurationError(
                "transfer: expected other names of indexers in test than in train, so that a text "
                f"tells which of them is its own; both have {', '.join(sorted(common))}."
            )
        if _dims(of_train) != _dims(of_test):
            raise ConfigurationError(
                "transfer: expected vectors of one space, which have the same size; found "
                f"{_described(of_train)} in train and {_described(of_test)} in test."
            )
        self.of_train = train  # a module has a method `train`
        self.of_test = test
        self._names = list(of_train), list(of_test)

    def get_output_dim(self) -> int:
        return self.of_train.get_output_dim()

    def of(self, names: Collection[str]) -> TextFieldEmbedder:
        """The representation of a text that has the indexers with these names."""
        for expected, embedder in zip(self._names, both_embedders(self)):
            if set(expected) == set(names):
                return embedder
        listed = " or ".join(map(", ".join, self._names))
        raise ConfigurationError(
            f"transfer: expected a reader with the token_indexers {listed}, found "
            f"{', '.join(sorted(names)) or 'none'}."
        )

    def forward(
        self, text_field_input: TextFieldTensors, num_wrapping_dims: int = 0, **named: Any
    ) -> torch.Tensor:
        embedder = self.of(text_field_input)
        return embedder(text_field_input, num_wrapping_dims, **named)


def embedder_of(
    text_field_embedder: TextFieldEmbedder, names: Collection[str]
) -> TextFieldEmbedder:
    """What embeds a text that has the indexers with these names."""
    if isinstance(text_field_embedder, TransferEmbedder):
        return text_field_embedder.of(names)
    return text_field_embedder


def both_embedders(text_field_embedder: TextFieldEmbedder) -> list[TextFieldEmbedder]:
    """That of the training data and that of the test data; one for both, where it is the same."""
    if isinstance(text_field_embedder, TransferEmbedder):
        return [text_field_embedder.of_train, text_field_embedder.of_test]
    return [text_field_embedder]


def _parts(embedder: TextFieldEmbedder) -> dict[str, TokenEmbedder]:
    """The parts of an embedder by the names of their indexers, in the order of their vectors."""
    if not isinstance(embedder, BasicTextFieldEmbedder):
        raise ConfigurationError(
            "transfer: expected train and test with token_embedders, found "
            f"{type(embedder).__name__}."
        )
    return {name.removeprefix(PREFIX): part for name, part in sorted(embedder.named_children())}  # type: ignore[misc]


def _dims(parts: dict[str, TokenEmbedder]) -> list[int]:
    return [part.get_output_dim() for part in parts.values()]


def _described(parts: dict[str, TokenEmbedder]) -> str:
    return " and ".join(
        f"{part.get_output_dim()} ({getattr(part, 'source', '') or name})"
        for name, part in parts.items()
    )
