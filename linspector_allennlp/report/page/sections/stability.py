"""Whether representations are in the same order, however it was measured."""

from collections.abc import Iterator

from linspector_allennlp.analysis.recommendations import recommendations
from linspector_allennlp.analysis.stability import rank_stability
from linspector_allennlp.analysis.tidy_scores import varying
from linspector_allennlp.report.page.cells import page_table
from linspector_allennlp.report.page.model import Part, Words
from linspector_allennlp.report.page.report_data import ReportData

VARIABLES = {"seed": "seeds", "probe": "classifiers", "train_share": "shares of the training data"}


def stability(data: ReportData) -> Iterator[Part]:
    said = False
    for variable, title in VARIABLES.items():
        scores = data.runs if variable == "seed" else data.scores
        if not varying(scores, [variable]):
            continue
        pairs = rank_stability(scores, variable)
        known = pairs[pairs["rho"].notna()]
        if known.empty:
            continue
        said = True
        low, middle = known["rho"].min(), known["rho"].median()
        yield Words(
            [
                f"Between {title} the rank correlation of representations is {middle:.2f} in the median, and at "
                f"least {low:.2f}, in {len(known)} pairs."
            ]
        )
        yield page_table(f"stability-{variable}", f"Between {title}", known)
    if not said:
        yield Words(
            ["Nothing varies that an order of three or more representations could depend on."]
        )
    found = recommendations(data.scores)
    yield page_table("recommendations", "Recommendations of the study on sentence probing", found)
