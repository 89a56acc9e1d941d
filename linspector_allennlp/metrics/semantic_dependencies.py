from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from allennlp.training.metrics import Metric

from linspector_allennlp.propositions import NOTHING, Proposition


class DependencyCounts(NamedTuple):
    """The numbers of dependencies that are right, that were predicted, and that are gold."""

    correct: int = 0
    predicted: int = 0
    gold: int = 0

    def plus(self, other: "DependencyCounts") -> "DependencyCounts":
        return DependencyCounts(*map(sum, zip(self, other)))

    @property
    def precision(self) -> float:
        return self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Twice the right ones, of the predicted and the gold ones together; 0 of none."""
        total = self.predicted + self.gold
        return 2 * self.correct / total if total else 0.0


class SemanticCounts(NamedTuple):
    """Those of labelled and of unlabelled dependencies, and of whole propositions."""

    labelled: DependencyCounts = DependencyCounts()
    unlabelled: DependencyCounts = DependencyCounts()
    propositions: DependencyCounts = DependencyCounts()

    def plus(self, other: "SemanticCounts") -> "SemanticCounts":
        return SemanticCounts(*(one.plus(more) for one, more in zip(self, other)))


def count_semantic_dependencies(
    gold: Iterable[Proposition], predicted: Iterable[Proposition], senses: bool = True
) -> SemanticCounts:
    """
    The semantic dependencies of a sentence, counted as `eval09.pl` does, the script of the shared task
    (Hajič et al. 2009):

    - An argument is a dependency of a word on a predicate, with a role. A word with the roles `A0|A2` is two,
      and a role that is named twice is one. `_` and `-` are none.
    - A predicate is a dependency on a virtual root, and its sense is the label: what follows the only point
      of `ostaa.01`, so that the lemma does not count; all of it, if there is not one point. Senses that are
      numbers are compared as numbers.
    - A labelled dependency is right if both words and the label are. A wrong sense does not make the
      arguments wrong, but those of a word that is no predicate are.
    - Without labels both words count; of a word with several roles as many are right as are in both.
    - A proposition is right if its sense and all its arguments are, and no others were predicted.

    # Parameters

    gold, predicted : `Iterable[Proposition]`
        Those of one sentence.
    senses : `bool`, optional (default = `True`)
        Whether the dependencies on the root count. Without them a proposition is its arguments.
    """
    gold, predicted = list(gold), list(predicted)
    found = {proposition.predicate: proposition for proposition in predicted}
    right = right_places = whole = roots = same = 0
    for proposition in gold:
        other = found.get(proposition.predicate)
        if other is None:
            continue
        expected, answered = arguments(proposition.roles), arguments(other.roles)
        right += len(expected & answered)
        right_places += (_places(expected) & _places(answered)).total()
        roots += 1
        is_same = not senses or same_sense(proposition.sense or "", other.sense or "")
        same += is_same
        whole += is_same and expected == answered
    num_predicted, num_gold = (
        sum(len(arguments(proposition.roles)) for proposition in propositions)
        + (len(propositions) if senses else 0)
        for propositions in (predicted, gold)
    )
    return SemanticCounts(
        DependencyCounts(right + (same if senses else 0), num_predicted, num_gold),
        DependencyCounts(right_places + (roots if senses else 0), num_predicted, num_gold),
        DependencyCounts(whole, len(predicted), len(gold)),
    )


def arguments(roles: Sequence[str]) -> set[tuple[int, str]]:
    """The arguments of a predicate: the place of a word, and its role."""
    return {
        (place, role)
        for place, all_roles in enumerate(roles)
        if all_roles not in NOTHING
        for role in all_roles.split("|")
    }


def _places(arguments: Iterable[tuple[int, str]]) -> Counter[int]:
    return Counter(place for place, _ in arguments)


def same_sense(one: str, other: str) -> bool:
    """Whether two predicates have the same sense, whatever their lemmas."""
    one, other = _sense(one), _sense(other)
    if all(text.isascii() and text.isdigit() for text in (one, other)):
        return int(one) == int(other)
    return one == other


def _sense(text: str) -> str:
    parts = text.split(".")
    return parts[1] if len(parts) == 2 and all(parts) else text


@Metric.register("semantic_dependencies")
class SemanticDependencies(Metric):
    """
    Precision, recall and F1 of semantic dependencies: `role_…` of labelled ones, by the number that the
    official script of CoNLL-2009 calls "Labeled F1"; `unlabelled_…`; and `proposition_f1`. See
    `count_semantic_dependencies`.

    Registered as a `Metric` with name "semantic_dependencies".

    # Parameters

    senses : `bool`, optional (default = `False`)
        Whether the predicates' senses count, as they do in the official script.
    """

    def __init__(self, senses: bool = False) -> None:
        self._senses = senses
        self.counts = SemanticCounts()

    def __call__(  # type: ignore[override]
        self, gold: Sequence[Sequence[Proposition]], predicted: Sequence[Sequence[Proposition]]
    ) -> None:
        """
        # Parameters

        gold, predicted : `Sequence[Sequence[Proposition]]`
            The propositions of each sentence; those of one sentence may come in several calls, as long
            as a predicate and its answer come in one.
        """
        for expected, answered in zip(gold, predicted, strict=True):
            counts = count_semantic_dependencies(expected, answered, self._senses)
            self.counts = self.counts.plus(counts)

    def get_metric(self, reset: bool = False) -> dict[str, float]:
        labelled, unlabelled, propositions = self.counts
        metrics = {
            "role_precision": labelled.precision,
            "role_recall": labelled.recall,
            "role_f1": labelled.f1,
            "unlabelled_f1": unlabelled.f1,
            "proposition_f1": propositions.f1,
        }
        if reset:
            self.reset()
        return metrics

    def reset(self) -> None:
        self.counts = SemanticCounts()
