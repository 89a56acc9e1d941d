"""Ways in which a good file becomes a bad one."""

import gzip
import random
import zlib
from collections.abc import Iterator


def damages(rng: random.Random, good: bytes, number: int = 6) -> Iterator[tuple[str, bytes]]:
    """Bad contents by what was done to them; `number` of those that are drawn."""
    yield "empty", b""
    yield "zeros", bytes(len(good))
    yield "cut in the middle", good[: len(good) // 2]
    yield "last byte missing", good[:-1]
    yield "more behind it", good + rng.randbytes(50)
    yield "another encoding", good.decode("latin-1").encode("utf-16")
    yield "gzip cut", gzip.compress(good)[:-9]
    yield "gzip with a wrong sum", gzip.compress(good)[:-8] + bytes(8)
    yield "gzip with a damaged block", _damaged_block(good)
    for i in range(number):
        place, count = rng.randrange(len(good)), rng.randint(1, 9)
        yield f"random bytes {i}", good[:place] + rng.randbytes(count) + good[place + count :]
        bit = bytearray(good)
        bit[place] ^= 1 << rng.randrange(8)
        yield f"flipped bit {i}", bytes(bit)
        yield f"a piece missing {i}", good[:place] + good[place + rng.randint(1, 99) :]
        yield f"a piece twice {i}", good[:place] + good[max(0, place - 40) :]


def long_line_gzip(start: bytes = b"", megabytes: int = 20) -> bytes:
    """A gzip file of some kilobytes that is one line of many megabytes."""
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(start)]
    parts += [packer.compress(bytes(1 << 20)) for _ in range(megabytes)]
    return b"".join([*parts, packer.flush()])


def _damaged_block(good: bytes) -> bytes:
    packed = bytearray(gzip.compress(good))
    packed[10:14] = b"\xff\xff\xff\xff"
    return bytes(packed)
