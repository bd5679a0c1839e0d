#!/bin/sh
# Installs the command recollect @VERSION@ into ~/.local/bin, or into the folder given.
set -eu
sums='@SUMS@'
bin=${1:-$HOME/.local/bin}
platform=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')
sum=$(printf '%s\n' "$sums" | sed -n "s/^$platform //p")
[ -n "$sum" ] || { echo "install: there is no release for $platform" >&2; exit 1; }
temp=$(mktemp -d) && trap 'rm -rf "$temp"' EXIT && cd "$temp"
curl -fsSL -o package.tgz "${RECOLLECT_DOWNLOAD:-@DOWNLOAD@}/@PREFIX@-$platform-@VERSION@.tgz"
[ "$( (sha256sum package.tgz || shasum -a 256 package.tgz) 2>/dev/null | cut -c 1-64)" = "$sum" ] || { echo 'install: wrong checksum' >&2; exit 1; }
tar -xzf package.tgz && mkdir -p "$bin"
for name in recollect recollect-hook recollect-import; do cp "package/bin/$name" "$bin/.$name.new" && mv -f "$bin/.$name.new" "$bin/$name"; done
echo "recollect @VERSION@ is in $bin"
