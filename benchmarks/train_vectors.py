"""
Trains small fastText vectors for Finnish and Turkish with gensim, from the real data alone, so
that the other benchmarks have static vectors to probe:

    python benchmarks/train_vectors.py DATA FOLDER

DATA is the folder of real data (`LINSPECTOR_DATA`). Turkish has running text there (treebank and
token-level sentences); Finnish has none, so its contexts are the forms of a lemma in UniMorph.
No label of any task is seen. The vocabulary of `fi.vec` and `tr.vec` is the text's words, the 50,000
most frequent ones, and nine of ten words of the released tasks, composed from their n-grams; the
tenth stays unknown. Vectors are scaled to a mean length of 1.
"""

import argparse
from collections import defaultdict
from pathlib import Path
from zlib import crc32

import conllu
import numpy
from gensim.models import FastText, KeyedVectors


def treebank_sentences(files):
    for path in files:
        with open(path, encoding="utf-8") as file:
            for sentence in conllu.parse_incr(file):
                yield [token["form"] for token in sentence if isinstance(token["id"], int)]


def token_level_sentences(files):
    sentences = {line.split("\t")[0] for path in files for line in open(path, encoding="utf-8")}
    for sentence in sorted(sentences):
        yield sentence.split(" ")


def paradigms(path):
    forms = defaultdict(list)
    for line in open(path, encoding="utf-8"):
        columns = line.rstrip("\n").split("\t")
        if len(columns) == 3:
            forms[columns[0]].append(columns[1])
    for lemma, inflected in forms.items():
        yield [lemma, *inflected]


def frequent_words(path):
    return [line.split(" ")[0] for line in open(path, encoding="utf-8")]


def task_words(files):
    words = set()
    for path in files:
        for line in open(path, encoding="utf-8"):
            words.update(line.rstrip("\n").split("\t")[:-1])
    return sorted(word for word in words if crc32(word.encode()) % 10)


def train(sentences, words, output, dimension, epochs):
    sentences = list(sentences)
    model = FastText(
        sentences, vector_size=dimension, window=10, min_count=1, epochs=epochs, workers=1, seed=1
    )
    words = {*words, *(word for sentence in sentences for word in sentence)}
    words = sorted(word for word in words if " " not in word)  # gensim cannot read them back
    vectors = KeyedVectors(dimension)
    matrix = numpy.stack([model.wv[word] for word in words])
    vectors.add_vectors(words, matrix / numpy.linalg.norm(matrix, axis=1).mean())
    vectors.save_word2vec_format(str(output))
    print(f"{output}: {len(words)} words, {dimension} dimensions")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dimension", type=int, default=300)
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    turkish = [
        *treebank_sentences(sorted(args.data.glob("ud/tr_imst-*.conllu"))),
        *token_level_sentences(
            sorted(args.data.glob("linspector_released/token_level/*/turkish/*.txt"))
        ),
    ]
    finnish = paradigms(args.data / "unimorph/finnish-12k.tsv")
    for language, name, sentences in (("tr", "turkish", turkish), ("fi", "finnish", finnish)):
        words = [
            *frequent_words(args.data / f"frequency/{language}.txt"),
            *task_words(sorted(args.data.glob(f"linspector_released/type_level/*/{name}/*.txt"))),
        ]
        train(sentences, words, args.folder / f"{language}.vec", args.dimension, args.epochs)


if __name__ == "__main__":
    main()
