"""A table of a page as LaTeX, for a paper: with a caption, as wide as a page at most."""

from linspector_allennlp.commands.page_text import left_columns, table_rows, worth_showing
from linspector_allennlp.commands.tables import in_latex, latex_table
from linspector_allennlp.report.page.model import PageTable

MOST_ROWS = 45
"""More do not fit a page: they are a longtable."""


def page_latex(each: PageTable) -> str:
    """What is the same in all rows stands in the caption; the best is bold, the second is underlined."""
    rows = table_rows(each)
    kept, same = worth_showing(each, rows)
    all_rows = f" All rows: {', '.join(same)}." if same else ""
    left = [place for place, number in enumerate(kept) if number in left_columns(each)]
    places = {number: place for place, number in enumerate(kept)}
    bold, second = (
        [(row, places[column]) for (row, column), m in each.marks.items() if m == mark]
        for mark in (1, 2)
    )
    lines = latex_table(
        [[row[n] for n in kept] for row in rows], left, bold, underlined=second
    ).splitlines()
    caption = f"\\caption{{{in_latex(f'{each.title}.{all_rows}')}}}\\label{{tab:{each.key}}}"
    if len(each.rows) > MOST_ROWS:
        head = lines[0].replace("{tabular}", "{longtable}")
        return "\n".join(
            [
                "% \\usepackage{booktabs,longtable}",
                head,
                f"{caption}\\\\",
                *lines[1:4],
                "\\endhead",
                *lines[4:-1],
                "\\end{longtable}",
            ]
        )
    return "\n".join(
        [
            "% \\usepackage{booktabs,graphicx}",
            "\\begin{table}",
            "\\centering",
            caption,
            "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
            *lines,
            "}",
            "\\end{table}",
        ]
    )
