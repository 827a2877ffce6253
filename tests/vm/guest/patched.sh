# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# patched.sh DIRECTORY: three times the same work, which the kernel does with other code each time: as it was; with
# statistics of the scheduler, a traced function, a probe and a tracepoint; and without them again. Its code is saved
# before and after the work.
tracing=/sys/kernel/tracing

# wait_for TEXT FILE: upper limit of a minute of the guest's
wait_for() {
	tries=0
	until grep -q "$1" "$2"; do
		test $tries -lt 600 || exit 1
		tries=$((tries + 1))
		usleep 100000
	done
}

patch() {
	echo "$1" >/proc/sys/kernel/sched_schedstats
	echo "$1" >$tracing/events/kmem/kmem_cache_alloc/enable
	if test "$1" = 1; then
		echo vfs_read >$tracing/set_ftrace_filter
		echo function >$tracing/current_tracer
		# Behind the place of the tracer, which is 5 bytes, and an ENDBR64, if there is one
		echo 'p:in_pipe_write pipe_write+5' >$tracing/kprobe_events ||
			echo 'p:in_pipe_write pipe_write+9' >$tracing/kprobe_events
		echo 1 >$tracing/events/kprobes/enable
		wait_for OPTIMIZED /sys/kernel/debug/kprobes/list
	else
		echo 0 >$tracing/events/kprobes/enable
		echo >$tracing/kprobe_events
		echo nop >$tracing/current_tracer
	fi
}

# phase NAME: two lines of times
phase() {
	echo "@text $1 begin $(kernel_text "$2/$1.begin")"
	calls 150000 || exit 1
	echo "@text $1 end $(kernel_text "$2/$1.end")"
}

mount -t debugfs none /sys/kernel/debug
phase before "$1"
patch 1
phase meanwhile "$1"
patch 0
phase after "$1"
