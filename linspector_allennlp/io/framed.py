"""The header of our own binary files: a magic line, a checksum, and JSON padded to a fixed length."""

import hashlib
import json
from typing import Any, NamedTuple

_CHECKSUM = 32  # bytes of a SHA-256


class Frame(NamedTuple):
    """
    The header of one kind of file. Whatever follows it begins at byte `size`.

    # Parameters

    magic : `bytes`
        Its first line, with the version of the layout in it.
    size : `int`
        Of the whole header, in bytes.
    name : `str`
        The kind of file, for messages.
    """

    magic: bytes
    size: int
    name: str

    def pack(self, content: dict[str, Any]) -> bytes:
        """The bytes of a header."""
        text = json.dumps(content).encode()
        room = self.size - len(self.magic) - _CHECKSUM
        if len(text) > room:
            raise ValueError(
                f"the header of a {self.name}: expected at most {room} bytes of JSON, found "
                f"{len(text)}."
            )
        padded = text.ljust(room)
        return self.magic + hashlib.sha256(padded).digest() + padded

    def unpack(self, head: bytes) -> dict[str, Any]:
        """The content of a header, from the first `size` bytes of a file; `ValueError` if it is none."""
        if len(head) < self.size or not head.startswith(self.magic):
            raise ValueError(f"it is not a {self.name} of this version")
        start = len(self.magic) + _CHECKSUM
        checksum, padded = head[len(self.magic) : start], head[start : self.size]
        if hashlib.sha256(padded).digest() != checksum:
            raise ValueError("its header is damaged")
        content: dict[str, Any] = json.loads(padded)
        return content
