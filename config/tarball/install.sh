#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs castled from this folder: as root into /usr/local with the system's service, else into ~/.local with one of
# your own. Nothing is started.
#
#   ./install.sh                  or PREFIX=/opt/castled ./install.sh
#   ./install.sh --remove         takes away what it installed; configuration, token and archive stay
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ "$(id -u)" -eq 0 ]; then
    prefix=${PREFIX:-/usr/local} units=/etc/systemd/system kind=system
else
    prefix=${PREFIX:-$HOME/.local} units=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user kind=user
fi

# What lies where, without a slash before it.
files() {
    (cd "$here" && find bin share -type f)
}

case ${1:-} in
--remove)
    files | while read -r file; do rm -f "$prefix/$file"; done
    rm -rf "$prefix/share/doc/castled"
    for unit in "$here/systemd/$kind"/*; do rm -f "$units/${unit##*/}"; done
    echo "castled is removed from $prefix"
    exit 0
    ;;
"") ;;
*)
    echo "usage: ./install.sh [--remove]" >&2
    exit 64
    ;;
esac

# A new file beside the old one, then its name: a castled that runs keeps the one that it has.
install_file() { # FROM TO
    mkdir -p "${2%/*}"
    cp "$1" "$2.new"
    mv -f "$2.new" "$2"
}
files | while read -r file; do install_file "$here/$file" "$prefix/$file"; done
for unit in "$here/systemd/$kind"/*; do
    mkdir -p "$units"
    sed "s|/usr/local/bin|$prefix/bin|g" "$unit" >"$units/${unit##*/}"
done

"$prefix/bin/castled" --version | head -n 1
echo "installed in $prefix"
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "$prefix/bin is not in your PATH" ;;
esac
if [ "$kind" = system ]; then
    echo "next: castled init; castled login; castled upgrade; castled check; systemctl enable --now castled"
else
    echo "next: castled init; castled login; castled upgrade; castled check; systemctl --user enable --now castled"
    echo "      (it ends with your session, unless: loginctl enable-linger)"
fi
