# What drills, checks and measurements have in common: options, help, a private database, and an end
# that leaves nothing running. For Bash with `set -euo pipefail`, in the project's folder:
#
#   # Shows that … (the comment on top of a script is also its help)
#   rounds=5
#   number rounds N 1 99 "number of rounds"
#   read_options "$@"
#
# What only deploy/drills/reports needs is in the folder deploy/drills/reports.d beside it, and so on.
#
# shellcheck shell=bash disable=SC2034  # scripts use what is set here
source deploy/lib.sh

script=$(cd "$OLDPWD" && realpath "$0")
script=${script#"$PWD/"}
place='' guardd_pid='' cluster_pid=''

# What a script accepts: each option is declared after its variable, which has the default.
# `--keep-answers` sets keep_answers. Other words go to the array arguments, if operands names them.
declare -A option_word=() option_help=() option_reader=()
option_names=() operands='' arguments=()

option() {
  option_names+=("$1")
  option_word[$1]=$2 option_help[$1]=$3 option_reader[$1]=$4
}
# number NAME WORD LEAST MOST HELP
number() { option "$1" "$2" "$5${!1:+ (${!1})}" "is_number $3 $4"; }
# choice NAME "ONE|ANOTHER" HELP
choice() { option "$1" "$2" "$3${!1:+ (${!1})}" "is_choice $2"; }
# folder NAME FILE HELP: a folder that contains FILE, or `.` for any.
folder() { option "$1" DIR "$3${!1:+ (${!1})}" "is_folder $2"; }
# file NAME HELP
file() { option "$1" FILE "$2" is_file; }
# value NAME WORD HELP: any text.
value() { option "$1" "$2" "$3" is_given; }
# optional NAME WORD HELP: any text; `yes` without one.
optional() { option "$1" "[$2]" "$3" ''; }
# flag NAME HELP: without a value; sets `yes`.
flag() { option "$1" '' "$2" ''; }

# Each reader gets an option and its value after its own arguments, and says what is wrong.
is_number() {
  if [[ ! $4 =~ ^[0-9]{1,8}$ ]] || ((10#$4 < $1 || 10#$4 > $2)); then
    fail "\`$3\` must be a number from $1 to $2"
  fi
}
is_choice() { [[ $3 && "|$1|" == *"|$3|"* ]] || fail "\`$2\` must be one of ${1//|/, }"; }
is_folder() {
  [[ -d $3 ]] || fail "\`$2\` needs a folder"
  [[ -e $3/$1 ]] || fail "\`$2\`: there is no $1 in $3"
}
is_file() { [[ -f $2 ]] || fail "\`$1\` needs a file"; }
is_given() { [[ $2 ]] || fail "\`$1\` needs a value"; }

# read_options "$@": sets the variables of the options, or prints the help.
read_options() {
  local name reader
  while (($#)); do
    name=${1#--} name=${name//-/_}
    if [[ $1 == --help || $1 == -h ]]; then
      usage
      exit 0
    elif [[ $1 == --[a-z]* && ${option_reader[$name]+declared} ]]; then
      if [[ ! ${option_reader[$name]} ]]; then
        declare -g "$name=yes"
        if [[ ${option_word[$name]} && ${2:-} ]]; then
          declare -g "$name=$2"
          shift
        fi
      else
        read -ra reader <<< "${option_reader[$name]}"
        "${reader[@]}" "$1" "${2:-}"
        declare -g "$name=$2"
        [[ ${reader[0]} != is_number ]] || declare -g "$name=$((10#$2))"
        shift
      fi
    elif [[ $operands && $1 != -* ]]; then
      arguments+=("$1")
    else
      refuse_options "$1"
    fi
    shift
  done
}

# refuse_options WORD: prints the help, and that this word is wrong.
refuse_options() {
  usage >&2
  say "error: \`$1\` is not known"
  exit 64
}

usage() {
  local name help line="Usage: $script" width=6 shown=()
  for name in "${option_names[@]}"; do
    shown+=("--${name//_/-}${option_word[$name]:+ ${option_word[$name]}}")
    # With another space, so that an option and its word stay on one line.
    line+=" [${shown[-1]// /$'\1'}]"
    ((${#shown[-1]} <= width)) || width=${#shown[-1]}
  done
  printf '%s\n' "$line${operands:+ $operands}" | fold --spaces --width=96 |
    sed "s/ *\$//; y/"$'\1'"/ /; 2,\$s/^/    /"
  printf '\n'
  sed --quiet '2,/^[^#]/s/^# \{0,1\}//p' "$script"
  printf '\n'
  for name in "${!option_names[@]}"; do
    help=${option_help[${option_names[name]}]}
    printf '  %-*s  ' "$width" "${shown[name]}"
    fold --spaces --width=$((94 - width)) <<< "${help//$'\n'/ }" |
      sed "s/ *\$//; 2,\$s/^/$(printf '%*s' $((width + 4)) '')/"
  done
  printf '  %-*s  %s\n' "$width" --help "show this help"
  [[ $script != deploy/@(drills|bench)/* ]] ||
    printf '\n%s\n%s\n' "Needs Debian 12, Python 3 and the Swift toolchain; with SHIFTGUARD_PROGRAMS," \
      "a folder of built programs, it builds nothing."
}

# At the end of a script, however it ends: clean_up, if the script has this function; the processes
# that it left running, the last one first; database and folder. After a failure the last lines of
# all logs are printed.
finish() {
  local status=$? running number
  if ((status && status < 128)) && [[ $place ]]; then
    find "$place" -maxdepth 2 -name '*.log' ! -name initdb.log -size +0 \
      -exec tail --lines=5 --verbose {} \; >&2 || true
  fi
  if declare -F clean_up > /dev/null; then clean_up || true; fi
  mapfile -t running < <(jobs -rp)
  for ((number = ${#running[@]} - 1; number >= 0; number--)); do
    [[ " $cluster_pid ${citus_pids[*]:-} " != *" ${running[number]} "* ]] || continue
    # It may be stopped.
    kill -CONT "${running[number]}" 2> /dev/null || true
    end_process "${running[number]}"
  done
  if declare -F stop_citus > /dev/null; then stop_citus; fi
  stop_cluster
  [[ -z $place ]] || rm -rf --one-file-system -- "$place"
  exit "$status"
}
trap finish EXIT
# A signal ends the script through its exit trap, with the usual status for that signal.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# make_place FOLDER: makes the script's own folder in FOLDER. The owner of the database may
# enter it to reach its own. Sets place.
make_place() {
  place=$(mktemp -d "$1/shiftguard-${script##*/}.XXXXXX")
  chmod 0711 "$place"
}

# install_toolchain PACKAGE...: what a build, a database and the script itself need.
install_toolchain() {
  install_packages "${swift_packages[@]}" "${library_packages[@]}" "${database_packages[@]}" "$@"
}

# use_programs NAME...: finds these programs or builds them, and puts them into PATH.
use_programs() {
  find_programs "$@"
  PATH="$bin:$PATH"
}

# use_built NAME: puts the folder bin, which contains this program, into PATH; builds nothing.
use_built() {
  [[ -x $bin/$1 ]] || fail "no $bin/$1; build it first"
  bin=$(realpath "$bin")
  PATH="$bin:$PATH"
}

# start_database [OPTION...]: starts a private cluster in a new place, with these options of the
# server, and makes the migrated database `shiftguard`. Exports SHIFTGUARD_DATABASE, its URL.
start_database() {
  [[ $place ]] || make_place /tmp
  mkdir "$place/postgres"
  start_cluster "$place/postgres" "$@"
  SHIFTGUARD_DATABASE="postgresql:///shiftguard?host=$cluster_dir&user=$(id -un)"
  export SHIFTGUARD_DATABASE
  psql --quiet "$cluster_url" --command='CREATE DATABASE shiftguard'
  guardctl migrate --migrations db/migrations > /dev/null
}

# ask_database [OPTION...]: psql for scripts in that database.
ask_database() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 \
    --dbname="$SHIFTGUARD_DATABASE" "$@"
}

# start_guardd_at SOCKET [COMMAND...]: starts guardd at this Unix socket, by COMMAND if there is one.
# Sets guardd_pid.
start_guardd_at() {
  "${@:2}" guardd --listen "unix:$1" > "$place/guardd.log" 2>&1 &
  guardd_pid=$!
  wait_until 300 guardd test -S "$1"
}

failures=0
# check TEXT COMMAND...: prints whether the command succeeds, and if not, what it and the program
# before it printed. Sets failures, their number.
check() {
  if "${@:2}" > "$place/found" 2>&1; then
    printf 'ok    %s\n' "$1"
  else
    printf 'FAIL  %s\n' "$1"
    cat "$place/found" "$place/printed" 2> /dev/null | sed 's/^/      /' || true
    failures=$((failures + 1))
  fi
}
