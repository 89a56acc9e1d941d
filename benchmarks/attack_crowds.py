"""Several processes at once that want the same, and disks without room; see `attack`."""

from attack_commands import COMMANDS, LONGEST, is_raw, kill, run, run_again, said, start, start_work
from attack_outcome import differing, outcome

from tests.suite.processes import ended


def crowd(name, place, expected):
    """Four at once: each succeeds or says what is in the way, and what is there is whole."""
    children = [start(name, place, log=f"log{n}") for n in range(4)]
    codes = [ended(child, 2 * LONGEST) for child in children]
    part = f"crowd {name}"
    for child, code in zip(children, codes):
        if code is None:
            kill(child)
    if 0 not in codes or None in codes:
        yield part, "finding", f"exit codes {codes}: {said(place, 'log0')}"
    elif raw := [n for n in range(4) if codes[n] and is_raw(said(place, f"log{n}"))]:
        yield part, "finding", said(place, f"log{raw[0]}")
    elif outcome(place) != expected:
        yield part, "finding", differing(outcome(place), expected)
    else:
        yield part, "right", ""


def two_seeds(place):
    """Of two that would make other tasks of one folder, one must say that it cannot."""
    words = COMMANDS["probe-data"](place)
    both = [start_work([*words, "--seed", seed], place, log=f"log{seed}") for seed in (1, 2)]
    codes = [ended(child, LONGEST) for child in both]
    is_right = sorted(map(bool, codes)) == [False, True] and None not in codes
    detail = f"exit codes {codes}: {said(place, 'log1')} {said(place, 'log2')}"
    yield "two seeds at once", "right" if is_right else "finding", detail


def full_disk(name, place, expected, rng):
    """No file may be larger than some size; then there is room again."""
    size = int(2 ** rng.uniform(6, 17))
    part = f"full disk {name}"
    code = run(name, place, limit=size)
    if code and is_raw(said(place)):
        yield part, "finding", f"{size} bytes: {said(place)}"
        return
    again = run_again(name, place)
    if again:
        yield part, "finding", f"{size} bytes, then exit code {again}: {said(place)}"
    elif outcome(place) != expected:
        yield part, "finding", f"{size} bytes: {differing(outcome(place), expected)}"
    else:
        yield part, "right" if code else "refused", ""
