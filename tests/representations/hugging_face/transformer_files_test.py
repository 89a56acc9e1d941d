import hashlib
import json
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import httpx
import huggingface_hub
import pytest
import torch
import transformers
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.hugging_face import transformer_files
from linspector_allennlp.representations.hugging_face.transformer_files import (
    file_digests,
    load_tokenizer,
    model_folder,
    piece_limit,
)
from tests.representations.fake_hub import fake_hub, fill_cache
from tests.representations.tiny_transformers import make_bert, make_roberta


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return make_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture
def copy(bert, tmp_path):
    return shutil.copytree(bert, tmp_path / "copy")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache of the hub, and a hub that cannot be reached."""

    def unreachable(self, name):
        raise ConnectionError("there is\n\nno network")

    monkeypatch.setattr(huggingface_hub.HfApi, "list_repo_files", unreachable)
    monkeypatch.setenv("TRANSFORMERS_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def weights_of(folder):
    return next(p for p in folder.iterdir() if p.name in ("model.safetensors", "pytorch_model.bin"))


def test_a_folder_is_itself(bert):
    assert model_folder(str(bert)) == str(bert)


def test_the_digests_of_all_that_decides_the_vectors(copy):
    for name in ("README.md", "training_args.bin", "tf_model.h5", "optimizer.pt"):
        (copy / name).write_text("of no importance")
    weights = weights_of(copy).name
    names = f"config.json tokenizer.json tokenizer_config.json vocab.txt {weights}"
    expected = {name: digest(copy / name) for name in names.split()}
    assert file_digests(str(copy)) == expected
    expected.pop(weights)
    assert file_digests(str(copy), with_weights=False) == expected


def test_safetensors_are_preferred_as_transformers_does(copy):
    state = transformers.AutoModel.from_pretrained(str(copy)).state_dict()
    torch.save(state, copy / "pytorch_model.bin")
    digests = file_digests(str(copy))
    assert "model.safetensors" in digests and "pytorch_model.bin" not in digests
    (copy / "model.safetensors").unlink()
    assert "pytorch_model.bin" in file_digests(str(copy))


@pytest.mark.parametrize(
    "missing, message",
    [
        (
            "config",
            "there is no config.json in this folder; expected a model as transformers saves",
        ),
        ("weights", "there are no weights in this folder; expected .*pytorch_model"),
        ("tokenizer", "there is no tokenizer in this folder; expected tokenizer.json or vocab"),
    ],
)
def test_a_folder_in_which_something_is_missing(copy, missing, message):
    files = {
        "config": [copy / "config.json"],
        "weights": [weights_of(copy)],
        "tokenizer": [copy / "tokenizer.json", copy / "vocab.txt"],
    }
    for file in files[missing]:
        file.unlink()
    with pytest.raises(FileNotFoundError, match=message) as raised:
        file_digests(model_folder(str(copy)))
    assert str(raised.value).startswith(f"{copy}: ")


def test_random_weights_need_no_file(copy):
    weights_of(copy).unlink()
    assert "config.json" in file_digests(str(copy), with_weights=False)


def test_a_model_in_the_cache_is_found_by_its_name(bert, cache):
    snapshot = fill_cache(cache, "organisation/small", bert)
    assert model_folder("organisation/small") == str(snapshot)


def test_a_name_that_cannot_be_fetched(cache):
    with pytest.raises(FileNotFoundError) as raised:
        model_folder("organisation/none")
    assert str(raised.value).startswith(
        "organisation/none: there is no such folder, and no model of this name can be fetched "
        "(there is no network). (If a trained probe looks"
    )
    assert '{"model.text_field_embedder.token_embedders.words.model": "PATH"}' in str(raised.value)


def test_without_a_network_the_page_of_its_error_is_left_out(cache, monkeypatch):
    def no_connection(*_, **__):
        raise httpx.ConnectError("[Errno -2] Name or service not known" * 100)

    monkeypatch.setattr(transformer_files, "_download", no_connection)
    with pytest.raises(FileNotFoundError, match="cannot be reached .ConnectError: is there a ne"):
        model_folder("organisation/none")


def test_a_file_is_no_model(tmp_path):
    (tmp_path / "a.vec").touch()
    with pytest.raises(FileNotFoundError, match="a.vec is a file; expected the folder or the name"):
        model_folder(str(tmp_path / "a.vec"))


@pytest.mark.parametrize("name", ["", "no/such/folder", "a b", "../x", "model.safetensors/"])
def test_what_is_neither_a_folder_nor_a_name(cache, name):
    with pytest.raises(FileNotFoundError, match="no model of this name can be fetched"):
        model_folder(name)


@pytest.mark.parametrize("missing", ["vocabulary", "weights", "shard"])
def test_a_download_that_was_broken_off_is_taken_up_again(bert, cache, missing, monkeypatch):
    snapshot = fill_cache(cache, "organisation/small", bert)
    weights, content = weights_of(snapshot), weights_of(snapshot).read_bytes()
    stem, ending = weights.name.split(".")
    absent = [weights]
    if missing == "vocabulary":
        absent = [snapshot / "vocab.txt", snapshot / "tokenizer.json"]
    elif missing == "shard":
        weights.rename(snapshot / f"{stem}-00001-of-00002.{ending}")
        absent = [snapshot / f"{stem}-00002-of-00002.{ending}"]
    for file in absent:
        file.unlink(missing_ok=True)
    with pytest.raises(FileNotFoundError, match="no model of this name can be fetched"):
        model_folder("organisation/small")
    monkeypatch.setattr(
        transformer_files, "_download", lambda name: [f.write_bytes(content) for f in absent]
    )
    assert model_folder("organisation/small") == str(snapshot)


def test_a_repository_without_a_model(bert, cache, monkeypatch):
    monkeypatch.setattr(transformer_files, "_download", lambda name: None)
    with pytest.raises(
        FileNotFoundError, match="organisation/x: expected a model with config.json"
    ):
        model_folder("organisation/x")


SCRIPT = """
import json, sys
from linspector_allennlp.representations.hugging_face.transformer_files import model_folder
for name in sys.argv[1:]:
    try:
        print(json.dumps(model_folder(name)))
    except FileNotFoundError as error:
        print(json.dumps(f"error {error}"))
"""


def model_folders(root, home, names, **environment):
    """`model_folder` in a process of its own: the hub's address and cache are read at its start."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "TRANSFORMERS_"))}
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT, *names],
        cwd=root,
        env={**clean, "HF_HOME": str(home), "no_proxy": "*", **environment},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return list(map(json.loads, process.stdout.splitlines()))


def test_a_model_is_fetched_from_the_hub_once(bert, root, tmp_path):
    shutil.copytree(bert, tmp_path / "served/organisation/small")
    for unwanted in ("README.md", "tf_model.h5", "training_args.bin"):
        (tmp_path / "served/organisation/small" / unwanted).write_text("large")
    with fake_hub(tmp_path / "served") as (address, asked):
        names = ["organisation/small", "organisation/none", "organisation/small"]
        first, missing, again = model_folders(root, tmp_path, names, HF_ENDPOINT=address)
    assert sorted(os.listdir(first)) == sorted(os.listdir(bert))
    assert file_digests(first) == file_digests(str(bert))
    assert again == first
    assert sum("vocab.txt" in path for path in asked) == 2  # whether it is there, and its content
    assert missing.startswith("error organisation/none: there is no such folder, and no model of")
    assert "404" in missing and "\n" not in missing


def test_without_a_network(bert, root, tmp_path):
    snapshot = fill_cache(tmp_path / "hub", "organisation/small", bert)
    names = ["organisation/small", "organisation/none"]
    environment = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    found, missing = model_folders(
        root, tmp_path, names, **environment, HF_ENDPOINT="http://127.0.0.1:9"
    )
    assert found == str(snapshot)
    assert missing.startswith("error organisation/none: there is no such folder, and no model of")
    assert "\n" not in missing


def test_byte_level_tokenizers_are_loaded_with_a_space_before_words(tmp_path, bert):
    tokenizer = load_tokenizer(str(make_roberta(tmp_path)))
    assert tokenizer.tokenize(["talo"], is_split_into_words=True)[0].startswith("Ġ")
    assert type(load_tokenizer(str(bert))) is transformers.BertTokenizerFast


NO_LIMIT = int(1e30)
ROBERTA = {"model_type": "roberta", "pad_token_id": 1}


@pytest.mark.parametrize(
    "config, tokenizer_limit, max_length, limit",
    [
        ({"max_position_embeddings": 512, "pad_token_id": 0}, NO_LIMIT, None, 512),
        ({"max_position_embeddings": 512, "pad_token_id": 1}, NO_LIMIT, None, 512),
        ({**ROBERTA, "max_position_embeddings": 514}, NO_LIMIT, None, 512),
        ({**ROBERTA, "max_position_embeddings": 514}, 128, None, 128),
        ({"max_position_embeddings": 512}, 1024, None, 512),
        ({"max_position_embeddings": -1}, NO_LIMIT, None, None),
        ({"max_position_embeddings": None}, 64, None, 64),
        ({}, 512, None, 512),
        ({}, NO_LIMIT, None, None),
        ({}, 512, 2000, 2000),
        ({"max_position_embeddings": 512}, 128, 512, 512),
        ({"max_position_embeddings": 512}, NO_LIMIT, 10, 10),
        ({"max_position_embeddings": 512}, NO_LIMIT, 0, 0),
    ],
)
def test_how_many_pieces_a_model_takes(config, tokenizer_limit, max_length, limit):
    tokenizer = SimpleNamespace(model_max_length=tokenizer_limit)
    assert piece_limit(SimpleNamespace(**config), tokenizer, max_length) == limit


def test_more_pieces_than_a_model_takes():
    config = SimpleNamespace(**ROBERTA, max_position_embeddings=514)
    tokenizer = SimpleNamespace(model_max_length=512)
    with pytest.raises(ConfigurationError, match="max_length: expected at most 512, .* found 513"):
        piece_limit(config, tokenizer, 513)
