import argparse
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from linspector_allennlp.commands.tables import latex_table, say, table
from linspector_allennlp.io.files import PathLike, replacing_text
from linspector_allennlp.run_folders.results_file import write_csv_row

if TYPE_CHECKING:
    from linspector_allennlp.report.page.model import Page, PageTable

DESCRIPTION = (
    "Makes a page of the results of a study: one HTML file that needs no network. Without -o and --export, it "
    "prints the main tables."
)

MAIN_TABLES = ("scores", "top-places", "sign-tests", "best-layer")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", nargs="?", metavar="STUDY", help="the folder of probe-suite")
    parser.add_argument(
        "--csv",
        metavar="TABLE",
        help="instead of STUDY: any table of scores in the columns of results.csv",
    )
    parser.add_argument(
        "--predictions", metavar="FILE", help="beside --csv: predictions.parquet of the same runs"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where to put the page, as report.html"
    )
    parser.add_argument(
        "--export",
        metavar="FOLDER",
        help="put every table there as .csv and .tex, and every figure as .pdf, .svg and .png",
    )
    parser.set_defaults(func=_run)


def _run(args: argparse.Namespace) -> None:
    _check(args)
    page = study_page(args.study, args.csv, args.predictions)
    if args.output:
        size = write_page(page, args.output)
        say(
            f"{args.output}: {len(page.figures)} figures, {len(page.tables)} tables, {size / 1e6:.1f} MB"
        )
    if args.export:
        paths = list(export_page(page, args.export))
        say(f"{args.export}: {len(paths)} files")
    if not args.output and not args.export:
        say(page_text(page))


def study_page(
    study: Optional[PathLike] = None,
    csv: Optional[PathLike] = None,
    predictions: Optional[PathLike] = None,
) -> "Page":
    """The page of a study's folder, or of a table."""
    try:
        import pandas  # noqa: F401
    except ImportError as error:
        raise ValueError(
            f"A report needs pandas, which cannot be imported ({error}): pip install 'linspector_allennlp[report]'"
        ) from error
    from linspector_allennlp.report.page.build import build_page
    from linspector_allennlp.report.page.report_data import ReportData

    if study is not None:
        return build_page(ReportData.of_study(study))
    assert csv is not None
    return build_page(ReportData.of_csv(csv, predictions))


def write_page(page: "Page", path: PathLike) -> int:
    """Writes one HTML file, all of it or nothing; its size in bytes."""
    from linspector_allennlp.report.page.html_page import html_page

    text = html_page(page)
    with replacing_text(path) as file:
        file.write(text)
    return len(text.encode())


def export_page(page: "Page", folder: PathLike) -> Iterator[Path]:
    """Writes every table and every figure into files of its own; their paths."""
    from linspector_allennlp.report.figures import require_matplotlib
    from linspector_allennlp.report.page.printed_figures import write_figure

    require_matplotlib()
    Path(folder).mkdir(parents=True, exist_ok=True)
    for each in page.tables:
        for ending, text in (("csv", _csv(each)), ("tex", _latex(each))):
            path = Path(folder, f"{each.key}.{ending}")
            with replacing_text(path) as file:
                file.write(text)
            yield path
    for figure in page.figures:
        yield from write_figure(figure, folder)


def page_text(page: "Page") -> str:
    """The summary and the main tables, for a terminal."""
    from linspector_allennlp.report.page.model import Words

    parts = [f"{page.title}: {page.subtitle}"]
    for part in page.sections[0].parts:
        if isinstance(part, Words):
            parts.append("\n".join([*([part.title] if part.title else []), *part.sentences]))
    for each in page.tables:
        if each.key in MAIN_TABLES:
            parts.append(f"{each.title}\n{table(_rows(each), _left(each))}")
    return "\n\n".join(parts)


def _check(args: argparse.Namespace) -> None:
    if (args.study is None) == (args.csv is None):
        raise ValueError("Expected the folder of a study or --csv TABLE, and not both.")
    if args.predictions and args.csv is None:
        raise ValueError("--predictions is for --csv: a study has its own.")
    if args.export and Path(args.export).is_file():
        raise ValueError(f"--export: expected a folder, found the file {args.export}.")


def _rows(each: "PageTable") -> list[list[str]]:
    from linspector_allennlp.report.page.cells import cell_text

    forms = [column.form for column in each.columns]
    header = [column.title for column in each.columns]
    return [
        header,
        *([cell_text(cell, form) for cell, form in zip(row, forms)] for row in each.rows),
    ]


def _left(each: "PageTable") -> list[int]:
    return [number for number, column in enumerate(each.columns) if column.form == "text"]


def _csv(each: "PageTable") -> str:
    file = StringIO()
    rows: list[list[Any]] = [[column.name for column in each.columns], *map(list, each.rows)]
    for row in rows:
        write_csv_row(file, row)
    return file.getvalue()


def _latex(each: "PageTable") -> str:
    return latex_table(_rows(each), _left(each), note=each.title) + "\n"
