import inspect
import logging
import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Union

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.data import DatasetReader
from allennlp.models import Model
from allennlp.training import Trainer

from linspector_allennlp.formats import NamedTask, task_of
from linspector_allennlp.io.files import PathLike, sha256, write_json
from linspector_allennlp.io.json_objects import read_json_object
from linspector_allennlp.models.sized_model import inner_model
from linspector_allennlp.representations.word_embedder import all_word_embedders
from linspector_allennlp.run_folders.run_record import Column, RunRecord, config_digest
from linspector_allennlp.runs.transfer import transfer_of
from linspector_allennlp.sentence_files import part_of
from linspector_allennlp.training.split import Split
from linspector_allennlp.treebank_parts import data_files, treebank_part

logger = logging.getLogger(__name__)

REPRESENTATION_KEYS = ("type", "text_field_embedder")

DEFAULT_EPOCHS = 20
"""Of `frozen_probe` and of `gradient_descent`."""

SHOWN = 0.0005
"""A difference of scores that can be seen in percent with one decimal."""

LEARNED = 0.02
"""What a probe has more of its training data right than the majority label, if it has learned anything."""

PACKAGES = ("linspector_allennlp", "allennlp", "torch", "numpy", "scipy", "transformers")


def provenance(
    model: Model,
    reader: DatasetReader,
    splits: Mapping[str, Split],
    seed: int,
) -> dict[str, Any]:
    """The origin of a run: its seed, the versions, and the content of the files it read."""
    task = getattr(reader, "task", None)
    transfer = transfer_of(task, splits)
    if transfer and splits["test"].indexers != splits["train"].indexers:
        transfer["representation"] = _representation(model, splits["test"])
    return {
        "seed": seed,
        "versions": {"python": platform.python_version(), **_versions()},
        "platform": platform.platform(),
        "device": "cuda" if torch.cuda.is_available() else "cpu",
        "task": task,
        "data": {
            split.name: {
                **_files(split.paths),
                **split.sizes(),
                **({"left_out": split.left_out} if split.left_out else {}),
                **({"skipped": split.skipped} if split.skipped else {}),
            }
            for split in splits.values()
        },
        "representation": _representation(model, splits["train"]),
        **({"transfer": transfer} if transfer else {}),
    }


def _representation(model: Model, split: Split) -> list[dict[str, Any]]:
    return [
        {**module.provenance(), "type": module.registered_name}
        for module in all_word_embedders(model, split.indexers)
    ]


def _files(paths: Sequence[str]) -> dict[str, Any]:
    """The path that names the data, and its files where these are several or it is not theirs."""
    if all(treebank_part(path) is None for path in paths):
        files = list(map(_file, paths))
        return files[0] if len(files) == 1 else {"path": files[0]["path"], "files": files}
    names = dict.fromkeys(file for path in paths for file in data_files(path))
    return {"path": paths[0], "files": list(map(_file, names))}


def _file(path: str) -> dict[str, str]:
    """A data file by its path and content; some readers take a folder, or several files."""
    try:
        local = cached_path(part_of(path)[0])
    except (FileNotFoundError, ValueError):
        return {"path": path}
    name = path if "://" in path else os.path.normpath(path)
    return {"path": name, **({"sha256": sha256(local)} if os.path.isfile(local) else {})}


def read_config(folder: PathLike) -> dict[str, Any]:
    """The config of a run, as AllenNLP has written it there."""
    return read_json_object(os.path.join(folder, "config.json"))


def record_of_run(
    kind: str,
    config: Mapping[str, Any],
    made_by: Mapping[str, Any],
    sizes: dict[str, dict[str, int]],
    **of_model: Any,
) -> RunRecord:
    """The record of a run, but for its seconds; `of_model` are the fields that its model decides."""
    task, data = made_by["task"] or {}, made_by["data"]["train"]
    model = inner_model(config["model"])
    # The folders of somebody else's data tell nothing.
    named = _named(task, data["path"])
    control = {
        name.removeprefix("control_"): value
        for name, value in task.items()
        if name.startswith("control_")
    }
    if not of_model:
        metric = config["trainer"].get("validation_metric") or _default_metric(config["trainer"])
        main_metric = (metric if isinstance(metric, str) else metric[0]).lstrip("+-")
        of_model = {
            "main_metric": main_metric,
            "columns": [Column(f"test {main_metric}", f"test_{main_metric}", "number")],
        }
    return RunRecord(
        kind=kind,
        level=task.get("level"),
        task=named.task,
        language=named.language,
        target=task.get("target"),
        control=control or None,
        probe=model.get("type", "").rpartition(".")[2] or None,
        settings={k: v for k, v in model.items() if k not in REPRESENTATION_KEYS},
        representation=made_by["representation"],
        transfer=made_by.get("transfer"),
        seed=made_by["seed"],
        sizes=sizes,
        versions=made_by["versions"],
        config=config_digest(config),
        **of_model,
    )


def _named(task: Mapping[str, Any], path: str) -> NamedTask:
    if not task:
        return NamedTask(None, None)
    if "downstream" not in task:
        return task_of(path, is_treebank="target" in task)
    is_treebank = treebank_part(path) is not None or ".conllu" in os.path.basename(path)
    named = task_of(path, is_treebank)
    # Of a treebank in no known language, the name of its files.
    return NamedTask(task["downstream"], named.language or named.task)


def _default_metric(trainer: Mapping[str, Any]) -> Union[str, list[str]]:
    """The validation metric of a trainer whose config names none."""
    name = trainer.get("type") or Trainer.default_implementation
    cls, constructor = Trainer.resolve_class_name(name)
    settings = inspect.signature(getattr(cls, constructor or "__init__")).parameters
    return settings["validation_metric"].default if "validation_metric" in settings else "-loss"


def record_provenance(folder: str, made_by: dict[str, Any]) -> None:
    """
    Writes `provenance.json` into a run folder. A run that is taken up again must be made by what
    it was begun with: other data or vectors are refused.
    """
    path = os.path.join(folder, "provenance.json")
    if os.path.exists(path):
        begun_with = read_json_object(path)
        for part in ("task", "data", "representation", "transfer", "encoder", "folds"):
            if begun_with.get(part) != made_by.get(part):
                raise ConfigurationError(
                    f"{folder}: the {part} files are not those that this run was begun with; it "
                    f"had {begun_with.get(part)}, now there is {made_by.get(part)}. Train anew with -f."
                )
    write_json(path, made_by)


def warn_of_result(
    folder: str,
    metrics: Mapping[str, Any],
    main_metric: str,
    baselines: Iterable[str],
    others: Iterable[str] = (),
) -> None:
    """
    Adds warnings to `provenance.json` if a run was ended by its limit and might have got better, if it has
    not even learned its training data, and if its score is below these baselines; and the `others`.
    """
    path = os.path.join(folder, "provenance.json")
    made_by = read_json_object(path)
    found = [
        *_limit(folder, metrics),
        *_not_learned(folder, metrics),
        *_below_baselines(metrics, main_metric, baselines),
        *others,
    ]
    for warning in found:
        logger.warning(warning)
    new = [warning for warning in found if warning not in made_by["warnings"]]
    if new:
        write_json(path, {**made_by, "warnings": [*made_by["warnings"], *new]})


def _limit(folder: str, metrics: Mapping[str, Any]) -> Iterator[str]:
    last = int(read_config(folder)["trainer"].get("num_epochs", DEFAULT_EPOCHS)) - 1
    if metrics.get("best_epoch") == last and last >= 1:
        yield (
            f"the best epoch, {last}, is the last that num_epochs allows: the probe might have got "
            f"better (trainer+: {{ num_epochs: {10 * (last + 1)} }})"
        )


def _not_learned(folder: str, metrics: Mapping[str, Any]) -> Iterator[str]:
    trained, majority = metrics.get("training_accuracy"), metrics.get("baseline_majority")
    if trained is None or majority is None or trained - majority >= LEARNED:
        return
    is_probe = "head" in read_config(folder)["model"]
    advice = (
        "Sigmoid units do not learn from large numbers: try another head, as "
        "model+: { head: { type: 'linear' } }, or another learning rate"
        if is_probe
        else "Try more epochs or another learning rate"
    )
    yield (
        f"the {'probe' if is_probe else 'model'} has only {100 * trained:.1f} % of its training data "
        f"right, hardly more than the majority label ({100 * majority:.1f} %): its training has failed, "
        f"or the task cannot be learned. That says nothing about the representation. {advice}"
    )


def _below_baselines(
    metrics: Mapping[str, Any], main_metric: str, baselines: Iterable[str]
) -> Iterator[str]:
    score = metrics.get(f"test_{main_metric}")
    if score is None:
        return
    higher = [
        f"{_plain(name.removesuffix(f'_{main_metric}'))} ({100 * metrics[name]:.1f} %)"
        for name in baselines
        if metrics.get(name) is not None and metrics[name] - score >= SHOWN
    ]
    if higher:
        yield (
            f"the test {main_metric.replace('_', ' ')}, {100 * score:.1f} %, is below what needs no "
            f"representation: {', '.join(higher)}"
        )


def _plain(baseline: str) -> str:
    return baseline.removeprefix("baseline_").replace("_", " ")


@cache
def _versions() -> dict[str, str]:
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions
