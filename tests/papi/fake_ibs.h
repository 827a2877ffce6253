/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An ibs_op PMU for the component, of this machine's own parts: a sysfs tree that names one, and
 * perf_event_open(2) of it turned into an event that a BPF program sends IBS payloads to. The ring,
 * the wakeups and the signals are the kernel's. The program is linked with -Wl,--wrap=syscall.
 */
#ifndef TESTS_PAPI_FAKE_IBS_H
#define TESTS_PAPI_FAKE_IBS_H

#include "tests/support/bpf_payload.h"

#define FAKE_IBS_TYPE 4242u

/*
 * Before PAPI_library_init(). Events of the PMU that are opened later get the program's payloads.
 * @return 0, or -errno of what could not be made
 */
int fake_ibs_begin(struct bpf_payload *bpf);
void fake_ibs_end(void);

#endif
