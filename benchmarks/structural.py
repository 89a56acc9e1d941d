"""
How long is an epoch of the probes of whole sentences? In one run and on one thread, on real data:

1. `distance_probe` (rank 384) on 4,000 sentences ÷ a bare PyTorch loop, itself vectorised: all
   sentences of a batch and all pairs of words at once (≤ 1.2 wanted);
2. `perceptron_probe` ÷ `distance_probe` (≤ 2 wanted);
3. `tagging_probe` (linear, XPOS) ÷ a bare loop over the words of the same batches (≤ 1.2 wanted);
4. memory of `tagging_probe`: the growth of the peak a word and dimension, for n and 2n words.

    python benchmarks/structural.py DATA

An epoch is training and validation. The bare loops validate by the loss (trees) or by loss and accuracy
(tags) alone; the probes also by all their metrics. 4,000 sentences of English EWT (dev, test) and
Turkish IMST in MiniLM's last layer are training, 400 further ones validation. The parties take turns; the
median epoch of each is compared. All have the same optimizer, Adam, fused.
"""

import argparse
import logging
import os
import subprocess
import sys
import time
from itertools import chain, islice
from pathlib import Path
from statistics import median

import torch
from allennlp.common import Lazy, Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import Model
from english_words import minilm

import linspector_allennlp  # noqa: F401
from linspector_allennlp.training import FusedAdamOptimizer
from linspector_allennlp.training.feature_source import FeatureSource
from linspector_allennlp.training.head_training import HeadTraining, TrainingSettings

BATCH_SIZE, DIMENSION = 64, 384
TRAIN, VALIDATION = 4000, 400
CPU = torch.device("cpu")
FILES = ["en_ewt-ud-dev", "en_ewt-ud-test", "tr_imst-ud-train", "tr_imst-ud-dev"]


def read(data, reader, first, number):
    params = {"token_indexers": {"words": {"type": "word_form"}}, "max_length": 50, "min_length": 2}
    reader = DatasetReader.from_params(Params({**reader, **params}))
    files = (Path(data, "ud", f"{name}.conllu") for name in FILES)
    sentences = chain.from_iterable(reader.read(str(file)) for file in files)
    return list(islice(sentences, first, first + number))


def probe_on(splits, model, embedder=None):
    """A probe and the features of its splits."""
    vocab = Vocabulary.from_instances(chain(*splits))
    embedder = embedder or {"type": "transformer_layer", "model": minilm()}
    params = {**model, "text_field_embedder": {"token_embedders": {"words": embedder}}}
    torch.manual_seed(13)
    probe = Model.from_params(Params(params), vocab=vocab)
    loaders = [SimpleDataLoader(instances, BATCH_SIZE, shuffle=True) for instances in splits]
    source = FeatureSource(probe, CPU)
    return probe, loaders[0], [source.of(each) for each in loaders]


def epochs_of_probe(probe, loader, features, number):
    optimizer = Lazy(FusedAdamOptimizer)
    settings = TrainingSettings(optimizer, None, number, None, "-loss", None, None, None)
    training = HeadTraining(probe, loader, settings, seed=13)
    seconds = []
    for _ in range(number):
        start = time.perf_counter()
        training.run_epoch(*features)
        seconds.append(time.perf_counter() - start)
    return seconds


def bare_epochs(splits, step, parameters, number):
    """`step(sentence numbers, split)` gives the loss of a batch."""
    optimizer = torch.optim.Adam(parameters, lr=0.001, fused=True)
    seconds = []
    for _ in range(number):
        start = time.perf_counter()
        for rows in torch.randperm(len(splits[0][0])).split(BATCH_SIZE):
            loss = step(rows, splits[0])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            for rows in torch.arange(len(splits[1][0])).split(BATCH_SIZE):
                step(rows, splits[1]).item()
        seconds.append(time.perf_counter() - start)
    return seconds


def rows_of(sentences, lengths):
    """The rows of the words of these sentences among those of all."""
    ends = lengths.cumsum(0)[sentences].tolist()
    pairs = zip(ends, lengths[sentences].tolist())
    return torch.cat([torch.arange(end - length, end) for end, length in pairs])


def bare_distance(features):
    """
    The structural probe without this package. Only words are projected, and only then padded to the
    longest sentence of the batch; gold distances are padded once for all epochs.
    """
    splits = []
    for each in features:
        lengths = each.values.lengths
        gold = torch.zeros(len(lengths), int(lengths.max()), int(lengths.max()))
        flat = each.targets["distances"].values.split((lengths**2).tolist())
        for number, (distances, length) in enumerate(zip(flat, lengths.tolist())):
            gold[number, :length, :length] = distances.view(length, length)
        splits.append((lengths, each.values.values, gold))
    weight = torch.nn.Parameter(torch.empty(DIMENSION, DIMENSION).uniform_(-0.05, 0.05))

    def step(sentences, split):
        all_lengths, vectors, gold = split
        lengths = all_lengths[sentences]
        n = int(lengths.max())
        mask = torch.arange(n) < lengths[:, None]
        projected = torch.zeros(len(sentences), n, DIMENSION)
        projected[mask] = vectors[rows_of(sentences, all_lengths)] @ weight.T
        products = projected @ projected.transpose(1, 2)
        squares = products.diagonal(dim1=1, dim2=2)
        predicted = squares[:, :, None] + squares[:, None, :] - 2 * products
        pairs = mask[:, :, None] & mask[:, None, :]
        losses = ((predicted - gold[sentences, :n, :n]).abs() * pairs).sum(dim=(1, 2))
        return (losses / 2 / lengths**2).mean()

    return splits, step, [weight]


def bare_tagging(features, num_labels):
    """Tags without this package: the words of a batch one after the other, cross-entropy, accuracy."""
    splits = [(f.values.lengths, f.values.values, f.targets["label"].values) for f in features]
    layer = torch.nn.Linear(DIMENSION, num_labels)

    def step(sentences, split):
        lengths, vectors, labels = split
        rows = rows_of(sentences, lengths)
        logits = layer(vectors[rows])
        (logits.argmax(dim=1) == labels[rows]).sum().item()
        return torch.nn.functional.cross_entropy(logits, labels[rows])

    return splits, step, list(layer.parameters())


def compare(name, parties, rounds, epochs):
    seconds = {party: [] for party in parties}
    for _ in range(rounds):
        for party, epochs_of in parties.items():
            seconds[party] += epochs_of(epochs)[1:]
    medians = {party: median(each) for party, each in seconds.items()}
    print(name, ", ".join(f"{party} {each:.3f} s" for party, each in medians.items()), flush=True)
    return list(medians.values())


def peak_of_tagging(data, number):
    """Prints the words, and what the peak adds to the instances while features are computed and used."""
    instances = read(data, {"type": "token_tags", "target": "upos"}, 0, number)
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak of reading (Linux)
    before = kilobytes("VmRSS")
    linear = {"type": "tagging_probe", "head": {"type": "linear"}}
    vectors = {"type": "random_vectors", "dimension": DIMENSION}
    probe, loader, features = probe_on([instances, instances[:10]], linear, vectors)
    epochs_of_probe(probe, loader, features, 2)
    print(int(features[0].values.lengths.sum()), (kilobytes("VmHWM") - before) * 1024)


def kilobytes(name):
    """Of this process: now (VmRSS) or at its peak (VmHWM)."""
    status = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in status if line.startswith(name)).split()[1])


def memory(data):
    peaks = []
    for number in (TRAIN // 2, TRAIN, 2 * TRAIN):
        command = [sys.executable, __file__, str(data), "--peak", str(number)]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        peaks.append(tuple(map(int, shown.split())))
    for words, peak in peaks:
        print(f"tagging: {words} words: {peak / 1e6:.0f} MB above the start")
    (words, peak), (more_words, more) = peaks[0], peaks[-1]
    share = (more - peak) / ((more_words - words) * DIMENSION * 4)
    print(f"a further word takes {share:.2f} × its vector (4 bytes × {DIMENSION})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    os.environ["OMP_NUM_THREADS"] = "1"
    if args.peak:
        return peak_of_tagging(args.data, args.peak)
    splits = [
        read(args.data, {"type": "dependency_tree"}, 0, TRAIN),
        read(args.data, {"type": "dependency_tree"}, TRAIN, VALIDATION),
    ]
    probes = {
        name: probe_on(splits, {"type": name}) for name in ("distance_probe", "perceptron_probe")
    }
    torch.set_num_threads(1)
    bare = bare_distance(probes["distance_probe"][2])
    plain, distance, perceptron = compare(
        f"trees, {len(splits[0])} sentences:",
        {
            "bare loop": lambda n: bare_epochs(*bare, n),
            **{
                name: lambda n, each=each: epochs_of_probe(*each, n)
                for name, each in probes.items()
            },
        },
        args.rounds,
        args.epochs,
    )
    print(f"distance_probe ÷ bare loop {distance / plain:.2f} (≤ 1.2 wanted)")
    print(f"perceptron_probe ÷ distance_probe {perceptron / distance:.2f} (≤ 2 wanted)")
    splits = [
        read(args.data, {"type": "token_tags", "target": "xpos"}, 0, TRAIN),
        read(args.data, {"type": "token_tags", "target": "xpos"}, TRAIN, VALIDATION),
    ]
    tagging = probe_on(splits, {"type": "tagging_probe", "head": {"type": "linear"}})
    bare = bare_tagging(tagging[2], len(tagging[0].label_names))
    plain, ours = compare(
        f"XPOS, {int(tagging[2][0].values.lengths.sum())} words:",
        {
            "bare loop": lambda n: bare_epochs(*bare, n),
            "tagging_probe": lambda n: epochs_of_probe(*tagging, n),
        },
        args.rounds,
        args.epochs,
    )
    print(f"tagging_probe ÷ bare loop {ours / plain:.2f} (≤ 1.2 wanted)")
    memory(args.data)


if __name__ == "__main__":
    main()
