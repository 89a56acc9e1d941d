from linspector_allennlp.commands import new_config
from linspector_allennlp.commands.data import probe_data
from tests.commands.printed import printed


def test_the_list_and_a_config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = printed(new_config)
    assert text.startswith("config ") and "how much of it does spelling alone tell?" in text
    assert not list(tmp_path.iterdir())
    text = printed(new_config, "case_fin", "my.jsonnet")
    assert text == (
        "Wrote my.jsonnet. Finnish Case from character n-grams: how much of it does spelling alone tell?\n"
        "Train it with: linspector train my.jsonnet -s runs/my"
    )
    assert (tmp_path / "my.jsonnet").exists()
    text = printed(new_config, "suites/morphology_fin")
    assert text.endswith("linspector probe-suite morphology_fin.jsonnet -s runs/morphology_fin")


def test_example_data(tmp_path):
    text = printed(probe_data, "example", "--output", tmp_path / "DATA")
    assert f"TREEBANK={tmp_path}/DATA/raw/finnish-ud" in text
    assert "{train,dev,test}.txt: DATA_DIR=" in text
    assert (tmp_path / "DATA/raw/finnish-ud-train.conllu").exists()
