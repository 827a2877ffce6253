# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# TAP for shell tests: source it, report cases, end with tap_done.

tap_count=0
tap_failures=0

# tap_ok NAME
tap_ok() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1"
}

# tap_not_ok NAME [DIAGNOSTICS]
tap_not_ok() {
	tap_count=$((tap_count + 1))
	tap_failures=$((tap_failures + 1))
	echo "not ok $tap_count - $1"
	test -z "${2-}" || printf '%s\n' "$2" | sed 's/^/# /'
}

# tap_skip NAME REASON
tap_skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# tap_run NAME COMMAND...: passes if the command does; its output is the diagnostics
tap_run() {
	tap_name=$1
	shift
	if tap_output=$("$@" 2>&1); then
		tap_ok "$tap_name"
	else
		tap_not_ok "$tap_name" "$tap_output"
	fi
}

# tap_empty NAME TEXT: passes if there is nothing to complain of
tap_empty() {
	if test -z "$2"; then
		tap_ok "$1"
	else
		tap_not_ok "$1" "$2"
	fi
}

# tap_equal NAME EXPECTED GOT
tap_equal() {
	if test "$2" = "$3"; then
		tap_ok "$1"
	else
		tap_not_ok "$1" "expected: $2
got: $3"
	fi
}

# tap_skip_all REASON: instead of all cases
tap_skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

tap_done() {
	echo "1..$tap_count"
	test "$tap_failures" -eq 0
	exit
}
