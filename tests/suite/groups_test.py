import copy
from collections import Counter
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.suite.groups import LARGEST, families, next_group
from linspector_allennlp.suite.planned_run import PlannedRun


def run(model="bert", layer=0, data="Case", hidden=50, seed=1):
    words = {"type": "transformer_layer", "model": model, "layer": layer}
    settings = {
        "dataset_reader": {"type": "token_in_context"},
        "model": {
            "text_field_embedder": {"token_embedders": {"words": words}},
            "head": {"hidden_dims": [hidden]},
        },
        "train_data_path": f"{data}/train.txt",
        "test_data_path": f"{data}/test.txt",
        "pytorch_seed": seed,
        "trainer": {"num_epochs": 3},
    }
    return PlannedRun(settings, {"task": data, "layer": layer, "seed": seed})


def _words(run):
    return _words_of(run.settings)


def _words_of(settings):
    return settings["model"]["text_field_embedder"]["token_embedders"]["words"]


def test_a_family_has_all_layers_of_a_model():
    runs = [run(model, layer, seed=seed) for seed in (1, 2) for layer in (3, 0) for model in "ba"]
    found = families(runs)
    models = [{_words(each)["model"] for each in family.runs} for family in found]
    assert models == [{"b"}, {"a"}], "in the order of the suite"
    assert [each.columns["layer"] for each in found[0].runs] == [0, 0, 3, 3]


def test_what_computes_nothing_is_one_family_a_task_after_the_other():
    runs = [run(kind, data=data, seed=seed) for kind in "ba" for data in "xy" for seed in (1, 2)]
    for each in runs:
        _words(each)["type"] = "char_ngrams"
    (family,) = families(runs)
    tasks = [(each.columns["task"], _words(each)["model"]) for each in family.runs]
    assert tasks == [(data, kind) for data in "xy" for kind in "ab" for _ in range(2)]
    assert list(next_group(family.runs, left=100, workers=1)) == list(family.runs), "half a group"
    assert len(next_group(family.runs, left=8, workers=1)) == 4, "at the end of a study"


def test_what_is_prepared_is_named_once():
    runs = [run(hidden=hidden, layer=layer) for hidden in (50, 100) for layer in (0, 1)]
    other = copy.deepcopy(runs[0].settings)
    other["dataset_reader"]["lowercase"] = True
    (family,) = families([*runs, PlannedRun(other, {})])
    (model,) = family.models
    assert len(model.to_prepare) == 3 and all(
        each in [r.settings for r in family.runs] for each in model.to_prepare
    )
    (family,) = families([run(seed=1), run(seed=2)])
    (model,) = family.models
    assert len(model.to_prepare) == 2, "a random representation differs by the seed"


def test_all_epochs_of_a_model_are_a_family():
    """Each is prepared by itself; a layer's probes of all epochs, which are of one size, are together."""
    found = [
        [(name, epoch, layer, data) for layer in (0, 7) for data in "ab"]
        for name in ("bert", "other")
        for epoch in (1, 2, 3)
    ]
    runs = []
    for name, epoch, layer, data in chain(*found):
        of_epoch = run(f"{name}/{epoch}", layer, data)
        columns = {**of_epoch.columns, "representation": name, "epoch": epoch}
        runs.append(PlannedRun(of_epoch.settings, columns))
    families_found = families([*runs, run("alone")])
    assert [len(family.runs) for family in families_found] == [12, 12, 1]
    assert [[model.name for model in family.models] for family in families_found] == [
        ["bert"] * 3, ["other"] * 3, [families_found[2].runs[0].name],
    ]  # fmt: skip
    models = [{_words_of(each)["model"] for each in m.to_prepare} for m in families_found[0].models]
    assert models == [{"bert/1"}, {"bert/2"}, {"bert/3"}]
    group = next_group(families_found[0].runs, left=25, workers=2)
    assert {each.columns["task"] for each in group} == {"a"}, "one task is one stack"
    assert [(each.columns["epoch"], each.columns["layer"]) for each in group] == [
        (epoch, layer) for layer in (0, 7) for epoch in (1, 2, 3)
    ]


def test_runs_of_one_shape_are_together():
    runs = [
        run(data=data, hidden=hidden, seed=s)
        for s in range(3)
        for hidden in (50, 9)
        for data in "ab"
    ]
    (family,) = families(runs)
    hidden = [each.settings["model"]["head"]["hidden_dims"][0] for each in family.runs]
    assert len([1 for one, two in zip(hidden, hidden[1:]) if one != two]) == 1
    first = next_group(family.runs, left=1000, workers=1)
    assert list(first) == list(family.runs)[:9], "the first six are not half of a group, nine are"
    (family,) = families([*runs, *(run(data="c", hidden=50, seed=seed) for seed in range(5))])
    group = next_group(family.runs, left=1000, workers=1)
    assert {each.settings["model"]["head"]["hidden_dims"][0] for each in group} == {50}


def test_long_runs_come_first_and_alone():
    runs = [run(seed=seed) for seed in range(40)]
    long = [PlannedRun({**run(seed=s).settings, "type": "recorded_run"}, {}) for s in range(2)]
    (family,) = families([*runs, *long])
    assert sorted(each.digest for each in family.runs[:2]) == sorted(each.digest for each in long)
    assert next_group(family.runs, 42, workers=1) == family.runs[:1]
    assert len(next_group(family.runs[1:], 41, workers=1)) == 1
    assert len(next_group(family.runs[2:], 40, workers=1)) == LARGEST


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1), st.integers(1, 3), st.integers(0, 9))),
       st.integers(1, 8))  # fmt: skip
def test_every_run_comes_once(drawn, workers):
    runs = [run(model, layer, hidden=hidden, seed=seed) for model, layer, hidden, seed in drawn]
    sent = []
    for family in families(runs):
        left = list(family.runs)
        while left:
            group = next_group(left, len(left), workers)
            assert 1 <= len(group) <= LARGEST
            sent += group
            del left[: len(group)]
    assert Counter(each.digest for each in sent) == Counter(each.digest for each in runs)


def test_groups_are_smaller_towards_the_end():
    left, sizes = [run(seed=seed) for seed in range(100)], []
    while left:
        sizes.append(len(next_group(left, len(left), workers=2)))
        del left[: sizes[-1]]
    assert sizes[0] == LARGEST and sizes == sorted(sizes, reverse=True)
    assert sizes[-5:] == [4, 4, 4, 2, 1]
