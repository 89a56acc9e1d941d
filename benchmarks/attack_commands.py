"""Commands that are killed, that run several at a time, and that get too little room; see `attack`."""

import json
import multiprocessing
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite import local_processes
from tests.hostile.guarded_child import command
from tests.suite.processes import ended, forked
from tests.suite.small_studies import outcomes

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
        undisturbed[name] = outcome(place), time.monotonic() - began, set(left_over(place))
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
    expected, seconds, always = undisturbed
    child = start(name, place)
    moment = rng.uniform(0, 0.9 * seconds)
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
    elif left := set(left_over(place)) - always:
        yield part, "finding", f"after {moment:.1f} s it left {', '.join(sorted(left)[:3])}"
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


def of_suite(place: Path) -> list[object]:
    file = place / "suite.json"
    file.write_text(json.dumps({"data": str(FIXTURES / "type_level"), **SUITE}))
    return ["probe-suite", file, "-s", place / "out", "--workers", 2]


SUITE = {
    "tasks": ["Number"],
    "representations": {"chars": "char_ngrams:dimension=8", "random": "random_vectors:dimension=8"},
    "seeds": 3,
}

COMMANDS: dict[str, Callable[[Path], list[object]]] = {
    "probe-data": of_probe_data,
    "token data": of_token_data,
    "train": of_train,
    "probe-suite": of_suite,
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
    # The log is written by another process, for which there is always room.
    with open(place / log, "wb") as file:
        writer = subprocess.Popen(
            ["cat"], stdin=subprocess.PIPE, stdout=file, start_new_session=True
        )
    work = command(*words, log=writer.stdin.fileno())

    def begun():
        os.environ.update(
            LINSPECTOR_CACHE=str(place / "cache"),
            DATA_DIR=str(FIXTURES / "type_level"),
            TASK="Case",
            LANGUAGE="finnish",
            VECTORS=str(FIXTURES / "vectors/finnish.vec"),
            TMPDIR=str(place / "tmp"),
        )
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        context = multiprocessing.get_context("fork")
        local_processes.start_server = lambda: context  # all is imported already
        work()

    child = forked(begun)
    writer.stdin.close()
    return child


def new_place(folder, name):
    place = folder / name.replace(" ", "_")
    (place / "tmp").mkdir(parents=True)
    return place


def written_now(child, place):
    """The files below a folder that a stopped process has open for writing, but for its log and its locks."""
    found = []
    for opened in (each for process in members(child) for each in Path(process, "fd").glob("*")):
        with suppress(OSError):
            target = os.readlink(opened)
            info = opened.parents[1] / "fdinfo" / opened.name
            flags = info.read_text().split("flags:")[1].split()[0]
            is_log = target.endswith((".log", ".lock", "/log"))
            if int(flags, 8) & 3 and target.startswith(str(place)) and not is_log:
                found.append(target)
    return found


def members(group):
    """The processes of a group."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.getpgid(int(process.name)) == group:
                yield process


def outcome(place):
    """What is there, without what depends on time and place."""
    if StudyFolder.is_study(place / "out"):
        return outcomes(place / "out")
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
    time.sleep(0.1)  # its log may still be on its way
    with suppress(OSError):
        return " / ".join((place / log).read_text(errors="replace").split("\n")[-8:])[-700:]
    return ""


def is_raw(text: str) -> bool:
    return "Traceback" in text or "linspector: error" not in text
