# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For scripts that run programs with breakpoints: source it.

# run_again COMMAND...: its output and its exit status. It is run again, four times at most, if debug exceptions
# came that named no cause: it says so itself (TEST_AGAIN in the component's precis_traps.h), or was ended by
# SIGTRAP, which nobody else sends here.
run_again() {
	for _ in 1 2 3 4 5; do
		# shellcheck disable=SC2034 # for who sourced this
		output=$("$@" 2>&1 </dev/null)
		status=$?
		case $status in
		75 | 133) echo "# debug exceptions named no cause: $*" ;;
		*) return ;;
		esac
	done
}
