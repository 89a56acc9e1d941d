import pytest
import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.word_embedder import WordEmbedder

FILES = {"model": "a.model", "vectors": "a.vec"}
DIGESTS = {"model": "01" * 32, "vectors": "ff" * 32}


def embedder_of(digests):
    embedder = WordEmbedder(2)
    for setting, file in FILES.items():
        embedder.remember(digests[setting], file, setting)
    return embedder


def test_the_fingerprint_is_of_all_files_and_not_trained():
    embedder = embedder_of(DIGESTS)
    assert embedder.fingerprint.tolist() == [1] * 32 + [255] * 32
    assert embedder.fingerprint.dtype == torch.uint8
    assert list(embedder.parameters()) == []


@pytest.mark.parametrize("setting, file", FILES.items())
def test_the_file_that_has_changed_is_named(setting, file):
    state = embedder_of(DIGESTS).state_dict()
    embedder_of(DIGESTS).load_state_dict(state)
    changed = embedder_of({**DIGESTS, setting: "02" * 32})
    with pytest.raises(ConfigurationError, match=rf'^{file} is not .*words\.{setting}": "PATH"'):
        changed.load_state_dict(state)


def test_a_state_without_a_fingerprint_is_left_to_torch():
    with pytest.raises(RuntimeError, match="Missing key.*fingerprint"):
        embedder_of(DIGESTS).load_state_dict({})


def test_files_are_found(tmp_path):
    path = tmp_path / "a.vec"
    path.touch()
    assert find_file(str(path), "vectors") == str(path)
    with pytest.raises(FileNotFoundError, match=r'^no/a.vec: .*words\.vectors": "PATH"'):
        find_file("no/a.vec", "vectors")
