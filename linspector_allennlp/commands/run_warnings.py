"""What looked wrong in the data and the results of runs, each warning once."""

import re
from collections.abc import Mapping

from linspector_allennlp.run_folders.run_folder import RunFolder

FEW = 3

# What differs between the warnings of two runs that say the same: quoted words, numbers, paths.
PARTICULARS = re.compile(r"(?:(?:'[^']*'|\S*/\S*|\d[\d.,]*)[\s(),:%]*)+")


def warnings_of(runs: Mapping[str, RunFolder]) -> list[str]:
    """
    The warnings of the runs, by their names. Those of many runs that say the same in other numbers are one.
    """
    names: dict[str, dict[str, list[str]]] = {}
    for name, run in runs.items():
        for warning in run.provenance.get("warnings", ()):
            alike = names.setdefault(PARTICULARS.sub("#", warning), {})
            alike.setdefault(warning, []).append(name)
    lines = []
    for alike in names.values():
        concerned = list(
            dict.fromkeys(name for of_warning in alike.values() for name in of_warning)
        )
        if len(concerned) < FEW or len(runs) == 1:
            lines += [_with_names(*each) if len(runs) > 1 else each[0] for each in alike.items()]
            continue
        warning = next(iter(alike))
        such_as = f" (these numbers are of {alike[warning][0]})" if len(alike) > 1 else ""
        lines.append(f"{len(concerned)} runs: {warning}{such_as}")
    return lines


def _with_names(warning: str, names: list[str]) -> str:
    return f"{warning} ({', '.join(names)})"
