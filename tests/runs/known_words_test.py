"""Items of unknown words leave a task: a run is then that of the files without these items."""

import json

import pytest
from allennlp.commands import evaluate
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import load_archive
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.predictors import Predictor

from linspector_allennlp.commands.probe_summary import summarize
from linspector_allennlp.commands.subcommands import allennlp_commands
from linspector_allennlp.dataset_readers import SentenceLabelReader
from linspector_allennlp.encoders import AverageEncoder, SentenceSpaces
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.io.hashing import hash_keys, hashed_vectors
from linspector_allennlp.representations import WordVectorsEmbedder
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.runs.known_words import known_part

SPLITS = ("train", "dev", "test")
FORMS = {
    "single_form": ("type_level/Case", slice(0, 1)),
    "paired_forms": ("type_level/OddFeat", slice(0, 2)),
    "token_in_context": ("token_level/Case", None),
    "paired_tokens": ("token_level/OddFeat", None),
    "sentence": ("sentence_level/BiShift", None),
}
TIME_AND_ROOM = ("duration", "memory", "skipped")


def words_of_row(kind, row):
    """What an item asks of."""
    columns = row.rstrip("\n").split("\t")
    if kind == "token_in_context":
        return [columns[0].split(" ")[int(columns[1])]]
    if kind == "paired_tokens":
        pairs = zip(columns[::2], columns[1::2])
        return [sentence.split(" ")[int(index)] for sentence, index in list(pairs)[:2]]
    return columns[0].split(" ") if kind == "sentence" else columns[FORMS[kind][1]]


def write_vectors(path, words, share=0.8):
    """The vectors of so many of these words, by chance."""
    words = sorted(set(words))
    keys = hash_keys([word.encode() for word in words]).tolist()
    known = [word for word, key in zip(words, keys) if key < share * 2**64]
    rows = hashed_vectors(known, 12, 5).tolist()
    path.write_text(
        "".join(f"{w} {' '.join(map(str, row))}\n" for w, row in zip(known, rows)), encoding="utf-8"
    )
    return set(known)


def without(metrics):
    """The metrics that two runs of the same items must share."""
    return {
        name: value
        for name, value in metrics.items()
        if not any(part in name for part in TIME_AND_ROOM)
    }


def answers(folder):
    lines = (folder / "test_predictions.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        {
            k: v
            for k, v in json.loads(line).items()
            if k not in ("line", "sentence", "sentence1", "sentence2", "sent_id")
        }
        for line in lines
    ]


def copied(source, target, changed):
    """A task's files with some of their lines; gives how many are left out of each."""
    target.mkdir(parents=True)
    left_out = {}
    for split in SPLITS:
        rows = (source / f"{split}.txt").read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [row for row in rows if changed(row)]
        left_out[split] = len(rows) - len(kept)
        (target / f"{split}.txt").write_text("".join(kept), encoding="utf-8")
    return left_out


@pytest.fixture
def task(fixtures, tmp_path, environment, monkeypatch):
    """Two tasks: all items and `skip`, and those that are left and `error`."""

    def make(kind, share=0.8):
        folder, _ = FORMS[kind]
        source = fixtures / folder / "finnish"
        rows = "".join((source / f"{split}.txt").read_text(encoding="utf-8") for split in SPLITS)
        asked = [word for row in rows.splitlines() for word in words_of_row(kind, row)]
        known = write_vectors(tmp_path / "some.vec", asked, share)
        keeps = any if kind == "sentence" else all

        def changed(row):
            return keeps(word in known for word in words_of_row(kind, row))

        name = source.parent.name
        left_out = copied(source, tmp_path / "left" / name / "finnish", changed)
        copied(source, tmp_path / "all" / name / "finnish", lambda row: True)

        def choose(which, unk):
            environment(name, vectors=f"word_vectors:{tmp_path / 'some.vec'}:unk={unk}")
            monkeypatch.setenv("DATA_DIR", str(tmp_path / which))

        return choose, left_out

    return make


SHORT = {"num_epochs": 3}


@pytest.mark.parametrize(
    "kind, trainer",
    [*((kind, "frozen_probe") for kind in FORMS), ("paired_forms", "gradient_descent")],
)
def test_a_run_is_that_of_what_is_left(kind, trainer, task, train, tmp_path):
    choose, left_out = task(kind, share=0.12 if kind == "sentence" else 0.8)
    assert all(left_out.values()), left_out
    choose("left", "zeros" if kind == "sentence" else "error")
    settings = {"trainer": {"type": trainer, **SHORT}, "mdl": trainer == "frozen_probe"}
    expected = train(kind, "expected", **settings)
    choose("all", "skip")
    found = train(kind, "found", **settings)
    assert without(found) == without(expected)
    assert answers(tmp_path / "found") == answers(tmp_path / "expected")
    for split, name in zip(SPLITS, ("train", "validation", "test")):
        assert found[f"skipped_{name}"] == left_out[split]
        assert kind == "sentence" or found[f"oov_{name}"] == 0
    run = RunFolder.read(tmp_path / "found")
    assert run.provenance["data"]["train"]["skipped"] == {"items": left_out["train"]}
    assert f"Left out of test for want of vectors: {left_out['test']} items" in summarize(
        [str(tmp_path / "found")]
    )
    assert not [name for name in expected if name.startswith("skipped")]


def test_evaluate_leaves_out_the_same_and_predict_says_what_is_unknown(task, train, tmp_path):
    choose, left_out = task("single_form")
    choose("all", "skip")
    metrics = train("single_form", trainer=SHORT)
    allennlp_commands.install()
    path = tmp_path / "run/model.tar.gz"
    data = tmp_path / "all/Case/finnish/test.txt"
    scores = evaluate.evaluate_from_archive(str(path), str(data))
    assert scores["accuracy"] == pytest.approx(metrics["test_accuracy"])
    archive = load_archive(str(path))
    predictor = Predictor.from_archive(archive)
    known = next(open(tmp_path / "some.vec", encoding="utf-8")).split(" ")[0]
    assert predictor.predict_json({"form": known})["input"] == {"form": known}
    with pytest.raises(ValueError, match='no vector for the word \'qqq\', and "unk" is "skip"'):
        predictor.predict_json({"form": "qqq"})


def test_an_encoder_cannot_ask_for_vectors_that_there_are_not(tmp_path):
    (tmp_path / "some.vec").write_text("x 1 2\ny 2 1\n")
    vectors = WordVectorsEmbedder(str(tmp_path / "some.vec"), unk="skip")
    embedder = BasicTextFieldEmbedder({"words": vectors})
    with pytest.raises(ConfigurationError, match="expected skip of the encoder, too"):
        SentenceSpaces(embedder, Lazy(AverageEncoder), unk="representation")


def test_a_sentence_leaves_with_a_topic_of_unknown_words(tmp_path):
    (tmp_path / "some.vec").write_text("x 1 2\ny 2 1\n")
    vectors = WordVectorsEmbedder(str(tmp_path / "some.vec"), unk="skip")
    reader = SentenceLabelReader(topic="encode")
    sentences = {("x q", "y q"): True, ("x", "q"): False, ("q", "x"): False}
    for (sentence, topic), stays in sentences.items():
        instance = reader.text_to_instance(sentence, topic, "A")
        metadata_of(instance)["group"] = 0
        assert (known_part(instance, [vectors]) is not None) == stays


def test_control_tasks_and_folds(task, train, tmp_path):
    choose, left_out = task("single_form")
    choose("left", "error")
    changes = {"trainer": SHORT, "folds": {"k": 3}}
    expected = train("single_form", "expected", **changes)
    choose("all", "skip")
    found = train("single_form", "found", **changes)
    # The same groups, though they have other numbers in the files.
    assert found["num_train"] == expected["num_train"]
    assert found["skipped_train"] == sum(left_out.values())
    assert found["test_accuracy"] == expected["test_accuracy"]
    reader = {
        "type": "control_task",
        "reader": {"type": "single_form", "token_indexers": {"words": {"type": "word_form"}}},
        "train_data_path": str(tmp_path / "all/Case/finnish/train.txt"),
        "token_indexers": None,
    }
    control = train("single_form", "control", trainer=SHORT, dataset_reader=reader)
    assert control["num_test"] == 100 - left_out["test"] and control["oov_train"] == 0


@pytest.fixture
def treebank_of_some(fixtures, tmp_path, treebank, monkeypatch):
    """A treebank of all words; and one in which what asks of unknown words is not there."""
    forms = set()
    for split in SPLITS:
        text = (fixtures / f"raw/finnish-ud-{split}.conllu").read_text(encoding="utf-8")
        forms |= {row.split("\t")[1] for row in text.splitlines() if "\t" in row}
    known = write_vectors(tmp_path / "some.vec", forms, 0.9)

    def choose(which, unk, change):
        for split in SPLITS:
            source = fixtures / f"raw/finnish-ud-{split}.conllu"
            target = tmp_path / f"{which}-{split}.conllu"
            blocks = source.read_text(encoding="utf-8").strip("\n").split("\n\n")
            kept = [new for block in blocks if (new := change(block, known))]
            target.write_text("\n\n".join(kept) + "\n\n", encoding="utf-8")
        treebank("Case", f"word_vectors:{tmp_path / 'some.vec'}:unk={unk}")
        monkeypatch.setenv("TREEBANK", str(tmp_path / which))

    return choose


def tokens_of(block):
    """The surface tokens of a sentence, by the words that they stand for."""
    of_word = {}
    for row in block.splitlines():
        number, form = (*row.split("\t"), "")[:2]
        if "-" in number and not row.startswith("#"):
            first, last = map(int, number.split("-"))
            of_word.update(dict.fromkeys(range(first, last + 1), form))
        elif number.isdigit():
            of_word.setdefault(int(number), form)
    return of_word


def without_unknown_cases(block, known):
    """The words stay in their sentence, and have nothing to be asked about."""
    tokens, rows = tokens_of(block), []
    for row in block.splitlines():
        columns = row.split("\t")
        if columns[0].isdigit() and tokens[int(columns[0])] not in known:
            columns[5] = "_"
        rows.append("\t".join(columns))
    return "\n".join(rows)


def without_unknown_trees(block, known):
    return block if set(tokens_of(block).values()) <= known else ""


@pytest.mark.parametrize(
    "config, change, trainer",
    [
        ("tagging", without_unknown_cases, "frozen_probe"),
        ("tagging", without_unknown_cases, "gradient_descent"),
        ("edges", without_unknown_trees, "frozen_probe"),
        ("depth", without_unknown_trees, "frozen_probe"),
    ],
)
def test_treebanks(config, change, trainer, treebank_of_some, train, tmp_path):
    settings = {"trainer": {"type": trainer, **SHORT}}
    if trainer == "gradient_descent":  # it knows neither of these
        settings["trainer"].update(max_steps=None, learning_rate_scheduler=None)
    treebank_of_some("left", "zeros" if config == "tagging" else "error", change)
    expected = train(config, "expected", **settings)
    treebank_of_some("all", "skip", lambda block, known: block)
    found = train(config, "found", **settings)
    assert without(found) == without(expected)
    assert answers(tmp_path / "found") == answers(tmp_path / "expected")
    assert found["skipped_train"] > 0
    if config == "tagging":
        predictor = Predictor.from_archive(load_archive(str(tmp_path / "found/model.tar.gz")))
        with pytest.raises(ValueError, match="no vector for the word"):
            predictor.predict_json({"sentence": "qqq nukkuu"})
    else:
        assert found["skipped_train_sentences"] > 0


def test_a_task_of_unknown_words_alone(task, train, tmp_path):
    choose, _ = task("single_form")
    (tmp_path / "some.vec").write_text("x 1 2\ny 2 1\n")
    choose("all", "skip")
    with pytest.raises(ValueError, match="train.txt: nothing of it is left: .*some.vec .*such as"):
        train("single_form")


def test_other_models_other_places_and_other_processes(task, train, tmp_path):
    choose, _ = task("single_form")
    choose("all", "skip")
    with pytest.raises(ConfigurationError, match="expected a probe_run"):
        train("single_form", type="recorded_run", dataset_reader={"type": "single_form"})
    base = {"type": "word_vectors", "file": str(tmp_path / "some.vec"), "unk": "skip"}
    embedder = {"type": "random_bilstm", "base": base, "file": None, "unk": None}
    words = {"token_embedders": {"words": embedder}}
    with pytest.raises(ConfigurationError, match='set the "unk" of its base'):
        train("single_form", model={"text_field_embedder": words})
    with pytest.raises(ConfigurationError, match="without num_workers"):
        train("single_form", data_loader={"num_workers": 1})


def test_most_items_left_out_is_a_warning(task, train, tmp_path):
    choose, left_out = task("single_form", share=0.3)
    choose("all", "skip")
    train("single_form", trainer=SHORT)
    warnings = RunFolder.read(tmp_path / "run").provenance["warnings"]
    assert [w for w in warnings if "train.txt" in w and "% of the items are left out" in w]
