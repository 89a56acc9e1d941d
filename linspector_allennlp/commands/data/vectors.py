"""`linspector probe-data vectors`: word vectors, trained on text."""

import argparse
from collections.abc import Mapping
from typing import Any

from linspector_allennlp.commands.data.made_tasks import positive
from linspector_allennlp.commands.tables import say
from linspector_allennlp.vectors.train_vectors import FASTTEXT_FILE, provenance_of, train_vectors
from linspector_allennlp.vectors.vector_settings import ALGORITHMS, VectorSettings

DEFAULTS = VectorSettings()


def add_vectors_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `make_vectors` reads."""
    parser.add_argument(
        "--text", nargs="+", default=[], metavar="FILE",
        help="plain text, one sentence a line, also .gz; it is never in memory",
    )  # fmt: skip
    parser.add_argument(
        "--treebank", nargs="+", default=[], metavar="FILE",
        help="CoNLL-U files; or a name (UD_Finnish-TDT), whose files are then fetched",
    )  # fmt: skip
    parser.add_argument(
        "--output", required=True, metavar="FILE",
        help="FILE.vec: text; FILE.bin, of fastText only: its own format, with the n-grams",
    )  # fmt: skip
    parser.add_argument(
        "--algorithm", choices=ALGORITHMS, default=DEFAULTS.algorithm,
        help="fasttext also learns vectors of n-grams",
    )  # fmt: skip
    parser.add_argument(
        "--tokenized", action="store_true", help="the tokens of --text are those between its spaces"
    )
    parser.add_argument("--lowercase", action="store_true", help="all words in small letters")
    parser.add_argument(
        "--skip-bad-lines", action="store_true", help="count broken lines and go on"
    )
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    _add_settings(parser.add_argument_group("training"))


def _add_settings(group: argparse._ArgumentGroup) -> None:
    def add(name: str, type: Any, text: str) -> None:
        option, default = f"--{name.replace('_', '-')}", getattr(DEFAULTS, name)
        text += "" if default is None else f" (default = {default})"
        group.add_argument(option, type=type, default=default, metavar="N", help=text)

    add("dimension", positive, "the size of a vector")
    add("window", positive, "so many words on either side are the context at most")
    add("min_count", positive, "words that occur less often have no vector")
    add("epochs", positive, "how often all text is read")
    group.add_argument(
        "--skip-gram", "--sg", action="store_true",
        help="a word predicts its context; default: CBOW, the context predicts the word",
    )  # fmt: skip
    add("negative", positive, "words drawn against each that is predicted")
    add("learning_rate", float, "at the beginning (default: 0.05; word2vec's skip-grams 0.025)")
    add(
        "subsampling",
        float,
        "the share from which on a word is frequent, and seen less often (default: 0.001; fastText 0.0001)",
    )
    add("shortest", positive, "of fastText's n-grams")
    add("longest", positive, "of fastText's n-grams")
    add(
        "buckets",
        positive,
        "vectors that fastText's n-grams share, each of 4 bytes x dimension; its own tool has 2000000",
    )
    add("seed", int, "another seed, other vectors")
    add("workers", positive, "threads; with several, no two runs give the same vectors")


def make_vectors(args: argparse.Namespace) -> None:
    """Trains the vectors and prints what they were trained on."""
    # Each of them is an argument of the same name.
    settings = VectorSettings(*(getattr(args, name) for name in VectorSettings._fields))
    record = train_vectors(
        args.output,
        args.text,
        args.treebank,
        settings,
        tokenized=args.tokenized,
        lowercase=args.lowercase,
        skip_bad_lines=args.skip_bad_lines,
        force=args.force,
    )
    say(_trained(record, args))


def _trained(record: Mapping[str, Any], args: argparse.Namespace) -> str:
    tokens, known = record["tokens"], record["tokens_in_vocabulary"]
    function = "fasttext" if args.output.endswith(FASTTEXT_FILE) else "word_vectors"
    lowercase = ":lowercase=true" if args.lowercase else ""
    lines = [
        f"{record['sentences']:,} sentences, {tokens:,} tokens, {record['types']:,} words.",
        f"{record['vocabulary']:,} words occur {args.min_count} times or more: "
        f"{100 * known / tokens:.1f} % of the tokens.",
        f"{args.output}: their vectors, of {args.dimension} dimensions "
        f"({args.algorithm}, {record['seconds']:,} s); {provenance_of(args.output)} says how.",
        f"To probe them: VECTORS={function}:{args.output}{lowercase}",
    ]
    if record["bad_lines"]:
        lines.insert(1, f"Broken lines that were skipped: {record['bad_lines']:,}.")
    return "\n".join(lines)
