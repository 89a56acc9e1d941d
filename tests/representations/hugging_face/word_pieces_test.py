import numpy
import pytest
import torch
import transformers
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations.hugging_face.transformer_files import load_tokenizer
from linspector_allennlp.representations.hugging_face.word_pieces import (
    WordPieces,
    pool_pieces,
)
from tests.representations.tiny_transformers import BYTE_LEVEL, MAKERS

SENTENCE = ("talo", "on", "kylässä", ".")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return {name: make(tmp_path_factory.mktemp(name)) for name, make in MAKERS.items()}


@pytest.fixture(scope="module")
def bert(folders):
    return load_tokenizer(str(folders["bert"]))


def ids_of(tokenizer, sentence):
    """Of all pieces but the special ones, word by word."""
    return [tokenizer(word, add_special_tokens=False).input_ids for word in sentence]


def test_one_sentence_by_hand(bert):
    batch = WordPieces(bert, 40, "window").encode([("talon", "meri.", "Z")])
    tokens = bert.convert_ids_to_tokens(batch.inputs["input_ids"][0].tolist())
    assert tokens == "[CLS] t ##a ##l ##o ##n m ##e ##r ##i . [UNK] [SEP]".split()
    assert batch.window_of.tolist() == [0] * 11
    assert batch.position_of.tolist() == list(range(1, 12))
    assert batch.word_of.tolist() == [0] * 5 + [1] * 5 + [2]


def test_the_words_of_a_batch_are_counted_through(bert):
    batch = WordPieces(bert, 40, "window").encode([("t", "a"), ("l",), ("tal", "o")])
    assert batch.window_of.tolist() == [0, 0, 1, 2, 2, 2, 2]
    assert batch.word_of.tolist() == [0, 1, 2, 3, 3, 3, 4]
    assert batch.inputs["attention_mask"].sum(dim=1).tolist() == [4, 3, 6]


WORDS = st.lists(st.text("talokn", min_size=1, max_size=5), min_size=1, max_size=12)


@given(sentences=st.lists(WORDS, min_size=1, max_size=4), limit=st.integers(4, 24))
def test_every_piece_is_taken_once_and_where_it_has_the_most_context(bert, sentences, limit):
    pieces = WordPieces(bert, limit, "window")
    batch = pieces.encode([tuple(words) for words in sentences])
    ids = batch.inputs["input_ids"].numpy()
    window_of, position_of = batch.window_of.numpy(), batch.position_of.numpy()
    of_words = [ids_of(bert, words) for words in sentences]
    # Each piece once, in order, of the right word, at a place that has its id.
    expected = [piece for words in of_words for word in words for piece in word]
    assert ids[window_of, position_of].tolist() == expected
    counts = [len(word) for words in of_words for word in words]
    assert batch.word_of.tolist() == numpy.repeat(numpy.arange(len(counts)), counts).tolist()
    lengths = [sum(map(len, words)) + 2 for words in of_words]
    assert pieces.lengths([tuple(words) for words in sentences]) == lengths
    assert ids.shape[1] <= limit
    first_window = first_piece = 0
    for length in (length - 2 for length in lengths):
        content = expected[first_piece : first_piece + length]
        windows = windows_by_hand(length, limit - 2)
        for number, (start, end) in enumerate(windows):
            row = [bert.cls_token_id, *content[start:end], bert.sep_token_id]
            padding = [bert.pad_token_id] * (ids.shape[1] - len(row))
            assert ids[first_window + number].tolist() == row + padding
        for piece in range(length):
            context = [room(piece, windows, number) for number in range(len(windows))]
            chosen = window_of[first_piece + piece] - first_window
            assert context[chosen] == max(context)
            assert position_of[first_piece + piece] == piece - windows[chosen][0] + 1
        first_window, first_piece = first_window + len(windows), first_piece + length
    assert first_window == len(ids)


def windows_by_hand(length, size):
    """Each overlaps the next by half, rounded down."""
    start, windows = 0, []
    while not windows or windows[-1][1] < length:
        windows.append((start, min(start + size, length)))
        start += size - size // 2
    return windows


def room(piece, windows, number):
    """The pieces between this one and the nearer cut, −1 if it is in another window."""
    start, end = windows[number]
    if not start <= piece < end:
        return -1
    left = piece - start if number > 0 else 10**6
    right = end - 1 - piece if number < len(windows) - 1 else 10**6
    return min(left, right)


@pytest.mark.parametrize("name", MAKERS)
def test_pieces_are_those_of_the_running_text(name, folders):
    text = " " * (name in BYTE_LEVEL) + " ".join(SENTENCE)
    plain = transformers.AutoTokenizer.from_pretrained(str(folders[name]))(text).input_ids
    pieces = WordPieces(load_tokenizer(str(folders[name])), None, "window")
    batch = pieces.encode([SENTENCE])
    assert batch.inputs["input_ids"].tolist() == [plain]
    assert sorted(set(batch.word_of.tolist())) == [0, 1, 2, 3]
    assert pieces.lengths([SENTENCE, SENTENCE]) == [len(plain)] * 2


@pytest.mark.parametrize("name", MAKERS)
def test_windows_of_every_kind_of_tokenizer(name, folders):
    tokenizer = load_tokenizer(str(folders[name]))
    whole = WordPieces(tokenizer, None, "window").encode([SENTENCE])
    windowed = WordPieces(tokenizer, 8, "window").encode([SENTENCE])
    assert len(windowed.inputs["input_ids"]) > 1
    assert windowed.word_of.tolist() == whole.word_of.tolist()
    ids, windowed_ids = (
        batch.inputs["input_ids"][batch.window_of, batch.position_of].tolist()
        for batch in (whole, windowed)
    )
    assert windowed_ids == ids


def test_what_is_known(bert, folders):
    pieces = WordPieces(bert, 40, "window")
    assert pieces.knows(["talo", "Talo", "taloZ", "talo.", "日"]).tolist() == [
        True, False, False, True, False
    ]  # fmt: skip
    assert pieces.knows([]).tolist() == []
    for name in BYTE_LEVEL:
        known = WordPieces(load_tokenizer(str(folders[name])), 20, "window").knows(["talo", "日"])
        assert known.tolist() == [True, True]


@pytest.mark.parametrize("word", ["\u200b", "\x07", "\u00ad", "\ufffd"])
def test_a_word_without_pieces_is_named_with_its_sentence(bert, word):
    sentences = [("talo",), ("talo", "on", word, "kylä")]
    with pytest.raises(ValueError) as raised:
        WordPieces(bert, 40, "window").encode(sentences)
    assert f"makes no piece of the word {word!r} ({ascii(word)}), number 2 in" in str(raised.value)
    assert repr(f"talo on {word} kylä") in str(raised.value)


def test_a_sentence_of_nothing_but_such_a_word(bert):
    with pytest.raises(ValueError, match="makes no piece of the word .* number 0 in"):
        WordPieces(bert, 40, "window").encode([("\u200b",)])


@pytest.mark.parametrize("name", BYTE_LEVEL)
def test_byte_level_tokenizers_have_pieces_for_everything(name, folders):
    sentence = ("\u200b", "👩‍🚀", "日本", "\x07")
    batch = WordPieces(load_tokenizer(str(folders[name])), None, "window").encode([sentence])
    assert sorted(set(batch.word_of.tolist())) == [0, 1, 2, 3]


def test_a_long_sentence_can_be_refused(bert):
    pieces = WordPieces(bert, 9, "error")
    pieces.encode([("talo", "ok", ".")])  # 4 + 2 + 1 and the two special ones
    with pytest.raises(ValueError) as raised:
        pieces.encode([("ok",), ("talo", "oka", ".")])
    assert "a sentence has 10 pieces, and the model takes 9: 'talo oka .'" in str(raised.value)
    assert 'Set "long_sentences" to "window"' in str(raised.value)


def test_only_the_beginning_of_a_long_sentence_is_shown(bert):
    with pytest.raises(ValueError) as raised:
        WordPieces(bert, 40, "error").encode([("talo",) * 500])
    assert len(str(raised.value)) < 400 and "talo talo  …" in str(raised.value)


@pytest.mark.parametrize("limit", [-1, 0, 1, 3])
def test_a_limit_that_leaves_no_room(bert, limit):
    with pytest.raises(ConfigurationError, match=f"max_length: .* 2 pieces or more .*{limit}"):
        WordPieces(bert, limit, "window")


def test_the_smallest_limit(bert):
    batch = WordPieces(bert, 4, "window").encode([("talo", "on")])
    assert batch.word_of.tolist() == [0, 0, 0, 0, 1, 1]
    assert batch.inputs["input_ids"].shape == (5, 4)


def test_wrong_setting_for_long_sentences(bert):
    with pytest.raises(ConfigurationError, match="long_sentences: expected window or error, found"):
        WordPieces(bert, 40, "cut")


VECTORS = torch.tensor([[1.0, 10.0], [2.0, 20.0], [6.0, 30.0], [5.0, 50.0]])
WORD_OF = torch.tensor([0, 1, 1, 2])


@pytest.mark.parametrize(
    "pool, second_word",
    [("mean", [4.0, 25.0]), ("max", [6.0, 30.0]), ("first", [2.0, 20.0]), ("last", [6.0, 30.0])],
)
def test_by_hand(pool, second_word):
    pooled = pool_pieces(VECTORS, WORD_OF, 3, pool)
    assert pooled.tolist() == [[1.0, 10.0], second_word, [5.0, 50.0]]


BY_NUMPY = {
    "mean": lambda v: v.mean(axis=0),
    "max": lambda v: v.max(axis=0),
    "first": lambda v: v[0],
    "last": lambda v: v[-1],
}


@given(
    counts=st.lists(st.integers(1, 5), min_size=1, max_size=8), pool=st.sampled_from([*BY_NUMPY])
)
def test_any_numbers_of_pieces(counts, pool):
    # The size grows, the sign changes: the greatest is not the last.
    vectors = numpy.arange(3.0 * sum(counts), dtype=numpy.float32).reshape(-1, 3) ** 1.5
    vectors[::2] *= -1
    word_of = numpy.repeat(numpy.arange(len(counts)), counts)
    of_words = numpy.split(vectors, numpy.cumsum(counts)[:-1])
    pooled = pool_pieces(torch.from_numpy(vectors), torch.from_numpy(word_of), len(counts), pool)
    assert pooled.numpy() == pytest.approx(numpy.stack(list(map(BY_NUMPY[pool], of_words))))
