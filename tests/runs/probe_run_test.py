"""What a config of a probe run can say besides model and trainer: `mdl` and `train_share`; and `--recover`."""

import copy
import csv
import json
import math
from pathlib import Path

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.models import Model
from allennlp.models.archival import load_archive
from allennlp.training import Trainer

from linspector_allennlp.dataset_readers import DependencyTreeReader, SingleFormReader
from linspector_allennlp.dataset_readers.wrapping_reader import SampledReader
from linspector_allennlp.suite.job import Job

CODED = {"tagging": 84, "edges": 84, "case_fin": 700}


def without_times(metrics):
    return {key: value for key, value in metrics.items() if "duration" not in key}


def without_code(metrics):
    return {k: v for k, v in without_times(metrics).items() if not k.startswith("mdl")}


@pytest.mark.parametrize("name", CODED)
def test_the_code_changes_nothing_else(train, treebank, tmp_path, name):
    treebank("Case")
    settings = {"trainer": {"num_epochs": 3}}
    plain = train(name, "plain", **settings)
    coded = train(name, "coded", mdl=True, **settings)
    assert without_code(coded) == without_times(plain)
    assert without_times(train(name, "again", mdl=True, **settings)) == without_times(coded)
    for file in ("test_predictions.jsonl", "validation_predictions.jsonl"):
        assert (tmp_path / "coded" / file).read_bytes() == (tmp_path / "plain" / file).read_bytes()
    first, second = (
        load_archive(str(tmp_path / folder / "model.tar.gz")).model.state_dict()
        for folder in ("plain", "coded")
    )
    assert all(torch.equal(first[key], second[key]) for key in first)


@pytest.mark.parametrize("name", CODED)
def test_what_the_code_says(train, treebank, tmp_path, fixtures, name):
    treebank("Case")
    metrics = train(name, mdl=True, trainer={"num_epochs": 3})
    with open(tmp_path / "run/mdl.tsv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    n = CODED[name]
    assert int(rows[0]["first"]) == 0 and int(rows[-1]["end"]) == n
    assert [row["end"] for row in rows[:-1]] == [row["first"] for row in rows[1:]]
    assert rows[-1]["first"] == str(n // 2)
    assert sum(float(row["bits"]) for row in rows) == pytest.approx(metrics["mdl_bits"], abs=0.01)
    if name == "edges":
        lengths = [
            len(instance["heads"].tensor)
            for instance in DependencyTreeReader().read(
                str(fixtures / "raw/finnish-ud-train.conllu")
            )
        ]
        uniform = sum((length - 1) * math.log2(length) for length in lengths)
    else:
        uniform = metrics["num_train"] * math.log2(metrics["num_labels"])
    assert metrics["mdl_uniform_bits"] == pytest.approx(uniform)
    ratio = metrics["mdl_uniform_bits"] / metrics["mdl_bits"]
    assert metrics["mdl_compression"] == pytest.approx(ratio)
    if name != "edges":
        assert metrics["mdl_compression"] > 1


def test_a_representation_that_tells_nothing_compresses_less(train, treebank):
    trainer = {"num_epochs": 20, "optimizer": {"lr": 0.03}}
    treebank("Case", "char_ngrams")
    spelling = train("tagging", "spelling", mdl=True, trainer=trainer)
    treebank("Case", "random_vectors")
    nothing = train("tagging", "nothing", mdl=True, trainer=trainer)
    assert spelling["mdl_compression"] > nothing["mdl_compression"]


def trainer_of(fixtures, folder, zero=False, **settings):
    """A trainer of a linear probe of Case, and its model."""
    reader = DatasetReader.from_params(
        Params({"type": "single_form", "token_indexers": {"words": {"type": "word_form"}}})
    )
    data = fixtures / "type_level/Case/finnish"
    train, validation = (
        MultiProcessDataLoader(
            reader, str(data / f"{name}.txt"), batch_size=16, shuffle=True, quiet=True
        )
        for name in ("dev", "test")
    )
    vocab = Vocabulary.from_instances(train.iter_instances())
    train.index_with(vocab)
    validation.index_with(vocab)
    torch.manual_seed(4)
    embedder = {"token_embedders": {"words": {"type": "char_ngrams", "dimension": 20}}}
    params = {"type": "single_form_probe", "text_field_embedder": embedder, "head": "linear"}
    model = Model.from_params(Params(params), vocab=vocab)
    if zero:
        for parameter in model.head.parameters():
            torch.nn.init.zeros_(parameter)
    trainer = Trainer.from_params(
        Params({"type": "frozen_probe", "num_epochs": 2, **settings}),
        model=model,
        data_loader=train,
        validation_data_loader=validation,
        serialization_dir=str(folder),
    )
    return trainer, model, list(train.iter_instances())


def test_a_probe_that_stays_uniform_compresses_by_one(fixtures, tmp_path):
    frozen = {"optimizer": {"type": "adam", "lr": 0.0}}
    trainer, model, instances = trainer_of(fixtures, tmp_path, zero=True, **frozen)
    blocks, uniform = trainer.code_training_data()
    assert uniform == pytest.approx(200 * math.log2(len(model.label_names)))
    assert sum(block.bits for block in blocks) == pytest.approx(uniform, rel=1e-6)


def test_the_code_of_a_probe_that_never_learns(fixtures, tmp_path):
    """Whatever the blocks, all but the first item cost what the probe says at the start."""
    frozen = {"optimizer": {"type": "adam", "lr": 0.0}}
    trainer, model, instances = trainer_of(fixtures, tmp_path, **frozen)
    blocks, _ = trainer.code_training_data()
    words = [instance["tokens"].tokens[0].text for instance in instances]
    embedder = next(module for module in model.modules() if hasattr(module, "embed_forms"))
    with torch.no_grad():
        logits = model.head(torch.from_numpy(embedder.embed_forms(words)))
    labels = [model.label_names.index(instance["label"].label) for instance in instances]
    bits = -torch.log_softmax(logits.double(), 1)[range(200), labels] / math.log(2)
    order = torch.randperm(200, generator=torch.Generator().manual_seed(torch.initial_seed()))
    assert blocks[0].bits == pytest.approx(math.log2(len(model.label_names)))
    for block in blocks[1:]:
        rows = order[block.first : block.end]
        assert block.bits == pytest.approx(bits[rows].sum().item(), rel=1e-5)


def test_every_block_is_learned_from_the_start(fixtures, tmp_path):
    """So it does not matter what was trained before, and afterwards the model is what it was."""
    trainer, model, _ = trainer_of(fixtures, tmp_path)
    before = trainer.code_training_data()
    trainer.train()
    trained = {name: tensor.clone() for name, tensor in model.head.state_dict().items()}
    drawn = torch.random.get_rng_state()
    assert trainer.code_training_data() == before
    for name, tensor in model.head.state_dict().items():
        assert torch.equal(tensor, trained[name])
    assert torch.equal(torch.random.get_rng_state(), drawn), "random numbers of others are drawn"


@pytest.mark.parametrize("metric", ["-loss", "+accuracy"])
def test_a_block_is_coded_with_the_epoch_of_least_loss(fixtures, tmp_path, metric):
    """Whatever chooses the epoch of the run. The steps are so large that the first has the least loss."""
    steep = {"optimizer": {"type": "adam", "lr": 0.3}, "num_epochs": 6, "validation_metric": metric}
    trainer, model, _ = trainer_of(fixtures, tmp_path, **steep)
    start = copy.deepcopy(model.head)
    train, validation = trainer._training_features()
    blocks, _ = trainer.code_training_data()
    seed = torch.initial_seed()
    order = torch.randperm(200, generator=torch.Generator().manual_seed(seed))
    values, labels = train.values.values[order], train.targets["label"].values[order]
    losses, costs, right = [], [], []
    optimizer = torch.optim.Adam(start.parameters(), lr=0.3)
    for epoch in range(6):
        torch.manual_seed((seed * 1_000_003 + epoch) % 2**63)
        for rows in torch.randperm(100).split(16):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(start(values[rows]), labels[rows]).backward()
            optimizer.step()
        with torch.no_grad():
            known = validation.targets["label"].values
            logits = start(validation.values.values)
            right.append((logits.argmax(1) == known).sum().item())
            losses.append(torch.nn.functional.cross_entropy(logits, known, ignore_index=-1).item())
            nats = torch.nn.functional.cross_entropy(
                start(values[100:]), labels[100:], reduction="sum"
            )
            costs.append(nats.item() / math.log(2))
    best = losses.index(min(losses))
    most_right = costs[right.index(max(right))]
    for other in (costs[-1], most_right):
        assert costs[best] != pytest.approx(other, rel=0.01)
    assert blocks[-1].bits == pytest.approx(costs[best], rel=1e-3)


def test_bits_are_those_of_the_epoch_with_the_least_loss(train, tmp_path):
    """The run of the epoch with the best accuracy has the bits of the run that loss chooses."""
    metrics = train("case_fin", "run")
    chosen = {"num_epochs": metrics["least_loss_epoch"] + 1, "validation_metric": "-loss"}
    by_loss = train("case_fin", "by_loss", trainer=chosen)
    assert metrics["least_loss_epoch"] == by_loss["best_epoch"] != metrics["best_epoch"]
    assert metrics["test_unseen_labels"] == 0
    assert metrics["test_bits"] == pytest.approx(by_loss["test_bits"], rel=1e-6)
    assert metrics["test_bits"] == pytest.approx(by_loss["test_loss"] / math.log(2), rel=1e-5)
    assert metrics["test_loss"] > by_loss["test_loss"]
    assert metrics["test_accuracy"] != by_loss["test_accuracy"]


def test_another_trainer_has_bits_only_where_loss_chose_its_epoch(train):
    trainer = {"type": "gradient_descent", "optimizer": "adam", "num_epochs": 2}
    assert "test_bits" not in train("case_fin", "accuracy", trainer=trainer)
    by_loss = train("case_fin", "loss", trainer={**trainer, "validation_metric": "-loss"})
    assert by_loss["test_bits"] == pytest.approx(by_loss["test_loss"] / math.log(2), rel=1e-4)


def test_a_block_smaller_than_a_batch_of_a_loader_that_drops_the_last(train):
    """The probe of a block must be trained on it, however few items that are."""
    loader = {"drop_last": True, "batch_size": 64}
    metrics = train("case_fin", mdl=True, data_loader=loader, trainer={"num_epochs": 2})
    assert 0.1 < metrics["mdl_compression"] < 10


def test_features_on_a_disk_have_the_same_code(train, treebank):
    treebank("Case")
    settings = {"num_epochs": 2}
    small = train("tagging", "small", mdl=True, trainer={**settings, "feature_memory_gb": 0})
    assert without_times(small) == without_times(train("tagging", mdl=True, trainer=settings))


def test_without_validation_data_blocks_are_trained_for_all_epochs(train):
    metrics = train(
        "case_fin",
        mdl=True,
        validation_data_path=None,
        trainer={"num_epochs": 2, "patience": None},
    )
    assert metrics["mdl_compression"] > 0 and "best_epoch" not in metrics


def test_a_finished_run_that_is_recovered_has_the_same_code(train, treebank, tmp_path):
    """As if it was killed while it measured the code."""
    treebank("Case")
    first = train("tagging", mdl=True, trainer={"num_epochs": 2})
    for name in ("metrics.json", "mdl.tsv", "model.tar.gz"):
        (tmp_path / "run" / name).unlink()
    assert train("tagging", recover=True, mdl=True, trainer={"num_epochs": 2}) == first
    assert (tmp_path / "run/mdl.tsv").exists()


@pytest.mark.parametrize("name", ["case_fin", "tagging"])
def test_a_share_of_the_training_data(train, treebank, fixtures, name):
    treebank("Case")
    whole = train(name, "whole", trainer={"num_epochs": 1})
    part = train(name, "part", trainer={"num_epochs": 1}, train_share=0.3)
    for key in ("num_validation", "num_test", "num_validation_sentences", "num_test_sentences"):
        assert part.get(key) == whole.get(key)
    assert 0.1 * whole["num_train"] < part["num_train"] < 0.5 * whole["num_train"]
    if name == "case_fin":
        path = str(fixtures / "type_level/Case/finnish/train.txt")
        drawn = SampledReader(SingleFormReader(), 0.3, 13)
        assert part["num_train"] == len(list(drawn.read(path)))
    assert part["training_steps"] < whole["training_steps"]


def test_the_share_is_drawn_from_the_seed_and_all_is_all(train):
    settings = {"trainer": {"num_epochs": 1}}
    first = train("case_fin", "first", train_share=0.2, **settings)
    again = train("case_fin", "again", train_share=0.2, **settings)
    other = train("case_fin", "other", train_share=0.2, pytorch_seed=5, **settings)
    assert without_times(first) == without_times(again)
    assert first["num_train"] != other["num_train"]
    whole = train("case_fin", "whole", **settings)
    assert without_times(train("case_fin", "all", train_share=1.0, **settings)) == without_times(
        whole
    )


@pytest.mark.parametrize("num_workers", [0, 2])
def test_a_share_by_two_processes(train, num_workers):
    loader = {"num_workers": num_workers, "max_instances_in_memory": 64}
    settings = {"train_share": 0.3, "trainer": {"num_epochs": 1}}
    lazy = train("case_fin", "lazy", data_loader=loader, **settings)
    assert without_times(lazy) == without_times(train("case_fin", "eager", **settings))


@pytest.mark.parametrize("share", [0, 1.5, -1])
def test_no_such_share(train, share):
    with pytest.raises(ConfigurationError, match="train_share: expected above 0 and up to 1"):
        train("case_fin", train_share=share)


@pytest.mark.parametrize("num_workers", [0, 2])
def test_a_share_that_leaves_nothing(train, num_workers):
    with pytest.raises((ValueError, ConfigurationError), match="train_share|nothing"):
        train("case_fin", train_share=1e-6, data_loader={"num_workers": num_workers})


@pytest.mark.parametrize("name", ["tagging", "distance", "edges", "depth", "perceptron"])
def test_a_recovered_run_ends_like_one_that_was_not_interrupted(train, treebank, tmp_path, name):
    treebank("Case")
    more = {} if name in ("distance", "depth", "perceptron") else {"mdl": True}
    train(name, trainer={"num_epochs": 2}, **more)
    path = tmp_path / "run/config.json"
    settings = json.loads(path.read_text())
    settings["trainer"]["num_epochs"] = 5
    path.write_text(json.dumps(settings))
    recovered = train(name, recover=True, trainer={"num_epochs": 5}, **more)
    assert recovered["epoch"] == 4
    whole = train(name, "whole", trainer={"num_epochs": 5}, **more)
    assert without_times(recovered) == without_times(whole)
    for file in ("test_predictions.jsonl", "mdl.tsv"):
        if (tmp_path / "whole" / file).exists():
            assert (tmp_path / "run" / file).read_text() == (tmp_path / "whole" / file).read_text()


def test_a_recovered_run_must_have_the_same_control_seed(train, treebank, tmp_path):
    treebank("Case")
    train("tagging_control", trainer={"num_epochs": 1})
    config = json.loads((tmp_path / "run/config.json").read_text())
    config["dataset_reader"]["seed"] = 14
    (tmp_path / "run/config.json").write_text(json.dumps(config))
    with pytest.raises(ConfigurationError, match="not those that this run was begun with"):
        train(
            "tagging_control", recover=True, trainer={"num_epochs": 1}, dataset_reader={"seed": 14}
        )


def test_labels_come_in_the_order_of_the_file_whoever_reads_it(train, treebank, tmp_path):
    """A tag that is as frequent as another has the index that its first word gives it."""
    treebank("Case")
    for folder, num_workers in (("one", 0), ("two", 2)):
        train(
            "tagging", folder, trainer={"num_epochs": 1}, data_loader={"num_workers": num_workers}
        )
    first, second = (
        (tmp_path / folder / "vocabulary/labels.txt").read_text() for folder in ("one", "two")
    )
    assert first == second


def test_a_run_that_its_limit_ended_says_so(train, tmp_path):
    train("case_fin", trainer={"num_epochs": 2})
    warnings = json.loads((tmp_path / "run/provenance.json").read_text())["warnings"]
    assert any("is the last that num_epochs allows" in warning for warning in warnings)
    assert not any("is below" in warning for warning in warnings[:-1])
    metrics = train("case_fin", "whole")
    # Most endings name the case: 83 of 100 by the probe, 91 by its suffix.
    (warning,) = json.loads((tmp_path / "whole/provenance.json").read_text())["warnings"]
    assert warning == (
        f"the test accuracy, {100 * metrics['test_accuracy']:.1f} %, is below what needs no "
        f"representation: suffix ({100 * metrics['baseline_suffix']:.1f} %)"
    )


def test_a_probe_that_has_not_even_learned_its_training_data_says_so(train, tmp_path):
    settings = {"type": "fused_adam", "lr": 1e-12}
    metrics = train("case_fin", trainer={"num_epochs": 1, "optimizer": settings})
    assert metrics["training_accuracy"] < metrics["baseline_majority"] + 0.02
    warnings = json.loads((tmp_path / "run/provenance.json").read_text())["warnings"]
    (warning,) = (each for each in warnings if "its training has failed" in each)
    assert f"only {100 * metrics['training_accuracy']:.1f} % of its training data" in warning


def test_the_trap_of_the_perceptron_is_pointed_out(train, treebank, tmp_path):
    treebank()
    for folder, changes in [("trap", {}), ("safe", {"scale_free": True})]:
        settings = {"num_epochs": 1, "validation_metric": "-loss"}
        train("perceptron", folder, trainer=settings, model=changes)
        log = (tmp_path / folder / "out.log").read_text(encoding="utf-8")
        assert ("may have learned nothing" in log) == (folder == "trap")


def test_what_was_left_out_is_in_the_record(train, treebank, tmp_path):
    treebank("Case")
    train("tagging", trainer={"num_epochs": 1}, dataset_reader={"max_length": 4})
    data = json.loads((tmp_path / "run/provenance.json").read_text())["data"]
    left_out = data["train"]["left_out"]["longer than 4 words"]
    assert data["train"]["sentences"] + left_out == 84


def test_interrupted_in_a_relative_folder(train, treebank, tmp_path, monkeypatch):
    """AllenNLP joins the folder with the path of the weights, if that is relative."""
    from linspector_allennlp.training import head_training

    treebank("Case")
    original, calls = head_training.train_epoch, []

    def interrupted(*args):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return original(*args)

    monkeypatch.setattr(head_training, "train_epoch", interrupted)
    monkeypatch.chdir(tmp_path)
    config = Path(__file__).resolve().parents[2] / "training_configs/tagging.jsonnet"
    with pytest.raises(KeyboardInterrupt):
        Job(config, "runs/relative").run()
    assert (tmp_path / "runs/relative/model.tar.gz").exists()


PROBES = ["single_form", "paired_forms", "token_in_context", "paired_tokens", "tagging", "edge"]
PROBES += ["distance", "depth"]


@pytest.mark.parametrize("probe", [*PROBES, "perceptron"])
def test_readers_of_other_tasks(probe, tmp_path, fixtures):
    """One of AllenNLP's, whose metadata have `words` too, and two of ours."""
    tagged = tmp_path / "tagged.txt"
    tagged.write_text("koira###N nukkuu###V\n" * 3, encoding="utf-8")
    forms, treebank = "type_level/Case/finnish/test.txt", "raw/finnish-ud-test.conllu"
    readers = {
        "sequence_tagging": (tagged, "instances of the readers of this package.*found words"),
        "single_form": (
            fixtures / forms,
            r"Probe: expected instances with the fields .*, found tok",
        ),
        "token_tags": (fixtures / treebank, "places, labels, metadata. Is the dataset_reader for"),
    }
    embedder = {"token_embedders": {"words": {"type": "char_ngrams", "dimension": 2}}}
    for name, (path, message) in readers.items():
        settings = {
            "type": "probe_run",
            "dataset_reader": {"type": name, "token_indexers": {"words": {"type": "word_form"}}},
            "train_data_path": str(path),
            "model": {"type": f"{probe}_probe", "text_field_embedder": embedder},
            "data_loader": {"batch_size": 4},
            "trainer": {"type": "frozen_probe", "num_epochs": 1, "optimizer": "adam"},
        }
        if f"{probe}_probe" in (f"{name}_probe", "tagging_probe" if name == "token_tags" else ""):
            continue
        with pytest.raises(ConfigurationError, match=message):
            Job(settings, tmp_path / name).run()
    if probe == "edge":  # under any run and trainer
        settings.update(type="recorded_run", trainer={"num_epochs": 1, "optimizer": "adam"})
        with pytest.raises(
            ConfigurationError, match="fields tokens, places, heads, found tokens, pl"
        ):
            Job(settings, tmp_path / "recorded").run()
