"""Attention over the pieces of words, in whole runs of every kind of probe."""

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import load_archive

from tests.representations.tiny_transformers import make_bert

SHORT = {"num_epochs": 2}


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return str(make_bert(tmp_path_factory.mktemp("bert"), positions=120))


@pytest.fixture
def vectors(bert):
    return f"transformer:{bert}:1:pool=attention:max_pieces=20"


@pytest.mark.parametrize("config", ["tagging", "edges", "depth", "distance"])
def test_probes_of_treebanks(config, vectors, treebank, train, tmp_path):
    treebank("upos", vectors)
    train(config, trainer=SHORT)
    model = load_archive(str(tmp_path / "run/model.tar.gz")).model
    assert model.head.query.abs().max() > 0 and model.feature_dim == 12


@pytest.mark.parametrize("config, level, task", [
    ("paired_forms", "type_level", "OddFeat"), ("token_in_context", "token_level", "Case"),
])  # fmt: skip
def test_the_archive_gives_what_the_run_gave(
    config, level, task, vectors, environment, train, tmp_path
):
    """From raw text, by `forward`; the run itself scored stored features."""
    environment(task, level, vectors)
    metrics = train(config, trainer=SHORT)
    archive = load_archive(str(tmp_path / "run/model.tar.gz"))
    model, reader = archive.model.eval(), archive.dataset_reader
    instances = list(reader.read(archive.config["test_data_path"]))
    for output in model.forward_on_instances(instances):
        assert set(output["probabilities"]) == set(model.label_names)
    assert model.get_metrics()["accuracy"] == pytest.approx(metrics["test_accuracy"])
    features = model.represent_instances(instances[:3])
    words = 2 if config == "paired_forms" else 1
    assert features.shape == (3, words * (20 * 12 + 1))
    assert model.head.query.dtype == torch.float32


def test_classifiers_without_gradients(vectors, environment, train):
    environment("Case", "type_level", vectors)
    with pytest.raises(ConfigurationError, match="Attention over pieces is trained by gradients"):
        train("single_form", model={"head": {"type": "sklearn", "classifier": "GaussianNB",
                                             "hidden_dims": None, "dropout": None}})  # fmt: skip
