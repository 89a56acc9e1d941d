from linspector_allennlp.commands.table_formats import csv_table, latex_table, markdown_table


def test_csv():
    assert csv_table([["a", "b"], ['x, "y"', None], [0.5, "z"]]) == 'a,b\n"x, ""y""",\n0.5,z\n'


def test_markdown():
    rows = [["a", "p"], ["x|y_z", "[+1, +2]"]]
    assert markdown_table(rows) == "| a | p |\n| --- | --: |\n| x\\|y\\_z | \\[+1, +2] |\n"


def test_latex():
    rows = [["a_b", "p"], ["100 % & ~", "[−1, 2]"], ["c\\d", "p < 0.01 ± 2"]]
    assert latex_table(rows, left=(0,)).splitlines() == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"a\_b & p \\",
        r"\midrule",
        r"100 \% \& \textasciitilde{} & {[$-$1, 2]} \\",
        r"c\textbackslash{}d & p $<$ 0.01 $\pm$ 2 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
