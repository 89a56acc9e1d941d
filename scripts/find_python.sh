#!/bin/sh
# Usage: find_python.sh VENV [PYTHON]
# Prints the Python that VENV is to be made with, or nothing when VENV exists and serves (and is of PYTHON, where one is given).
# A Python is judged by running it: a name on the PATH may be a launcher with nothing behind it.
venv=$1
wanted=$2
oldest=11
newest=13
example="make PYTHON=/path/to/python3.11 setup"

# Prints "ok", the interpreter and what tells it from others, a line each; or what is wrong with it.
# It must be readable to any Python, down to 2.7.
judge() {
    answer=$("$1" -c '
import os, sys
oldest, newest = int(sys.argv[1]), int(sys.argv[2])
version = sys.version_info[:2]
if not (3, oldest) <= version <= (3, newest):
    print("is Python %d.%d" % version)
    sys.exit()
try:
    import ensurepip, venv
except ImportError:
    print("has no venv module (Debian and Ubuntu have it as the package python%d.%d-venv)" % version)
    sys.exit()
# The venv may be the one to be removed: look behind it.
python = sys.executable if sys.prefix == sys.base_prefix else os.path.realpath(sys.executable)
print("ok\n%s\n%s %s" % (python, os.path.realpath(sys.base_prefix), sys.version.split()[0]))
' "$oldest" "$newest" 2>/dev/null) || answer="cannot be run"
    echo "$answer"
}

is_ok() { [ "$(echo "$1" | sed -n 1p)" = ok ]; }
interpreter() { echo "$1" | sed -n 2p; }
identity() { echo "$1" | sed -n 3p; }

# It has to run, to be complete (a broken-off one lacks pyvenv.cfg or pip), and to be where it was made (its commands name
# their folder).
serves() {
    is_ok "$1" && [ -f "$venv/pyvenv.cfg" ] && "$venv/bin/python" -c 'import pip' 2>/dev/null &&
        grep -qF "$(pwd -P)/$venv" "$venv/bin/activate"
}

if [ -n "$wanted" ]; then
    found=$(judge "$wanted")
    if ! is_ok "$found"; then
        echo "PYTHON=$wanted $found, and Python 3.$oldest to 3.$newest with the venv module is needed; say for example: $example" >&2
        exit 1
    fi
fi

if [ -e "$venv" ]; then
    present=$(judge "$venv/bin/python")
    if serves "$present" && { [ -z "$wanted" ] || [ "$(identity "$present")" = "$(identity "$found")" ]; }; then
        exit 0
    fi
fi

if [ -z "$wanted" ]; then
    names="python3 python3.11 python3.12 python3.13"
    for name in $names; do
        found=$(judge "$name")
        is_ok "$found" && break
    done
    if ! is_ok "$found"; then
        echo "None of $names on the PATH is a Python 3.$oldest to 3.$newest with the venv module: install one, or say where one is: $example" >&2
        exit 1
    fi
fi
interpreter "$found"
