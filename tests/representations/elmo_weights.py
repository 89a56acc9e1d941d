"""A small ELMo with random weights, as files and as a plain NumPy computation from these files."""

import json

import h5py
import numpy

OPTIONS = {
    "char_cnn": {
        "activation": "relu",
        "embedding": {"dim": 4},
        "filters": [[1, 3], [2, 4], [5, 2]],
        "max_characters_per_token": 50,
        "n_characters": 262,
        "n_highway": 2,
    },
    # Bounds this tight are met by many numbers of a random model.
    "lstm": {
        "cell_clip": 0.6,
        "dim": 7,
        "n_layers": 2,
        "proj_clip": 0.5,
        "projection_dim": 5,
        "use_skip_connections": True,
    },
}


def write_elmo(folder, seed=0, options=OPTIONS):
    """Writes `options.json` and `weights.hdf5`, and gives their paths."""
    rng = numpy.random.default_rng(seed)
    options_file, weight_file = folder / "options.json", folder / "weights.hdf5"
    options_file.write_text(json.dumps(options))
    with h5py.File(weight_file, "w") as file:

        def add(name, *shape, scale=1.0):
            file[name] = rng.normal(scale=scale, size=shape).astype(numpy.float32)

        wide = sum(number for _, number in options["char_cnn"]["filters"])
        dim, projected = options["lstm"]["dim"], options["lstm"]["projection_dim"]
        add("char_embed", 261, 4)
        for i, (width, number) in enumerate(options["char_cnn"]["filters"]):
            add(f"CNN/W_cnn_{i}", 1, width, 4, number, scale=0.3)
            add(f"CNN/b_cnn_{i}", number)
        for i in range(2):
            for gate in ("carry", "transform"):
                add(f"CNN_high_{i}/W_{gate}", wide, wide, scale=0.3)
                add(f"CNN_high_{i}/b_{gate}", wide)
        add("CNN_proj/W_proj", wide, projected, scale=0.3)
        add("CNN_proj/b_proj", projected)
        for direction in range(2):
            for i in range(options["lstm"]["n_layers"]):
                cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{i}/LSTMCell"
                add(f"{cell}/W_0", 2 * projected, 4 * dim)
                add(f"{cell}/B", 4 * dim)
                add(f"{cell}/W_P_0", dim, projected)
    return str(options_file), str(weight_file)


def plain_elmo(weight_file, sentence):
    """One sentence, one step after the other. Shape: (num_layers, num_words, 10)"""
    with h5py.File(weight_file) as file:
        rows = [[258, 256, 259], *([258, *_seen_bytes(word), 259] for word in sentence)]
        tokens = numpy.stack([_token(file, row) for row in [*rows, [258, 257, 259]]])
        forward = _directed(file, 0, tokens)
        backward = [layer[::-1] for layer in _directed(file, 1, tokens[::-1])]
    layers = [tokens, *forward], [tokens, *backward]
    return numpy.stack([numpy.hstack(halves) for halves in zip(*layers)])[:, 1:-1]


def _seen_bytes(word):
    return word.encode()[:48]


def _token(file, row):
    characters = file["char_embed"][...][row + [260] * (50 - len(row))].astype(float)
    parts = []
    for i, (width, _) in enumerate(OPTIONS["char_cnn"]["filters"]):
        weights, bias = file[f"CNN/W_cnn_{i}"][0], file[f"CNN/b_cnn_{i}"][...]
        windows = [characters[start : start + width] for start in range(50 - width + 1)]
        responses = [(weights * window[:, :, None]).sum(axis=(0, 1)) + bias for window in windows]
        parts.append(numpy.max(responses, axis=0).clip(min=0))
    vector = numpy.concatenate(parts)
    for i in range(2):
        part = file[f"CNN_high_{i}"]
        gate = _sigmoid(vector @ part["W_carry"][...] + part["b_carry"][...])
        changed = (vector @ part["W_transform"][...] + part["b_transform"][...]).clip(min=0)
        vector = gate * changed + (1 - gate) * vector
    return vector @ file["CNN_proj/W_proj"][...] + file["CNN_proj/b_proj"][...]


def _directed(file, direction, inputs):
    """The outputs of all LSTM layers in one direction; from the second on, added to their inputs."""
    layers = []
    for i in range(2):
        cell = file[f"RNN_{direction}/RNN/MultiRNNCell/Cell{i}/LSTMCell"]
        weights, bias, projection = (cell[name][...] for name in ("W_0", "B", "W_P_0"))
        memory, state, outputs = numpy.zeros(7), numpy.zeros(5), []
        for vector in inputs:
            gates = numpy.concatenate([vector, state]) @ weights + bias
            entry, new, keep, exit_ = gates.reshape(4, 7)
            memory = _sigmoid(keep + 1) * memory + _sigmoid(entry) * numpy.tanh(new)
            memory = memory.clip(-0.6, 0.6)
            state = ((_sigmoid(exit_) * numpy.tanh(memory)) @ projection).clip(-0.5, 0.5)
            outputs.append(state)
        inputs = numpy.stack(outputs) + (inputs if i else 0)
        layers.append(inputs)
    return layers


def _sigmoid(values):
    return 1 / (1 + numpy.exp(-values))
