# The phones of the drills that look for everything acknowledged, for scripts that have sourced
# lib.sh. For Bash with `set -euo pipefail`.
# shellcheck shell=bash

# start_phones JOURNAL OPTION...: starts phones that send and record what is acknowledged. Sets
# phones_pid. Their summary goes to JOURNAL.summary.
start_phones() {
  local journal=$1
  shift
  python3 -B deploy/drills/phones.d/phones.py --journal "$journal" "$@" \
    > "$journal.summary" 2>&1 &
  phones_pid=$!
}

# stop_phones JOURNAL: ends them and prints their summary. The status is theirs.
stop_phones() {
  local status=0
  kill -TERM "$phones_pid" 2> /dev/null || true
  wait "$phones_pid" || status=$?
  phones_pid=
  cat "$1.summary"
  return "$status"
}

# seed_phones URL: adds the employees of start_phones to a migrated database.
seed_phones() {
  python3 deploy/drills/phones.d/phones.py --seed | psql -qX -v ON_ERROR_STOP=1 --dbname="$1"
}

# compare JOURNAL URL OPTION...: looks for every acknowledged item in the database.
compare() {
  python3 -B deploy/drills/phones.d/present.py --journal "$1" \
    --database "$2" "${@:3}"
}
