"""
The commands. Each is a module with a `DESCRIPTION` and `add_arguments(parser)`, which says what to call as
`func`. This file imports none of them, nor AllenNLP, so that the list of commands is there at once.
"""

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from linspector_allennlp.installation import missing


class Command(NamedTuple):
    """
    # Parameters

    module : `str`
        Its module, below this package.
    summary : `str`
        One line for the list of commands.
    only_reads : `bool`, optional (default = `False`)
        Whether it only reads and writes files: its module imports neither AllenNLP nor torch.
    """

    module: str
    summary: str
    only_reads: bool = False

    def describe(self, parser: argparse.ArgumentParser) -> None:
        """Gives a parser the description and the arguments of this command."""
        module = import_module(f"{__name__}.{self.module}")
        parser.description = module.DESCRIPTION
        module.add_arguments(parser)


COMMANDS = {
    "new-config": Command("new_config", "list the starting configs, or write one of them", True),
    "probe-cache": Command("probe_cache", "list or remove the features that runs have kept", True),
    "probe-compare": Command("probe_compare", "tell whether one run is better than another", True),
    "probe-data": Command("data.probe_data", "make probing tasks, and audit task data"),
    "probe-diagnose": Command("probe_diagnose", "probe a model at several epochs of its training"),
    "probe-layers": Command("probe_layers", "list the modules of a trained AllenNLP model"),
    "probe-report": Command("probe_report", "make a page of the results of a study", True),
    "probe-selectivity": Command("probe_selectivity", "train a probe and its control task"),
    "probe-suite": Command("probe_suite", "train all probes of a study, and make its table"),
    "probe-summary": Command("probe_summary", "show the scores of finished runs and studies", True),
    "probe-tree": Command("probe_tree", "draw the trees that a probe of syntax predicts"),
}

ALLENNLP_COMMANDS = {
    "train": "train what a config describes",
    "evaluate": "score a trained model on a data file",
    "predict": "show the answers of a trained model",
    "build-vocab": "build a vocabulary",
    "cached-path": "fetch a file into AllenNLP's cache, or list it",
    "checklist": "run a CheckList suite",
    "count-instances": "count the instances of a dataset",
    "diff": "compare two model checkpoints",
    "find-lr": "search a learning rate",
    "print-results": "collect the metrics of many runs",
    "push-to-hf": "upload a model to the Hugging Face hub",
    "test-install": "test the AllenNLP installation",
}


def overview() -> str:
    """The help of `linspector` itself."""
    return "\n".join(
        [
            "usage: linspector COMMAND ...",
            "",
            "What does a word, token or sentence representation know about morphology and syntax?",
            "Every probe run is one jsonnet file: linspector train CONFIG -s RUN",
            "",
            "Commands of linspector_allennlp:",
            *_list({name: command.summary for name, command in COMMANDS.items()}),
            "",
            "Commands of AllenNLP:",
            *_list(ALLENNLP_COMMANDS),
            "",
            "linspector COMMAND --help explains a command. linspector --version shows the versions.",
        ]
    )


def versions() -> str:
    """Our version, then AllenNLP's."""
    allennlp = missing() or f"allennlp {version('allennlp')}"
    return f"linspector_allennlp {version('linspector_allennlp')}\n{allennlp}"


def check_name(name: str, arguments: Sequence[str] = ()) -> None:
    """Refuses a mistyped name, unless it may be that of a command in a plugin of the user's."""
    known = [*COMMANDS, *ALLENNLP_COMMANDS]
    near = get_close_matches(name, known, n=2, cutoff=0.7)
    if name not in known and near and not _other_plugins(arguments):
        raise ValueError(f"there is no command {name}. Did you mean {' or '.join(near)}?")


def _other_plugins(arguments: Sequence[str]) -> bool:
    """Whether AllenNLP would load another plugin than ours."""
    lists = (Path(".allennlp_plugins"), Path.home() / ".allennlp" / "plugins")
    named = {name for file in lists if file.is_file() for name in file.read_text().split()}
    return bool(named - {"linspector_allennlp"}) or any(
        argument.startswith("--include-package") for argument in arguments
    )


def _list(commands: dict[str, str]) -> list[str]:
    return [f"  {name:18} {summary}" for name, summary in commands.items()]
