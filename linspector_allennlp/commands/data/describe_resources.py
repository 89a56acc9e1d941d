"""The part of `linspector probe-data describe` that is about raw resources: the study's Table 5."""

from collections.abc import Sequence

from linspector_allennlp.commands.tables import percent, table
from linspector_allennlp.sources.remote import treebank_files, unimorph_files
from linspector_allennlp.sources.unimorph import read_unimorph
from linspector_allennlp.tasks.resource_statistics import paradigm_statistics, treebank_statistics
from linspector_allennlp.treebanks import TreebankCounts, read_treebank


def describe_unimorph(sources: Sequence[str], skip_bad_lines: bool) -> str:
    """Paradigms, forms, word classes and ambiguity of UniMorph files taken together."""
    paths = [file.path for source in sources for file in unimorph_files(source)]
    unimorph = read_unimorph(*paths, skip_bad_lines=skip_bad_lines)
    found = paradigm_statistics(unimorph)
    lines = [
        f"{', '.join(sources)}: {found.paradigms:,} paradigms, {found.rows:,} rows, "
        f"{found.forms:,} forms ({found.forms_of_several_words:,} of several words).",
        f"Word classes: {', '.join(found.parts_of_speech)}.",
        f"Ambiguous: {percent(found.ambiguity)} % of the forms, on average over the features.",
    ]
    unknown = unimorph.counts["unknown_tags"]
    if unknown:
        tags = ", ".join(f"{tag} ({number:,})" for tag, number in unknown.items())
        lines.append(f"Tags that the schema does not have: {tags}.")
    rows = [
        [feature.feature, str(feature.values), f"{feature.forms:,}", percent(feature.ambiguity)]
        for feature in found.features
    ]
    header = ["feature", "values", "forms with one value", "ambiguous (%)"]
    return "\n".join([*lines, "", table([header, *rows])])


def describe_treebank(sources: Sequence[str], skip_bad_lines: bool) -> str:
    """Sentences, tokens, vocabulary and ambiguity of the files of a treebank."""
    paths = [file.path for source in sources for file in treebank_files(source)]
    counts = TreebankCounts()
    found = treebank_statistics(read_treebank(paths, counts, skip_bad_lines), counts)
    line = (
        f"{', '.join(sources)}: {found.sentences:,} sentences, {found.tokens:,} tokens, "
        f"{found.tokens / found.sentences:.2f} a sentence, {found.vocabulary:,} forms "
        f"({found.tokens / found.vocabulary:.2f} tokens each)."
    )
    rows = [
        ["forms with more than one", "ambiguous (%)"],
        ["set of tags", percent(found.ambiguity)],
        ["string of tags as printed (Table 5)", percent(found.printed_ambiguity)],
    ]
    return "\n".join([line, "", table(rows)])
