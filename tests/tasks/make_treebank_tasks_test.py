"""Token-level tasks and syneval's from Python, without a command."""

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.tasks.make_treebank_tasks import (
    make_syneval_tasks,
    make_token_level_tasks,
)


@pytest.fixture
def treebank(fixtures):
    return [str(fixtures / f"raw/finnish-ud-{split}.conllu") for split in SPLITS]


def test_token_level_tasks(treebank, tmp_path):
    result = make_token_level_tasks(tmp_path, "fi", treebank, size=100, tasks=["case", "Mood"])
    assert list(result.made) == ["Case"] and list(result.not_made) == ["Mood"]
    assert result.made["Case"]["level"] == "token-level"
    assert result.reading["treebank"]["unknown_tags"] == {"PronType=Prs": 52, "Connegative=Yes": 1}
    again = make_token_level_tasks(tmp_path, None, treebank, size=100, tasks=["Case"])
    assert again.unchanged == {"Case"} and again.made == result.made


def test_syneval_tasks(treebank, tmp_path):
    result = make_syneval_tasks(tmp_path, "fi", treebank, tasks=["pos", "gender"])
    assert list(result.made) == ["pos"]
    assert result.not_made == {"gender": "no word has a value: nothing in FEATS for Gender"}
    assert "messages" not in result.reading["treebank"]


@pytest.mark.parametrize("make", [make_token_level_tasks, make_syneval_tasks])
@pytest.mark.parametrize("setting, expected", [
    ({"size": 5}, "size: expected 10 or more, found 5"),
    ({"split_by": "page"}, "split_by is 'page', but must be one of"),
    ({"tasks": ["Kase"]}, "no Kase. There are"),
])  # fmt: skip
def test_settings_that_make_no_sense(make, setting, expected, treebank, tmp_path):
    with pytest.raises(ConfigurationError, match=expected):
        make(tmp_path, "fi", treebank, **setting)
    assert not list(tmp_path.iterdir())
