"""Damaged and hostile JSON, as the cache reads it of digests that it remembers."""

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

from linspector_allennlp.io.cache import cache_folder, file_digest
from tests.hostile.case import Case


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    """Each remembered digest is bad; the right one must come out in spite of it."""
    for name, content in (
        ("no JSON", b"{"),
        ("nothing", b""),
        ("NUL bytes", b"\0" * 100),
        ("a list", b"[1]"),
        ("no stamp", b'{"sha256": "00"}'),
        ("a long number", b'{"stamp": ' + b"9" * 5000 + b"}"),
        ("deep lists", b"[" * 100_000),
        ("random bytes", rng.randbytes(300)),
    ):
        path = folder / f"model {name}"
        path.write_bytes(rng.randbytes(50))
        file_digest(path)
        key = hashlib.blake2b(str(path.resolve()).encode(), digest_size=16).hexdigest()
        memory = cache_folder() / "digests" / f"{key}.json"
        assert json.loads(memory.read_text(encoding="utf-8"))["path"] == str(path.resolve())
        memory.write_bytes(content)
        right = hashlib.sha256(path.read_bytes()).hexdigest()
        yield Case(name, path, lambda path=path: file_digest(path), "read", right.__eq__)
