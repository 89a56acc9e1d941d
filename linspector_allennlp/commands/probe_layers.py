import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Optional

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path

from linspector_allennlp.commands.tables import say, table
from linspector_allennlp.representations.archives.black_box import BlackBoxModel
from linspector_allennlp.representations.archives.modules import list_modules
from linspector_allennlp.representations.archives.unpack import unpack_archive
from linspector_allennlp.representations.words import Words

DESCRIPTION = (
    "Runs a trained AllenNLP model over a sentence and lists its modules with the shapes "
    "of what they give and get, and whether that has one vector for each word, so that "
    "archive_layer can probe it."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", metavar="ARCHIVE", help="a model.tar.gz or the folder of a run")
    parser.add_argument(
        "--weights-file", metavar="FILE", help="other weights than the best, in the folder"
    )
    parser.add_argument(
        "--package",
        dest="packages",
        action="append",
        default=[],
        metavar="PACKAGE",
        help="a Python package with classes of the model; it is imported and trusted",
    )
    parser.add_argument(
        "--sentence",
        help="words with spaces between them (default: words that the model knows)",
    )
    parser.add_argument(
        "--extra-inputs",
        metavar="JSON",
        help="""what the dataset reader needs besides words, e.g. '{"upos_tags": "X"}'""",
    )
    parser.set_defaults(func=_run)


def _run(args: argparse.Namespace) -> None:
    extra_inputs = extra_inputs_of(args.extra_inputs)
    say(
        describe_layers(args.archive, args.weights_file, args.packages, extra_inputs, args.sentence)
    )


def describe_layers(
    archive: str,
    weights_file: Optional[str] = None,
    packages: Sequence[str] = (),
    extra_inputs: Mapping[str, str] = {},
    text: Optional[str] = None,
) -> str:
    """The modules of an archived model, as a table; see `ArchiveLayerEmbedder` for the arguments."""
    folder = unpack_archive(_archive_path(archive))
    box = BlackBoxModel(folder, weights_file, packages, extra_inputs)
    sentence = _sentence(text, box)
    rows = [["module", "class", "output", "input", "runs", "can be probed"]]
    for record in list_modules(box, sentence):
        shapes = [record.shapes["output"], record.shapes["input"], str(record.num_runs)]
        rows.append([record.path, record.kind, *shapes, ", ".join(record.probed_sides) or "–"])
    return f"{table(rows, left=(0, 1, 5))}\n\nShapes for: {' '.join(sentence)}"


def _archive_path(archive: str) -> str:
    try:
        return str(cached_path(archive))
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{archive}: there is no such archive or run folder.") from error


def _sentence(text: Optional[str], box: BlackBoxModel) -> Words:
    if text is None:
        return max(box.trial_sentences(), key=len)
    if not text.split():
        raise ConfigurationError(f"--sentence: expected some words, found {text!r}.")
    return tuple(text.split())


def extra_inputs_of(text: Optional[str]) -> dict[str, str]:
    """The values in an option `--extra-inputs`."""
    try:
        values = json.loads(text or "{}")
    except ValueError:
        values = None
    if not isinstance(values, dict) or not all(isinstance(v, str) for v in values.values()):
        raise ConfigurationError(
            f"""--extra-inputs: expected JSON like '{{"upos_tags": "X"}}', found {text!r}."""
        )
    return values
