import csv
import json

import numpy as np
import pytest
import torch
from allennlp.common import Lazy
from allennlp.data import Batch, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding
from sklearn.metrics import f1_score

from linspector_allennlp.dataset_readers import TokenTagsReader
from linspector_allennlp.models import TaggingProbe
from linspector_allennlp.modules import LayerMixHead, LinearHead
from linspector_allennlp.representations import CharNgramsEmbedder, WordFormIndexer
from linspector_allennlp.training.evaluation import evaluate
from linspector_allennlp.training.feature_source import compute_features
from linspector_allennlp.training.split import Split
from tests.dataset_readers.small_treebank import write_conllu
from tests.representations.hashed_layers import HashedLayersEmbedder

TREEBANK = """
# sent_id = first
1   Dogs   _  NOUN  _  Number=Plur  2  nsubj
2-3 can't  _  _     _  _            _  _
2   can    _  AUX   _  _            0  root
3   not    _  PART  _  _            2  advmod
4   fly    _  VERB  _  Number=Sing  2  xcomp

# sent_id = second
1   Birds  _  NOUN  _  Number=Plur  2  nsubj
2   fly    _  VERB  _  Number=Plur  0  root
"""


def reader(**settings):
    return TokenTagsReader(token_indexers={"words": WordFormIndexer()}, **settings)


def probe(instances, embedder=None):
    torch.manual_seed(0)
    vocab = Vocabulary.from_instances(instances)
    words = BasicTextFieldEmbedder({"words": embedder or CharNgramsEmbedder(dimension=8)})
    return TaggingProbe(vocab, words, head=Lazy(LinearHead)).eval()


def tensors_of(instances, model):
    batch = Batch(instances)
    batch.index_instances(model.vocab)
    return batch.as_tensor_dict()


@pytest.fixture
def instances(tmp_path):
    path = write_conllu(tmp_path / "small.conllu", TREEBANK)
    return list(reader(target="Number").read(path))


def test_only_words_with_the_target_are_scored_by_hand(instances):
    model = probe(instances)
    output = model(**tensors_of(instances, model))
    # "can" and "not" have no number: of six words four are rows, in their order.
    (embedder,) = (m for m in model.modules() if hasattr(m, "embed_forms"))
    vectors = embedder.embed_forms(["Dogs", "fly", "Birds", "fly"])
    weight, bias = (parameter.detach().numpy() for parameter in model.head.parameters())
    logits = vectors @ weight.T + bias
    assert output["logits"].detach().numpy() == pytest.approx(logits, abs=1e-5)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    gold = [model.label_names.index(label) for label in ("Plur", "Sing", "Plur", "Plur")]
    loss = -np.log(shares[np.arange(4), gold]).mean()
    assert output["loss"].item() == pytest.approx(loss, abs=1e-5)
    assert output["nats"].item() == pytest.approx(4 * loss, abs=1e-5)
    right = logits.argmax(axis=1) == gold
    assert model.get_metrics()["accuracy"] == right.mean()
    records = sum(model.predictions(output), [])
    keys = ("line", "sentence", "index", "form", "gold")
    assert [tuple(record[key] for key in keys) for record in records] == [
        (2, 0, 0, "Dogs", "Plur"),
        (6, 0, 3, "fly", "Sing"),
        (9, 1, 0, "Birds", "Plur"),
        (10, 1, 1, "fly", "Plur"),
    ]
    assert [r["gold_probability"] for r in records] == pytest.approx(
        shares[range(4), gold].tolist()
    )
    assert [r["correct"] for r in records] == right.tolist()


def test_parts_of_a_multiword_token_have_its_vector(tmp_path):
    path = write_conllu(tmp_path / "small.conllu", TREEBANK)
    (first, _) = instances = list(reader(target="upos").read(path))
    model = probe(instances)
    rows = model.represent_instances([first]).numpy()
    (embedder,) = (m for m in model.modules() if hasattr(m, "embed_forms"))
    assert (rows == embedder.embed_forms(["Dogs", "can't", "can't", "fly"])).all()


def test_the_trainer_scores_as_forward_does(fixtures):
    instances = list(reader(target="Case").read(str(fixtures / "raw/finnish-ud-dev.conllu")))
    model = probe(instances)
    features = compute_features(
        model, Split(SimpleDataLoader(instances, 5)), torch.device("cpu"), 7, 1e9
    )
    assert features.values.lengths.tolist() == [len(i["labels"]) for i in instances]
    from_features = evaluate(model, features).metrics
    loss, count = 0.0, 0
    for start in range(0, len(instances), 5):
        output = model(**tensors_of(instances[start : start + 5], model))
        loss += output["loss"].item() * int(output["count"])
        count += int(output["count"])
    assert from_features.pop("loss") == pytest.approx(loss / count, rel=1e-5)
    assert from_features == pytest.approx(model.get_metrics(reset=True))


def test_a_sentence_alone_and_in_a_batch(instances):
    model = probe(instances)
    together = model(**tensors_of(instances, model))["logits"]
    alone = [model(**tensors_of([instance], model))["logits"] for instance in instances]
    assert together.detach().numpy() == pytest.approx(torch.cat(alone).detach().numpy())


def test_labels_that_training_never_saw(instances):
    model = probe(instances[1:] * 2 + instances[:1])
    model.vocab = Vocabulary(counter={"labels": {"Plur": 3, "Dual": 1}})
    model.label_names = ["Plur", "Dual"]
    output = model(**tensors_of(instances, model))
    assert int(output["count"]) == 3  # "Sing" has no loss, and is an error
    assert model.get_metrics()["accuracy"] <= 0.75
    assert model.scores.num_unseen == 1
    assert [r["gold_probability"] for r in sum(model.predictions(output), [])].count(0.0) == 1


def test_a_mix_of_layers_is_trained_with_the_head(instances):
    model = probe(instances, HashedLayersEmbedder(layer="mix"))
    assert isinstance(model.head, LayerMixHead)
    assert model(**tensors_of(instances, model))["logits"].shape == (4, 2)


def test_an_embedding_of_allennlps_own(fixtures):
    tags = TokenTagsReader(target="upos")
    instances = list(tags.read(str(fixtures / "raw/finnish-ud-dev.conllu")))
    vocab = Vocabulary.from_instances(instances)
    embedding = Embedding(embedding_dim=3, vocab=vocab)
    model = TaggingProbe(
        vocab, BasicTextFieldEmbedder({"tokens": embedding}), head=Lazy(LinearHead)
    )
    features = compute_features(
        model, Split(SimpleDataLoader(instances, 4)), torch.device("cpu"), 4, 1e9
    )
    ids = [vocab.get_token_index(word) for i in instances for word in i["metadata"]["words"]]
    assert torch.equal(features.values.values, embedding.weight[ids])


def test_the_files_of_a_run_agree(train, treebank, tmp_path, fixtures):
    treebank("Case")
    metrics = train("tagging", trainer={"num_epochs": 20})
    lines = (tmp_path / "run/test_predictions.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    gold, answers = [r["gold"] for r in records], [r["label"] for r in records]
    assert len(records) == metrics["num_test"] == 25
    right = np.array(gold) == np.array(answers)
    assert metrics["test_accuracy"] == right.mean()
    assert metrics["test_macro_f1"] == pytest.approx(f1_score(gold, answers, average="macro"))
    bits = -np.log2([r["gold_probability"] for r in records]).mean()
    assert metrics["test_bits"] == pytest.approx(bits, rel=1e-4)
    with open(tmp_path / "run/test_report.tsv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert {row["label"]: int(row["support"]) for row in rows if row["support"] != "0"} == {
        label: gold.count(label) for label in set(gold)
    }
    forms = set()
    text = (fixtures / "raw/finnish-ud-train.conllu").read_text(encoding="utf-8")
    for line in text.splitlines():
        columns = line.split("\t")
        if columns[0].isdigit() and "Case=" in columns[5]:
            forms.add(columns[1])
    seen = np.array([r["form"] in forms for r in records])
    assert metrics["overlap_test"] == seen.mean()
    assert metrics["test_accuracy_seen_forms"] == right[seen].mean()
    assert metrics["test_accuracy_unseen_forms"] == right[~seen].mean()


def test_the_interval_is_over_sentences(instances):
    """A sentence all right, one all wrong: words would say 0.1 to 0.9, sentences know nothing."""
    model = probe(instances)
    right = torch.tensor([[9.0, 0.0]] * 20)
    label = torch.tensor([0] * 10 + [1] * 10)
    lengths = torch.tensor([10, 10])
    scores = model.new_scores()
    model.observe(scores, [{"logits": right}], [{"label": label, "lengths": lengths}])
    assert scores.get_metric()["accuracy"] == 0.5
    assert scores.intervals()["accuracy"] == pytest.approx((0, 1), abs=0.01)


def other_test_data(fixtures, tmp_path):
    """The treebank with a case, and a relation, that are in its test file alone."""
    for split in ("train", "dev", "test"):
        text = (fixtures / f"raw/finnish-ud-{split}.conllu").read_text(encoding="utf-8")
        if split == "test":
            text = text.replace("Case=Nom", "Case=Xyz").replace("\tnsubj\t", "\txyz\t")
        (tmp_path / f"other-{split}.conllu").write_text(text, encoding="utf-8")
    return str(tmp_path / "other")


@pytest.mark.parametrize("name, label", [("tagging", "Xyz"), ("edges", "xyz")])
def test_labels_of_the_test_data_stay_unknown(
    train, treebank, fixtures, tmp_path, monkeypatch, name, label
):
    treebank("Case")
    monkeypatch.setenv("TREEBANK", other_test_data(fixtures, tmp_path))
    changes = {"model": {"relation_head": {"type": "linear"}}} if name == "edges" else {}
    metrics = train(name, trainer={"num_epochs": 2}, **changes)
    for file in (tmp_path / "run/vocabulary").glob("*labels.txt"):
        assert label not in file.read_text(encoding="utf-8").split()
    if name == "tagging":
        assert metrics["num_labels"] == 12 and metrics["test_unseen_labels"] == 11
        assert metrics["test_accuracy"] <= 14 / 25


def test_several_reading_processes_change_nothing(train, treebank, tmp_path):
    treebank("Case")
    settings = {"trainer": {"num_epochs": 5}}
    plain = train("tagging", "plain", **settings)
    loader = {"num_workers": 2, "shuffle": True}
    several = train(
        "tagging",
        "several",
        validation_data_loader=loader,
        data_loader={"num_workers": 2},
        **settings,
    )
    for name in ("test_accuracy_seen_forms", "test_accuracy_unseen_forms", "test_accuracy"):
        assert several[name] == plain[name]
    assert several["test_bits"] == pytest.approx(plain["test_bits"])
    words = [
        [json.loads(line)["line"] for line in (tmp_path / folder / "test_predictions.jsonl").open()]
        for folder in ("plain", "several")
    ]
    assert words[0] == words[1] == sorted(words[0])


def test_unknown_words_are_those_that_are_asked_for(train, tmp_path, monkeypatch):
    """The vectors know the parts *in* and *dem*, but not the token *im*."""
    rows = """
    1   Er   _ PRON _ _ 2 nsubj
    2   ist  _ VERB _ _ 0 root
    3-4 im   _ _ _ _ _ _
    3   in   _ ADP  _ _ 5 case
    4   dem  _ DET  _ _ 5 det
    5   Zoo  _ NOUN _ _ 2 obl
    """
    for split in ("train", "dev", "test"):
        write_conllu(tmp_path / f"de-{split}.conllu", rows)
    vectors = "".join(f"{word} 1 {n}\n" for n, word in enumerate(["Er", "ist", "in", "dem", "Zoo"]))
    (tmp_path / "de.vec").write_text(vectors)
    monkeypatch.setenv("TREEBANK", str(tmp_path / "de"))
    monkeypatch.setenv("TARGET", "upos")
    monkeypatch.setenv("VECTORS", str(tmp_path / "de.vec"))
    metrics = train("tagging", trainer={"num_epochs": 1})
    assert metrics["oov_test"] == pytest.approx(2 / 5) == metrics["multiword_test"]
    parts = train("tagging", "parts", dataset_reader={"multiword_tokens": "words"})
    assert parts["oov_test"] == 0 == parts["multiword_test"]
