"""The shipped suites: what they say, how many runs they have, and that these train, all on links to small data."""

from collections import Counter
from pathlib import Path

import pytest

from linspector_allennlp.suite import Job, planned_runs, read_suite
from tests.conftest import ROOT, merged
from tests.representations.tiny_transformers import make_bert

FIXTURES = ROOT / "fixtures"
SUITES = ROOT / "training_configs/suites"
VECTORS = FIXTURES / "vectors/finnish.vec"

TYPES = ["Case", "Number", "Person", "OddFeat", "SameFeat"]
LANGUAGES = ["finnish", "german", "spanish", "russian", "turkish", "czech", "french", "hungarian"]
OF_SYNEVAL = ["basque", "english", "french", "german", "hungarian", "polish", "swedish"]
OF_SENTENCES = ["english", "german", "russian", "turkish", "georgian"]
SENTENCES = ["SentLen", "WC", "BiShift", "SVAgree", "SVDist", "Voice", "WO", "EOS", "SubjNum"]
OF_STUDY = (
    """sentence_length word_content bigram_shift sv_agree sv_dist voice subj_number""".split()
)
TREEBANKS = """Arabic-PADT Basque-BDT Czech-PDT English-EWT Finnish-TDT Japanese-GSD Korean-Kaist Tamil-TTB
    Turkish-IMST""".split()
OF_PARSER = {
    "Basque-BDT": "eu", "English-EWT": "en", "French-GSD": "fr", "German-GSD": "de",
    "Hungarian-Szeged": "hu", "Polish-LFG": "pl", "Swedish-Talbanken": "sv",
}  # fmt: skip

# The two letters of each language that has vectors.
CODES = "fi de es ru tr cs fr hu eu en pl sv ka".split()


def link(path: Path, target: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


@pytest.fixture(scope="module")
def variables(tmp_path_factory):
    """The variables of each suite: they name links to the Finnish data, as if it were of all languages."""
    here = tmp_path_factory.mktemp("data")
    tasks = {name: FIXTURES / f"type_level/{name}/finnish" for name in TYPES}
    for language in LANGUAGES:
        for name, data in tasks.items():
            link(here / f"types/{name}/{language}", data)
        link(here / f"tokens/Case/{language}", FIXTURES / "token_level/Case/finnish")
    for language in OF_SYNEVAL:
        for name in ("pos", "label", "headpos", "case", "gender", "tense", "number"):
            link(here / f"syneval/{name}/{language}", tasks["Case"])
    for language in OF_SENTENCES:
        for name in SENTENCES:
            data = FIXTURES / "sentence_level" / ("BiShift" if name == "WO" else "SentLen")
            link(here / f"sentences/10k/{name}/{language}", data / "finnish")
        for size in ("5k", "30k", "60k"):
            data = FIXTURES / "sentence_level/SentLen/finnish"
            link(here / f"sentences/{size}/WC/{language}", data)
    for level in ("type_level", "token_level"):
        for path in sorted(FIXTURES.glob(f"{level}/*/finnish")):
            link(here / f"study/{level}/{path.parent.name}/turkish", path)
    for name in OF_STUDY:
        data = FIXTURES / "sentence_level/senteval/toy_voice.txt"
        link(here / f"study/sentence_level/turkish/{name}.txt", data)
    for name in ("word2vec.vec", "fasttext.bin", "bpe.model", "bpe.vec"):
        link(here / "study" / name, VECTORS)
    for name in dict.fromkeys([*TREEBANKS, *OF_PARSER]):
        for split in ("train", "dev", "test"):
            file = FIXTURES / f"raw/finnish-ud-{split}.conllu"
            stem = f"{OF_PARSER[name]}_x-ud" if name in OF_PARSER else "x"
            stem = "tr_imst-ud" if name == "Turkish-IMST" else stem
            link(here / f"ud/UD_{name}/{stem}-{split}.conllu", file)
    kinds = ("muse", "word2vec", "dep", "cbow", "glove", "fasttext", "attract_repel")
    for code in CODES:
        for kind in kinds:
            link(here / f"vectors/{kind}/{code}.vec", VECTORS)
        for name in (f"bpe/{code}.model", f"bpe/{code}.bin", f"fasttext/{code}.bin"):
            link(here / "vectors" / name, VECTORS)  # it is only looked whether they are there
        (here / f"vectors/elmo/{code}").mkdir(parents=True)
    vectors, model = str(here / "vectors"), str(make_bert(here / "bert"))
    return {
        "morphology_fin": {},
        "gallery": {},
        "linspector_types": {"DATA_DIR": f"{here}/types", "VECTORS_DIR": vectors},
        "linspector_tokens": {"DATA_DIR": f"{here}/tokens", "VECTORS_DIR": vectors},
        "control_tasks": {
            "TREEBANK": f"{FIXTURES}/raw/finnish-ud",
            "VECTORS": f"transformer:{model}",
        },
        "probe_and_parser": {"UD_DIR": f"{here}/ud", "MODEL": model},
        "syneval": {"DATA_DIR": f"{here}/syneval", "VECTORS_DIR": vectors},
        "syneval_parser": {"UD_DIR": f"{here}/ud", "VECTORS_DIR": vectors},
        "sentence_study": {
            "DATA_DIR": f"{here}/sentences",
            "VECTORS_DIR": vectors,
            "MODEL": model,
        },
        "thesis_search": {"DATA_DIR": f"{here}/sentences/10k", "VECTORS_DIR": vectors},
        "study": {
            "DATA_DIR": f"{here}/study",
            "UD_DIR": f"{here}/ud",
            "VECTORS_DIR": f"{here}/study",
            "MODEL": model,
        },
        "whole_study": {
            "DATA_DIR": f"{here}/study",
            "UD_DIR": f"{here}/ud",
            "VECTORS_DIR": f"{here}/study",
        },
    }


# Counted by hand.
LIMITS = (
    1 + 4 + 4 + 4 + 6 + 2
)  # the defaults; size, dropout, weight decay, steps, share of the data
WC_PROBES = 6 + 6 + 5 + 5  # by size
NUMBERS = {
    "morphology_fin": 5 * 3 * 3 * 2,
    "gallery": 5 * 3 * 3 * 2 + (3 * 2 + 1) * 3 + 2 * 3,
    "linspector_types": 5 * 8 * 5,
    "linspector_tokens": 1 * 5 * 6,
    "control_tasks": 2 * (LIMITS + 2) * 3 * 2,
    "probe_and_parser": 9 * 2 * 20,
    "syneval": 7 * 7 * 3,
    "syneval_parser": 7 * (3 + 1) * 6,
    "sentence_study": 9 * 5 * (3 * 5 + 1) + 9 * 5 * 2 + 2 * (7 + 1) * WC_PROBES,
    "thesis_search": 9 * 5 * 3 * 9,
    "study": (5 + 2) * 5 * 3 * 2 + 3 * 3 * 3 * 2 + 2 * 3 + 7 * (7 + 4),
    "whole_study": 2 * 5 + (5 + 2) * 5 * 3,
}

# What is trained of each, by columns.
TRAINED = {
    "morphology_fin": [{"task": "Case", "control": True}, {"task": "OddFeat"}],
    "gallery": [{"grid": "syntax", "probe": "edges"}, {"grid": "shares", "train_share": 0.25}],
    "linspector_types": [{"representation": "MUSE", "language": "german"}],
    "linspector_tokens": [{"representation": "word2vec"}],
    "control_tasks": [
        {"grid": "tags", "probe": "mlp2", "control": True},
        {"grid": "heads", "probe": "bilinear"},
        {"grid": "heads by layer", "representation": "proj0", "probe": "mlp1", "control": True},
    ],
    "probe_and_parser": [{"grid": "probe"}, {"grid": "parser", "language": "basque"}],
    "syneval": [{"representation": "glove"}],
    "syneval_parser": [{"representation": "nothing", "settings": {"morphology": "-case"}}],
    "sentence_study": [
        {"grid": "tasks", "task": "WO", "encoder": "GEM"},
        {"grid": "WC 5k", "representation": "bert", "probe": "SVM"},
    ],
    "thesis_search": [{"encoder": "p-means"}],
    "study": [
        {"grid": "words", "representation": "word2vec", "level": "token"},
        {"grid": "trees", "probe": "perceptron", "layer": 2},
        {"grid": "averages", "representation": "ngrams"},
    ],
    "whole_study": [
        {"grid": "downstream", "probe": "downstream.dep", "representation": "word2vec"},
        {"grid": "probes", "task": "Case", "representation": "random"},
    ],
}


def suite(name, variables):
    """A shipped suite, with short trainings."""
    found = read_suite(SUITES / f"{name}.jsonnet", variables[name])
    return merged(found, {"config": {"trainer": {"num_epochs": 1}}})


def test_all_are_here():
    assert {path.stem for path in SUITES.glob("*")} == set(NUMBERS) == set(TRAINED)


@pytest.mark.parametrize("name", NUMBERS)
def test_it_says_what_it_is_and_what_it_needs(name, variables):
    text = (SUITES / f"{name}.jsonnet").read_text(encoding="utf-8")
    comment = [line for line in text.splitlines() if line.startswith("//")]
    assert text.startswith("// ") and all(line in text for line in comment)
    assert all(f"// {variable} " in text for variable in variables[name])


@pytest.mark.parametrize("name", NUMBERS)
def test_its_runs(name, variables):
    runs = planned_runs(suite(name, variables))
    assert len(runs) == NUMBERS[name]
    lacking = {
        "linspector_types": 10, "linspector_tokens": 9, "thesis_search": 0, "sentence_study": 0,
        "gallery": 2,
    }  # fmt: skip
    assert len(runs.notes) == lacking.get(name, 0), runs.notes
    assert len({run.name for run in runs}) == len(runs)


@pytest.mark.parametrize("name", NUMBERS)
def test_they_train(name, variables, tmp_path):
    runs = planned_runs(suite(name, variables))
    for number, wanted in enumerate(TRAINED[name]):
        wanted = {"control": False, **wanted}
        run = next(run for run in runs if wanted.items() <= run.columns.items())
        trained = Job(run.settings, tmp_path / str(number)).run()
        assert trained.record.config == run.digest
        assert (trained.record.level, trained.record.seed) == (
            run.columns["level"],
            run.columns["seed"],
        )
        assert bool(trained.record.control) == run.columns["control"]
        criterion = run.columns["search"]
        assert criterion is None or f"best_validation_{criterion}" in trained.metrics


def test_the_limits_of_the_control_tasks(variables):
    runs = planned_runs(suite("control_tasks", variables))
    limits = Counter(
        key
        for run in runs
        if run.columns["grid"] == "tags" and run.columns["probe"] == "mlp1"
        for key, value in run.columns["settings"].items()
        if value != {"size": 1000, "dropout": 0, "weight_decay": 0, "max_steps": 100000}.get(key)
    )
    assert limits == {"size": 8, "dropout": 8, "weight_decay": 8, "max_steps": 12, "train_share": 4}
    by_layer = {(run.columns["representation"], run.columns["layer"]) for run in runs}
    assert by_layer == {("elmo", 1), ("elmo", 2), ("proj0", 0)}
    designed = [
        run.settings["model"]["head"]
        for run in runs
        if run.columns["settings"].get("size") == 10 and run.columns["probe"] == "linear"
    ]
    assert designed == [{"type": "low_rank", "rank": 10, "dropout": 0}] * 2
    assert all(
        run.settings["tested_on"] == "validation" for run in runs if not run.columns["control"]
    )


def test_syneval_is_as_published(variables):
    for run in planned_runs(suite("syneval", variables)):
        settings = run.settings
        assert (settings["tested_on"], settings["held_out"]) == ("validation", 0.1)
        assert settings["model"]["head"]["type"] == "linear"
        embedder = settings["model"]["text_field_embedder"]["token_embedders"]["words"]
        assert embedder["unk"] == "skip"


def test_a_missing_variable_is_named(monkeypatch):
    monkeypatch.delenv("DATA_DIR", raising=False)
    with pytest.raises(Exception, match="syneval.jsonnet: undefined external variable: DATA_DIR"):
        planned_runs(read_suite(SUITES / "syneval.jsonnet", {"VECTORS_DIR": "x"}))
