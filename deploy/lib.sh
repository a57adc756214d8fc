# Functions shared by the scripts in this folder. For Bash with `set -euo pipefail`.
# shellcheck shell=bash disable=SC2034  # other scripts use what is set here

# Packages that the Swift toolchain needs to run, link and find C libraries. Without libncurses6
# not even the compiler starts.
swift_packages=(
  libncurses6 libcurl4 libsqlite3-0 libxml2 tzdata
  binutils git libc6-dev libgcc-12-dev libstdc++-12-dev pkg-config
)
# The wrapped C libraries, and the database.
library_packages=(
  libpq-dev libssl-dev libevent-dev libcurl4-openssl-dev libqrencode-dev zlib1g-dev
)
database_packages=(postgresql-15)
# A compiler of C for deploy/checks/allocations.
counting_packages=(python3 gcc libc6-dev)
# Packages for the tests: a second implementation of the coverage rules, the rules as WebAssembly,
# servers for every notification channel, and browsers for the pages, with the map library.
test_packages=(
  python3 python3-venv openssl nodejs chromium chromium-headless-shell firefox-esr
  webkit2gtk-driver xvfb libjs-leaflet
)
# Packages for deploy/checks/contract.
contract_packages=(python3 python3-venv)
# Packages for deploy/demo/receivers.py.
receiver_packages=(python3 openssl)
# Packages for deploy/try, in which a manager opens the board.
try_packages=(curl)
# Packages for deploy/package/build.
package_packages=(dpkg-dev lintian git)
# Packages for deploy/drills/failover, rolling, pgbouncer and restore.
failover_packages=(python3 curl procps patroni etcd-server etcd-client)
rolling_packages=(python3 curl haproxy)
pooler_packages=(python3 openssl pgbouncer)
restore_packages=(python3 curl procps pgbackrest)
# Packages for deploy/checks/deployment: systemd reads the units, Python the manifest.
deployment_packages=(systemd python3 python3-venv)
# Packages for deploy/checks/proxies: the servers for which deploy/proxy has an example.
proxy_packages=(nginx-light caddy haproxy python3 openssl curl)
# Packages for reading scripts (deploy/checks/programs, shellcheck), and for deploy/checks/bare.
reading_packages=(python3 shfmt shellcheck)
bare_packages=(debootstrap git)
# For deploy/container/build and deploy/checks/container. runc works with every layout of cgroups.
container_packages=(buildah podman runc)
# For deploy/checks/package, which boots the new system.
boot_packages=(systemd-container)
# Packages for deploy/bench/run: the load generator, the peer for comparison, a compiler of C.
bench_packages=(python3 python3-venv wrk openssl gcc)

# Package.swift: a warning is an error.
export SHIFTGUARD_STRICT=1

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "error: $*"
  exit 1
}

# install_packages NAME...: installs the missing packages without questions. Installing
# postgresql-15 creates no cluster, and no server is started; the scripts start their own.
install_packages() {
  command -v dpkg-query > /dev/null || {
    say "this is not Debian: make sure that the equivalents of these packages are installed: $*"
    return 0
  }
  local name missing=()
  for name in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2> /dev/null) == installed ]] ||
      missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo > /dev/null ||
      fail "install these packages as root: apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local no_cluster=/etc/postgresql-common/createcluster.d/no-cluster-for-shiftguard.conf
  "${as_root[@]}" mkdir -p "${no_cluster%/*}"
  echo 'create_main_cluster = false' | "${as_root[@]}" tee "$no_cluster" > /dev/null
  # With systemd, Debian starts a server when it is installed, unless this program forbids it.
  local no_start=
  if [[ -d /run/systemd/system && ! -e /usr/sbin/policy-rc.d ]]; then
    no_start=/usr/sbin/policy-rc.d
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$no_start" > /dev/null
    "${as_root[@]}" chmod 0755 "$no_start"
  fi
  # dpkg gives its reasons on standard output.
  local status=0 printed
  printed=$({ "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -qq -y --no-install-recommends "${missing[@]}"; } 2>&1) || status=$?
  ((status == 0)) || say "$printed"
  "${as_root[@]}" rm -f "$no_cluster" ${no_start:+"$no_start"}
  return "$status"
}

# make_venv DIR REQUIREMENTS: creates a Python environment in DIR with the packages of the file
# REQUIREMENTS; creates it again after the file has changed.
make_venv() {
  cmp --quiet "$2" "$1/installed" && return 0
  rm -rf "$1"
  python3 -m venv "$1" &&
    "$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$2" >&2 &&
    cp "$2" "$1/installed"
}

# find_swift: adds the toolchain to PATH, or says where to get it.
find_swift() {
  local folder
  for folder in "" /opt/swift/usr/bin /usr/libexec/swift/bin "$HOME/.local/share/swiftly/bin"; do
    [[ -z $folder || -x $folder/swift ]] || continue
    [[ -z $folder ]] || PATH="$folder:$PATH"
    command -v swift > /dev/null && return 0
  done
  fail "no Swift toolchain found; get 6.3 or later from https://www.swift.org/install/linux/"
}

# swift_build OPTION...: swift build. With and without a terminal by the same options: otherwise a
# run on the other would compile everything again. A release build is that of the README.
swift_build() {
  local -a without=()
  [[ " $* " != *' release '* ]] || without=(env -u SHIFTGUARD_STRICT)
  "${without[@]}" swift build --no-color-diagnostics "$@"
}

# build_tests OPTION...: builds everything, with the checks that the compiler makes only on request.
# Always by the same options, see above.
build_tests() {
  swift_build --build-tests -Xswiftc -require-explicit-sendable \
    --explicit-target-dependency-import-check error "$@"
}

# find_programs NAME...: sets bin to the folder of these programs: SHIFTGUARD_PROGRAMS if it is set,
# otherwise that of a release build, which it makes.
find_programs() {
  local name
  if [[ -n ${SHIFTGUARD_PROGRAMS:-} ]]; then
    bin=$(realpath "$SHIFTGUARD_PROGRAMS")
    for name in "$@"; do
      [[ -x $bin/$name ]] || fail "SHIFTGUARD_PROGRAMS: there is no program $bin/$name"
    done
    return
  fi
  find_swift
  say "building in release"
  for name in "$@"; do swift_build -c release --quiet --product "$name"; done
  bin=$(swift build -c release --show-bin-path)
}

# free_ports COUNT: prints so many free TCP ports of 127.0.0.1. They are below those that the system
# gives to clients: a server that is restarted must find its port free. SHIFTGUARD_PORTS, such as
# 20000-20999, is where they are searched for.
free_ports() {
  python3 - "$1" "${SHIFTGUARD_PORTS:-20000-29999}" << 'PYTHON'
import random, socket, sys
first, last = map(int, sys.argv[2].split("-"))
sockets = []
for port in random.sample(range(first, last + 1), last - first + 1):
    place = socket.socket()
    try:
        place.bind(("127.0.0.1", port))
        sockets.append(place)
    except OSError:
        continue
    if len(sockets) == int(sys.argv[1]):
        break
print(*(place.getsockname()[1] for place in sockets))
PYTHON
}

# wait_until SECONDS WHAT COMMAND...: repeats the command until it succeeds; fails after that time.
wait_until() {
  local patience=$1 what=$2 begin=$SECONDS
  shift 2
  until "$@" > /dev/null 2>&1; do
    ((SECONDS - begin < patience)) || fail "timed out after $patience s waiting for $what"
    sleep 0.2
  done
}

# adapt FILE COPY "OLD => NEW"...: copies an example configuration with other values. Each old text
# must be in it.
adapt() {
  local copy=$2 text pair
  text=$(< "$1")
  shift 2
  for pair in "$@"; do
    [[ $text == *"${pair%% => *}"* ]] || fail "the example has no \`${pair%% => *}\`"
    text=${text//"${pair%% => *}"/"${pair#* => }"}
  done
  printf '%s\n' "$text" > "$copy"
}

# end_process PID [SIGNAL]: ends a process that this script started, and waits for its end.
end_process() {
  [[ -n ${1:-} ]] || return 0
  kill "-${2:-TERM}" "$1" 2> /dev/null || true
  wait "$1" 2> /dev/null || true
}

# build_static PROGRAM...: builds programs in release that contain Swift's library, for machines
# without the toolchain. They know their commit, unless something is not committed. Sets bin, their
# folder.
build_static() {
  local program
  find_swift
  [[ $(git status --porcelain 2>&1) ]] || SHIFTGUARD_COMMIT=$(git rev-parse HEAD)
  export SHIFTGUARD_COMMIT=${SHIFTGUARD_COMMIT:-}
  # Other options than those of a usual build, so it has a folder of its own.
  for program in "$@"; do
    swift_build --configuration release --static-swift-stdlib --scratch-path .build/package --quiet \
      --product "$program" >&2 || fail "building $program failed"
  done
  bin=.build/package/release
}

# package_version VERSION: prints the version of a package that has VERSION's programs. Those of two
# commits differ, and later commits of a branch come later.
package_version() {
  local commit count changed=
  if ! commit=$(git rev-parse --short=12 HEAD 2> /dev/null) ||
    [[ $(git tag --points-at HEAD) == "v$1" ]]; then
    printf '%s\n' "$1"
    return
  fi
  count=$(git rev-list --count HEAD)
  [[ ! $(git status --porcelain) ]] || changed=.changed
  printf '%s\n' "$1~git$count.$commit$changed"
}

# run_as_owner COMMAND...: runs COMMAND as the owner of the cluster. Postgres refuses to run as
# root, so for root the owner is `postgres`; otherwise it is the current user. --pdeathsig ends the
# command when the script is killed by any signal.
run_as_owner() {
  if ((EUID == 0)); then
    exec setpriv --reuid=postgres --regid=postgres --init-groups --pdeathsig INT -- "$@"
  else
    exec setpriv --pdeathsig INT -- "$@"
  fi
}

# start_cluster DIR [OPTION...]: starts a private database cluster in DIR, which must be new and
# empty. It is reachable only by the Unix socket in DIR, for its owner and root. Its data does not
# survive a crash unless the options, which are passed to the server, change that. Sets cluster_dir,
# cluster_pid and cluster_url (a database's name goes after the third slash).
start_cluster() {
  make_cluster "$1"
  start_postgres "${@:2}"
}

# find_postgres: sets postgres_bin to the folder of the newest PostgreSQL's programs.
find_postgres() {
  postgres_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  [[ -x $postgres_bin/postgres ]] || fail "no PostgreSQL found under /usr/lib/postgresql"
}

# make_cluster DIR: makes the cluster of start_cluster without starting it.
make_cluster() {
  cluster_dir=$1
  find_postgres
  chmod 0700 "$cluster_dir"
  ((EUID != 0)) || chown postgres: "$cluster_dir"
  # The path of a Unix socket may have at most 107 characters.
  ((${#cluster_dir} < 80)) || fail "the path $cluster_dir is too long for a socket"
  (cd / && run_as_owner "$postgres_bin/initdb" --pgdata="$cluster_dir/data" \
    --username="$(id -un)" --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync) \
    > "$cluster_dir/initdb.log" 2>&1 || fail "initdb failed: $(cat "$cluster_dir/initdb.log")"
}

# start_postgres [OPTION...]: starts the server of the cluster in cluster_dir.
start_postgres() {
  # Close the descriptor of the caller's lock: the server must not keep it.
  (cd / && run_as_owner "$postgres_bin/postgres" -D "$cluster_dir/data" -k "$cluster_dir" \
    -c listen_addresses= -c max_connections=300 -c fsync=off -c full_page_writes=off \
    -c log_min_messages=fatal "$@") > "$cluster_dir/postgres.log" 2>&1 9>&- < /dev/null &
  cluster_pid=$!
  cluster_url="postgresql:///postgres?host=$cluster_dir"
  local attempt
  for ((attempt = 0; attempt < 3000; attempt++)); do
    "$postgres_bin/pg_isready" --quiet --host="$cluster_dir" && return 0
    kill -0 "$cluster_pid" 2> /dev/null || break
    sleep 0.1
  done
  fail "the database did not start: $(tail -n 5 "$cluster_dir/postgres.log")"
}

# start_guardd LOG [OPTION...]: starts the guardd in PATH on a free port of 127.0.0.1, with its log
# in the file LOG. Sets guardd_pid and guardd_address.
start_guardd() {
  local log=$1 attempt
  shift
  : > "$log"
  # Close the descriptor of the caller's lock: the service must not keep it.
  guardd --listen 127.0.0.1:0 "$@" > "$log" 2>&1 9>&- &
  guardd_pid=$!
  guardd_address=
  for ((attempt = 0; attempt < 3000; attempt++)); do
    guardd_address=$(sed -nE 's/.*event=listening address=([0-9.:]+).*/\1/p' "$log")
    [[ -z $guardd_address ]] || return 0
    kill -0 "$guardd_pid" 2> /dev/null || break
    sleep 0.1
  done
  fail "guardd did not start: $(tail -n 5 "$log")"
}

# stop_guardd: asks it to stop and waits for its end. May be called without one.
stop_guardd() {
  [[ -n ${guardd_pid:-} ]] || return 0
  kill -TERM "$guardd_pid" 2> /dev/null || true
  wait "$guardd_pid" 2> /dev/null || true
  guardd_pid=
}

# stop_cluster: stops the database at once, even with open connections, and removes its folder. A
# last checkpoint is not needed, as the data is removed. May be called without a cluster.
stop_cluster() {
  if [[ -n ${cluster_pid:-} ]]; then
    kill -QUIT "$cluster_pid" 2> /dev/null || true
    wait "$cluster_pid" 2> /dev/null || true
    cluster_pid=
  fi
  if [[ -n ${cluster_dir:-} ]]; then
    rm -rf -- "$cluster_dir"
    cluster_dir=
  fi
}
