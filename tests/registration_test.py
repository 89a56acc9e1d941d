"""Everything has the name that its module has, and importing the package is enough to know it."""

import inspect

import pytest
from allennlp.commands.subcommand import Subcommand
from allennlp.commands.train import TrainModel
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, TokenIndexer, Tokenizer
from allennlp.models import Model
from allennlp.modules import TokenEmbedder
from allennlp.predictors import Predictor
from allennlp.training import Trainer
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.metrics import Metric
from allennlp.training.optimizers import Optimizer

from linspector_allennlp.downstream import DownstreamTask
from linspector_allennlp.encoders import SentenceEncoder
from linspector_allennlp.modules import EdgeScorer, ProbeHead
from linspector_allennlp.training.folds import Folds

NAMES = {
    DatasetReader: [
        "single_form", "paired_forms", "token_in_context", "paired_tokens", "token_tags",
        "dependency_tree", "sentence_label", "control_task", "pos_tagging", "dependency_parsing",
        "semantic_roles", "named_entities", "nli",
    ],
    Model: [
        "single_form_probe", "paired_forms_probe", "token_in_context_probe", "tagging_probe",
        "paired_tokens_probe", "distance_probe", "perceptron_probe", "depth_probe", "edge_probe",
        "sentence_probe", "sized_model", "dependency_srl", "char_trigram_srl",
    ],
    Predictor: [
        "single_form", "paired_forms", "token_in_context", "paired_tokens", "paired_tokens_probe",
        "single_form_probe", "paired_forms_probe", "token_in_context_probe", "token_tags",
        "tagging_probe", "dependency_tree", "distance_probe", "perceptron_probe", "depth_probe",
        "edge_probe", "sentence_label", "sentence_probe", "sized_model", "semantic_roles", "dependency_srl",
        "char_trigram_srl",
    ],
    TokenIndexer: ["word_form", "feature_bag", "character_ngrams"],
    TokenEmbedder: [
        "word_vectors", "fasttext_vectors", "bpe_vectors", "transformer_layer", "elmo_layer",
        "elmo_for_many_langs", "archive_layer", "module_layers", "precomputed", "char_ngrams", "random_vectors",
        "random_bilstm", "feature_bag",
    ],
    SentenceEncoder: [
        "average", "max", "power_means", "sif", "gem", "hierarchical_pooling", "borep",
        "random_bilstm", "random_esn", "sentence_vector",
    ],
    ProbeHead: ["linear", "mlp", "low_rank", "sklearn"],
    DownstreamTask: ["pos", "dep", "srl", "ner", "nli"],
    Folds: ["k_fold", "leave_one_group_out", "random_subsets"],
    Tokenizer: ["words_and_punctuation"],
    EdgeScorer: ["bilinear", "mlp"],
    Metric: ["label_report", "sentence_scores", "semantic_dependencies"],
    Trainer: ["frozen_probe"],
    TrainModel: ["probe_run", "recorded_run"],
    Optimizer: ["fused_adam"],
    LearningRateScheduler: ["halve_on_plateau"],
    Subcommand: [
        "new-config",
        "probe-cache", "probe-compare", "probe-data", "probe-diagnose", "probe-layers", "probe-selectivity",
        "probe-report", "probe-suite", "probe-summary", "probe-tree",
    ],
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


def test_a_mistyped_setting_is_named_as_such():
    """AllenNLP hands all that it does not know to a constructor with `**others`: a bare TypeError."""
    for base, names in NAMES.items():
        if base in (Subcommand, TrainModel):
            continue
        for name in names:
            cls, constructor_name = base.resolve_class_name(name)
            constructor = getattr(cls, constructor_name or "__init__")
            kinds = [p.kind for p in inspect.signature(constructor).parameters.values()]
            assert inspect.Parameter.VAR_KEYWORD not in kinds, name


@pytest.mark.parametrize("name", ["tagging", "distance", "perceptron", "depth", "edges"])
@pytest.mark.parametrize("part", ["model", "dataset_reader"])
def test_a_mistyped_setting_of_a_config(name, part, train, treebank):
    treebank()
    with pytest.raises(ConfigurationError, match="Extra parameters passed to .*'rnak'"):
        train(name, **{part: {"rnak": 3}})
