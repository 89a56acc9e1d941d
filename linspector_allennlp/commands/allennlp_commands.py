"""
AllenNLP's `train` and `evaluate`, once this package is loaded. `train` loses nothing to a mistake (see
`place_for_run`) and ends with the table of `probe-summary`; `evaluate` prints its scores. AllenNLP has no hook
for either, so the function behind each command is replaced here, and nowhere else. No command trusts an
archive (see `guarded`).
"""

import json
from functools import wraps
from typing import Any, Optional

import allennlp.commands
from allennlp.commands import evaluate, train
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import parse_overrides
from allennlp.models import Model
from allennlp.models.archival import Archive

from linspector_allennlp.commands.probe_summary import summarize
from linspector_allennlp.commands.tables import say, table
from linspector_allennlp.commands.wrong_kinds import naming_wrong_kinds
from linspector_allennlp.representations.archives import guarded
from linspector_allennlp.run_folders.run_place import check_is_run, place_for_run
from linspector_allennlp.runs.known_words import KnownWordsReader, skipping_embedders
from linspector_allennlp.suite.job import leaves_record
from linspector_allennlp.treebank_parts import treebank_part

_train_from_file = train.train_model_from_file
_evaluate = evaluate.evaluate_from_archive
_import = allennlp.commands.import_module_and_submodules


@wraps(_train_from_file)
def train_from_file(
    parameter_filename: str,
    serialization_dir: str,
    overrides: str = "",
    recover: bool = False,
    force: bool = False,
    **others: Any,
) -> Optional[Model]:
    if not isinstance(parse_overrides(overrides), dict):
        raise ConfigurationError(
            f"-o: expected an object, as '{{\"seed\": 3}}', found {overrides!r}."
        )
    params = Params.from_file(parameter_filename, overrides)
    if not isinstance(params.params, dict):
        raise ConfigurationError(
            f"{parameter_filename}: expected an object, found {params.params!r:.80}."
        )
    config = params.duplicate().as_dict(quiet=True)
    with naming_wrong_kinds(parameter_filename, config):
        if not leaves_record(config):
            if force:
                check_is_run(serialization_dir)
            return _train_from_file(
                parameter_filename, serialization_dir, overrides, recover, force, **others
            )
        with place_for_run(serialization_dir, config, recover, force) as place:
            model = train.train_model(params, place.folder, recover=place.recover, **others)
    if not others.get("dry_run"):
        say(f"\n{summarize([serialization_dir])}")
    return model


@wraps(_evaluate)
def evaluate_from_archive(archive_file: Any, input_file: str, **settings: Any) -> dict[str, Any]:
    # AllenNLP divides names at commas, and takes JSON as it is: a part may be of several files.
    if treebank_part(input_file) is not None:
        input_file = json.dumps(input_file)
    metrics = _evaluate(archive_file, input_file, **settings)
    numbers = {name: value for name, value in metrics.items() if isinstance(value, (int, float))}
    if numbers:
        say(table([["metric", "value"], *([k, f"{v:.4f}"] for k, v in numbers.items())]))
    return metrics


@wraps(guarded.load_archive)
def load_archive_to_evaluate(*args: Any, **settings: Any) -> Archive:
    """Its readers leave out what the run did (`unk: "skip"`)."""
    archive = guarded.load_archive(*args, **settings)
    skipping = skipping_embedders(archive.model)
    if not skipping:
        return archive
    return archive._replace(
        dataset_reader=KnownWordsReader(archive.dataset_reader, skipping),
        validation_dataset_reader=KnownWordsReader(archive.validation_dataset_reader, skipping),
    )


@wraps(_import)
def import_included(package_name: str, *args: Any, **settings: Any) -> None:
    """A package that `--include-package` names is trusted."""
    guarded.trust(package_name)
    _import(package_name, *args, **settings)


def install() -> None:
    guarded.install()
    allennlp.commands.import_module_and_submodules = import_included
    train.train_model_from_file = train_from_file  # type: ignore[assignment]
    evaluate.evaluate_from_archive = evaluate_from_archive  # type: ignore[assignment]
    evaluate.load_archive = load_archive_to_evaluate
