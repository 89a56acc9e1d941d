import pytest

from linspector_allennlp import jsonnet
from linspector_allennlp.suite.probes import KINDS, head, questions, read_probes
from linspector_allennlp.suite.suite_data import SuiteData


@pytest.mark.parametrize(
    "text, expected",
    [
        ("linear", {"type": "linear", "dropout": 0}),
        ("low_rank:10", {"type": "low_rank", "rank": 10, "dropout": 0}),
        ("low_rank:rank=10:dropout=0.4", {"type": "low_rank", "rank": 10, "dropout": 0.4}),
        ("mlp:[100,50]:relu", {"type": "mlp", "hidden_dims": [100, 50], "activation": "relu", "dropout": 0}),
        ("naive_bayes", {"type": "sklearn", "classifier": "GaussianNB", "settings": {}}),
        (
            'sklearn:KNeighborsClassifier:{"n_neighbors"\\: 5}',
            {"type": "sklearn", "classifier": "KNeighborsClassifier", "settings": {"n_neighbors": 5}},
        ),
    ],
)  # fmt: skip
def test_heads(text, expected):
    assert head(text) == expected


def asked(data, probes):
    return [(q.probe, q.kind, q.task, dict(q.given)) for q in questions(data, read_probes(probes))]


TREEBANK = SuiteData("treebank", "", "finnish", "t", targets=["upos", ["upos", "Case"]])


def test_of_a_treebank():
    tags = [{"target": "upos"}, {"target": ["upos", "Case"]}]
    assert asked(TREEBANK, None) == [
        ("tagging", "tagging", "upos", tags[0]),
        ("tagging", "tagging", "upos+Case", tags[1]),
    ]
    assert asked(TREEBANK, ["edges", "linear"]) == [
        ("edges", "edges", "trees", {}),
        ("linear", "tagging", "upos", tags[0]),
        ("linear", "tagging", "upos+Case", tags[1]),
    ]
    named = {"mlp1": {"kind": "control_tasks.edges", "probe": "mlp1"}, "depth": {}}
    assert asked(TREEBANK, named) == [
        ("mlp1", "control_tasks.edges", "trees", {}),
        ("depth", "depth", "trees", {}),
    ]


def test_a_probe_asks_its_own_kind_of_data():
    forms = SuiteData("single_form", "Case", "finnish", "d")
    pairs = SuiteData("paired_forms", "OddFeat", "finnish", "d")
    probes = ["syneval", "linear"]
    assert asked(forms, probes) == [
        ("syneval", "syneval", "Case", {}),
        ("linear", "single_form", "Case", {}),
    ]
    assert asked(pairs, probes) == [("linear", "paired_forms", "OddFeat", {})]


def test_a_topic_is_encoded():
    data = SuiteData("sentence_with_topic", "ArgMin", "english", "d")
    assert asked(data, None) == [("sentence", "sentence", "ArgMin", {"topic": "encode"})]


def test_changes_of_a_probe():
    (probe,) = read_probes({"p": {"head": "linear", "model": {"x": 1}, "train_share": 0.5}})
    assert probe.changes == {
        "model": {"x": 1, "head": {"type": "linear", "dropout": 0}},
        "train_share": 0.5,
    }
    (probe,) = read_probes({"p": {"head": {"type": "mlp", "hidden_dims": [3]}}})
    assert probe.changes == {"model": {"head": {"type": "mlp", "hidden_dims": [3]}}}


def test_every_kind_of_the_library_is_here():
    probe = "local p = import 'linspector/probe.libsonnet'; "
    names = jsonnet.evaluate(probe + "[n for n in std.objectFields(p) if std.isObject(p[n])]")
    assert set(names) == {kind for kinds in KINDS.values() for kind in kinds if "." not in kind}
