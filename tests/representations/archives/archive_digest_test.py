import sys

from linspector_allennlp.representations.archives.archive_digest import code_digests, model_digest


def make_run(folder):
    (folder / "vocabulary").mkdir(parents=True)
    for name in ("config.json", "best.th", "other.th", "metrics.json", "vocabulary/tokens.txt"):
        (folder / name).write_text(name)
    return folder


def test_what_decides_the_vectors(tmp_path, monkeypatch):
    monkeypatch.setenv("LINSPECTOR_CACHE", str(tmp_path / "cache"))
    run = make_run(tmp_path / "run")

    def digest(weights="best.th"):
        return model_digest(run, run, run / weights)

    first = digest()
    assert len(first) == 64 and first != digest("other.th")
    (run / "metrics.json").write_text("other")
    assert digest() == first
    for name in ("config.json", "vocabulary/tokens.txt", "best.th"):
        (run / name).write_text("changed")
        assert digest() != first
        (run / name).write_text(name)
        assert digest() == first


def test_code(tmp_path, monkeypatch):
    package = tmp_path / "linspector_test_code"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.py").write_text("x = 1")
    (tmp_path / "linspector_test_file.py").write_text("x = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    names = ["linspector_test_code", "linspector_test_file"]
    first = code_digests(names)
    assert first == code_digests(names)
    (package / "model.py").write_text("x = 2")
    second = code_digests(names)
    assert second[0] != first[0] and second[1] == first[1]
    (tmp_path / "linspector_test_file.py").write_text("x = 2")
    assert code_digests(names)[1] != first[1]
    assert not set(names) & set(sys.modules)
    assert code_digests([]) == []
