from collections.abc import Iterable, Sequence
from typing import NamedTuple, Optional

import torch
from allennlp.data import DatasetReader, Instance, TokenIndexer
from allennlp.data.fields import Field, MetadataField, TensorField

from linspector_allennlp.dataset_readers.probing_reader import ProbingReader
from linspector_allennlp.fields import ProbeLabelsField, metadata_of
from linspector_allennlp.io.lines import MalformedLine
from linspector_allennlp.propositions import (
    NOTHING,
    Proposition,
    RoleSentence,
    read_propositions,
)

NO_ROLE = "O"
"""The label of a word that is no argument."""


class Predicate(NamedTuple):
    """A predicate of a sentence, and the line on which it stands."""

    line: int
    sentence: RoleSentence
    proposition: Proposition


@DatasetReader.register("semantic_roles")
class SemanticRolesReader(ProbingReader):
    """
    Reads semantic roles in the format of CoNLL-2009 (see `linspector_allennlp.propositions`): an instance is
    a sentence and one of its predicates, which is given; each word's label is its role for this
    predicate, or `O`. A word with several roles has them in one label, `A0|A2`.

    A sentence without predicates makes no instance. It has no semantic dependencies, and none can be
    predicted in it, so that no score changes; `left_out` counts such sentences.

    Registered as a `DatasetReader` with name "semantic_roles".

    # Parameters

    token_indexers, unicode_normalization, max_instances :
        See `ProbingReader`.

    # Returns

    Instances with the fields `tokens`, `predicate_flags` (1 for the predicate, 0 for any other word), `labels`
    and `metadata`: besides what `ProbingReader` names these are the `predicate`'s place, its `sense` and
    `roles` as the file has them, and `lemmas`, `pos` and `heads` of all words.
    """

    level = "token"

    def __init__(
        self,
        token_indexers: Optional[dict[str, TokenIndexer]] = None,
        unicode_normalization: Optional[str] = None,
        max_instances: Optional[int] = None,
    ) -> None:
        super().__init__(
            token_indexers=token_indexers,
            unicode_normalization=unicode_normalization,
            max_instances=max_instances,
        )
        self.left_out: dict[str, int] = {}

    def _rows(self, path: str) -> Iterable[Predicate]:
        without = found = 0
        for sentence in read_propositions(path):
            for proposition in sentence.propositions:
                found += 1
                _check_roles(path, sentence, proposition)
                yield Predicate(sentence.words[proposition.predicate].line, sentence, proposition)
            without += not sentence.propositions
        self.left_out = {"without a predicate": without} if without else {}
        if not found:
            raise ValueError(f"{path}: expected predicates (Y as FILLPRED), found none.")

    def _row_to_instance(self, row: Predicate) -> Instance:
        words, proposition = row.sentence.words, row.proposition
        instance = self.text_to_instance(
            [word.form for word in words], proposition.predicate, proposition.roles
        )
        metadata_of(instance).update(
            sense=proposition.sense,
            sentence=row.sentence.number,
            lines=[word.line for word in words],
            indices=list(range(len(words))),
            lemmas=[word.lemma for word in words],
            pos=[word.pos for word in words],
            heads=[word.head for word in words],
        )
        return instance

    def text_to_instance(  # type: ignore[override]
        self,
        tokens: Sequence[str],
        predicate: Optional[int] = None,
        roles: Optional[Sequence[str]] = None,
    ) -> Instance:
        """A sentence, the place of the predicate (without it no word is flagged), and the roles."""
        tokens = [self._normalize(token) for token in tokens]
        if predicate is not None and not 0 <= predicate < len(tokens):
            raise ValueError(
                f"predicate: expected a number from 0 to {len(tokens) - 1}, the place of a word, found "
                f"{predicate}."
            )
        flags = torch.zeros(len(tokens))
        given: dict[str, object] = {"sentence": " ".join(tokens)}
        if predicate is not None:
            flags[predicate] = 1
            given["predicate"] = predicate
        fields: dict[str, Field] = {
            "tokens": self._text_field(tokens),
            "predicate_flags": TensorField(flags),
        }
        metadata = {"input": given, "words": tokens, "forms": tokens, "predicate": predicate}
        if roles is not None:
            labels = [NO_ROLE if role in NOTHING else role for role in roles]
            fields["labels"] = ProbeLabelsField(labels)
            metadata["roles"] = list(roles)
        fields["metadata"] = MetadataField(metadata)
        return Instance(fields)


def _check_roles(path: str, sentence: RoleSentence, proposition: Proposition) -> None:
    """A role of the name that words without one have would count as none."""
    for word, role in zip(sentence.words, proposition.roles):
        if role == NO_ROLE:
            expected = f"a role, or _ for none; {NO_ROLE} is what the models call none"
            raise MalformedLine(path, word.line, expected, f"{role!r} for {word.form!r}")
