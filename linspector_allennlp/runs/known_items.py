"""Of each prediction whether the representation knows the words that it is about."""

from collections.abc import Iterator, Sequence
from typing import Any

from linspector_allennlp.models import Probe
from linspector_allennlp.runs.data_facts import ProbedSplit, known_words
from linspector_allennlp.runs.shared_work import NothingShared

FORMS = ("form", "form1", "form2")
"""The words of a record; sentences and trees have none of these."""


def mark_known(
    predictions: Sequence[dict[str, Any]], split: ProbedSplit, model: Probe, shared: NothingShared
) -> None:
    """
    Adds `known` to the records of words: whether all of them have vectors of their own. A representation that
    cannot say leaves them as they are.

    # Parameters

    split : `ProbedSplit`
        Whose items they are.
    """
    known = shared.of_representation(f"known in {split.name}", lambda: _known(split, model))
    for record in predictions:
        forms = list(_forms(record))
        if forms and all(form in known for form in forms):
            record["known"] = all(known[form] for form in forms)


def _known(split: ProbedSplit, model: Probe) -> dict[str, bool]:
    words = sorted(set(split.words))
    found = known_words(words, model, split.indexers)
    return {} if found is None else dict(zip(words, found.tolist()))


def _forms(record: dict[str, Any]) -> Iterator[str]:
    return (record[name] for name in FORMS if name in record)
