"""A study in a process group of its own, which is killed as a machine that is switched off."""

import os
import signal
import sys
import time
import traceback


def forked(work):
    """Begins work in a process that has all imported; gives its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        os.setsid()
        # A shell that starts the tests in the background has them ignore Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        work()
        code = 0
    except KeyboardInterrupt:
        code = 130
    except Exception:  # noqa: BLE001 - the process ends here
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(code)


def killed(child, seconds):
    """Kills a process and all that it has started, if it is not at its end before; gives its exit code."""
    code = ended(child, seconds)
    if code is None:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return code


def ended(child, seconds):
    """The exit code of a process; nothing if it is still at work after these seconds."""
    until = time.monotonic() + seconds
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            return None
        time.sleep(0.01)


def wait_for(condition, seconds=60):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.02)


def is_alive(process_id):
    try:
        with open(f"/proc/{process_id}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
