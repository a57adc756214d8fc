# Functions for scripts that create a bare Debian 12 in a folder, $root. Needs root, and the packages
# `bare_packages`. To be sourced after deploy/lib.sh.
# shellcheck shell=bash disable=SC2154  # the scripts set `root`

# mirror SUITE: prints the URL from which apt gets SUITE, from sources of both formats.
mirror() {
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [[ -f $file ]] || continue
    awk -v suite="$1" '
      $1 == "URIs:" { place = $2 }
      $1 == "Suites:" { for (i = 2; i <= NF; i++) if ($i == suite) print place }
      $1 == "deb" {
        sub(/^deb +(\[[^]]*\] +)?/, "")
        if ($2 == suite) print $1
      }' "$file"
  done | head -n 1
}

# make_debian: creates a bare Debian in $root, with the mirror's updates.
make_debian() {
  local suite place
  place=$(mirror bookworm)
  debootstrap --variant=minbase bookworm "$root" "${place:-http://deb.debian.org/debian}" \
    > "$root.log" 2>&1 || fail "debootstrap failed: $(tail -n 5 "$root.log")"
  # debootstrap keeps the folder's mode, with which only root could enter.
  chmod 0755 "$root"
  for suite in bookworm bookworm-updates bookworm-security; do
    place=$(mirror "$suite")
    [[ -z $place ]] || echo "deb $place $suite main"
  done > "$root/etc/apt/sources.list"
  [[ -s $root/etc/apt/sources.list ]] || fail "the apt sources contain no mirror of bookworm"
  apt-config dump | grep -E '^Acquire::(http|https)::' > "$root/etc/apt/apt.conf.d/99here" || true
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
}

# show_read_only FOLDER PLACE: mounts FOLDER read-only at PLACE in the new root.
show_read_only() {
  mkdir -p "$root/$2"
  mount --bind "$1" "$root/$2"
  mount -o remount,bind,ro "$root/$2"
}

# mount_system: mounts the usual file systems of a running system in $root.
mount_system() {
  local name
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs -o mode=0755 tmpfs "$root/dev"
  for name in null zero full random urandom tty; do
    touch "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
  done
  mkdir "$root/dev/shm" "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  for name in fd:fd stdin:fd/0 stdout:fd/1 stderr:fd/2; do
    ln -s "/proc/self/${name#*:}" "$root/dev/${name%:*}"
  done
}
