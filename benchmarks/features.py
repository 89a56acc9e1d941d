"""
What does it cost to have the features of a transformer? On English EWT and MiniLM, in one run:

1. extraction of all words in all layers into an empty store ÷ a bare `transformers` loop over the
   same batches, which keeps nothing;
2. ten tasks over the same sentences ÷ one task (features of probes, computed as a trainer does), a
   task having the study's 10,000 items;
3. a second run (another process, same store, its imports not counted) ÷ the first; also for a task
   in which every word is an item;
4. memory: how the peak grows with the number of sentences, with the batch, and with a batch of
   sentences that are longer than the model takes.

    python benchmarks/features.py DATA [--sentences 4000] [--threads 2]
"""

import argparse
import logging
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import torch
from allennlp.common import Params
from allennlp.data import Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import Model
from english_words import minilm, read_ewt
from transformers import AutoModel, AutoTokenizer

from linspector_allennlp.dataset_readers import TokenInContextReader
from linspector_allennlp.representations import TransformerLayerEmbedder, WordFormIndexer
from linspector_allennlp.training.feature_source import FeatureSource

BATCH_SIZE = 32
NUM_TASKS = 10
NUM_ITEMS = 10_000


def bare_loop(sentences):
    """Seconds of the forward passes alone, the longest sentences first, as the store has them."""
    tokenizer = AutoTokenizer.from_pretrained(minilm())
    model = AutoModel.from_pretrained(minilm()).eval()
    lengths = [len(ids) for ids in tokenize(tokenizer, sentences)["input_ids"]]
    order = sorted(range(len(sentences)), key=lambda i: -lengths[i])
    start = time.perf_counter()
    with torch.inference_mode():
        for first in range(0, len(order), BATCH_SIZE):
            batch = [sentences[i] for i in order[first : first + BATCH_SIZE]]
            inputs = tokenize(tokenizer, batch, padding=True, return_tensors="pt")
            model(**inputs, output_hidden_states=True)
    return time.perf_counter() - start


def tokenize(tokenizer, sentences, **settings):
    return tokenizer([list(words) for words in sentences], is_split_into_words=True, **settings)


def extraction(sentences, cache):
    """Seconds from a loaded model and an empty store to a filled one."""
    os.environ["LINSPECTOR_CACHE"] = cache
    embedder = TransformerLayerEmbedder(minilm(), layer=4, batch_size=BATCH_SIZE)
    embedder.compute(sentences[:1])  # loads the model, as the bare loop has it loaded
    start = time.perf_counter()
    embedder.prepare(sentences)
    return time.perf_counter() - start


def task_instances(tagged, number, num_items=NUM_ITEMS):
    """At most so many words, evenly spread, others for each task; the label is the UPOS."""
    reader = TokenInContextReader(token_indexers={"words": WordFormIndexer()})
    step = -(-sum(map(len, tagged)) // num_items)
    rank = number
    for sentence in tagged:
        words, labels = zip(*sentence)
        for index, label in enumerate(labels):
            rank += 1
            if rank % step == 0:
                instance = reader.text_to_instance(words, index, label)
                reader.apply_token_indexers(instance)
                yield instance


def task_features(tagged, tasks, cache, num_items=NUM_ITEMS):
    """Seconds of computing the features of these tasks, each with a probe of its own."""
    os.environ["LINSPECTOR_CACHE"] = cache
    seconds = 0.0
    for number in tasks:
        instances = list(task_instances(tagged, number, num_items))
        vocab = Vocabulary.from_instances(instances)
        settings = {"type": "transformer_layer", "model": minilm(), "layer": 4}
        start = time.perf_counter()
        model = Model.from_params(
            Params(
                {
                    "type": "token_in_context_probe",
                    "text_field_embedder": {"token_embedders": {"words": settings}},
                }
            ),
            vocab=vocab,
        )
        loader = SimpleDataLoader(instances, batch_size=16, vocab=vocab)
        FeatureSource(model, torch.device("cpu")).of(loader)
        seconds += time.perf_counter() - start
    return seconds


def in_a_process(args, cache, *arguments):
    """The last number that this script prints in a process of its own."""
    settings = ["--threads", str(args.threads), "--sentences", str(args.sentences)]
    output = subprocess.run(
        [sys.executable, __file__, str(args.data), *settings, *map(str, arguments)],
        env={**os.environ, "LINSPECTOR_CACHE": cache},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return float(output.split()[-1])


def peak_memory(args, num_sentences, num_words, batch_size):
    """Megabytes that a process of its own needs at most beyond the loaded model."""
    with tempfile.TemporaryDirectory() as cache:
        return in_a_process(args, cache, "--peak", num_sentences, num_words, batch_size)


def print_peak(sentences, num_words, batch_size):
    """For sentences of one length, the last word of which is a number."""
    words = [word for sentence in sentences for word in sentence]
    made = [
        tuple(words[(num_words * i + j) % len(words)] for j in range(num_words - 1))
        for i in range(len(sentences))
    ]
    embedder = TransformerLayerEmbedder(minilm(), layer=4, batch_size=batch_size)
    embedder.compute(made[:1])
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak of loading (Linux)
    before = memory("VmRSS")
    numbered = [(*words, str(i)) for i, words in enumerate(made)]
    embedder.prepare(numbered)
    for first in range(0, len(numbered), 256):
        some = numbered[first : first + 256]
        embedder.embed_tokens(
            some, torch.arange(len(some)).numpy(), torch.zeros(len(some), dtype=int).numpy()
        )
    print((memory("VmHWM") - before) / 1000)


def memory(kind):
    """In kilobytes, of this process: now (VmRSS) or at its peak (VmHWM)."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith(kind)).split()[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--sentences", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--peak", type=int, nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--again", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    torch.set_num_threads(args.threads)
    tagged = read_ewt(args.data)
    if len(tagged) < args.sentences:
        print(f"EWT has {len(tagged)} distinct sentences; some come again with a word more.")
        again = [[*sentence, ("!", "PUNCT")] for sentence in tagged]
        tagged += again[: args.sentences - len(tagged)]
    tagged = tagged[: args.sentences]
    sentences = [tuple(word for word, _ in sentence) for sentence in tagged]
    if args.peak:
        num_sentences, num_words, batch_size = args.peak
        repeated = (sentences * (num_sentences // len(sentences) + 1))[:num_sentences]
        print_peak(repeated, num_words, batch_size)
        return
    if args.again:
        print(task_features(tagged, [0], os.environ["LINSPECTOR_CACHE"], args.again))
        return

    words = sum(map(len, sentences))
    print(f"{len(sentences)} sentences, {words} words, {args.threads} threads")
    ratios, seconds = [], []
    for _ in range(args.rounds):
        bare = bare_loop(sentences)
        with tempfile.TemporaryDirectory() as cache:
            ours = extraction(sentences, cache)
        ratios.append(ours / bare)
        seconds.append(ours)
        print(
            f"extraction {ours:.2f} s, bare loop {bare:.2f} s, ratio {ours / bare:.3f}", flush=True
        )
    print(f"1. extraction ÷ bare loop: {median(ratios):.3f} (median; at most 1.1)")
    with tempfile.TemporaryDirectory() as cache:
        one = task_features(tagged, [0], cache)
        second = in_a_process(args, cache, "--again", NUM_ITEMS)
        all_words = in_a_process(args, cache, "--again", words)
    with tempfile.TemporaryDirectory() as cache:
        ten = task_features(tagged, range(NUM_TASKS), cache)
    print(f"   one task {one:.2f} s, ten tasks {ten:.2f} s")
    print(f"2. ten tasks ÷ one: {ten / one:.3f} (at most 1.2)")
    print(f"3. a second run ÷ the first: {second:.2f} s, {100 * second / one:.2f} % (at most 3 %)")
    first = one - second + all_words
    print(f"   with every word an item: {all_words:.2f} s, {100 * all_words / first:.2f} %")
    print("4. peak memory over the loaded model, MB, by sentences and batch:")
    for batch_size in (16, 64):
        peaks = [peak_memory(args, number, 20, batch_size) for number in (1000, 4000, 8000)]
        shown = ", ".join(f"{peak:.0f}" for peak in peaks)
        print(f"   batch {batch_size:3}: {shown} for 1,000, 4,000, 8,000 sentences of 20 words")
    peaks = [peak_memory(args, 32, num_words, 16) for num_words in (400, 1600)]
    shown = ", ".join(f"{peak:.0f}" for peak in peaks)
    print(f"   batch  16: {shown} for 32 sentences of 400 and 1,600 words")


if __name__ == "__main__":
    main()
