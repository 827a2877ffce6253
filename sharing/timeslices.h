/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often a thread was given a CPU: its context switches, whatever made them.
 *
 * Source: Linux 6.18 Documentation/scheduler/sched-stats.rst, /proc/PID/schedstat.
 */
#ifndef SHARING_TIMESLICES_H
#define SHARING_TIMESLICES_H

#include <stdint.h>
#include <sys/types.h>

/* A descriptor; or -errno */
int timeslices_open(pid_t pid, uint32_t tid);

/* 0; or -errno: ENODATA: this kernel counts none; otherwise the thread has gone */
int timeslices_read(int fd, uint64_t *count);

#endif
