from collections import Counter
from collections.abc import Sequence

from allennlp.data import Instance

from linspector_allennlp.downstream.task import (
    DownstreamTask,
    Guess,
    Output,
    Record,
    Shares,
    tags_of,
    word_places,
)
from linspector_allennlp.metrics.baselines import Item, form_chooser

NOT_SCORED = frozenset({"`", "''", ":", ",", ".", "PU", "PUNCT", "SYM"})
"""The parts of speech that AllenNLP's parser leaves out of its scores, too: punctuation."""


@DownstreamTask.register("dep")
class ParsingTask(DownstreamTask):
    """
    Dependency parsing: the head of each word and its relation to that, scored by unlabelled and labelled
    attachment (UAS, LAS) of the words that are no punctuation. The output of a model has `predicted_heads`
    and `predicted_dependencies`, as that of `biaffine_parser` of allennlp-models; instances have the
    fields `head_indices` (0 for the root), `head_tags` and `pos_tags`.

    The baseline is the tree in which each word hangs on its neighbour, on the side on which training data
    have more heads; the one that has none is the root. The relation is the most frequent one of the gold
    part of speech, which the parser is given, too, unless its morphology is stripped (`dep_morphology`).

    Registered as a `DownstreamTask` with name "dep".
    """

    main_metric = "LAS"
    prediction_kind = "arcs"
    shown = {"UAS": "UAS", "LAS": "LAS"}

    def gold(self, instance: Instance) -> Output:
        return {
            "predicted_heads": tags_of(instance, "head_indices"),
            "predicted_dependencies": tags_of(instance, "head_tags"),
        }

    def records(self, instance: Instance, output: Output) -> list[Record]:
        gold, records = self.gold(instance), []
        found = zip(output["predicted_heads"], output["predicted_dependencies"], strict=True)
        right = zip(gold["predicted_heads"], gold["predicted_dependencies"])
        words = zip(word_places(instance), tags_of(instance, "pos_tags"), found, right, strict=True)
        for word, pos, (head, relation), (gold_head, gold_relation) in words:
            record = {
                **word,
                "head": int(head) - 1,
                "gold_head": int(gold_head) - 1,
                "label": f"{head} {relation}",
                "gold": f"{gold_head} {gold_relation}",
            }
            correct = record["label"] == record["gold"]
            unscored = {"scored": False} if pos in NOT_SCORED else {}
            records.append({**record, "correct": correct, **unscored})
        return records

    def shares(self, records: Sequence[Record]) -> Shares:
        scored = [record for record in records if record.get("scored", True)]
        attached = sum(record["head"] == record["gold_head"] for record in scored)
        labelled = sum(record["correct"] for record in scored)
        return {"UAS": (attached, len(scored)), "LAS": (labelled, len(scored))}

    def guesses(self, train: Sequence[Instance]) -> dict[str, Guess]:
        sides: Counter[int] = Counter()
        items = []
        for instance in train:
            gold = self.gold(instance)
            heads, relations = gold["predicted_heads"], gold["predicted_dependencies"]
            sides.update(head - word for word, head in enumerate(heads, start=1) if head)
            tags = tags_of(instance, "pos_tags")
            items += [Item([tag], relation) for tag, relation in zip(tags, relations)]
        step = 1 if sides[1] >= sides[-1] else -1
        relation_of = form_chooser(items)

        def adjacent(instance: Instance) -> Output:
            tags = tags_of(instance, "pos_tags")
            heads = [(word + step) % (len(tags) + 1) for word in range(1, len(tags) + 1)]
            return {
                "predicted_heads": heads,
                "predicted_dependencies": [relation_of([tag]) for tag in tags],
            }

        return {"adjacent": adjacent}
