import pytest
from allennlp.common import Params

from linspector_allennlp.example_files import EXAMPLE, copy_example, starting_configs, write_config
from linspector_allennlp.suite.job import Job


def test_every_starting_config_says_what_it_is_for(root):
    configs = starting_configs()
    shipped = root / "training_configs"
    assert set(configs) == {
        str(path.relative_to(shipped).with_suffix("")) for path in shipped.rglob("*.jsonnet")
    }
    assert all(about.endswith((".", "?")) for about in configs.values())
    assert configs["case_fin"].startswith("Finnish Case from character n-grams")


@pytest.mark.parametrize("name", starting_configs())
def test_a_written_config_reads_as_the_shipped_one(
    name, tmp_path, environment, treebank, monkeypatch
):
    environment("Case")
    treebank()
    for variable in (
        "VECTORS_DIR",
        "UD_DIR",
        "MODEL",
        "SRL_DIR",
        "NER_DIR",
        "XNLI_DIR",
        "XNLI_LANGUAGE",
    ):
        monkeypatch.setenv(variable, "x")
    path = write_config(name, tmp_path / "new/folder/my.jsonnet")
    shipped = Params.from_file(str(EXAMPLE / f"configs/{name}.jsonnet"))
    assert Params.from_file(str(path)).as_dict(quiet=True) == shipped.as_dict(quiet=True)


def test_where_it_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert str(write_config("case_fin")) == "case_fin.jsonnet"
    with pytest.raises(FileExistsError, match="case_fin.jsonnet is there.*--force"):
        write_config("case_fin.jsonnet", tmp_path)
    assert str(write_config("downstream/srl")) == "srl.jsonnet"
    (tmp_path / "srl.jsonnet").unlink()
    assert str(write_config("suites/syneval")) == "syneval.jsonnet"
    (tmp_path / "syneval.jsonnet").unlink()
    (tmp_path / "case_fin.jsonnet").write_text("mine")
    write_config("case_fin", force=True)
    assert (tmp_path / "case_fin.jsonnet").read_text().startswith("// Finnish Case")
    assert [path.name for path in tmp_path.iterdir()] == ["case_fin.jsonnet"]


def test_a_name_that_there_is_not(tmp_path):
    with pytest.raises(
        ValueError, match="no starting config case_fi. Did you mean case_fin.*depth"
    ):
        write_config("case_fi", tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_data_train(tmp_path, fixtures):
    folders = copy_example(tmp_path / "DATA")
    for name, folder in folders.items():
        for path in (path for path in folder.rglob("*") if path.is_file()):
            assert path.read_bytes() == (fixtures / name / path.relative_to(folder)).read_bytes()
    assert not list(tmp_path.rglob("*.store*"))
    variables = {"DATA_DIR": str(folders["type_level"]), "TASK": "Number", "LANGUAGE": "finnish"}
    variables["VECTORS"] = str(folders["vectors"] / "finnish.vec")
    config = write_config("single_form", tmp_path)
    run = Job(config, tmp_path / "run", variables, {"trainer.num_epochs": 1}).run()
    assert run.task == "Number/finnish"
    with pytest.raises(FileExistsError, match="is there.*--force"):
        copy_example(tmp_path / "DATA")
    copy_example(tmp_path / "DATA", force=True)
    variables["TASK"] = "Nummer"
    with pytest.raises(FileNotFoundError, match="type_level has no Nummer. Did you mean Number"):
        Job(config, tmp_path / "other", variables).run()
