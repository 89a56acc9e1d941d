import argparse
import os
from collections.abc import Mapping
from typing import Any, Union

from allennlp.common.checks import ConfigurationError
from allennlp.models import Model

from linspector_allennlp.analysis.selectivity import BASELINES, can_be_learned, selectivity
from linspector_allennlp.commands.run_warnings import warnings_of
from linspector_allennlp.commands.tables import percent, say, table
from linspector_allennlp.dataset_readers.control_task import PER
from linspector_allennlp.io.files import PathLike, write_json
from linspector_allennlp.run_folders.scored_items import scored_items
from linspector_allennlp.suite.job import Job, control_settings

DESCRIPTION = (
    "Trains a probe on its task and, on the same features, on the control task, in which every "
    "word type (of a sentence task: every sentence) has a random label. The difference of the two "
    "accuracies is the probe's selectivity: how much of its accuracy cannot come from memorising words."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", metavar="CONFIG", help="of the probe run on the task")
    parser.add_argument(
        "-s",
        "--serialization-dir",
        required=True,
        metavar="OUT",
        help="for the runs (OUT/task, OUT/control) and selectivity.json",
    )
    parser.add_argument(
        "-o", "--overrides", default="", metavar="JSON", help="changes to the config"
    )
    parser.add_argument("--control-seed", type=int, default=13, help="of the control labels")
    parser.add_argument(
        "--control-per",
        choices=PER,
        default=PER[0],
        help="what has a control label of its own: a word type, or each word of each sentence",
    )
    again = parser.add_mutually_exclusive_group()
    again.add_argument("-f", "--force", action="store_true", help="replace what is in OUT")
    again.add_argument(
        "-r", "--recover", action="store_true", help="go on with runs that were interrupted"
    )
    parser.set_defaults(func=_run)


def _run(args: argparse.Namespace) -> None:
    numbers = probe_selectivity(
        args.config,
        args.serialization_dir,
        overrides=args.overrides,
        control_seed=args.control_seed,
        control_per=args.control_per,
        force=args.force,
        recover=args.recover,
    )
    say(describe(numbers))


def probe_selectivity(
    config: PathLike,
    folder: PathLike,
    variables: Mapping[str, str] = {},
    overrides: Union[str, Mapping[str, Any]] = "",
    control_seed: int = 13,
    force: bool = False,
    recover: bool = False,
    control_per: str = "type",
) -> dict[str, Any]:
    """
    Trains a probe on its task (`FOLDER/task`) and on the control task (`FOLDER/control`), writes
    `selectivity.json`, and gives the numbers in it. For the parameters see `Job`.
    """
    of_task = Job(config, os.path.join(folder, "task"), variables, overrides)
    settings = of_task.settings()
    _check_settings(config, settings)
    _check_folders(folder, force or recover)
    task = of_task.run(force, recover)
    per_item = control_per == "item"
    learnable = can_be_learned(task.metrics) and not per_item
    of_control = control_settings(settings, control_seed, learnable, control_per)
    control = Job(of_control, os.path.join(folder, "control")).run(force, recover)
    numbers = selectivity(
        task.metrics,
        control.metrics,
        scored_items(task, "test"),
        scored_items(control, "test"),
        (control.record.control or {}).get("behaviours"),
        per_item,
    )
    numbers.update(task=task.task, level=task.record.level, representation=task.representation)
    numbers.update(control_seed=control_seed, seed=task.record.seed)
    if per_item:
        numbers["control_per"] = control_per
    numbers["warnings"] = warnings_of({"task": task, "control": control})
    write_json(os.path.join(folder, "selectivity.json"), numbers)
    return numbers


def _check_settings(config: PathLike, settings: Mapping[str, Any]) -> None:
    tested = "test_data_path" in settings and settings.get("evaluate_on_test", True)
    tested = tested or "folds" in settings
    if settings.get("type") != "probe_run" or not tested:
        raise ConfigurationError(
            f'{config}: expected a config of a probe run ("type": "probe_run") with test data.'
        )
    if settings["dataset_reader"].get("type") == "control_task":
        raise ConfigurationError(f"{config} is a control task already: expected the task itself.")
    if settings.get("transfer"):
        raise ConfigurationError(
            f"{config}: expected a run that is tested in the language of its training, found a transfer: the "
            "words of another language have control labels that training tells nothing about."
        )
    model = settings["model"].get("type")
    if not getattr(Model.resolve_class_name(model)[0], "has_control_task", False):
        raise ConfigurationError(
            f"{config}: there is no control task for {model}: control edges make no tree. The control of "
            "dependency edges is for edge_probe (training_configs/edges.jsonnet)."
        )


def _check_folders(output: PathLike, may_be_there: bool) -> None:
    """Refuses to write into runs that are there, before anything is trained."""
    for name in ("task", "control"):
        folder = os.path.join(output, name)
        if os.path.exists(folder) and os.listdir(folder) and not may_be_there:
            raise ConfigurationError(
                f"{folder} is there and not empty. -f replaces the runs, each when the new one is "
                "finished; --recover resumes runs that were interrupted."
            )


def describe(numbers: dict[str, Any]) -> str:
    """The numbers as text for a terminal, in percent."""
    unit = "sentence type" if numbers.get("level") == "sentence" else "word type"
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
        + ", ".join(
            f"{name.removeprefix('baseline_')} {percent(numbers[name])}"
            for name in BASELINES
            if name in numbers
        )
        + ".",
        f"{percent(numbers['type_overlap'])} % of the test items have a {unit} of the training data; "
        f"memorising these would score {percent(numbers['control_ceiling'])} on the control task; always "
        f"answering the majority label, {percent(numbers['control_majority'])}.",
    ]
    if "control_per" in numbers:
        lines[-1] = (
            "Every item has a control label of its own, which training tells nothing about: always answering "
            f"the majority label would score {percent(numbers['control_majority'])}. The probe has memorised "
            f"{percent(numbers['memorisation'])} % of the control's training data."
        )
    elif numbers["selectivity"] is None:
        lines.append(
            f"Too few {unit}s of the test data are in the training data: there, a label that depends on "
            "the type alone is at chance by construction. Instead, this is how much of the control's "
            f"training data the probe has memorised: {percent(numbers['memorisation'])} %."
        )
    if numbers["warnings"]:
        lines.append("\n".join(f"Warning: {warning}" for warning in numbers["warnings"]))
    return "\n\n".join(lines)


def _with_interval(numbers: dict[str, Any], name: str) -> list[str]:
    low, high = numbers[f"{name}_low"], numbers[f"{name}_high"]
    return [percent(numbers[name]), f"{percent(low)} – {percent(high)}"]
