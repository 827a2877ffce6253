/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Payloads of our own in a real ring buffer: a BPF program runs at each overflow of an event (the
 * trigger: a clock, a breakpoint, page faults) and puts bytes into PERF_SAMPLE_RAW of another, one
 * of PERF_COUNT_SW_BPF_OUTPUT. The kernel does the rest as for any sample, so that what reads
 * AMD's payloads can be tested where there is no such CPU.
 *
 * The program counts what it sent, which makes the ground truth. Needs nothing but bpf(2), and
 * for that mostly root. Test code; part of no library.
 */
#ifndef TESTS_SUPPORT_BPF_PAYLOAD_H
#define TESTS_SUPPORT_BPF_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

#define BPF_PAYLOAD_SLOTS 64u /* a power of two */
#define BPF_PAYLOAD_REGISTERS 9u
/* A u32, then registers: as long as the longest of IBS */
#define BPF_PAYLOAD_BYTES (4u + 8u * BPF_PAYLOAD_REGISTERS)

struct bpf_payload {
	int slots_map, counts_map, output_map, program; /* file descriptors */
	const char *step; /* of bpf_payload_open(): the last one, for the message if it failed */
	char log[2048]; /* what the kernel's verifier says of the program */
};

/* What the program did. Overflows are of the trigger. */
struct bpf_payload_counts {
	uint64_t overflows; /* each sends one payload: */
	uint64_t sent;
	uint64_t refused; /* the ring was full, or the output did not run on that CPU */
	uint64_t caps_sum; /* of the first words of what was sent, modulo 2^64 */
	uint64_t
		sums[BPF_PAYLOAD_REGISTERS]; /* of the words behind; counting those not sent as 0 */
};

/* Maps and program. @return 0, or -errno; close in either case */
int bpf_payload_open(struct bpf_payload *bpf);

/*
 * Overflow n sends slot n modulo BPF_PAYLOAD_SLOTS; its second register (IbsOpRip, IbsFetchLinAd)
 * is n then, whatever stands here.
 * @param bytes  28 to BPF_PAYLOAD_BYTES
 */
int bpf_payload_set(struct bpf_payload *bpf, uint32_t slot, const void *payload, size_t bytes);

/* The event of type PERF_COUNT_SW_BPF_OUTPUT. One that is bound to a task will do. */
int bpf_payload_send_to(struct bpf_payload *bpf, int output_fd);

/* Attach the program to the event, which takes no samples itself from then on. */
int bpf_payload_trigger(struct bpf_payload *bpf, int trigger_fd);

int bpf_payload_read(struct bpf_payload *bpf, struct bpf_payload_counts *counts);

void bpf_payload_close(struct bpf_payload *bpf);

#endif
