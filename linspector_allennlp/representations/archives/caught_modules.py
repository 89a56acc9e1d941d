import logging
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Optional, Protocol

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.archives.modules import ModuleHook
from linspector_allennlp.representations.archives.recurrent_stack import RecurrentStack
from linspector_allennlp.representations.words import Words

logger = logging.getLogger(__name__)


class SentenceModel(Protocol):
    """A model that sentences are put into, as `BlackBoxModel`."""

    model: Any

    def run(self, sentences: Sequence[Words], device: Optional[torch.device] = None) -> int:
        """One forward pass over these sentences; gives the number of tokens after padding."""

    def trial_sentences(self) -> list[Words]:
        """Sentences of several lengths, each with another first word."""


class CaughtModules:
    """
    Modules of a model that sentences are put into, all caught in one pass. They are tried out at once.

    `dimensions` are the sizes of a word's vector in each; `takes_batches` is whether sentences can be
    computed in batches. That cannot be seen from shapes: inside an encoder the batch may be sorted, or
    padding may leak into words.

    # Parameters

    box : `SentenceModel`
    modules : `Sequence[str]`
    tensor : `str`
        See `ModuleHook`.
    """

    def __init__(self, box: SentenceModel, modules: Sequence[str], tensor: str) -> None:
        self.box = box
        stacks: dict[str, RecurrentStack] = {}
        self._hooks = [ModuleHook(box.model, module, tensor, stacks) for module in modules]
        sentences = box.trial_sentences()
        # By sentence, then by module.
        each = [self.vectors([words]) for words in sentences]
        self.dimensions = [
            _one_size(module, [vectors[i].size(1) for vectors in each])
            for i, module in enumerate(modules)
        ]
        self._check_again(modules, sentences[0], each[0])
        self.takes_batches = self._gives_the_same(sentences, each)
        if not self.takes_batches:
            logger.info("%s: sentences are computed one by one.", ", ".join(modules))

    def vectors(
        self, sentences: Sequence[Words], device: Optional[torch.device] = None
    ) -> list[torch.Tensor]:
        """The vectors of all words of these sentences by module. Shape of each: (num_words, dimension)"""
        with ExitStack() as stack:
            for hook in self._hooks:
                stack.enter_context(hook)
            width = self.box.run(sentences, device)
        lengths = [len(words) for words in sentences]
        return [hook.rows(lengths, width) for hook in self._hooks]

    def layers(
        self, sentences: Sequence[Words], device: Optional[torch.device] = None
    ) -> torch.Tensor:
        """
        The same as layers of one size: behind shorter vectors are zeros.
        Shape: (num_modules, num_words, max(dimensions))
        """
        groups = [sentences] if self.takes_batches else [[words] for words in sentences]
        found = [self.vectors(group, device) for group in groups]
        layers = [torch.cat(of_module) for of_module in zip(*found)]
        size = max(self.dimensions)
        padded = [torch.nn.functional.pad(layer, (0, size - layer.size(1))) for layer in layers]
        return torch.stack(padded)

    def _check_again(
        self, modules: Sequence[str], words: Words, before: Sequence[torch.Tensor]
    ) -> None:
        """A network that is random, or goes on from what it read before, gives a word no vector of its own."""
        for module, one, other in zip(modules, before, self.vectors([words])):
            if not torch.allclose(one, other, rtol=1e-3, atol=1e-5, equal_nan=True):
                raise ConfigurationError(
                    f"{module}: expected the same vectors whenever the same sentence is read, found others the "
                    "second time: it is random (dropout that is not switched off?), or goes on from what it "
                    "read before."
                )

    def _gives_the_same(
        self, sentences: Sequence[Words], each: Sequence[Sequence[torch.Tensor]]
    ) -> bool:
        try:
            together = self.vectors(sentences)
        except ValueError:
            return False
        return all(map(_same, together, zip(*each)))


def _one_size(module: str, found: Sequence[int]) -> int:
    sizes = sorted(set(found))
    if len(sizes) > 1:
        raise ConfigurationError(
            f"{module}: expected vectors of one size, found {', '.join(map(str, sizes))} in "
            "sentences of several lengths."
        )
    return sizes[0]


def _same(together: torch.Tensor, each: Sequence[torch.Tensor]) -> bool:
    """Whether the words of a batch have the vectors that they have sentence by sentence."""
    expected = torch.cat(list(each))
    first_words = torch.stack([vectors[0] for vectors in each])
    return (
        together.shape == expected.shape
        and bool((together - expected).abs().max() <= 1e-4 * expected.abs().max())
        # Where all sentences look alike it cannot be seen that they have changed places.
        and len(first_words.unique(dim=0)) == len(first_words)
    )
