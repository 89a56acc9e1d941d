"""A probe of six known words, and splits of word forms by hand."""

from allennlp.data import Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

from linspector_allennlp.dataset_readers import SingleFormReader
from linspector_allennlp.models import SingleFormProbe
from linspector_allennlp.representations import WordFormIndexer, WordVectorsEmbedder
from linspector_allennlp.runs.data_facts import ProbedSplit

WORDS = ["yö", "työ", "syö", "lyö", "myö", "vyö"]


def small_probe(tmp_path):
    path = tmp_path / "small.vec"
    path.write_text("".join(f"{word} 1.0 2.0\n" for word in WORDS), encoding="utf-8")
    vocab = Vocabulary(counter={"labels": {"X": 6, "Y": 5}})
    return SingleFormProbe(vocab, BasicTextFieldEmbedder({"w": WordVectorsEmbedder(str(path))}))


def instance_of(word, label):
    reader = SingleFormReader({"w": WordFormIndexer()})
    instance = reader.text_to_instance(word, label)
    reader.apply_token_indexers(instance)
    return instance


def splits(train, test=None):
    rows = {"train": train, "test": test or train}
    return {
        name: ProbedSplit(
            SimpleDataLoader([instance_of(*item) for item in items], 1),
            name,
            f"{name}.txt",
        )
        for name, items in rows.items()
    }


TRAIN = [*((word, "X") for word in WORDS), *((f"{word}n", "Y") for word in WORDS)]
