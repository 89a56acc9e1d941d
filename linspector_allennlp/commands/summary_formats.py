"""The tables of groups of runs as text: for a terminal, as CSV, Markdown and LaTeX."""

from collections.abc import Sequence
from io import StringIO

from linspector_allennlp.commands.summary_tables import SummaryTable
from linspector_allennlp.commands.tables import in_markdown, latex_table, markdown_table, table
from linspector_allennlp.run_folders.results_file import write_csv_row
from linspector_allennlp.run_folders.table_columns import as_json

SD = "± is the standard deviation"
NO_SELECTIVITY = "there is no selectivity where the control task cannot be learned"
BEST, BOLD = (f"{mark} is the best of its task, as rounded" for mark in ("*", "bold"))
OF_SEEDS = "an interval is one over items, of the mean of the seeds"


def as_text(tables: Sequence[SummaryTable]) -> str:
    parts = []
    for each in tables:
        rows = [each.header, *each.rows]
        if any(each.best):
            place = each.num_left
            marks = ["", *("*" if is_best else " " for is_best in each.best)]
            rows = [
                [*row[:place], row[place] + mark, *row[place + 1 :]]
                for row, mark in zip(rows, marks)
            ]
        lines = [each.caption, table(rows, left=range(each.num_left))]
        parts.append("\n".join(filter(None, lines)))
    legend = _legend(tables)
    return "\n\n".join([*parts, *([legend] if legend else [])])


def as_markdown(tables: Sequence[SummaryTable]) -> str:
    parts = []
    for each in tables:
        parts += [in_markdown(each.caption)] if each.caption else []
        rows = [each.header, *each.rows]
        parts.append(markdown_table(rows, range(each.num_left), _bold(each)))
    legend = _legend(tables, BOLD)
    return "\n\n".join([*parts, *([in_markdown(legend)] if legend else [])])


def as_latex(tables: Sequence[SummaryTable]) -> str:
    parts = []
    for each in tables:
        note = "\n".join(filter(None, [each.caption, _legend([each], BOLD)]))
        rows = [each.header, *each.rows]
        parts.append(latex_table(rows, range(each.num_left), _bold(each), note))
    return "\n\n".join(parts)


def as_csv(tables: Sequence[SummaryTable]) -> str:
    """One table with the columns of all, and numbers as they are."""
    rows = [row for each in tables for row in each.values]
    header = list(dict.fromkeys(name for row in rows for name in row))
    file = StringIO()
    write_csv_row(file, header)
    for row in rows:
        cells = {**row, "settings": as_json(row.get("settings"))}
        write_csv_row(file, [cells.get(name) for name in header])
    return file.getvalue().rstrip("\n")


def _bold(each: SummaryTable) -> list[tuple[int, int]]:
    return [(row, each.num_left) for row, is_best in enumerate(each.best) if is_best]


def _legend(tables: Sequence[SummaryTable], best: str = BEST) -> str:
    """What the signs mean that are there."""
    texts = [cell for each in tables for row in each.rows for cell in row]
    has_sd = any(" ± " in text for text in texts)
    notes = [SD] if has_sd else []
    notes += (
        [OF_SEEDS]
        if has_sd and any("interval" in t for each in tables for t in each.header)
        else []
    )
    notes += [NO_SELECTIVITY] if any(map(_lacks_selectivity, tables)) else []
    notes += [best] if any(any(each.best) for each in tables) else []
    text = "; ".join(notes)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _lacks_selectivity(each: SummaryTable) -> bool:
    return any(
        row["control_score"] is not None and row["selectivity"] is None for row in each.values
    )
