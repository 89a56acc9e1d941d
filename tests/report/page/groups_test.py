"""Groups of words and words that training data do not have, of a study's folder."""

import json

import pandas
import pytest

from linspector_allennlp.io.files import sha256
from linspector_allennlp.report.page.build import build_page
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.report.page.sections import groups
from linspector_allennlp.run_folders.study_folder import StudyFolder
from tests.report.page.made_pages import figures, sentences
from tests.run_folders.made_runs import made_study

TRAIN, TEST = ["talo", "kala", "puu"], ["talo", "kala", "koira", "kissa"]


def write_words(path, words):
    path.write_text("".join(f"{word}\tNom\n" for word in words), encoding="utf-8")
    return {"path": str(path), "sha256": sha256(path)}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Two representations, of two seeds each; one knows `talo` only."""
    monkeypatch.setattr(groups, "LEAST_ITEMS", 2)
    data = {
        name: write_words(tmp_path / f"{name}.txt", words)
        for name, words in (("train", TRAIN), ("validation", ["puu"]), ("test", TEST))
    }
    runs, rows, items = [], [], []
    for number, (name, seed) in enumerate([("a", 1), ("a", 2), ("b", 1), ("b", 2)]):
        columns = {"representation": name, "seed": seed, "language": "finnish"}
        runs.append((columns, {"data": data, "probe": "single_form_probe"}))
        score = {"run": f"run{number}", "task": "Case", "metric": "accuracy", "value": 0.5}
        rows.append({**score, **columns, "level": "type", "probe": "mlp"})
        for item, form in enumerate(TEST):
            right = form in ("talo", "kala") or (form == "kissa" and seed == 2)
            known = None if name == "b" else form == "talo"
            cells = {"run": f"run{number}", "item": item, "form": form, "gold": "x"}
            items.append({**cells, "label": "x", "correct": right, "known": known})
    folder = made_study(tmp_path / "study", runs)
    predictions = pandas.DataFrame(items).astype({"known": "boolean"})

    def make(shares=None, **settings):
        table = pandas.DataFrame(rows)
        if shares:
            table["train_share"] = table["run"].map(shares).fillna(1.0)
        found = ReportData("study", table, predictions, folder, **settings)
        return build_page(found)

    return make


def table_of(page, key):
    table = next(table for table in page.tables if table.key == key)
    names = [column.name for column in table.columns]
    return [dict(zip(names, row)) for row in table.rows]


def test_seen_and_known(study):
    page = study()
    rows = table_of(page, "groups-seen-all")
    assert [(row["representation"], row["group"], row["items"], row["value"]) for row in rows] == [
        ("a", "seen", 2, 1.0),
        ("a", "unseen", 2, 0.25),
        ("b", "seen", 2, 1.0),
        ("b", "unseen", 2, 0.25),
    ]
    known = table_of(page, "groups-known-all")
    assert [(row["representation"], row["group"], row["items"]) for row in known] == [
        ("a", "known", 1),
        ("a", "unknown", 3),
    ]
    drawn = {figure.key: figure.content for figure in figures(page, "groups")}
    (seen,) = [content for key, content in drawn.items() if key.startswith("groups-seen")]
    assert seen.rows == ["a, seen", "a, unseen", "b, seen", "b, unseen"]
    assert seen.texts == [["100.0"], ["25.0"], ["100.0"], ["25.0"]]
    # One item is no colour.
    (of_known,) = [content for key, content in drawn.items() if key.startswith("groups-known")]
    assert of_known.rows == ["a, unknown"]
    assert any("No frequency list was given" in each for each in sentences(page, "groups"))


def test_words_that_training_does_not_have(study):
    rows = {row["split"]: row for row in table_of(study(), "new-words")}
    assert rows["test"]["unknown"] == 0.5 and rows["validation"]["unknown"] == 0
    assert rows["train"]["unknown"] is None and rows["train"]["tokens"] == 3
    (figure,) = figures(study(), "new")
    assert [(series.name, series.y) for series in figure.content.series] == [
        ("validation", [0.0]),
        ("test", [0.5]),
    ]


def test_bands(study):
    page = study(ranks={"finnish": {"talo": 5, "kala": 1_000, "koira": 1_001}})
    rows = [row for row in table_of(page, "groups-frequency-all") if row["representation"] == "b"]
    assert [(row["group"], row["items"], row["value"]) for row in rows] == [
        ("1–1000", 2, 1.0),
        ("1001–10000", 1, 0.0),
        ("not in the list", 1, 0.5),
    ]


def test_training_data_that_have_changed(study, tmp_path):
    (tmp_path / "train.txt").write_text("koira\tNom\n")
    said = " ".join(sentences(study(), "groups"))
    assert "train.txt: the file has changed since the run read it" in said
    assert "Which words were seen in training is not known of any run." in said
    assert not any(table.key.startswith("groups-seen") for table in study().tables)


def test_shares_of_the_training_data_and_damaged_runs(study, tmp_path):
    record = tmp_path / "study/runs/run3/run.json"
    record.write_text(json.dumps({"format": 2}))
    rows = table_of(study(), "groups-seen-all")
    assert [row["seeds"] for row in rows] == [2, 2, 1, 1]
    assert len(StudyFolder(tmp_path / "study").plan()) == 4


@pytest.mark.parametrize(
    "part", [{"held_out": 0.2}, {"folds": {"number": 5}}, {"items": 2}, {"left_out": {"long": 1}}, {"record": 5}]
)  # fmt: skip
def test_words_that_were_not_trained_on_are_not_seen(study, tmp_path, part):
    """Neither of one run is said what was seen; the other one of its representation has all of it."""
    run = tmp_path / "study/runs/run0"
    made_by = json.loads((run / "provenance.json").read_text())
    made_by["data"]["train"]["items"] = len(TRAIN)
    (run / "provenance.json").write_text(json.dumps(made_by))
    assert [row["seeds"] for row in table_of(study(), "groups-seen-all")] == [2] * 4
    if "record" in part:
        record = json.loads((run / "run.json").read_text())
        (run / "run.json").write_text(json.dumps({**record, "folds": {"number": 5}}))
    elif {"items", "left_out"} & set(part):
        made_by["data"]["train"].update(part)
    else:
        made_by.update(part)
    (run / "provenance.json").write_text(json.dumps(made_by))
    assert [row["seeds"] for row in table_of(study(), "groups-seen-all")] == [1, 1, 2, 2]


@pytest.mark.parametrize("share, seeds", [(1.0, [2] * 4), (0.5, [1, 1, 2, 2])])
def test_a_share_of_the_training_data(study, share, seeds):
    rows = table_of(study(shares={"run0": share}), "groups-seen-all")
    assert [row["seeds"] for row in rows if row.get("train_share") in (None, 1)] == seeds


def test_without_predictions(study, tmp_path):
    page = build_page(ReportData("x", pandas.DataFrame({"task": ["a"], "value": [1.0]})))
    assert "There are no predictions of words" in sentences(page, "groups")[0]
