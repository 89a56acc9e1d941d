import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.analysis.significance import paired_difference
from linspector_allennlp.commands import probe_compare
from linspector_allennlp.commands.comparison_text import describe
from tests.commands.printed import printed
from tests.commands.written_runs import trees, words
from tests.commands.written_runs import write_run as write


@pytest.fixture
def write_run(tmp_path):
    """Writes a run folder by hand."""
    return lambda name, *args, **more: write(tmp_path / name, *args, **more)


def compare(*arguments):
    """What `linspector probe-compare` prints with these arguments."""
    return printed(probe_compare, *arguments)


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
    # 5 of 30 and 25 of 30 within half of the items: the interval is nearly that of a plain difference.
    assert "B − A: +20.0 points, 95 % interval [+9.8, +30.2], p = 0.0005" in text
    assert "(randomisation test over 100 items, 10000 samples, seed 13)" in text
    cells = [line.split() for line in lines if line.startswith(("A right", "A wrong"))]
    assert cells == [["A", "right", "40", "5"], ["A", "wrong", "25", "30"]]
    # 2 · Σ C(30, k ≤ 5) / 2³⁰
    p_value = 2 * (1 + 30 + 435 + 4060 + 27405 + 142506) / 2**30
    assert f"McNemar's exact test: p = {p_value:.4f}." in text
    assert "the verdict goes by" not in text
    assert lines[-1] == "B is better than A by 20.0 points [9.8, 30.2]; p = 0.0005."
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
    assert numbers["difference"]["difference"] == pytest.approx(0.2)
    assert numbers["left_out"] == {"a": 0, "b": 0}


def test_the_other_way_round(write_run):
    text = compare(write_run("a", words(B)), write_run("b", words(A)))
    assert "B − A: -20.0 points, 95 % interval [-30.2, -9.8]" in text
    assert text.splitlines()[-1].startswith("A is better than B by 20.0 points [9.8, 30.2]; p = ")


def test_within_what_chance_would_give(write_run):
    a = write_run("a", words([1] * 50 + [1] * 10 + [0] * 12))
    b = write_run("b", words([1] * 50 + [0] * 10 + [1] * 12))
    text = compare(a, b)
    assert text.splitlines()[-1].startswith("The difference of +2.8 points [")
    assert text.splitlines()[-1].endswith("] is within what chance would give; p = 0.8305.")
    assert "McNemar's exact test: p = 0.8318." in text
    same = compare(a, a).splitlines()[-1]
    assert same == (
        "The difference of +0.0 points [-5.0, +5.0] is within what chance would give; p = 1.0000."
    )


def test_there_is_no_minus_0(write_run):
    a, b = write_run("a", words([1] * 3000)), write_run("b", words([0] + [1] * 2999))
    assert "B − A: +0.0 points, 95 % interval [-0.1, +0.0]" in compare(a, b)


def test_fewer_than_six_items_have_no_better_run(write_run):
    """Three coins fall on one side a quarter of the time."""
    text = compare(write_run("a", words([0, 0, 0])), write_run("b", words([1, 1, 1])))
    assert "95 % interval [-100.0, +100.0], p = 0.25" in text
    assert text.splitlines()[-1].endswith("tells little: fewer than 6 items cannot show any.")
    lone = write_run("lone", trees([[0, 0, 1]]))
    assert compare(lone, lone).endswith("tells little: fewer than 6 sentences cannot show any.")


def test_few_sentences_that_are_enough(write_run):
    a, b = write_run("a", trees([[0, 0]] * 29)), write_run("b", trees([[1, 1]] * 29))
    closing = compare(a, b).splitlines()[-1]
    assert closing == "B is better than A by 100.0 points [76.1, 100.0]; p < 0.0001."


def test_what_resampling_called_both(write_run):
    """
    57 sentences gain a word and 3 lose 8: resampling gave p = 0.03 and an interval with 0 in it. Coins
    turn 60 sentences so that 33 words or more are between the sides with a probability of 0.04.
    """
    a = write_run("a", trees([[0] * 8] * 57 + [[1] * 8] * 3))
    b = write_run("b", trees([[1] + [0] * 7] * 57 + [[0] * 8] * 3))
    text = compare(a, b)
    closing = text.splitlines()[-1]
    assert closing.startswith("B is better than A by 6.9 points [0.")
    assert 0.035 < float(closing.rpartition("p = ")[2].rstrip(".")) < 0.045


def test_trees_count_by_sentences(write_run):
    a = write_run("a", trees([[1, 1, 1, 0]] * 30 + [[1, 0, 0, 0]] * 20))
    b = write_run("b", trees([[1, 1, 1, 0]] * 30 + [[0, 1, 1, 1]] * 20))
    text = compare(a, b)
    lines = text.splitlines()
    assert lines[0].split()[-3:] == ["UUAS", "items", "clusters"]
    assert lines[2].split()[-3:] == ["55.0", "200", "50"]
    assert "(randomisation test over 50 sentences, " in text
    cells = [line.split() for line in lines if line.startswith(("A right", "A wrong"))]
    assert cells == [["A", "right", "90", "20"], ["A", "wrong", "60", "30"]]
    assert "the verdict goes by the test over sentences" in text
    # 20 of 50 sentences gain 2 of 4 words: 13 and 27 of 50 would be at the ends of the binomial.
    assert lines[-1] == "B is better than A by 20.0 points [13.0, 27.1]; p < 0.0001."


def test_the_p_value_of_sentences_is_not_that_of_items(write_run):
    """4 sentences gain 10 words each and 2 lose them: 6 coins, which McNemar's test takes for 60."""
    a = write_run("a", trees([[0] * 10] * 4 + [[1] * 10] * 36))
    b = write_run("b", trees([[1] * 10] * 4 + [[1] * 10] * 34 + [[0] * 10] * 2))
    text = compare(a, b)
    assert "McNemar's exact test: p = 0.0135." in text
    # 44 of the 64 ways in which 6 coins fall are 4 to 2 or less even: 0.6875.
    assert "is within what chance would give; p = 0.69" in text.splitlines()[-1]


@pytest.mark.parametrize("only_a, only_b", [(0, 5), (0, 6), (6, 17), (7, 18), (11, 3)])
def test_an_interval_without_0_is_never_called_chance(write_run, only_a, only_b):
    """Of 5 items to 0 the bootstrap's interval was [+1.7, +16.7], and the verdict chance (p = 0.0625)."""
    rest = [1] * (60 - only_a - only_b)
    a = write_run("a", words([1] * only_a + [0] * only_b + rest))
    b = write_run("b", words([0] * only_a + [1] * only_b + rest))
    check_agreement(compare(a, b))


def check_agreement(text):
    """What is shown agrees: the interval, the p-value and the verdict."""
    shown = re.search(r"interval \[(\S+), (\S+)\], p (<|=) ([\d.]+)", text)
    low, high, p_value = float(shown[1]), float(shown[2]), float(shown[4])
    better = " is better than " in text.splitlines()[-1]
    assert better == (low > 0 or high < 0) == (p_value < 0.05), text


@settings(max_examples=300)
@given(
    st.floats(-1, 1),
    st.integers(0, 60),
    st.integers(1, 60),
    st.integers(1, 40),
    st.integers(100, 400),
    st.integers(1, 2000),
)
def test_verdict_interval_and_p_agree_as_they_are_shown(share, only_a, only_b, size, samples, more):
    """Also where they are near the edge, and where ends are nearly 0."""
    num_clusters = only_a + only_b + more
    right_b = np.zeros((num_clusters, size), dtype=bool)
    right_b[:only_b, 0] = True
    right_a = np.zeros_like(right_b)
    right_a[only_b : only_b + only_a, : max(1, int(abs(share) * size))] = True
    clusters = np.arange(num_clusters).repeat(size)
    rng = np.random.default_rng(samples)
    found = paired_difference(right_a.ravel(), right_b.ravel(), clusters, rng, samples)
    run = {"path": "p", "task": "t", "representation": "r", "score": 0.5}
    numbers = {
        "items": right_a.size,
        "clusters": num_clusters,
        "measure": "accuracy",
        "a": run,
        "b": run,
        "difference": {**found._asdict(), "samples": samples, "seed": 1},
        "mcnemar": {"both": 0, "only_a": 0, "only_b": 0, "neither": 0, "p_value": 1.0},
        "notes": [],
    }
    check_agreement(describe(numbers))
    # p at, and nearly at, the level, with ends to match.
    for p_value, low in ((0.05, 0.0), (0.05, -1e-9), (0.0499999, 1e-9), (0.04996, 3e-5)):
        edge = {"difference": 0.01, "low": low, "high": 0.02, "p_value": p_value}
        check_agreement(describe({**numbers, "difference": {**numbers["difference"], **edge}}))


def test_roots(write_run):
    lines = [{"line": n, "words": ["a", "b"], "root": n % 2, "gold_root": 0} for n in range(1, 41)]
    left_out = {"line": 41, "words": ["a"], "root": 0, "gold_root": None}
    a = write_run("a", [*lines, left_out])
    b = write_run("b", [{**line, "root": 0} for line in lines])
    text = compare(a, b)
    assert text.splitlines()[0].split()[-4:] == ["root", "accuracy", "items", "clusters"]
    assert text.splitlines()[2].split()[-3:] == ["50.0", "40", "40"]
    assert "the verdict goes by" not in text


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
    found = json.loads((tmp_path / "numbers.json").read_text(encoding="utf-8"))["difference"]
    assert "200 samples" in text and found["samples"] == 200
    assert found["p_value"] * 201 == pytest.approx(round(found["p_value"] * 201))


def test_validation(write_run):
    a, b = (write_run(name, words(A), split="validation") for name in "ab")
    assert "+0.0 points" in compare(a, b, "--split", "validation")
    with pytest.raises(FileNotFoundError, match="There is: validation_predictions.jsonl"):
        compare(a, b)


def test_other_items(write_run):
    a = write_run("a", words(A))
    b = write_run("b", words(B, first=4), path="other/test.txt", sha256="b" * 64)
    with pytest.raises(ValueError) as error:
        compare(a, b)
    message = str(error.value)
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
    with pytest.raises(ValueError) as error:
        compare(a, b)
    assert "different files" not in str(error.value)
    assert f"Only in B, {b}: 0 of 90." in str(error.value)


def test_only_the_common_items(write_run):
    a, b = write_run("a", words(A)), write_run("b", words(B[10:] + [1], first=11))
    text = compare(a, b, "--common")
    assert "Left out: 10 items that only A has and 1 that only B has.\n" in text
    assert text.splitlines()[2].split()[-3:] == ["38.9", "90", "90"]
    assert "different files" not in text
    c = write_run("c", words(B, first=1000))
    with pytest.raises(ValueError, match="They have no item in common"):
        compare(a, c, "--common")


def test_other_gold_labels(write_run):
    a = write_run("a", words(A))
    b = write_run("b", words(B[:50]) + words(B[50:], gold="control", first=51))
    with pytest.raises(ValueError) as error:
        compare(a, b)
    assert "The inputs are the same, but their gold labels differ" in str(error.value)
    assert "--common" not in str(error.value)
    text = compare(a, b, "--common")
    assert "50 that only B has; 50 inputs have other gold labels." in text


def test_other_files_with_the_same_items_are_mentioned(write_run):
    a, b = write_run("a", words(A)), write_run("b", words(B), sha256="b" * 64)
    assert "These runs were tested on different files" in compare(a, b)


def test_other_kinds(write_run):
    with pytest.raises(ValueError, match="scored by accuracy, .* by UUAS"):
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
    with pytest.raises(ValueError, match=message):
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
