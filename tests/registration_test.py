"""Everything has the name that its module has, and importing the package is enough to know it."""

import pytest
from allennlp.commands.subcommand import Subcommand
from allennlp.commands.train import TrainModel
from allennlp.data import DatasetReader, TokenIndexer
from allennlp.models import Model
from allennlp.modules import TokenEmbedder
from allennlp.predictors import Predictor
from allennlp.training import Trainer
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.metrics import Metric
from allennlp.training.optimizers import Optimizer

from linspector_allennlp.modules import ProbeHead

NAMES = {
    DatasetReader: ["single_form", "paired_forms", "token_in_context"],
    Model: ["single_form_probe", "paired_forms_probe", "token_in_context_probe"],
    Predictor: [
        "single_form", "paired_forms", "token_in_context",
        "single_form_probe", "paired_forms_probe", "token_in_context_probe",
    ],
    TokenIndexer: ["word_form"],
    TokenEmbedder: [
        "word_vectors", "fasttext_vectors", "bpe_vectors", "transformer_layer", "elmo_layer",
        "archive_layer", "precomputed", "char_ngrams", "random_vectors", "random_bilstm",
    ],
    ProbeHead: ["linear", "mlp", "low_rank"],
    Metric: ["label_report"],
    Trainer: ["frozen_probe"],
    TrainModel: ["probe_run"],
    Optimizer: ["fused_adam"],
    LearningRateScheduler: ["halve_on_plateau"],
    Subcommand: ["probe-cache", "probe-data", "probe-layers", "probe-summary"],
}  # fmt: skip


@pytest.mark.parametrize(
    "base, name", [(base, name) for base, names in NAMES.items() for name in names]
)
def test_registered(base, name):
    cls = base.by_name(name) if base is Subcommand else base.resolve_class_name(name)[0]
    assert cls.__module__.startswith("linspector_allennlp.")
    assert cls.__doc__


def test_nothing_of_ours_is_missing_here():
    for base, names in NAMES.items():
        ours = [
            name
            for name in base.list_available()
            if base.resolve_class_name(name)[0].__module__.startswith("linspector_allennlp.")
        ]
        assert sorted(ours) == sorted(names)
