import argparse
import copy
import os
import sys
from contextlib import redirect_stdout
from typing import Any

from allennlp.commands.subcommand import Subcommand
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.analysis.selectivity import can_be_learned, selectivity
from linspector_allennlp.commands.tables import percent, table
from linspector_allennlp.io.files import write_json
from linspector_allennlp.suite.results import RunFolder
from linspector_allennlp.suite.scored_items import ScoredItems, score_predictions

BASELINES = ("majority", "suffix", "form")
READERS = ("dataset_reader", "validation_dataset_reader")


@Subcommand.register("probe-selectivity")
class ProbeSelectivity(Subcommand):
    """Trains a probe on its task and on the control task, and tells how selective it is."""

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        description = (
            "Trains a probe on its task and, on the same features, on the control task, in which every "
            "word type has a random label. The difference of the two accuracies is the probe's "
            "selectivity: how much of its accuracy it cannot owe to learning by heart."
        )
        subparser = parser.add_parser(self.name, description=description, help=description)
        subparser.add_argument("config", metavar="CONFIG", help="of the probe run on the task")
        subparser.add_argument(
            "-s",
            "--serialization-dir",
            required=True,
            metavar="OUT",
            help="for the runs (OUT/task, OUT/control) and selectivity.json",
        )
        subparser.add_argument(
            "-o", "--overrides", default="", metavar="JSON", help="changes to the config"
        )
        subparser.add_argument("--control-seed", type=int, default=13, help="of the control labels")
        again = subparser.add_mutually_exclusive_group()
        again.add_argument("-f", "--force", action="store_true", help="replace what is in OUT")
        again.add_argument(
            "-r", "--recover", action="store_true", help="go on with runs that were interrupted"
        )
        subparser.set_defaults(func=lambda args: print(probe_selectivity(args)))
        return subparser


def probe_selectivity(args: argparse.Namespace) -> str:
    """Trains the two runs, writes `selectivity.json`, and gives what the command prints."""
    config = Params.from_file(args.config, args.overrides).as_dict(quiet=True)
    check_config(args.config, config)
    check_folders(args)
    task = _train(config, args, "task")
    control_run = control_config(config, args.control_seed, can_be_learned(task.metrics))
    control = _train(control_run, args, "control")
    numbers = selectivity(task.metrics, control.metrics, _items(task), _items(control))
    numbers.update(task=task.task, representation=task.representation)
    numbers.update(control_seed=args.control_seed, seed=task.provenance["seed"])
    write_json(os.path.join(args.serialization_dir, "selectivity.json"), numbers)
    return describe(numbers)


def check_config(path: str, config: dict[str, Any]) -> None:
    tested = "test_data_path" in config and config.get("evaluate_on_test", True)
    if config.get("type") != "probe_run" or not tested:
        raise ConfigurationError(
            f'{path}: expected a config of a probe run ("type": "probe_run") with test data.'
        )
    if config["dataset_reader"].get("type") == "control_task":
        raise ConfigurationError(f"{path} is a control task already: expected the task itself.")
    model = config["model"].get("type")
    if model in ("distance_probe", "depth_probe", "perceptron_probe"):
        raise ConfigurationError(
            f"{path}: there is no control task for {model}: control edges make no tree. The control of "
            "dependency edges is for edge_probe (training_configs/edges.jsonnet)."
        )


def check_folders(args: argparse.Namespace) -> None:
    """Refuses to write into runs that are there, before anything is trained."""
    for name in ("task", "control"):
        folder = os.path.join(args.serialization_dir, name)
        if os.path.exists(folder) and os.listdir(folder) and not (args.force or args.recover):
            raise ConfigurationError(
                f"{folder} is there and not empty. -f starts anew and removes what is in it; "
                "--recover goes on with runs that were interrupted."
            )


def control_config(config: dict[str, Any], seed: int, learnable: bool) -> dict[str, Any]:
    """
    The config of the control task. One that cannot be learned is validated on its own training data:
    the best epoch is the one that has most of them by heart.
    """
    config = copy.deepcopy(config)
    for name in READERS:
        if name in config:
            config[name] = {
                "type": "control_task",
                "reader": config[name],
                "train_data_path": config["train_data_path"],
                "seed": seed,
            }
    config["model"].pop("relation_head", None)  # control edges have no relations
    if not learnable:
        config["validation_data_path"] = config["train_data_path"]
    return config


def describe(numbers: dict[str, Any]) -> str:
    """The numbers as text for a terminal, in percent."""
    rows = [
        ["", "accuracy", "95 % interval"],
        ["task", *_with_interval(numbers, "task_accuracy")],
        ["control", *_with_interval(numbers, "control_accuracy")],
    ]
    if numbers["selectivity"] is not None:
        rows.append(["selectivity", *_with_interval(numbers, "selectivity")])
    lines = [
        f"{numbers['task']}, {numbers['representation']}",
        table(rows),
        "Baselines of the task: "
        + ", ".join(f"{name} {percent(numbers[f'baseline_{name}'])}" for name in BASELINES)
        + ".",
        f"{percent(numbers['type_overlap'])} % of the test items have a word type of the training data; "
        f"who knows these by heart scores {percent(numbers['control_ceiling'])} on the control task, "
        f"and the majority label {percent(numbers['control_majority'])}.",
    ]
    if numbers["selectivity"] is None:
        lines.append(
            "So few word types of the test data are in the training data that a label that depends on "
            "the type alone cannot be told there: the control is at chance by construction. Instead, "
            "how much of the control's training data the probe learned by heart: "
            f"{percent(numbers['memorisation'])} %."
        )
    return "\n\n".join(lines)


def _train(config: dict[str, Any], args: argparse.Namespace, name: str) -> RunFolder:
    folder = os.path.join(args.serialization_dir, name)
    recover = args.recover and os.path.exists(folder)
    with redirect_stdout(sys.stderr):  # where AllenNLP logs: what this command says stays alone
        train_model(Params(copy.deepcopy(config)), folder, recover=recover, force=args.force)
    return RunFolder.read(folder)


def _items(run: RunFolder) -> ScoredItems:
    return score_predictions(run.predictions("test"), f"{run.path}, test predictions")


def _with_interval(numbers: dict[str, Any], name: str) -> list[str]:
    low, high = numbers[f"{name}_low"], numbers[f"{name}_high"]
    return [percent(numbers[name]), f"{percent(low)} – {percent(high)}"]
