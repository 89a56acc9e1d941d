import numpy
import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.hashing import hashed_vectors
from linspector_allennlp.representations import CharNgramsEmbedder
from linspector_allennlp.representations.char_ngrams import character_ngrams


def test_ngrams_by_hand():
    assert character_ngrams("yö", 3, 6) == ["<yö", "yö>", "<yö>"]
    assert character_ngrams("aaa", 3, 3) == ["<aa", "aaa", "aa>"]
    assert character_ngrams("a", 4, 6) == ["<a>"]


def test_a_word_is_the_mean_of_its_ngrams():
    embedder = CharNgramsEmbedder(dimension=7, seed=3)
    expected = hashed_vectors(["<yö", "yö>", "<yö>"], 7, 3).mean(axis=0)
    assert embedder.embed_forms(["talo", "yö"])[1] == pytest.approx(expected, abs=1e-6)


def test_repeated_ngrams_count_each_time():
    embedder = CharNgramsEmbedder(dimension=5, shortest=1, longest=1)
    vectors = dict(zip("<a>", hashed_vectors(list("<a>"), 5, 13)))
    expected = (vectors["<"] + 2 * vectors["a"] + vectors[">"]) / 4
    assert embedder.embed_forms(["aa"])[0] == pytest.approx(expected, abs=1e-6)


def test_spelling_is_all_it_knows():
    embedder = CharNgramsEmbedder()
    near, far, other = embedder.embed_forms(["talossa", "talosta", "kirjoittaja"])
    cosine = lambda a, b: a @ b / numpy.linalg.norm(a) / numpy.linalg.norm(b)  # noqa: E731
    assert cosine(near, far) > 0.3 > abs(cosine(near, other))
    assert embedder.knows(["never", "seen"]).all()


def test_lower_case_is_a_setting():
    upper, lower = "Talo", "talo"
    assert (
        CharNgramsEmbedder().embed_forms([upper]) != CharNgramsEmbedder().embed_forms([lower])
    ).any()
    embedder = CharNgramsEmbedder(lowercase=True)
    assert (embedder.embed_forms([upper]) == embedder.embed_forms([lower])).all()


def test_lengths_that_make_no_sense():
    with pytest.raises(ConfigurationError, match="found 4 and 3"):
        CharNgramsEmbedder(shortest=4, longest=3)
