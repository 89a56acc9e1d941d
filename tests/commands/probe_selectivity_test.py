import json
from pathlib import Path

import pytest
from allennlp.commands import main
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands import probe_selectivity as command
from linspector_allennlp.commands.probe_selectivity import describe, probe_selectivity
from linspector_allennlp.suite.job import control_settings
from tests.commands.printed import parsed

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "training_configs"
SHORT = json.dumps({"trainer.num_epochs": 3})


def arguments(config, folder, *more, overrides=SHORT):
    return parsed(command, config, "-s", folder, "-o", overrides, *more)


def run(config, folder, *more, **settings):
    """What the command prints, and the numbers that it writes."""
    args = arguments(CONFIGS / f"{config}.jsonnet", folder, *more, **settings)
    numbers = probe_selectivity(
        args.config,
        args.serialization_dir,
        overrides=args.overrides,
        control_seed=args.control_seed,
        force=args.force,
        recover=args.recover,
    )
    assert numbers == json.loads((Path(folder) / "selectivity.json").read_text())
    return describe(numbers), numbers


def metrics_of(folder):
    return json.loads((folder / "metrics.json").read_text())


def predictions_of(folder):
    with open(folder / "test_predictions.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_tags(treebank, tmp_path):
    treebank("Case")
    text, numbers = run("tagging", tmp_path / "out", overrides='{"trainer.num_epochs": 20}')
    task, control = (metrics_of(tmp_path / "out" / name) for name in ("task", "control"))
    right = {
        name: [p["label"] == p["gold"] for p in predictions_of(tmp_path / "out" / name)]
        for name in ("task", "control")
    }
    accuracies = {name: sum(each) / len(each) for name, each in right.items()}
    assert numbers["task_accuracy"] == pytest.approx(accuracies["task"])
    assert numbers["control_accuracy"] == pytest.approx(accuracies["control"])
    assert numbers["selectivity"] == pytest.approx(accuracies["task"] - accuracies["control"])
    assert numbers["selectivity_low"] < numbers["selectivity"] < numbers["selectivity_high"]
    assert numbers["control_ceiling"] == control["baseline_form"]
    assert numbers["control_majority"] == control["baseline_majority"]
    assert numbers["type_overlap"] == task["overlap_test"] == control["overlap_test"]
    assert (numbers["seed"], numbers["control_seed"]) == (13, 13)
    assert numbers["task"] == "Case/finnish-ud" and numbers["representation"] == "char_ngrams"
    assert task["num_labels"] == control["num_labels"]
    for name, row in (("task", 2), ("control", 3)):
        line = text.split("\n\n")[1].splitlines()[row]
        assert line.split()[:2] == [name, f"{100 * accuracies[name]:.1f}"]
    assert f"selectivity  {100 * numbers['selectivity']:8.1f}" in text
    assert f"{100 * task['overlap_test']:.1f} % of the test items" in text
    assert f"would score {100 * control['baseline_form']:.1f} on the control task" in text
    assert "at chance by construction" not in text


def test_the_ceiling_is_what_the_types_allow(treebank, tmp_path, fixtures):
    """A control label depends on the type alone, so seen types are all right by heart, the others by luck."""
    treebank("Case")
    _, numbers = run("tagging", tmp_path / "out")
    from linspector_allennlp.dataset_readers import ControlTaskReader, TokenTagsReader
    from linspector_allennlp.fields import metadata_of

    train, test = (str(fixtures / f"raw/finnish-ud-{name}.conllu") for name in ("train", "test"))
    reader = ControlTaskReader(TokenTagsReader("Case"), train)
    seen, labels = set(), []
    for instance in reader.read(train):
        seen.update(metadata_of(instance)["words"])
        labels += instance["labels"].labels
    majority = max(labels, key=labels.count)
    right = [
        word in seen or label == majority
        for instance in reader.read(test)
        for word, label in zip(metadata_of(instance)["words"], instance["labels"].labels)
    ]
    assert numbers["control_ceiling"] == pytest.approx(sum(right) / len(right))


def test_a_type_level_task_is_at_chance_by_construction(environment, tmp_path):
    environment("Case")
    text, numbers = run("single_form", tmp_path / "out", overrides='{"trainer.num_epochs": 30}')
    assert numbers["type_overlap"] == 0 and numbers["selectivity"] is None
    assert "at chance by construction" in text
    config = json.loads((tmp_path / "out/control/config.json").read_text())
    assert config["validation_data_path"] == config["train_data_path"]
    control = metrics_of(tmp_path / "out/control")
    assert numbers["memorisation"] == control["best_validation_accuracy"]
    assert numbers["memorisation"] > control["baseline_majority"] + 0.1, "nothing was learned"
    assert f"memorised: {100 * numbers['memorisation']:.1f} %" in text
    assert "\nselectivity " not in text
    assert numbers["control_ceiling"] == control["baseline_majority"]


def test_pairs(environment, tmp_path):
    environment("OddFeat")
    _, numbers = run("paired_forms", tmp_path / "out")
    assert numbers["type_overlap"] == 0 and numbers["memorisation"] is not None


def test_paired_tokens(environment, tmp_path):
    environment("OddFeat", "token_level")
    _, numbers = run("paired_tokens", tmp_path / "out")
    assert numbers["control_ceiling"] is not None


def test_tokens_in_context(environment, tmp_path):
    environment("Case", "token_level")
    _, numbers = run("token_in_context", tmp_path / "out")
    assert numbers["type_overlap"] > 0 and numbers["selectivity"] is not None


def test_edges(treebank, tmp_path):
    treebank()
    _, numbers = run("edges", tmp_path / "out")
    task, control = (predictions_of(tmp_path / "out" / name) for name in ("task", "control"))
    assert [p["line"] for p in task] == [p["line"] for p in control], "the root is left out of both"
    difference = sum(p["label"] == p["gold"] for p in task) - sum(
        p["label"] == p["gold"] for p in control
    )
    assert numbers["selectivity"] == pytest.approx(difference / len(task))
    overlap = numbers["type_overlap"]
    assert numbers["control_ceiling"] == pytest.approx(overlap + (1 - overlap) / 3)


def test_another_control_seed(treebank, tmp_path):
    treebank("Case")
    _, first = run("tagging", tmp_path / "first")
    _, second = run("tagging", tmp_path / "second", "--control-seed", 14)
    assert first["task_accuracy"] == second["task_accuracy"]
    golds = [
        [p["gold"] for p in predictions_of(tmp_path / name / "control")]
        for name in ("first", "second")
    ]
    assert golds[0] != golds[1] and second["control_seed"] == 14
    provenance = json.loads((tmp_path / "second/control/provenance.json").read_text())
    assert provenance["task"] == {"level": "token", "target": "Case", "control_seed": 14}


VALIDATION_READER = {
    "type": "token_tags",
    "target": "Case",
    "token_indexers": {"words": {"type": "word_form"}},
    "max_length": 9,
}


@pytest.mark.parametrize(
    "name",
    ["tagging", "edges", "single_form", "paired_forms", "token_in_context", "paired_tokens"],
)
@pytest.mark.parametrize("with_validation_reader", [False, True])
@pytest.mark.parametrize("seed", [13, 5])
def test_the_library_says_what_the_command_does(
    name, with_validation_reader, seed, treebank, environment, tmp_path
):
    treebank("Case")
    environment("Case")
    more = {"validation_dataset_reader": VALIDATION_READER} if with_validation_reader else {}
    text = (
        "local control = import 'linspector/control.libsonnet';\n"
        f"control.of((import '{CONFIGS}/{name}.jsonnet') + {json.dumps(more)}, seed={seed})\n"
    )
    (tmp_path / "control.jsonnet").write_text(text)
    of_library = Params.from_file(str(tmp_path / "control.jsonnet")).as_dict(quiet=True)
    config = Params.from_file(str(CONFIGS / f"{name}.jsonnet")).as_dict(quiet=True)
    assert of_library == control_settings({**config, **more}, seed, learnable=True)
    wrapped = of_library["dataset_reader"]
    assert (wrapped["type"], wrapped["reader"]) == ("control_task", config["dataset_reader"])
    assert wrapped["train_data_path"] == config["train_data_path"] and wrapped["seed"] == seed
    memorised = control_settings({**config, **more}, seed, learnable=False)
    assert memorised == {**of_library, "validation_data_path": config["train_data_path"]}
    assert config["dataset_reader"]["type"] != "control_task", "the config was changed"


def test_the_shipped_control_config_is_the_run_of_the_command(treebank, tmp_path, train):
    treebank("Case")
    run("tagging", tmp_path / "out")
    metrics = train("tagging_control", trainer={"num_epochs": 3})
    timeless = [
        {key: value for key, value in each.items() if "duration" not in key}
        for each in (metrics, metrics_of(tmp_path / "out/control"))
    ]
    assert timeless[0] == timeless[1]


def epochs_of(folder):
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*/metrics_epoch_*")}


def test_a_folder_that_has_runs_is_refused(treebank, tmp_path):
    treebank("Case")
    run("tagging", tmp_path / "out")
    before = epochs_of(tmp_path / "out")
    with pytest.raises(ConfigurationError, match="not empty"):
        run("tagging", tmp_path / "out")
    assert epochs_of(tmp_path / "out") == before


def test_a_folder_with_a_control_run_alone_is_refused_before_anything_is_trained(
    treebank, tmp_path
):
    treebank("Case")
    (tmp_path / "out/control").mkdir(parents=True)
    (tmp_path / "out/control/config.json").write_text("{}")
    with pytest.raises(ConfigurationError, match="not empty"):
        run("tagging", tmp_path / "out")
    assert not (tmp_path / "out/task").exists(), "the task was trained for nothing"


def test_replacing_what_is_there(treebank, tmp_path):
    treebank("Case")
    _, first = run("tagging", tmp_path / "out", overrides='{"trainer.num_epochs": 1}')
    _, second = run("tagging", tmp_path / "out", "-f", overrides='{"trainer.num_epochs": 4}')
    for name in ("task", "control"):
        assert metrics_of(tmp_path / "out" / name)["epoch"] == 3
    _, fresh = run("tagging", tmp_path / "fresh", overrides='{"trainer.num_epochs": 4}')
    assert second == fresh != first


@pytest.mark.parametrize("interrupted_in", ["task", "control", "nothing"])
def test_going_on(treebank, tmp_path, interrupted_in, monkeypatch):
    """As if killed while it trained one of the two; or not begun at all."""
    from linspector_allennlp.training import head_training

    treebank("Case")
    original, calls = head_training.train_epoch, []

    def interrupted(*args):
        calls.append(1)
        if len(calls) == {"task": 2, "control": 5, "nothing": 0}[interrupted_in]:
            raise MemoryError("killed")
        return original(*args)

    if interrupted_in != "nothing":
        monkeypatch.setattr(head_training, "train_epoch", interrupted)
        with pytest.raises(MemoryError, match="killed"):
            run("tagging", tmp_path / "out")
        monkeypatch.setattr(head_training, "train_epoch", original)
        assert not (tmp_path / "out/selectivity.json").exists()
    _, recovered = run("tagging", tmp_path / "out", "--recover")
    _, whole = run("tagging", tmp_path / "whole")
    assert recovered == whole


def test_going_on_with_finished_runs_changes_nothing(treebank, tmp_path):
    treebank("Case")
    first = run("tagging", tmp_path / "out")
    before = epochs_of(tmp_path / "out")
    assert run("tagging", tmp_path / "out", "--recover") == first
    assert epochs_of(tmp_path / "out") == before


def test_replacing_and_going_on_exclude_each_other(tmp_path, capsys):
    with pytest.raises(SystemExit):
        arguments("x.jsonnet", tmp_path, "-f", "--recover")
    assert "not allowed with" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["distance", "depth", "perceptron"])
def test_trees_have_no_control_task(treebank, tmp_path, name):
    treebank()
    with pytest.raises(ConfigurationError, match=f"no control task for {name}_probe.*edge_probe"):
        run(name, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_control_task_has_no_control_task(treebank, tmp_path):
    treebank("Case")
    with pytest.raises(
        ConfigurationError, match="tagging_control.jsonnet is a control task already"
    ):
        run("tagging_control", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("without", [{"test_data_path": None}, {"evaluate_on_test": False}])
def test_no_test_data(treebank, tmp_path, without):
    treebank("Case")
    config = Params.from_file(str(CONFIGS / "tagging.jsonnet")).as_dict(quiet=True)
    config = {key: value for key, value in {**config, **without}.items() if value is not None}
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    with pytest.raises(ConfigurationError, match="config.json: expected .* with test data"):
        probe_selectivity(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_config_of_something_else(tmp_path, treebank):
    treebank("Case")
    config = Params.from_file(str(CONFIGS / "tagging.jsonnet")).as_dict(quiet=True)
    del config["type"]
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    with pytest.raises(ConfigurationError, match="expected a config of a probe run"):
        probe_selectivity(path, tmp_path / "out")


def test_from_the_command_line(treebank, tmp_path, monkeypatch, capsys):
    """What it says stands alone on stdout."""
    treebank("Case")
    words = ["linspector", "probe-selectivity", str(CONFIGS / "tagging.jsonnet")]
    monkeypatch.setattr("sys.argv", [*words, "-s", str(tmp_path / "out"), "-o", SHORT])
    main()
    output = capsys.readouterr().out
    assert output.startswith("Case/finnish-ud, char_ngrams\n\n")
    assert "Baselines of the task: majority " in output
    *_, closing = output.rstrip().split("\n\n")
    assert all(line.startswith("Warning: ") for line in closing.splitlines())
    assert "only 12 sentences: a score from so few says little. (task, control)" in closing


def test_memorisation_is_of_what_was_trained_on(environment, tmp_path):
    """With a share of the training data, the rest of them is not asked for."""
    environment("Case")
    _, numbers = run("single_form", tmp_path / "out", overrides='{"train_share": 0.2}')
    control = metrics_of(tmp_path / "out/control")
    assert control["num_train"] == control["num_validation"] < 250
    assert numbers["memorisation"] == control["best_validation_accuracy"]


def test_relations_have_no_part_in_the_control(treebank, tmp_path):
    treebank()
    changes = {"trainer.num_epochs": 2, "model.relation_head": {"type": "linear"}}
    _, numbers = run("edges", tmp_path / "out", overrides=json.dumps(changes))
    assert "test_relation_accuracy" in metrics_of(tmp_path / "out/task")
    assert "test_relation_accuracy" not in metrics_of(tmp_path / "out/control")
    assert numbers["selectivity"] is not None


def test_labels_per_item_cannot_be_learned(root, treebank, tmp_path):
    treebank()
    config = root / "training_configs/tagging.jsonnet"
    numbers = probe_selectivity(
        config, tmp_path / "out", overrides={"trainer.num_epochs": 2}, control_per="item"
    )
    assert numbers["control_per"] == "item" and numbers["selectivity"] is None
    assert numbers["control_ceiling"] == numbers["control_majority"]
    assert 0 < numbers["memorisation"] <= 1
    assert "Every item has a control label of its own" in describe(numbers)
