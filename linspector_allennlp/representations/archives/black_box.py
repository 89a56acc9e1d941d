from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch
from allennlp.data.vocabulary import DEFAULT_NON_PADDED_NAMESPACES
from allennlp.nn import util

from linspector_allennlp.representations.archives.instances import SentenceInstances
from linspector_allennlp.representations.archives.load import load_model
from linspector_allennlp.representations.archives.safe_loading import safe_loading
from linspector_allennlp.representations.words import Words

_TRIAL_LENGTHS = 2, 3, 3, 1, 4  # in no order, two alike, and not as many as the longest has words
_COMMON_WORDS = "the of and in to was it for on that he as with his by at".split()


class BlackBoxModel:
    """
    An AllenNLP model that sentences are put into, whatever it was made for. What comes out is of
    no interest, only what can be seen inside while it runs.

    # Parameters

    folder : `Path`
        What `unpack_archive` gave.
    weights_file : `str`, optional (default = `None`)
    packages : `Sequence[str]`, optional (default = `()`)
        See `load_model`.
    extra_inputs : `Mapping[str, str]`, optional (default = `None`)
        See `SentenceInstances`.
    """

    def __init__(
        self,
        folder: Path,
        weights_file: Optional[str] = None,
        packages: Sequence[str] = (),
        extra_inputs: Optional[Mapping[str, str]] = None,
    ) -> None:
        self.model, reader = load_model(folder, weights_file, packages)
        self._instances = SentenceInstances(reader, extra_inputs)
        self._packages = packages
        # Some encoders go on from the states that the last batch left.
        resets = (getattr(part, "reset_states", None) for part in self.model.modules())
        self._resets = [reset for reset in resets if callable(reset)]

    def run(self, sentences: Sequence[Words], device: Optional[torch.device] = None) -> int:
        """One forward pass over these sentences; gives the number of tokens after padding."""
        device = device or torch.device("cpu")
        for reset in self._resets:
            reset()
        # Readers and models may load more of themselves when they are first used.
        with safe_loading(self._packages), torch.inference_mode():
            instances, fields = zip(*(self._instances.instance(words) for words in sentences))
            batch = Batch(instances)
            try:
                batch.index_instances(self.model.vocab)
            except KeyError as error:
                raise ConfigurationError(
                    f"extra_inputs: the model's vocabulary has no such value: {error}"
                ) from error
            tensors = util.move_to_device(batch.as_tensor_dict(), device)
            self.model.to(device)(**tensors)
            return util.get_text_field_mask(tensors[fields[0]]).size(1)

    def trial_sentences(self) -> list[Words]:
        """Sentences of several lengths in words that the model knows, each with another first word."""
        words = self._known_words()
        sentences, start = [], 0
        for length in _TRIAL_LENGTHS:
            sentences.append(tuple(words[(start + i) % len(words)] for i in range(length)))
            start += length
        return sentences

    def _known_words(self) -> list[str]:
        """The largest part of the vocabulary that is no list of labels, then `_COMMON_WORDS`."""
        vocabulary = self.model.vocab
        labels = tuple(name.lstrip("*") for name in DEFAULT_NON_PADDED_NAMESPACES)
        words: list[str] = max(
            (
                list(vocabulary.get_token_to_index_vocabulary(namespace))[2:]
                for namespace in vocabulary.get_namespaces()
                if not namespace.endswith(labels)
            ),
            key=len,
            default=[],
        )
        known = [word for word in words if word.strip() and not any(map(str.isspace, word))]
        return list(dict.fromkeys([*known[: sum(_TRIAL_LENGTHS)], *_COMMON_WORDS]))
