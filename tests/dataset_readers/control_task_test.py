"""The labels of control tasks, by a computation of our own beside that of the package."""

import json
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from hashlib import blake2b

import pytest
from allennlp.commands import main
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.dataset_readers import SequenceTaggingDatasetReader
from allennlp.data.dataset_readers.dataset_reader import DistributedInfo
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.predictors import Predictor
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from linspector_allennlp.dataset_readers import (
    ControlTaskReader,
    DependencyTreeReader,
    PairedFormsReader,
    PairedTokensReader,
    SingleFormReader,
    TokenInContextReader,
    TokenTagsReader,
)
from linspector_allennlp.fields import labels_of, metadata_of
from linspector_allennlp.representations import WordFormIndexer
from tests.dataset_readers.small_treebank import write_conllu

# What the training file has: 3 of Gen, 5 of Nom, 2 of Par; the order is not that of the alphabet.
COUNTS = {"Nom": 5, "Par": 2, "Gen": 3}
LABELS = ["Gen"] * 3 + ["Nom"] * 5 + ["Par"] * 2
WORDS = ["talo", "Talo", "talossa", "koira", "yö", "的", "."]
BY_HAND = {
    13: ["Nom", "Nom", "Gen", "Nom", "Gen", "Par", "Nom"],
    14: ["Gen", "Par", "Par", "Nom", "Par", "Nom", "Nom"],
    -1: ["Nom", "Gen", "Par", "Gen", "Par", "Gen", "Gen"],
}


def expected_hash(words, seed=13):
    """A number below 2⁶⁴: the definition."""
    salt = seed.to_bytes(8, "little", signed=True)
    digest = blake2b("\0".join(words).encode("utf-8"), digest_size=8, salt=salt).digest()
    return int.from_bytes(digest, "little")


def expected_label(words, labels=LABELS, seed=13):
    """Of the labels of all training items, one after the other by the alphabet, as far along as the hash."""
    return sorted(labels)[expected_hash(words, seed) * len(labels) // 2**64]


@pytest.fixture
def train_file(tmp_path):
    path = tmp_path / "train.txt"
    labels = [label for label, count in COUNTS.items() for _ in range(count)]
    path.write_text("".join(f"w{number}\t{label}\n" for number, label in enumerate(labels)))
    return str(path)


def words_and_labels(instances):
    return [(tuple(metadata_of(i)["words"]), i["label"].label) for i in instances]


@pytest.mark.parametrize("seed", BY_HAND)
def test_labels_written_down(train_file, seed):
    reader = ControlTaskReader(SingleFormReader(), train_file, seed)
    assert [reader.label_of([word]) for word in WORDS] == BY_HAND[seed]
    assert [expected_label([word], seed=seed) for word in WORDS] == BY_HAND[seed]


def test_the_default_seed(train_file):
    reader = ControlTaskReader(SingleFormReader(), train_file)
    assert [reader.label_of([word]) for word in WORDS] == BY_HAND[13]


@settings(max_examples=40)
@given(st.text(min_size=1), st.integers(-(2**63), 2**63 - 1))
def test_any_word_and_any_seed(tmp_path_factory, word, seed):
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_text("".join(f"w\t{label}\n" for label in LABELS))
    word = word.encode("utf-8", "ignore").decode() or "x"
    reader = ControlTaskReader(SingleFormReader(), str(path), seed)
    assert reader.label_of([word]) == expected_label([word], seed=seed)


def test_a_pair_is_its_two_words_in_their_order(tmp_path):
    path = tmp_path / "pairs.txt"
    path.write_text("".join(f"a{n}\tb{n}\t{label}\n" for n, label in enumerate(LABELS)))
    reader = ControlTaskReader(PairedFormsReader(), str(path), seed=14)
    assert reader.label_of(["talo", "koira"]) == "Gen"
    assert reader.label_of(["koira", "talo"]) == "Par"
    instances = list(reader.read(str(path)))
    assert words_and_labels(instances) == [
        ((f"a{n}", f"b{n}"), expected_label([f"a{n}", f"b{n}"], seed=14)) for n in range(10)
    ]
    assert all("label" not in metadata_of(i) for i in instances), "a label is in one place"
    # What is one word with another is not another word with the rest.
    assert expected_hash(["ab", "c"]) != expected_hash(["a", "bc"])


def test_what_is_read_is_the_same_but_for_the_labels(fixtures):
    path = str(fixtures / "type_level/Case/finnish/train.txt")
    plain = list(SingleFormReader().read(path))
    control = list(ControlTaskReader(SingleFormReader(), path).read(path))
    labels = [instance["label"].label for instance in plain]
    assert words_and_labels(control) == [
        (w, expected_label(w, labels)) for w, _ in words_and_labels(plain)
    ]
    for task, other in zip(plain, control):
        assert task["tokens"].tokens == other["tokens"].tokens
        for key in ("file", "line", "input", "words"):
            assert metadata_of(task)[key] == metadata_of(other)[key]
    assert words_and_labels(plain) != words_and_labels(control)
    assert {label for _, label in words_and_labels(control)} == set(labels)


def test_training_words_do_not_decide(tmp_path, train_file):
    """A word has its label whatever file it is in, whatever its own label there, and in what order."""
    lines = [f"{word}\t{label}\n" for word, label in zip(WORDS, ["Nom", "X", "Y", "Par"] * 2)]
    for number in range(3):
        path = tmp_path / f"{number}.txt"
        random.Random(number).shuffle(lines)
        path.write_text("".join(lines), encoding="utf-8")
        control = ControlTaskReader(SingleFormReader(), train_file)
        found = words_and_labels(control.read(str(path)))
        assert dict(found) == {(word,): label for word, label in zip(WORDS, BY_HAND[13])}


def test_the_order_of_the_training_file_does_not_matter(fixtures, tmp_path):
    source = fixtures / "type_level/Case/finnish"
    lines = (source / "train.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    random.Random(5).shuffle(lines)
    (tmp_path / "shuffled.txt").write_text("".join(lines), encoding="utf-8")
    test = str(source / "test.txt")
    first, second = (
        words_and_labels(ControlTaskReader(SingleFormReader(), str(path)).read(test))
        for path in (source / "train.txt", tmp_path / "shuffled.txt")
    )
    assert first == second


def test_another_process_with_other_hashes(root, fixtures, train_file):
    script = (
        "import json, sys; import linspector_allennlp;"
        "from linspector_allennlp.dataset_readers import *;"
        "reader = ControlTaskReader(SingleFormReader(), sys.argv[1]);"
        "heads = ControlTaskReader(DependencyTreeReader(), sys.argv[2]).read(sys.argv[2]);"
        "print(json.dumps([[reader.label_of([word]) for word in sys.argv[3:]],"
        " [instance['heads'].tensor.tolist() for instance in heads]]))"
    )
    treebank = str(fixtures / "raw/finnish-ud-test.conllu")
    here = ControlTaskReader(DependencyTreeReader(), treebank).read(treebank)
    heads = [instance["heads"].tensor.tolist() for instance in here]
    output = subprocess.run(
        [sys.executable, "-c", script, train_file, treebank, *WORDS],
        env={**os.environ, "PYTHONHASHSEED": "4242"},
        cwd=root,
        capture_output=True,
        check=True,
    ).stdout
    assert json.loads(output.splitlines()[-1]) == [BY_HAND[13], heads]


KINDS = {
    "single_form": (SingleFormReader, "type_level/Case/finnish/{}.txt"),
    "paired_forms": (PairedFormsReader, "type_level/OddFeat/finnish/{}.txt"),
    "token_in_context": (TokenInContextReader, "token_level/Case/finnish/{}.txt"),
    "paired_tokens": (PairedTokensReader, "token_level/OddFeat/finnish/{}.txt"),
    "token_tags": (lambda: TokenTagsReader("Case"), "raw/finnish-ud-{}.conllu"),
    "dependency_tree": (DependencyTreeReader, "raw/finnish-ud-{}.conllu"),
}


def answers(instances):
    """What is asked of every word, by the place that it comes from."""
    return {metadata_of(instance)["line"]: labels_of(instance) for instance in instances}


@pytest.mark.parametrize("kind", KINDS)
def test_two_processes(fixtures, kind):
    reader, name = KINDS[kind]
    train, test = (str(fixtures / name.format(split)) for split in ("train", "test"))
    expected = answers(ControlTaskReader(reader(), train).read(test))
    loader = MultiProcessDataLoader(
        ControlTaskReader(reader(), train), test, batch_size=4, num_workers=2, quiet=True
    )
    instances = list(loader.iter_instances())
    assert answers(instances) == expected and len(instances) == len(expected)
    loader.index_with(Vocabulary.from_instances(instances))
    assert sum(len(batch["metadata"]) for batch in loader) == len(expected)


@pytest.mark.parametrize("kind", ["token_in_context", "token_tags"])
def test_every_token_of_a_type_has_one_label_in_all_splits(fixtures, kind):
    reader, name = KINDS[kind]
    paths = [str(fixtures / name.format(split)) for split in ("train", "dev", "test")]
    control = ControlTaskReader(reader(), paths[0])
    found, tokens = defaultdict(set), 0
    for path in paths:
        for instance in control.read(path):
            metadata = metadata_of(instance)
            labels = labels_of(instance)
            tokens += len(labels)
            for word, label in zip(metadata["words"], labels):
                found[word].add(label)
    assert all(len(labels) == 1 for labels in found.values())
    assert tokens > len(found), "no word is there twice"
    training = [label for instance in reader().read(paths[0]) for label in labels_of(instance)]
    assert {word: {expected_label([word], training)} for word in found} == found


def test_tags_are_those_of_their_words(fixtures):
    path = str(fixtures / "raw/finnish-ud-train.conllu")
    instances = list(ControlTaskReader(TokenTagsReader("Case"), path).read(path))
    plain = list(TokenTagsReader("Case").read(path))
    for control, task in zip(instances, plain):
        assert len(control["labels"].labels) == len(metadata_of(control)["words"])
        assert "labels" not in metadata_of(control), "a label is in one place"
        assert metadata_of(control)["words"] == metadata_of(task)["words"]
        assert control["places"].tensor.tolist() == task["places"].tensor.tolist()


def test_many_types_have_the_distribution_of_the_training_tokens(tmp_path):
    """Chi-square over 20,000 types; the words are fixed, so the number is, too."""
    counts = {"a": 700, "b": 200, "c": 90, "d": 9, "e": 1}
    path = tmp_path / "train.txt"
    path.write_text("".join(f"w\t{label}\n" * count for label, count in counts.items()))
    reader = ControlTaskReader(SingleFormReader(), str(path))
    found = Counter(reader.label_of([f"word{number}"]) for number in range(20_000))
    observed = [found[label] for label in counts]
    assert chisquare(observed, [20 * count for count in counts.values()]).pvalue > 0.01
    pairs = Counter(reader.label_of([f"word{n}", f"word{n % 97}"]) for n in range(20_000))
    expected = [20 * count for count in counts.values()]
    assert chisquare([pairs[label] for label in counts], expected).pvalue > 0.01


def test_seeds_are_independent(tmp_path):
    path = tmp_path / "train.txt"
    path.write_text("w\ta\nw\tb\n")
    first, second = (ControlTaskReader(SingleFormReader(), str(path), seed) for seed in (1, 2))
    same = sum(first.label_of([f"w{n}"]) == second.label_of([f"w{n}"]) for n in range(10_000))
    assert abs(same - 5_000) < 200  # four standard deviations


def test_case(train_file):
    sensitive = ControlTaskReader(SingleFormReader(), train_file, seed=14)
    insensitive = ControlTaskReader(SingleFormReader(), train_file, seed=14, case_sensitive=False)
    assert [sensitive.label_of([word]) for word in ("talo", "Talo")] == ["Gen", "Par"]
    assert [insensitive.label_of([word]) for word in ("talo", "Talo", "TALO")] == ["Gen"] * 3


# Behaviours by the hash: 0 attaches to itself, 1 to the first word, 2 to the last.
BEHAVIOURS = {"The": 1, "the": 2, "dog": 2, "chased": 1, "cat": 2, "big": 0, ".": 1}
TREE = """
    1 The _ DET _ _ 2 det
    2 dog _ NOUN _ _ 3 nsubj
    3 chased _ VERB _ _ 0 root
    4 big _ ADJ _ _ 5 amod
    5 cat _ NOUN _ _ 3 obj
    6 the _ DET _ _ 5 det
    7 . _ PUNCT _ _ 3 punct
"""


def test_edges_by_hand(tmp_path):
    path = write_conllu(tmp_path / "x.conllu", TREE)
    assert {word: expected_hash([word]) * 3 // 2**64 for word in BEHAVIOURS} == BEHAVIOURS
    (task,) = DependencyTreeReader().read(path)
    (control,) = ControlTaskReader(DependencyTreeReader(), path).read(path)
    assert task["heads"].tensor.tolist() == [1, 2, -1, 4, 2, 4, 2]
    # The to the first, which is itself; dog to the last; chased is the root; big to itself; …
    assert control["heads"].tensor.tolist() == [0, 6, -1, 3, 6, 6, 0]
    assert labels_of(control) == ["0", "5", None, "0", "2", "1", "-6"]
    assert set(control.fields) == set(task.fields) - {"distances", "depths", "relations"}
    assert control["heads"].tensor.dtype == task["heads"].tensor.dtype
    insensitive = ControlTaskReader(DependencyTreeReader(), path, case_sensitive=False)
    (control,) = insensitive.read(path)
    assert control["heads"].tensor.tolist()[0] == control["heads"].tensor.tolist()[5] == 6


def test_edges_of_a_treebank(fixtures):
    path = str(fixtures / "raw/finnish-ud-train.conllu")
    plain = list(DependencyTreeReader().read(path))
    control = list(ControlTaskReader(DependencyTreeReader(), path, seed=7).read(path))
    for task, other in zip(plain, control):
        words = metadata_of(task)["words"]
        for number, (word, head) in enumerate(zip(words, task["heads"].tensor.tolist())):
            choices = (number, 0, len(words) - 1)
            expected = -1 if head == -1 else choices[expected_hash([word], 7) * 3 // 2**64]
            assert other["heads"].tensor[number] == expected


def test_behaviours_are_uniform(tmp_path):
    """Also where the training trees have nothing of the kind; 6,000 types in the middle of sentences."""
    words = [f"word{number}" for number in range(6_000)]
    blocks = [
        f"1 x _ X _ _ 0 root\n2 {a} _ X _ _ 1 dep\n3 {b} _ X _ _ 1 dep\n4 x _ X _ _ 1 dep"
        for a, b in zip(words[::2], words[1::2])
    ]
    path = write_conllu(tmp_path / "x.conllu", "\n\n".join(blocks))
    counts = Counter()
    for instance in ControlTaskReader(DependencyTreeReader(), path).read(path):
        _, second, third, _ = instance["heads"].tensor.tolist()
        counts.update("self" if head == n else head for n, head in ((1, second), (2, third)))
    assert set(counts) == {"self", 0, 3}
    assert chisquare(list(counts.values())).pvalue > 0.01


def test_wrapped_readers_keep_their_settings(fixtures):
    path = str(fixtures / "raw/finnish-ud-train.conllu")
    inner = TokenTagsReader(
        token_indexers={"words": WordFormIndexer()}, max_instances=3, min_length=5
    )
    reader = ControlTaskReader(inner, path)
    instances = list(reader.read(path))
    assert len(instances) == 3 and min(len(i["labels"]) for i in instances) >= 5
    reader.apply_token_indexers(instances[0])
    assert set(instances[0]["tokens"].token_indexers) == {"words"}
    drawn_from = [label for i in inner.read(path) for label in i["labels"].labels]
    for instance in instances:
        for word, label in zip(metadata_of(instance)["words"], instance["labels"].labels):
            assert label == expected_label([word], drawn_from)
    words = metadata_of(reader.text_to_instance(["Koira", "."]))["words"]
    assert words == ["Koira", "."]


def test_what_was_left_out_is_counted_for_the_file_that_was_read(tmp_path):
    """Though the training file is read, too, in the middle of it."""
    train = write_conllu(tmp_path / "train", "1 a _ X\n2 b _ X\n\n1 a _ Y\n\n1 b _ Y\n\n1 c _ Y")
    test = write_conllu(tmp_path / "test", "1 a _ X\n\n1 a _ X\n2 b _ X\n\n1 c _ X")
    inner = TokenTagsReader(min_length=2)
    assert len(list(ControlTaskReader(inner, train).read(test))) == 1
    assert inner.left_out == {"shorter than 2 words": 2}


def test_all_of_the_training_file_counts_where_several_machines_read(train_file):
    """Each of which reads its part of what the reader may read."""
    reader = ControlTaskReader(SingleFormReader(max_instances=9), train_file)
    reader._set_distributed_info(DistributedInfo(2, 1))
    labels = [line.split("\t")[1] for line in open(train_file).read().splitlines()[:9]]
    for word in WORDS:
        assert reader.label_of([word]) == expected_label([word], labels)
    assert reader.get_distributed_info() == DistributedInfo(2, 1)


def test_from_params(fixtures):
    path = str(fixtures / "raw/finnish-ud-test.conllu")
    reader = {
        "type": "token_tags",
        "target": "Case",
        "token_indexers": {"w": {"type": "word_form"}},
    }
    params = {"type": "control_task", "reader": reader, "train_data_path": path, "seed": 5}
    control = DatasetReader.from_params(Params(params))
    assert control.task == {"level": "token", "target": "Case", "control_seed": 5}
    of_forms = ControlTaskReader(SingleFormReader(), path, seed=6)
    assert of_forms.task == {"level": "type", "control_seed": 6}
    of_trees = ControlTaskReader(DependencyTreeReader(), path, seed=6)
    assert of_trees.task == {
        **DependencyTreeReader().task,
        "control_seed": 6,
        "control_behaviours": 3,
    }
    assert len(list(control.read(path))) == 12


def test_a_reader_without_labels(tmp_path):
    path = tmp_path / "tags.txt"
    path.write_text("a###N b###V\n")
    reader = SequenceTaggingDatasetReader(token_indexers={"tokens": SingleIdTokenIndexer()})
    with pytest.raises(ConfigurationError) as error:
        list(ControlTaskReader(reader, str(path)).read(str(path)))
    for part in (
        "control_task: expected a reader of probing tasks",
        "SequenceTaggingDatasetReader",
    ):
        assert part in str(error.value)


def test_data_without_labels(fixtures, train_file):
    bare = str(fixtures / "odd_but_fine/no_label_column.txt")
    with pytest.raises(ConfigurationError, match="label, labels or heads"):
        list(ControlTaskReader(SingleFormReader(), train_file).read(bare))
    with pytest.raises(ConfigurationError, match="no_label_column.txt: there are no labels"):
        list(ControlTaskReader(SingleFormReader(), bare).read(train_file))


def test_a_missing_training_file(train_file):
    with pytest.raises(FileNotFoundError, match="no/such.txt"):
        list(ControlTaskReader(SingleFormReader(), "no/such.txt").read(train_file))


@pytest.mark.parametrize("name", ["tagging", "edges", "single_form"])
def test_through_an_archive(name, train, treebank, environment, tmp_path, monkeypatch, fixtures):
    treebank()
    environment("Case")
    config = Params.from_file(f"training_configs/{name}.jsonnet").as_dict(quiet=True)
    test = config["test_data_path"]
    control = {
        "type": "control_task",
        "reader": config["dataset_reader"],
        "train_data_path": config["train_data_path"],
        "target": None,
        "max_length": None,
        "token_indexers": None,
    }
    metrics = train(name, dataset_reader=control, trainer={"num_epochs": 3})
    output = tmp_path / "metrics.json"
    archive = str(tmp_path / "run/model.tar.gz")
    monkeypatch.setattr(
        "sys.argv", ["linspector", "evaluate", archive, test, "--output-file", str(output)]
    )
    main()
    evaluated = json.loads(output.read_text())
    assert evaluated["accuracy"] == pytest.approx(metrics["test_accuracy"])
    provenance = json.loads((tmp_path / "run/provenance.json").read_text())
    assert provenance["task"]["control_seed"] == 13
    given = {"form": "talo"} if name == "single_form" else {"sentence": "Koira nukkuu ."}
    assert Predictor.from_path(archive).predict_json(given)


def test_a_type_has_one_label_whatever_reads_the_split(fixtures):
    """A validation reader that sees more of the training file would draw from other labels."""
    path = str(fixtures / "type_level/Case/finnish/train.txt")
    short = SingleFormReader(max_instances=50)
    of_training = ControlTaskReader(short, path)
    of_validation = ControlTaskReader(SingleFormReader(), path, train_reader=short)
    other = ControlTaskReader(SingleFormReader(), path)
    words = [f"sana{number}" for number in range(200)]
    labels = [[reader.label_of([word]) for word in words]
              for reader in (of_training, of_validation, other)]  # fmt: skip
    assert labels[0] == labels[1] != labels[2]


TWO_TREES = """
    1 a a NOUN _ _ 2 x
    2 b b VERB _ _ 0 root
    3 a a NOUN _ _ 2 x
    4 a a NOUN _ _ 2 x

    1 c c NOUN _ _ 0 root
    2 a a ADJ _ _ 1 x
"""


def test_labels_per_item(tmp_path):
    """The hash of the sentence and the place of the word in it, instead of the word's."""
    path = str(write_conllu(tmp_path / "x.conllu", TWO_TREES))
    tags = ["NOUN", "VERB", "NOUN", "NOUN", "NOUN", "ADJ"]
    items = [("a b a a", str(n)) for n in range(4)] + [("c a", "0"), ("c a", "1")]
    for seed in range(5):
        reader = ControlTaskReader(TokenTagsReader(), path, seed, per="item")
        found = [label for instance in reader.read(path) for label in instance["labels"].labels]
        assert found == [expected_label(item, tags, seed) for item in items]
        edges = ControlTaskReader(DependencyTreeReader(), path, seed, per="item")
        first, second = (instance["heads"].tensor.tolist() for instance in edges.read(path))
        choice = [expected_hash(item, seed) * 3 // 2**64 for item in items]
        assert first == [-1 if n == 1 else (n, 0, 3)[kind] for n, kind in enumerate(choice[:4])]
        assert second == [-1, (1, 0, 1)[choice[5]]]
    assert reader.task == {
        "level": "token",
        "target": "upos",
        "control_seed": 4,
        "control_per": "item",
    }


def test_labels_per_item_of_a_task_of_tokens(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("a b a\t0\tNom\na b a\t2\tGen\nc a\t1\tGen\n")
    reader = ControlTaskReader(TokenInContextReader(), str(path), per="item")
    items = [("a b a", "0"), ("a b a", "2"), ("c a", "1")]
    found = [instance["label"].label for instance in reader.read(str(path))]
    assert found == [expected_label(item, ["Nom", "Gen", "Gen"]) for item in items]


def test_an_item_without_a_sentence_is_its_words(train_file):
    with pytest.raises(ConfigurationError, match="per: 'item' is for words in sentences"):
        list(ControlTaskReader(SingleFormReader(), train_file, per="item").read(train_file))
    with pytest.raises(ConfigurationError, match="per: expected type or item, found 'token'"):
        ControlTaskReader(SingleFormReader(), train_file, per="token")


@pytest.mark.parametrize("case_sensitive", [True, False])
def test_a_pair_of_tokens_has_one_label_in_both_orders(tmp_path, case_sensitive):
    """As overlap and the form baseline have it, which is how high the control task can be."""
    path = tmp_path / "train.txt"
    words = ["talo", "Koira", "yö", "Puu", "maa", "suo", "Vesi", "tuli"]
    pairs = [(one, other) for one in words for other in words]
    rows = [f"x {one}\t1\t{other} y\t0\t{LABELS[i % 10]}\n" for i, (one, other) in enumerate(pairs)]
    path.write_text("".join(rows), encoding="utf-8")
    reader = ControlTaskReader(PairedTokensReader(), str(path), case_sensitive=case_sensitive)
    labels = dict(zip(pairs, (labels_of(instance) for instance in reader.read(str(path)))))
    assert all(labels[one, other] == labels[other, one] for one, other in pairs)
    assert len({*map(tuple, labels.values())}) > 1
