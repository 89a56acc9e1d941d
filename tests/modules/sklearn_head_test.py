import io
import pickletools
import zipfile

import numpy as np
import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from linspector_allennlp.modules import ProbeHead

CLASSIFIERS = {
    "LogisticRegression": (LogisticRegression, {"C": 3.75, "solver": "lbfgs", "max_iter": 1000}),
    "RandomForestClassifier": (RandomForestClassifier, {"n_estimators": 25, "max_depth": 70}),
    "LinearSVC": (LinearSVC, {"C": 3.0}),
    "GaussianNB": (GaussianNB, {}),
    "KNeighborsClassifier": (KNeighborsClassifier, {"n_neighbors": 3}),
}


class Foreign:
    """A type that an archive might name."""


def build(classifier, num_labels=3, input_dim=5, **settings):
    lazy = Lazy(
        ProbeHead, Params({"type": "sklearn", "classifier": classifier, "settings": settings})
    )
    return lazy.construct(input_dim=input_dim, num_labels=num_labels)


def data(num_items=300, num_labels=3, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(num_labels, size=num_items)
    features = rng.normal(size=(num_items, 5)) + labels[:, None] * 0.7
    return torch.from_numpy(features).float(), torch.from_numpy(labels)


@pytest.mark.parametrize("num_labels", [2, 3])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_answers_are_those_of_scikit_learn(name, num_labels):
    cls, settings = CLASSIFIERS[name]
    train, test = data(num_labels=num_labels), data(seed=1, num_labels=num_labels)
    head = build(name, num_labels, **settings)
    head.fit(*train, seed=13)
    plain = cls(**settings)
    if "random_state" in plain.get_params():
        plain.set_params(random_state=13)
    plain.fit(train[0].numpy(), train[1].numpy())
    logits = head(test[0])
    assert logits.argmax(dim=-1).tolist() == plain.predict(test[0].numpy()).tolist()
    if hasattr(plain, "predict_proba"):
        expected = plain.predict_proba(test[0].numpy())
        assert np.allclose(torch.softmax(logits, dim=-1), expected, atol=1e-12)
    assert head.gives_probabilities == (name != "LinearSVC")


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_it_is_kept_as_data_and_not_as_a_pickle(name):
    _, settings = CLASSIFIERS[name]
    features, labels = data()
    head = build(name, **settings)
    head.fit(features, labels, seed=1)
    file = io.BytesIO()
    torch.save(head.state_dict(), file)
    # Nothing but tensors can be loaded like this.
    state = torch.load(io.BytesIO(file.getvalue()), weights_only=True)
    content = state["estimator"].numpy().tobytes()
    for member in zipfile.ZipFile(io.BytesIO(content)).infolist():
        assert member.filename.endswith((".json", ".npy", ".npz")), member.filename
    again = build(name, **settings)
    again.load_state_dict(state)
    assert torch.equal(again(features), head(features))


def test_a_state_with_foreign_types_is_refused():
    """What a file says is to be made is made only where the type is known to be harmless."""
    skops = pytest.importorskip("skops.io")
    head = build("GaussianNB")
    content = skops.dumps(Foreign())
    assert skops.get_untrusted_types(data=content)
    state = {
        **head.state_dict(),
        "estimator": torch.from_numpy(np.frombuffer(content, np.uint8).copy()),
    }
    with pytest.raises(ConfigurationError, match="loaded safely: .*Foreign"):
        head.load_state_dict(state)
    pickle = b"cos\nsystem\n(S'true'\ntR."
    assert any(op.name == "REDUCE" for op, _, _ in pickletools.genops(pickle))
    state["estimator"] = torch.from_numpy(np.frombuffer(pickle, np.uint8).copy())
    with pytest.raises(ConfigurationError, match="loaded safely: "):
        head.load_state_dict(state)


def test_another_classifier_in_the_archive_is_refused():
    features, labels = data()
    other = build("LogisticRegression", num_labels=5)
    other.fit(features, labels + 2, seed=0)
    for head, message in [
        (build("GaussianNB", num_labels=5), "no GaussianNB .* but LogisticRegression"),
        (build("LogisticRegression"), r"of 3 labels .* but LogisticRegression of \[2, 3, 4\]"),
        (build("LogisticRegression", 5, input_dim=4), "4 features"),
    ]:
        with pytest.raises(ConfigurationError, match=message):
            head.load_state_dict(other.state_dict())
    with pytest.raises(ConfigurationError, match="the weights have no LogisticRegression"):
        other.load_state_dict({"nothing": torch.zeros(0)})


def test_scores_that_are_not_of_labels():
    head = build("SVC", num_labels=4, decision_function_shape="ovo")
    with pytest.raises(ConfigurationError, match="SVC gives no score for each label"):
        head.fit(*data(num_labels=4), seed=0)


def test_labels_that_training_does_not_have():
    features, labels = data()
    for name in ("LogisticRegression", "LinearSVC", "GaussianNB"):
        head = build(name, num_labels=5)
        head.fit(features, labels + 1, seed=0)
        answers = head(features).argmax(dim=-1)
        assert head(features).shape == (300, 5) and set(answers.tolist()) <= {1, 2, 3}


def test_one_label():
    features, labels = data()
    head = build("LinearSVC", num_labels=3)
    head.fit(features, torch.ones_like(labels), seed=0)
    assert set(head(features).argmax(dim=-1).tolist()) == {1}


def test_the_seed_is_that_of_the_run_unless_it_is_given():
    features, labels = data()
    answers = []
    for settings, seed in [({}, 1), ({}, 2), ({"random_state": 7}, 1), ({"random_state": 7}, 2)]:
        head = build("RandomForestClassifier", n_estimators=5, **settings)
        head.fit(features, labels, seed=seed)
        answers.append(head(features))
    assert not torch.equal(answers[0], answers[1]) and torch.equal(answers[2], answers[3])


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"classifier": "LogisticRegresion"}, "scikit-learn has no 'LogisticRegresion'"),
        ({"classifier": "SVC", "settings": {"probability": True}}, "do not agree with its answers"),
        ({"classifier": "GaussianProcessClassifier"}, "cannot be kept in an archive without code"),
        ({"classifier": "GaussianNB", "settings": {"C": 1}}, "GaussianNB: .*unexpected keyword"),
    ],
)
def test_wrong_settings(settings, message):
    lazy = Lazy(ProbeHead, Params({"type": "sklearn", **settings}))
    with pytest.raises(ConfigurationError, match=message):
        lazy.construct(input_dim=2, num_labels=2)


def test_a_classifier_that_cannot_be_fitted_says_why():
    head = build("LogisticRegression", C=-1.0)
    with pytest.raises(ConfigurationError, match="LogisticRegression could not be fitted: .*'C'"):
        head.fit(*data(), seed=0)
    with pytest.raises(ConfigurationError, match="was not yet"):
        build("GaussianNB")(torch.zeros(1, 5))
