#!/usr/bin/env bash
# Sweeps one part of an experiment and puts its store into a folder that all machines share:
#   part.sh EXPERIMENT PART PARTS FOLDER
# The store is written to a local disk, where SQLite's locks hold, and appears under its final name only
# when it is complete. A part that is there is not swept again; one that runs twice gives the same cells.
set -euo pipefail
experiment=$1 part=$2 parts=$3 folder=$4
final=$folder/part-$part-of-$parts.sqlite
[ ! -e "$final" ] || { echo "part $part of $parts is there"; exit 0; }

local=$(mktemp -d)
arriving=$(mktemp "$folder/.part-$part.XXXXXX")
trap 'rm -rf "$local" "$arriving"' EXIT
"${PLANKLAB:-planklab}" sweep "$experiment" --shard "$part/$parts" --store "$local/part.sqlite" --top 0
cp "$local/part.sqlite" "$arriving"
mv "$arriving" "$final"
