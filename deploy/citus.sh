# A private Citus cluster of a coordinator and two workers, for scripts that have sourced lib.sh. It
# needs the extension, which Debian does not have. For Bash with `set -euo pipefail`.
# shellcheck shell=bash

# has_citus: whether the extension is installed for the newest PostgreSQL here.
has_citus() {
  local places
  places=$(printf '%s\n' /usr/share/postgresql/*/extension | sort -V | tail -n 1)
  [[ -e $places/citus.control ]]
}

declare -A citus_pids=()
citus_options=()
# start_citus DIR [OPTION...]: starts three servers in folders of DIR, each reachable only by the
# Unix socket in its folder. Sets what start_cluster sets, for the coordinator.
start_citus() {
  citus_dir=$1
  citus_options=("${@:2}")
  has_citus || fail "the Citus extension is not installed: see deploy/docs/scaling.md"
  chmod 0711 "$citus_dir"
  local node
  for node in worker2 worker1 coordinator; do make_node "$node"; done
}

# make_node NAME: makes a server in a folder of its own, and starts it.
make_node() {
  mkdir "$citus_dir/$1"
  make_cluster "$citus_dir/$1"
  start_node "$1"
}

# start_node NAME: starts a server that make_node has made.
start_node() {
  cluster_dir=$citus_dir/$1
  start_postgres -c shared_preload_libraries=citus -c max_connections=500 \
    -c max_worker_processes=200 -c max_prepared_transactions=500 -c citus.shard_count=8 \
    -c citus.local_hostname="$cluster_dir" "${citus_options[@]}"
  citus_pids[$1]=$cluster_pid
}

# stop_citus: stops all servers at once. May be called without a cluster.
stop_citus() {
  [[ -n ${citus_dir:-} ]] || return 0
  local node
  for node in "${!citus_pids[@]}"; do end_process "${citus_pids[$node]}" QUIT; done
  rm -rf -- "$citus_dir"
  citus_pids=() citus_dir='' cluster_pid='' cluster_dir=''
}

# citus_url NODE DATABASE: prints a database's URL on `coordinator`, `worker1`, `worker2`, …
citus_url() { echo "postgresql:///$2?host=$citus_dir/$1&user=$(id -un)"; }

# on_each_node DATABASE COMMAND...: runs the SQL commands in this database of the three nodes.
on_each_node() {
  local database=$1 node
  shift
  for node in coordinator worker1 worker2; do
    psql --quiet --output=/dev/null "$(citus_url "$node" "$database")" \
      "${@/#/--command=}" || return 1
  done
}

# make_citus_database NAME: creates a database on all nodes and connects them.
make_citus_database() {
  on_each_node postgres "CREATE DATABASE $1" &&
    on_each_node "$1" 'CREATE EXTENSION citus' &&
    psql --quiet --output=/dev/null "$(citus_url coordinator "$1")" \
      --command="SELECT citus_set_coordinator_host('$citus_dir/coordinator', 5432)" \
      --command="SELECT citus_add_node('$citus_dir/worker1', 5432)" \
      --command="SELECT citus_add_node('$citus_dir/worker2', 5432)" \
      --command="SELECT citus_set_node_property(
        '$citus_dir/coordinator', 5432, 'shouldhaveshards', false)"
}

# make_citus_template NAME: closes a database to connections, so that it can be cloned node by node.
# Otherwise the extension's own connections prevent that.
make_citus_template() {
  on_each_node postgres "ALTER DATABASE $1 ALLOW_CONNECTIONS false" \
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '$1'"
}
