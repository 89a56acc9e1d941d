#!/bin/sh
# Usage: scripts/try_python.sh PYTHON ENVIRONMENT CUDA
# Makes an environment of the exact pins for PYTHON, or brings it up to date, where the only torch to be had is the one for
# NVIDIA cards: torch is installed without what it asks for, and the least that its import needs lies in the folder CUDA
# (3 GB), which several environments share. Then: ENVIRONMENT/bin/python -m pytest
set -e
if [ $# -ne 3 ]; then
    sed -n 's/^# //p' "$0" >&2
    exit 1
fi
environment=$2
cuda=$3
cd "$(dirname "$0")/.."
pins=requirements/modern.txt

[ -e "$environment/pyvenv.cfg" ] || "$1" -m venv "$environment"
environment=$(cd "$environment" && pwd)
pip() { "$environment/bin/python" -m pip --disable-pip-version-check "$@"; }

echo "Step 1 of 3: the pins, without what they ask for"
pip install -q -c $pins setuptools wheel
pip install -q --no-deps --no-build-isolation -r $pins
pip install -q --no-deps --no-build-isolation -r requirements/modern-no-deps.txt

# torch names the wheels with the libraries; triton and NVTX are not needed to import it.
echo "Step 2 of 3: the NVIDIA libraries that torch is linked with"
wanted=$("$environment/bin/python" -c '
from importlib.metadata import requires
names = [each.split(";")[0].strip().replace(",nvtx", "") for each in requires("torch")]
print("\n".join(name for name in names if name.startswith(("nvidia-", "cuda-toolkit["))))')
mkdir -p "$cuda"
cuda=$(cd "$cuda" && pwd)
if [ "$wanted" != "$(cat "$cuda/wanted.txt" 2>/dev/null)" ]; then
    # shellcheck disable=SC2086
    pip install -q --upgrade --target "$cuda" $wanted
    echo "$wanted" > "$cuda/wanted.txt"
fi
# torch looks for them beside itself.
ln -sfn "$cuda/nvidia" "$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nvidia"

echo "Step 3 of 3: this package"
pip install -q --no-deps --no-build-isolation -e .
"$environment/bin/python" -c 'import sys, torch; print("Python", sys.version.split()[0], "torch", torch.__version__)'
