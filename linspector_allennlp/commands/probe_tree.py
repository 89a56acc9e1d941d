import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.predictors import Predictor

from linspector_allennlp.commands.tables import say
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.report.figures import FORMATS, require_matplotlib, save_figure
from linspector_allennlp.report.probe_pictures import file_stem, probe_pictures

FIRST = 10
TREES = "dependency_tree"  # the predictor of the probes of trees and heads


DESCRIPTION = (
    "Draws what a probe of syntax predicts for sentences of a treebank, beside the gold "
    "trees: trees as arcs over and under the words, distances as heat maps, depths as lines."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", metavar="ARCHIVE", help="a model.tar.gz or the folder of a run")
    parser.add_argument("input", nargs="?", metavar="INPUT", help="a CoNLL-U file")
    parser.add_argument(
        "--text", help="instead of INPUT: words with spaces between them, without a gold tree"
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="FOLDER", help="where to put the pictures"
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help="of the pictures; svg has the letters of every script right",
    )
    chosen = parser.add_mutually_exclusive_group()
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
    parser.add_argument(
        "--heat-maps",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="draw distances too, where the probe predicts them",
    )
    parser.set_defaults(func=_run)


class DrawnPicture(NamedTuple):
    """The file of a picture, and the score of what it shows, in words."""

    path: Path
    score: str


def _run(args: argparse.Namespace) -> None:
    pictures = draw_trees(
        args.archive,
        args.output,
        treebank=args.input,
        text=args.text,
        sentences=args.sentences,
        first=args.first,
        heat_maps=args.heat_maps,
        format=args.format,
    )
    for path, score in pictures:
        say(f"{path}  {score}".rstrip(), flush=True)


def draw_trees(
    archive: str,
    output: PathLike,
    treebank: Optional[PathLike] = None,
    text: Optional[str] = None,
    sentences: Optional[Sequence[str]] = None,
    first: int = FIRST,
    heat_maps: bool = True,
    format: str = FORMATS[0],
) -> Iterator[DrawnPicture]:
    """
    Draws what a probe of syntax predicts, one picture at a time.

    # Parameters

    archive : `str`
        A `model.tar.gz`, or the folder of a run.
    output : `PathLike`
        The folder of the pictures.
    treebank, text :
        A CoNLL-U file, or words with spaces between them.
    sentences, first :
        The `sent_id`s of the sentences to draw; without these, how many from the first on.
    """
    _check(archive, output, treebank, text, sentences)
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    predictor = Predictor.from_path(archive)
    model = getattr(predictor, "_model", None)
    if getattr(model, "default_predictor", TREES) != TREES:
        raise ConfigurationError(
            f"{archive}: a {type(model).__name__} predicts no trees. Expected a probe of edges, distances "
            "or depths."
        )
    if text is not None:
        predictions = iter([(1, predictor.predict_json({"sentence": " ".join(text.split())}))])
    else:
        predictions = _predictions(predictor, str(treebank), sentences, first)
    # What is wrong with the arguments is said at once; the pictures are drawn as they are asked for.
    return _drawn(predictions, folder, text, heat_maps, format)


def _drawn(
    predictions: Iterator[tuple[int, dict[str, Any]]],
    folder: Path,
    text: Optional[str],
    heat_maps: bool,
    format: str,
) -> Iterator[DrawnPicture]:
    taken: set[str] = set()
    for number, prediction in predictions:
        sent_id = prediction.get("sent_id") or ""
        name = sent_id or ("text" if text else f"sentence {number}")
        stem = file_stem("text" if text else sent_id, number, taken)
        for picture in probe_pictures(prediction, name, heat_maps):
            path = folder / f"{stem}-{picture.kind}.{format}"
            save_figure(picture.figure, path)
            yield DrawnPicture(path, picture.score)


def _check(
    archive: str,
    output: PathLike,
    treebank: Optional[PathLike],
    text: Optional[str],
    sentences: Optional[Sequence[str]],
) -> None:
    """Refuses what cannot be drawn, before the archive is loaded."""
    require_matplotlib()
    if (treebank is None) == (text is None):
        raise ConfigurationError("Expected a CoNLL-U file or --text, and not both.")
    if text is not None and not text.split():
        raise ConfigurationError(f"--text: expected some words, found {text!r}.")
    if text is not None and sentences:
        raise ConfigurationError("--sentence chooses from a CoNLL-U file: --text has no ids.")
    if Path(output).exists() and not Path(output).is_dir():
        raise ConfigurationError(f"-o: expected a folder, found the file {output}.")
    if treebank is not None and not Path(treebank).is_file():
        raise FileNotFoundError(f"{treebank}: there is no such CoNLL-U file.")
    try:
        cached_path(archive)
    except FileNotFoundError as error:
        message = f"{archive}: there is no such archive or run folder."
        raise FileNotFoundError(message) from error


def _predictions(
    predictor: Predictor, treebank: str, sentences: Optional[Sequence[str]], first: int
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The prediction for each sentence to draw, with its number among those that are read."""
    instances = enumerate(predictor._dataset_reader.read(treebank), start=1)
    if sentences is None:
        chosen = list(islice(instances, first))
    else:
        chosen = [item for item in instances if metadata_of(item[1]).get("sent_id") in sentences]
        missing = set(sentences) - {metadata_of(instance)["sent_id"] for _, instance in chosen}
        if missing:
            raise ValueError(
                f"{treebank}: among the sentences that this probe reads there is none with the "
                f"sent_id {', '.join(sorted(missing))}."
            )
    if not chosen:
        raise ValueError(f"{treebank}: expected sentences, found none that this probe reads.")
    for number, instance in chosen:
        yield number, predictor.predict_instance(instance)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, found {text!r}")
    return number
