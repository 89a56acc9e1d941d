"""A small model with random weights of each family of transformers, with a tokenizer of its kind."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
import transformers
from tokenizers import (
    ByteLevelBPETokenizer,
    SentencePieceBPETokenizer,
    SentencePieceUnigramTokenizer,
)
from tokenizers.processors import TemplateProcessing

from tests.representations.tiny_transformers import (
    finnish_sentences,
    make_bert,
    make_gpt2,
    make_roberta,
    make_t5,
    save,
)

TEXTS = [" ".join(words) for words in finnish_sentences()]
SMALL = {"num_hidden_layers": 3, "intermediate_size": 16, "initializer_range": 0.3}
HEADS = {"num_attention_heads": 2, "max_position_embeddings": 64}
# The size of all heads together is another than that of the hidden states.
WIDE = {**SMALL, **HEADS, "hidden_size": 12, "num_key_value_heads": 1, "head_dim": 8}


def _train(trainer: object, special: list[str]) -> dict:
    trainer.train_from_iterator(TEXTS, vocab_size=340, special_tokens=special)  # type: ignore[attr-defined]
    model = json.loads(trainer._tokenizer.to_str())["model"]  # type: ignore[attr-defined]
    merges = [tuple(merge) for merge in model.get("merges", ())]
    return {"vocab": model["vocab"], "merges": merges}


def _unigrams(special: list[str]) -> list[tuple[str, float]]:
    trained = SentencePieceUnigramTokenizer()
    trained.train_from_iterator(
        TEXTS, vocab_size=120, special_tokens=special, unk_token="<unk>", show_progress=False
    )
    pieces = json.loads(trained._tokenizer.to_str())["model"]["vocab"]
    return [(piece, score) for piece, score in pieces]


def make_xlm_r(folder: Path) -> Path:
    vocabulary = _unigrams(["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    tokenizer = transformers.XLMRobertaTokenizer(vocab=vocabulary, model_max_length=62)
    config = transformers.XLMRobertaConfig(
        vocab_size=len(tokenizer), hidden_size=12, pad_token_id=1, **SMALL, **HEADS
    )
    return save(transformers.XLMRobertaModel(config), tokenizer, folder)


def make_modernbert(folder: Path) -> Path:
    trained = ByteLevelBPETokenizer()
    special = ["[CLS]", "[SEP]", "[PAD]", "[UNK]"]
    _train(trained, special)
    trained._tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 0), ("[SEP]", 1)]
    )
    names = zip(("cls_token", "sep_token", "pad_token", "unk_token"), special)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=trained._tokenizer,
        model_input_names=["input_ids", "attention_mask"],
        **dict(names),
    )
    config = transformers.ModernBertConfig(
        vocab_size=len(tokenizer), hidden_size=12, local_attention=8,
        pad_token_id=2, cls_token_id=0, sep_token_id=1, bos_token_id=0, eos_token_id=1,
        **SMALL, **HEADS,
    )  # fmt: skip
    return save(transformers.ModernBertModel(config), tokenizer, folder)


def make_electra(folder: Path) -> Path:
    """Its embeddings are smaller than its hidden states."""
    make_bert(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
    config = transformers.ElectraConfig(
        vocab_size=len(tokenizer), embedding_size=8, hidden_size=12, **SMALL, **HEADS
    )
    return save(transformers.ElectraModel(config), tokenizer, folder)


def make_llama(folder: Path) -> Path:
    """It has no piece for padding."""
    trained = _train(SentencePieceBPETokenizer(), ["<unk>", "<s>", "</s>"])
    tokenizer = transformers.LlamaTokenizer(**trained, add_bos_token=True)
    assert tokenizer.pad_token is None
    config = transformers.LlamaConfig(vocab_size=len(tokenizer), **WIDE)
    return save(transformers.LlamaModel(config), tokenizer, folder)


def make_qwen3(folder: Path) -> Path:
    trained = _train(ByteLevelBPETokenizer(), ["<|endoftext|>"])
    tokenizer = transformers.Qwen2Tokenizer(**trained)
    config = transformers.Qwen3Config(vocab_size=len(tokenizer), **WIDE)
    return save(transformers.Qwen3Model(config), tokenizer, folder)


def make_gemma3(folder: Path) -> Path:
    """Its layers look back 8 pieces, or as far as they want."""
    trained = _train(SentencePieceBPETokenizer(), ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"])
    tokenizer = transformers.GemmaTokenizer(**trained, add_bos_token=True)
    config = transformers.Gemma3TextConfig(
        vocab_size=len(tokenizer), sliding_window=8, sliding_window_pattern=2, **WIDE
    )
    return save(transformers.Gemma3TextModel(config), tokenizer, folder)


T5_SIZES = {
    "d_model": 12,
    "d_kv": 4,
    "d_ff": 16,
    "num_layers": 3,
    "num_decoder_layers": 1,
    "num_heads": 2,
}


def make_mt5(folder: Path) -> Path:
    tokenizer = transformers.T5Tokenizer(vocab=_unigrams(["<pad>", "</s>", "<unk>"]), extra_ids=0)
    config = transformers.MT5Config(vocab_size=len(tokenizer), **T5_SIZES)
    return save(transformers.MT5Model(config), tokenizer, folder)


def make_byt5(folder: Path) -> Path:
    """Its pieces are bytes, and its tokenizer has no fast version."""
    tokenizer = transformers.ByT5Tokenizer(extra_ids=0)
    assert not tokenizer.is_fast
    config = transformers.T5Config(vocab_size=len(tokenizer), **T5_SIZES)
    return save(transformers.T5Model(config), tokenizer, folder)


def make_canine(folder: Path) -> Path:
    """Between its layers of characters it has layers of fewer places."""
    tokenizer = transformers.CanineTokenizer()
    config = transformers.CanineConfig(
        hidden_size=12, num_hash_buckets=32, num_hash_functions=2, **SMALL, **HEADS
    )
    return save(transformers.CanineModel(config), tokenizer, folder)


def _seeded(make: Callable[[Path], Path]) -> Callable[[Path], Path]:
    def maker(folder: Path) -> Path:
        torch.manual_seed(5)
        return make(folder)

    return maker


FAMILIES = {
    "BERT": make_bert,
    "RoBERTa": partial(make_roberta, limit=62),
    "XLM-R": _seeded(make_xlm_r),
    "ModernBERT": _seeded(make_modernbert),
    "ELECTRA": _seeded(make_electra),
    "GPT-2": make_gpt2,
    "Llama": _seeded(make_llama),
    "Qwen3": _seeded(make_qwen3),
    "Gemma 3": _seeded(make_gemma3),
    "T5 (encoder)": make_t5,
    "mT5 (encoder)": _seeded(make_mt5),
    "ByT5 (encoder)": _seeded(make_byt5),
}
LEFT_CONTEXT = ("GPT-2", "Llama", "Qwen3", "Gemma 3")
