import argparse
from typing import Optional

from linspector_allennlp.commands.tables import say, table
from linspector_allennlp.example_files import SUITES, starting_configs, write_config

NAME = "new-config"

DESCRIPTION = (
    "Lists the starting configs, or writes one of them for you to change. It works in any folder, "
    "with `linspector train` and with `allennlp train --include-package linspector_allennlp`."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="the starting config (default: list them)"
    )
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="where it is written (default: NAME.jsonnet, here)"
    )
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    parser.set_defaults(func=lambda args: say(new_config(args.name, args.file, args.force)))


def new_config(name: Optional[str] = None, file: Optional[str] = None, force: bool = False) -> str:
    """Writes a starting config and says what to do with it; without a name, the list of them."""
    if name is None:
        rows = [["config", "what it is for"], *map(list, starting_configs().items())]
        return f"{table(rows, left=(0, 1))}\n\n`linspector {NAME} NAME` writes one of them."
    path = write_config(name, file, force)
    about = starting_configs()[name.removesuffix(".jsonnet")]
    command = "probe-suite" if name.startswith(SUITES) else "train"
    return f"Wrote {path}. {about}\nTrain it with: linspector {command} {path} -s runs/{path.stem}"
