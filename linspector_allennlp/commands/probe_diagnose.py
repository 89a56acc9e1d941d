import argparse
import json
from collections.abc import Sequence
from typing import Any, Optional

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.analysis.epoch_table import epoch_table
from linspector_allennlp.commands.probe_layers import describe_layers, extra_inputs_of
from linspector_allennlp.commands.probe_suite import train_and_show
from linspector_allennlp.commands.tables import percent, table
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.run_folders.own_scores import own_scores_of
from linspector_allennlp.run_folders.results_file import read_results
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite.changes import merged
from linspector_allennlp.suite.checkpoints import Checkpoints, find_checkpoints
from linspector_allennlp.suite.diagnosis import QUICK, diagnosis_suite
from linspector_allennlp.suite.suite import Suite

DESCRIPTION = (
    "Probes the layers of a model at several epochs of its training, and shows their scores beside the model's "
    "own. All layers of an epoch are computed in one pass. The same command goes on with what is missing, and "
    "`probe-report STUDY` draws the curves."
)

EXAMPLE = """\
examples:

  linspector probe-layers tagger
  linspector probe-diagnose tagger --layers text_field_embedder,encoder#0,encoder#1 --epochs 2,8,20 \\
      --tasks DATA/*/finnish -s STUDY
  linspector probe-diagnose trainer_output --layers 0,6,12 --tasks DATA/*/finnish -s STUDY

docs/diagnosis.md says more."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "sources", nargs="+", metavar="RUN",
        help="the folder of an AllenNLP run with kept checkpoints, or of Hugging Face's Trainer; or several: "
        "archives, run folders, checkpoint-500 checkpoint-1000 …",
    )  # fmt: skip
    parser.add_argument(
        "-s", "--serialization-dir", required=True, metavar="STUDY",
        help="the folder of the study, as that of probe-suite",
    )  # fmt: skip
    parser.add_argument(
        "--layers", metavar="A,B",
        help="modules, as encoder#0,encoder (probe-layers lists them); of a transformer numbers (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--epochs", metavar="N,N", help="the first is 1 (default: all that were kept)"
    )
    parser.add_argument(
        "--tasks", nargs="+", required=True, metavar="FOLDER", help="as DATA/Case/finnish"
    )
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="of probes (default: 1)")
    parser.add_argument("--control", action="store_true", help="train the control tasks, too")
    parser.add_argument(
        "--quick", action="store_true",
        help="larger batches and fewer epochs of the probes: cheaper, and some scores are up to 3 points lower",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--overrides", default="", metavar="JSON",
        help="""changes to the suite, as '{"config": {"data_loader": {"batch_size": 64}}}'""",
    )  # fmt: skip
    parser.add_argument("--own-metric", metavar="METRIC", help="which score of the model is shown")
    parser.add_argument("--name", help="what the model is called (default: as its folder)")
    parser.add_argument(
        "--package", dest="packages", action="append", metavar="PACKAGE",
        help="a Python package with classes of the model; it is imported and trusted",
    )  # fmt: skip
    parser.add_argument(
        "--extra-inputs", metavar="JSON",
        help="""what the dataset reader needs besides words, e.g. '{"upos_tags": "X"}'""",
    )  # fmt: skip
    parser.add_argument(
        "--workers", type=int, metavar="N",
        help="how many processes train (default: as many as there are cores)",
    )  # fmt: skip
    parser.add_argument(
        "--dry-run", action="store_true", help="show the plan and what of it is done; train nothing"
    )
    parser.set_defaults(func=_run, only=None, executor="processes", scheduler=None)


def _run(args: argparse.Namespace) -> None:
    checkpoints = find_checkpoints(args.sources, args.name)
    extra_inputs = extra_inputs_of(args.extra_inputs)
    named = {"packages": args.packages, "extra_inputs": extra_inputs or None}
    more = {key: value for key, value in named.items() if value} if checkpoints.is_archive else {}
    if checkpoints.is_archive and not args.layers:
        raise ConfigurationError(_which_layers(checkpoints, args.packages or (), extra_inputs))
    layers = args.layers.split(",") if args.layers else None
    settings = diagnosis_suite(
        checkpoints,
        layers,
        args.tasks,
        _numbers(args.epochs),
        args.own_metric,
        more,
        seeds=args.seeds,
        control=args.control,
        **({"config": QUICK} if args.quick else {}),
    )
    # Key by key, so that what is not named stays as `--quick` has it.
    for key, value in _changes(args.overrides).items():
        settings = merged(settings, _nested(key.split("."), value))
    check_layers(checkpoints, settings)
    train_and_show(Suite(settings, args.serialization_dir), args, diagnosis_text)


def check_layers(checkpoints: Checkpoints, settings: dict[str, Any]) -> None:
    """Says at once, not in every run, which layer there is not."""
    of_model = settings["representations"][checkpoints.name]
    embedder = of_model["representation"]["text_field_embedder"]["token_embedders"]["words"]
    first = next(iter(of_model["epochs"].values()))
    layers = [] if of_model["layers"] == "all" else [("layer", of_model["layers"])]
    TokenEmbedder.from_params(Params({**embedder, **first, **dict(layers)}))


def diagnosis_text(study: PathLike) -> str:
    """The scores of a study by epoch, in percent, and those of the model itself."""
    found = epoch_table(read_results(study))
    keys, epochs = list(found.index.names), list(map(int, found.columns))
    own = own_scores_of(StudyFolder(study).suite())
    rows = [[str(key) for key in keys] + [str(epoch) for epoch in epochs]]
    for place, scores in found.iterrows():
        cells = place if isinstance(place, tuple) else (place,)
        rows.append([*map(str, cells), *(percent(None if v != v else v) for v in scores)])
    if own is not None and own.is_share:
        values = [percent(own.by_epoch.get(epoch)) for epoch in epochs]
        rows.append([own.title if key == "representation" else "" for key in keys] + values)
    return f"Score by epoch:\n\n{table(rows, left=range(len(keys)))}"


def _which_layers(
    checkpoints: Checkpoints, packages: Sequence[str], extra_inputs: dict[str, str]
) -> str:
    archive = str(checkpoints.embedder["archive"])
    weights = next(iter(checkpoints.epochs.values())).get("weights_file")
    listing = describe_layers(archive, weights, packages, extra_inputs)
    return f"--layers: say which of these modules are to be probed, as --layers A,B.\n\n{listing}"


def _nested(keys: Sequence[str], value: Any) -> dict[str, Any]:
    return {keys[0]: _nested(keys[1:], value) if keys[1:] else value}


def _changes(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ConfigurationError(
            f"""--overrides: expected JSON like '{{"config": {{"mdl": true}}}}', found {text!r}."""
        )
    return found


def _numbers(text: Optional[str]) -> Optional[list[int]]:
    if text is None:
        return None
    parts = text.split(",")
    if not all(part.isdecimal() for part in parts):
        raise ConfigurationError(f"--epochs: expected numbers, as 2,8,20, found {text!r}.")
    return list(map(int, parts))
