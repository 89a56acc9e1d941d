from collections.abc import Sequence

from allennlp.data import Instance

from linspector_allennlp.dataset_readers.semantic_roles import NO_ROLE
from linspector_allennlp.downstream.tagging import word_guesses
from linspector_allennlp.downstream.task import (
    DownstreamTask,
    Guess,
    Output,
    Record,
    Shares,
    word_places,
)
from linspector_allennlp.fields import ProbeLabelsField, metadata_of
from linspector_allennlp.metrics.semantic_dependencies import count_semantic_dependencies
from linspector_allennlp.propositions import NOTHING, Proposition


@DownstreamTask.register("srl")
class RolesTask(DownstreamTask):
    """
    Dependency-based semantic role labelling: the role of each word for a predicate that is given, scored by the
    F1 of semantic dependencies (see `metrics.semantic_dependencies`); the predicates' senses, which are
    given too, do not count. The output of a model has `roles`, as that of `dependency_srl`.

    The baselines are the most frequent role, which is none; suffix back-off; and the most frequent role of the
    word form. They do not know the predicate.

    Registered as a `DownstreamTask` with name "srl".
    """

    main_metric = "role_f1"
    prediction_kind = "tags"
    shown = {"role_f1": "role F1", "role_precision": "precision", "role_recall": "recall"}

    def gold(self, instance: Instance) -> Output:
        labels = instance.fields.get("labels")
        if not isinstance(labels, ProbeLabelsField):
            raise ValueError(
                f"expected instances with labels, a role for each word; found {', '.join(instance.fields)}. "
                "Is the dataset_reader semantic_roles?"
            )
        return {"roles": list(labels.labels)}

    def records(self, instance: Instance, output: Output) -> list[Record]:
        predicate = metadata_of(instance)["predicate"]
        gold = self.gold(instance)["roles"]
        words = zip(word_places(instance), output["roles"], gold, strict=True)
        return [
            {**word, "predicate": predicate, "label": role, "gold": right, "correct": role == right}
            for word, role, right in words
        ]

    def shares(self, records: Sequence[Record]) -> Shares:
        gold, found = (
            Proposition(
                records[0]["predicate"],
                None,
                [NOTHING[0] if record[key] == NO_ROLE else record[key] for record in records],
            )
            for key in ("gold", "label")
        )
        labelled, unlabelled, whole = count_semantic_dependencies([gold], [found], senses=False)
        return {
            "role_precision": (labelled.correct, labelled.predicted),
            "role_recall": (labelled.correct, labelled.gold),
            # Precision and recall together: a ratio of sums, too.
            "role_f1": (2 * labelled.correct, labelled.predicted + labelled.gold),
            "unlabelled_f1": (2 * unlabelled.correct, unlabelled.predicted + unlabelled.gold),
            "proposition_f1": (2 * whole.correct, whole.predicted + whole.gold),
        }

    def guesses(self, train: Sequence[Instance]) -> dict[str, Guess]:
        return word_guesses(self, train, "roles")
