"""`linspector probe-data example`: small data to begin with."""

import argparse

from linspector_allennlp.commands.tables import say
from linspector_allennlp.example_files import copy_example

CONTENT = {
    "type_level": "tasks of word forms, TASK/LANGUAGE/{train,dev,test}.txt: DATA_DIR={}",
    "token_level": "tasks of words in sentences: DATA_DIR={}",
    "sentence_level": "tasks of whole sentences: DATA_DIR={}",
    "downstream": "roles, entities and inference: SRL_DIR={}/srl/finnish NER_DIR={}/ner/finnish "
    "XNLI_DIR={}/nli/finnish XNLI_LANGUAGE=fi",
    "raw": "a treebank (TREEBANK={}/finnish-ud), paradigms, frequent words and a lexicon",
    "vectors": "word vectors: VECTORS={}/finnish.vec",
}


def add_example_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `copy_example_data` reads."""
    parser.add_argument("--output", required=True, metavar="FOLDER", help="where they are copied")
    parser.add_argument("--force", action="store_true", help="replace what is there")


def copy_example_data(args: argparse.Namespace) -> None:
    """Copies the data and prints what each part is for."""
    for name, folder in copy_example(args.output, args.force).items():
        say(f"{folder}: {CONTENT[name].replace('{}', str(folder))}")
