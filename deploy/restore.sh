#!/usr/bin/env bash
# restore.sh FILE: what backup.sh saved, into an empty database. Stop servers and workers first.
set -euo pipefail
file=${1:?"Name the file to read: restore.sh FILE"}
: "${DEEPRESEARCH_DATABASE_URL:?"Set it to an empty database."}"
pg_restore --exit-on-error --single-transaction --no-owner --dbname="$DEEPRESEARCH_DATABASE_URL" "$file"
# A newer version than the one that was saved brings its tables up to date.
deepresearch-server store migrate
