from allennlp.data import Vocabulary
from allennlp.data.fields import LabelField

UNSEEN_LABEL = -1
"""The index of a label that the vocabulary (that is, the training data) does not have."""


class ProbeLabelField(LabelField):
    """
    A `LabelField` whose label may be unknown to the vocabulary. Where `LabelField` stops with a
    `KeyError`, this one is indexed as `UNSEEN_LABEL`, which the probes count as an error.
    """

    __slots__: list = []

    def index(self, vocab: Vocabulary) -> None:
        known = vocab.get_token_to_index_vocabulary(self._label_namespace)
        self._label_id = known.get(str(self.label), UNSEEN_LABEL)

    @property
    def label_id(self) -> int:
        """The index of the label, once it has been indexed."""
        if self._label_id is None:
            raise RuntimeError("the label has not been indexed yet")
        return self._label_id
