"""What to do with a line that cannot be read: stop, or count it and go on."""

import logging

logger = logging.getLogger(__name__)

SHOWN = 5


class BadLines:
    """
    # Parameters

    skip : `bool`
        Whether to go on after a bad line. The first few are logged, all are counted.
    """

    def __init__(self, skip: bool) -> None:
        self.number = 0
        self._skip = skip

    def add(self, error: ValueError) -> None:
        """Raises the error, or counts it."""
        if not self._skip:
            raise error
        self.number += 1
        if self.number <= SHOWN:
            logger.warning("skipped: %s", error)
        if self.number == SHOWN:
            logger.warning("further bad lines are counted, not shown.")
