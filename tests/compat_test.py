"""AllenNLP with today's transformers: the distribution in `compat/`."""

import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import huggingface_hub
import numpy
import pytest
import torch
import transformers
from allennlp.commands.train import train_model
from allennlp.common import Params, cached_transformers
from allennlp.data import Vocabulary
from allennlp.data.batch import Batch
from allennlp.data.fields import TextField
from allennlp.data.image_loader import TorchImageLoader
from allennlp.data.instance import Instance
from allennlp.data.token_indexers import PretrainedTransformerIndexer
from allennlp.data.tokenizers import PretrainedTransformerTokenizer
from allennlp.models.archival import load_archive
from allennlp.modules.token_embedders import PretrainedTransformerEmbedder
from allennlp.predictors import Predictor
from allennlp.training.optimizers import Optimizer
from allennlp_compat import Finder

from tests.representations.tiny_transformers import MAKERS, make_bert

COMPAT = Path(__file__).resolve().parents[1] / "compat"
HEAVY = "allennlp torch transformers huggingface_hub torchvision numpy".split()


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    yield make_bert(tmp_path_factory.mktemp("bert"))
    cached_transformers._clear_caches()


def run(code):
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_python_starts_with_the_hook_and_nothing_else():
    finders, modules = run(
        "import sys; print(*[repr(finder) for finder in sys.meta_path]); print(*sys.modules)"
    ).splitlines()
    assert repr(Finder) in finders and Finder.__module__ == "allennlp_compat"
    assert not set(HEAVY) & set(modules.split())


def test_both_start_files_are_in_the_wheel_and_call_the_same(tmp_path):
    shutil.copytree(COMPAT, tmp_path / "compat", ignore=shutil.ignore_patterns("build", "*.egg*"))
    run(
        f"import os; os.chdir({str(tmp_path / 'compat')!r}); from setuptools import build_meta; "
        f"build_meta.build_wheel({str(tmp_path)!r})"
    )
    (wheel,) = tmp_path.glob("*.whl")
    shutil.unpack_archive(str(wheel), tmp_path / "site", "zip")
    module, function = (tmp_path / "site/allennlp_compat.start").read_text().strip().split(":")
    start = (tmp_path / "site/allennlp_compat.pth").read_text().strip()
    assert start == f"import {module}; {module}.{function}()"
    assert callable(getattr(import_module(module), function))
    assert (tmp_path / "site/allennlp_compat/for_transformers.py").is_file()
    record = next((tmp_path / "site").glob("*.dist-info/RECORD")).read_text()
    assert "allennlp_compat.pth," in record and "allennlp_compat.start," in record


def test_only_allennlp_sees_the_old_names():
    assert not hasattr(transformers, "AdamW") and not hasattr(huggingface_hub, "Repository")
    push = import_module("allennlp.common.push_to_hf")
    with pytest.raises(RuntimeError, match="hf upload NAME FOLDER"):
        push.HfFolder.get_token()
    with pytest.raises(RuntimeError, match="hf upload NAME FOLDER"):
        push.Repository("folder")


def test_images_need_torchvision_when_they_are_loaded(monkeypatch):
    monkeypatch.setitem(sys.modules, "torchvision", None)
    with pytest.raises(ImportError, match="AllenNLP needs torchvision for this"):
        TorchImageLoader().load("picture.png")


@pytest.mark.parametrize("correct_bias", [True, False])
def test_two_steps_of_adam_by_hand(correct_bias):
    """Of one number, from 2, with the gradients 0.5 and then -0.25."""
    number = torch.nn.Parameter(torch.tensor([2.0], dtype=torch.float64))
    settings = {"lr": 0.1, "eps": 1e-3, "weight_decay": 0.1, "correct_bias": correct_bias}
    optimizer = Optimizer.by_name("huggingface_adamw")([("number", number)], **settings)
    mean, square, expected = 0.0, 0.0, 2.0
    for step, gradient in [(1, 0.5), (2, -0.25)]:
        number.grad = torch.tensor([gradient], dtype=torch.float64)
        optimizer.step()
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        rate = 0.1
        if correct_bias:
            rate *= (1 - 0.999**step) ** 0.5 / (1 - 0.9**step)
        expected -= rate * mean / (square**0.5 + 1e-3)
        expected -= 0.1 * 0.1 * expected
        assert number.item() == pytest.approx(expected, abs=1e-12)


def test_a_closure_is_called():
    number = torch.nn.Parameter(torch.tensor([1.0]))
    optimizer = Optimizer.by_name("huggingface_adamw")([("number", number)])

    def loss():
        optimizer.zero_grad()
        result = (number**2).sum()
        result.backward()
        return result

    assert optimizer.step(loss).item() == 1.0 and number.item() < 1.0


def test_models_are_in_float32(bert, tmp_path):
    """transformers 5 would give a model the type that it was saved in."""
    model = transformers.AutoModel.from_pretrained(str(bert), dtype=torch.bfloat16)
    model.save_pretrained(str(tmp_path))
    assert transformers.AutoModel.from_pretrained(str(tmp_path)).dtype == torch.bfloat16
    for load_weights in (True, False):
        cached_transformers._clear_caches()
        loaded = cached_transformers.get(str(tmp_path), False, load_weights=load_weights)
        assert loaded.dtype == torch.float32
    cached_transformers._clear_caches()
    kept = cached_transformers.get(str(tmp_path), False, dtype=torch.bfloat16)
    assert kept.dtype == torch.bfloat16
    cached_transformers._clear_caches()


# AllenNLP itself cannot fold the pieces of a model without special ones.
@pytest.mark.parametrize(
    "name, max_length",
    [("bert", None), ("bert", 8), ("roberta", None), ("roberta", 8), ("gpt2", None)],
)
def test_tokens_and_vectors_are_those_of_plain_transformers(name, max_length, tmp_path):
    """In a batch, so that the shorter text is padded; with `max_length` the longer one is folded."""
    folder = str(MAKERS[name](tmp_path / name))
    texts = ["talossa on lintu", "nainen"]
    tokenizer = PretrainedTransformerTokenizer(folder)
    indexer = PretrainedTransformerIndexer(folder, max_length=max_length)
    fields = [TextField(tokenizer.tokenize(text), {"t": indexer}) for text in texts]
    batch = Batch([Instance({"text": field}) for field in fields])
    batch.index_instances(Vocabulary())
    tensors = batch.as_tensor_dict()["text"]["t"]
    embedder = PretrainedTransformerEmbedder(folder, max_length=max_length).eval()
    with torch.no_grad():
        vectors = embedder(**tensors)
    plain = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    for number, text in enumerate(texts):
        ids = plain(text)["input_ids"]
        assert [token.text_id for token in fields[number].tokens] == ids
        if max_length is not None and len(ids) > max_length:
            special = plain.num_special_tokens_to_add()
            assert tensors["token_ids"].shape[1] > len(ids) or not special
            continue
        with torch.no_grad():
            expected = model(torch.tensor([ids])).last_hidden_state[0]
        found = vectors[number, : len(ids)]
        numpy.testing.assert_allclose(found, expected, atol=1e-5)
    cached_transformers._clear_caches()


def test_an_ordinary_model_of_allennlp_trains_and_predicts(bert, tmp_path):
    rows = [{"text": "talossa", "label": "in"}, {"text": "talosta", "label": "out"}] * 8
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    part = {"type": "pretrained_transformer", "model_name": str(bert)}
    config = {
        "dataset_reader": {
            "type": "text_classification_json",
            "tokenizer": part,
            "token_indexers": {"tokens": part},
        },
        "train_data_path": str(tmp_path / "data.jsonl"),
        "validation_data_path": str(tmp_path / "data.jsonl"),
        "model": {
            "type": "basic_classifier",
            "namespace": "tags",  # where the indexer puts the vocabulary of the transformer
            "text_field_embedder": {"token_embedders": {"tokens": part}},
            "seq2vec_encoder": {"type": "bert_pooler", "pretrained_model": str(bert)},
        },
        "data_loader": {"batch_size": 8},
        "trainer": {
            "num_epochs": 6,
            "cuda_device": -1,
            "optimizer": {"type": "huggingface_adamw", "lr": 0.01, "correct_bias": False},
        },
    }
    train_model(Params(json.loads(json.dumps(config))), str(tmp_path / "run"))
    metrics = json.loads((tmp_path / "run/metrics.json").read_text())
    assert metrics["best_validation_accuracy"] == 1.0
    cached_transformers._clear_caches()
    archive = load_archive(tmp_path / "run/model.tar.gz", cuda_device=-1)
    predictor = Predictor.from_archive(archive, "text_classifier")
    answers = [
        predictor.predict_json({"sentence": f"talo{end}"})["label"] for end in ("ssa", "sta")
    ]
    assert answers == ["in", "out"]
