"""The checkpoints of a model that was trained: by epoch what embeds with the weights of that time."""

import math
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.missing_files import listed
from linspector_allennlp.run_folders.own_scores import OwnScores
from linspector_allennlp.run_folders.table_columns import fits
from linspector_allennlp.suite.changed_files import json_object

# AllenNLP's: after so many epochs, and no batch of the next one.
STATE = re.compile(r"model_state_e(\d+)_b0\.th")
FOLDER = re.compile(r"checkpoint-(\d+)")  # of Hugging Face's Trainer, after so many steps
ARCHIVE = "model.tar.gz"

# Of a model's own metrics the one that is shown, where its config does not say by which it was judged.
USUAL = ("accuracy", "f1-measure-overall", "f1", "LAS", "macro_f1", "uuas")


class Checkpoints(NamedTuple):
    """
    # Parameters

    name : `str`
        What the model is called.
    embedder : `Mapping[str, Any]`
        The settings of what embeds, without layers.
    epochs : `Mapping[int, Mapping[str, Any]]`
        By epoch (or step, as the names of the files say) what is another setting then.
    metrics : `Mapping[int, Mapping[str, float]]`
        By epoch the model's own scores on its validation data.
    judged_by : `Optional[str]`
        The metric that the model was judged by.
    """

    name: str
    embedder: Mapping[str, Any]
    epochs: Mapping[int, Mapping[str, Any]]
    metrics: Mapping[int, Mapping[str, float]]
    judged_by: Optional[str]

    @property
    def is_archive(self) -> bool:
        """Whether its layers are modules with names."""
        return self.embedder["type"] == "archive_layer"

    def chosen(self, epochs: Optional[Sequence[int]]) -> dict[int, Mapping[str, Any]]:
        """Those that are asked for; all if nothing is said."""
        missing = [epoch for epoch in epochs or () if epoch not in self.epochs]
        if missing:
            raise ConfigurationError(
                f"epochs: {self.name} has no {listed(map(str, missing))}, only "
                f"{listed(map(str, self.epochs))}. AllenNLP keeps all with trainer: {{ checkpointer: "
                "{ keep_most_recent_by_count: null } } in the config of the model."
            )
        return {epoch: self.epochs[epoch] for epoch in sorted(set(epochs or self.epochs))}

    def own_scores(self, metric: Optional[str] = None) -> Optional[OwnScores]:
        """Its own scores by epoch: by this metric, that it was judged by, or a usual one."""
        there = dict.fromkeys(name for scores in self.metrics.values() for name in scores)
        if metric is not None and metric not in there:
            raise ConfigurationError(
                f"own metric: {self.name} has no {metric}, only {listed(there) or 'nothing'}."
            )
        wanted = [metric, None if self.judged_by == "loss" else self.judged_by, *USUAL]
        found = next((name for name in wanted if name in there), None)
        if found is None:
            return None
        by_epoch = {n: scores[found] for n, scores in self.metrics.items() if found in scores}
        return OwnScores(self.name, found, "validation", dict(sorted(by_epoch.items())))


def find_checkpoints(sources: Sequence[str], name: Optional[str] = None) -> Checkpoints:
    """
    The checkpoints in the folder of an AllenNLP run, or in that of Hugging Face's Trainer; or several: archives
    and run folders of AllenNLP's, or folders of Hugging Face models. Several are numbered by the last number in
    their names, or else from 1.

    # Parameters

    sources : `Sequence[str]`
    name : `str`, optional
        What the model is to be called; by default as its folder.
    """
    for source in sources:
        if not os.path.exists(source):
            raise FileNotFoundError(f"{source}: there is no such archive or folder.")
    if len(sources) == 1:
        folder = Path(sources[0])
        folder = folder.parent if folder.name == ARCHIVE and _states(folder.parent) else folder
        if _states(folder):
            return _run(folder, name)
        inside = [path for path in folder.glob("*") if FOLDER.fullmatch(path.name)]
        sources = list(map(str, inside)) or sources
    paths = dict(zip(_numbers(sources), map(Path, sources)))
    ours = {number: _is_hugging_face(path) for number, path in paths.items()}
    if len(set(ours.values())) > 1:
        raise ConfigurationError(
            f"{listed(sources)}: expected models of AllenNLP's or of Hugging Face's, not both."
        )
    ordered = dict(sorted(paths.items()))
    called = name or _common_name(list(ordered.values()))
    return (_transformers if all(ours.values()) else _archives)(called, ordered)


def _run(folder: Path, name: Optional[str]) -> Checkpoints:
    """Epoch 1 is that after the first, whose scores AllenNLP writes as those of epoch 0."""
    metrics = {
        number: _scores(json_object(folder / f"metrics_epoch_{number - 1}.json"), "validation_")
        for number in _epochs_with_metrics(folder)
    }
    trainer = json_object(folder / "config.json").get("trainer")
    judged_by = trainer.get("validation_metric") if isinstance(trainer, dict) else None
    return Checkpoints(
        name or folder.resolve().name,
        {"type": "archive_layer", "archive": str(folder)},
        {number: {"weights_file": str(folder / file)} for number, file in _states(folder).items()},
        metrics,
        judged_by.lstrip("+-") if isinstance(judged_by, str) else None,
    )


def _archives(name: str, paths: Mapping[int, Path]) -> Checkpoints:
    """Scores beside several archives are those of one of them, nobody knows of which."""
    all_folders = {n: path if path.is_dir() else path.parent for n, path in paths.items()}
    of_folder = Counter(path.resolve() for path in all_folders.values())
    folders = {n: path for n, path in all_folders.items() if of_folder[path.resolve()] == 1}
    metrics = {
        n: _scores(json_object(path / "metrics.json"), "best_validation_")
        for n, path in folders.items()
    }
    first = next(iter(paths.values()))
    return Checkpoints(
        name,
        {"type": "archive_layer", "archive": str(first)},
        {number: {"archive": str(path)} for number, path in paths.items()},
        metrics,
        None,
    )


def _transformers(name: str, paths: Mapping[int, Path]) -> Checkpoints:
    """The last one's `trainer_state.json` has the scores of all."""
    last = list(paths.values())[-1]
    history = json_object(last / "trainer_state.json").get("log_history")
    metrics: dict[int, dict[str, float]] = {}
    for entry in history if isinstance(history, list) else ():
        if isinstance(entry, dict) and fits(entry.get("step"), int):
            metrics.setdefault(entry["step"], {}).update(_scores(entry, "eval_"))
    first = next(iter(paths.values()))
    return Checkpoints(
        name,
        {"type": "transformer_layer", "model": str(first)},
        {number: {"model": str(path)} for number, path in paths.items()},
        {step: scores for step, scores in metrics.items() if scores},
        None,
    )


def _states(folder: Path) -> dict[int, str]:
    """By epoch the file with its weights."""
    names = sorted(path.name for path in folder.glob("model_state_e*.th"))
    found = {int(match[1]): match[0] for match in map(STATE.fullmatch, names) if match}
    return dict(sorted(found.items()))


def _epochs_with_metrics(folder: Path) -> list[int]:
    names = (re.fullmatch(r"metrics_epoch_(\d+)", p.stem) for p in folder.glob("metrics_epoch_*"))
    return sorted(int(match[1]) + 1 for match in names if match)


def _numbers(sources: Sequence[str]) -> list[int]:
    names = [Path(source).resolve().name.removesuffix(".tar.gz") for source in sources]
    last = [re.findall(r"\d+", name)[-1:] for name in names]
    found = [int(number) for numbers in last for number in numbers]
    whole = len(set(found)) == len(sources)
    return found if whole else list(range(1, len(sources) + 1))


def _common_name(paths: Sequence[Path]) -> str:
    """The folder that all are in, or the beginning of all names."""
    parents = {path.resolve().parent for path in paths}
    if len(paths) > 1 and len(parents) == 1:
        return next(iter(parents)).name
    return paths[0].resolve().name.removesuffix(".tar.gz")


def _is_hugging_face(path: Path) -> bool:
    return path.is_dir() and bool(
        {"model_type", "architectures"} & json_object(path / "config.json").keys()
    )


def _scores(metrics: Mapping[str, Any], start: str) -> dict[str, float]:
    return {
        key.removeprefix(start): float(value)
        for key, value in metrics.items()
        if key.startswith(start) and fits(value, float) and math.isfinite(value)
    }
