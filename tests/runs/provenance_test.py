import json
import os

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.runs.provenance import read_config, record_provenance

BEGUN = {
    "seed": 1,
    "versions": {"torch": "2"},
    "task": {"target": "upos"},
    "data": {"train": {"sha256": "a"}},
    "representation": [],
}


def test_a_run_goes_on_with_the_same_data_and_says_with_which_versions(tmp_path):
    record_provenance(str(tmp_path), BEGUN)
    record_provenance(str(tmp_path), {**BEGUN, "versions": {"torch": "3"}})
    assert json.loads((tmp_path / "provenance.json").read_text())["versions"] == {"torch": "3"}


@pytest.mark.parametrize(
    "change",
    [
        {"data": {"train": {"sha256": "b"}}},
        {"representation": [{"sha256": "c"}]},
        {"task": {"target": "xpos"}},
    ],
)
def test_a_run_does_not_go_on_with_other_files(tmp_path, change):
    record_provenance(str(tmp_path), BEGUN)
    with pytest.raises(ConfigurationError, match="not those that this run was begun with"):
        record_provenance(str(tmp_path), {**BEGUN, **change})
    assert json.loads((tmp_path / "provenance.json").read_text()) == BEGUN


@pytest.mark.parametrize("text, message", [
    ("{", "expected JSON"), ("[]", "expected a JSON object"), (None, "is a pipe"),
])  # fmt: skip
def test_a_damaged_file_is_named(tmp_path, text, message):
    for name, read in (
        ("provenance.json", lambda: record_provenance(str(tmp_path), BEGUN)),
        ("config.json", lambda: read_config(tmp_path)),
    ):
        if text is None:
            os.mkfifo(tmp_path / name)
        else:
            (tmp_path / name).write_text(text)
        with pytest.raises(ValueError, match=f"{name}.* {message}"):
            read()
