"""Downstream tasks in a suite: planned, trained among probes, in the same table, correlated with them."""

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.analysis.correlation import correlations
from linspector_allennlp.analysis.parser_morphology import (
    parser_correlations,
    parser_scores,
    parser_signs,
    parser_table,
)
from linspector_allennlp.analysis.tidy_scores import chosen_scores, seed_means
from linspector_allennlp.commands.probe_report import study_page
from linspector_allennlp.suite import Suite, planned_runs, probe_config
from linspector_allennlp.suite.results import read_predictions, read_results
from linspector_allennlp.suite.suite_data import find_data
from tests.conftest import ROOT
from tests.suite.small_studies import Here

TREEBANK = str(ROOT / "fixtures/raw/finnish-ud")
SMALL = {"encoder": {"hidden_size": 8, "num_layers": 1, "dropout": 0}}
FEW = {"trainer": {"num_epochs": 1}}
LEARNS = {"num_epochs": 3, "optimizer": {"lr": 0.02}}
PARSER = {
    "kind": "downstream.dep_morphology",
    "model": {
        "model": {**SMALL, **{f"{n}_feedforward": {"input_dim": 16} for n in ("arc", "tag")}}
    },
}


def suite(**changes):
    return {
        "tasks": {"treebank": TREEBANK, "targets": ["upos"]},
        "representations": ["char_ngrams", "random_vectors"],
        "config": FEW,
        **changes,
    }


def test_a_plan():
    runs = planned_runs(
        suite(
            probes=["linear", "downstream.pos", "downstream.dep"], seeds=2, control=True, mdl=True
        )
    )
    told = [(r.columns["level"], r.columns["task"], r.columns["control"]) for r in runs]
    assert {each: told.count(each) for each in told} == {
        ("token", "upos", False): 4, ("token", "upos", True): 4,
        ("downstream", "pos", False): 4, ("downstream", "dep", False): 4,
    }  # fmt: skip
    assert runs.notes == [
        f"downstream.{kind} has neither control task nor description length: it is a task, not a probe."
        for kind in ("pos (simple_tagger)", "dep (BiaffineDependencyParser)")
    ]
    pos = next(run for run in runs if run.columns["task"] == "pos")
    alone = probe_config("downstream.pos", TREEBANK, "char_ngrams", seed=13)
    alone["trainer"]["num_epochs"] = 1
    assert pos.settings == alone and "mdl" not in alone


def test_the_folders_of_a_task(tmp_path):
    for language in ("finnish", "turkish"):
        (tmp_path / "ner" / language).mkdir(parents=True)
    task = {"downstream": "ner", "data": f"{tmp_path}/ner/*"}
    found = find_data([], [task], [])
    assert [(each.kind, each.task, each.language) for each in found] == [
        ("downstream.ner", "ner", "finnish"), ("downstream.ner", "ner", "turkish"),
    ]  # fmt: skip
    (one,) = find_data([], [{**task, "data": f"{tmp_path}/ner/finnish", "language": "x"}], [])
    assert one.language == "x"
    for wrong, expected in [
        ({**task, "data": f"{tmp_path}/srl/*"}, "there is no folder .* with the data of ner"),
        ({"downstream": "ner"}, "expected the data of ner: a folder, found None"),
        ({**task, "downstream": "nre"}, "nre"),
        ({**task, "targets": []}, "targets"),
    ]:
        with pytest.raises(ConfigurationError, match=expected):
            find_data([], [wrong], [])


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Three representations, two probing tasks, tagging, and the parser with and without morphology."""
    names = {"chars": "char_ngrams:8", "random": "random_vectors:8", "long": "char_ngrams:16"}
    nothing = {"token_indexers": {}, "text_field_embedder": {"token_embedders": {}}}
    grids = [
        {"name": "probes", "tasks": {"treebank": TREEBANK, "targets": ["upos", "Case"]}},
        {
            "name": "pos", "tasks": {"treebank": TREEBANK},
            "probes": {
                "tagger": {"kind": "downstream.pos", "model": {"model": SMALL}, "trainer": LEARNS},
            },
        },
        {
            "name": "parser", "tasks": {"treebank": TREEBANK}, "probes": {"parser": PARSER},
            "settings": {"morphology": ["all", "none"]},
            "representations": {**names, "nothing": nothing},
        },
    ]  # fmt: skip
    folder = tmp_path_factory.mktemp("study") / "study"
    suite = Suite({"grids": grids, "representations": names, "config": FEW}, folder)
    suite.run(executor=Here())
    assert not suite.failed
    return folder


def test_the_table(study):
    table = read_results(study)
    main = chosen_scores(table)
    assert set(main["level"]) == {"token", "downstream"} and len(main) == 2 * 3 + 3 + 4 * 2
    of_parser = table[table["task"] == "dep"]
    assert {"LAS", "UAS", "unseen_words"} <= set(of_parser["metric"])
    assert of_parser.loc[of_parser["metric"] == "unseen_words", "value"].between(0, 1).all()
    pos = table[(table["task"] == "pos") & (table["metric"] == "accuracy")]
    tested = pos[pos["split"] == "test"]
    assert tested[["low", "high", "majority", "suffix", "form", "items"]].notna().all().all()
    predictions = read_predictions(study)
    shares = predictions.groupby("run")["correct"].mean()
    for row in tested.itertuples():
        assert shares[row.run] == pytest.approx(row.value)


def test_probing_and_downstream(study):
    means = seed_means(chosen_scores(read_results(study)))
    probing = means[means["level"] == "token"]
    downstream = means[(means["level"] == "downstream") & (means["task"] == "pos")]
    found = correlations(probing, downstream)
    assert found[["row", "column", "n"]].values.tolist() == [["upos", "pos", 3], ["Case", "pos", 3]]
    assert found["rho"].notna().any()
    titles = [figure.title for figure in study_page(study).figures]
    assert any(title.startswith("Probing × downstream: ") for title in titles), titles


def test_the_parser_with_morphology(study):
    table = read_results(study)
    scores = parser_scores(table)
    assert len(scores) == 4 * 2 and set(scores["metric"]) == {"UAS"}
    wide = parser_table(scores)
    assert list(wide.columns) == ["chars", "random", "long", "nothing"]
    assert list(wide.index) == [("finnish", "all"), ("finnish", "none")]
    one = table[
        (table["representation"] == "random")
        & (table["metric"] == "UAS")
        & (table["split"] == "test")
        & (table["settings"] == '{"morphology": "none"}')
    ]
    assert wide.loc[("finnish", "none"), "random"] == pytest.approx(one["value"].item())
    signs = parser_signs(scores).set_index(["a", "b"]).loc[("chars", "random")]
    ahead = (wide["random"] > wide["chars"]).sum()
    assert (signs["ahead_b"], signs["ahead_a"] + signs["ahead_b"] + signs["ties"]) == (ahead, 2)
    probing = seed_means(chosen_scores(table[table["level"] == "token"]))
    found = parser_correlations(scores, probing)
    assert set(found["column"]) == {"all", "none"} and set(found["row"]) == {"upos", "Case"}
    assert set(found["n"]) == {3} and set(found["left_out"]) == {"nothing"}
    with pytest.raises(ValueError, match="Expected runs with the setting morphology"):
        parser_scores(table[table["task"] == "pos"])
