#!/usr/bin/env bash
# What Qt needs from the system to draw without a screen (and to open a window with one). Installed when
# we may; otherwise the exact line to run is printed and the tests are not started half-blind.
set -euo pipefail
[ "$(uname -s)" = Linux ] || exit 0

declare -A package=(
  [libEGL.so.1]=libegl1 [libGL.so.1]=libgl1 [libxkbcommon.so.0]=libxkbcommon0 [libdbus-1.so.3]=libdbus-1-3
  [libfontconfig.so.1]=libfontconfig1 [libglib-2.0.so.0]=libglib2.0-0
)
known=$(/sbin/ldconfig -p 2>/dev/null || ldconfig -p)
missing=()
for library in "${!package[@]}"; do
  grep -q "$library" <<<"$known" || missing+=("${package[$library]}")
done
[ ${#missing[@]} -eq 0 ] && exit 0

line="apt-get install -y --no-install-recommends ${missing[*]}"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q >/dev/null
  $line >/dev/null
else
  echo "Qt needs system libraries that are not installed. Run this, then try again:" >&2
  echo "  sudo $line" >&2
  exit 1
fi
