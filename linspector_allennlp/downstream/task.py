from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

from allennlp.common import Registrable
from allennlp.data import Instance
from allennlp.data.fields import SequenceLabelField, TextField

from linspector_allennlp.fields import metadata_of
from linspector_allennlp.run_folders.predictions import place_of, words_of

Output = Mapping[str, Any]
"""What a model makes readable of an instance, by the names that the model has for it."""

Guess = Callable[[Instance], Output]
"""A baseline: what stands in the place of a model's output."""

Record = dict[str, Any]
Shares = dict[str, tuple[float, float]]
"""By the name of a score, what was achieved of an instance, and of how much."""


class DownstreamTask(Registrable):
    """
    A task that any AllenNLP model is trained on in a `recorded_run`: what a model's output says of an
    instance, what is right, and what would be guessed without a representation. Model, output and baselines
    are scored in one way; each score is a ratio of sums over instances, so that it has an interval over them.

    A config names it: `downstream: 'pos'`. The name is that of the task in tables, too.

    A subclass says what is right (`gold`), which items that makes (`records`), how these are scored
    (`shares`), and what can be guessed (`guesses`).
    """

    main_metric: ClassVar[str]
    """The score by which a run is judged: a name of `shares`, as the model itself calls it."""

    shown: ClassVar[Mapping[str, str]]
    """The titles of the scores that a table of runs shows, by their names in `shares`."""

    prediction_kind: ClassVar[str] = "label"
    """How records are compared item by item: see `run_folders.scored_items`."""

    cluster_key: ClassVar[str] = "sentence"
    """The key of records by which items belong together; `line` where an instance is one item."""

    def __init__(self) -> None:
        """It has no settings."""

    @property
    def name(self) -> str:
        """By which a config names it."""
        names = DownstreamTask.list_available()
        known = (name for name in names if DownstreamTask.resolve_class_name(name)[0] is type(self))
        return next(known, type(self).__name__)

    def words(self, instance: Instance) -> list[str]:
        """Those of an instance: of all its texts, one after the other."""
        return [word for text in texts_of(instance) for word in text]

    def gold(self, instance: Instance) -> Output:
        """The right output of a model."""
        raise NotImplementedError

    def records(self, instance: Instance, output: Output) -> list[Record]:
        """
        A record of `run_folders.predictions` for each item, with the answer as `label` and what is right as
        `gold`. Where `scored` is false, an item counts in no score.
        """
        raise NotImplementedError

    def shares(self, records: Sequence[Record]) -> Shares:
        """What counts of the records of an instance, by the names that the model itself has for its scores."""
        raise NotImplementedError

    def guesses(self, train: Sequence[Instance]) -> dict[str, Guess]:
        """The baselines that training data give, by their names; see `table_columns.BASELINES`."""
        return {}


def texts_of(instance: Instance) -> Iterator[list[str]]:
    """The words of each text of an instance."""
    for field in instance.fields.values():
        if isinstance(field, TextField):
            yield [token.ensure_text() for token in field.tokens]


def tags_of(instance: Instance, name: str) -> list[str]:
    """The labels of the words of an instance in the field with this name."""
    field = instance.fields.get(name)
    if not isinstance(field, SequenceLabelField):
        raise ValueError(
            f"expected instances with {name}, a label for each word; found {', '.join(instance.fields)}. "
            "Is the dataset_reader one for this task?"
        )
    return cast(list[str], list(field.labels))


def word_places(instance: Instance) -> list[Record]:
    """For each word of an instance of one text what a record says of it besides the answer."""
    metadata, (words,) = metadata_of(instance), texts_of(instance)
    if len(metadata.get("lines", ())) == len(words):
        return list(words_of(metadata))
    place = place_of(metadata)
    return [{**place, "index": index, "form": word} for index, word in enumerate(words)]
