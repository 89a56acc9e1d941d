import argparse
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Optional

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.data import Instance
from allennlp.data.fields import MetadataField
from allennlp.predictors import Predictor

from linspector_allennlp.report.figures import FORMATS, require_matplotlib, save_figure
from linspector_allennlp.report.probe_pictures import file_stem, probe_pictures

FIRST = 10


@Subcommand.register("probe-tree")
class ProbeTree(Subcommand):
    """Draws the dependency trees that a probe of syntax predicts beside the gold ones."""

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        description = (
            "Draws what a probe of syntax predicts for sentences of a treebank, beside the gold "
            "trees: trees as arcs over and under the words, distances as heat maps, depths as lines."
        )
        subparser = parser.add_parser(self.name, description=description, help=description)
        subparser.add_argument(
            "archive", metavar="ARCHIVE", help="a model.tar.gz or the folder of a run"
        )
        subparser.add_argument("input", nargs="?", metavar="INPUT", help="a CoNLL-U file")
        subparser.add_argument(
            "--text", help="instead of INPUT: words with spaces between them, without a gold tree"
        )
        subparser.add_argument(
            "-o", "--output", required=True, metavar="FOLDER", help="where to put the pictures"
        )
        subparser.add_argument(
            "--format",
            choices=FORMATS,
            default=FORMATS[0],
            help="of the pictures; svg has the letters of every script right",
        )
        chosen = subparser.add_mutually_exclusive_group()
        chosen.add_argument(
            "--sentence",
            dest="sentences",
            nargs="+",
            action="extend",
            metavar="ID",
            help="draw these sentences, by their sent_id",
        )
        chosen.add_argument(
            "--first",
            type=_positive,
            default=FIRST,
            metavar="N",
            help="draw so many sentences, from the first on",
        )
        subparser.add_argument(
            "--heat-maps",
            action=argparse.BooleanOptionalAction,
            default=True,
            help="draw distances too, where the probe predicts them",
        )
        subparser.set_defaults(func=_run)
        return subparser


def draw_trees(args: argparse.Namespace) -> Iterator[str]:
    """Writes the pictures, and gives for each its path and score."""
    _check(args)
    folder = Path(args.output)
    folder.mkdir(parents=True, exist_ok=True)
    predictor = Predictor.from_path(args.archive)
    taken: set[str] = set()
    for number, prediction in _predictions(predictor, args):
        sent_id = prediction.get("sent_id") or ""
        name = sent_id or ("text" if args.text else f"sentence {number}")
        stem = file_stem("text" if args.text else sent_id, number, taken)
        for picture in probe_pictures(prediction, name, args.heat_maps):
            path = folder / f"{stem}-{picture.kind}.{args.format}"
            save_figure(picture.figure, path)
            yield f"{path}  {picture.score}".rstrip()


def _run(args: argparse.Namespace) -> None:
    for line in draw_trees(args):
        print(line, flush=True)


def _check(args: argparse.Namespace) -> None:
    """What can be said before the archive is loaded."""
    require_matplotlib()
    if (args.input is None) == (args.text is None):
        raise ConfigurationError("Expected a CoNLL-U file or --text, and not both.")
    if args.text is not None and not args.text.split():
        raise ConfigurationError(f"--text: expected some words, found {args.text!r}.")
    if args.text is not None and args.sentences:
        raise ConfigurationError("--sentence chooses from a CoNLL-U file: --text has no ids.")
    if Path(args.output).exists() and not Path(args.output).is_dir():
        raise ConfigurationError(f"-o: expected a folder, found the file {args.output}.")
    if args.input is not None and not Path(args.input).is_file():
        raise FileNotFoundError(f"{args.input}: there is no such CoNLL-U file.")
    try:
        cached_path(args.archive)
    except FileNotFoundError as error:
        message = f"{args.archive}: there is no such archive or run folder."
        raise FileNotFoundError(message) from error


def _predictions(
    predictor: Predictor, args: argparse.Namespace
) -> Iterator[tuple[int, dict[str, Any]]]:
    """For each sentence to draw its number among those that are read, and what is predicted."""
    if args.text is not None:
        yield 1, predictor.predict_json({"sentence": " ".join(args.text.split())})
        return
    instances = enumerate(predictor._dataset_reader.read(args.input), start=1)
    if args.sentences is None:
        chosen = list(islice(instances, args.first))
    else:
        chosen = [item for item in instances if _sent_id(item[1]) in args.sentences]
        missing = set(args.sentences) - {_sent_id(instance) for _, instance in chosen}
        if missing:
            raise ValueError(
                f"{args.input}: among the sentences that this probe reads there is none with the "
                f"sent_id {', '.join(sorted(missing))}."
            )
    if not chosen:
        raise ValueError(f"{args.input}: expected sentences, found none that this probe reads.")
    for number, instance in chosen:
        yield number, predictor.predict_instance(instance)


def _sent_id(instance: Instance) -> Optional[str]:
    metadata = instance.fields.get("metadata")
    return metadata.metadata.get("sent_id") if isinstance(metadata, MetadataField) else None


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, found {text!r}")
    return number
