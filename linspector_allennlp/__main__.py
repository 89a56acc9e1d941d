"""The console script `linspector`: `allennlp` with this package loaded, from any folder."""

import os
import sys
import warnings


def main() -> None:
    """Runs an `allennlp` command; a mistake of the user's gets one sentence, no traceback."""
    # AllenNLP's own dependencies warn of things that nobody here can change.
    warnings.filterwarnings("ignore", category=FutureWarning)
    warnings.filterwarnings("ignore", category=UserWarning, module="torchvision")

    from allennlp.commands import main as allennlp_main
    from allennlp.common.checks import ConfigurationError

    import linspector_allennlp  # noqa: F401

    try:
        allennlp_main(prog="linspector")
    except (ConfigurationError, ValueError, OSError, RuntimeError) as error:
        if os.environ.get("LINSPECTOR_TRACEBACK"):
            raise
        message = error.message if isinstance(error, ConfigurationError) else str(error)
        print(f"\nlinspector: error: {message}", file=sys.stderr)
        print("(LINSPECTOR_TRACEBACK=1 shows where it came from.)", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
