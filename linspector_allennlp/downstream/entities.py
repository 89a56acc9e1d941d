from collections.abc import Sequence

from allennlp.data.dataset_readers.dataset_utils import bio_tags_to_spans

from linspector_allennlp.downstream.tagging import TaggingTask
from linspector_allennlp.downstream.task import DownstreamTask, Record, Shares


@DownstreamTask.register("ner")
class EntitiesTask(TaggingTask):
    """
    Named-entity recognition: a tag for each word, in BIOUL or BIO, scored by the F1 of the entities: one is
    right if its type and its first and last word are. The output of a model has `tags`, as that of
    `crf_tagger` of allennlp-models; instances have the field `tags`.

    The baselines are those of tagging; where their tags make no sequence, an entity begins wherever the type
    changes.

    Registered as a `DownstreamTask` with name "ner".
    """

    main_metric = "f1-measure-overall"
    prediction_kind = "tags"
    shown = {
        "f1-measure-overall": "span F1",
        "precision-overall": "precision",
        "recall-overall": "recall",
    }

    def shares(self, records: Sequence[Record]) -> Shares:
        gold, found = (spans([record[key] for record in records]) for key in ("gold", "label"))
        right = len(gold & found)
        return {
            **super().shares(records),
            "precision-overall": (right, len(found)),
            "recall-overall": (right, len(gold)),
            # Precision and recall together: a ratio of sums, too.
            "f1-measure-overall": (2 * right, len(found) + len(gold)),
        }


def spans(tags: Sequence[str]) -> set[tuple[str, tuple[int, int]]]:
    """The entities that tags in BIOUL or BIO make: their type, and the places of their first and last word."""
    as_bio = [{"U": "B", "L": "I"}.get(tag[0], tag[0]) + tag[1:] for tag in tags]
    return set(bio_tags_to_spans(as_bio))
