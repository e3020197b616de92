#!/bin/sh
# Writes the two lock files anew from pyproject.toml and tools/typings.in: every version pinned, every file of it
# with its hash, for all Python versions and platforms at once. Called by `make lock`; pass --upgrade to move versions.
set -eu
cd "$(dirname "$0")/.."

python=.venv/bin/python
[ -x "$python" ] || { echo "error: no .venv here" >&2; echo "what to do: run 'make setup' first" >&2; exit 2; }
resolver=build/lock-venv
[ -x "$resolver/bin/uv" ] || { "$python" -m venv "$resolver" && "$resolver/bin/pip" install --quiet "uv>=0.13,<0.14"; }

note="# Written by 'make lock'. Do not edit."
compile() { # $1 input, $2 output, then extra options
    input=$1 output=$2
    shift 2
    "$resolver/bin/uv" pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-header \
        --no-emit-index-url --output-file "$output" "$@" "$input"
    { echo "$note"; cat "$output"; } > "$output.new" && mv "$output.new" "$output"
}
compile pyproject.toml requirements.lock --extra sim --extra odds --extra dev "$@"
compile tools/typings.in typings.lock "$@"
