"""Roles, entities and inference: each config trains on small data, and what comes out is true."""

import json

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch
from allennlp.models import load_archive
from allennlp.predictors import Predictor
from allennlp.training.metrics import CategoricalAccuracy, SpanBasedF1Measure

from linspector import main
from linspector_allennlp.commands.run_comparison import compare_runs
from linspector_allennlp.dataset_readers.ngram_indexer import NAMESPACE
from linspector_allennlp.jsonnet import evaluate
from linspector_allennlp.representations.archive_layer import ArchiveLayerEmbedder
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.table_rows import prediction_rows
from linspector_allennlp.suite.job import Job
from tests.conftest import ROOT, merged

CONFIGS = ROOT / "training_configs/downstream"
DATA = ROOT / "fixtures/downstream"
SMALL = {"hidden_size": 64}
CHANGES = {
    "srl": {
        "model": {"encoder": {**SMALL, "num_layers": 1, "dropout": 0.0}},
        "data_loader": {"batch_size": 8},
        "trainer": {"num_epochs": 8},
    },
    "char_trigram_srl": {
        "model": {"encoder": SMALL, "word_dim": 40, "ngram_dim": 30, "hidden_dim": 30},
        "data_loader": {"batch_size": 8},
        "trainer": {"num_epochs": 5},
    },
    "ner": {
        "model": {"model": {"encoder": SMALL}},
        "data_loader": {"batch_size": 8},
        "trainer": {"num_epochs": 6, "optimizer": {"lr": 0.005}},
    },
    "nli": {
        "model": {
            "model": {
                "encoder": SMALL,
                "projection_feedforward": {"input_dim": 512, "hidden_dims": 64},
                "inference_encoder": {"input_size": 64, "hidden_size": 64},
                "output_feedforward": {"input_dim": 512, "hidden_dims": 64},
                "output_logit": {"input_dim": 64},
            }
        },
        "data_loader": {"batch_sampler": {"batch_size": 16}},
        "trainer": {"num_epochs": 6, "optimizer": {"lr": 0.002}},
    },
}
MAIN = {
    "srl": "role_f1",
    "char_trigram_srl": "role_f1",
    "ner": "f1-measure-overall",
    "nli": "accuracy",
}


@pytest.fixture(scope="module")
def environment():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VECTORS", "char_ngrams")
        patch.setenv("XNLI_LANGUAGE", "fi")
        for name in ("SRL", "NER"):
            patch.setenv(f"{name}_DIR", str(DATA / name.lower() / "finnish"))
        patch.setenv("XNLI_DIR", str(DATA / "nli/finnish"))
        yield


@pytest.fixture(scope="module", params=MAIN)
def trained(request, environment, tmp_path_factory):
    """The name of a config, and the folder of its run."""
    folder = tmp_path_factory.mktemp(request.param) / "run"
    settings = Job(CONFIGS / f"{request.param}.jsonnet", folder).settings()
    Job(merged(settings, CHANGES[request.param]), folder).run()
    return request.param, folder


def test_it_learns(trained):
    name, folder = trained
    run = RunFolder.read(folder)
    metrics, record = run.metrics, run.record
    assert (record.main_metric, record.level, record.language) == (
        MAIN[name],
        "downstream",
        "finnish",
    )
    assert record.task == name.removeprefix("char_trigram_")
    baselines = [metrics[baseline] for baseline in record.baselines]
    assert len(baselines) >= 2
    score = metrics[f"test_{MAIN[name]}"]
    assert score > max(baselines) + 0.15
    assert metrics[f"test_{MAIN[name]}_low"] < score <= metrics[f"test_{MAIN[name]}_high"]


def test_its_sizes(trained):
    name, folder = trained
    record = RunFolder.read(folder).record
    words, lines = {"ner": ("ner", 60), "nli": ("nli", None)}.get(name, ("srl", 56))
    if name == "nli":
        assert record.sizes["test"] == {"items": 60}
        return
    text = (DATA / words / "finnish/test.txt").read_text(encoding="utf-8")
    blocks = [block.splitlines() for block in text.split("\n\n") if block.strip()]
    if name == "ner":
        sentences = [block for block in blocks if not block[0].startswith("-DOCSTART-")]
        items = sum(map(len, sentences))
    else:
        sentences = [block for block in blocks if len(block[0].split("\t")) > 14]
        items = sum(len(block) * (len(block[0].split("\t")) - 14) for block in sentences)
    assert record.sizes["test"] == {"items": items, "sentences": lines} and len(sentences) == lines


def srl_words(part):
    """The words of all sentences with a predicate, each sentence once."""
    text = (DATA / f"srl/finnish/{part}.txt").read_text(encoding="utf-8")
    rows = [[line.split("\t") for line in block.splitlines()] for block in text.split("\n\n")]
    return [row[1] for block in rows if block and len(block[0]) > 14 for row in block]


def trigrams(part):
    marked = (f"⟨{word.lower()}⟩" for word in srl_words(part))
    return {word[i : i + 3] for word in marked for i in range(max(1, len(word) - 2))}


def test_what_only_the_test_data_have_is_unknown(trained):
    """The trigrams of the vocabulary are those of the training data."""
    name, folder = trained
    if name != "char_trigram_srl":
        return
    known = set(load_archive(str(folder)).model.vocab.get_token_to_index_vocabulary(NAMESPACE))
    train, test = trigrams("train"), trigrams("test")
    assert test - train and not known & (test - train)
    assert len(known & train) > 50 and known - train == {"@@PADDING@@", "@@UNKNOWN@@"}


def test_words_of_several_predicates_count_once(trained):
    name, folder = trained
    if "srl" not in name:
        return
    metrics = RunFolder.read(folder).metrics
    seen, test = set(srl_words("train")), srl_words("test")
    unseen = sum(word not in seen for word in test)
    assert metrics["unseen_words_test"] == unseen / len(test) > 0


def test_the_scores_are_those_of_its_predictions_and_of_allennlp(trained):
    """Once more from the archive, with AllenNLP's metrics over what the model answers."""
    name, folder = trained
    run, archive = RunFolder.read(folder), load_archive(str(folder))
    reader = archive.validation_dataset_reader
    instances = list(reader.read(archive.config["test_data_path"]))
    batch = Batch(instances)
    for instance in instances:
        reader.apply_token_indexers(instance)
    batch.index_instances(archive.model.vocab)
    tensors = batch.as_tensor_dict()
    with torch.inference_mode():
        output = archive.model.eval()(**tensors)
    if name == "ner":
        metric = SpanBasedF1Measure(archive.model.vocab, "labels", label_encoding="BIOUL")
        best = torch.zeros(*tensors["tags"].shape, archive.model.num_tags)
        for row, tags in enumerate(output["tags"]):
            for word, tag in enumerate(tags):
                best[row, word, tag] = 1
        metric(best, tensors["tags"], output["mask"])
        expected = metric.get_metric()["f1-measure-overall"]
    elif name == "nli":
        metric = CategoricalAccuracy()
        metric(output["label_logits"], tensors["label"])
        expected = metric.get_metric()
    else:
        found, gold = set(), set()
        for number, (instance, roles) in enumerate(zip(instances, output["roles"])):
            found |= {(number, word, role) for word, role in enumerate(roles) if role != "O"}
            right = instance["metadata"].metadata["roles"]
            gold |= {(number, word, role) for word, role in enumerate(right) if role != "_"}
        expected = 2 * len(found & gold) / (len(found) + len(gold))
    assert run.metrics[f"test_{MAIN[name]}"] == pytest.approx(expected, abs=1e-6)
    assert archive.model.get_metrics()[MAIN[name]] == pytest.approx(expected, abs=1e-6)
    predictions = list(run.predictions("test"))
    assert len(predictions) == run.record.sizes["test"]["items"]
    right = sum(each["correct"] for each in predictions) / len(predictions)
    if name in ("ner", "nli"):
        assert run.metrics["test_accuracy"] == pytest.approx(right)


def test_a_comparison_says_what_is_compared(trained):
    """Not the F1, by which entities and roles are judged: this is no mean of items."""
    name, folder = trained
    run = RunFolder.read(folder)
    numbers = compare_runs(run, run, "test", False, 20, 13)
    assert numbers["measure"] == ("accuracy" if name == "nli" else "accuracy of tags")
    predictions = list(run.predictions("test"))
    right = sum(each["correct"] for each in predictions) / len(predictions)
    assert numbers["a"]["score"] == pytest.approx(right)
    rows = list(prediction_rows(run, "run"))
    assert [row["correct"] for row in rows] == [each["correct"] for each in predictions]


INPUTS = {
    "srl": {"sentence": "Nainen osti kirjan .", "predicate": 1},
    "char_trigram_srl": {"sentence": ["Nainen", "osti", "kirjan", "."], "predicate": 1},
    "ner": {"tokens": "Aino asuu Tammelassa ."},
    "nli": {"premise": "Koira nukkuu .", "hypothesis": "Koira ei nuku ."},
}


def run_command(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["linspector", *map(str, arguments)])
    main()


def test_the_archive_evaluates_and_predicts(trained, tmp_path, monkeypatch):
    name, folder = trained
    test = RunFolder.read(folder).provenance["data"]["test"]["path"]
    archive = folder / "model.tar.gz"
    run_command(monkeypatch, "evaluate", archive, test, "--output-file", tmp_path / "m.json")
    metrics = json.loads((tmp_path / "m.json").read_text())
    expected = RunFolder.read(folder).metrics[f"test_{MAIN[name]}"]
    assert metrics[MAIN[name]] == pytest.approx(expected, abs=1e-6)
    (tmp_path / "in.jsonl").write_text(json.dumps(INPUTS[name]) + "\n")
    run_command(
        monkeypatch, "predict", archive, tmp_path / "in.jsonl",
        "--output-file", tmp_path / "out.jsonl", "--silent",
    )  # fmt: skip
    (answer,) = map(json.loads, (tmp_path / "out.jsonl").open(encoding="utf-8"))
    if name == "nli":
        assert answer["label"] in ("entailment", "neutral", "contradiction")
    else:
        assert len(answer["tags" if name == "ner" else "roles"]) == 4
    if "srl" in name:
        assert (answer["predicate"], answer["roles"][3]) == (1, "O")


def test_what_no_predictor_takes(trained):
    name, folder = trained
    predictor = Predictor.from_path(str(folder / "model.tar.gz"))
    with pytest.raises(ValueError, match="item 1 of the input: expected {"):
        predictor.load_line("{}")
    if "srl" in name:
        with pytest.raises(ValueError, match="predicate: expected a number from 0, found '1'"):
            predictor.predict_json({**INPUTS[name], "predicate": "1"})


def test_the_weights_of_each_epoch_are_kept(trained):
    name, folder = trained
    kept = {path.name for path in folder.glob("model_state_e*_b0.th")}
    if name == "char_trigram_srl":
        assert kept == {f"model_state_e{epoch}_b0.th" for epoch in range(1, 6)}
    else:
        assert len(kept) <= 2


def test_the_layers_of_the_model_that_is_taken_apart(trained):
    """Its word vectors do not depend on the sentence, the states of its encoder do; epochs differ."""
    name, folder = trained
    if name != "char_trigram_srl":
        return

    def vectors(module, sentence, **settings):
        embedder = ArchiveLayerEmbedder(str(folder), module, **settings)
        return embedder.compute([tuple(sentence.split())])[0]

    words = vectors("words", "kirjan osti nainen")
    assert words.shape == (3, 40)
    assert torch.allclose(words[0], vectors("words", "kirjan")[0], atol=1e-6)
    states = vectors("encoder", "kirjan osti nainen")
    assert states.shape == (3, 128)
    assert not torch.allclose(states[0], vectors("encoder", "kirjan")[0], atol=1e-3)
    first = vectors("words", "kirjan", weights_file="model_state_e1_b0.th")
    assert not torch.allclose(first[0], words[0], atol=1e-3)


def test_the_settings_of_the_study(environment):
    def config(name):
        return Params.from_file(str(CONFIGS / f"{name}.jsonnet")).as_dict(quiet=True)

    for name, layers in (("srl", 2), ("char_trigram_srl", 1)):
        found = config(name)
        encoder, trainer = found["model"]["encoder"], found["trainer"]
        assert (encoder["hidden_size"], encoder["num_layers"]) == (200, layers)
        assert found["data_loader"]["batch_size"] == 32
        assert (trainer["patience"], trainer["validation_metric"]) == (3, "+role_f1")
        assert trainer["optimizer"] == {"type": "sgd", "lr": 1.0}
    found = config("ner")
    encoder, trainer = found["model"]["model"]["encoder"], found["trainer"]
    assert (encoder["hidden_size"], encoder["num_layers"], encoder["dropout"]) == (200, 2, 0.5)
    assert (trainer["num_epochs"], trainer["patience"]) == (20, 10)
    found = config("nli")
    model = found["model"]["model"]
    assert (model["encoder"]["hidden_size"], model["projection_feedforward"]["input_dim"]) == (
        300,
        2400,
    )
    assert model["inference_encoder"]["input_size"] == model["output_logit"]["input_dim"] == 300
    assert (found["trainer"]["num_epochs"], found["trainer"]["optimizer"]["lr"]) == (75, 0.0004)


def test_files_of_other_names(environment, fixtures):
    path = DATA / "ner/finnish"
    files = {"train": f"{path}/train.txt", "dev": f"{path}/dev.txt", "test": "eng.testb"}

    config = evaluate(
        "(import 'linspector/downstream.libsonnet').ner { data: std.parseJson(std.extVar('files')), "
        "representation: (import 'linspector/representations.libsonnet').char_ngrams() }",
        files=json.dumps(files),
    )
    assert config["train_data_path"] == files["train"] and config["test_data_path"] == "eng.testb"
