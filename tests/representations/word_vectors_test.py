import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.representations import WordVectorsEmbedder

VECTORS = {"talo": [1.0, 2.0], "kala": [3.0, -2.0]}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.vec"
    path.write_text("2 2\n" + "".join(f"{w} {v[0]} {v[1]}\n" for w, v in VECTORS.items()))
    return str(path)


def test_known_words_have_their_vectors(file):
    embedder = WordVectorsEmbedder(file)
    assert embedder.get_output_dim() == 2
    assert embedder.embed_forms(["kala", "talo"]).tolist() == [VECTORS["kala"], VECTORS["talo"]]
    assert embedder.knows(["kala", "Talo", "auto"]).tolist() == [True, False, False]


@pytest.mark.parametrize("unk, expected", [("mean", [2.0, 0.0]), ("zeros", [0.0, 0.0])])
def test_unknown_words(file, unk, expected):
    embedder = WordVectorsEmbedder(file, unk=unk)
    assert embedder.embed_forms(["auto", "talo"]).tolist() == [expected, VECTORS["talo"]]


def test_random_vectors_of_unknown_words_are_fixed_and_as_long_as_the_others(tmp_path):
    path = tmp_path / "large.vec"
    rng = numpy.random.default_rng(0)
    rows = rng.normal(scale=0.1, size=(50, 100))
    path.write_text(
        "".join(f"w{i} {' '.join(f'{x:.5f}' for x in row)}\n" for i, row in enumerate(rows))
    )
    embedder = WordVectorsEmbedder(str(path), unk="random")
    first, second = embedder.embed_forms(["auto", "vene"]), embedder.embed_forms(["vene"])
    assert (first[1] == second[0]).all()
    assert (first[0] != first[1]).any()
    assert numpy.sqrt((first**2).mean()) == pytest.approx(0.1, rel=0.2)


def test_unknown_words_can_be_an_error(file):
    embedder = WordVectorsEmbedder(file, unk="error")
    assert len(embedder.embed_forms(["talo"])) == 1
    with pytest.raises(ValueError, match="no vector for 2 words, such as 'auto'"):
        embedder.embed_forms(["auto", "talo", "vene"])


def test_lower_case_is_a_setting(file):
    assert WordVectorsEmbedder(file, lowercase=True).knows(["TALO"]).all()


def test_an_unknown_policy(file):
    with pytest.raises(
        ConfigurationError, match="mean, zeros, random, shared_random, error, skip, found 'median'"
    ):
        WordVectorsEmbedder(file, unk="median")


def test_the_archive_notices_another_file(file, tmp_path):
    state = WordVectorsEmbedder(file).state_dict()
    WordVectorsEmbedder(file).load_state_dict(state)
    other = tmp_path / "other.vec"
    other.write_text("1 2\ntalo 5 6\n")
    with pytest.raises(ConfigurationError, match="other.vec is not what"):
        WordVectorsEmbedder(str(other)).load_state_dict(state)


def test_a_missing_file_says_how_to_name_another():
    with pytest.raises(FileNotFoundError, match="no/such.vec: there is no such file.*words.file"):
        WordVectorsEmbedder("no/such.vec")


def test_nothing_is_trained(file):
    embedder = WordVectorsEmbedder(file)
    assert list(embedder.parameters()) == []
    code_points = torch.tensor([[[ord(c) for c in "talo"], [ord(c) for c in "kala"]]])
    assert embedder(code_points).tolist() == [[VECTORS["talo"], VECTORS["kala"]]]


def test_a_matrix_and_its_words(tmp_path):
    numpy.save(tmp_path / "v.npy", numpy.array(list(VECTORS.values()), "f2"))
    (tmp_path / "list").write_text("talo\nkala\n")
    settings = {"type": "word_vectors", "file": str(tmp_path / "v.npy")}
    embedder = TokenEmbedder.from_params(Params({**settings, "words": str(tmp_path / "list")}))
    assert embedder.embed_forms(["kala", "auto"]).tolist() == [VECTORS["kala"], [2.0, 0.0]]
    assert embedder.provenance()["word_list"] == str(tmp_path / "list")
    with pytest.raises(ConfigurationError, match='v.npy has vectors but no words.*Set "words"'):
        TokenEmbedder.from_params(Params(settings))
    with pytest.raises(FileNotFoundError, match="no/list: there is no such file.*words.words"):
        WordVectorsEmbedder(str(tmp_path / "v.npy"), words="no/list")


def test_the_archive_notices_another_word_list(tmp_path):
    numpy.save(tmp_path / "v.npy", numpy.eye(2, dtype="f4"))
    (tmp_path / "v.txt").write_text("talo\nkala\n")
    state = WordVectorsEmbedder(str(tmp_path / "v.npy")).state_dict()
    (tmp_path / "v.txt").write_text("kala\ntalo\n")
    with pytest.raises(ConfigurationError, match="v.npy is not what"):
        WordVectorsEmbedder(str(tmp_path / "v.npy")).load_state_dict(state)


def test_a_word_list_for_a_file_with_words(file):
    with pytest.raises(ConfigurationError, match='small.vec has its own words.*Leave "words" out'):
        WordVectorsEmbedder(file, words=file)


def test_an_unknown_word_is_random_in_lower_case_too(file):
    embedder = WordVectorsEmbedder(str(file), unk="random", lowercase=True)
    upper, lower, other = embedder.embed_forms(["Tuntematon", "tuntematon", "toinen"])
    assert (upper == lower).all() and (upper != other).any()


def test_words_without_a_vector_are_to_be_skipped(file):
    assert not WordVectorsEmbedder(file).skips
    embedder = WordVectorsEmbedder(file, unk="skip", lowercase=True)
    assert embedder.skips
    assert embedder.has_vectors(("Talo", "auto", "kala"), [0, 1]).tolist() == [True, False]
    assert embedder.has_vectors(("auto",), []).tolist() == []


def test_one_random_vector_has_a_seed(file):
    first, other = (WordVectorsEmbedder(file, unk="shared_random", seed=seed) for seed in (1, 2))
    assert (first.embed_forms(["a"]) == first.embed_forms(["b"])).all()
    assert (first.embed_forms(["a"]) != other.embed_forms(["a"])).any()
    assert first.provenance()["seed"] == 1 and "seed" in first.state_dict()
