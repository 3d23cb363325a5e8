#!/usr/bin/env bash
# backup.sh FILE: all runs, pages, collections, reports and tokens, while the service goes on.
# restore.sh brings them back.
set -euo pipefail
file=${1:?"Name the file to write: backup.sh FILE"}
: "${DEEPRESEARCH_DATABASE_URL:?"Set it to the database to save."}"
umask 077
# Written beside it first: a backup that breaks off never stands in the place of a whole one.
pg_dump --format=custom --no-owner --file="$file.part" "$DEEPRESEARCH_DATABASE_URL"
pg_restore --list "$file.part" >/dev/null
mv "$file.part" "$file"
