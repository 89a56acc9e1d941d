"""Commands that are killed, that run several at a time, and that get too little room; see `attack`."""

import json
import os
import resource
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.hostile.guarded_child import command
from tests.suite.processes import ended, forked

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
CONFIG = FIXTURES.parent / "training_configs/single_form.jsonnet"

LONGEST = 120  # seconds of an undisturbed command


def attack_commands(args, folder, rng):
    """A verdict for each kill, crowd and full disk."""
    if not (args.kills or args.crowds or args.full):
        return
    undisturbed = {}
    for name in COMMANDS:
        place = new_place(folder, f"{name} undisturbed")
        began = time.monotonic()
        code = run(name, place)
        if code:
            yield name, "finding", f"undisturbed it ended with {code}: {said(place)}"
            continue
        undisturbed[name] = outcome(place), time.monotonic() - began
    for number in range(args.kills):
        name = list(undisturbed)[number % len(undisturbed)]
        yield from kill(name, new_place(folder, f"kill {number}"), undisturbed[name], rng)
    for number in range(args.crowds):
        for name in undisturbed:
            yield from crowd(
                name, new_place(folder, f"{name} crowd {number}"), undisturbed[name][0]
            )
        yield from two_seeds(new_place(folder, f"two seeds {number}"))
    for number in range(args.full):
        name = list(undisturbed)[number % len(undisturbed)]
        yield from full_disk(name, new_place(folder, f"full {number}"), undisturbed[name][0], rng)


def kill(name, place, undisturbed, rng):
    """
    Killed at a random moment, and typed again until it succeeds. The process is stopped first: then it can be
    seen whether a file was being written.
    """
    expected, seconds = undisturbed
    child = start(name, place)
    moment = rng.uniform(0, seconds)
    code = ended(child, moment)
    writing = []
    # Three of four wait for a write, if there is one in time.
    patient = rng.random() < 0.75
    until = time.monotonic() + seconds
    while code is None:
        os.killpg(child, signal.SIGSTOP)
        writing = written_now(child, place)
        if writing or not patient or time.monotonic() > until:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        os.killpg(child, signal.SIGCONT)
        code = ended(child, rng.uniform(0, 0.002))
    part = f"kill {name}" + (", writing" if writing else "" if code is None else ", too late")
    for _ in range(2):
        again = run(name, place, *RESUMED.get(name, ()))
        if not again:
            break
        again = run(name, place)
        if not again:
            break
    if again:
        yield part, "finding", f"after {moment:.1f} s, then: exit code {again}: {said(place)}"
    elif outcome(place) != expected:
        yield part, "finding", f"after {moment:.1f} s: {differing(outcome(place), expected)}"
    elif left := left_over(place):
        yield part, "finding", f"after {moment:.1f} s it left {', '.join(left[:3])}"
    else:
        yield part, "right", ""


def crowd(name, place, expected):
    """Four at once: each succeeds or says what is in the way, and what is there is whole."""
    children = [start(name, place, log=f"log{n}") for n in range(4)]
    codes = [ended(child, 2 * LONGEST) for child in children]
    part = f"crowd {name}"
    for child, code in zip(children, codes):
        if code is None:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
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
    both = [start_words([*words, "--seed", seed], place, f"log{seed}") for seed in (1, 2)]
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
    again = run(name, place, *RESUMED.get(name, ())) and run(name, place)
    if again:
        yield part, "finding", f"{size} bytes, then exit code {again}: {said(place)}"
    elif outcome(place) != expected:
        yield part, "finding", f"{size} bytes: {differing(outcome(place), expected)}"
    else:
        yield part, "right" if code else "refused", ""


def of_probe_data(place: Path) -> list[object]:
    raw = FIXTURES / "raw"
    options = ["--language", "finnish", "--unimorph", raw / "finnish.tsv", "--size", 200]
    return ["probe-data", "type-level", *options, "--output", place / "out"]


def of_token_data(place: Path) -> list[object]:
    files = sorted((FIXTURES / "raw").glob("*.conllu"))
    options = ["--language", "finnish", "--treebank", *files, "--size", 100]
    return ["probe-data", "token-level", *options, "--output", place / "out"]


def of_train(place: Path) -> list[object]:
    return ["train", CONFIG, "-s", place / "out", "-o", json.dumps({"trainer.num_epochs": 4})]


COMMANDS: dict[str, Callable[[Path], list[object]]] = {
    "probe-data": of_probe_data,
    "token data": of_token_data,
    "train": of_train,
}
RESUMED = {"train": ["--recover"]}


def run(name, place, *more, limit=None):
    """The exit code of a command; 124 if it had to be ended."""
    child = start(name, place, *more, limit=limit)
    code = ended(child, LONGEST)
    if code is None:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return 124
    return code


def start(name, place, *more, log="log", limit=None):
    return start_words([*COMMANDS[name](place), *more], place, log, limit)


def start_words(words, place, log, limit=None):
    work = command(*words, log=place / log)

    def begun():
        os.environ.update(
            LINSPECTOR_CACHE=str(place / "cache"),
            DATA_DIR=str(FIXTURES / "type_level"),
            TASK="Case",
            LANGUAGE="finnish",
            VECTORS=str(place / "vectors.vec"),
            TMPDIR=str(place / "tmp"),
        )
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        work()

    return forked(begun)


def new_place(folder, name):
    place = folder / name.replace(" ", "_")
    (place / "tmp").mkdir(parents=True)
    shutil.copyfile(FIXTURES / "vectors/finnish.vec", place / "vectors.vec")
    return place


def written_now(child, place):
    """The files below a folder that a stopped process has open for writing, but for its log and its locks."""
    found = []
    with suppress(OSError):
        for number in os.listdir(f"/proc/{child}/fd"):
            target = os.readlink(f"/proc/{child}/fd/{number}")
            flags = Path(f"/proc/{child}/fdinfo/{number}").read_text().split("flags:")[1].split()[0]
            is_log = target.endswith((".log", ".lock", "/log"))
            if int(flags, 8) & 3 and target.startswith(str(place)) and not is_log:
                found.append(target)
    return found


def outcome(place):
    """What is there, without what depends on time and place."""
    found = {}
    for path in sorted((place / "out").rglob("*")):
        name = str(path.relative_to(place))
        if not path.is_file() or path.suffix in (".log", ".lock", ".gz", ".th") or "/log/" in name:
            continue
        content = path.read_text(encoding="utf-8").replace(str(place), "PLACE")
        if path.suffix == ".json":
            content = json.dumps(without_times(json.loads(content)))
        found[name] = content
    return found


def without_times(value):
    if isinstance(value, dict):
        times = ("seconds", "training_duration", "duration", "created")
        return {k: without_times(v) for k, v in value.items() if not any(t in k for t in times)}
    if isinstance(value, list):
        return [without_times(each) for each in value]
    return value


def differing(found, expected):
    names = [n for n in {*found, *expected} if found.get(n) != expected.get(n)]
    return f"not as undisturbed: {', '.join(sorted(names)[:5])}"


def left_over(place) -> list[str]:
    """What nobody needs any more, in the folder of the results and in that for temporary files."""
    there = [*(place / "out").rglob(".*"), *(place / "tmp").iterdir()]
    return [str(path.relative_to(place)) for path in there]


def said(place, log="log") -> str:
    """The last that a command said."""
    with suppress(OSError):
        return " / ".join((place / log).read_text(errors="replace").split("\n")[-8:])[-500:]
    return ""


def is_raw(text: str) -> bool:
    return "Traceback" in text or "linspector: error" not in text
