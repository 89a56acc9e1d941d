import copy
import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.elmo.many_langs_folder import (
    RELEASED,
    RELEASED_OPTIONS,
    model_options,
    read_dictionary,
)
from tests.representations.many_langs_model import OPTIONS, write_many_langs

NEEDED = {part: OPTIONS[part] for part in ("token_embedder", "encoder")}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "named", ["options.json", "configs/options.json", "/users4/elmo/configs/options.json"]
)
def test_options_by_their_path_or_name(named, tmp_path):
    folder = Path(write_many_langs(tmp_path / "fi", config_path=named))
    assert model_options(folder) == NEEDED
    (folder / "configs").mkdir()
    (folder / "options.json").rename(folder / "configs/options.json")
    assert model_options(folder) == NEEDED


def test_those_of_the_released_models_are_known(tmp_path):
    folder = Path(write_many_langs(tmp_path / "fi", config_path=f"/users4/configs/{RELEASED}"))
    assert model_options(folder) == RELEASED_OPTIONS
    encoder = RELEASED_OPTIONS["encoder"]
    assert (encoder["dim"], encoder["projection_dim"], encoder["n_layers"]) == (4096, 512, 2)
    # A file of that name is taken before.
    write(folder / RELEASED, json.dumps(OPTIONS))
    assert model_options(folder) == NEEDED


def test_options_that_are_not_there(tmp_path):
    folder = Path(write_many_langs(tmp_path / "fi", config_path="configs/mine.json"))
    with pytest.raises(
        ConfigurationError, match="configs/mine.json, which are not there. Put mine"
    ):
        model_options(folder)
    assert model_options(folder, folder / "options.json") == NEEDED


@pytest.mark.parametrize(
    "part, entry, value, message",
    [
        ("token_embedder", "name", "lstm", "expected cnn as `token_embedder.name`, found 'lstm'"),
        ("token_embedder", "filters", [[1, 3], 2], "expected a list of pairs of width and number"),
        ("token_embedder", "char_dim", 0, "expected a size as `token_embedder.char_dim`, found 0"),
        ("encoder", "name", "lstm", "expected elmo as `encoder.name`, found 'lstm'"),
        ("encoder", "n_layers", 10**6, "expected 1 to 100 layers as `encoder.n_layers`"),
        ("token_embedder", "n_highway", -1, "expected a number of layers"),
        ("token_embedder", "max_characters_per_token", 10**9, "expected 3 to 1000"),
        ("encoder", "proj_clip", "3", "expected a number or null as `encoder.proj_clip`"),
    ],
)
def test_broken_options(part, entry, value, message, tmp_path):
    options = copy.deepcopy(OPTIONS)
    options[part][entry] = value
    folder = Path(write_many_langs(tmp_path / "fi"))
    write(folder / "options.json", json.dumps(options))
    with pytest.raises(ValueError, match=f"options.json: {message}"):
        model_options(folder)
    del options[part][entry]
    write(folder / "options.json", json.dumps(options))
    with pytest.raises(ValueError, match=f"expected `{part}.{entry}` .* found none"):
        model_options(folder)
    write(folder / "config.json", "{")
    with pytest.raises(ValueError, match="config.json: expected the options .* not JSON"):
        model_options(folder)


def test_a_dictionary(tmp_path):
    path = write(tmp_path / "char.dic", "<pad>\t0\na\t1\n\u2028\t2\n\u3000\t3\n#\t4\n")
    # White space is gone with what is around the line: the last such entry is the ideographic space.
    assert read_dictionary(path, ("<pad>",)) == {"<pad>": 0, "a": 1, "\u3000": 3, "#": 4}
    with pytest.raises(
        ValueError, match="char.dic: expected <oov> among its 4 entries, found none"
    ):
        read_dictionary(path, ("<oov>",))


@pytest.mark.parametrize("line", ["a", "a\tb", "a\tb\t1", "a 1", "a\t-1"])
def test_broken_dictionaries(line, tmp_path):
    path = write(tmp_path / "char.dic", f"<pad>\t0\n{line}\n")
    with pytest.raises(ValueError, match="char.dic, line 2: expected a character or word, a tab"):
        read_dictionary(path, ())
