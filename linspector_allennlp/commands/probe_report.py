import argparse
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from linspector_allennlp.commands.tables import say
from linspector_allennlp.io.files import PathLike, replacing_text
from linspector_allennlp.io.regular import read_text
from linspector_allennlp.run_folders.results_file import write_csv_row

if TYPE_CHECKING:
    from linspector_allennlp.report.page.model import Page, PageTable

MANIFEST = "probe-report.files"
"""The list of the files that `--export` has written into a folder."""

EXAMPLE = """\
examples:
  linspector probe-report runs/study -o report.html --export paper/
  linspector probe-report --csv scores.csv -o report.html

--csv needs the columns language, task, representation, metric, value, between commas; majority, suffix
(baselines), level (type_level, token_level, downstream), probe, layer, seed, low, high, labels, dimension and
others of results.csv are read where they are there:
  level,language,task,representation,metric,value,majority
  type_level,finnish,Case,fastText,accuracy,81.5,29.0
"""

DESCRIPTION = (
    "Makes a page of the results of a study: one HTML file that needs no network. Without -o and --export, it "
    "prints the main tables."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
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
    parser.set_defaults(func=_run, wrong_usage=parser.error)


def _run(args: argparse.Namespace) -> None:
    _check(args)
    beside = args.frequencies or (), args.resources or ()
    page = study_page(args.study, args.csv, args.predictions, *beside)
    if args.output:
        size = write_page(page, args.output)
        say(
            f"{args.output}: {len(page.figures)} figures, {len(page.tables)} tables, {size / 1e6:.1f} MB"
        )
    if args.export:
        paths = list(export_page(page, args.export))
        say(f"{args.export}: {len(paths)} files")
    if not args.output and not args.export:
        from linspector_allennlp.commands.page_text import page_text

        say(page_text(page))


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
    """
    Writes every table and every figure into files of its own; their paths. Files that an earlier call has written
    there, as `MANIFEST` lists them, and this one does not are removed.
    """
    from linspector_allennlp.commands.page_latex import page_latex
    from linspector_allennlp.report.figures import require_matplotlib
    from linspector_allennlp.report.page.printed_figures import write_figure

    require_matplotlib()
    Path(folder).mkdir(parents=True, exist_ok=True)
    written = export_names(page)
    before = _names_before(folder, written)
    for each in page.tables:
        for ending, text in (("csv", _csv(each)), ("tex", page_latex(each) + "\n")):
            path = Path(folder, f"{each.key}.{ending}")
            with replacing_text(path) as file:
                file.write(text)
            yield path
    for figure in page.figures:
        yield from write_figure(figure, folder)
    for name in before - {*written}:
        Path(folder, name).unlink(missing_ok=True)
    with replacing_text(Path(folder, MANIFEST)) as file:
        file.write("".join(f"{name}\n" for name in sorted(written)))


def export_names(page: "Page") -> list[str]:
    """What the files of a page are called."""
    from linspector_allennlp.report.page.printed_figures import FORMATS

    tables = [f"{each.key}.{ending}" for each in page.tables for ending in ("csv", "tex")]
    return tables + [f"{figure.key}.{ending}" for figure in page.figures for ending in FORMATS]


def _names_before(folder: PathLike, names: Sequence[str]) -> set[str]:
    """The files of an earlier page there; one of somebody else's that would be lost is an error."""
    manifest = Path(folder, MANIFEST)
    lines = read_text(manifest).splitlines() if manifest.exists() else []
    before = {name for name in lines if name and Path(name).name == name}
    foreign = [name for name in names if name not in before and Path(folder, name).exists()]
    if foreign:
        raise ValueError(
            f"--export: {Path(folder, foreign[0])} is there, and no {MANIFEST} says that probe-report wrote it: "
            "choose another folder, or remove it."
        )
    return before


def _check(args: argparse.Namespace) -> None:
    if args.study is None and args.csv is None:
        args.wrong_usage("expected the folder of a study, STUDY, or --csv TABLE")
    if args.study is not None and args.csv is not None:
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
