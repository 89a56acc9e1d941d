"""What a page is told beside a study: frequency lists, and the statistics of raw resources."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pandas

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.languages import find_language
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.run_folders.resource_tables import read_resource_table


def with_ranks(data: ReportData, lists: Sequence[str]) -> ReportData:
    """
    The same with the ranks of its test words.

    # Parameters

    lists : `Sequence[str]`
        `LANGUAGE=FILE` each; a file alone is of the only language of the study.
    """
    if not lists:
        return data
    # They are read by what makes tasks, which needs AllenNLP.
    from linspector_allennlp.sources.frequencies import read_frequencies

    predictions = data.predictions
    if predictions is None or "form" not in predictions or "language" not in data.table:
        raise ValueError("--frequencies: there are no predictions of words, or no languages.")
    language_of = data.table.drop_duplicates("run").set_index("run")["language"]
    languages = predictions["run"].map(language_of)
    known = [str(name) for name in languages.dropna().unique()]
    ranks: dict[str, dict[str, int]] = {}
    for given in lists:
        language, source = _of_language(given, known)
        if language in ranks:
            raise ValueError(f"--frequencies: expected one list of {language}, found two.")
        found = find_language(language)
        words = read_frequencies(source, found.code if found else None)
        own = predictions[(languages == language).fillna(False).astype(bool)]
        forms = _distinct(own[name] for name in ("form", "form2") if name in own)
        with_rank = ((form, words.rank(form)) for form in forms)
        ranks[language] = {form: rank for form, rank in with_rank if rank is not None}
    return replace(data, ranks=ranks)


def with_resources(data: ReportData, tables: Sequence[PathLike]) -> ReportData:
    """The same with the tables that `probe-data describe` has written."""
    if not tables:
        return data
    frames = [read_resource_table(table) for table in tables]
    return replace(data, resources=pandas.concat(frames, ignore_index=True))


def _of_language(given: str, known: Sequence[str]) -> tuple[str, str]:
    language, mark, source = given.partition("=")
    if not mark:
        if len(known) != 1:
            raise ValueError(
                f"--frequencies: {given} is of one language, and the predictions are of {len(known)} "
                f"({', '.join(known) or 'none'}): say LANGUAGE={given}."
            )
        return known[0], given
    wanted = find_language(language) or language
    for name in known:
        if (find_language(name) or name) == wanted:
            return name, source
    raise ValueError(
        f"--frequencies: expected a language of the predictions ({', '.join(known) or 'none'}), found {language}."
    )


def _distinct(columns: Iterable[pandas.Series]) -> list[str]:
    return list(dict.fromkeys(form for column in columns for form in column.dropna().unique()))
