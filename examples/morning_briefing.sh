#!/bin/sh
# A briefing every working day: morning_briefing.sh QUESTION FOLDER. In the crontab (`crontab -e`), on one line:
#
#   30 6 * * 1-5  PATH=$HOME/.local/bin:$PATH /path/to/morning_briefing.sh "What is new in battery recycling?" $HOME/briefings
#
# Cron knows no keys of your shell: keep them in the settings file (`deepresearch-server config init`). What is written to
# standard error goes into cron's mail; nothing is written if all went well.
set -eu

question=$1
folder=$2
file="$folder/$(date +%Y-%m-%d).docx"
mkdir -p "$folder"

code=0
deepresearch-server research "$question" --template briefing --profile news --length brief \
  --fresh --max-usd 0.50 --max-minutes 8 --quiet --output "$file" || code=$?

# 3: a limit was met, and the report says what it lacks.
case $code in
  0 | 3) echo "$file" ;;
  *) exit "$code" ;;
esac
