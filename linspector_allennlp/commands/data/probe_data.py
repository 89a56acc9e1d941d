import argparse
from collections.abc import Callable

from linspector_allennlp.commands.data.describe import add_describe_arguments, describe
from linspector_allennlp.commands.data.example import add_example_arguments, copy_example_data
from linspector_allennlp.commands.data.sentence_level import (
    add_sentence_level_arguments,
    make_sentence_level,
)
from linspector_allennlp.commands.data.treebank_tasks import (
    add_syneval_arguments,
    add_token_level_arguments,
    make_syneval,
    make_token_level,
)
from linspector_allennlp.commands.data.type_level import add_type_level_arguments, make_type_level
from linspector_allennlp.commands.data.vectors import add_vectors_arguments, make_vectors

Part = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], None]]

PARTS: dict[str, Part] = {
    "type-level": (
        "Makes single-form and paired tasks from the paradigms of a UniMorph file.",
        add_type_level_arguments,
        make_type_level,
    ),
    "token-level": (
        "Makes token-in-context tasks from a treebank.",
        add_token_level_arguments,
        make_token_level,
    ),
    "sentence-level": (
        "Makes tasks of whole sentences from treebanks and plain text: length, word order, agreement, …",
        add_sentence_level_arguments,
        make_sentence_level,
    ),
    "syneval": (
        "Makes syneval's tasks from a treebank: a form and its part of speech, relation, case, …",
        add_syneval_arguments,
        make_syneval,
    ),
    "vectors": (
        "Trains word vectors on text: word2vec or fastText, by gensim.",
        add_vectors_arguments,
        make_vectors,
    ),
    "describe": (
        "Audits task data, ours or anyone's: sizes, labels, baselines, leaks, duplicates.",
        add_describe_arguments,
        describe,
    ),
    "example": (
        "Copies small Finnish data to begin with: tasks, a treebank, paradigms, word vectors.",
        add_example_arguments,
        copy_example_data,
    ),
}


DESCRIPTION = (
    "Makes probing tasks from UniMorph files, treebanks and plain text, trains word vectors on text, "
    "and audits task data."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    for name, (summary, add_arguments_of_part, run) in PARTS.items():
        part = parts.add_parser(name, description=summary, help=summary)
        add_arguments_of_part(part)
        part.set_defaults(func=run)
