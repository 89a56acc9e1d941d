import json

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.probe_compare import ProbeCompare
from linspector_allennlp.run_folders.run_record import RunRecord
from tests.commands.printed import printed

DATA = {"path": "data/Case/finnish/test.txt", "sha256": "a" * 64, "items": 100}


@pytest.fixture
def write_run(tmp_path):
    """Writes a run folder by hand."""

    def write(name, predictions, split="test", **data):
        folder = tmp_path / name
        folder.mkdir()
        provenance = {"data": {split: {**DATA, **data}}}
        RunRecord(
            kind="probe",
            task="Case",
            language="finnish",
            main_metric="accuracy",
            seed=13,
            config="",
            representation=[{"type": "word_vectors", "path": f"vectors/{name}.vec"}],
            predictions=scored_by(predictions[0] if predictions else {}),
        ).write(folder)
        (folder / "metrics.json").write_text("{}")
        (folder / "provenance.json").write_text(json.dumps(provenance))
        lines = "".join(json.dumps(prediction) + "\n" for prediction in predictions)
        (folder / f"{split}_predictions.jsonl").write_text(lines)
        return str(folder)

    return write


def scored_by(prediction):
    """What the probe of such predictions would say in its record."""
    if "edges" in prediction:
        return {"kind": "edges", "cluster": "line"}
    if "root" in prediction:
        return {"kind": "root", "cluster": "line"}
    if "index" in prediction.get("input", {}):
        return {"kind": "label", "cluster": "input.sentence"}
    return {"kind": "label", "cluster": "sentence" if "sentence" in prediction else "line"}


def compare(*arguments):
    """What `linspector probe-compare` prints with these arguments."""
    return printed(ProbeCompare(), *arguments)


def words(rights, gold="Nom", first=1, **more):
    """A prediction for each right (1) or wrong (0) answer."""
    return [
        {"line": line, "input": {"form": f"w{line}"}, "label": label, "gold": gold, **more}
        for line, label in enumerate((gold if right else "?" for right in rights), start=first)
    ]


def trees(rights_of_sentences):
    """A chain of words for each sentence, and which of its edges are right."""
    return [
        {
            "line": line,
            "words": [f"w{number}" for number in range(len(rights) + 1)],
            "gold_edges": [[number, number + 1] for number in range(len(rights))],
            "edges": [[number, number + 1] for number, right in enumerate(rights) if right],
        }
        for line, rights in enumerate(rights_of_sentences, start=1)
    ]


# 40 both right, 5 only A, 25 only B, 30 neither.
A = [1] * 40 + [1] * 5 + [0] * 25 + [0] * 30
B = [1] * 40 + [0] * 5 + [1] * 25 + [0] * 30


def test_one_run_is_better(write_run, tmp_path):
    a, b = write_run("a", words(A)), write_run("b", words(B))
    text = compare(a, b, "--json", tmp_path / "numbers.json")
    numbers = json.loads((tmp_path / "numbers.json").read_text(encoding="utf-8"))
    lines = text.splitlines()
    assert lines[0].split() == ["run", "task", "representation", "accuracy", "items", "clusters"]
    row = ["Case/finnish", "word_vectors", "a.vec", "45.0", "100", "100"]
    assert lines[2].split() == ["A", a, *row]
    assert lines[3].split()[-3:] == ["65.0", "100", "100"]
    assert "B − A: +20.0 points, 95 % interval [+10.0, +30.0], p = 0.000" in text
    assert "(paired bootstrap over 100 items, 10000 samples, seed 13)" in text
    cells = [line.split() for line in lines if line.startswith(("A right", "A wrong"))]
    assert cells == [["A", "right", "40", "5"], ["A", "wrong", "25", "30"]]
    # 2 · Σ C(30, k ≤ 5) / 2³⁰
    p_value = 2 * (1 + 30 + 435 + 4060 + 27405 + 142506) / 2**30
    assert f"McNemar's exact test: p = {p_value:.4f}." in text
    assert "trust the bootstrap" not in text
    assert lines[-1] == f"B is better than A by 20.0 points [10.0, 30.0]; p = {p_value:.4f}."
    assert numbers["mcnemar"] == {
        "both": 40,
        "only_a": 5,
        "only_b": 25,
        "neither": 30,
        "p_value": pytest.approx(p_value),
    }
    assert (numbers["a"]["score"], numbers["b"]["score"]) == (0.45, 0.65)
    assert numbers["b"]["representation"] == "word_vectors b.vec"
    assert numbers["measure"] == "accuracy" and numbers["notes"] == []
    assert numbers["bootstrap"]["difference"] == pytest.approx(0.2)
    assert numbers["left_out"] == {"a": 0, "b": 0}


def test_the_other_way_round(write_run):
    text = compare(write_run("a", words(B)), write_run("b", words(A)))
    assert "B − A: -20.0 points, 95 % interval [-30.0, -10.0]" in text
    assert text.splitlines()[-1].startswith("A is better than B by 20.0 points [10.0, 30.0]; p = ")


def test_within_what_chance_would_give(write_run):
    a = write_run("a", words([1] * 50 + [1] * 10 + [0] * 12))
    b = write_run("b", words([1] * 50 + [0] * 10 + [1] * 12))
    text = compare(a, b)
    assert text.splitlines()[-1].startswith("The difference of +2.8 points [")
    assert text.splitlines()[-1].endswith("] is within what chance would give; p = 0.8318.")
    same = compare(a, a).splitlines()[-1]
    assert same == (
        "The difference of +0.0 points [+0.0, +0.0] is within what chance would give; p = 1.0000."
    )


def test_there_is_no_minus_0(write_run):
    a, b = write_run("a", words([1] * 3000)), write_run("b", words([0] + [1] * 2999))
    assert "B − A: +0.0 points, 95 % interval [-0.1, +0.0]" in compare(a, b)


def test_few_items_have_no_better_run_because_none_of_them_varies(write_run):
    """All samples of three items that only B has right are the same: the exact test decides."""
    text = compare(write_run("a", words([0, 0, 0])), write_run("b", words([1, 1, 1])))
    assert text.splitlines()[-1].endswith("is within what chance would give; p = 0.2500.")


def test_an_interval_that_has_0_in_it_beside_a_small_p(write_run):
    """
    57 sentences gain a word and 3 lose 8. A sample loses if it has 7 or more of the latter, which
    has a probability of 0.03: more than 2.5 %, less than 5 %; none can gain twice as much.
    """
    a = write_run("a", trees([[0] * 8] * 57 + [[1] * 8] * 3))
    b = write_run("b", trees([[1] + [0] * 7] * 57 + [[0] * 8] * 3))
    closing = compare(a, b).splitlines()[-1]
    assert closing.startswith("The difference of +6.9 points [-0.6, +12.5] is at the edge of what")
    assert 0.025 < float(closing.rpartition("p = ")[2].rstrip(".")) < 0.035


def test_trees_are_drawn_by_sentences(write_run):
    a = write_run("a", trees([[1, 1, 1, 0]] * 30 + [[1, 0, 0, 0]] * 20))
    b = write_run("b", trees([[1, 1, 1, 0]] * 30 + [[0, 1, 1, 1]] * 20))
    text = compare(a, b)
    lines = text.splitlines()
    assert lines[0].split()[-3:] == ["UUAS", "items", "clusters"]
    assert lines[2].split()[-3:] == ["55.0", "200", "50"]
    assert "(paired bootstrap over 50 sentences, " in text
    cells = [line.split() for line in lines if line.startswith(("A right", "A wrong"))]
    assert cells == [["A", "right", "90", "20"], ["A", "wrong", "60", "30"]]
    assert "trust the bootstrap over sentences" in text
    # 20 of 50 sentences gain 2 of 4 words: the percentiles of the binomial are 13 and 27.
    assert lines[-1] == "B is better than A by 20.0 points [13.0, 27.0]; p < 0.0001."


def test_the_p_value_of_sentences_is_that_of_the_bootstrap(write_run):
    """4 sentences gain 10 words each and 2 lose them: 6 coins, which McNemar's test takes for 60."""
    a = write_run("a", trees([[0] * 10] * 4 + [[1] * 10] * 36))
    b = write_run("b", trees([[1] * 10] * 4 + [[1] * 10] * 34 + [[0] * 10] * 2))
    text = compare(a, b)
    assert "McNemar's exact test: p = 0.0135." in text
    assert "is within what chance would give; p = 0." in text.splitlines()[-1]


def test_too_few_sentences(write_run):
    a, b = write_run("a", trees([[0, 0]] * 29)), write_run("b", trees([[1, 1]] * 29))
    closing = compare(a, b).splitlines()[-1]
    assert closing.endswith("tells little: 29 sentences are too few to resample.")
    lone = write_run("lone", trees([[0, 0, 1]]))
    with pytest.raises(ValueError, match="at least two clusters"):
        compare(lone, lone)


def test_roots(write_run):
    lines = [{"line": n, "words": ["a", "b"], "root": n % 2, "gold_root": 0} for n in range(1, 41)]
    left_out = {"line": 41, "words": ["a"], "root": 0, "gold_root": None}
    a = write_run("a", [*lines, left_out])
    b = write_run("b", [{**line, "root": 0} for line in lines])
    text = compare(a, b)
    assert text.splitlines()[0].split()[-4:] == ["root", "accuracy", "items", "clusters"]
    assert text.splitlines()[2].split()[-3:] == ["50.0", "40", "40"]
    assert "trust the bootstrap" not in text


def test_the_order_does_not_matter(write_run):
    a = write_run("a", words(A))
    b, turned = write_run("b", words(B)), write_run("turned", words(B)[::-1])
    assert compare(a, b).splitlines()[4:] == compare(a, turned).splitlines()[4:]
    assert compare(turned, a).splitlines()[4:] == compare(b, a).splitlines()[4:]


def test_the_seed_and_the_number_of_samples_count(write_run, tmp_path):
    # Clusters of many sizes, so that no two seeds give the same percentiles.
    a = write_run("a", trees([[n % 3 == 0] * (n % 7 + 1) for n in range(60)]))
    b = write_run("b", trees([[n % 4 == 0] * (n % 7 + 1) for n in range(60)]))
    assert compare(a, b) == compare(a, b, "--seed", "13", "--samples", "10000")
    assert compare(a, b, "--seed", "1") != compare(a, b, "--seed", "2").replace("seed 2", "seed 1")
    text = compare(a, b, "--samples", "200", "--json", tmp_path / "numbers.json")
    bootstrap = json.loads((tmp_path / "numbers.json").read_text(encoding="utf-8"))["bootstrap"]
    assert "200 samples" in text and bootstrap["samples"] == 200
    assert bootstrap["p_value"] * 201 == pytest.approx(round(bootstrap["p_value"] * 201))


def test_validation(write_run):
    a, b = (write_run(name, words(A), split="validation") for name in "ab")
    assert "+0.0 points" in compare(a, b, "--split", "validation")
    with pytest.raises(FileNotFoundError, match="There is: validation_predictions.jsonl"):
        compare(a, b)


def test_other_items(write_run):
    a = write_run("a", words(A))
    b = write_run("b", words(B, first=4), path="other/test.txt", sha256="b" * 64)
    with pytest.raises(ConfigurationError) as error:
        compare(a, b)
    message = error.value.message
    assert f'Only in A, {a}: 3 of 100 (as line 1, {{"form": "w1"}}, gold Nom).' in message
    assert f'Only in B, {b}: 3 of 100 (as line 101, {{"form": "w101"}}, gold Nom).' in message
    assert (
        "These runs were tested on different files: data/Case/finnish/test.txt (sha256 "
        "aaaaaaaaaaaa…) and other/test.txt (sha256 bbbbbbbbbbbb…)." in message
    )
    assert "--common compares the 97 items that both have." in message
    assert "gold labels differ" not in message


def test_items_of_one_run_that_the_other_lacks(write_run):
    a, b = write_run("a", words(A)), write_run("b", words(B[:90]))
    with pytest.raises(ConfigurationError) as error:
        compare(a, b)
    assert "different files" not in error.value.message
    assert f"Only in B, {b}: 0 of 90." in error.value.message


def test_only_the_common_items(write_run):
    a, b = write_run("a", words(A)), write_run("b", words(B[10:] + [1], first=11))
    text = compare(a, b, "--common")
    assert "Left out: 10 items that only A has and 1 that only B has.\n" in text
    assert text.splitlines()[2].split()[-3:] == ["38.9", "90", "90"]
    assert "different files" not in text
    c = write_run("c", words(B, first=1000))
    with pytest.raises(ConfigurationError, match="They have no item in common"):
        compare(a, c, "--common")


def test_other_gold_labels(write_run):
    a = write_run("a", words(A))
    b = write_run("b", words(B[:50]) + words(B[50:], gold="control", first=51))
    with pytest.raises(ConfigurationError) as error:
        compare(a, b)
    assert "The inputs are the same, but their gold labels differ" in error.value.message
    assert "--common" not in error.value.message
    text = compare(a, b, "--common")
    assert "50 that only B has; 50 inputs have other gold labels." in text


def test_other_files_with_the_same_items_are_mentioned(write_run):
    a, b = write_run("a", words(A)), write_run("b", words(B), sha256="b" * 64)
    assert "These runs were tested on different files" in compare(a, b)


def test_other_kinds(write_run):
    with pytest.raises(ConfigurationError, match="scored by accuracy, .* by UUAS"):
        compare(write_run("a", words(A)), write_run("b", trees([[1, 0]] * 40)))


def test_repeated_items_are_mentioned(write_run):
    a = write_run("a", [*words(A), *words([0])])
    b = write_run("b", [*words(B), *words([1])])
    text = compare(a, b)
    assert "1 items repeat the line, input and gold label of another" in text
    assert text.splitlines()[2].split()[-2:] == ["101", "100"]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--samples", "99"], "--samples: expected 100 or more, found 99"),
        (["--seed", "-1"], "--seed: expected 0 or more, found -1"),
        (["--json", "no/such/folder/numbers.json"], "--json: there is no folder no/such/folder"),
    ],
)
def test_settings_that_cannot_be(write_run, arguments, message):
    a = write_run("a", words(A))
    with pytest.raises(ConfigurationError, match=message):
        compare(a, a, *arguments)


def test_what_is_no_run(write_run, tmp_path):
    with pytest.raises(FileNotFoundError, match="not the folder of a finished run"):
        compare(write_run("a", words(A)), tmp_path)


def test_trained_runs(train, tmp_path):
    """The scores are those that the runs themselves have."""
    metrics = [
        train("case_fin", name, trainer={"num_epochs": n}) for name, n in (("a", 1), ("b", 9))
    ]
    rows = compare(tmp_path / "a", tmp_path / "b").splitlines()[2:4]
    for row, scores in zip(rows, metrics):
        assert row.split()[-3:] == [f"{100 * scores['test_accuracy']:.1f}", "100", "100"]
