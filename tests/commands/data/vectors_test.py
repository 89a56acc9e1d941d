"""`probe-data vectors` from text to a probe that trains on the vectors, as a user calls it."""

import json
import sys

import pytest
from allennlp.common.checks import ConfigurationError

from linspector import main
from linspector_allennlp.commands.data import probe_data
from tests.commands.printed import parsed, printed

SMALL = ["--dimension", 8, "--min-count", 2, "--epochs", 2]


@pytest.fixture
def inputs(fixtures, tmp_path):
    text = tmp_path / "a.txt"
    text.write_text("Kala ui.\nKala nukkui!\n", encoding="utf-8")
    return ["--treebank", fixtures / "raw/finnish-ud-train.conllu", "--text", text]


def test_what_is_printed(inputs, tmp_path):
    path = tmp_path / "fi.vec"
    first, second, third, last = printed(
        probe_data, "vectors", *inputs, *SMALL, "--lowercase", "--output", path
    ).splitlines()
    record = json.loads((tmp_path / "fi.vec.json").read_text(encoding="utf-8"))
    assert first == f"86 sentences, 378 tokens, {record['types']} words."
    share = record["tokens_in_vocabulary"] / 378
    assert second == (
        f"{record['vocabulary']} words occur 2 times or more: {100 * share:.1f} % of the tokens."
    )
    assert third.startswith(f"{path}: their vectors, of 8 dimensions (word2vec, ")
    assert third.endswith(f"{path}.json says how.")
    assert last == f"To probe them: VECTORS=word_vectors:{path}:lowercase=true"


def test_every_setting_arrives(inputs, tmp_path):
    printed(probe_data, "vectors", *inputs, *SMALL, "--algorithm", "fasttext", "--tokenized",
            "--output", tmp_path / "fi.bin", "--window", 4, "--skip-gram", "--negative", 3,
            "--learning-rate", 0.1, "--subsampling", 0.01, "--shortest", 2, "--longest", 4,
            "--buckets", 300, "--seed", 7, "--workers", 2)  # fmt: skip
    record = json.loads((tmp_path / "fi.bin.json").read_text(encoding="utf-8"))
    assert record["settings"] == {
        "algorithm": "fasttext", "dimension": 8, "window": 4, "min_count": 2, "epochs": 2,
        "skip_gram": True, "negative": 3, "learning_rate": 0.1, "subsampling": 0.01, "shortest": 2,
        "longest": 4, "buckets": 300, "seed": 7, "workers": 2, "tokenized": True, "lowercase": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    "name, algorithm, function",
    [("fi.vec", "word2vec", "word_vectors"), ("fi.bin", "fasttext", "fasttext")],
)
def test_a_probe_trains_on_them(name, algorithm, function, inputs, train, environment, tmp_path):
    path = tmp_path / name
    shown = printed(probe_data, "vectors", *inputs, *SMALL, "--algorithm", algorithm,
                    "--buckets", 500, "--output", path)  # fmt: skip
    assert shown.splitlines()[-1] == f"To probe them: VECTORS={function}:{path}"
    environment("Case", vectors=f"{function}:{path}")
    metrics = train("single_form", trainer={"num_epochs": 1})
    assert metrics["test_accuracy"] > 0 and "oov_test" in metrics


def test_mistakes(inputs, tmp_path):
    with pytest.raises(ConfigurationError, match="vectors needs --text FILE or --treebank FILE"):
        printed(probe_data, "vectors", "--output", tmp_path / "fi.vec")
    with pytest.raises(SystemExit):
        parsed(probe_data, "vectors", *inputs, "--output", "fi.vec", "--window", "0")


def test_as_a_command(inputs, tmp_path, monkeypatch, capsys):
    arguments = ["vectors", *inputs, "--output", tmp_path / "fi.vec", "--min-count", "1000"]
    monkeypatch.setattr(sys, "argv", ["linspector", "probe-data", *map(str, arguments)])
    with pytest.raises(SystemExit):
        main()
    error = capsys.readouterr().err
    assert "linspector: error: no word occurs 1000 times in 86 sentences" in error
