import copy
import gzip
import json
import logging
import pickle
from pathlib import Path

import h5py
import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file
from safetensors.torch import save_file as save_tensors

from linspector_allennlp.representations.precomputed import PrecomputedEmbedder
from linspector_allennlp.representations.words import encode_words

SENTENCES = [("talo", "on", "kylässä"), ("kala",), ("se", "ui", "http://vesi/", "ja", "syö")]
LENGTHS = [3, 1, 5]


def numbers(*shape, seed=0):
    return numpy.random.default_rng(seed).normal(size=shape).astype(numpy.float32)


def arrays(*layers, dimension=4):
    return [numbers(*layers, length, dimension, seed=length) for length in LENGTHS]


def write(path, content):
    """The arrays by key, as HDF5 or safetensors."""
    if path.suffix == ".hdf5":
        with h5py.File(path, "w") as file:
            for key, array in content.items():
                file[key] = array
    else:
        save_file(content, path)
    return str(path)


def by_sentence(values):
    return {" ".join(words): array for words, array in zip(SENTENCES, values)}


def by_number(values):
    return {str(number): array for number, array in enumerate(values)}


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "sentences.txt"
    path.write_text("".join(" ".join(words) + "\n" for words in SENTENCES), encoding="utf-8")
    return str(path)


@pytest.fixture(params=["hdf5", "safetensors"])
def place(request, tmp_path):
    return tmp_path / f"vectors.{request.param}"


def embed(embedder, sentence):
    """All words of a sentence. Shape: (num_words, num_chosen_layers, layer_dim)"""
    places = numpy.zeros(len(sentence), dtype=int), numpy.arange(len(sentence))
    return embedder.embed_tokens([sentence], *places).numpy()


def assert_has(embedder, values):
    """All words have the vectors of these arrays, of shape (num_layers, num_words, dimension)."""
    embedder.prepare(SENTENCES)
    for words, array in zip(SENTENCES, values):
        assert (embed(embedder, words) == array.swapaxes(0, 1)).all()


# Layouts


def test_keyed_by_sentence(place):
    values = arrays()
    embedder = PrecomputedEmbedder(write(place, by_sentence(values)))
    assert embedder.get_output_dim() == 4 and embedder.mixed_layers == 1
    assert_has(embedder, [array[None] for array in values])


def test_keyed_by_number(place, texts):
    values = arrays(3)
    file = write(place, by_number(values))
    assert_has(PrecomputedEmbedder(file, texts, layer=[0, 1, 2]), values)
    assert_has(PrecomputedEmbedder(file, texts, layer=-1), [array[2:] for array in values])
    average = PrecomputedEmbedder(file, texts, layer="average")
    assert average.get_output_dim() == 4
    numpy.testing.assert_allclose(
        average(encode_words(SENTENCES))[2], values[2].mean(axis=0), atol=1e-6
    )
    mix = PrecomputedEmbedder(file, texts, layer="mix")
    assert (mix.hand_over_layers(), mix.get_output_dim()) == (3, 12)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", ">f4", "int64"])
def test_one_array_of_all_tokens(tmp_path, texts, dtype):
    values = numbers(2, 9, 4).astype(dtype)
    numpy.save(tmp_path / "all.npy", values)
    embedder = PrecomputedEmbedder(str(tmp_path / "all.npy"), texts, layer=[1, 0])
    expected = values.astype(numpy.float32)[::-1]
    assert_has(embedder, [expected[:, :3], expected[:, 3:4], expected[:, 4:]])
    numpy.save(tmp_path / "one.npy", values[1])
    embedder = PrecomputedEmbedder(str(tmp_path / "one.npy"), texts)
    assert_has(embedder, [expected[:1, :3], expected[:1, 3:4], expected[:1, 4:]])


def test_the_index_that_allennlp_wrote(tmp_path):
    values = arrays(3)
    file = write(tmp_path / "elmo.hdf5", dict(zip("210", values)))
    index = {" ".join(words): number for words, number in zip(SENTENCES, "210")}
    with h5py.File(file, "a") as opened:
        text = opened.create_dataset("sentence_to_index", (1,), dtype=h5py.string_dtype())
        text[0] = json.dumps(index)
    assert_has(PrecomputedEmbedder(file, layer=[0, 1, 2]), values)
    with pytest.raises(ValueError, match="found none for 1 of them, such as 'on'"):
        PrecomputedEmbedder(file, layer=0).prepare([*SENTENCES, ("on",)])


def test_the_named_sentences_go_before_that_index(tmp_path, texts):
    values = arrays()
    file = write(tmp_path / "elmo.hdf5", by_number(values))
    with h5py.File(file, "a") as opened:
        opened["sentence_to_index"] = [json.dumps({"kala": "0"})]
    assert_has(PrecomputedEmbedder(file, texts), [array[None] for array in values])


@pytest.mark.parametrize("layers", [(), (2,)])
def test_one_vector_for_a_sentence(place, texts, layers):
    values = [numbers(*layers, 4, seed=number) for number in range(3)]
    layer = [0, 1] if layers else 0
    expected = [
        array.reshape(-1, 1, 4).repeat(length, axis=1) for array, length in zip(values, LENGTHS)
    ]
    file = write(place, by_sentence(values))
    assert_has(PrecomputedEmbedder(file, layer=layer, per="sentence"), expected)
    file = write(place.with_name("numbered" + place.suffix), by_number(values))
    assert_has(PrecomputedEmbedder(file, texts, layer=layer, per="sentence"), expected)
    stacked = place.with_name("all.npy")
    numpy.save(stacked, numpy.stack(values, axis=-2))
    assert_has(PrecomputedEmbedder(str(stacked), texts, layer=layer, per="sentence"), expected)


def test_a_treebank_names_the_sentences(tmp_path):
    treebank = tmp_path / "some.conllu"
    columns = "\t_" * 8
    treebank.write_text(
        f"# text = del 10 000\n1-2\tdel{columns}\n1\tde{columns}\n2\tel{columns}\n"
        f"2.1\tempty{columns}\n3\t10 000{columns}\n\n1\tkala{columns}\n\n"
    )
    numpy.save(tmp_path / "all.npy", values := numbers(4, 2))
    embedder = PrecomputedEmbedder(str(tmp_path / "all.npy"), str(treebank))
    assert (embed(embedder, ("de", "el", "10_000"))[:, 0] == values[:3]).all()
    assert (embed(embedder, ("kala",))[:, 0] == values[3:]).all()
    packed = tmp_path / "some.conllu.gz"
    packed.write_bytes(gzip.compress(treebank.read_bytes()))
    again = PrecomputedEmbedder(str(tmp_path / "all.npy"), str(packed))
    assert (embed(again, ("kala",))[:, 0] == values[3:]).all()


def test_a_treebank_may_have_features_of_two_kinds(tmp_path):
    rows = [
        ["1", word, *"___", feats, *"____"] for word, feats in (("a", "Case=Nom"), ("b", "N;NOM"))
    ]
    text = "".join("\t".join(row) + "\n\n" for row in rows)
    (tmp_path / "some.conllu").write_text(text)
    numpy.save(tmp_path / "all.npy", values := numbers(2, 2))
    embedder = PrecomputedEmbedder(str(tmp_path / "all.npy"), str(tmp_path / "some.conllu"))
    assert (embed(embedder, ("b",))[:, 0] == values[1:]).all()


def test_bfloat16(tmp_path):
    tensor = torch.tensor([[1.5, -2.0]], dtype=torch.bfloat16)
    save_tensors({"kala": tensor}, tmp_path / "half.safetensors")
    embedder = PrecomputedEmbedder(str(tmp_path / "half.safetensors"))
    assert embed(embedder, ("kala",)).tolist() == [[[1.5, -2.0]]]


# The way through the house


def test_through_forward(place):
    values = arrays()
    embedder = PrecomputedEmbedder(write(place, by_sentence(values)))
    vectors = embedder(encode_words(SENTENCES))
    assert vectors.shape == (3, 5, 4)
    for array, rows in zip(values, vectors.numpy()):
        assert (rows[: len(array)] == array).all() and not rows[len(array) :].any()
    twice = [SENTENCES[2], SENTENCES[0], SENTENCES[2]]
    probed = embedder(encode_words(twice), probed=torch.tensor([4, 1, 2])).numpy()
    assert probed.shape == (3, 1, 4)
    assert (probed[:, 0] == [values[2][4], values[0][1], values[2][2]]).all()


def test_from_params(place, texts):
    file = write(place, by_number(arrays(2)))
    made = {"type": "precomputed", "file": file, "sentences": texts}
    assert TokenEmbedder.from_params(Params({**made, "layer": [0, 1]})).get_output_dim() == 8
    assert TokenEmbedder.from_params(Params({**made, "layer": "average"})).get_output_dim() == 4
    embedder = TokenEmbedder.from_params(Params({**made, "layer": 1}))
    provenance = embedder.provenance()
    assert provenance["path"] == file and "files" not in provenance
    assert [file["path"] for file in provenance["sentences"]] == [texts]
    assert (provenance["per"], provenance["layer"]) == ("token", 1)
    assert json.loads(json.dumps(provenance)) == provenance


# Several files


@pytest.fixture
def parts(tmp_path):
    """Three files of vectors, numbered by three of sentences; two have a sentence in common."""
    sentences = [SENTENCES[:2], [("uusi", "lause"), SENTENCES[1]], SENTENCES[2:]]
    values, common = arrays(), numbers(2, 4, seed=9)
    contents = [values[:2], [common, values[1] + 1e-7], values[2:]]
    files, texts = [], []
    for name, some, content in zip(("train", "dev", "test"), sentences, contents):
        files.append(write(tmp_path / f"{name}.hdf5", by_number(content)))
        texts.append(str(tmp_path / f"{name}.txt"))
        lines = "".join(" ".join(words) + "\n" for words in some)
        (tmp_path / f"{name}.txt").write_text(lines, encoding="utf-8")
    return files, texts, contents


def test_three_files_for_three_splits(parts):
    files, texts, contents = parts
    embedder = TokenEmbedder.from_params(
        Params({"type": "precomputed", "file": files, "sentences": texts})
    )
    assert_has(embedder, [array[None] for array in arrays()])
    assert (embed(embedder, ("uusi", "lause"))[:, 0] == contents[1][0]).all()
    provenance = embedder.provenance()
    assert [file["path"] for file in provenance["files"]] == files
    assert [file["path"] for file in provenance["sentences"]] == texts
    assert json.loads(json.dumps(provenance)) == provenance
    state = embedder.state_dict()
    assert state["fingerprint"].shape == (6 * 32,)
    copy.deepcopy(embedder).load_state_dict(state)
    Path(texts[2]).write_text("a b c d e\n")
    with pytest.raises(ConfigurationError, match="test.txt is not what this probe was trained"):
        PrecomputedEmbedder(files, texts).load_state_dict(state)
    with pytest.raises(ValueError, match="train.hdf5, .*test.hdf5: .* none for 1 .* 'ei ole'"):
        embedder.prepare([("kala",), ("ei", "ole")])


def test_one_file_for_several_is_numbered_through(parts, tmp_path):
    _, texts, contents = parts
    every = [array for content in contents for array in content]
    for file in (tmp_path / "all.hdf5", tmp_path / "all.npy"):
        if file.suffix == ".npy":
            numpy.save(file, numpy.concatenate(every))
        else:
            write(file, by_number(every))
        embedder = PrecomputedEmbedder(str(file), texts)
        assert_has(embedder, [array[None] for array in arrays()])
        assert (embed(embedder, ("uusi", "lause"))[:, 0] == contents[1][0]).all()
        with pytest.raises(ValueError, match="all.* found"):
            PrecomputedEmbedder(str(file), texts[:2])


def test_keys_in_several_files(tmp_path):
    values = arrays()
    keyed = by_sentence(values)
    texts = list(keyed)
    one = write(tmp_path / "one.hdf5", {texts[0]: values[0], texts[1]: values[1]})
    two = write(tmp_path / "two.safetensors", {texts[1]: values[1], "2": values[2]})
    embedder = PrecomputedEmbedder([one, two])
    embedder.prepare(SENTENCES[:2])
    assert (embed(embedder, SENTENCES[1])[:, 0] == values[1]).all()


@pytest.mark.parametrize("use", ["prepare", "embed"])
def test_a_sentence_with_other_vectors_in_another_file(parts, use):
    files, texts, contents = parts
    with h5py.File(files[1], "a") as file:
        file["1"][:] += 0.1
    embedder = PrecomputedEmbedder(files, texts)
    expected = r"train.hdf5, '1' and .*dev.hdf5, '1': expected the same .* different ones of 'kala'"
    with pytest.raises(ValueError, match=expected):
        embedder.prepare(SENTENCES) if use == "prepare" else embed(embedder, ("kala",))
    embedder.prepare(SENTENCES[:1])


def test_files_that_do_not_belong_together(parts, tmp_path):
    files, texts, _ = parts
    with pytest.raises(ConfigurationError, match="sentences: expected 3 files, .* found 2: .*dev"):
        PrecomputedEmbedder(files, texts[:2])
    with pytest.raises(ConfigurationError, match="sentences: expected 3 files, .* found 1"):
        PrecomputedEmbedder(files, texts[0])
    with pytest.raises(
        ConfigurationError, match="file: expected a file or several, found an empty"
    ):
        PrecomputedEmbedder([], texts)
    other = write(tmp_path / "other.hdf5", by_number([array[:, :3] for array in arrays()[2:]]))
    with pytest.raises(
        ValueError, match="other.hdf5, '0': expected 1 layers of dimension 4, as in"
    ):
        PrecomputedEmbedder([*files[:2], other], texts)
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(ValueError, match="empty.txt: expected sentences, found none"):
        PrecomputedEmbedder(files[0], [texts[0], str(tmp_path / "empty.txt")])


def test_a_trained_probe_notices_other_vectors_and_other_sentences(place, texts, tmp_path):
    file = write(place, by_number(arrays()))
    state = PrecomputedEmbedder(file, texts).state_dict()
    assert list(state) == ["fingerprint"]
    PrecomputedEmbedder(file, texts).load_state_dict(state)
    other = write(place.with_name("other" + place.suffix), by_number([a + 1 for a in arrays()]))
    with pytest.raises(ConfigurationError, match="other.* is not what this probe was trained with"):
        PrecomputedEmbedder(other, texts).load_state_dict(state)
    (tmp_path / "more.txt").write_text("a b c\nd\ne f g h i\n")
    with pytest.raises(ConfigurationError, match="more.txt.* is not what this probe was trained"):
        PrecomputedEmbedder(file, str(tmp_path / "more.txt")).load_state_dict(state)


def test_copies_open_the_file_for_themselves(place):
    embedder = PrecomputedEmbedder(write(place, by_sentence(arrays())))
    expected = embed(embedder, SENTENCES[0])
    for copied in (pickle.loads(pickle.dumps(embedder)), copy.deepcopy(embedder)):
        assert (embed(copied, SENTENCES[0]) == expected).all()


def test_only_the_words_asked_for_are_read(place):
    """The vectors of the others may be anything."""
    values = arrays()
    values[0][2] = numpy.nan
    embedder = PrecomputedEmbedder(write(place, by_sentence(values)))
    asked = numpy.array([0, 0]), numpy.array([1, 0])
    assert (embedder.embed_tokens(SENTENCES, *asked)[:, 0].numpy() == values[0][[1, 0]]).all()
    with pytest.raises(ValueError, match=r"vectors\..*, 'talo on kylässä': .* found NaN"):
        embed(embedder, SENTENCES[0])


# What HDF5 cannot have as a name: "." is the group itself, and "" is none.
token = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \0\n\r"), min_size=1
).filter(lambda text: not {"", ".", ".."} & set(text.strip("/").split("/")))


@settings(max_examples=50)
@given(sentences=st.lists(st.lists(token, min_size=1, max_size=3), min_size=1, max_size=4))
def test_any_sentence_can_be_a_key(tmp_path_factory, sentences):
    folder = tmp_path_factory.mktemp("keys")
    expected = {tuple(words): numbers(len(words), 2, seed=i) for i, words in enumerate(sentences)}
    content = {" ".join(words): array for words, array in expected.items()}
    parts = {tuple(filter(None, key.split("/"))) for key in content}
    # One name cannot be both an array and a folder of others, in HDF5.
    assume(len(parts) == len(content))
    assume(not any(a != b and b[: len(a)] == a for a in parts for b in parts))
    assume("sentence_to_index" not in content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINSPECTOR_CACHE", str(folder))
        for name in ("vectors.hdf5", "vectors.safetensors"):
            embedder = PrecomputedEmbedder(write(folder / name, content))
            embedder.prepare(expected)
            for words, array in expected.items():
                assert (embed(embedder, words)[:, 0] == array).all()


@settings(max_examples=50)
@given(sentences=st.lists(st.lists(token, min_size=1, max_size=3), min_size=1, max_size=5))
def test_any_sentence_can_be_a_line(tmp_path_factory, sentences):
    folder = tmp_path_factory.mktemp("lines")
    assume(not sentences[0][0].startswith("\ufeff"))
    assume("\t" not in " ".join(sentences[0]))  # or it is a task file, and has columns
    text = "".join(" ".join(words) + "\n" for words in sentences)
    (folder / "sentences.txt").write_text(text, encoding="utf-8", newline="\n")
    values = numbers(sum(map(len, sentences)), 2)
    numpy.save(folder / "all.npy", values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINSPECTOR_CACHE", str(folder))
        embedder = PrecomputedEmbedder(str(folder / "all.npy"), str(folder / "sentences.txt"))
    done, first_row = set(), 0
    for words in map(tuple, sentences):
        if words not in done:
            assert (
                embed(embedder, words)[:, 0] == values[first_row : first_row + len(words)]
            ).all()
        done.add(words)
        first_row += len(words)


# What does not fit


def test_a_sentence_that_is_not_there(place, texts):
    file = write(place, by_sentence(arrays()))
    message = (
        r"vectors\..*: expected vectors of 4 sentences, found none for 2 of them, such as 'on'\. "
    )
    asked = [SENTENCES[0], ("on",), SENTENCES[1], ("On",), ("on",)]
    with pytest.raises(ValueError, match=message + "Its keys must be the sentences"):
        PrecomputedEmbedder(file).prepare(iter(asked))
    with pytest.raises(ValueError, match="expected vectors of 1 sentences"):
        embed(PrecomputedEmbedder(file), ("on",))
    numbered = write(place.with_name("numbered" + place.suffix), by_number(arrays()))
    with pytest.raises(ValueError, match="keys are numbers: name the file .* in `sentences`"):
        PrecomputedEmbedder(numbered).prepare(SENTENCES)
    with pytest.raises(ValueError, match="for 2 of them, such as 'on'.*is said to have"):
        PrecomputedEmbedder(numbered, texts).prepare(asked)


def test_a_sentence_that_is_not_a_row(tmp_path, texts):
    numpy.save(tmp_path / "all.npy", numbers(9, 2))
    with pytest.raises(ValueError, match="all.npy: .* found none for 1 of them, such as 'on'"):
        PrecomputedEmbedder(str(tmp_path / "all.npy"), texts).prepare([("on",)])


def test_a_group_is_no_sentence(tmp_path):
    file = write(tmp_path / "vectors.hdf5", {"http://vesi": numbers(1, 2)})
    embedder = PrecomputedEmbedder(file)
    assert embed(embedder, ("http://vesi",)).shape == (1, 1, 2)
    for word in ("http:", ".", "/"):
        with pytest.raises(ValueError, match="found none for 1 of them"):
            embed(embedder, (word,))


def test_another_number_of_rows_than_of_words(place, texts):
    values = arrays()
    values[2] = numbers(6, 4)
    message = r", '{}': expected 5 rows, one for each word of 'se ui .*', found 6\. Rows of"
    with pytest.raises(ValueError, match=message.format("se ui .*")):
        PrecomputedEmbedder(write(place, by_sentence(values))).prepare(SENTENCES)
    file = write(place.with_name("numbered" + place.suffix), by_number(values))
    with pytest.raises(ValueError, match=message.format("2")):
        PrecomputedEmbedder(file, texts).prepare(SENTENCES)


def test_another_number_of_rows_than_of_all_words(tmp_path, texts):
    numpy.save(tmp_path / "all.npy", numbers(8, 2))
    with pytest.raises(
        ValueError, match="all.npy: expected 9 rows, one for each of the tokens .*, found 8"
    ):
        PrecomputedEmbedder(str(tmp_path / "all.npy"), texts)
    with pytest.raises(ValueError, match="expected 3 rows, one for each of the sentences .* 8"):
        PrecomputedEmbedder(str(tmp_path / "all.npy"), texts, per="sentence")


def test_a_word_with_a_space_is_not_two(tmp_path):
    file = write(tmp_path / "vectors.hdf5", {"10 000": numbers(2, 2)})
    with pytest.raises(ValueError, match="expected 1 rows, .* of '10 000', found 2"):
        embed(PrecomputedEmbedder(file), ("10 000",))


def test_another_number_of_arrays_than_of_sentences(place, texts):
    file = write(place, by_number(arrays()[:2]))
    with pytest.raises(ValueError, match=r"expected 3 arrays .* of .*sentences.txt, found 2\.$"):
        PrecomputedEmbedder(file, texts)
    keyed = write(place.with_name("keyed" + place.suffix), by_sentence(arrays()))
    with pytest.raises(ValueError, match="found 0. Where the keys are the sentences, leave out"):
        PrecomputedEmbedder(keyed, texts)
    from_1 = write(place.with_name("from1" + place.suffix), dict(zip("123", arrays())))
    with pytest.raises(ValueError, match="expected an array with the key '0', found none"):
        PrecomputedEmbedder(from_1, texts)


@pytest.mark.parametrize("shape, found", [((2, 1, 4), "2 of dimension 4"), ((1, 3), "1 of .* 3")])
def test_layers_and_dimension_are_the_same_everywhere(place, texts, shape, found):
    values = arrays()
    values[1] = numbers(*shape)
    file = write(place, by_number(values))
    with pytest.raises(
        ValueError, match=rf", '1': expected 1 layers of dimension 4, as in .*, '0', found {found}"
    ):
        PrecomputedEmbedder(file, texts).prepare(SENTENCES)


def test_the_layer_must_be_named_where_there_are_several(place, texts):
    file = write(place, by_number(arrays(3)))
    with pytest.raises(ConfigurationError, match="layer: .*has 3 layers; expected one from 0 to 2"):
        PrecomputedEmbedder(file, texts)
    with pytest.raises(ConfigurationError, match="found 3"):
        PrecomputedEmbedder(file, texts, layer=3)


def test_the_same_sentence_twice(place, tmp_path, caplog):
    path = tmp_path / "twice.txt"
    path.write_text("talo\nkala\ntalo\nkala\n")
    values = [numbers(1, 4, seed=seed) for seed in (0, 1, 2, 1)]
    embedder = PrecomputedEmbedder(write(place, by_number(values)), str(path))
    numpy.save(tmp_path / "all.npy", numpy.concatenate(values))
    stacked = PrecomputedEmbedder(str(tmp_path / "all.npy"), str(path))
    for both in (embedder, stacked):
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            both.prepare([("talo",), ("kala",)])
        (record,) = caplog.records
        assert "the first counts; this concerns 1, such as 'talo'" in record.getMessage()
        assert (embed(both, ("talo",))[:, 0] == values[0]).all()
        caplog.clear()
        both.prepare([("kala",)])
        assert not caplog.records


@pytest.mark.parametrize("bad", [numpy.nan, numpy.inf, 1e300])
def test_numbers_that_are_not_finite(tmp_path, bad):
    values = numpy.array([[1.0, bad]])
    embedder = PrecomputedEmbedder(write(tmp_path / "vectors.hdf5", {"kala": values}))
    with pytest.raises(ValueError, match="vectors.hdf5, 'kala': expected finite numbers"):
        embed(embedder, ("kala",))


@pytest.mark.parametrize(
    "shape, per, message",
    [
        ((4,), "token", r"shape \(tokens, dimension\) or .* found \(4,\)\. Set per to sentence"),
        ((1, 2, 3, 4), "token", r"or \(layers, tokens, dimension\), found \(1, 2, 3, 4\)\.$"),
        ((1, 0), "token", r"found \(1, 0\)"),
        ((1, 3, 4), "sentence", r"shape \(dimension\) or \(layers, dimension\), found \(1, 3, 4\)"),
    ],
)
def test_another_shape(place, shape, per, message):
    file = write(place, {"kala": numbers(*shape)})
    with pytest.raises(ValueError, match=message):
        PrecomputedEmbedder(file, per=per)


def test_one_array_of_another_shape(tmp_path, texts):
    numpy.save(tmp_path / "all.npy", numbers(9))
    with pytest.raises(ValueError, match=r"all.npy: .*\(all tokens, dimension\).* found \(9,\)"):
        PrecomputedEmbedder(str(tmp_path / "all.npy"), texts)


def test_what_is_not_numbers(tmp_path, texts):
    file = write(tmp_path / "vectors.hdf5", {"kala": numpy.array([[b"a", b"b"]])})
    with pytest.raises(ValueError, match="'kala': expected real numbers, found"):
        embed(PrecomputedEmbedder(file), ("kala",))
    numpy.save(tmp_path / "all.npy", numpy.array([{}, {}]), allow_pickle=True)
    with pytest.raises(
        ValueError, match="all.npy: expected a whole NumPy array of numbers; .* Python objects"
    ):
        PrecomputedEmbedder(str(tmp_path / "all.npy"), texts)


def test_an_empty_file(place, tmp_path):
    with pytest.raises(ValueError, match="expected vectors, found none"):
        PrecomputedEmbedder(write(place, {}))
    (tmp_path / "empty.txt").write_text("\n")
    file = write(place.with_name("some" + place.suffix), {"0": numbers(1, 2)})
    with pytest.raises(ValueError, match="empty.txt: expected sentences, found none"):
        PrecomputedEmbedder(file, str(tmp_path / "empty.txt"))


@pytest.mark.parametrize("name", ["vectors.hdf5", "vectors.safetensors", "all.npy"])
def test_a_file_that_was_cut(tmp_path, texts, name):
    path = tmp_path / name
    if name == "all.npy":
        numpy.save(path, numbers(9, 300))
    else:
        write(path, {"kala": numbers(30, 300)})
    path.write_bytes(path.read_bytes()[:-300])
    with pytest.raises(ValueError, match=f"{name}: expected a whole .* found what cannot be read"):
        PrecomputedEmbedder(str(path), texts)


def test_another_kind_of_file(texts):
    with pytest.raises(ValueError, match="sentences.txt: expected an HDF5, .npy or safetensors"):
        PrecomputedEmbedder(texts)


def test_a_broken_index(tmp_path):
    file = write(tmp_path / "elmo.hdf5", {"0": numbers(1, 2)})
    with h5py.File(file, "a") as opened:
        opened["sentence_to_index"] = ["[1]"]
    with pytest.raises(ValueError, match="elmo.hdf5, 'sentence_to_index': expected a JSON object"):
        PrecomputedEmbedder(file)


ROW = b"1\ta" + b"\t_" * 8 + b"\n"


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("some.txt", b"a b\n\nc\n", "some.txt, line 2: expected a sentence, found a blank line"),
        ("some.txt", b"a b\n\xff\n", "some.txt, line 2: expected UTF-8 text"),
        (
            "some.conllu",
            ROW + b"\nx y\n\n",
            "some.conllu, line 3: expected 10 tab-separated columns",
        ),
        ("some.conllu", b"# only\n\n", "some.conllu has no sentence: expected CoNLL-U"),
        ("some.conllu", ROW.replace(b"a", b"\xff"), "some.conllu, line 1: .*utf-8"),
    ],
)
def test_broken_sentences(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    numpy.save(tmp_path / "all.npy", numbers(3, 2))
    with pytest.raises(ValueError, match=message):
        PrecomputedEmbedder(str(tmp_path / "all.npy"), str(tmp_path / name))


def test_windows_line_ends_and_spaces(tmp_path):
    (tmp_path / "some.txt").write_bytes("\ufeffa  b \r\nc\u00a0d\r\n\r\n".encode())
    numpy.save(tmp_path / "all.npy", values := numbers(3, 2))
    embedder = PrecomputedEmbedder(str(tmp_path / "all.npy"), str(tmp_path / "some.txt"))
    assert (embed(embedder, ("a", "b"))[:, 0] == values[:2]).all()
    assert (embed(embedder, ("c\u00a0d",))[:, 0] == values[2:]).all()


def test_settings(tmp_path, texts):
    numpy.save(tmp_path / "all.npy", numbers(9, 2))
    file = str(tmp_path / "all.npy")
    with pytest.raises(ConfigurationError, match="per: expected token or sentence, found 'word'"):
        PrecomputedEmbedder(file, texts, per="word")
    with pytest.raises(
        ConfigurationError, match="sentences: expected the file .* found no setting"
    ):
        PrecomputedEmbedder(file)
    with pytest.raises(FileNotFoundError, match="no.npy: .*words.file"):
        PrecomputedEmbedder("no.npy", texts)
    with pytest.raises(FileNotFoundError, match="no.txt: .*words.sentences"):
        PrecomputedEmbedder(file, "no.txt")


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    file = write(tmp_path / "vectors.safetensors", {"kala": numbers(1, 2)})
    monkeypatch.setitem(__import__("sys").modules, "safetensors", None)
    with pytest.raises(
        ConfigurationError, match="vectors.safetensors: .* needs a package: pip install safetensors"
    ):
        PrecomputedEmbedder(file)


# Whole sentences, in the order of a task file


ROWS = [("Gel , otur !", "1"), ("Otur", "0"), ("Gel", "1"), ("Otur", "1")]
TASK_FILES = {
    "ours": ["{0}\t{1}"] * 4,
    "topic": ["{0}\tfood\t{1}"] * 4,
    "senteval": ["tr\t{1}\t{0}"] * 2 + ["te\t{1}\t{0}"] * 2,
    "senteval with topic": ["tr\t{1}\tfood\t{0}"] * 4,
}


def task_file(folder, layout, rows=ROWS):
    lines = [
        line.format(*row) + "\n" for line, row in zip(TASK_FILES[layout] * len(rows), rows)
    ]  # fmt: skip
    (folder / "task.txt").write_text("".join(lines), encoding="utf-8")
    return str(folder / "task.txt")


def first_vectors(embedder, sentences):
    embedder.prepare(sentences)
    return embedder(encode_words(sentences))[:, 0].numpy()


@pytest.mark.parametrize("layout", TASK_FILES)
def test_vectors_in_the_order_of_a_task_file(tmp_path, layout):
    values = numbers(4, 6)
    numpy.save(tmp_path / "all.npy", values)
    sentences = task_file(tmp_path, layout)
    embedder = PrecomputedEmbedder(str(tmp_path / "all.npy"), sentences, per="sentence")
    asked = [("Gel",), ("Gel", ",", "otur", "!"), ("Otur",)]
    assert (first_vectors(embedder, asked) == values[[2, 0, 1]]).all()


def test_a_part_of_a_file_of_sentevals(tmp_path):
    values = numbers(2, 6)
    numpy.save(tmp_path / "test.npy", values)
    sentences = task_file(tmp_path, "senteval") + "#te"
    embedder = PrecomputedEmbedder(str(tmp_path / "test.npy"), sentences, per="sentence")
    assert (first_vectors(embedder, [("Otur",), ("Gel",)]) == values[[1, 0]]).all()
    assert embedder.provenance()["sentences"][0]["path"] == sentences
    with pytest.raises(ValueError, match="found none for 1 of them"):
        embedder.prepare([("Gel", ",", "otur", "!")])
    sentences = task_file(tmp_path, "ours") + "#te"
    with pytest.raises(ValueError, match="task.txt, line 1: expected a split"):
        PrecomputedEmbedder(str(tmp_path / "test.npy"), sentences, per="sentence")


@pytest.mark.parametrize("rows", [3, 5])
def test_a_row_too_few_or_too_many(tmp_path, rows):
    numpy.save(tmp_path / "all.npy", numbers(rows, 6))
    sentences = task_file(tmp_path, "ours")
    message = f"all.npy: expected 4 rows, one for each of the sentences of .*task.txt, found {rows}"
    with pytest.raises(ValueError, match=message):
        PrecomputedEmbedder(str(tmp_path / "all.npy"), sentences, per="sentence")
    file = write(tmp_path / "all.hdf5", by_number(numbers(rows, 6)))
    message = f"all.hdf5: expected 4 arrays .* one for each sentence of .*task.txt, found {rows}"
    with pytest.raises(ValueError, match=message):
        PrecomputedEmbedder(file, sentences, per="sentence")


def test_lines_without_a_sentence_have_no_row(tmp_path):
    numpy.save(tmp_path / "all.npy", numbers(4, 6))
    sentences = task_file(tmp_path, "senteval", [*ROWS[:2], ("", "1"), *ROWS[2:]])
    embedder = PrecomputedEmbedder(str(tmp_path / "all.npy"), sentences, per="sentence")
    assert (first_vectors(embedder, [("Gel",)]) == numbers(4, 6)[2]).all()
    numpy.save(tmp_path / "all.npy", numbers(5, 6))
    with pytest.raises(
        ValueError, match=r"expected 4 rows, .* \(without the 1 lines that .*\), found 5"
    ):
        PrecomputedEmbedder(str(tmp_path / "all.npy"), sentences, per="sentence")


def test_whole_sentences_are_found_however_they_are_cut(tmp_path):
    values = numbers(3, 6)
    numpy.save(tmp_path / "all.npy", values)
    (tmp_path / "raw.txt").write_text("Gel, otur!\n10 000\n10000\n", encoding="utf-8")
    by_row = PrecomputedEmbedder(
        str(tmp_path / "all.npy"), str(tmp_path / "raw.txt"), per="sentence"
    )
    texts = ["Gel, otur!", "10 000", "10000"]
    by_text = PrecomputedEmbedder(
        write(tmp_path / "all.hdf5", dict(zip(texts, values))), per="sentence"
    )
    for embedder in (by_row, by_text):
        asked = [("Gel", ",", "otur", "!"), ("10000",), ("10", "000")]
        assert (first_vectors(embedder, asked) == values[[0, 2, 1]]).all()
        with pytest.raises(ValueError, match="found none for 1 of them, such as 'Gel'"):
            embedder.prepare([("Gel",)])


def test_items_of_sentences_that_are_not_there_can_be_skipped(place):
    file = write(place, by_sentence(arrays()))
    embedder = PrecomputedEmbedder(file, unk="skip")
    assert embedder.skips and embedder.provenance()["unk"] == "skip"
    there, missing = SENTENCES[0], ("not", "there")
    assert embedder.has_vectors(there, [1, 0]).tolist() == [True, True]
    assert embedder.has_vectors(missing, [1]).tolist() == [False]
    assert not PrecomputedEmbedder(file).skips
    with pytest.raises(ConfigurationError, match="expected error or skip, found 'mean'"):
        PrecomputedEmbedder(file, unk="mean")
