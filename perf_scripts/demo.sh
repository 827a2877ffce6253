#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh BUILD_DIR SRC_DIR: what precis makes of a recording that comes with it.

set -u
build=$(cd "$1" && pwd) && src=$(cd "$2" && pwd) || exit 1
recording=$src/tests/recordings/zen4-mix-op.perf.data
precis=$build/precis
dlfilter=$build/.libs/precis-dlfilter.so
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cat <<END
== precis on a recording of ibs_op, Zen 4 ==
   *** Modeled machine: levels and latencies are a model's, not measured. ***
   What is real in it: man doc/man/precis-modeled-machine.7

\$ precis report --sort latency --top 5 --sections findings,top zen4-mix-op.perf.data

END
cd "$src/tests/recordings" || exit 1
"$precis" report --sort latency --top 5 --sections findings,top --symfs symfs --colour never \
	zen4-mix-op.perf.data || exit 1
echo

fields=mem_level,dcache_miss_latency,miss_buffers_open
filter='dc_miss_lat > 400 && data_src == DRAM'

# Why the demo goes on without perf; empty: it does not have to.
no_perf() {
	if test ! -e "$dlfilter"; then
		echo "precis was configured without the dlfilter"
	elif ! command -v "${PERF:-perf}" >/dev/null 2>&1; then
		echo "perf is not installed (Debian: linux-perf)"
	elif ! "${PERF:-perf}" script -i "$recording" -F comm,tid,ip \
		--dlfilter "$dlfilter" --dlarg "fields=$fields" --dlarg "filter=$filter" \
		>"$work/perf" 2>"$work/error"; then
		echo "$(head -n 1 "$work/error") (perf 5.14 or later is needed)"
	fi
}

reason=$(no_perf)
if test -n "$reason"; then
	echo "The same inside perf script: skipped, $reason"
else
	cat <<END
\$ perf script -F comm,tid,ip --dlfilter precis-dlfilter.so \\
      --dlarg fields=$fields \\
      --dlarg 'filter=$filter'
END
	head -n 3 "$work/perf"
fi

cat <<END

On an AMD or Intel machine:
    precis info                   # can this machine, and may I? If not, why, and what to do
    precis-record -- ./program    # perf record with the right event and options, with checks
    precis report                 # what to look at first; --all: all tables
    precis annotate               # the hottest function, instruction by instruction
Built: $precis. Not installed yet: make -C $build install
END
