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
    if re.search("already exists and is not empty|does not match the configuration", message):
        return f"{message} (-f starts anew and removes what is in the folder.)"
    return message


if __name__ == "__main__":
    main()
