"""Probing of word, token and sentence representations, as a plugin for AllenNLP."""

# ruff: noqa: E402 -- what is missing is said before anything that misses it is imported
from importlib.metadata import version
from typing import TYPE_CHECKING

from linspector_allennlp.installation import check

__version__: str

check()

import linspector_allennlp.commands.subcommands
import linspector_allennlp.dataset_readers
import linspector_allennlp.encoders
import linspector_allennlp.models
import linspector_allennlp.predictors
import linspector_allennlp.representations
import linspector_allennlp.runs
import linspector_allennlp.training  # noqa: F401
from linspector_allennlp.jsonnet import find_libraries
from linspector_allennlp.late_models import find_models_late

find_libraries()
find_models_late()


if not TYPE_CHECKING:  # a type checker would take any name for one that is here

    def __getattr__(name: str) -> str:
        """The version, from setup.cfg through what pip knows; a clone that is not installed has none."""
        if name == "__version__":
            return version(__name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
