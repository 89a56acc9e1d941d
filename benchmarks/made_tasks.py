"""
Makes tasks from the real resources, and sets them beside the ones that LINSPECTOR released: labels
and majority baselines.

    python benchmarks/made_tasks.py DATA OUTPUT

DATA is the folder of real data. What is made stays in OUTPUT, for `linspector probe-data describe`.
"""

import argparse
import contextlib
import io
from pathlib import Path

from linspector_allennlp.audit.task_audit import Audit, audit_task
from linspector_allennlp.commands.data.probe_data import PARTS


def makings(data: Path, output: Path) -> dict[str, list[str]]:
    """What to make: a title, and the arguments of `probe-data`."""
    unimorph, frequency = data / "unimorph", data / "frequency"

    def type_level(language: str, resource: str, words: str, folder: str, *more: str) -> list[str]:
        return [
            "type-level", "--language", language, "--unimorph", str(unimorph / resource),
            "--frequencies", str(frequency / words), "--output", str(output / folder), *more,
        ]  # fmt: skip

    def token_level(folder: str, pattern: str, *more: str) -> list[str]:
        files = sorted(str(path) for path in data.glob(pattern))
        return [
            "token-level", "--language", "turkish", "--treebank", *files,
            "--output", str(output / folder), *more,
        ]  # fmt: skip

    treebanks = {"um": "ud_unimorph/tr_imst-um-*.conllu", "ud": "ud/tr_imst-ud-*.conllu"}
    making = {
        "Romanian": type_level("romanian", "ron.tsv", "ro.txt", "type_level"),
        "Dutch": type_level("dutch", "nld.tsv", "nl.txt", "type_level"),
        "Dutch, 2,000": type_level("dutch", "nld.tsv", "nl.txt", "2000", "--size", "2000"),
        "Romanian, 2,000": type_level("romanian", "ron.tsv", "ro.txt", "2000", "--size", "2000"),
        "Finnish, 1,000": type_level(
            "finnish", "finnish-12k.tsv", "fi.txt", "1000", "--size", "1000"
        ),
        "Turkish, 1,000": type_level(
            "turkish", "turkish-12k.tsv", "tr.txt", "1000", "--size", "1000"
        ),
    }
    for kind, pattern in treebanks.items():
        making[f"Turkish tokens, {kind}"] = token_level(f"token_level_{kind}", pattern)
        making[f"Turkish tokens, {kind}, sentences shared"] = token_level(
            f"token_level_{kind}_shared", pattern, "--split-by", "token"
        )
    files = sorted(str(path) for path in data.glob(treebanks["ud"]))
    making["Turkish syneval"] = [
        "syneval", "--language", "turkish", "--treebank", *files, "--output", str(output / "syneval"),
    ]  # fmt: skip
    return making


def run(arguments: list[str]) -> str:
    """Runs a part of `probe-data` in this process; gives what it prints."""
    name, *rest = arguments
    _, add_arguments, part = PARTS[name]
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        part(parser.parse_args([*rest, "--force"]))
    return printed.getvalue()


def compare(released: Path, made: Path) -> str:
    """A line on one task: labels and majority on test, theirs and ours."""
    theirs, ours = audit_task(released), audit_task(made)
    labels, own = set(theirs.labels), set(ours.labels)
    difference = [f"only released: {', '.join(sorted(labels - own))}"] * bool(labels - own)
    difference += [f"only made: {', '.join(sorted(own - labels))}"] * bool(own - labels)
    return (
        f"{made.parent.parent.name:22} {theirs.language:9} {theirs.task:13}"
        f"{_majority(theirs):>9}{_majority(ours):>7}"
        f"   {'; '.join(difference) or f'the same {len(own)} labels'}"
    )


def _majority(audit: Audit) -> str:
    return "–" if audit.majority is None else f"{100 * audit.majority:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("output", type=Path, metavar="OUTPUT")
    args = parser.parse_args()
    for title, arguments in makings(args.data, args.output).items():
        print(f"== {title}\n{run(arguments)}", flush=True)
    print(f"{'':22} {'language':9} {'task':13}{'released':>9}{'made':>7}   labels")
    for level in ("type_level", "token_level"):
        for folder in sorted((args.data / "linspector_released" / level).glob("*/*")):
            task, language = folder.parts[-2:]
            for made in sorted(args.output.glob(f"*/{task}/{language}")):
                if (made.parent.parent.name.startswith("token")) == (level == "token_level"):
                    print(compare(folder, made))


if __name__ == "__main__":
    main()
