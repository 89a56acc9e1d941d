"""What a config of an archive may say, before anything is built of it."""

import json
import os

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader

from linspector_allennlp.representations.archives.settings import read_config

HARMLESS = {
    "dataset_reader": {"type": "sequence_tagging", "max_instances": None},
    "model": {"type": "simple_tagger", "initializer": [[".*weight.*", "zero"]], "packages": 3},
    "trainer": {"optimizer": {"type": "torch.optim.Adam"}, "cuda_device": -1},
}


def write(folder, **changes):
    (folder / "config.json").write_text(json.dumps({**HARMLESS, **changes}))
    return folder


def test_the_parts_that_are_built(tmp_path):
    config = read_config(write(tmp_path, vocabulary={"min_count": {"tokens": 2}}), [])
    assert config == {
        "vocabulary": {"min_count": {"tokens": 2}},
        "model": HARMLESS["model"],
        "dataset_reader": HARMLESS["dataset_reader"],
    }


DANGEROUS = {
    "dotted type": ({"type": "subprocess.Popen", "args": ["true"]}, "type = 'subprocess.Popen'"),
    "nested": ({"a": [{"b": {"type": "os.system"}}]}, "model: a: 0: b: type = 'os.system' imports"),
    "archive": ({"type": "from_archive", "archive_file": "x"}, "loads another archive"),
    "part of an archive": ({"encoder": {"_pretrained": {}}}, "encoder: _pretrained = {} loads"),
    "remote code": ({"tokenizer_kwargs": {"trust_remote_code": True}}, "code from the model hub"),
    "remote code, in words": ({"trust_remote_code": "yes"}, "code from the model hub"),
    "program": ({"evalb_directory_path": "x; touch y"}, "names a program to run"),
    "script": ({"srl_eval_path": "x.pl"}, "names a program to run"),
    "cache": ({"transformer_kwargs": {"cache_dir": "/tmp"}}, "names a folder to write to"),
    "spaCy folder": ({"tokenizer": {"type": "spacy", "language": "./evil"}}, "spaCy's"),
    "spaCy by default": ({"tokenizer": {"language": "./evil"}}, "spaCy's"),
    "spaCy by name": ({"splitter": {"type": "spacy", "language": "pt-br"}}, "spaCy's"),
    "spaCy by a path": ({"type": "mine.Spacy", "language": "./evil"}, "spaCy's"),
    "spaCy by no name": ({"type": ["spacy"], "language": "./evil"}, "spaCy's"),
    "spaCy in a reader": (
        {"type": "nli", "language": "pt-br", "tokenizer": {"language": "pt-br"}},
        "spaCy's",
    ),
    "packages": ({"type": "archive_layer", "packages": ["antigravity"]}, "imports packages"),
    "no package": ({"type": "archive_layer", "packages": [["x"]]}, "imports packages"),
}


@pytest.mark.parametrize("model, fault", DANGEROUS.values(), ids=DANGEROUS)
def test_what_could_run_code_is_refused(tmp_path, model, fault):
    with pytest.raises(ConfigurationError, match="which an archive must not do") as caught:
        read_config(write(tmp_path, model=model), ["mine"])
    assert fault in caught.value.message
    assert str(tmp_path / "config.json") in caught.value.message
    with pytest.raises(ConfigurationError):
        read_config(write(tmp_path, validation_dataset_reader=model), ["mine"])


def test_the_users_own_packages_are_trusted(tmp_path):
    model = {"type": "mine.models.Tagger", "embedder": {"packages": ["mine.parts"]}}
    assert read_config(write(tmp_path, model=model), ["mine.models"])["model"] == model
    with pytest.raises(ConfigurationError, match="mine2.models"):
        read_config(write(tmp_path, model={"type": "mine2.models.Tagger"}), ["mine"])


def test_a_registered_name_may_have_a_dot(tmp_path):
    @DatasetReader.register("reader_v2.1", exist_ok=True)
    class DottedReader(DatasetReader):
        pass

    config = read_config(write(tmp_path, dataset_reader={"type": "reader_v2.1"}), [])
    assert config["dataset_reader"] == {"type": "reader_v2.1"}


def test_settings_that_are_off(tmp_path):
    model = {"trust_remote_code": False, "cache_dir": None, "language": "en_core_web_sm"}
    assert read_config(write(tmp_path, model=model), [])["model"] == model


@pytest.mark.parametrize("language", ["pt-br", "zh-Hant", "../x"])
def test_the_language_of_a_reader_is_no_pipeline(tmp_path, language):
    reader = {"type": "nli", "language": language, "tokenizer": {"type": "spacy", "language": "xx"}}
    assert read_config(write(tmp_path, dataset_reader=reader), [])["dataset_reader"] == reader


@pytest.mark.parametrize("name", ["meta.json", "vocabulary/labels.txt"])
def test_a_pipe_beside_it_is_not_waited_for(tmp_path, name):
    (tmp_path / "vocabulary").mkdir()
    os.mkfifo(tmp_path / name)
    with pytest.raises(ValueError, match=rf"{name} is a pipe \(FIFO\): expected a file"):
        read_config(write(tmp_path), [])


def test_no_config(tmp_path):
    with pytest.raises(FileNotFoundError, match="config.json: there is no such file"):
        read_config(tmp_path, [])


@pytest.mark.parametrize(
    "text", ["", "local x = 1; {}", "[" * 100_000, "[]", "{}", '{"model": "simple_tagger"}', "\xff"]
)
def test_no_json(tmp_path, text):
    (tmp_path / "config.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match="config.json: expected"):
        read_config(tmp_path, [])
