"""Runs on sentences: encoders, classifiers and folds, against computations that know nothing of them."""

import copy
import json
import random

import numpy as np
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import load_archive
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedGroupKFold

from linspector_allennlp.commands.probe_compare import probe_compare
from linspector_allennlp.commands.probe_selectivity import describe, probe_selectivity
from linspector_allennlp.commands.probe_summary import summarize
from linspector_allennlp.dataset_readers.sentence_label import group_of
from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.metrics.sentence_baselines import unigram_predictions
from linspector_allennlp.predictors import SentenceLabelPredictor
from linspector_allennlp.representations import RandomVectorsEmbedder
from linspector_allennlp.suite.job import Job
from linspector_allennlp.suite.settings import probe_config
from linspector_allennlp.training.evaluation import evaluate

WORDS = [f"{a}{b}{c}" for a in "kpt" for b in "aeiou" for c in ("la", "mi", "ru", "so")]
LOGISTIC = {"type": "sklearn", "classifier": "LogisticRegression", "settings": {"max_iter": 500}}

GRADIENTS = {"type": "gradient_descent", "optimizer": "adam", "cuda_device": -1}


def write_task(folder, rows):
    """The rows, (sentence, …, label), in three files."""
    folder.mkdir(parents=True)
    sizes = {"train": 0.6, "dev": 0.2, "test": 0.2}
    start = 0
    for split, share in sizes.items():
        some = rows[start : start + int(share * len(rows))]
        start += len(some)
        text = "".join("\t".join(row) + "\n" for row in some)
        (folder / f"{split}.txt").write_text(text, encoding="utf-8")
    return folder


def sentences(number, seed=0, length=(3, 9)):
    rng = random.Random(seed)
    return [rng.sample(WORDS, rng.randint(*length)) for _ in range(number)]


@pytest.fixture
def initials(tmp_path):
    """Which of three letters most words of a sentence begin with."""
    rows = []
    for words in sentences(300):
        letters = [word[0] for word in words]
        rows.append((" ".join(words), max("kpt", key=letters.count)))
    return write_task(tmp_path / "Initial/finnish", rows)


def config(data, head=None, epochs=15, vectors="char_ngrams:dimension=40", trainer=None, **changes):
    trainer = trainer or {"optimizer": {"type": "fused_adam", "lr": 0.02}}
    return probe_config(
        "sentence", data, vectors, head=head, trainer={"num_epochs": epochs, **trainer}, **changes
    )


def rows_of(data):
    lines = [
        line.split("\t")
        for split in ("train", "dev", "test")
        for line in (data / f"{split}.txt").read_text(encoding="utf-8").splitlines()
    ]
    return [line[0] for line in lines], [line[-1] for line in lines]


def vectors_of(run, texts):
    """The features of sentences, from the archive of a run."""
    archive = load_archive(str(run.path / "model.tar.gz"))
    instances = [archive.dataset_reader.text_to_instance(text) for text in texts]
    for instance in instances:
        archive.dataset_reader.apply_token_indexers(instance)
    return archive.model.represent_instances(instances).numpy()


def test_a_run_and_all_that_comes_after_it(initials, tmp_path):
    vectors = "char_ngrams:dimension=100"
    run = Job(config(initials, vectors=vectors, epochs=40, mdl=True), tmp_path / "run").run()
    assert run.metrics["test_accuracy"] > 0.7 > 0.5 > run.metrics["baseline_majority"]
    assert run.record.level == "sentence" and run.task == "Initial/finnish"
    assert run.representation == "average of char_ngrams"
    assert run.metrics["mdl_compression"] > 1
    for name in ("majority", "length", "unigram"):
        assert f"baseline_{name}" in run.metrics and f"baseline_{name}_macro_f1" in run.metrics
    predictor = SentenceLabelPredictor.from_path(str(run.path / "model.tar.gz"))
    record = next(run.predictions("test"))
    for given in (record["input"]["sentence"], record["input"]["sentence"].split(" ")):
        answer = predictor.predict_json({"sentence": given})
        assert answer["label"] == record["label"]
        assert answer["probability"] == pytest.approx(record["probability"], abs=1e-5)
    with pytest.raises(ValueError, match='expected {"sentence": text, or a list of words}'):
        predictor.load_line('{"form": "kissa"}')
    text = summarize([str(run.path)])
    assert "unigram" in text and "stable only from about 30,000 on" in text
    other = Job(config(initials, head=LOGISTIC), tmp_path / "other").run()
    compared = probe_compare(run.path, other.path)
    notes = " ".join(compared["notes"])
    assert "Other classifiers: mlp in A, LogisticRegression in B." in notes and "Macro-F1" in notes
    assert "size" in notes and "LogisticRegression" in summarize([str(run.path), str(other.path)])
    assert compared["items"] == 60 and compared["a"]["score"] == run.metrics["test_accuracy"]


def test_folds_against_a_computation_of_their_own(initials, tmp_path):
    """scikit-learn alone, on the same vectors and folds, has the same answers."""
    run = Job(config(initials, head=LOGISTIC, folds={"k": 4}), tmp_path / "run").run()
    texts, labels = rows_of(initials)
    vectors, groups = vectors_of(run, texts), [group_of(text.split(" ")) for text in texts]
    order = sorted(range(300), key=lambda i: (groups[i], texts[i], labels[i]))
    splitter = StratifiedGroupKFold(4, shuffle=True, random_state=13)
    gold = np.array(labels)[order]
    answers = np.empty(300, dtype=object)
    scores = []
    for train, test in splitter.split(order, gold, groups=np.array(groups)[order]):
        plain = LogisticRegression(max_iter=500).fit(vectors[order][train], gold[train])
        answers[test] = plain.predict(vectors[order][test])
        scores.append(accuracy_score(gold[test], answers[test]))
    assert run.metrics["test_accuracy"] == pytest.approx(accuracy_score(gold, answers))
    expected = f1_score(gold, answers.astype(str), average="macro")
    assert run.metrics["test_macro_f1"] == pytest.approx(expected)
    assert run.metrics["fold_accuracy_mean"] == pytest.approx(np.mean(scores))
    assert run.metrics["fold_accuracy_sd"] == pytest.approx(np.std(scores, ddof=1))
    by_text = {r["input"]["sentence"]: r["label"] for r in run.predictions("test")}
    assert by_text == dict(zip(np.array(texts)[order], answers))
    table = (run.path / "folds.tsv").read_text(encoding="utf-8").splitlines()
    assert table[0].split("\t") == [
        "fold",
        "tested",
        "train_items",
        "test_items",
        "accuracy",
        "macro_f1",
    ]
    assert [float(row.split("\t")[4]) for row in table[1:]] == pytest.approx(scores, abs=1e-4)
    assert run.metrics["num_test"] == 300 and run.metrics["overlap_test"] == 0
    assert run.record.folds["number"] == 4 and run.record.sizes["test"] == {"items": 300}
    assert "4 folds (k_fold, grouped, stratified; seed 13)" in summarize([str(run.path)])
    # The baselines are those of the same folds.
    majority = np.mean([max((gold == name).mean() for name in set(gold))])
    assert run.metrics["baseline_majority"] == pytest.approx(majority, abs=0.02)


def test_the_study_s_mlp_against_a_bare_loop(initials, tmp_path):
    """50 sigmoid units, Adam, batches of 32: within a point of a loop of PyTorch's over three seeds."""
    texts, labels = rows_of(initials)
    names = sorted(set(labels))
    gold = torch.tensor([names.index(label) for label in labels])
    ours, bare = [], []
    for seed in (1, 2, 3):
        job = Job(
            config(
                initials,
                epochs=30,
                seed=seed,
                vectors="char_ngrams:dimension=40:seed=5",
                folds={"k": 3},
            ),
            tmp_path / f"run{seed}",
        )
        run = job.run()
        ours.append(run.metrics["test_accuracy"])
        vectors = torch.from_numpy(vectors_of(run, texts))
        folds = {r["input"]["sentence"]: r["fold"] for r in run.predictions("test")}
        fold_of = torch.tensor([folds[text] for text in texts])
        right = 0
        for fold in range(3):
            torch.manual_seed(100 + seed)
            net = torch.nn.Sequential(
                torch.nn.Linear(40, 50), torch.nn.Sigmoid(), torch.nn.Linear(50, 3)
            )
            optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
            train = (fold_of != fold).nonzero().flatten()
            for _ in range(30):
                for batch in train[torch.randperm(len(train))].split(32):
                    loss = torch.nn.functional.cross_entropy(net(vectors[batch]), gold[batch])
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            test = fold_of == fold
            right += int((net(vectors[test]).argmax(dim=-1) == gold[test]).sum())
        bare.append(right / len(texts))
    assert np.mean(ours) == pytest.approx(np.mean(bare), abs=0.01)


def sif_of(vectors, fitted_to, sentences):
    """SIF by its formulas: word frequencies and the common direction come from `fitted_to` alone."""
    words = [word for sentence in fitted_to for word in sentence]
    share = {word: words.count(word) / len(words) for word in set(words)}

    def mean(sentence):
        weighted = [1e-3 / (1e-3 + share.get(word, 0)) * vectors[word] for word in sentence]
        return np.mean(weighted, axis=0)

    common = np.linalg.svd(np.stack([mean(s) for s in fitted_to]))[2][0]
    means = np.stack([mean(sentence) for sentence in sentences])
    return means - np.outer(means @ common, common)


def test_nothing_is_fitted_to_test_sentences(initials, tmp_path, monkeypatch):
    """Neither the encoder of a fold nor its baselines know the sentences that it tests."""
    seen = []

    def keeping(model, features, instances=None, with_predictions=False):
        if with_predictions:
            seen.append((features.values.values.clone(), features.records, instances))
        return evaluate(model, features, instances, with_predictions)

    monkeypatch.setattr("linspector_allennlp.runs.fold_evaluation.evaluate", keeping)
    vectors = "random_vectors:dimension=8:seed=1"
    settings = config(initials, head=LOGISTIC, vectors=vectors, encoder="sif", folds={"k": 3})
    run = Job(settings, tmp_path / "run").run()
    of_word = dict(zip(WORDS, RandomVectorsEmbedder(8, seed=1).embed_forms(WORDS)))
    assert len(seen) == 3
    answers, gold = [], []
    for features, records, tested in seen:
        words = [record.metadata["words"] for record in records]
        items = [Item(record.metadata["words"], record.labels[0]) for record in records]
        test = set(tested.tolist())
        trained = [i for i in range(300) if i not in test]
        expected = sif_of(of_word, [words[i] for i in trained], words)
        assert np.allclose(features, expected, atol=1e-5)
        assert not np.allclose(features, sif_of(of_word, words, words), atol=1e-3)
        parts = [items[i] for i in trained], [items[i] for i in sorted(test)]
        answers += unigram_predictions(*parts)
        gold += [item.label for item in parts[1]]
    assert run.metrics["baseline_unigram"] == pytest.approx(accuracy_score(gold, answers))
    macro_f1 = f1_score(gold, answers, average="macro")
    assert run.metrics["baseline_unigram_macro_f1"] == pytest.approx(macro_f1)


def test_labels_that_a_fold_cannot_learn(initials, tmp_path):
    """All items of each are variants of one sentence. For baselines, as for the probe, they are two classes."""
    path = initials / "train.txt"
    variants = ["kala pala\trare\n", "pala kala\trare\n", "mala tala\trarer\n"]
    path.write_text(path.read_text(encoding="utf-8") + "".join(variants), encoding="utf-8")
    run = Job(config(initials, head=LOGISTIC, folds={"k": 3}), tmp_path / "run").run()
    records = list(run.predictions("test"))
    gold = [record["gold"] for record in records]
    answers = [record["label"] for record in records]
    expected = f1_score(gold, answers, average="macro")
    assert run.metrics["test_macro_f1"] == pytest.approx(expected)
    majority = []
    for record in records:
        train = [other["gold"] for other in records if other["fold"] != record["fold"]]
        majority.append(max(set(train), key=train.count))
    assert not {"rare", "rarer"} & set(majority) and {"rare", "rarer"} < set(gold)
    expected = f1_score(gold, majority, average="macro")
    assert run.metrics["baseline_majority_macro_f1"] == pytest.approx(expected)


@pytest.fixture
def word_order(tmp_path):
    """Each sentence three times: its noun at the beginning, in the middle, at the end."""
    rows = []
    for words in sentences(100, length=(8, 8)):
        for zone, place in (("begin", 0), ("middle", 4), ("end", 8)):
            rows.append((" ".join([*words[:place], "aika", *words[place:]]), zone))
    random.Random(1).shuffle(rows)
    return write_task(tmp_path / "WO/finnish", rows)


def test_variants_of_a_sentence_need_grouped_folds(word_order, tmp_path):
    """
    An average does not see the order of words: a third is right. Where rows are divided without regard to
    their variants it is far below that: the two variants in training have the two other labels.
    """
    grouped = Job(config(word_order, epochs=25, folds={"k": 5}), tmp_path / "grouped").run()
    assert grouped.metrics["test_accuracy"] == pytest.approx(1 / 3, abs=0.01)
    assert grouped.metrics["overlap_test"] == 0
    rows = config(word_order, epochs=25, folds={"k": 5, "grouped": False})
    apart = Job(rows, tmp_path / "apart").run()
    assert apart.metrics["test_accuracy"] < 0.25
    assert apart.metrics["overlap_test"] > 0.9
    assert "below chance" in summarize([str(apart.path)])


def test_topics(tmp_path):
    """Two topics: the label depends on the sentence and the topic, so that neither alone tells it."""
    rng = random.Random(2)
    rows = []
    for words in sentences(400):
        topic = rng.choice(["auringon valo", "meren pohja"])
        sunny = words[0][0] == "k"
        rows.append((" ".join([words[0]] * 3), topic, str(sunny == (topic == "meren pohja"))))
    data = write_task(tmp_path / "Topic/finnish", rows)
    head = {"type": "mlp", "hidden_dims": [30]}
    with_topic = {
        "dataset_reader": {"topic": "encode"},
        "model": {"with_topic": True, "head": head},
    }
    run = Job(config(data, epochs=30, **copy.deepcopy(with_topic)), tmp_path / "run").run()
    without = {"dataset_reader": {"topic": "group"}, "model": {"head": head}}
    alone = Job(config(data, epochs=30, **without), tmp_path / "alone").run()
    assert run.metrics["test_accuracy"] > 0.85 > 0.75 > alone.metrics["test_accuracy"]
    assert next(run.predictions("test"))["topic"] in ("auringon valo", "meren pohja")
    predictor = SentenceLabelPredictor.from_path(str(run.path / "model.tar.gz"))
    record = next(run.predictions("test"))
    assert predictor.predict_json(record["input"])["label"] == record["label"]
    by_topic = {"folds": {"type": "leave_one_group_out"}, "dataset_reader": {"topic": "group"}}
    left_out = Job(config(data, epochs=2, **by_topic), tmp_path / "left_out").run()
    table = (left_out.path / "folds.tsv").read_text(encoding="utf-8").splitlines()
    assert [row.split("\t")[1] for row in table[1:]] == ["auringon valo", "meren pohja"]


def test_random_subsets_are_the_same_for_all_probes(initials, tmp_path):
    folds = {"type": "random_subsets", "repetitions": 2, "test_share": 0.3}
    tested = []
    for number, (head, vectors) in enumerate([(None, "char_ngrams"), (LOGISTIC, "random_vectors")]):
        made = config(initials, head=head, epochs=1, vectors=vectors, folds=folds)
        run = Job(made, tmp_path / f"run{number}").run()
        tested.append([(r["fold"], r["input"]["sentence"]) for r in run.predictions("test")])
        assert run.metrics["num_test"] == len(tested[-1]) == 180
    assert tested[0] == tested[1]


def test_selectivity_of_sentences(initials, tmp_path):
    for name, changes in (("files", {}), ("folds", {"folds": {"k": 3}})):
        numbers = probe_selectivity_of(config(initials, **changes), tmp_path / name)
        assert numbers["selectivity"] is None and not numbers["control_can_be_learned"]
        assert 0 < numbers["memorisation"] <= 1
        text = describe(numbers)
        assert "Too few sentence types of the test data" in text and "unigram" in text


def probe_selectivity_of(settings, folder):
    path = folder.with_suffix(".json")
    path.write_text(json.dumps(settings), encoding="utf-8")
    return probe_selectivity(path, folder)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"folds": {"k": 400}}, "400 folds need at least as many groups"),
        ({"folds": {"type": "leave_one_group_out"}}, "leaves a topic out"),
        ({"model": {"head": LOGISTIC}, "trainer": GRADIENTS}, "frozen_probe"),
        ({"folds": {"k": 3}, "trainer": GRADIENTS}, "frozen_probe"),
        ({"type": "recorded_run", "folds": {"k": 3}}, "folds: expected a probe_run"),
        (
            {"mdl": True, "model": {"head": {"type": "sklearn", "classifier": "LinearSVC"}}},
            "mdl: .*no prob",
        ),
        ({"folds": {"k": 3}, "mdl": True}, "mdl: expected the files' own split"),
        ({"folds": {"k": 3}, "train_share": 0.5}, "train_share: with folds"),
        ({"dataset_reader": {"topic": "encode"}}, "expected 3 tab-separated columns"),
    ],
)
def test_what_cannot_be_run(initials, tmp_path, changes, message):
    made = config(initials, **changes)
    with pytest.raises((ConfigurationError, ValueError), match=message):
        Job(made, tmp_path / "run").run()
    assert not (tmp_path / "run/run.json").exists()


def test_empty_lines_of_all_files_are_counted(initials, tmp_path):
    for name, number in (("train", 3), ("test", 2)):
        path = initials / f"{name}.txt"
        path.write_text(path.read_text(encoding="utf-8") + "\tk\n" * number, encoding="utf-8")
    settings = config(initials, head=LOGISTIC, dataset_reader={"skip_empty": True}, folds={"k": 3})
    run = Job(settings, tmp_path / "run").run()
    assert run.provenance["data"]["train"]["left_out"] == {"that are empty": 5}
    assert "5 sentences that are empty" in summarize([str(run.path)])


def test_what_folds_do_not_keep_apart(initials, tmp_path):
    facts = {"task": "Tense", "language": "finnish", "facts": {"kept_apart": "a verb form"}}
    (initials / "manifest.json").write_text(json.dumps(facts), encoding="utf-8")
    for name, folds in (("files", {}), ("folds", {"folds": {"k": 3}})):
        run = Job(config(initials, head=LOGISTIC, **folds), tmp_path / name).run()
        assert ("a verb form is in one split only" in summarize([str(run.path)])) == bool(folds)
        assert run.task == "Tense/finnish"


def test_one_label_is_refused(tmp_path):
    data = write_task(tmp_path / "One/finnish", [(" ".join(words), "a") for words in sentences(30)])
    with pytest.raises(ConfigurationError, match="at least two labels"):
        Job(config(data), tmp_path / "run").run()


def test_folds_of_word_tasks(tmp_path, fixtures):
    """They are for every probe that chooses a label."""
    settings = probe_config(
        "single_form",
        fixtures / "type_level/Case/finnish",
        "char_ngrams",
        folds={"k": 3},
        trainer={"num_epochs": 2},
    )
    run = Job(settings, tmp_path / "run").run()
    assert run.metrics["num_folds"] == 3 and "baseline_suffix" in run.metrics
    tagging = probe_config("tagging", fixtures / "raw/finnish-ud", "char_ngrams", folds={"k": 3})
    with pytest.raises(ConfigurationError, match="one label an instance"):
        Job(tagging, tmp_path / "tagging").run()
