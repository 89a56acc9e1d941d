import re
import shutil
from pathlib import Path

import pytest
import safetensors.torch
import torch
import transformers

from linspector_allennlp.representations.hugging_face.transformer_files import (
    load_tokenizer,
    piece_limit,
)
from linspector_allennlp.representations.hugging_face.transformer_model import (
    load_pretrained,
    taken_inputs,
)
from linspector_allennlp.representations.transformer_layer import TransformerLayerEmbedder
from tests.representations.tiny_transformers import MAKERS, make_llama3

SENTENCES = [("talossa", "on"), ("koira",)]
NAMES = ("bert", "roberta", "gpt2", "t5")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return {name: MAKERS[name](tmp_path_factory.mktemp(name)) for name in NAMES}


def saved(folder: Path, to: Path, rename) -> str:
    """A copy whose tensors have the names that `rename` gives them; none of `None`."""
    shutil.copytree(folder, to)
    model = transformers.AutoModel.from_pretrained(str(folder))
    renamed = {rename(name): tensor for name, tensor in model.state_dict().items()}
    renamed.pop(None, None)
    (to / "model.safetensors").unlink(missing_ok=True)
    torch.save(renamed, to / "pytorch_model.bin")
    return str(to)


def vectors(folder):
    with torch.inference_mode():
        return TransformerLayerEmbedder(str(folder)).compute(SENTENCES)


MISSING = [
    ("bert", "encoder.layer.1.output.dense.weight"),
    ("bert", "embeddings.LayerNorm.bias"),
    ("roberta", "embeddings.position_embeddings.weight"),
    ("gpt2", "h.2.mlp.c_fc.weight"),
    ("gpt2", "ln_f.weight"),
    ("t5", "encoder.block.1.layer.0.SelfAttention.q.weight"),
]


@pytest.mark.parametrize("name, missing", MISSING)
def test_a_missing_tensor_is_named(folders, tmp_path, name, missing):
    folder = saved(folders[name], tmp_path / "m", lambda key: None if key == missing else key)
    expected = f"{folder}: .* found none for 1 of its tensors: {re.escape(missing)}. They would be"
    with pytest.raises(ValueError, match=expected):
        vectors(folder)
    assert TransformerLayerEmbedder(folder, weights="random").compute(SENTENCES).isfinite().all()


def test_new_weights_that_are_asked_for(folders, tmp_path):
    """They come from the seed, and are named; a pooler, which does not matter, is not."""
    name = "encoder.layer.1.output.dense.weight"
    left_out = (name, "pooler.dense.weight")
    folder = saved(folders["bert"], tmp_path / "m", lambda key: None if key in left_out else key)

    def embedder(seed):
        return TransformerLayerEmbedder(folder, allow_new_weights=True, seed=seed)

    assert embedder(3).provenance()["new_weights"] == [name]
    first, again, other = (embedder(seed).compute(SENTENCES) for seed in (3, 3, 4))
    assert torch.equal(first, again) and torch.equal(first[:2], other[:2])
    assert not torch.equal(first[2], other[2])
    assert embedder(3).identity() != embedder(4).identity()
    assert "new_weights" not in TransformerLayerEmbedder(folder).provenance()
    whole = TransformerLayerEmbedder(str(folders["bert"]), allow_new_weights=True, seed=3)
    assert whole.provenance()["new_weights"] == []
    assert torch.equal(whole.compute(SENTENCES), vectors(folders["bert"]))


def test_an_expert_that_is_missing(tmp_path):
    """No gradient shows that of an expert whom the pieces at hand did not ask."""
    sizes = {"vocab_size": 9, "hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1, "num_local_experts": 6}
    config = transformers.MixtralConfig(**sizes, **heads, pad_token_id=0)
    transformers.AutoModel.from_config(config).save_pretrained(tmp_path)
    assert load_pretrained(str(tmp_path)).new_weights == []
    path = tmp_path / "model.safetensors"
    tensors = safetensors.torch.load_file(path)
    for name in [name for name in tensors if "experts" in name]:
        kept = {other: tensor for other, tensor in tensors.items() if other != name}
        safetensors.torch.save_file(kept, path, {"format": "pt"})
        with pytest.raises(ValueError, match="expert"):
            load_pretrained(str(tmp_path))


@pytest.mark.parametrize(
    "name, unneeded",
    [("bert", "pooler"), ("roberta", "pooler"), ("t5", "decoder"), ("t5", "shared")],
)
def test_what_hidden_states_do_not_need_may_be_missing(folders, tmp_path, name, unneeded):
    kept = saved(folders[name], tmp_path / "m", lambda key: None if unneeded in key else key)
    assert torch.equal(vectors(kept), vectors(folders[name]))


def test_names_with_a_prefix(folders, tmp_path):
    """That of a head's model is no other name; any other one is refused."""

    def headed(folder, *without):
        def rename(key):
            return None if key.startswith(without) else f"bert.{key}"

        return saved(folders["bert"], tmp_path / folder, rename)

    assert torch.equal(vectors(headed("whole")), vectors(folders["bert"]))
    assert torch.equal(vectors(headed("no pooler", "pooler")), vectors(folders["bert"]))
    with pytest.raises(ValueError, match="tensors: encoder.layer.0.output.dense.bias. They"):
        vectors(headed("damaged", "pooler", "encoder.layer.0.output.dense.bias"))
    folder = saved(folders["bert"], tmp_path / "parallel", lambda key: f"module.{key}")
    expected = (
        "found none for 37 of its tensors: embeddings.LayerNorm.bias, .* … .there is "
        "module.embeddings.LayerNorm.bias instead"
    )
    with pytest.raises(ValueError, match=expected):
        vectors(folder)


def test_another_size(folders, tmp_path):
    folder = shutil.copytree(folders["bert"], tmp_path / "copy")
    config = transformers.AutoConfig.from_pretrained(str(folder))
    config.max_position_embeddings += 1
    config.save_pretrained(str(folder))
    expected = r"position_embeddings.weight of shape \(41, 12\), as config.json .* found \(40, 12\)"
    with pytest.raises(ValueError, match=expected):
        vectors(folder)


def test_a_bert_whose_padding_is_piece_1(folders, tmp_path):
    """It counts positions from 0 all the same; BART, too, has all that it announces."""
    folder = shutil.copytree(folders["bert"], tmp_path / "copy")
    config = transformers.AutoConfig.from_pretrained(str(folder), pad_token_id=1)
    config.save_pretrained(str(folder))
    assert piece_limit(config, load_tokenizer(str(folder))) == 40
    embedder = TransformerLayerEmbedder(str(folder), long_sentences="error")
    sentence = ("o",) * 38
    assert torch.equal(embedder.compute([sentence]), vectors_of(folders["bert"], sentence))
    with pytest.raises(ValueError, match="has 41 pieces, and the model takes 40"):
        embedder.compute([("o",) * 39])


def vectors_of(folder, sentence):
    return TransformerLayerEmbedder(str(folder)).compute([sentence])


@pytest.mark.parametrize("padding", [0, 1, 3])
@pytest.mark.parametrize("kind", ["Roberta", "Bert", "Bart"])
def test_the_limit_is_what_the_position_embeddings_have(kind, padding):
    sizes = {"vocab_size": 9, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1}
    if kind == "Bart":
        sizes = {"vocab_size": 9, "d_model": 16, "encoder_layers": 1, "decoder_layers": 1}
    config = getattr(transformers, f"{kind}Config")(
        **sizes, pad_token_id=padding, max_position_embeddings=30
    )
    tokenizer = type("", (), {"model_max_length": 10**30})
    most = piece_limit(config, tokenizer)
    model = transformers.AutoModel.from_config(config)
    model = model.get_encoder() if kind == "Bart" else model
    model(torch.full((1, most), 8))
    with pytest.raises((IndexError, RuntimeError)):
        model(torch.full((1, most + 1), 8))


def test_gpt2_gets_no_segments(tmp_path):
    """A general tokenizer gives them, and GPT-2 would add the vector of piece 0 to every piece."""
    folder = make_llama3(tmp_path / "plain")
    tokenizer = load_tokenizer(str(folder))
    expected = vectors(folder)
    tokenizer.model_input_names = ["input_ids", "token_type_ids", "attention_mask"]
    tokenizer.save_pretrained(str(folder))
    assert "token_type_ids" in load_tokenizer(str(folder))("talossa")
    assert torch.equal(vectors(folder), expected)
    ids = torch.tensor([tokenizer([" koira"], is_split_into_words=True).input_ids])
    model = transformers.AutoModel.from_pretrained(str(folder)).eval()
    by_hand = model(ids, output_hidden_states=True).hidden_states[2][0, 1:].mean(dim=0)
    assert torch.allclose(vectors(folder)[2, 2], by_hand, atol=1e-5)


def test_a_bert_gets_its_segments(folders):
    tokenizer = load_tokenizer(str(folders["bert"]))
    inputs = tokenizer(["koira"], is_split_into_words=True, return_tensors="pt")
    model = transformers.AutoModel.from_pretrained(str(folders["bert"])).eval()
    assert taken_inputs(model, inputs) == ["input_ids", "token_type_ids", "attention_mask"]
    by_hand = model(**inputs, output_hidden_states=True).hidden_states[2][0, 1:-1].mean(dim=0)
    assert torch.allclose(vectors(folders["bert"])[2, 2], by_hand, atol=1e-5)
