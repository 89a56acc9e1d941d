"""
Small transformers with random weights and tokenizers of their own, in folders as transformers saves
them, and the vectors of words computed with plain transformers: one sentence at a time.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy
import torch
import transformers
from tokenizers import ByteLevelBPETokenizer, SentencePieceUnigramTokenizer
from tokenizers.processors import TemplateProcessing

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ENDINGS = "ssa ssä sta stä lla llä lle ksi n t t in mme tte vat".split()
SIZES = {"initializer_range": 0.5, "hidden_size": 12, "num_attention_heads": 2}
BYTE_LEVEL = ("roberta", "gpt2", "bart", "llama3")


def finnish_sentences() -> list[list[str]]:
    rows = (FIXTURES / "token_level/Case/finnish/train.txt").read_text(encoding="utf-8")
    return [row.split("\t")[0].split(" ") for row in rows.splitlines()]


def save(model: transformers.PreTrainedModel, tokenizer: object, folder: Path) -> Path:
    model.save_pretrained(str(folder))
    tokenizer.save_pretrained(str(folder))  # type: ignore[attr-defined]
    return folder


def make_bert(folder: Path, seed: int = 0, positions: int = 40) -> Path:
    """Its pieces are letters, endings and a third of the words of the fixtures; no capitals."""
    words = sorted({word for words in finnish_sentences() for word in words if word.islower()})
    letters = sorted(set("".join(words)))
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", *letters, *words[::3]]
    pieces += [f"##{piece}" for piece in dict.fromkeys([*letters, *ENDINGS])]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(pieces)), encoding="utf-8")
    tokenizer = transformers.BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=False)
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        num_hidden_layers=2,
        intermediate_size=16,
        max_position_embeddings=positions,
        **SIZES,
    )
    return save(transformers.BertModel(config), tokenizer, folder)


def _train_byte_level(folder: Path, special: Sequence[str]) -> tuple[str, str]:
    trained = ByteLevelBPETokenizer()
    texts = [" " + " ".join(words) for words in finnish_sentences()]
    trained.train_from_iterator(texts, vocab_size=340, special_tokens=list(special))
    folder.mkdir(parents=True, exist_ok=True)
    trained.save_model(str(folder))
    return str(folder / "vocab.json"), str(folder / "merges.txt")


ROBERTA_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")


def make_roberta(folder: Path, limit: int = 20) -> Path:
    files = _train_byte_level(folder, ROBERTA_SPECIAL)
    tokenizer = transformers.RobertaTokenizerFast(*files, model_max_length=limit)
    torch.manual_seed(1)
    config = transformers.RobertaConfig(
        vocab_size=len(tokenizer),
        num_hidden_layers=2,
        intermediate_size=16,
        max_position_embeddings=limit + 2,
        pad_token_id=1,
        type_vocab_size=1,
        **SIZES,
    )
    return save(transformers.RobertaModel(config), tokenizer, folder)


def make_gpt2(folder: Path) -> Path:
    """It has no piece for padding."""
    files = _train_byte_level(folder, ["<|endoftext|>"])
    tokenizer = transformers.GPT2TokenizerFast(*files)
    assert tokenizer.pad_token is None
    return save(_gpt2_model(len(tokenizer)), tokenizer, folder)


def _gpt2_model(vocab_size: int) -> transformers.PreTrainedModel:
    torch.manual_seed(2)
    config = transformers.GPT2Config(
        vocab_size=vocab_size, n_layer=3, n_embd=8, n_head=2, n_positions=30, initializer_range=0.5
    )
    return transformers.GPT2Model(config)


def make_llama3(folder: Path) -> Path:
    """
    A byte-level tokenizer whose class knows nothing of `add_prefix_space`, has neither padding nor
    an end, and begins with the piece that also stands for unknown text.
    """
    trained = ByteLevelBPETokenizer()
    texts = [" " + " ".join(words) for words in finnish_sentences()]
    trained.train_from_iterator(texts, vocab_size=340, special_tokens=["<begin>"])
    trained._tokenizer.post_processor = TemplateProcessing(
        single="<begin> $A", special_tokens=[("<begin>", 0)]
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=trained._tokenizer,
        bos_token="<begin>",
        unk_token="<begin>",
        model_input_names=["input_ids", "attention_mask"],
    )
    return save(_gpt2_model(len(tokenizer)), tokenizer, folder)


def make_bart(folder: Path) -> Path:
    files = _train_byte_level(folder, ROBERTA_SPECIAL)
    tokenizer = transformers.BartTokenizerFast(*files)
    torch.manual_seed(3)
    config = transformers.BartConfig(
        vocab_size=len(tokenizer),
        d_model=8,
        encoder_layers=2,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        max_position_embeddings=30,
        init_std=0.5,
    )
    return save(transformers.BartModel(config), tokenizer, folder)


def make_t5(folder: Path) -> Path:
    """Its tokenizer is the fast one's file alone, without the SentencePiece model."""
    trained = SentencePieceUnigramTokenizer()
    texts = [" ".join(words) for words in finnish_sentences()]
    special = ["<pad>", "</s>", "<unk>"]
    trained.train_from_iterator(texts, vocab_size=120, special_tokens=special, unk_token="<unk>")
    trained._tokenizer.post_processor = TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    folder.mkdir(parents=True, exist_ok=True)
    trained.save(str(folder / "tokenizer.json"))
    tokenizer = transformers.T5TokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"), extra_ids=0
    )
    torch.manual_seed(4)
    config = transformers.T5Config(
        vocab_size=len(tokenizer),
        d_model=8,
        d_kv=4,
        d_ff=16,
        num_layers=2,
        num_decoder_layers=1,
        num_heads=2,
        initializer_factor=1.0,
    )
    return save(transformers.T5Model(config), tokenizer, folder)


MAKERS: dict[str, Callable[[Path], Path]] = {
    "bert": make_bert,
    "roberta": make_roberta,
    "gpt2": make_gpt2,
    "llama3": make_llama3,
    "bart": make_bart,
    "t5": make_t5,
}


@lru_cache(maxsize=8)
def _loaded(folder: Path) -> tuple[Callable, Callable]:
    model = transformers.AutoModel.from_pretrained(str(folder), dtype=torch.float32).eval()
    encoder = model.get_encoder() if model.config.is_encoder_decoder else model
    return transformers.AutoTokenizer.from_pretrained(str(folder)), encoder


def plain_layers(folder: Path, inputs: dict[str, torch.Tensor]) -> numpy.ndarray:
    """All layers with plain transformers. Shape: (num_layers, num_pieces, dimension)"""
    _, model = _loaded(folder)
    with torch.no_grad():
        layers = model(**inputs, output_hidden_states=True).hidden_states
    return torch.cat(layers).numpy()


def plain_vectors(
    folder: Path, words: Sequence[str], pool: str = "mean", byte_level: bool = False
) -> numpy.ndarray:
    """
    The vectors of words whose text is given to the tokenizer as a whole; pieces are assigned to
    words by where they are in the text. Shape: (num_layers, num_words, dimension)
    """
    tokenizer, _ = _loaded(folder)
    encoded = tokenizer(
        " " * byte_level + " ".join(words),
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        return_tensors="pt",
    )
    offsets = encoded.pop("offset_mapping")[0].tolist()
    special = encoded.pop("special_tokens_mask")[0].tolist()
    layers = plain_layers(folder, encoded)
    vectors, start = [], int(byte_level)
    for word in words:
        # The space before a word is part of its first piece, or a piece of its own.
        first, last = start - 1, start + len(word)
        own = [
            i
            for i, (begin, end) in enumerate(offsets)
            if not special[i] and first <= begin and end <= last and end > first
        ]
        pooled = {"mean": layers[:, own].mean(axis=1), "first": layers[:, own[0]]}
        pooled["last"] = layers[:, own[-1]]
        pooled["max"] = layers[:, own].max(axis=1)
        vectors.append(pooled[pool])
        start = last + 1
    return numpy.stack(vectors, axis=1)


def with_special(tokenizer: Callable, pieces: Sequence[int]) -> list[int]:
    """These pieces between the special ones of a sentence."""
    whole = tokenizer("talo").input_ids
    bare = tokenizer("talo", add_special_tokens=False).input_ids
    starts = range(len(whole) - len(bare) + 1)
    (start,) = (i for i in starts if whole[i : i + len(bare)] == bare)
    return [*whole[:start], *pieces, *whole[start + len(bare) :]]


def windows_by_hand(folder: Path, pieces: Sequence[int], size: int) -> numpy.ndarray:
    """The vectors of pieces of a long sentence: of its windows, each alone, the one with most room."""
    tokenizer, _ = _loaded(folder)
    num_before = with_special(tokenizer, [-1]).index(-1)
    step = size - size // 2
    starts = list(range(0, max(1, len(pieces) - size + step), step))
    rooms, vectors = [], []
    for start in starts:
        window = pieces[start : start + size]
        layers = plain_layers(
            folder, {"input_ids": torch.tensor([with_special(tokenizer, window)])}
        )
        where = numpy.arange(len(pieces)) - start
        inside = (where >= 0) & (where < len(window))
        left = numpy.where(start == 0, 1000, where)
        right = numpy.where(start + len(window) == len(pieces), 1000, len(window) - 1 - where)
        rooms.append(numpy.where(inside, numpy.minimum(left, right), -1))
        vectors.append(layers[:, numpy.clip(where, 0, len(window) - 1) + num_before])
    chosen = numpy.argmax(rooms, axis=0)
    return numpy.stack([vectors[w][:, i] for i, w in enumerate(chosen)], axis=1)
