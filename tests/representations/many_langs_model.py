"""A small ELMoForManyLangs with random weights, as its folder and as a plain NumPy computation."""

import json
from collections import OrderedDict

import numpy
import torch

OPTIONS = {
    "token_embedder": {
        "name": "cnn",
        "activation": "relu",
        "filters": [[1, 3], [2, 4], [5, 2]],
        "n_highway": 2,
        "char_dim": 4,
        "word_dim": 3,
        "max_characters_per_token": 9,
    },
    # Bounds this tight are met by many numbers of a random model.
    "encoder": {
        "name": "elmo",
        "projection_dim": 5,
        "dim": 7,
        "n_layers": 2,
        "cell_clip": 0.6,
        "proj_clip": 0.5,
    },
    "classifier": {"name": "sampled_softmax", "n_samples": 8192},
    "dropout": 0.1,
}
MARKS = ("<bos>", "<eos>", "<oov>", "<pad>")
CHARACTERS = ("<bow>", "<eow>", *MARKS, *"aehiklnostuyä", "\u3000")
WORDS = (*MARKS, "kala", "talo", "on", "kylässä"[:7], "ja", "\u3000")


def write_many_langs(folder, seed=0, options=OPTIONS, config_path="options.json", changes=None):
    """Writes all files, with `changes` to the shapes of the weights, and gives the folder as text."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {"seed": 1, "gpu": 3, "word_embedding": None, "config_path": config_path, "model": "x"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "options.json").write_text(json.dumps(options))
    for name, entries in (("char.dic", CHARACTERS), ("word.dic", WORDS)):
        lines = [f"{entry}\t{number}\n" for number, entry in enumerate(entries)]
        (folder / name).write_text("".join(lines), encoding="utf-8")
    rng = numpy.random.default_rng(seed)
    for name, shapes in (
        ("token_embedder", token_shapes(options)),
        ("encoder", encoder_shapes(options)),
    ):
        shapes = {**shapes, **(changes or {}).get(name, {})}
        state = OrderedDict(
            (key, torch.tensor(rng.normal(scale=0.5, size=shape), dtype=torch.float32))
            for key, shape in shapes.items()
            if shape is not None
        )
        # As PyTorch 0.4 wrote it.
        torch.save(state, folder / f"{name}.pkl", _use_new_zipfile_serialization=False)
    return str(folder)


def token_shapes(options):
    part = options["token_embedder"]
    num_filters = sum(number for _, number in part["filters"])
    projected = options["encoder"]["projection_dim"]
    shapes = {}
    if part["word_dim"]:
        shapes["word_emb_layer.embedding.weight"] = (len(WORDS), part["word_dim"])
    shapes["char_emb_layer.embedding.weight"] = (len(CHARACTERS), part["char_dim"])
    for i, (width, number) in enumerate(part["filters"]):
        shapes[f"convolutions.{i}.weight"] = (number, part["char_dim"], width)
        shapes[f"convolutions.{i}.bias"] = (number,)
    for i in range(part["n_highway"]):
        shapes[f"highways._layers.{i}.weight"] = (2 * num_filters, num_filters)
        shapes[f"highways._layers.{i}.bias"] = (2 * num_filters,)
    shapes["projection.weight"] = (projected, part["word_dim"] + num_filters)
    shapes["projection.bias"] = (projected,)
    return shapes


def encoder_shapes(options):
    part = options["encoder"]
    dim, projected = part["dim"], part["projection_dim"]
    shapes = {}
    for i in range(part["n_layers"]):
        for direction in ("forward", "backward"):
            cell = f"{direction}_layer_{i}"
            shapes[f"{cell}.input_linearity.weight"] = (4 * dim, projected)
            shapes[f"{cell}.state_linearity.weight"] = (4 * dim, projected)
            shapes[f"{cell}.state_linearity.bias"] = (4 * dim,)
            shapes[f"{cell}.state_projection.weight"] = (projected, dim)
    return shapes


def plain_many_langs(folder, sentence, options=OPTIONS):
    """One sentence, one step after the other. Shape: (num_layers, num_words, 10)"""
    token, encoder = (
        {
            name: tensor.double().numpy()
            for name, tensor in torch.load(f"{folder}/{file}.pkl", weights_only=True).items()
        }
        for file in ("token_embedder", "encoder")
    )
    words = ["<bos>", *sentence, "<eos>"]
    tokens = numpy.stack([_token(token, word, options["token_embedder"]) for word in words])
    forward = _directed(encoder, "forward", tokens, options["encoder"])
    backward = [
        layer[::-1] for layer in _directed(encoder, "backward", tokens[::-1], options["encoder"])
    ]
    layers = [tokens, *forward], [tokens, *backward]
    return numpy.stack([numpy.hstack(halves) for halves in zip(*layers)])[:, 1:-1]


def _token(weights, word, options):
    width = options["max_characters_per_token"]
    seen = word[: width - 2]
    spelling = [word] if word in ("<bos>", "<eos>") else [*seen]
    # The two marks are interchanged, in the original too.
    row = ["<eow>", *(each if each in CHARACTERS else "<oov>" for each in spelling), "<bow>"]
    row += ["<pad>"] * (width - len(row))
    numbers = [CHARACTERS.index(each) for each in row]
    characters = weights["char_emb_layer.embedding.weight"][numbers]
    activation = {"relu": lambda x: x.clip(min=0), "tanh": numpy.tanh}[options["activation"]]
    parts = []
    for i, (span, _) in enumerate(options["filters"]):
        kernel, bias = weights[f"convolutions.{i}.weight"], weights[f"convolutions.{i}.bias"]
        windows = [characters[start : start + span] for start in range(width - span + 1)]
        responses = [(kernel * window.T).sum(axis=(1, 2)) + bias for window in windows]
        parts.append(activation(numpy.max(responses, axis=0)))
    vector = numpy.concatenate(parts)
    for i in range(options["n_highway"]):
        weight, bias = (weights[f"highways._layers.{i}.{part}"] for part in ("weight", "bias"))
        changed, gate = numpy.split(weight @ vector + bias, 2)
        vector = _sigmoid(gate) * vector + (1 - _sigmoid(gate)) * changed.clip(min=0)
    if options["word_dim"]:
        number = WORDS.index(seen if seen in WORDS else "<oov>")
        vector = numpy.concatenate([weights["word_emb_layer.embedding.weight"][number], vector])
    return weights["projection.weight"] @ vector + weights["projection.bias"]


def _directed(weights, direction, inputs, options):
    """The outputs of all LSTM layers in one direction; from the second on, added to their inputs."""
    dim, layers = options["dim"], []
    cell_clip = options["cell_clip"] or numpy.inf
    clip = options["proj_clip"] or numpy.inf
    for i in range(options["n_layers"]):
        cell = f"{direction}_layer_{i}"
        of_input = weights[f"{cell}.input_linearity.weight"]
        of_state = weights[f"{cell}.state_linearity.weight"]
        bias = weights[f"{cell}.state_linearity.bias"]
        memory, state, outputs = numpy.zeros(dim), numpy.zeros(options["projection_dim"]), []
        for vector in inputs:
            gates = of_input @ vector + of_state @ state + bias
            entry, keep, new, exit_ = gates.reshape(4, dim)
            memory = _sigmoid(keep) * memory + _sigmoid(entry) * numpy.tanh(new)
            memory = memory.clip(-cell_clip, cell_clip)
            state = weights[f"{cell}.state_projection.weight"] @ (
                _sigmoid(exit_) * numpy.tanh(memory)
            )
            state = state.clip(-clip, clip)
            outputs.append(state)
        inputs = numpy.stack(outputs) + (inputs if i else 0)
        layers.append(inputs)
    return layers


def _sigmoid(values):
    return 1 / (1 + numpy.exp(-values))
