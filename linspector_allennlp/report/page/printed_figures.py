"""The figures of a page as files for a paper, drawn by matplotlib: fonts are within them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from linspector_allennlp.io.files import PathLike, replacing
from linspector_allennlp.report.figures import NOTE_SIZE, in_house_style
from linspector_allennlp.report.page.model import Drawing, Heat, PageFigure
from linspector_allennlp.report.page.printed_charts import printed_chart
from linspector_allennlp.report.page.printed_heat import printed_heat

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("pdf", "svg", "png")
METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}
DPI = 200


@in_house_style
def write_figure(figure: PageFigure, folder: PathLike) -> list[Path]:
    """Writes a figure in all of `FORMATS`; their paths."""
    import matplotlib

    # Type 42 fonts can be searched and edited; in an .svg letters are paths, so that it needs no font.
    paths = []
    with matplotlib.rc_context(
        {"pdf.fonttype": 42, "svg.fonttype": "path", "font.size": NOTE_SIZE}
    ):
        drawn = _drawn(figure)
        for format_ in FORMATS:
            path = Path(folder, f"{figure.key}.{format_}")
            with replacing(path) as temporary:
                drawn.savefig(
                    temporary,
                    format=format_,
                    dpi=DPI,
                    metadata=METADATA[format_],
                    bbox_inches="tight",
                )
            paths.append(path)
    return paths


def _drawn(figure: PageFigure) -> "Figure":
    content = figure.content
    if isinstance(content, Drawing):
        return content.figure
    if isinstance(content, Heat):
        return printed_heat(figure.title, content)
    return printed_chart(figure.title, content)
