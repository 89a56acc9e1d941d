"""Ways to break a good file, the same for all formats; a module in `formats` says what may come of them."""

import copy
import gzip
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ESCAPE = "\x1b]0;owned\x07\x1b[31m"
MARKUP = "<script>alert(1)</script>"
ODD_VALUES = [
    None,
    True,
    -3,
    7,
    0.5,
    "",
    ESCAPE,
    MARKUP,
    "=1+1",
    "../../outside",
    "x" * 10_000,
    [],
    {},
    [[]],
    {"type": "subprocess.getoutput"},
    float("nan"),
    float("inf"),
    10**30,
    "\ud800",
    "\0",
]


def damaged_bytes(rng: random.Random, good: bytes) -> Iterator[tuple[str, bytes]]:
    """Content that is no longer what it was, whatever it is."""
    place = rng.randrange(1, len(good))
    flipped = bytearray(good)
    flipped[place] ^= 1 << rng.randrange(8)
    yield "nothing", b""
    yield "cut off", good[:place]
    yield "one bit flipped", bytes(flipped)
    yield "random bytes", rng.randbytes(rng.randrange(1, 2000))
    yield "NUL bytes", bytes(1000)
    yield "a zip archive", b"PK\x03\x04" + rng.randbytes(200)
    yield "gzip, cut off", gzip.compress(good)[: rng.randrange(20, 40)]
    yield "a page of HTML", b"<!DOCTYPE html><html><body>404 Not Found</body></html>\n"


def damaged_text(rng: random.Random, good: str) -> Iterator[tuple[str, bytes]]:
    """The same for lines of text in columns."""
    yield from damaged_bytes(rng, good.encode())
    lines = good.splitlines()
    number = rng.randrange(len(lines))

    def with_line(line: str) -> bytes:
        return "\n".join([*lines[:number], line, *lines[number + 1 :], ""]).encode(
            "utf-8", "replace"
        )

    line = lines[number]
    columns = line.split("\t")
    yield "a column less", with_line("\t".join(columns[:-1]))
    yield "a column more", with_line(f"{line}\tx")
    yield "an empty column", with_line("\t".join(["", *columns[1:]]))
    yield "an invisible word", with_line("\t".join(["\u200b\u2060", *columns[1:]]))
    yield "NUL in a word", with_line("\t".join([f"{columns[0]}\0", *columns[1:]]))
    yield "an escape sequence", with_line("\t".join([ESCAPE + columns[0], *columns[1:]]))
    yield "a formula", with_line("\t".join(["=1+1", *columns[1:]]))
    yield "a number of 5,000 digits", with_line("\t".join([*columns[:-1], "9" * 5000]))
    yield "a very long line", with_line(line + "x" * 100_000)
    yield "another line break", with_line(line.replace("\t", "\u2028"))
    yield "not UTF-8", good.encode("utf-16")
    yield "half of a character", with_line(line)[:-1] + b"\xc3\n"
    yield "a byte-order mark", b"\xef\xbb\xbf" + good.encode()
    yield "two byte-order marks", b"\xef\xbb\xbf" * 2 + good.encode()
    yield "line ends of Windows", good.replace("\n", "\r\n").encode()
    yield "line ends of old Macs", good.replace("\n", "\r").encode()
    yield "no last line end", good.rstrip("\n").encode()
    yield "compressed", gzip.compress(good.encode())
    yield "blank lines", good.replace("\n", "\n\n").encode()


def damaged_json(rng: random.Random, good: Any, number: int) -> Iterator[tuple[str, bytes]]:
    """JSON with something else in a place, and without one; no JSON at all."""
    places = list(_places(good))
    for _ in range(number):
        place, value = rng.choice(places), rng.choice(ODD_VALUES)
        yield f"{'.'.join(map(str, place))} = {value!r:.30}", _json(_changed(good, place, value))
        place = rng.choice([place for place in places if place])
        yield f"without {'.'.join(map(str, place))}", _json(_without(good, place))
    yield from damaged_bytes(rng, _json(good))
    yield "deep lists", b"[" * 100_000
    yield "a long number", b'{"a": ' + b"9" * 5000 + b"}"
    yield "the same key twice", b'{"format": 1, "format": 2}'


def no_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """What is there in place of a file, under a name of its own."""
    for name, make in (
        ("a pipe", os.mkfifo),
        ("a folder", os.mkdir),
        ("a device without end", lambda path: os.symlink("/dev/zero", path)),
        ("a link to nothing", lambda path: os.symlink(folder / "nothing", path)),
        ("a link to itself", lambda path: os.symlink(path, path)),
    ):
        path = folder / f"no file {name}.txt"
        make(path)
        yield name, path


def written(folder: Path, number: int, content: bytes, ending: str = "txt") -> Path:
    path = folder / f"case{number}.{ending}"
    path.write_bytes(content)
    return path


def as_lines(path: Path) -> list[list[str]]:
    """The columns of the lines that are not blank, read in the plainest way."""
    content = path.read_bytes()
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    text = content.removeprefix(b"\xef\xbb\xbf").decode()
    return [line.rstrip("\r").split("\t") for line in text.split("\n") if line.strip(" \r")]


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        yield from _places(inner, (*place, key))


def _changed(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    if not place:
        return new
    value = copy.deepcopy(value)
    _at(value, place[:-1])[place[-1]] = new
    return value


def _without(value: Any, place: tuple[Any, ...]) -> Any:
    value = copy.deepcopy(value)
    del _at(value, place[:-1])[place[-1]]
    return value


def _at(value: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        value = value[key]
    return value
