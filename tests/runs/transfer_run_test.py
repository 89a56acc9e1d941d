"""
A probe that is trained in one language and tested in another. The other language is made here: it says
the same, in the same forms with other meanings, so that every word of it is a homograph of some word of the
first. Its vectors are those of the first, rotated. Once the rotation is undone, nothing but the forms differs:
each score must be that of the test data of the first language, and a word that were looked up in the wrong
file would get the vector of another.
"""

import json

import numpy as np
import pytest
from allennlp.commands import evaluate
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import load_archive
from allennlp.predictors import Predictor

from linspector_allennlp.commands.probe_selectivity import probe_selectivity
from linspector_allennlp.commands.probe_summary import summarize
from linspector_allennlp.commands.subcommands import allennlp_commands
from linspector_allennlp.io.hashing import hash_keys
from linspector_allennlp.representations import CharNgramsEmbedder
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.suite.job import Job
from linspector_allennlp.suite.settings import probe_config

FOLDERS = {
    "single_form": "type_level/Case/finnish",
    "syneval": "type_level/Case/finnish",
    "paired_forms": "type_level/OddFeat/finnish",
    "token_in_context": "token_level/Case/finnish",
    "paired_tokens": "token_level/OddFeat/finnish",
    "sentence": "sentence_level/SentLen/finnish",
}
TREEBANKS = ("tagging", "distance")
TREEBANK = "raw/finnish-ud"
SPLITS = ("train", "dev", "test")
DIM = 40
NOISE = 1e-4  # of a rotation that was undone, in decimals
OF_FORMS = ("baseline", "overlap", "seen_forms", "duration", "memory")


def words_of(cell):
    return [] if cell.lstrip("-").isdigit() else cell.split(" ")


def rows_of(path):
    return [row.split("\t") for row in path.read_text(encoding="utf-8").splitlines()]


def columns_of_words(kind, row):
    """The places in a row of what is text."""
    if kind in TREEBANKS:
        return [1] if len(row) == 10 else []
    return range(len(row) - 1)


class Languages:
    """Two languages with their data and vectors."""

    def __init__(self, kind, fixtures, folder):
        self.kind, self.folder = kind, folder
        source = fixtures / (TREEBANK if kind in TREEBANKS else FOLDERS[kind])
        ending = "-%s.conllu" if kind in TREEBANKS else "/%s.txt"
        self.first = str(source)
        task = source.parent.name
        self.other = str(folder / ("turkish-ud" if kind in TREEBANKS else f"{task}/turkish"))
        files = {split: rows_of(fixtures / (str(source) + ending % split)) for split in SPLITS}
        words = {
            word
            for rows in files.values()
            for row in rows
            for place in columns_of_words(kind, row)
            for word in words_of(row[place])
        }
        self.words = sorted(words)
        # The next word means what this one means.
        self.translation = dict(zip(self.words, [*self.words[1:], self.words[0]]))
        for split, rows in files.items():
            translated = [self._translated(row) for row in rows]
            path = folder / (self.other + ending % split)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(map("{}\n".format, translated)), encoding="utf-8")
        keys = hash_keys([word.encode() for word in self.words]).tolist()
        known = [word for word, key in zip(self.words, keys) if key < 0.85 * 2**64]
        vectors = CharNgramsEmbedder(dimension=DIM, seed=1).embed_forms(known).astype(np.float64)
        rotation, _ = np.linalg.qr(np.random.default_rng(3).normal(size=(DIM, DIM)))
        in_other = [self.translation[word] for word in known]
        self.known = set(known)
        self.vectors = self._write("first", known, vectors)
        self.apart = self._write("apart", in_other, vectors @ rotation)
        self.aligned = self._write("aligned", in_other, vectors @ rotation @ rotation.T)

    def _translated(self, row):
        cells = list(row)
        for place in columns_of_words(self.kind, row):
            if words_of(row[place]):
                cells[place] = " ".join(self.translation[word] for word in words_of(row[place]))
        return "\t".join(cells)

    def _write(self, name, words, vectors):
        path = self.folder / f"{name}.vec"
        rows = (f"{w} {' '.join(f'{v:.7f}' for v in row)}\n" for w, row in zip(words, vectors))
        path.write_text("".join(rows), encoding="utf-8")
        return str(path)

    def config(self, test=None, unk="mean", **changes):
        target = {"target": "upos"} if self.kind == "tagging" else {}
        named = test and {
            **test,
            "representation": f"word_vectors:{test['representation']}:unk={unk}",
        }
        epochs = {"num_epochs": 8, **changes.pop("trainer", {})}
        epochs["optimizer"] = {"type": "fused_adam", "lr": 0.01}
        vectors = f"word_vectors:{self.vectors}:unk={unk}"
        encoder = {"encoder": "average"} if self.kind == "sentence" else {}
        return probe_config(
            self.kind,
            self.first,
            vectors,
            test=named,
            trainer=epochs,
            **target,
            **encoder,
            **changes,
        )

    def train(self, name, test=None, **settings):
        folder = self.folder / name
        Job(self.config(test, **settings), folder).run()
        return RunFolder.read(folder)


def answers(run):
    lines = (run.path / "test_predictions.jsonl").read_text(encoding="utf-8").splitlines()
    names = ("label", "edges")
    return [{k: v for k, v in json.loads(line).items() if k in names} for line in lines]


@pytest.mark.parametrize(
    "kind, unk, trainer",
    [
        ("single_form", "skip", "gradient_descent"),
        ("syneval", "skip", "frozen_probe"),
        ("paired_forms", "mean", "gradient_descent"),
        ("token_in_context", "skip", "frozen_probe"),
        ("paired_tokens", "mean", "frozen_probe"),
        ("tagging", "skip", "frozen_probe"),
        ("distance", "mean", "gradient_descent"),
        ("sentence", "skip", "frozen_probe"),
    ],
)
def test_over_aligned_vectors_a_probe_says_the_same(kind, unk, trainer, fixtures, tmp_path):
    languages = Languages(kind, fixtures, tmp_path)
    settings = {"unk": unk, "trainer": {"type": trainer}}
    expected = languages.train("within", **settings)
    test = {"data": languages.other, "representation": languages.aligned}
    found = languages.train("transfer", test, **settings)
    assert answers(found) == answers(expected)
    assert len(set(map(str, answers(found)))) > 2
    for name, value in expected.metrics.items():
        if not any(part in name for part in OF_FORMS):
            assert found.metrics[name] == pytest.approx(value, abs=2e-3), name
    assert found.provenance["data"]["validation"] == expected.provenance["data"]["validation"]
    if unk == "skip" and kind != "sentence":
        assert found.metrics["skipped_test"] == expected.metrics["skipped_test"] > 0
    else:
        assert 0 < found.metrics["oov_test"] < 0.5
    # From tensors, as an archive is evaluated: its reader is that of the test language.
    allennlp_commands.install()
    scores = evaluate.evaluate_from_archive(
        str(found.path / "model.tar.gz"), found.provenance["data"]["test"]["path"]
    )
    metric = found.record.main_metric
    assert scores[metric] == pytest.approx(found.metrics[f"test_{metric}"], abs=1e-5)


def test_vectors_that_are_not_aligned_tell_nothing(fixtures, tmp_path):
    languages = Languages("single_form", fixtures, tmp_path)
    # Vectors that say the label: what a probe learns in one space is nothing in another.
    cases = sorted({row[-1] for row in rows_of(fixtures / FOLDERS["single_form"] / "train.txt")})
    label_of = {
        row[0]: row[-1]
        for split in SPLITS
        for row in rows_of(fixtures / FOLDERS["single_form"] / f"{split}.txt")
    }
    known = sorted(label_of)
    vectors = np.eye(len(cases), DIM)[[cases.index(label_of[word]) for word in known]]
    turned = vectors @ np.roll(np.eye(DIM), 1, axis=1)  # each label where the next one was
    languages.vectors = languages._write("told", known, vectors)
    others = [languages.translation[word] for word in known]
    scores = {}
    for name, of_other in (("aligned", vectors), ("apart", turned)):
        path = languages._write(f"told_{name}", others, of_other)
        run = languages.train(name, {"data": languages.other, "representation": path})
        scores[name] = run.metrics["test_accuracy"]
        assert run.metrics["best_validation_accuracy"] == 1
    assert scores["aligned"] == 1 and scores["apart"] == 0


def test_the_run_says_where_it_was_tested(fixtures, tmp_path):
    languages = Languages("single_form", fixtures, tmp_path)
    test = {"data": languages.other, "representation": languages.aligned}
    run = languages.train("transfer", test)
    record, of_test = run.record, run.record.transfer
    assert (record.task, record.language) == ("Case", "finnish")
    assert (of_test["task"], of_test["language"]) == ("Case", "turkish")
    assert [each["path"] for each in record.representation] == [languages.vectors]
    assert [each["path"] for each in of_test["representation"]] == [languages.aligned]
    assert run.provenance["transfer"] == of_test
    assert not any("in train too" in warning for warning in run.provenance["warnings"])
    text = summarize([str(run.path)])
    assert "Case/finnish → turkish" in text
    assert "word_vectors first.vec → word_vectors aligned.vec" in text
    most = max(
        np.unique(
            [row[-1] for row in rows_of(tmp_path / "Case/turkish/test.txt")], return_counts=True
        )[1]
    )
    assert run.metrics["baseline_test_majority"] == pytest.approx(most / 100)
    assert f"{most}.0 % of the test items have the label that is most frequent there, 0.0 %" in text
    assert "baseline_test_majority" in record.baselines
    within = languages.train("within")
    # The same vectors for both: nothing of it is there, but the other language.
    run = languages.train("same", {"data": languages.other, "representation": languages.vectors})
    config = languages.config({"data": languages.other, "representation": languages.vectors})
    embedder = config["model"]["text_field_embedder"]["train"]
    config["model"]["text_field_embedder"] = embedder
    for key in ("transfer", "validation_dataset_reader"):
        del config[key]
    Job(config, tmp_path / "data").run()
    other = RunFolder.read(tmp_path / "data")
    assert answers(other) == answers(run) != answers(within)
    assert other.record.transfer == {"task": "Case", "language": "turkish"}
    assert within.record.transfer is None and "transfer" not in within.provenance
    assert "baseline_test_majority" not in within.metrics
    assert "baseline_test_majority" not in within.record.baselines


def test_an_archive_takes_words_of_both_languages(fixtures, tmp_path):
    languages = Languages("single_form", fixtures, tmp_path)
    run = languages.train(
        "transfer", {"data": languages.other, "representation": languages.aligned}
    )
    archive = load_archive(str(run.path / "model.tar.gz"))
    of_first, of_other = (
        Predictor.from_archive(archive, dataset_reader_to_load=name)
        for name in ("train", "validation")
    )
    labels = set()
    for word in [word for word in languages.words if word in languages.known][:30]:
        first = of_first.predict_json({"form": word})
        other = of_other.predict_json({"form": languages.translation[word]})
        assert other["label"] == first["label"]
        assert other["probability"] == pytest.approx(first["probability"], abs=NOISE)
        labels.add(first["label"])
    assert len(labels) > 2


def test_labels_that_training_has_not_are_counted(fixtures, tmp_path):
    languages = Languages("single_form", fixtures, tmp_path)
    path = tmp_path / "Case/turkish/test.txt"
    rows = path.read_text(encoding="utf-8").splitlines()
    rows[:10] = [f"{row.split(chr(9))[0]}\tEvidential" for row in rows[:10]]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    run = languages.train("run", {"data": languages.other, "representation": languages.aligned})
    assert run.metrics["test_unseen_labels"] == 10
    assert any("10 of 100 items have a label that is not" in w for w in run.provenance["warnings"])
    path.write_text(
        "".join(f"{row.split(chr(9))[0]}\tEvidential\n" for row in rows), encoding="utf-8"
    )
    with pytest.raises(ConfigurationError, match="none of its labels is in the training data"):
        languages.train("none", {"data": languages.other, "representation": languages.aligned})


def test_what_cannot_be(fixtures, tmp_path):
    languages = Languages("single_form", fixtures, tmp_path)
    test = {"data": languages.other, "representation": languages.aligned}
    wide = languages._write("wide", languages.words, np.ones((len(languages.words), DIM + 1)))
    with pytest.raises(
        ConfigurationError, match=r"one space.*40 \(.*first.vec\).*41 \(.*wide.vec\)"
    ):
        languages.train("wide", {**test, "representation": wide})
    nothing = languages._write("nothing", ["0"], np.ones((1, DIM)))
    with pytest.raises(ConfigurationError, match="turkish/test.txt: the representation knows none"):
        languages.train("nothing", {**test, "representation": nothing})
    for changes, message in (
        ({"transfer": False}, "expected transfer: true beside it"),
        ({"tested_on": "validation"}, "not tested_on beside it"),
        ({"folds": {"k": 3}}, "nor transfer beside"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            languages.train("refused", test, **changes)
    config = languages.config(test)
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(
        ConfigurationError, match="in the language of its training, found a transfer"
    ):
        probe_selectivity(tmp_path / "config.json", tmp_path / "control")
    del config["validation_dataset_reader"]
    with pytest.raises(ConfigurationError, match="expected a validation_dataset_reader"):
        Job(config, tmp_path / "refused").run()
