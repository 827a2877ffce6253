# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For scripts that run programs which print TAP: source it.

# tap_count NAME OUTPUT: ok, not_ok and skips are how many cases passed, failed and were skipped; what
# is skipped is printed, with the reason. A subtest's lines are indented and count as the one that
# sums them up.
tap_count() {
	# shellcheck disable=SC2034 # for who sourced this
	ok=$(printf '%s\n' "$2" | grep '^ok ' | grep -vc ' # SKIP ')
	# shellcheck disable=SC2034 # for who sourced this
	not_ok=$(printf '%s\n' "$2" | grep -c '^not ok ')
	# shellcheck disable=SC2034 # for who sourced this
	skips=$(printf '%s\n' "$2" | grep -cE '^ok .* # SKIP |^1\.\.0 # SKIP ')
	printf '%s\n' "$2" | sed -nE "s/^ok [0-9]+ - (.*) # SKIP (.*)/SKIP: $1: \\1: \\2/p
		s/^1\\.\\.0 # SKIP /SKIP: $1: /p"
}
