"""`probe-compare` of several runs a side."""

import json

import numpy as np
import pytest

from linspector_allennlp.analysis.significance import paired_difference
from linspector_allennlp.commands import probe_compare
from linspector_allennlp.commands.compared_sides import ComparisonOptions
from linspector_allennlp.commands.probe_compare import compare_sides
from linspector_allennlp.commands.side_comparison import PreparedMatch, _of_one_seed
from tests.commands.printed import printed
from tests.commands.written_runs import trees, words, write_run


def rights(share, seed, num=400):
    """Which of these items a run has right: by their difficulty, and by luck."""
    draw = np.random.default_rng(seed)
    return (np.arange(num) % 20 / 20 + draw.normal(size=num) * 0.2 < share).astype(int)


@pytest.fixture
def write(tmp_path):
    """Writes runs of a side, one for each seed."""

    def write_side(name, share, seeds=(1, 2, 3), **more):
        return [
            write_run(
                tmp_path / f"{name}{seed}",
                words(rights(share, hash_of(name, seed))),
                seed=seed,
                **more,
            )
            for seed in seeds
        ]

    return write_side


def hash_of(name, seed):
    return [ord(name), seed]


def compare(a, b, *arguments):
    return printed(probe_compare, "--a", *a, "--b", *b, *arguments)


def test_seeds_of_two_sides(write, tmp_path):
    a, b = write("a", 0.5), write("b", 0.7)
    text = compare(a, b, "--json", tmp_path / "numbers.json")
    numbers = json.loads((tmp_path / "numbers.json").read_text(encoding="utf-8"))
    (found,) = numbers["comparisons"]
    assert found["setting"] == {"task": "Case/finnish"} and found["measure"] == "accuracy"
    for side, name, share, paths in (("a", "a", 0.5, a), ("b", "b", 0.7, b)):
        scores = [rights(share, hash_of(name, seed)).mean() for seed in (1, 2, 3)]
        assert found[side]["scores"] == pytest.approx(scores)
        assert found[side]["score"] == pytest.approx(np.mean(scores))
        assert found[side]["sd"] == pytest.approx(np.std(scores, ddof=1))
        assert (found[side]["paths"], found[side]["seeds"]) == (paths, [1, 2, 3])
    assert found["difference"] == pytest.approx(found["b"]["score"] - found["a"]["score"])
    assert found["p_value"] == found["holm_p_value"] < 0.05 < found["low"] == found["holm_low"]
    assert found["better"] == "b" and numbers["sign_tests"] == [] and numbers["notes"] == []
    assert (numbers["samples"], numbers["seed"], numbers["confidence"]) == (10_000, 13, 0.95)
    lines = text.splitlines()
    score, sd = 100 * found["b"]["score"], 100 * found["b"]["sd"]
    assert f"{score:.1f} ± {sd:.1f} (3)" in lines[2] and lines[2].endswith("  B")
    assert "95 % interval" in lines[0] and "1 of 1 differences is more than chance" in text


def test_of_one_seed_each_it_is_the_comparison_of_two_runs(write):
    (a,), (b,) = write("a", 0.5, [1]), write("b", 0.53, [1])
    two = probe_compare.probe_compare(a, b)["difference"]
    numbers = compare_sides([a], [b])
    (found,) = numbers["comparisons"]
    assert {key: found[key] for key in ("difference", "low", "high", "p_value")} == {
        key: two[key] for key in ("difference", "low", "high", "p_value")
    }
    assert numbers["notes"] == [
        "Seeds were not varied: intervals and p-values say nothing of other seeds."
    ]
    a_right, b_right = (rights(s, hash_of(n, 1)) for s, n in ((0.5, "a"), (0.53, "b")))
    rng = np.random.default_rng(13)
    assert found["p_value"] == paired_difference(a_right, b_right, range(400), rng).p_value


def test_other_numbers_of_seeds(write):
    three, two, one = write("a", 0.5), write("b", 0.6, [4, 5]), write("c", 0.6, [1])
    notes = compare_sides(three, two)["notes"]
    assert notes == ["Two seeds tell little of how much seeds matter: that makes intervals wide."]
    (note,) = compare_sides(three, one)["notes"]
    assert note.endswith("the side with one seed is taken to vary with seeds as much as the other.")


def test_the_bootstrap(write):
    a, b = write("a", 0.5), write("b", 0.6)
    by_test, by_bootstrap = (
        compare_sides(a, b, ComparisonOptions(method=method))["comparisons"][0]
        for method in ("randomisation", "bootstrap")
    )
    assert by_bootstrap["difference"] == by_test["difference"]
    assert (by_bootstrap["low"], by_bootstrap["high"]) != (by_test["low"], by_test["high"])
    assert "hierarchical paired bootstrap" in compare(a, b, "--method", "bootstrap")


def test_trees_count_by_sentences(tmp_path):
    a, b = (
        [
            write_run(
                tmp_path / f"{name}{seed}",
                trees([[(n * seed + m) % 5 < most for m in range(4)] for n in range(50)]),
                seed=seed,
            )
            for seed in (1, 2)
        ]
        for name, most in (("a", 2), ("b", 4))
    )
    numbers = compare_sides(a, b)
    (found,) = numbers["comparisons"]
    assert (found["measure"], found["items"], found["clusters"]) == ("UUAS", 200, 50)
    assert "UUAS A" in compare(a, b).splitlines()[0]


def test_few_items(tmp_path):
    a, b = ([write_run(tmp_path / n, words([r] * 3))] for n, r in (("a", 0), ("b", 1)))
    assert "fewer than 6 items cannot show any difference." in compare(a, b)


def test_other_items(write, tmp_path):
    a, b = write("a", 0.5, [1, 2]), write("b", 0.5, [1])
    short = write_run(tmp_path / "short", words(rights(0.5, 9)[:390]), seed=2)
    with pytest.raises(
        ValueError, match=r"Only in A, .*a1: 10 of 400 .* --common compares the 390"
    ):
        compare(a, [*b, short])
    text = compare(a, [*b, short], "--common")
    assert "Case/finnish, A and B: only the 390 items that all runs have are compared." in text
    other = write_run(tmp_path / "other", words([1] * 5, first=1000), seed=3)
    with pytest.raises(ValueError, match="They have no item in common"):
        compare(a, [*b, other], "--common")
    control = write_run(tmp_path / "control", words(rights(0.5, 9), gold="control"), seed=3)
    with pytest.raises(ValueError, match="their gold labels differ: another task, a control task"):
        compare(a, [*b, control])


def test_nothing_is_left_in_common(tmp_path):
    """Each shares items with the first, but not all of them the same."""
    runs = [
        write_run(tmp_path / str(seed), words([1] * num, first=first), seed=seed)
        for seed, first, num in ((1, 1, 8), (2, 1, 4), (3, 5, 4))
    ]
    with pytest.raises(ValueError, match="These runs have no item in common"):
        compare(runs[:1], runs[1:], "--common")


def test_other_kinds(write, tmp_path):
    tree = write_run(tmp_path / "tree", trees([[1, 0]] * 40))
    with pytest.raises(ValueError, match="scored by accuracy, .* by UUAS"):
        compare(write("a", 0.5), [tree])


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--a", "{a}"], "expected the runs of both sides"),
        (["--a", "{a}", "--b", "{b}", "{b}"], "B has several runs with the seed 1: expected one"),
        (["--a", "{a}", "--b", "{b}", "--by", "layer"], "--by is for a study"),
        (
            ["--a", "{a}", "--b", "{b}", "--samples", "0"],
            "--samples: expected 100 or more, found 0",
        ),
        (["--a", "{a}", "--b", "{b}", "--csv", "no/such.csv"], "--csv: there is no folder no"),
        (["{a}", "{b}", "--baseline", "x"], "--baseline is for a study"),
        (["{a}", "{b}", "--latex", "x.tex"], "--latex is for several runs a side"),
        (["{a}", "{b}", "--method", "bootstrap"], "--method is for several runs a side"),
        (["{a}"], "expected two runs, or the runs of two sides"),
        (["{a}", "{b}", "--a", "{a}", "--b", "{b}"], "expected the runs of both sides"),
    ],
)
def test_arguments_that_cannot_be(write, arguments, message):
    (a,), (b,) = write("a", 0.5, [1]), write("b", 0.6, [1])
    with pytest.raises(ValueError, match=message):
        printed(probe_compare, *(each.format(a=a, b=b) for each in arguments))


def test_without_arguments_there_is_the_usage(capsys):
    with pytest.raises(SystemExit) as stopped:
        printed(probe_compare)
    assert stopped.value.code == 2 and "or a study" in capsys.readouterr().err


def test_latex_is_all_that_is_printed_and_true(write, capsys):
    """One seed a side: nothing is said of the error of seeds, and nothing stands outside the table."""
    (a,), (b,) = write("a", 0.5, [1]), write("b", 0.6, [1])
    lines = printed(probe_compare, "--a", a, "--b", b, "--latex").splitlines()
    assert lines[-1] == r"\end{tabular}" and capsys.readouterr().err == ""
    comments = [line for line in lines if line.startswith("% ")]
    assert lines[: len(comments)] == comments
    assert comments[0].startswith("% Scores are in percent, each of (1) seed. By the randomisation")
    assert comments[-1].startswith("% Seeds were not varied")


def test_some_comparisons_of_one_seed():
    """The note is of those only."""
    one = PreparedMatch(None, "accuracy", 9, [[1], [1]], [])
    several = one._replace(seeds=[[1, 2], [1, 2]])
    (note,) = _of_one_seed([one, several])
    assert note.startswith("1 of 2 comparisons are of one seed a side")
    assert not list(_of_one_seed([several]))
