"""
What do sentence encoders know? The released Turkish tasks of sentence probing, macro-F1 of the answers of
five folds, in percent, beside the majority and the unigram baseline:

    python benchmarks/sentence_table.py DATA OUT [--encoders NAME …] [--tasks NAME …] [--part 0/2]

The word vectors are fastText's, 300 dimensions, trained here on the sentences of the treebank and of the tasks
that alter none, and looked up as words: unknown ones are skipped. The probe is the study's: 50 sigmoid units, 100
epochs, Adam, the last epoch; batches and learning rate, of which the study says nothing, are 512 and 0.005, so
that all of it takes an hour. BOREP and the BiLSTM have fewer dimensions than in the study: see ENCODERS. The runs
are kept in OUT: what is there is not run again, and several parts may run at once.
"""

import argparse
import os
from pathlib import Path

from english_words import minilm

from linspector_allennlp import jsonnet
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.sentence_files import read_labelled_sentences
from linspector_allennlp.suite.job import Job
from linspector_allennlp.suite.settings import probe_config
from linspector_allennlp.tokenizing import words_and_punctuation
from linspector_allennlp.treebanks import read_treebank

TASKS = {
    "SentLen": "sentence_length",
    "WC": "word_content",
    "BiShift": "bigram_shift",
    "SVAgree": "sv_agree",
    "SVDist": "sv_dist",
    "Voice": "voice",
    "SubjNum": "subj_number",
}

# By the name in the table the encoder and what it is over; {fasttext} and {minilm} are files.
ENCODERS = {
    "average": ("average", "word_vectors:{fasttext}"),
    "power_means": ("power_means", "word_vectors:{fasttext}"),
    "sif": ("sif", "word_vectors:{fasttext}"),
    "gem": ("gem", "word_vectors:{fasttext}"),
    "hierarchical_pooling": ("hierarchical_pooling:window=3", "word_vectors:{fasttext}"),
    "borep": ("borep:dimension=2048", "word_vectors:{fasttext}"),
    "random_bilstm": ("random_bilstm:dimension=1024", "word_vectors:{fasttext}"),
    "average, MiniLM": ("average", "transformer:{minilm}"),
    "average, char_ngrams": ("average", "char_ngrams"),
}

NAMED = """
(import 'linspector/encoders.libsonnet').named(
  std.extVar('encoder'), (import 'linspector/representations.libsonnet').named(std.extVar('vectors'))
)
"""


# Their sentences were altered. Vectors that were trained on these, too, would know by which words: those of an
# altered sentence were seen twice, in it and in the sentence that it was made from.
ALTERED = ("bigram_shift", "sv_agree")


def texts(data):
    for name in sorted(set(TASKS.values()) - set(ALTERED)):
        path = data / f"sentence_released/tr/{name}.txt"
        for row in read_labelled_sentences(path, skip_empty=True):
            yield words_and_punctuation(row.sentence)
    for sentence in read_treebank(sorted((data / "ud").glob("tr_imst-ud-*.conllu"))):
        yield sentence.surface_tokens()[0]


def fasttext(data, out):
    """Vectors of words, trained once."""
    path = out / "fasttext.vec"
    if not path.exists():
        from gensim.models import FastText

        out.mkdir(parents=True, exist_ok=True)
        distinct = list(dict.fromkeys(tuple(words) for words in texts(data)))
        model = FastText(vector_size=300, window=5, min_count=2, sg=1, workers=2, seed=13, epochs=5)
        model.build_vocab(corpus_iterable=map(list, distinct))
        model.train(
            corpus_iterable=list(map(list, distinct)), total_examples=len(distinct), epochs=5
        )
        model.wv.save_word2vec_format(f"{path}.part")
        os.replace(f"{path}.part", path)
    return path


def run(data, out, task, name, epochs):
    encoder, vectors = ENCODERS[name]
    files = {"fasttext": out / "fasttext.vec", "minilm": minilm() if "{minilm}" in vectors else ""}
    representation = jsonnet.evaluate(NAMED, encoder=encoder, vectors=vectors.format(**files))
    settings = probe_config(
        "sentence",
        data / f"sentence_released/tr/{TASKS[task]}.txt",
        representation,
        folds={"type": "k_fold", "k": 5},
        dataset_reader={"tokenizer": "words_and_punctuation", "skip_empty": True},
        data_loader={"batch_size": 512},
        trainer={"num_epochs": epochs, "optimizer": {"type": "fused_adam", "lr": 0.005}},
    )
    folder = out / f"{task}-{name.replace(', ', '-')}"
    job = Job(settings, folder)
    return job.result() or job.run(force=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--encoders", nargs="+", default=list(ENCODERS))
    parser.add_argument("--tasks", nargs="+", default=list(TASKS))
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--part", default="0/1", help="so that several processes share the work")
    args = parser.parse_args()
    fasttext(args.data, args.out)
    part, parts = map(int, args.part.split("/"))
    cells = [(task, name) for name in args.encoders for task in args.tasks]
    for number, (task, name) in enumerate(cells):
        if number % parts == part:
            run(args.data, args.out, task, name, args.epochs)
    print_table(args)


def print_table(args):
    rows = {}
    for name in args.encoders:
        for task in args.tasks:
            folder = args.out / f"{task}-{name.replace(', ', '-')}"
            if not (folder / "run.json").exists():
                continue
            metrics = RunFolder.read(folder).metrics
            rows.setdefault("majority", {})[task] = metrics["baseline_majority_macro_f1"]
            rows.setdefault("unigram", {})[task] = metrics["baseline_unigram_macro_f1"]
            rows.setdefault(name, {})[task] = metrics["test_macro_f1"]
    print("| encoder | " + " | ".join(args.tasks) + " |")
    print("|---" * (len(args.tasks) + 1) + "|")
    for name, row in rows.items():
        cells = [f"{100 * row[task]:.1f}" if task in row else "–" for task in args.tasks]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
