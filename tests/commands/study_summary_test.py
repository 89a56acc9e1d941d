"""The summary of studies that were made by hand."""

import csv
import io
import json
import math
import subprocess
import sys

import pytest

from linspector_allennlp.commands.probe_summary import Wanted, summarize, summary_of
from linspector_allennlp.commands.summary_formats import as_csv, as_latex, as_markdown
from linspector_allennlp.run_folders.run_record import Column
from tests.run_folders.made_runs import TREES, accuracy, made_run, made_study


def scored(value, warnings=(), majority=0.3, overlap_test=0.9, **metrics):
    facts = {"baseline_majority": majority, "oov_test": 0.25, "overlap_test": overlap_test}
    ends = {"test_accuracy_low": value - 0.1, "test_accuracy_high": value + 0.1}
    return {**accuracy(value, **facts, **ends, **metrics), "warnings": warnings}


# Means .5 (sd .1), .5004 (sd 0), .2.
RUNS = [
    ({"task": "Case", "representation": "a", "seed": 0}, scored(0.4)),
    ({"task": "Case", "representation": "a", "seed": 1}, scored(0.6)),
    ({"task": "Number", "representation": "a", "seed": 0}, scored(0.2, majority=0.1)),
    ({"task": "Number", "representation": "a", "seed": 1}, None),
    ({"task": "Case", "representation": "b", "seed": 0}, scored(0.5004)),
    ({"task": "Case", "representation": "b", "seed": 1}, scored(0.5004)),
]


def lines_of(folder, **wanted):
    return summarize([str(folder)], Wanted(**wanted)).splitlines()


def test_seeds_best_and_what_is_missing(tmp_path):
    study = made_study(tmp_path, RUNS)
    study.failed.mkdir()
    (study.failed / "run3.json").write_text("{}")
    assert lines_of(tmp_path) == [
        "All rows: language fin, probe linear, unknown words 25.0.",
        "task    representation  seeds  test accuracy  95 % interval  majority",
        "──────  ──────────────  ─────  ─────────────  ─────────────  ────────",
        "Case    a               2       50.0 ± 14.1*    40.0 – 60.0      30.0",
        "Case    b               2        50.0 ± 0.0*    40.0 – 60.0      30.0",
        "Number  a               1              20.0     10.0 – 30.0      10.0",
        "",
        "± is the standard deviation; an interval is one over items, of the mean of the seeds; "
        "* is the best of its task, as rounded.",
        "",
        f"{tmp_path}: 5 of 6 runs are there; 1 failed (see {tmp_path}/failed).",
    ]


def test_a_control_task_stands_beside_its_task(tmp_path):
    task, control = {"seed": 0}, {"seed": 0, "control": True}
    alone = {"task": "Number", "control": True}
    study = [(task, scored(0.8)), (control, scored(0.5)), (alone, scored(0.4))]
    header, _, *rows = lines_of(made_study(tmp_path, study).path)[1:5]
    assert header.split()[-2:] == ["control", "selectivity"]
    assert rows[0].split()[-2:] == ["50.0", "30.0"]
    assert rows[1].startswith("Number, control ") and rows[1].split()[-2:] == ["–", "–"]


def test_a_control_task_that_cannot_be_learned(tmp_path):
    unseen = scored(0.5, overlap_test=0.0)["metrics"]
    study = [
        ({"task": task, "control": control}, {"metrics": unseen})
        for task in ("Case", "Number")
        for control in (False, True)
    ]
    text = "\n".join(lines_of(made_study(tmp_path, study).path))
    assert "control 50.0" in text and "selectivity" not in text.splitlines()[1]
    assert "There is no selectivity where the control task cannot be learned." in text


def test_other_rows(tmp_path):
    made_study(tmp_path, RUNS)
    lines = lines_of(tmp_path, by=["representation"], sort=["score"])
    caption, header, _, first, second = lines[:5]
    assert caption == "All rows: unknown words 25.0. A row is the mean over task, seed."
    assert header.split()[:2] == ["representation", "runs"]
    # b: .5004 twice; a: the mean of .4, .6, .2, and its deviations 0, .2, −.2.
    assert first.split()[:5] == ["b", "2", "50.0", "±", "0.0*"]
    assert second.split()[:5] == ["a", "3", "40.0", "±", "20.0"]
    assert "interval" not in header or second.split()[5] == "–"
    (shown,) = [line for line in lines_of(tmp_path, where="task=N*") if line.startswith("Number")]
    assert shown.split()[:3] == ["Number", "a", "20.0"]
    for wrong in ({"where": "tsk=Case"}, {"by": ["tsk"]}, {"sort": ["tsk"]}):
        with pytest.raises(ValueError, match="there is no .*tsk"):
            lines_of(tmp_path, **wrong)
    with pytest.raises(ValueError, match="no run has task=Mood. There are: "):
        lines_of(tmp_path, where="task=Mood")


def test_other_scores(tmp_path):
    more = {
        "test_macro_f1": 0.45, "baseline_majority_macro_f1": 0.2, "best_validation_accuracy": 0.7,
        "test_loss": 1.25, "test_usable_bits": 2,
    }  # fmt: skip
    study = [
        ({}, scored(0.5, **more)),
        ({"task": "x"}, scored(0.4, **more, best_validation_loss=1)),
    ]
    made_study(tmp_path, study)
    f1 = lines_of(tmp_path, metric="macro_f1")
    assert f1[0].endswith(", majority 20.0.") and f1[1].split() == "task test macro f1".split()
    assert f1[3].split() == ["Case", "45.0"]
    assert lines_of(tmp_path, metric="loss")[3].split() == ["Case", "1.250"]
    assert lines_of(tmp_path, split="validation")[3].split() == ["Case", "70.0"]
    assert lines_of(tmp_path, metric="loss", split="validation")[4].split() == ["x", "1.000"]
    assert lines_of(tmp_path, metric="uuas") == ["2 runs have no test_uuas."]


def test_the_settings_of_a_search(tmp_path):
    study = [
        ({"settings": {"rank": rank}, "search": "accuracy"}, scored(0.5, best_validation_accuracy=v))
        for rank, v in ((10, 0.5), (5, 0.9), (2, 0.8))
    ]  # fmt: skip
    made_study(tmp_path, [*study, ({"task": "Number"}, scored(0.1))])
    text = "\n".join(lines_of(tmp_path))
    assert "rank=5" in text and "rank=10" not in text and "Number" in text
    assert "2 runs with settings that a search did not choose: --all-settings." in text
    everything = "\n".join(lines_of(tmp_path, all_settings=True))
    assert everything.count("rank=") == 3 and "did not choose" not in everything
    assert lines_of(tmp_path, where="rank=10", all_settings=True)[3].split()[2] == "50.0"


def test_settings_of_one_name_are_told_apart(tmp_path):
    study = [
        (
            {"settings": {"model.head.dropout": each, "trainer.x": 1, "model.dropout": 0}},
            scored(0.5),
        )
        for each in (0.1, 0.2)
    ]
    text = "\n".join(lines_of(made_study(tmp_path, study).path))
    assert "model.head.dropout=0.1, x=1, model.dropout=0 " in text


def test_warnings_are_said_once(tmp_path):
    low = [
        "dir/dev.txt: the score, {}.5 %, is below: suffix ({}1.0 %)",
        "x/y: labels: 'a' (3), 'b' (4)",
    ]
    study = [({"seed": n}, scored(0.5, [text.format(n, n) for text in low])) for n in range(4)]
    study[0][1]["warnings"][1] = "z/y: labels: 'a' (3)"
    study[3][1]["warnings"].append("only here")
    made_study(tmp_path, study)
    warnings = [line for line in lines_of(tmp_path) if line.startswith("Warning")]
    assert warnings == [
        "Warning: 4 runs, such as run0: dir/dev.txt: the score, 0.5 %, is below: suffix (01.0 %)",
        "Warning: 4 runs, such as run0: z/y: labels: 'a' (3)",
        "Warning: only here (run3)",
    ]


def test_kinds_of_runs_have_tables_of_their_own(tmp_path):
    trees = {
        "metrics": {"test_uuas": 0.6, "test_dspr": 0.7},
        "columns": TREES,
        "main_metric": "uuas",
    }
    made_study(tmp_path, [*RUNS, ({"task": "trees"}, trees)])
    tables = "\n".join(lines_of(tmp_path)).split("\n\n")
    assert "test accuracy" in tables[0] and "UUAS" not in tables[0]
    assert tables[1].splitlines()[3].split() == ["trees", "a", "60.0", "0.700"]
    rows = list(csv.DictReader(io.StringIO(as_csv(summary_of([str(tmp_path)]).tables))))
    assert rows[-1]["test_uuas"] == "0.6" and rows[-1]["test_accuracy"] == ""
    assert [row["task"] for row in rows] == ["Case", "Case", "Number", "trees"]
    assert float(rows[0]["test_accuracy"]) == 0.5 and rows[0]["seeds"] == "2"
    assert float(rows[0]["test_accuracy_sd"]) == pytest.approx(0.02**0.5)


def test_run_folders_and_studies_together(tmp_path):
    """Runs that no suite named are told apart by their configs, but for seeds."""
    made_study(tmp_path / "study", RUNS[:2])
    for number, (seed, rank) in enumerate(((0, 2), (1, 2), (0, 4), (1, 4))):
        made_run(tmp_path / f"{number}", seed=seed, **scored(0.1 + 0.1 * number))
        config = {"random_seed": seed, "model": {"head": {"rank": rank}, "x": {"seed": seed}}}
        (tmp_path / f"{number}/config.json").write_text(json.dumps(config))
    paths = [str(tmp_path / name) for name in ("study", "0", "1", "2", "3", "3", "nothing")]
    lines = summarize(paths).splitlines()
    assert [line.split()[:4] for line in lines[3:6]] == [
        ["a", "–", "50.0", "±"], ["char_ngrams", "rank=2", "15.0", "±"], ["char_ngrams", "rank=4", "35.0", "±"],
    ]  # fmt: skip
    assert ", 2 seeds, majority 30.0" in lines[0]
    assert lines[-1].endswith("nothing: there is no such folder.")
    _, header, _, first, second = summarize(paths[1:4]).splitlines()[:5]
    assert header.split()[:2] == ["settings", "seeds"]
    assert (first.split()[:2], second.split()[:2]) == (["rank=2", "2"], ["rank=4", "1"])
    # As many rows as runs: they are told by their folders.
    alone = summarize([paths[1], paths[3]]).splitlines()
    assert [line.split()[0] for line in alone[1:5]][::2] == ["run", paths[1]]


def test_damaged_runs_are_named(tmp_path):
    study = made_study(tmp_path, RUNS)
    (study.run_path("run0") / "run.json").write_text("{")
    assert "Left out: " + str(study.run_path("run0")) in "\n".join(lines_of(tmp_path))
    made_study(tmp_path / "new", [({}, None)])
    with pytest.raises(FileNotFoundError, match="0 of 1 runs are there; 1 still to be trained"):
        summarize([str(tmp_path / "new")])


def test_pages(tmp_path):
    odd = "a_b & 50 % {x} #1 ~^\\ <i> |\n*[0]"
    study = [
        ({"representation": name, "task": "[t]"}, scored(value, majority=majority))
        for name, value, majority in ((odd, 0.8, 0.3), ("b", 0.1, 0.1))
    ]
    made_study(tmp_path, study)
    tables = summary_of([str(tmp_path)]).tables
    assert as_markdown(tables).splitlines() == [
        r"All rows: language fin, task \[t\], probe linear, unknown words 25.0.",
        "",
        "| representation | test accuracy | 95 % interval | majority |",
        "| :-- | --: | --: | --: |",
        r"| a\_b & 50 % {x} \#1 \~^\\ \<i\> \| \*\[0\] | **80.0** | 70.0 – 90.0 | 30.0 |",
        "| b | 10.0 | 0.0 – 20.0 | 10.0 |",
        "",
        "Bold is the best of its task, as rounded.",
    ]
    assert as_latex(tables).splitlines() == [
        "% All rows: language fin, task [t], probe linear, unknown words 25.0.",
        "% Bold is the best of its task, as rounded.",
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"representation & test accuracy & 95 \% interval & majority \\",
        r"\midrule",
        r"a\_b \& 50 \% \{x\} \#1 \textasciitilde{}\textasciicircum{}\textbackslash{} $<$i$>$ \textbar{} *[0] "
        r"& \textbf{80.0} & 70.0 -- 90.0 & 30.0 \\",
        r"b & 10.0 & 0.0 -- 20.0 & 10.0 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]  # fmt: skip
    (row,) = [
        row for row in csv.DictReader(io.StringIO(as_csv(tables))) if row["representation"] == odd
    ]
    assert row["test_accuracy"] == "0.8" and row["test_accuracy_low"] == str(0.8 - 0.1)


BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("allennlp", "torch", "pandas", "pyarrow"):
            raise ImportError("blocked: " + name)
sys.meta_path.insert(0, Blocked())
import linspector
linspector.main()
"""


def test_it_needs_no_package(root, tmp_path):
    """And writes the files that it is told to, or the standard output."""
    made_study(tmp_path / "s", RUNS)
    words = [
        "probe-summary",
        tmp_path / "s",
        "--by",
        "task",
        "--latex",
        tmp_path / "t.tex",
        "--csv",
    ]
    command = [sys.executable, "-c", BLOCKED, *map(str, words)]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert [line.split(",")[0] for line in result.stdout.splitlines()] == ["task", "Case", "Number"]
    assert "5 of 6 runs are there" in result.stderr
    assert (tmp_path / "t.tex").read_text(encoding="utf-8").endswith("\\end{tabular}\n")


EVIL = "\x1b[31mRED\x07\nCase  a  100.0\u202e"


def test_names_of_strangers_make_no_rows(tmp_path):
    runs = [
        ({"task": EVIL, "representation": name, "settings": {EVIL: seed}, "seed": seed},
         scored(0.5, warnings=[EVIL], columns=[Column(EVIL, "test_accuracy")]))
        for name in ("a", EVIL) for seed in (0, 1)
    ]  # fmt: skip
    plain = json.loads(json.dumps(runs).replace(json.dumps(EVIL)[1:-1], "b"))
    columns = [Column("b", "test_accuracy")]
    plain = [(each, {**run, "columns": columns}) for each, run in plain]
    texts = []
    for folder, study in (("evil", runs), ("plain", plain)):
        summary = summary_of([str(made_study(tmp_path / folder, study).path)])
        texts.append(
            [as_latex(summary.tables), as_markdown(summary.tables), *summary.notes]
            + [summarize([str(tmp_path / folder)])]
        )
    for evil, good in zip(*texts):
        assert len(evil.splitlines()) == len(good.splitlines())
        assert "\x1b" not in evil and "\x07" not in evil and "\u202e" not in evil
    data = {"validation": {"path": EVIL, "items": 3}}
    run = made_run(tmp_path / "run", scored(0.5)["metrics"], task=EVIL, data=data, warnings=[EVIL])
    alone = summarize([str(run)])
    assert alone.count("RED") == 3 and "\x1b" not in alone and "\u202e" not in alone


def test_scores_that_are_none(tmp_path):
    """Not a number, infinite, text, no share: in a study, with another metric, alone."""
    values = [0.5, math.nan, math.inf, "x", 7, -3]
    runs = [({"seed": seed}, accuracy(value)) for seed, value in enumerate(values)]
    study = made_study(tmp_path / "a", runs)
    with pytest.raises(FileNotFoundError, match="best_validation_accuracy: 'x'"):
        summarize([str(made_study(tmp_path / "b", [({}, accuracy(0.5, "x"))]).path)])
    lines = lines_of(study.path)
    assert "test accuracy" in lines[1] and "50.0" in lines[3] and "±" not in lines[3]
    assert sum("expected a number, found test_accuracy: " in line for line in lines) == 3
    assert sum("expected a share from 0 to 1, found test_acc" in line for line in lines) == 2
    for number, value in ((1, "nan"), (3, "'x'"), (4, "7"), (5, "-3")):
        with pytest.raises(ValueError, match=f"metrics.json: .*found test_accuracy: {value}"):
            summarize([str(study.run_path(f"run{number}"))])
    metrics = {"training_duration": "0:01", "test_accuracy": 0.5}
    text = made_study(tmp_path / "c", [({"seed": seed}, {"metrics": metrics}) for seed in (0, 1)])
    with pytest.raises(ValueError, match="expected a number, found training_duration: '0:01'"):
        lines_of(text.path, metric="duration", split="train")


def test_columns_that_are_none(tmp_path):
    made_study(tmp_path / "a", [({}, {**scored(0.5), "columns": []})])
    assert lines_of(tmp_path / "a")[1] == (
        "task  representation  test accuracy  95 % interval  majority"
    )
    made_study(tmp_path / "b", [({}, {**scored(0.5), "columns": [Column("a", [])]})])
    with pytest.raises(
        FileNotFoundError, match="run.json: expected the record of a run, found columns"
    ):
        lines_of(tmp_path / "b")


def test_warnings_that_are_none(tmp_path):
    study = made_study(tmp_path, [({}, scored(0.5)), ({"seed": 1}, scored(0.5, warnings=[5]))])
    assert any("expected warnings as a list of text" in line for line in lines_of(study.path))


def test_seeds_that_were_tested_on_different_data_are_named(tmp_path):
    def study(name, *sums):
        runs = [
            (
                {"seed": seed},
                {**scored(0.5), "data": {"test": {"path": "test.txt", "sha256": each}}},
            )
            for seed, each in enumerate(sums)
        ]
        made_study(tmp_path / name, runs)
        return "\n".join(lines_of(tmp_path / name))

    assert "different data" not in study("same", "a", "a")
    found = study("other", "a", "a", "b")
    assert "tested on different data, such as run1 and run2" in found
