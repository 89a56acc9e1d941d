import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite.changes import merged, with_change

CONFIG = {"model": {"head": {"type": "mlp", "dropout": 0.5}, "x": 1}, "trainer": "t"}


def test_merged():
    assert merged(CONFIG, {"model": {"head": {"dropout": 0.1}}, "y": {"a": 1}}) == {
        "model": {"head": {"type": "mlp", "dropout": 0.1}, "x": 1}, "trainer": "t", "y": {"a": 1},
    }  # fmt: skip
    other = merged(CONFIG, {"model": {"head": {"type": "linear"}}})
    assert other["model"] == {"head": {"type": "linear"}, "x": 1}, "settings of another type"
    assert CONFIG["model"]["head"] == {"type": "mlp", "dropout": 0.5}


def test_with_change():
    changed = with_change(CONFIG, "model.head.rank", 3)
    assert changed["model"] == {"head": {"type": "mlp", "dropout": 0.5, "rank": 3}, "x": 1}
    assert with_change(CONFIG, "model.head", 3)["model"] == {"head": 3, "x": 1}
    assert "rank" not in CONFIG["model"]["head"]


@pytest.mark.parametrize(
    "key, message",
    [
        (
            "modle.head",
            "modle.head: the config has no settings modle to change. Did you mean model?",
        ),
        ("trainer.a", "trainer.a: the config has no settings trainer to change."),
    ],
)
def test_what_is_refused(key, message):
    with pytest.raises(ConfigurationError) as raised:
        with_change(CONFIG, key, 1)
    assert raised.value.message == message
