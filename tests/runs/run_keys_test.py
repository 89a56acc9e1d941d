import copy
import os

import pytest

from linspector_allennlp.runs.run_keys import (
    by_representation,
    data_key,
    is_shared,
    seed_of,
    stamped,
)


@pytest.fixture
def settings(tmp_path):
    for split in ("train", "dev"):
        (tmp_path / f"{split}.txt").write_text("talossa\tIne\n", encoding="utf-8")
    return {
        "type": "probe_run",
        "pytorch_seed": 3,
        "dataset_reader": {"type": "single_form"},
        "train_data_path": str(tmp_path / "train.txt"),
        "validation_data_path": str(tmp_path / "dev.txt"),
        "data_loader": {"batch_size": 16},
        "model": {
            "type": "single_form_probe",
            "text_field_embedder": {"token_embedders": {"words": {"type": "char_ngrams"}}},
            "head": {"type": "linear"},
        },
        "trainer": {"type": "frozen_probe"},
    }


def changed(settings, path, value):
    result = copy.deepcopy(settings)
    inner = result
    *outer, last = path.split(".")
    for key in outer:
        inner = inner[key]
    inner[last] = value
    return result


@pytest.mark.parametrize(
    "path, value, is_other",
    [
        ("model.head", {"type": "mlp"}, False),
        ("trainer", {"type": "frozen_probe", "num_epochs": 3}, False),
        ("pytorch_seed", 4, False),
        ("model.text_field_embedder.token_embedders.words.type", "random_vectors", False),
        ("dataset_reader", {"type": "single_form", "max_instances": 3}, True),
        ("data_loader", {"batch_size": 8}, True),
        ("train_share", 0.5, True),
        *((name, "other", True) for name in (
            "validation_dataset_reader", "validation_data_path", "test_data_path", "evaluate_on_test",
            "validation_data_loader", "vocabulary", "datasets_for_vocab_creation", "tested_on", "transfer",
            "held_out", "folds", "type", "a setting of tomorrow",
        )),
    ],
)  # fmt: skip
def test_what_decides_the_data(settings, path, value, is_other):
    assert (data_key(changed(settings, path, value)) != data_key(settings)) is is_other


def test_what_is_drawn_depends_on_the_seed(settings):
    half = changed(settings, "held_out", 0.5)
    assert data_key(half) != data_key(changed(half, "pytorch_seed", 4))
    assert seed_of(changed(settings, "seed", None)) == 3 and seed_of({"seed": 5}) == 5


def test_words_that_are_left_out_depend_on_the_representation(settings):
    embedder = "model.text_field_embedder.token_embedders.words"
    first, second = (
        changed(settings, embedder, {"type": "word_vectors", "file": file, "unk": "skip"})
        for file in ("a.vec", "b.vec")
    )
    assert data_key(first) != data_key(second)


def test_a_file_that_has_changed(settings):
    before = data_key(settings)
    os.utime(settings["train_data_path"], (1, 1))
    assert data_key(settings) != before


def test_settings_with_their_files(tmp_path):
    file, folder = tmp_path / "a.vec", tmp_path / "model"
    folder.mkdir()
    for path in (file, folder / "weights"):
        path.write_text("1", encoding="utf-8")
    settings = {"words": [{"file": str(file)}, {"model": str(folder), "layer": 3, "text": "\0"}]}
    seen = {stamped(settings)}
    for path in (file, folder / "weights"):
        os.utime(path, (1, 1))
        seen.add(stamped(settings))
    assert len(seen) == 3 and stamped(settings) in seen


def test_which_runs_share(settings):
    assert is_shared(settings)
    for path, value in (
        ("type", "recorded_run"),
        ("trainer.type", "gradient_descent"),
        ("folds", {"type": "k_fold"}),
    ):
        assert not is_shared(changed(settings, path, value))


def test_layers_of_a_model_are_one_representation(settings):
    embedder = "model.text_field_embedder.token_embedders.words"
    runs = [
        changed(settings, embedder, {"type": "transformer_layer", "model": model, "layer": layer})
        for model in ("a", "b")
        for layer in (0, 1)
    ]
    assert by_representation([*runs, {"type": "recorded_run"}]) == [runs[:2], runs[2:]]
