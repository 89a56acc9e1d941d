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
from linspector_allennlp.sources.unimorph import UniMorph, read_unimorph

RESOURCES = {
    "finnish": "finnish-12k.tsv", "turkish": "turkish-12k.tsv", "romanian": "ron.tsv",
}  # fmt: skip
MOST = 8


def tag_counts(unimorph: UniMorph) -> dict[str, dict[int, str]]:
    """For each form its numbers of tags, each with one of its analyses."""
    counts: dict[str, dict[int, str]] = {}
    for form, analysis in zip(unimorph.form_of.tolist(), unimorph.analysis_of.tolist()):
        tags = unimorph.analyses[analysis].tags
        counts.setdefault(unimorph.forms[form], {})[len(tags)] = ";".join(tags)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("data", type=Path, metavar="DATA")
    data = parser.parse_args().data
    for language, name in RESOURCES.items():
        counts = tag_counts(read_unimorph(data / "unimorph" / name))
        folder = data / "linspector_released" / "type_level" / "TagCount" / language
        shared = agree = one = one_agrees = several = 0
        differences: Counter = Counter()
        for split in ("train", "dev", "test"):
            for row in read_single_forms(folder / f"{split}.txt"):
                if row.form not in counts:
                    continue
                found = counts[row.form]
                shared += 1
                right = int(row.label or 0) in found
                agree += right
                several += len(found) > 1
                if len(found) == 1:
                    one += 1
                    one_agrees += right
                if not right:
                    number, tags = min(found.items())
                    differences[f"released {row.label}, now {number}: {tags}"] += 1
        print(
            f"\n{language}: {shared:,} of the released forms are in {name}. The label is the number "
            f"of tags of one of their analyses for {100 * agree / shared:.1f} %; of the {one:,} "
            f"forms with one number, for {100 * one_agrees / max(1, one):.1f} % "
            f"({several:,} have several)."
        )
        for text, number in differences.most_common(MOST):
            print(f"  {number:5,}  {text}")


if __name__ == "__main__":
    main()
