"""Probing of word, token and sentence representations, as a plugin for AllenNLP."""

import linspector_allennlp.commands.subcommands
import linspector_allennlp.dataset_readers
import linspector_allennlp.encoders
import linspector_allennlp.models
import linspector_allennlp.predictors
import linspector_allennlp.representations
import linspector_allennlp.runs
import linspector_allennlp.training  # noqa: F401
from linspector_allennlp.jsonnet import find_libraries

find_libraries()
