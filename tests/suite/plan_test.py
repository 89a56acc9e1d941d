"""A suite as its runs: counted by hand, and each the same as it is alone."""

import json
from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.suite import Job, planned_runs, probe_config, read_suite
from linspector_allennlp.suite.job import control_settings
from tests.conftest import ROOT

FIXTURES = ROOT / "fixtures"
TYPE_LEVEL = str(FIXTURES / "type_level")
VECTORS = str(FIXTURES / "vectors/finnish.vec")
TREEBANK = str(FIXTURES / "raw/finnish-ud")


def suite(**changes):
    return {"data": TYPE_LEVEL, "tasks": "Case", "representations": ["char_ngrams"], **changes}


def columns(runs, *names):
    return [tuple(run.columns[name] for name in names) for run in runs]


def test_the_usual_study():
    """5 tasks × (1 static + 1 static + 3 layers) × 3 seeds × (task and control)."""
    runs = planned_runs(
        suite(
            tasks="*",
            representations={"fi": VECTORS, "chars": "char_ngrams", "minilm": "transformer:MODEL"},
            layers=[0, 3, 6],
            seeds=3,
            control=True,
        )
    )
    assert len(runs) == 5 * (1 + 1 + 3) * 3 * 2 and not runs.notes
    assert Counter(columns(runs, "representation", "layer")) == {
        ("fi", None): 30, ("chars", None): 30, **{("minilm", n): 30 for n in (0, 3, 6)},
    }  # fmt: skip
    assert Counter(columns(runs, "task", "probe")) == {
        **{(task, "single_form"): 30 for task in ("Case", "Number", "Person")},
        **{(task, "paired_forms"): 30 for task in ("OddFeat", "SameFeat")},
    }
    assert set(columns(runs, "language", "level", "seed", "train_share")) == {
        ("finnish", "type", seed, 1) for seed in (13, 14, 15)
    }
    assert sum(run.columns["control"] for run in runs) == len(runs) / 2


def test_a_run_is_what_it_is_alone(tmp_path):
    """The config has nothing of the suite in it: its digest is that of `probe_config`."""
    (task, control) = planned_runs(
        suite(
            representations={"m": "transformer:M"},
            layers=3,
            seeds=[7],
            control={"seed": 5},
            probes={"small": {"head": "mlp:[10]:dropout=0.5"}},
            config={"trainer": {"num_epochs": 2}},
        )
    )
    alone = probe_config(
        "single_form",
        f"{TYPE_LEVEL}/Case/finnish",
        "transformer:M:3",
        seed=7,
        head={"type": "mlp", "hidden_dims": [10], "activation": "sigmoid", "dropout": 0.5},
        trainer={"num_epochs": 2},
    )
    assert task.settings == alone
    assert control.settings == control_settings(alone, seed=5, learnable=False)
    (tmp_path / "run.json").write_text(json.dumps(task.settings))
    assert Job(tmp_path / "run.json", tmp_path / "x").settings() == alone


ALONE = [
    ("single_form", "type_level/Case", {}),
    ("paired_forms", "type_level/OddFeat", {}),
    ("token_in_context", "token_level/Case", {}),
    ("paired_tokens", "token_level/OddFeat", {}),
    ("syneval", "type_level/Case", {}),
    ("sentence", "sentence_level/SentLen", {"encoder": "borep:dimension=8"}),
    ("tagging", None, {"target": ["upos", "Case"]}),
    ("edges", None, {}),
    ("distance", None, {}),
    ("depth", None, {}),
    ("perceptron", None, {}),
]


@pytest.mark.parametrize("kind, task, given", ALONE)
def test_every_kind_of_probe(kind, task, given):
    """With a seed, other test data, and changes."""
    shared = suite(
        data=str(FIXTURES),
        tasks=task or {"treebank": TREEBANK, "targets": [given.get("target", "upos")]},
        representations={"vec": "word_vectors:fi.vec:unk=zeros"},
        encoders=[given["encoder"]] if "encoder" in given else [],
        probes=[kind],
        seeds=[5],
        config={"trainer": {"num_epochs": 3}, "dataset_reader": {"max_instances": 9}},
        test_data={"other": "tr/x"},
    )
    (run,) = planned_runs(shared)
    data = TREEBANK if task is None else f"{FIXTURES}/{task}/finnish"
    alone = probe_config(
        kind, data, "word_vectors:fi.vec:unk=zeros", seed=5, **given, test={"data": "tr/x"},
        trainer={"num_epochs": 3}, dataset_reader={"max_instances": 9},
    )  # fmt: skip
    assert run.settings == alone


def test_over_aligned_vectors(tmp_path):
    """Trained in each language and tested in both; the words of the other have vectors of their own."""
    for language in ("finnish", "turkish"):
        (tmp_path / "Case").mkdir(exist_ok=True)
        (tmp_path / f"Case/{language}").symlink_to(FIXTURES / "type_level/Case/finnish")
    runs = planned_runs(
        suite(
            data=str(tmp_path),
            representations={"aligned": {"fi": "fi.vec", "tr": "tr.vec"}, "c": "char_ngrams"},
            test_language=["finnish", "turkish"],
        )
    )
    assert sorted(columns(runs, "representation", "language", "test"), key=str) == [
        ("aligned", "finnish", "turkish"), ("aligned", "finnish", None),
        ("aligned", "turkish", "finnish"), ("aligned", "turkish", None),
        ("c", "finnish", "turkish"), ("c", "finnish", None),
        ("c", "turkish", "finnish"), ("c", "turkish", None),
    ]  # fmt: skip
    for run in runs:
        language, test = run.columns["language"], run.columns["test"]
        vectors = {"finnish": "fi.vec", "turkish": "tr.vec"}
        own, of_test = vectors[language], vectors.get(test)
        if run.columns["representation"] == "c":
            own, of_test = "char_ngrams", None
        test_data = {"data": f"{tmp_path}/Case/{test}", "representation": of_test}
        if of_test is None:
            del test_data["representation"]
        assert run.settings == probe_config(
            "single_form", f"{tmp_path}/Case/{language}", own, test=test_data if test else None
        )


def test_another_language_has_no_control_task(tmp_path):
    for language in ("finnish", "turkish"):
        (tmp_path / "Case").mkdir(exist_ok=True)
        (tmp_path / f"Case/{language}").symlink_to(FIXTURES / "type_level/Case/finnish")
    settings = suite(
        data=str(tmp_path),
        languages=["finnish"],
        test_language=["finnish", "turkish"],
        control=True,
    )
    runs = planned_runs(settings)
    assert set(columns(runs, "test", "control")) == {
        (None, False), (None, True), ("turkish", False),
    }  # fmt: skip
    assert any("tested in another language have no control task" in note for note in runs.notes)
    with pytest.raises(ConfigurationError, match="tested in another language have no control task"):
        planned_runs(
            {**settings, "search": {"by": "selectivity", "grid": {"model.head.dropout": [0.1]}}}
        )


def test_an_mlp_of_the_config_keeps_what_is_not_changed():
    (run,) = planned_runs(suite(config={"model": {"head": {"dropout": 0.1}}}))
    assert run.settings["model"]["head"] == {"type": "mlp", "hidden_dims": [300], "dropout": 0.1}


def test_runs_share_nothing():
    """AllenNLP takes the settings of a run apart."""
    changes = {"config": {"folds": {"type": "k_fold"}}, "probes": ["low_rank:2"], "seeds": 2}
    runs = planned_runs(suite(**changes, control=True))
    for key in ("folds", "trainer", "dataset_reader"):
        runs[0].settings[key].clear()
    runs[0].settings["model"]["head"].clear()
    assert [run.digest for run in runs[1:]] == [
        run.digest for run in planned_runs(suite(**changes, control=True))[1:]
    ]


def test_the_share_of_the_data_is_that_of_the_config():
    probes = {"half": {"train_share": 0.5}, "other": {}}
    runs = planned_runs(suite(probes=probes, config={"train_share": 0.25}))
    assert columns(runs, "probe", "train_share") == [("half", 0.5), ("other", 0.25)]
    assert [run.settings["train_share"] for run in runs] == [0.5, 0.25]


def test_order():
    """Work that shares features is together; a random representation is another one at each seed."""
    runs = planned_runs(
        suite(
            tasks=["Number", "Case"],
            representations={"chars": "char_ngrams", "m": "transformer:M"},
            layers=[6, 0],
            seeds=2,
        )
    )
    assert columns(runs, "representation", "layer", "seed", "task") == [
        ("chars", None, 13, "Number"), ("chars", None, 13, "Case"),
        ("chars", None, 14, "Number"), ("chars", None, 14, "Case"),
        ("m", 6, 13, "Number"), ("m", 6, 14, "Number"), ("m", 6, 13, "Case"), ("m", 6, 14, "Case"),
        ("m", 0, 13, "Number"), ("m", 0, 14, "Number"), ("m", 0, 13, "Case"), ("m", 0, 14, "Case"),
    ]  # fmt: skip


def test_a_treebank():
    entry = {"treebank": TREEBANK, "targets": ["upos", ["upos", "Case"]]}
    entry["probes"] = ["tagging", "distance", "edges"]
    runs = planned_runs(suite(tasks=["Case", entry], control=True, mdl=True))
    found = columns(runs, "task", "probe", "language", "level", "control")
    assert found == [
        ("Case", "single_form", "finnish", "type", False),
        ("Case", "single_form", "finnish", "type", True),
        *[(task, "tagging", "finnish", "token", c) for task in ("upos", "upos+Case") for c in (False, True)],
        ("trees", "distance", "finnish", "token", False),
        ("trees", "edges", "finnish", "token", False),
        ("trees", "edges", "finnish", "token", True),
    ]  # fmt: skip
    assert [run.settings.get("mdl") for run in runs] == [1, None, 1, None, 1, None, None, 1, None]
    assert runs.notes == ["distance has no control task: random edges make no tree."]
    assert "tested_on" not in runs[0].settings


def test_files_to_divide():
    data = {"files": [f"{TREEBANK}-*.conllu"], "split": "8:1:1", "max_sentences": 50}
    (run,) = planned_runs(
        suite(tasks={"treebank": data, "targets": "Case", "language": "suomi"}, data=[])
    )
    assert run.settings["train_data_path"] == f"{TREEBANK}-*.conllu#train/8:1:1/50"
    assert run.columns["language"] == "suomi" and run.columns["task"] == "Case"


def test_encoders_are_for_sentences():
    runs = planned_runs(
        suite(
            data=str(FIXTURES),
            tasks=["*_level/SentLen", "type_level/Case", "sentence_level/senteval/*.txt"],
            encoders={"avg": "average", "rand": "borep:dimension=8"},
            probes=["logistic_regression", "mlp"],
        )
    )
    assert Counter(columns(runs, "task", "level", "encoder")) == {
        **{(task, "sentence", enc): 2 for task in ("SentLen", "toy_voice") for enc in ("avg", "rand")},
        ("Case", "type", None): 2,
    }  # fmt: skip


def test_encoders_of_several_vectors_and_encoders_as_settings():
    shared = {
        "data": str(FIXTURES),
        "representations": {"both": [VECTORS, "char_ngrams"]},
        "encoders": {"p": "power_means", "s": {"type": "sif", "a": 0.01}},
    }
    runs = planned_runs(suite(**shared, tasks="sentence_level/SentLen"))
    assert columns(runs, "representation", "encoder") == [("both", "p"), ("both", "s")]
    for run in runs:
        assert len(run.settings["model"]["text_field_embedder"]["token_embedders"]) == 2
    assert runs[0].settings["model"]["encoder"] == {"type": "power_means", "normalize": True}
    assert runs[1].settings["model"]["encoder"] == {"type": "sif", "a": 0.01}
    with pytest.raises(ConfigurationError, match="both is a list, which only encoders"):
        planned_runs(suite(**shared, tasks="type_level/Case"))


def test_one_grid_may_have_what_another_has_not():
    grids = [
        {"tasks": "Number", "config": {"trainer": {"patience": 3}}},
        {"name": "b", "seeds": [1], "control": False},
    ]
    shared = suite(grids=grids, control=True, config={"trainer": {"num_epochs": 2}})
    runs = planned_runs(shared)
    assert columns(runs, "grid", "task", "seed", "control") == [
        ("b", "Case", 1, False), ("1", "Number", 13, False), ("1", "Number", 13, True),
    ]  # fmt: skip
    trainers = [run.settings["trainer"] for run in runs]
    assert [(each["num_epochs"], each["patience"]) for each in trainers] == [(2, 5), (2, 3), (2, 3)]


def test_a_control_can_be_skipped():
    runs = planned_runs(
        suite(tasks=["Case", "Number"], control=True, skip=[{"control": True, "task": "C*"}])
    )
    assert columns(runs, "task", "control") == [
        ("Case", False),
        ("Number", False),
        ("Number", True),
    ]
    assert not runs.notes


def test_two_rows_that_a_table_could_not_tell_apart():
    treebanks = {"files": [f"{TREEBANK}-*.conllu"]}
    tasks = [{"treebank": treebanks, "targets": "Case"}, {"treebank": TREEBANK, "targets": "Case"}]
    with pytest.raises(
        ConfigurationError, match="would be the same row of the table.* own language"
    ):
        planned_runs(suite(tasks=tasks))
    tasks[0]["language"] = "finnish-anew"
    assert columns(planned_runs(suite(tasks=tasks)), "language") == [
        ("finnish-anew",),
        ("finnish",),
    ]


@pytest.mark.realdata
def test_the_released_data(real_data):
    """No control of a type-level task can be learned there; those of tokens can."""
    runs = planned_runs(
        suite(
            data=f"{real_data}/linspector_released",
            tasks=["type_level/*", "token_level/*"],
            languages=["turkish"],
            control=True,
        )
    )
    controls = [run for run in runs if run.columns["control"]]
    assert Counter(columns(controls, "level")) == {("type",): 11 + 1, ("token",): 2}
    for run in controls:
        on_training_data = run.settings["validation_data_path"] == run.settings["train_data_path"]
        assert on_training_data == (run.columns["level"] == "type"), run.name


def test_search_by_selectivity_plans_the_controls():
    search = {"by": "selectivity", "samples": 4, "model.head.dropout": {"uniform": [0, 0.8]}}
    runs = planned_runs(suite(search=search, settings={"train_share": [0.5, 1]}))
    assert len(runs) == 2 * 4 * 2 and set(columns(runs, "search")) == {("selectivity",)}
    assert Counter(columns(runs, "train_share")) == {(0.5,): 8, (1,): 8}
    for run in runs:
        head = run.settings["model"]["head"]
        assert head["dropout"] == run.columns["settings"]["model.head.dropout"]
        assert run.settings["train_share"] == run.columns["settings"]["train_share"]


def test_what_is_not_there_is_left_out():
    runs = planned_runs(
        suite(
            tasks=["Case", "Tense"],
            languages=["fi", "turkish"],
            representations={"chars": "char_ngrams", "m": {"turkish": "x.vec"}},
            skip=[{"seed": 4}],
        )
    )
    assert columns(runs, "task", "language", "representation") == [("Case", "finnish", "chars")]
    of_tense, *others = runs.notes
    assert of_tense.startswith("Tense is left out. ") and of_tense.endswith("Person, SameFeat.")
    assert others == [
        "turkish has no data at all: left out there.",
        "m has nothing for finnish: left out there.",
        "skip: no run is seed: 4.",
    ]


def test_vectors_that_a_language_lacks(tmp_path):
    for language in ("finnish", "turkish"):
        (tmp_path / "data/Case").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"data/Case/{language}").symlink_to(FIXTURES / "type_level/Case/finnish")
    (tmp_path / "fi.vec").symlink_to(VECTORS)
    runs = planned_runs(
        suite(data=str(tmp_path / "data"), representations={"v": f"{tmp_path}/{{code}}.vec"})
    )
    assert columns(runs, "language") == [("finnish",)]
    (note,) = runs.notes
    assert note.startswith(f"v is left out for turkish: {tmp_path}/tr.vec: there is no such file")


def test_test_data_of_another_domain():
    runs = planned_runs(
        suite(test_data={"pairs": f"{TYPE_LEVEL}/Number/{{language}}"}, control=True)
    )
    assert columns(runs, "test", "control") == [("pairs", False), ("pairs", True)]
    for run in runs:
        assert run.settings["test_data_path"] == f"{TYPE_LEVEL}/Number/finnish/test.txt"
        assert run.settings["train_data_path"] == f"{TYPE_LEVEL}/Case/finnish/train.txt"


def test_the_same_run_of_two_grids_is_one():
    grids = [{"name": "a", "seeds": 2}, {"name": "b", "seeds": 3}]
    runs = planned_runs(suite(grids=grids))
    assert columns(runs, "grid", "seed") == [("a", 13), ("a", 14), ("b", 15)]
    assert runs.notes == ["2 of 5 runs are others once more, and not repeated."]


AXES = {
    "tasks": st.lists(
        st.sampled_from(["Case", "Number", "OddFeat", "*"]), min_size=1, max_size=2, unique=True
    ),
    "representations": st.lists(
        st.sampled_from(["char_ngrams", VECTORS, "transformer:a/B", "random_vectors"]),
        min_size=1, unique=True,
    ),
    "layers": st.lists(st.integers(-2, 6), min_size=1, max_size=2, unique=True),
    "seeds": st.integers(1, 3),
    "control": st.booleans(),
    "train_share": st.lists(st.sampled_from([0.1, 0.5, 1]), min_size=1, unique=True),
    "settings": st.just({}) | st.just({"model.head.dropout": [0, 0.25]}),
}  # fmt: skip

SKIPPED = st.fixed_dictionaries(
    {},
    optional={
        "task": st.sampled_from(["Case", "*Feat"]),
        "representation": st.sampled_from(["char_ngrams", "B"]),
        "seed": st.sampled_from([13, [14, 15]]),
        "layer": st.sampled_from([0, None]),
    },
)


@settings(max_examples=8)
@given(grid=st.fixed_dictionaries(AXES), skipped=SKIPPED)
def test_what_holds_of_every_plan(grid, skipped):
    runs = planned_runs(suite(**grid))
    digests = [run.digest for run in runs]
    assert len(set(digests)) == len(runs) == len({run.name for run in runs})
    assert all(run.name.isascii() and len(run.name) < 128 and "/" not in run.name for run in runs)
    assert digests == [run.digest for run in planned_runs(suite(**grid))]
    blocks = [
        key
        for number, key in enumerate(columns(runs, "representation", "layer"))
        if number == 0 or key != columns(runs, "representation", "layer")[number - 1]
    ]
    assert len(set(blocks)) == len(blocks), "a representation comes twice"

    def fits(run):
        task, layer, seed = (run.columns[key] for key in ("task", "layer", "seed"))
        return (
            skipped.get("task", task) in (task, f"*{task[-4:]}")
            and skipped.get("representation", run.columns["representation"])
            == run.columns["representation"]
            and seed in (skipped.get("seed", seed), *([14, 15] if skipped.get("seed") == [14, 15] else []))
            and skipped.get("layer", layer) == layer
        )  # fmt: skip

    left = [run.digest for run in runs if not fits(run)]
    if left:
        assert [run.digest for run in planned_runs(suite(**grid, skip=[skipped]))] == left
    else:
        with pytest.raises(ConfigurationError, match="the suite has no run"):
            planned_runs(suite(**grid, skip=[skipped]))


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"seed": 3}, "a suite has no seed. Did you mean seeds?"),
        ({"grids": [{"probe": []}]}, "grid 1 has no probe. Did you mean probes?"),
        ({"grids": []}, "grids: expected a list of grids"),
        ({"tasks": "Cas"}, "has no Cas. Did you mean Case?"),
        ({"tasks": "X*"}, "There is no "),
        ({"tasks": ["a\0"]}, "tasks: expected names and paths, found one with a NUL in it."),
        ({"languages": ["finish"]}, "there are no data of finish. Did you mean finnish?"),
        ({"languages": ["turkish"]}, "the suite has no run. turkish has no data at all: left out there."),
        ({"representations": ["char_ngram"]}, "Did you mean char_ngrams?"),
        ({"representations": ["a/x.vec", "b/x.vec"]}, "two of the list would be called 'x'"),
        ({"representations": {"a": {"file": "x"}}}, "a is neither text, nor settings"),
        ({"layers": ["mix"]}, "layers: expected numbers or 'all', found ['mix']. A mix"),
        ({"seeds": 0}, "seeds: expected their number (up to 10000) or a list of seeds (from 0 to"),
        ({"seeds": 10**18}, "4294967295), found 1000000000000000000."),
        ({"seeds": [2**32]}, "4294967295), found [4294967296]."),
        ({"seeds": [1.5]}, "found [1.5]."),
        ({"control": {"seed": 2**32}}, "control: expected a seed from 0 to 4294967295"),
        ({"name": [{}]}, "name: expected text, found [{}]."),
        ({"grids": [{"name": [{}]}]}, "name: expected text, found [{}]."),
        ({"grids": [{"config": 5}]}, "config: expected settings by name, found 5."),
        ({"test_data": {"a": None}}, "test_data: expected a path of a, found None."),
        ({"test_data": {"a": []}}, "test_data: expected a path of a, found []."),
        ({"test_data": ["a/x", "b/x"]}, "test_data: two of the list would be called 'x'"),
        ({"train_share": 2}, "train_share: expected shares from 0 to 1, found 2."),
        ({"control": {"per": "word"}}, "control: expected per: 'type' or 'item'"),
        ({"control": 1}, "control: expected settings by name, found 1."),
        ({"mdl": "yes"}, "mdl: expected true or false"),
        ({"probes": ["liner"]}, "there is neither a probe nor a head called liner. Did you mean linear?"),
        ({"probes": {"x": {"kind": "taging"}}}, "probes has no taging. Did you mean tagging?"),
        ({"probes": ["low_rank"]}, "rank"),
        ({"probes": ["distance"]}, "the suite has no run. Case/finnish: no probe of the grid is for"),
        ({"config": {"train_shares": 1}}, "of single_form has no train_shares. Did you mean train_share?"),
        ({"config": {"test_data_path": "x"}}, "the config of single_form has no test_data_path."),
        ({"config": {"seed": 1}}, "of single_form has no seed. The seeds of the suite (seeds: …) set it."),
        ({"config": {"random_seed": 1}}, "has no random_seed. The seeds of the suite"),
        ({"probes": {"a": {"numpy_seed": 1}}}, "has no numpy_seed. The seeds of the suite"),
        ({"settings": {"pytorch_seed": [1]}}, "has no pytorch_seed. The seeds of the suite"),
        ({"search": {"by": "loss", "random_seed": [1]}}, "has no random_seed. The seeds of the suite"),
        ({"config": {"train_share": 5}}, "train_share: expected a share from 0 to 1, found 5."),
        ({"config": {"model": []}, "mdl": True}, "model of the config: expected settings by name, found []."),
        ({"config": {"trainer": 5}}, "trainer of the config: expected settings by name, found 5."),
        ({"settings": {"model.type": [5]}, "control": True}, "model of the config: expected a type, found"),
        ({"probes": {"a": {"kind": 5}}}, "probes: expected of a a kind, a head or changes"),
        ({"probes": {"a": {"kind": []}}}, "found {'kind': []}."),
        ({"probes": {"a": {"model": 5, "head": "linear"}}}, "probes: model of a: expected settings by name"),
        ({"probes": {"a": {"head": 5}}}, "probes: head of a: expected settings by name, found 5."),
        (
            {"grids": [{"seeds": 10000, "train_share": [n / 6 for n in range(1, 7)]}] * 2},
            "the suite: expected at most 100000 runs, found 120000 runs of its grids = 120000.",
        ),
        (
            {"settings": {"model.a": list(range(400)), "model.b": list(range(400))}},
            "settings: expected at most 100000 runs, found 400 of model.a × 400 of model.b = 160000.",
        ),
        (
            {"seeds": 10000, "tasks": ["Case", "Number"], "train_share": [n / 8 for n in range(1, 9)]},
            "the suite: expected at most 100000 runs, found 2 tasks with a representation and a probe × 8 shares "
            "× 10000 seeds = 160000.",
        ),
        ({"settings": {"model.heads.rank": [1]}}, "has no settings model.heads to change. Did you mean head?"),
        ({"settings": {"model.head.dropout.x": [1]}}, "has no settings model.head.dropout to change."),
        ({"settings": {"model.head.rank": 3}}, "expected a list of values of model.head.rank, found 3."),
        ({"search": {"model.head.rank": [3]}}, "search: expected by"),
        (
            {
                "search": {"by": "selectivity", "model.rank": [3]},
                "tasks": {"treebank": TREEBANK, "probes": ["depth"]},
            },
            "search: by selectivity nothing can be chosen, because depth has no control task",
        ),
        ({"search": {"by": "accuracy"}}, "search: it names no settings to try."),
        ({"search": {"by": "accuracy", "a.b": {"unifrom": [0, 1]}}}, "Did you mean uniform?"),
        ({"search": {"by": "accuracy", "a.b": {"log_uniform": [0, 1]}}}, "log_uniform of a.b expects the least"),
        ({"skip": [{"taks": "Case"}]}, "skip has no taks. Did you mean task?"),
        ({"skip": [{"task": "*"}]}, "the suite has no run."),
        ({"tasks": [{"treebank": TREEBANK}]}, "there are no targets to tag"),
        ({"tasks": [{"treebank": TREEBANK, "targets": [[]]}]}, "targets: expected of each its name"),
        ({"tasks": [{"treebank": TREEBANK, "targets": {"a": 1}}]}, "together, found {'a': 1}."),
        ({"tasks": [{"treebank": TREEBANK, "target": "upos"}]}, "Did you mean targets?"),
        ({"tasks": [{"treebank": "no*/fi_x-ud", "targets": "upos"}]}, "there is no treebank no*/fi_x-ud-"),
        ({"tasks": [{"treebank": "nowhere/zzz", "targets": "upos"}]}, "cannot be told by its name"),
        ({"data": str(FIXTURES), "tasks": "sentence_level/SentLen"}, "SentLen is a task of sentences: say which"),
    ],
)  # fmt: skip
def test_what_is_refused(changes, message):
    with pytest.raises(ConfigurationError) as raised:
        planned_runs(suite(**changes))
    assert message in str(raised.value)


def of_words(embedders):
    return {"token_indexers": {}, "text_field_embedder": {"token_embedders": embedders}}


@pytest.mark.parametrize(
    "value",
    [
        True,
        [],
        {"representation": 5},
        {"token_indexers": 1, "text_field_embedder": 2},
        of_words(5),
        of_words({"t": 5}),
        {"representation": of_words({"t": {}}), "layers": [0]},
        of_words({"t": {"type": "random_bilstm", "base": 5}}),
        {"finnish": {"finnish": "x"}},
    ],
)
def test_what_is_no_representation(value):
    with pytest.raises(
        ConfigurationError, match="representations: a is neither text, nor settings"
    ):
        planned_runs(suite(representations={"a": value}))


def test_a_suite_file(tmp_path):
    path = tmp_path / "a.jsonnet"
    path.write_text("{ data: std.extVar('D'), seeds: 2, representations: ['char_ngrams'] }")
    found = read_suite(path, {"D": TYPE_LEVEL}, {"seeds": 1})
    assert found == {"data": TYPE_LEVEL, "seeds": 1, "representations": ["char_ngrams"]}
    assert len(planned_runs(found)) == 5
    with pytest.raises(ConfigurationError, match="a.jsonnet: .*undefined external variable: D"):
        read_suite(path)
    with pytest.raises(FileNotFoundError, match="there is no such suite file"):
        read_suite(tmp_path / "b.jsonnet")
