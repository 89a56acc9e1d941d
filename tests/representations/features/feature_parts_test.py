from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations.features import feature_parts
from linspector_allennlp.representations.features.feature_parts import longest_first, segment_parts


def test_the_longest_first_and_the_order_of_equals():
    sentences = [("a",), ("b", "c"), ("d",), ("e", "f")]
    assert longest_first(sentences, lambda some: [len(words) for words in some]) == [
        ("b", "c"), ("e", "f"), ("a",), ("d",),
    ]  # fmt: skip
    letters = {("a",): 9, ("b", "c"): 1, ("d",): 5, ("e", "f"): 7}
    by_letters = longest_first(sentences, lambda some: [letters[words] for words in some])
    assert by_letters == [("a",), ("e", "f"), ("d",), ("b", "c")]
    assert longest_first([], lambda some: []) == []


@given(st.lists(st.integers(1, 9)), st.integers(1, 5))
def test_parts(lengths, word_bytes):
    sentences = [("a",) * length for length in lengths]
    old, feature_parts.SEGMENT_BYTES = feature_parts.SEGMENT_BYTES, 20
    try:
        parts = list(segment_parts(sentences, word_bytes))
    finally:
        feature_parts.SEGMENT_BYTES = old
    assert [sentence for part in parts for sentence in part] == sentences
    sizes = [word_bytes * sum(map(len, part)) for part in parts]
    assert all(size <= 20 or len(part) == 1 for size, part in zip(sizes, parts))
    for part, size, after in zip(parts, sizes, parts[1:]):
        assert part and size + word_bytes * len(after[0]) > 20
