"""The console script `linspector`: `allennlp` with this package loaded, from any folder."""

import os
import re
import sys

from allennlp.commands import main as allennlp_main
from allennlp.common.checks import ConfigurationError


def main() -> None:
    """Runs an `allennlp` command; a mistake of the user's gets one sentence, no traceback."""
    try:
        allennlp_main(prog="linspector")
    except KeyboardInterrupt:
        print("\nlinspector: interrupted. What was written is whole.", file=sys.stderr)
        sys.exit(130)
    except (ConfigurationError, ValueError, OSError, RuntimeError) as error:
        if os.environ.get("LINSPECTOR_TRACEBACK"):
            raise
        print(f"\nlinspector: error: {explain(error)}", file=sys.stderr)
        print("(LINSPECTOR_TRACEBACK=1 shows where it came from.)", file=sys.stderr)
        sys.exit(1)


def explain(error: Exception) -> str:
    """What to tell the user; where AllenNLP or jsonnet leave the remedy out, with the remedy."""
    message = error.message if isinstance(error, ConfigurationError) else str(error)
    variable = re.search(r"undefined external variable: (\w+)", message)
    if variable:
        return f"the config needs the environment variable {variable[1]}, which is not set."
    taken = re.search(r"Serialization directory \((.*)\) already exists and is not empty", message)
    if taken:
        return (
            f"{taken[1]} is there and not empty. -f starts anew and removes what is in it; "
            "--recover goes on with the same run if it was interrupted."
        )
    if "does not match the configuration" in message:
        return f"{message} (-f starts anew and removes what is in the folder.)"
    if message.startswith("RUNTIME ERROR: "):  # jsonnet's, and then where in the libraries
        return _of_jsonnet(message)
    return message


def _of_jsonnet(message: str) -> str:
    first, *trace = message.removeprefix("RUNTIME ERROR: ").splitlines()
    places = [line.split("\t")[1] for line in trace if line.count("\t") > 1]
    own = (place for place in places if ".jsonnet:" in place and not place.startswith("std."))
    where = next(own, "the config")
    if re.match("field does not exist|function has no parameter|missing argument", first):
        first += " (training_configs/lib has the functions and what they take)"
    return f"{where}: {first}"


if __name__ == "__main__":
    main()
