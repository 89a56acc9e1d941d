#!/bin/sh
# Usage: get_browser.sh
# Gets what tests/report/page/browser_test.py needs: Debian's chromium, where it can be installed, and axe-core, which judges
# accessibility, into the user's cache. What cannot be had is said, and is no error: the tests that need it are skipped.
here=$(dirname "$0")
read -r version digest < "$here/axe-core.txt"
axe="${XDG_CACHE_HOME:-$HOME/.cache}/linspector_allennlp/axe-core-$version.min.js"

say() { echo "get_browser.sh: $*" >&2; }

get_chromium() {
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null && return
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        say "there is no chromium, and only root can install it, with apt-get install chromium"
        return
    fi
    say "installing chromium"
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium; } \
        >/dev/null 2>&1 </dev/null || say "chromium could not be installed (apt-get update && apt-get install chromium)"
}

is_whole() { [ "$(sha256sum "$1" 2>/dev/null | cut -d' ' -f1)" = "$digest" ]; }

get_axe() {
    is_whole "$axe" && return
    if ! command -v npm >/dev/null; then
        say "there is no npm, which would fetch axe-core"
        return
    fi
    folder=$(mktemp -d) || return
    if (cd "$folder" && npm pack --silent "axe-core@$version" && tar -xzf ./*.tgz package/axe.min.js) >/dev/null 2>&1 &&
        is_whole "$folder/package/axe.min.js"; then
        mkdir -p "$(dirname "$axe")" && cp "$folder/package/axe.min.js" "$axe.$$" && mv "$axe.$$" "$axe"
    else
        say "axe-core $version could not be fetched from npm, or is not what scripts/axe-core.txt says"
    fi
    rm -rf "$folder"
}

get_chromium
get_axe
exit 0
