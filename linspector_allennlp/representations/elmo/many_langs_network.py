"""The network of ELMoForManyLangs, made of AllenNLP's modules, with the names that its weights have."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from allennlp.modules.elmo_lstm import ElmoLstm
from allennlp.modules.highway import Highway

from linspector_allennlp.representations.archives.safe_loading import load_weights_only
from linspector_allennlp.representations.elmo.many_langs_folder import (
    CHARACTERS,
    ENCODER,
    TOKEN_EMBEDDER,
    WORDS,
    read_dictionary,
)
from linspector_allennlp.representations.words import Words

BEGIN, END = "<bos>", "<eos>"
# As the original has it: the mark of a word's end stands before it, that of its beginning behind it.
BEFORE, BEHIND = "<eow>", "<bow>"
UNKNOWN, PADDING = "<oov>", "<pad>"


class FormNumbers:
    """
    The numbers that the network knows a word by: its own, and those of its characters.

    # Parameters

    folder : `Path`
    options : `Mapping[str, Any]`
        See `model_options`.
    """

    def __init__(self, folder: Path, options: Mapping[str, Any]) -> None:
        part = options["token_embedder"]
        self.characters = read_dictionary(
            folder / CHARACTERS, (BEGIN, END, BEFORE, BEHIND, UNKNOWN, PADDING)
        )
        self.words = read_dictionary(folder / WORDS, (UNKNOWN, PADDING)) if part["word_dim"] else {}
        self._width: int = part["max_characters_per_token"]

    def of_word(self, form: str) -> int:
        """Its own number, or that of unknown words; 0 if the model has no words."""
        return self.words.get(self._cut(form), self.words.get(UNKNOWN, 0))

    def of_characters(self, form: str) -> list[int]:
        """The numbers of its characters, between two marks; all words have as many, padded."""
        numbers = self.characters
        known = [form] if form in (BEGIN, END) else self._cut(form)
        row = [numbers.get(each, numbers[UNKNOWN]) for each in known]
        row = [numbers[BEFORE], *row, numbers[BEHIND]]
        return row + [numbers[PADDING]] * (self._width - len(row))

    def _cut(self, form: str) -> str:
        return form[: self._width - 2]


class CharacterNetwork(torch.nn.Module):
    """The vector of a word without its sentence. The names of its parts are those of `token_embedder.pkl`."""

    def __init__(self, options: Mapping[str, Any], num_characters: int, num_words: int) -> None:
        super().__init__()
        part = options["token_embedder"]
        self.char_emb_layer = _embedding(num_characters, part["char_dim"])
        self.word_emb_layer = _embedding(num_words, part["word_dim"]) if num_words else None
        self.convolutions = torch.nn.ModuleList(
            torch.nn.Conv1d(part["char_dim"], number, width) for width, number in part["filters"]
        )
        num_filters = sum(number for _, number in part["filters"])
        self.highways = Highway(num_filters, part["n_highway"])
        self.projection = torch.nn.Linear(
            part["word_dim"] + num_filters, options["encoder"]["projection_dim"]
        )
        self._activation = {"relu": torch.relu, "tanh": torch.tanh}[part["activation"]]

    def forward(self, words: torch.Tensor, characters: torch.Tensor) -> torch.Tensor:
        """Shape: (num_words,), (num_words, num_characters) → (num_words, projection_dim)"""
        # Shape: (num_words, char_dim, num_characters)
        embedded = self.char_emb_layer["embedding"](characters).transpose(1, 2)
        # Padding takes part: the network was trained so, and all words are equally long.
        pooled = [
            self._activation(convolution(embedded).amax(dim=-1))
            for convolution in self.convolutions
        ]
        parts = [self.highways(torch.cat(pooled, dim=-1))]
        if self.word_emb_layer is not None:
            parts.insert(0, self.word_emb_layer["embedding"](words))
        return self.projection(torch.cat(parts, dim=-1))


class ManyLangsNetwork(torch.nn.Module):
    """
    All layers of a model for the words of sentences.

    # Parameters

    folder : `Path`
    options : `Mapping[str, Any]`
        See `model_options`.
    numbers : `FormNumbers`
    """

    def __init__(self, folder: Path, options: Mapping[str, Any], numbers: FormNumbers) -> None:
        super().__init__()
        self._numbers = numbers
        encoder = options["encoder"]
        # Nothing is drawn, nor has a place in memory, before the file is known to fit.
        with torch.device("meta"):
            self.token_embedder = CharacterNetwork(
                options, _rows(numbers.characters), _rows(numbers.words)
            )
            self.encoder = ElmoLstm(
                input_size=encoder["projection_dim"],
                hidden_size=encoder["projection_dim"],
                cell_size=encoder["dim"],
                num_layers=encoder["n_layers"],
                memory_cell_clip_value=encoder["cell_clip"],
                state_projection_clip_value=encoder["proj_clip"],
            )
        load_weights(self.token_embedder, folder / TOKEN_EMBEDDER)
        load_weights(self.encoder, folder / ENCODER)
        self.eval().requires_grad_(False)

    def forward(self, sentences: Sequence[Words]) -> torch.Tensor:
        """The vectors of all words. Shape: (num_layers, num_words, 2 * projection_dim)"""
        bounded = [(BEGIN, *words, END) for words in sentences]
        forms = {form: i for i, form in enumerate(dict.fromkeys(chain.from_iterable(bounded)))}
        device = self.token_embedder.projection.weight.device
        vectors = self.token_embedder(
            torch.tensor([self._numbers.of_word(form) for form in forms], device=device),
            torch.tensor([self._numbers.of_characters(form) for form in forms], device=device),
        )
        places = [torch.tensor([forms[form] for form in words], device=device) for words in bounded]
        lengths = torch.tensor(list(map(len, places)), device=device)
        # Shape: (batch, num_tokens)
        padded = torch.nn.utils.rnn.pad_sequence(places, batch_first=True)
        position = torch.arange(padded.size(1), device=device)
        mask = position < lengths[:, None]
        tokens = vectors[padded]
        # A sentence has the same vectors whatever was computed before.
        self.encoder.reset_states()
        layers = torch.cat([tokens.repeat(1, 1, 2)[None], self.encoder(tokens, mask)])
        # Without the bounds of the sentences.
        is_word = (position > 0) & (position < lengths[:, None] - 1)
        return layers[:, is_word]


def load_weights(module: torch.nn.Module, path: Path) -> None:
    """Puts the weights of a file into a module. They must be there all, and of the shapes that it has."""
    weights = load_weights_only(path, map_location="cpu")
    if not isinstance(weights, dict):
        raise ValueError(
            f"{path}: expected weights by their names, found {type(weights).__name__}."
        )
    expected = {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()}
    for name in [*expected, *weights]:
        shape = getattr(weights.get(name), "shape", None)
        found = None if shape is None else tuple(shape)
        if found != expected.get(name):
            raise ValueError(
                f"{path}: expected {_shaped(name, expected.get(name))}, as the options and dictionaries say, "
                f"found {_shape(found)}. Are all files of the same model?"
            )
    for name, tensor in weights.items():
        if not tensor.is_floating_point() or not tensor.isfinite().all():
            raise ValueError(f"{path}: expected finite numbers in {name}, found others.")
    floats = {name: tensor.float() for name, tensor in weights.items()}
    module.load_state_dict(floats, assign=True)


def _shaped(name: str, shape: Any) -> str:
    return f"{name} of shape {shape}" if shape is not None else f"no {name}"


def _shape(shape: Any) -> str:
    return "none" if shape is None else f"one of shape {shape}"


def _embedding(rows: int, dimension: int) -> torch.nn.ModuleDict:
    return torch.nn.ModuleDict({"embedding": torch.nn.Embedding(rows, dimension)})


def _rows(numbers: Mapping[str, int]) -> int:
    return max(numbers.values(), default=-1) + 1
