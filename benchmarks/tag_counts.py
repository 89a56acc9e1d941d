"""
How our TagCount agrees with the label that LINSPECTOR released, on the forms that are in the
UniMorph files of today, and what the differences are: the resource has changed since.

    python benchmarks/tag_counts.py DATA

where DATA is the folder of real data (`linspector_released/` and `unimorph/` in it).
"""

import argparse
from collections import Counter
from pathlib import Path

from linspector_allennlp.formats import read_single_forms
from linspector_allennlp.sources.schema import Analysis
from linspector_allennlp.sources.unimorph import UniMorph, read_unimorph

RESOURCES = {
    "finnish": "finnish-12k.tsv", "turkish": "turkish-12k.tsv", "romanian": "ron.tsv",
}  # fmt: skip
MOST = 8


def analyses_of(unimorph: UniMorph) -> dict[str, list[Analysis]]:
    """The analyses of each form."""
    analyses: dict[str, list[Analysis]] = {}
    for form, number in zip(unimorph.form_of.tolist(), unimorph.analysis_of.tolist()):
        analyses.setdefault(unimorph.forms[form], []).append(unimorph.analyses[number])
    return analyses


def compare(language: str, resource: str, data: Path) -> None:
    """Prints the agreement in one language, and the most frequent differences."""
    analyses = analyses_of(read_unimorph(data / "unimorph" / resource))
    folder = data / "linspector_released" / "type_level" / "TagCount" / language
    shared, agree, agree_without = 0, 0, 0
    differences: Counter = Counter()
    for split in ("train", "dev", "test"):
        for row in read_single_forms(folder / f"{split}.txt"):
            found = analyses.get(row.form)
            if not found:
                continue
            shared += 1
            counts = {str(len(analysis.tags)) for analysis in found}
            agree += row.label in counts
            # One tag for definite or indefinite, where there is one.
            agree_without += row.label in {
                str(len(analysis.tags) - ("Definiteness" in analysis.values)) for analysis in found
            }
            if row.label not in counts:
                tags = ";".join(found[0].tags)
                differences[f"released {row.label}, now {len(found[0].tags)}: {tags}"] += 1
    print(
        f"\n{language}: {shared:,} released forms are in {resource}. The number of tags is the "
        f"released label for {100 * agree / shared:.1f} %; without the tag of definiteness, for "
        f"{100 * agree_without / shared:.1f} %."
    )
    for text, number in differences.most_common(MOST):
        print(f"  {number:5,}  {text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("data", type=Path, metavar="DATA")
    data = parser.parse_args().data
    for language, resource in RESOURCES.items():
        compare(language, resource, data)


if __name__ == "__main__":
    main()
