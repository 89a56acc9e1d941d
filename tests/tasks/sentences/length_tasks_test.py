from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks.sentences.length_tasks import make_eos, make_sentlen
from linspector_allennlp.tasks.sentences.surface_words import is_punctuation
from tests.tasks.sentences.corpora import WORDS, corpora, given_for, plain, seeds, tagged


def test_sentlen_by_hand():
    corpus = [plain("Kala", "ui", "."), tagged("je/PRON mange/VERB de/ADP+le/DET=du pain/NOUN ./P")]
    items = list(make_sentlen(corpus, given_for()))
    assert [(" ".join(each.tokens), each.label) for each in items] == [
        ("Kala ui .", "1-4"), ("je mange du pain .", "5-8"),
    ]  # fmt: skip
    assert [each.source for each in items] == ["text", "treebank"]
    # The multiword token once: five tokens of six words. SentEval has no bin for three.
    senteval = list(make_sentlen(corpus, given_for(sentlen_bins="senteval")))
    assert [each.label for each in senteval] == ["5-8"]
    own = make_sentlen(corpus, given_for(sentlen_bins="3,4-5"))
    assert [each.label for each in own] == ["3", "4-5"]


def eos(corpus, language="fi", **settings):
    return [
        (" ".join(each.tokens), each.label)
        for each in make_eos(corpus, given_for(language, **settings))
    ]


def test_eos_by_hand():
    corpus = [
        plain("Kala", "ui", "."),
        plain("...", "!"),
        plain("„", "Meri", "on", "(", "syvä", ")"),
        plain("Kivi"),
    ]
    assert eos(corpus, eos_bins="1,2,3+") == [("kala ui meri on syvä", "2")]
    assert eos(corpus, "de", eos_bins="1,2,3+") == [("Kala ui Meri on syvä", "2")]
    assert eos(corpus) == [("kala ui meri on syvä", "1-8")]
    assert eos(corpus, "tr") == eos(corpus, "ka") == [("kala ui meri on syvä", "1-4")]


def test_small_letters_of_turkish():
    corpus = [plain("IŞIK", "İyi"), plain("Ev")]
    assert eos(corpus, "tr") == [("ışık iyi ev", "1-4")]


def test_pairs_do_not_cross_documents():
    corpus = [plain("a", document="1"), plain("b", document="2"), plain("c", document="2"),
              plain("d", document="2"), plain("e", document="3")]  # fmt: skip
    found = [text for text, _ in eos(corpus)]
    assert found[0] == "b c" and len(found) == 2
    # What was left over, in an order that does not depend on that of the documents.
    assert set(found[1].split()) < set("ade")
    assert sorted(found) == sorted(text for text, _ in eos(corpus[4:] + corpus[1:4] + corpus[:1]))
    # Nothing of a treebank is paired with text.
    mixed = [tagged("x/X", document="1"), plain("y", document="1")]
    assert eos(mixed) == []


@given(st.lists(st.lists(st.sampled_from([*WORDS, ".", ","]), min_size=1, max_size=40), max_size=9),
       seeds)  # fmt: skip
def test_the_boundary_is_where_the_label_says(lists, seed):
    corpus = [plain(*words) for words in lists]
    items = list(make_eos(corpus, given_for("fi", seed)))
    bare = [[w.lower() for w in words if not is_punctuation(w)] for words in lists]
    bare = [words for words in bare if words]
    assert len(items) == len(bare) // 2
    for number, each in enumerate(items):
        one, other = bare[2 * number], bare[2 * number + 1]
        assert each.tokens == (*one, *other)
        assert "".join(each.tokens).isalpha() and "".join(each.tokens).islower()
        first, _, last = each.label.rstrip("+").partition("-")
        assert int(first) <= len(one) <= int(last or 10**9)


@given(corpora, seeds)
def test_lengths_are_those_of_the_sentences(corpus, seed):
    items = list(make_sentlen(corpus, given_for("fi", seed)))
    assert [each.tokens for each in items] == [sentence.tokens for sentence in corpus]
    assert Counter(each.label for each in items)["1-4"] == sum(len(s.tokens) < 5 for s in corpus)
