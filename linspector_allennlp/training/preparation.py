from collections.abc import Iterable, Iterator

from allennlp.data import Instance
from allennlp.data.fields import TextField

from linspector_allennlp.dataset_readers.probing_reader import metadata_of
from linspector_allennlp.models import FrozenProbe
from linspector_allennlp.representations.word_embedder import all_word_embedders
from linspector_allennlp.representations.words import Words


def prepare_representation(model: FrozenProbe, instances: Iterable[Instance]) -> None:
    """
    Tells the representation of a probe what it will be asked for, so that what is dear is computed
    once, in the best order, and kept for other runs.
    """
    embedders = all_word_embedders(model)
    if not embedders:
        return
    words_alone = any(embedder.ignores_context for embedder in embedders)
    everything, probed = dict[Words, None](), dict[Words, None]()
    for instance in instances:
        everything.update(dict.fromkeys(_sentences(instance)))
        if words_alone:
            probed.update(dict.fromkeys((word,) for word in metadata_of(instance).get("words", ())))
    for embedder in embedders:
        embedder.prepare(probed if embedder.ignores_context and probed else everything)


def _sentences(instance: Instance) -> Iterator[Words]:
    for field in instance.fields.values():
        if isinstance(field, TextField):
            yield tuple([token.ensure_text() for token in field.tokens])
