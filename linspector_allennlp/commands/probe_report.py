import argparse
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from linspector_allennlp.commands.tables import latex_table
from linspector_allennlp.io.files import PathLike, replacing_text
from linspector_allennlp.run_folders.results_file import write_csv_row

if TYPE_CHECKING:
    from linspector_allennlp.report.page.model import Page, PageTable

DESCRIPTION = (
    "Makes a page of the results of a study: one HTML file that needs no network. Without -o and --export, it "
    "prints the main tables."
)


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
        "--frequencies",
        nargs="+",
        metavar="[LANGUAGE=]LIST",
        help="word-frequency lists, of each language one (or wordfreq): scores by how frequent words are",
    )
    parser.add_argument(
        "--resources",
        nargs="+",
        metavar="TABLE",
        help="what `probe-data describe --unimorph FILE --treebank FILE --csv TABLE` writes, of each language "
        "one: the statistics of the raw resources",
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
    beside = args.frequencies or (), args.resources or ()
    page = study_page(args.study, args.csv, args.predictions, *beside)
    if args.output:
        size = write_page(page, args.output)
        print(
            f"{args.output}: {len(page.figures)} figures, {len(page.tables)} tables, {size / 1e6:.1f} MB"
        )
    if args.export:
        paths = list(export_page(page, args.export))
        print(f"{args.export}: {len(paths)} files")
    if not args.output and not args.export:
        from linspector_allennlp.commands.page_text import page_text

        print(page_text(page))


def study_page(
    study: Optional[PathLike] = None,
    csv: Optional[PathLike] = None,
    predictions: Optional[PathLike] = None,
    frequencies: Sequence[str] = (),
    resources: Sequence[PathLike] = (),
) -> "Page":
    """The page of a study's folder, or of a table; for the parameters see the options of the command."""
    try:
        import pandas  # noqa: F401
    except ImportError as error:
        raise ValueError(
            f"A report needs pandas, which cannot be imported ({error}): pip install 'linspector_allennlp[report]'"
        ) from error
    from linspector_allennlp.commands.report_inputs import with_ranks, with_resources
    from linspector_allennlp.report.page.build import build_page
    from linspector_allennlp.report.page.report_data import ReportData

    if study is not None:
        data = ReportData.of_study(study)
    else:
        assert csv is not None
        data = ReportData.of_csv(csv, predictions)
    return build_page(with_resources(with_ranks(data, frequencies), resources))


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


def _check(args: argparse.Namespace) -> None:
    if (args.study is None) == (args.csv is None):
        raise ValueError("Expected the folder of a study or --csv TABLE, and not both.")
    if args.predictions and args.csv is None:
        raise ValueError("--predictions is for --csv: a study has its own.")
    if args.export and Path(args.export).is_file():
        raise ValueError(f"--export: expected a folder, found the file {args.export}.")
    if args.output and Path(args.output).is_dir():
        raise ValueError(f"-o: expected a file to write, found the folder {args.output}.")
    if args.output and not Path(args.output).parent.is_dir():
        raise ValueError(
            f"-o {args.output}: there is no folder {Path(args.output).parent}: make it first."
        )


def _csv(each: "PageTable") -> str:
    file = StringIO()
    rows: list[list[Any]] = [[column.name for column in each.columns], *map(list, each.rows)]
    for row in rows:
        write_csv_row(file, row)
    return file.getvalue()


def _latex(each: "PageTable") -> str:
    from linspector_allennlp.commands.page_text import left_columns, table_rows

    return latex_table(table_rows(each), left_columns(each), note=each.title) + "\n"
