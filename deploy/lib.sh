# Shared by the scripts in this folder, which source it. Bash; expects `set -euo pipefail`.

# What the Swift toolchain itself needs to run, link and find C libraries; libncurses6 first,
# without which not even the compiler starts.
swift_packages=(
  libncurses6 libcurl4 libsqlite3-0 libxml2 tzdata
  binutils git libc6-dev libgcc-12-dev libstdc++-12-dev pkg-config
)
# The C libraries that our modules wrap, and the database.
library_packages=(libpq-dev libssl-dev libevent-dev libcurl4-openssl-dev libqrencode-dev)
database_packages=(postgresql-15)
# What tests compare our results with: an independent reading of the coverage rules, the rules as a
# browser runs them, the other side of every notification channel, a browser that looks at the
# pages, with what maps are laid with.
test_packages=(python3 python3-venv openssl nodejs chromium libjs-leaflet)
# What deploy/contract needs.
contract_packages=(python3 python3-venv)
# What deploy/receivers.py needs.
receiver_packages=(python3 openssl)
# How the manager of deploy/try opens the board.
try_packages=(curl)
# What deploy/programs reads scripts with, and what deploy/bare makes a Debian with.
reading_packages=(python3 shfmt)
bare_packages=(debootstrap git)
# What makes load, and what the peer runs on that we are measured beside.
bench_packages=(python3 python3-venv wrk openssl)

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "error: $*"
  exit 1
}

# install_packages NAME...: installs those that are missing, asking nothing. Installing
# postgresql-15 creates no cluster and opens no port: we bring our own.
install_packages() {
  command -v dpkg-query > /dev/null || {
    say "this is no Debian: please make sure of the equivalents of: $*"
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
      fail "please install as root: apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local no_cluster=/etc/postgresql-common/createcluster.d/no-cluster-for-shiftguard.conf
  "${as_root[@]}" mkdir -p "${no_cluster%/*}"
  echo 'create_main_cluster = false' | "${as_root[@]}" tee "$no_cluster" > /dev/null
  local status=0
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -qq -y --no-install-recommends "${missing[@]}" > /dev/null || status=$?
  "${as_root[@]}" rm -f "$no_cluster"
  return "$status"
}

# make_venv DIR REQUIREMENTS: Python in DIR with what the file REQUIREMENTS lists, made anew when
# the file has changed.
make_venv() {
  cmp --quiet "$2" "$1/installed" && return 0
  rm -rf "$1"
  python3 -m venv "$1" &&
    "$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$2" >&2 &&
    cp "$2" "$1/installed"
}

# find_swift: puts the toolchain on PATH, or says where to get it.
find_swift() {
  local folder
  for folder in "" /opt/swift/usr/bin /usr/libexec/swift/bin "$HOME/.local/share/swiftly/bin"; do
    [[ -z $folder || -x $folder/swift ]] || continue
    [[ -z $folder ]] || PATH="$folder:$PATH"
    command -v swift > /dev/null && return 0
  done
  fail "no Swift toolchain found; get 6.3 or later from https://www.swift.org/install/linux/"
}

# run_as_owner COMMAND...: as the ordinary user that owns the cluster. Postgres refuses to run as
# root, so root lends it to `postgres`; everybody else owns it. Whoever runs the script may die
# by any signal; --pdeathsig then takes the command along.
run_as_owner() {
  if ((EUID == 0)); then
    exec setpriv --reuid=postgres --regid=postgres --init-groups --pdeathsig INT -- "$@"
  else
    exec setpriv --pdeathsig INT -- "$@"
  fi
}

# start_cluster DIR [OPTION...]: a private database cluster in DIR, which must be new and empty.
# Reached by the Unix socket in DIR only, open to its owner (and root) only. Keeps nothing after a
# crash, unless the options, which are the server's own, say so.
# Sets cluster_dir, cluster_pid and cluster_url (a database's name goes after the third slash).
start_cluster() {
  cluster_dir=$1
  shift
  local bin
  bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  [[ -x $bin/postgres ]] || fail "no PostgreSQL found under /usr/lib/postgresql"
  chmod 0700 "$cluster_dir"
  ((EUID != 0)) || chown postgres: "$cluster_dir"
  # A Unix socket's path may have 107 characters.
  ((${#cluster_dir} < 80)) || fail "the path $cluster_dir is too long for a socket"
  (cd / && run_as_owner "$bin/initdb" --pgdata="$cluster_dir/data" --username="$(id -un)" \
    --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync) > "$cluster_dir/initdb.log" 2>&1 ||
    fail "initdb failed: $(cat "$cluster_dir/initdb.log")"
  # Closes the descriptor of the caller's lock, which the server must not keep.
  (cd / && run_as_owner "$bin/postgres" -D "$cluster_dir/data" -k "$cluster_dir" \
    -c listen_addresses= -c max_connections=300 -c fsync=off -c full_page_writes=off \
    -c log_min_messages=fatal "$@") > "$cluster_dir/postgres.log" 2>&1 9>&- < /dev/null &
  cluster_pid=$!
  cluster_url="postgresql:///postgres?host=$cluster_dir"
  local attempt
  for ((attempt = 0; attempt < 300; attempt++)); do
    "$bin/pg_isready" --quiet --host="$cluster_dir" && return 0
    kill -0 "$cluster_pid" 2> /dev/null || break
    sleep 0.1
  done
  fail "the database did not start: $(tail -n 5 "$cluster_dir/postgres.log")"
}

# stop_cluster: ends the database, open connections or not, and removes its folder: at once, as a
# last checkpoint of what is removed serves nobody. May be called when there is none.
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
