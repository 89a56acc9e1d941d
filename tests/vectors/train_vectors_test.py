import builtins
import json
import os

import numpy
import pytest
from allennlp.common.checks import ConfigurationError
from gensim.models import KeyedVectors
from gensim.models.fasttext import load_facebook_model

from linspector_allennlp.io.files import sha256
from linspector_allennlp.representations.fasttext_vectors import FastTextVectorsEmbedder
from linspector_allennlp.representations.word_vectors import WordVectorsEmbedder
from linspector_allennlp.representations.words import encode_words
from linspector_allennlp.vectors import gensim_model
from linspector_allennlp.vectors import train_vectors as module
from linspector_allennlp.vectors.sentence_stream import SentenceStream
from linspector_allennlp.vectors.train_vectors import train_vectors
from linspector_allennlp.vectors.vector_settings import VectorSettings

SMALL = VectorSettings(dimension=8, window=3, min_count=2, epochs=2)
FASTTEXT = SMALL._replace(algorithm="fasttext", buckets=500)


@pytest.fixture
def treebank(fixtures):
    return [str(fixtures / f"raw/finnish-ud-{split}.conllu") for split in ("train", "dev")]


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Kala ui. Kala nukkui.\n" * 60 + "Hapax Vain\n", encoding="utf-8")
    return path


def test_word2vec_as_text(treebank, tmp_path):
    path = tmp_path / "new" / "fi.vec"
    record = train_vectors(path, treebank=treebank, settings=SMALL)
    counts = SentenceStream(treebank=treebank).count().words
    known = {word for word, number in counts.items() if number >= 2}
    found = KeyedVectors.load_word2vec_format(str(path))
    assert set(found.key_to_index) == known and found.vector_size == 8
    assert (record["vocabulary"], record["types"]) == (len(known), len(counts))
    assert record["tokens"] == counts.total() and record["sentences"] == 84 + 24
    assert record["tokens_in_vocabulary"] == sum(counts[word] for word in known)
    embedder = WordVectorsEmbedder(str(path), unk="error")
    vectors = embedder(encode_words([sorted(known)]))[0]
    for word, vector in zip(sorted(known), vectors):
        numpy.testing.assert_allclose(vector, found[word], rtol=1e-6)


def test_fasttext_with_its_ngrams(treebank, tmp_path):
    path = tmp_path / "fi.bin"
    train_vectors(path, treebank=treebank, settings=FASTTEXT)
    reference = load_facebook_model(str(path)).wv
    embedder = FastTextVectorsEmbedder(str(path))
    words = ("kala", "kaloissani", "xyzzy")
    vectors = embedder(encode_words([words]))[0]
    for word, vector in zip(words, vectors):
        numpy.testing.assert_allclose(vector, reference[word], atol=1e-6)


def test_fasttext_as_text(treebank, tmp_path):
    path = tmp_path / "fi.vec"
    train_vectors(path, treebank=treebank, settings=FASTTEXT)
    assert KeyedVectors.load_word2vec_format(str(path)).vector_size == 8


def test_the_provenance_is_beside_them(text, tmp_path):
    path = tmp_path / "fi.vec"
    record = train_vectors(path, [text], settings=SMALL, lowercase=True)
    assert json.loads((tmp_path / "fi.vec.json").read_text(encoding="utf-8")) == record
    assert record["vectors"] == {"file": "fi.vec", "sha256": sha256(path)}
    assert record["inputs"] == {
        "text": [{"file": "a.txt", "sha256": sha256(text)}],
        "treebank": [],
    }
    settings = record["settings"]
    assert settings["lowercase"] is True and settings["tokenized"] is False
    assert (settings["window"], settings["seed"], settings["learning_rate"]) == (3, 0, 0.05)
    assert (record["tokens"], record["types"], record["vocabulary"]) == (362, 6, 4)
    assert set(record["versions"]) == {"python", "linspector_allennlp", "gensim", "numpy"}
    assert record["seconds"] >= 0 and str(tmp_path) not in json.dumps(record)


@pytest.mark.parametrize("settings, name", [(SMALL, "a.vec"), (FASTTEXT, "a.bin")])
def test_the_same_bytes_unless_the_seed_is_another(settings, name, text, tmp_path):
    def trained(folder, **changes):
        path = tmp_path / folder / name
        train_vectors(path, [text], settings=settings._replace(**changes))
        return path.read_bytes()

    first = trained("first")
    assert trained("second") == first
    assert trained("third", seed=1) != first
    assert trained("fourth", skip_gram=True) != first


def test_words_of_the_same_contexts_come_together(tmp_path):
    """That something is learned: of two kinds of words, each with contexts of its own."""
    rng = numpy.random.default_rng(0)
    sentences = []
    for number in range(2000):
        kind = "ab"[number % 2]
        sentences.append(" ".join(f"{kind}{i}" for i in rng.integers(10, size=8)))
    path = tmp_path / "kinds.txt"
    path.write_text("\n".join(sentences) + "\n")
    settings = VectorSettings(dimension=10, window=5, epochs=5, subsampling=0.5)
    train_vectors(tmp_path / "k.vec", [path], settings=settings)
    vectors = KeyedVectors.load_word2vec_format(str(tmp_path / "k.vec"))
    assert all(word[0] == "a" for word, _ in vectors.most_similar("a0", topn=9))


def test_too_little_text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Kala ui ja kala ui.\n", encoding="utf-8")
    with pytest.raises(
        ValueError,
        match="no word occurs 5 times in 1 sentences of 6 tokens; the most frequent occurs 2 times. "
        "Vectors need more text, or a smaller --min-count",
    ):
        train_vectors(tmp_path / "x.vec", [path])
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_what_is_there_is_not_replaced(text, tmp_path):
    path = tmp_path / "fi.vec"
    train_vectors(path, [text], settings=SMALL)
    before = path.read_bytes()
    with pytest.raises(ConfigurationError, match=r"fi.vec exists. --force replaces it"):
        train_vectors(path, [text], settings=SMALL)
    path.unlink()
    with pytest.raises(ConfigurationError, match=r"fi.vec.json exists. --force replaces it"):
        train_vectors(path, [text], settings=SMALL)
    train_vectors(path, [text], settings=SMALL, force=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["save_model", "write_json"])
def test_an_interruption_leaves_nothing(name, text, tmp_path, monkeypatch):
    def interrupted(*args, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        train_vectors(tmp_path / "fi.vec", [text], settings=SMALL)
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_an_error_while_training_is_not_waited_for(text, tmp_path, monkeypatch):
    """It happens in a thread of gensim's, which would wait for ever."""

    def broken(self):
        yield ["Kala", "ui"]
        raise OSError("the disk is gone")

    monkeypatch.setattr(SentenceStream, "__iter__", broken)
    with pytest.raises(OSError, match="the disk is gone"):
        train_vectors(tmp_path / "fi.vec", [text], settings=SMALL)
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_an_interrupted_walk_ends(monkeypatch):
    walks = gensim_model._Walks([["a"]] * 3, 3, 1)
    sentences = iter(walks)
    assert next(sentences) == ["a"]
    walks.end()
    assert list(sentences) == []


@pytest.mark.parametrize(
    "output, settings, message",
    [
        ("fi.bin", SMALL, "fi.bin: expected a name that ends in .vec for word2vec"),
        ("fi.txt", FASTTEXT, "fi.txt: expected a name that ends in .vec or .bin for fasttext"),
        ("a.txt/fi.vec", SMALL, "fi.vec: nothing can be written into .*a.txt"),
        ("folder.vec", SMALL, "folder.vec is a folder: expected the name of a file"),
    ],
)
def test_outputs_that_cannot_be(output, settings, message, text, tmp_path):
    (tmp_path / "folder.vec").mkdir()
    with pytest.raises(ConfigurationError, match=message):
        train_vectors(tmp_path / output, [text], settings=settings)


def test_missing_inputs(tmp_path):
    with pytest.raises(ConfigurationError, match="vectors needs --text FILE or --treebank FILE"):
        train_vectors(tmp_path / "fi.vec")
    with pytest.raises(FileNotFoundError):
        train_vectors(tmp_path / "fi.vec", [tmp_path / "no.txt"])


def test_without_gensim(text, tmp_path, monkeypatch):
    real = builtins.__import__

    def no_gensim(name, *args, **kwargs):
        if name.startswith("gensim"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_gensim)
    with pytest.raises(ConfigurationError, match="pip install 'gensim>=4.3'"):
        train_vectors(tmp_path / "fi.vec", [text])


def test_several_workers(text, tmp_path):
    record = train_vectors(tmp_path / "fi.vec", [text], settings=SMALL._replace(workers=2))
    assert record["settings"]["workers"] == 2 and record["vocabulary"] == 4


def test_what_cannot_be_read_again_or_changes(text, tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigurationError, match="pipe: expected a regular file"):
        train_vectors(tmp_path / "fi.vec", [tmp_path / "pipe"])
    trained = module.train_model

    def changing(*args):
        text.write_text("Aivan muuta .\n", encoding="utf-8")
        return trained(*args)

    monkeypatch.setattr(module, "train_model", changing)
    with pytest.raises(ValueError, match="the input has changed while it was read"):
        train_vectors(tmp_path / "fi.vec", [text], settings=SMALL)
    assert not (tmp_path / "fi.vec").exists()
