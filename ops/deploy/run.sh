#!/bin/sh
# Runs one line of the Procfile, so that every deployment starts a process type in the same way: sh ops/deploy/run.sh query
# A number behind it tells several of a type apart: query-2
set -eu
cd "$(dirname "$0")/../.."
type=$(printf '%s' "${1:-}" | sed 's/-[0-9]*$//')
line=$(sed -n "s/^$type: *//p" Procfile)
if [ -z "$type" ] || [ -z "$line" ]; then
  echo "There is no process type '$type'; the Procfile has: $(sed -n 's/:.*//p' Procfile | tr '\n' ' ')" >&2
  exit 78
fi
# shellcheck disable=SC2086 # the words of the line are its arguments
exec $line
