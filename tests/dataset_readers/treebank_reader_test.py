"""What the readers of treebanks share, by way of the two that there are."""

import shutil
from unicodedata import normalize

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader

from linspector_allennlp.dataset_readers import DependencyTreeReader, TokenTagsReader
from linspector_allennlp.fields import metadata_of
from tests.dataset_readers.small_treebank import write_conllu

READERS = [TokenTagsReader, DependencyTreeReader]

# Sentences of 3, 1, 5, 2 and 4 words.
LENGTHS = """
    # sent_id = three
    1 a _ X _ _ 2 dep
    2 b _ X _ _ 0 root
    3 c _ PUNCT _ _ 2 punct

    # sent_id = one
    1 a _ X _ _ 0 root

    # sent_id = five
    1 a _ X _ _ 2 dep
    2-4 bcd
    2 b _ X _ _ 0 root
    3 c _ X _ _ 2 dep
    4 d _ X _ _ 2 dep
    5 e _ X _ _ 4 dep

    # sent_id = two
    1 a _ X _ _ 2 dep
    2 b _ X _ _ 0 root

    1 a _ X _ _ 0 root
    2 b _ X _ _ 1 dep
    3 c _ X _ _ 2 dep
    4 d _ X _ _ 3 dep
"""


@pytest.fixture
def lengths(tmp_path):
    return write_conllu(tmp_path / "lengths.conllu", LENGTHS)


def sent_ids(instances):
    return [metadata_of(instance)["sent_id"] for instance in instances]


@pytest.mark.parametrize("reader", READERS)
def test_where_an_instance_and_its_words_come_from(reader, lengths):
    instances = list(reader(min_length=2).read(lengths))
    metadata = [metadata_of(instance) for instance in instances]
    assert {data["file"] for data in metadata} == {lengths}
    assert [data["line"] for data in metadata] == [1, 9, 17, 21]
    assert [data["lines"] for data in metadata] == [
        [2, 3, 4], [10, 12, 13, 14, 15], [18, 19], [21, 22, 23, 24]
    ]  # fmt: skip
    assert [data["indices"] for data in metadata] == [[*range(n)] for n in (3, 5, 2, 4)]
    assert [data["sent_id"] for data in metadata] == ["three", "five", "two", ""]
    # The sentence of one word is left out, and counts.
    assert [data["sentence"] for data in metadata] == [0, 2, 3, 4]
    assert metadata[1]["forms"] == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("reader", READERS)
def test_parts_of_a_multiword_token_have_its_place(reader, lengths):
    _, five, *_ = reader(min_length=2).read(lengths)
    assert [token.text for token in five["tokens"]] == ["a", "bcd", "e"]
    assert five["places"].tensor.tolist() == [0, 1, 1, 1, 2]
    assert metadata_of(five)["input"] == {"sentence": "a bcd e"}
    _, five, *_ = reader(min_length=2, multiword_tokens="words").read(lengths)
    assert [token.text for token in five["tokens"]] == ["a", "b", "c", "d", "e"]
    assert five["places"].tensor.tolist() == [0, 1, 2, 3, 4]
    assert metadata_of(five)["forms"] == ["a", "b", "c", "d", "e"]
    assert metadata_of(five)["input"] == {"sentence": "a b c d e"}


def test_the_fixture_has_such_a_token(fixtures):
    sentences = TokenTagsReader().read(str(fixtures / "raw/finnish-ud-train.conllu"))
    (found,) = [each for each in sentences if "ettei" in metadata_of(each)["input"]["sentence"]]
    assert metadata_of(found)["input"]["sentence"] == "Minä sanoin , ettei hän puhu ."
    assert found["places"].tensor.tolist() == [0, 1, 2, 3, 3, 4, 5, 6]
    assert metadata_of(found)["forms"][3:5] == ["että", "ei"]


def test_places_are_padded_with_minus_one(lengths):
    instances = list(TokenTagsReader().read(lengths))
    batch = Batch(instances[:2])
    batch.index_instances(Vocabulary.from_instances(instances))
    assert batch.as_tensor_dict()["places"].tolist() == [[0, 1, 2], [0, -1, -1]]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "filters, kept, left_out",
    [
        ({"min_length": 1}, ["three", "one", "five", "two", ""], {}),
        ({"min_length": 2}, ["three", "five", "two", ""], {"shorter than 2 words": 1}),
        ({"min_length": 3}, ["three", "five", ""], {"shorter than 3 words": 2}),
        ({"min_length": 1, "max_length": 3}, ["three", "one", "two"], {"longer than 3 words": 2}),
        ({"min_length": 3, "max_length": 3}, ["three"],
         {"shorter than 3 words": 2, "longer than 3 words": 2}),
        ({"min_length": 1, "max_length": 5}, ["three", "one", "five", "two", ""], {}),
    ],
)  # fmt: skip
def test_lengths(reader, lengths, filters, kept, left_out):
    reader = reader(**filters)
    assert sent_ids(reader.read(lengths)) == kept
    assert reader.left_out == left_out
    list(reader.read(lengths))
    assert reader.left_out == left_out, "a second reading counts anew"


@pytest.mark.parametrize("reader", READERS)
def test_max_instances_counts_what_is_kept(reader, lengths):
    kept = reader(min_length=3, max_instances=2).read(lengths)
    assert sent_ids(kept) == ["three", "five"]
    assert sent_ids(reader(min_length=4, max_instances=1).read(lengths)) == ["five"]


def test_unicode_normalization_of_tokens_and_words(tmp_path):
    text = normalize("NFD", "1-2 yötyö\n1 yö _ X\n2 työ _ X")
    path = write_conllu(tmp_path / "x", text)
    (kept,) = TokenTagsReader().read(path)
    (composed,) = TokenTagsReader(unicode_normalization="NFC").read(path)
    assert metadata_of(kept)["forms"] == [normalize("NFD", w) for w in ("yö", "työ")]
    assert metadata_of(composed)["forms"] == ["yö", "työ"]
    assert [token.text for token in composed["tokens"]] == ["yötyö"]
    instance = TokenTagsReader(unicode_normalization="NFC").text_to_instance(["yö"])
    assert metadata_of(instance)["forms"] == ["yö"]


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"multiword_tokens": "both"}, "multiword_tokens: expected surface or words, found 'both'"),
        ({"bad_sentences": "ignore"}, "bad_sentences: expected error or skip, found 'ignore'"),
        ({"min_length": 5, "max_length": 4}, r"max_length: expected at least min_length \(5\)"),
        ({"unicode_normalization": "NFX"}, "NFX"),
    ],
)
@pytest.mark.parametrize("reader", READERS)
def test_wrong_settings(reader, settings, message):
    with pytest.raises(ConfigurationError, match=message):
        reader(**settings)


# What must be said of the files in fixtures/broken, in which the mistake shows in line 4 of sentence 1.
BAD_TREES = {
    "head_outside": ("a head from 0 to 4", "found 5"),
    "cycle": ("a path from every word to the root", "a cycle: 3 → 4 → 3"),
    "two_roots": ("one root", "2: words 2, 3"),
    "no_root": ("a path from every word to the root", "a cycle: 2 → 3 → 2"),
    "own_head": ("the id of another word (1 to 4) or 0 as head", "found itself"),
    "no_head": ("a head", "none for 'talossa'"),
    "ranges_overlap": ("none in two ranges", "id '3-4'"),
    "range_outside": ("a range within 4 words", "3-9"),
}


@pytest.mark.parametrize("name", BAD_TREES)
def test_a_bad_sentence_says_where_and_what(fixtures, name):
    path = str(fixtures / f"broken/{name}.conllu")
    with pytest.raises(ValueError) as error:
        list(DependencyTreeReader().read(path))
    message = str(error.value)
    assert f"{path}, line 4: expected " in message
    for part in BAD_TREES[name]:
        assert part in message


@pytest.mark.parametrize("name", [name for name in BAD_TREES if "range" not in name])
def test_a_sentence_that_is_no_tree_is_named(fixtures, name):
    with pytest.raises(ValueError, match="sentence '1'"):
        list(DependencyTreeReader().read(str(fixtures / f"broken/{name}.conllu")))


@pytest.mark.parametrize("name", BAD_TREES)
def test_bad_sentences_can_be_left_out_and_are_counted(fixtures, tmp_path, name, caplog):
    bad = (fixtures / f"broken/{name}.conllu").read_text(encoding="utf-8")
    good = (fixtures / "raw/finnish-ud-test.conllu").read_text(encoding="utf-8")
    path = tmp_path / "some.conllu"
    path.write_text(bad + good + bad, encoding="utf-8")
    reader = DependencyTreeReader(bad_sentences="skip")
    with caplog.at_level("INFO"):
        instances = list(reader.read(str(path)))
    assert sent_ids(instances) == [f"test.{number}" for number in range(1, 13)]
    assert list(reader.left_out.values()) == [2]
    assert f"{path}, line 4: expected" in caplog.text, "which ones is logged"
    assert f"{path}: sentences left out: 2 " in caplog.text


def test_heads_do_not_matter_to_tags(fixtures):
    for name in ("cycle", "two_roots", "no_root", "own_head", "no_head"):
        reader = TokenTagsReader()
        assert len(list(reader.read(str(fixtures / f"broken/{name}.conllu")))) == 1
        assert reader.left_out == {}


@pytest.mark.parametrize(
    "reader, why",
    [
        (TokenTagsReader(min_length=6), "5 shorter than 6 words"),
        (TokenTagsReader("Case"), "5 without Case"),
        (TokenTagsReader(["Case", "Number"], max_length=4),
         "4 without Case or Number, 1 longer than 4 words"),
        (DependencyTreeReader(min_length=6), "5 shorter than 6 words"),
    ],
)  # fmt: skip
def test_nothing_left_is_an_error(reader, why, lengths):
    with pytest.raises(ValueError) as error:
        list(reader.read(lengths))
    assert f"{lengths}: no sentence of it is left; left out:" in str(error.value)
    for part in why.split(", "):
        assert part in str(error.value)


def test_nothing_left_but_bad_sentences(fixtures):
    path = str(fixtures / "broken/cycle.conllu")
    with pytest.raises(ValueError, match="no sentence of it is left; left out: 1 no tree"):
        list(DependencyTreeReader(bad_sentences="skip").read(path))


@pytest.mark.parametrize("max_instances, expected", [(None, 84), (7, 7)])
@pytest.mark.parametrize("reader", READERS)
def test_two_processes_read_every_sentence_once(fixtures, reader, max_instances, expected):
    path = str(fixtures / "raw/finnish-ud-train.conllu")
    in_one = sent_ids(reader(max_instances=max_instances).read(path))
    loader = MultiProcessDataLoader(
        reader(max_instances=max_instances), path, batch_size=8, num_workers=2, quiet=True
    )
    instances = list(loader.iter_instances())
    assert sorted(sent_ids(instances)) == sorted(in_one) and len(in_one) == expected
    loader.index_with(Vocabulary.from_instances(instances))
    assert sum(len(batch["places"]) for batch in loader) == expected


def test_a_file_of_one_sentence_for_two_processes(tmp_path):
    path = write_conllu(tmp_path / "x", "1 a _ X _ _ 0 root")
    loader = MultiProcessDataLoader(
        TokenTagsReader(), path, batch_size=1, num_workers=2, quiet=True
    )
    assert len(list(loader.iter_instances())) == 1


@pytest.mark.parametrize("reader", READERS)
def test_a_sentence_of_which_nothing_is_known(reader):
    instance = reader().text_to_instance(["Koira", "nukkuu", "."])
    assert set(instance.fields) == {"tokens", "places", "metadata"}
    assert instance["places"].tensor.tolist() == [0, 1, 2]
    metadata = metadata_of(instance)
    assert metadata["forms"] == ["Koira", "nukkuu", "."] and metadata["indices"] == [0, 1, 2]
    assert (metadata["lines"], metadata["sent_id"]) == ([], "") and metadata["sentence"] is None
    with pytest.raises(ValueError, match="found an empty one"):
        reader().text_to_instance(["Koira", " "])


def test_files_that_are_no_treebanks(tmp_path, fixtures):
    for reader in READERS:
        with pytest.raises(FileNotFoundError, match="no/such.conllu: there is no such file"):
            list(reader().read("no/such.conllu"))
        with pytest.raises(ValueError, match="line 1: expected 10 tab-separated columns"):
            list(reader().read(str(fixtures / "type_level/Case/finnish/test.txt")))
        empty = tmp_path / "empty.conllu"
        empty.write_bytes(b"")
        with pytest.raises(ValueError, match="empty.conllu has no sentence"):
            list(reader().read(str(empty)))


def test_a_compressed_treebank(tmp_path, fixtures):
    import gzip

    plain = fixtures / "raw/finnish-ud-test.conllu"
    with open(plain, "rb") as file, gzip.open(tmp_path / "x.conllu.gz", "wb") as packed:
        shutil.copyfileobj(file, packed)
    read = sent_ids(TokenTagsReader().read(str(tmp_path / "x.conllu.gz")))
    assert read == sent_ids(TokenTagsReader().read(str(plain)))
