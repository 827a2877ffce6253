#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# newer_perf.sh DIRECTORY: the path of a perf of Debian 12's backports, which reads recordings that
# the perf of Debian 12 refuses. It is unpacked below DIRECTORY and stays there; nothing is
# installed and no setting of the machine changes. Where that cannot be: exit code 1, the reason on
# stderr.

set -u
directory=$1
suite=bookworm

fail() {
	echo "$*" >&2
	exit 1
}

if test -x "$directory/perf/usr/bin/perf"; then
	echo "$directory/perf/usr/bin/perf"
	exit
fi

for program in apt-get apt-cache dpkg-deb dpkg ldd; do
	command -v "$program" >/dev/null || fail "no $program here"
done
test "$(. /etc/os-release && echo "${VERSION_CODENAME-}")" = "$suite" || fail "no Debian $suite"
archive=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 2>/dev/null |
	awk -v suite="$suite" '$2 == suite { print $1; exit }')
test -n "$archive" || fail "apt knows no archive of $suite"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
test -r "$keyring" || fail "no $keyring"

# An apt of our own: its lists and settings lie here, the machine's are not read or written.
mkdir -p "$directory" || exit 1
work=$(cd "$directory" && mktemp -d "$PWD/work.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/parts" || exit 1
echo "deb [signed-by=$keyring] $archive $suite-backports main" >"$work/sources.list"
cat >"$work/apt.conf" <<END
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "$work/parts";
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
Acquire::Languages "none";
Acquire::http::Timeout "20";
Acquire::Retries "1";
APT::Sandbox::User "$(id -un)";
END
export APT_CONFIG="$work/apt.conf"

log=$work/log
apt-get -q update >"$log" 2>&1 && ! grep -qE '^(E|Err|W: Failed)' "$log" ||
	fail "apt-get update: $(grep -E '^(E|W|Err)' "$log" | head -n 1)"
(cd "$work" && apt-get -q download "linux-perf/$suite-backports") >"$log" 2>&1 ||
	fail "apt-get download: $(grep '^E' "$log" | head -n 1)"
dpkg-deb -x "$work"/linux-perf_*.deb "$work/perf" || exit 1
missing=$(ldd "$work/perf/usr/bin/perf" | awk '/not found/ { print $1 }')
# shellcheck disable=SC2086 # names are words
test -z "$missing" || fail "it needs libraries that are not installed:" $missing
"$work/perf/usr/bin/perf" --version >"$log" 2>&1 || fail "it does not run: $(head -n 1 "$log")"
# Another run of this script may have been quicker.
mv -T "$work/perf" "$directory/perf" 2>/dev/null
test -x "$directory/perf/usr/bin/perf" || fail "cannot be kept in $directory"
echo "$directory/perf/usr/bin/perf"
