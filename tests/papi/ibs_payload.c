/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * IBS samples through PAPI: payloads that a BPF program sends into the component's ring arrive in
 * the callback register by register, in every delivery mode; what the ring refused is counted.
 * TAP on standard output.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <precis/ibs.h>
#include <precis/papi.h>

#include "tests/papi/fake_ibs.h"

#define CAPS_ZEN4 0xbffu
#define STORES 5000u
#define STORES_TOO_MANY 3000u /* for a ring of 4 KiB */
#define PERIOD 4096u

static struct bpf_payload bpf;
static volatile uint64_t cell __attribute__((aligned(8)));
static int trigger_fd, cases;

static struct bpf_payload_counts arrived;
static uint64_t wrong, lost_before;

static int report(int good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++cases, what);
	return good;
}

static void skip_all(const char *what, int error)
{
	printf("1..0 # SKIP %s: %s\n", what, strerror(error));
	exit(0);
}

/* Added up as the program does, from the registers that the sample keeps */
static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	int bytes = precis_ibs_op_encode(&sample->registers.ibs_op, payload);
	uint64_t rip = sample->registers.ibs_op.op_rip, word;
	uint32_t caps;

	(void)user;
	lost_before += arrival->lost_before;
	if (sample->source != PRECIS_SOURCE_IBS_OP || sample->payload_error || bytes < 4 ||
	    arrival->period != PERIOD || rip < arrived.sent) {
		wrong++;
		return;
	}
	memcpy(&caps, payload, sizeof(caps));
	arrived.sent++;
	arrived.caps_sum += caps;
	for (uint32_t n = 0; n < BPF_PAYLOAD_REGISTERS; n++) {
		word = 0;
		if (4 + 8 * n + 8 <= (uint32_t)bytes)
			memcpy(&word, payload + 4 + 8 * n, sizeof(word));
		arrived.sums[n] += word;
	}
}

/* Each register of each slot different */
static void set_payloads(void)
{
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];

	for (uint32_t slot = 0; slot < BPF_PAYLOAD_SLOTS; slot++) {
		struct precis_ibs_op op = { .size = sizeof(op), .caps = CAPS_ZEN4 };
		uint64_t word = UINT64_C(0x9e3779b97f4a7c15) * (slot + 1);
		int bytes;

		op.op_ctl = (UINT64_C(3) << 17) | (PERIOD >> 4);
		op.op_data = word >> 5;
		op.op_data2 = slot & 7;
		op.op_data3 = word ^ slot;
		op.dc_lin_ad = 0x7f0000000000 + 64 * slot;
		op.dc_phys_ad = 0x100000000 + 64 * slot;
		op.br_target = word >> 16;
		bytes = precis_ibs_op_encode(&op, payload);
		if (bytes < 0 || bpf_payload_set(&bpf, slot, payload, (size_t)bytes))
			skip_all("payloads", EINVAL);
	}
}

static void open_trigger(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_BREAKPOINT,
		.sample_period = 1,
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&cell,
		.bp_len = HW_BREAKPOINT_LEN_8,
		.disabled = 1,
		.exclude_kernel = 1,
	};
	int error;

	trigger_fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (trigger_fd < 0)
		skip_all("perf_event_open of a breakpoint", errno);
	error = bpf_payload_trigger(&bpf, trigger_fd);
	if (error)
		skip_all("PERF_EVENT_IOC_SET_BPF", -error);
}

static void store(uint32_t count)
{
	ioctl(trigger_fd, PERF_EVENT_IOC_ENABLE, 0);
	for (uint32_t n = 0; n < count; n++)
		cell = n;
	ioctl(trigger_fd, PERF_EVENT_IOC_DISABLE, 0);
}

/* What the program did since 'before' */
static struct bpf_payload_counts since(const struct bpf_payload_counts *before)
{
	struct bpf_payload_counts now;

	memset(&now, 0, sizeof(now));
	bpf_payload_read(&bpf, &now);
	now.overflows -= before->overflows;
	now.sent -= before->sent;
	now.refused -= before->refused;
	now.caps_sum -= before->caps_sum;
	for (uint32_t n = 0; n < BPF_PAYLOAD_REGISTERS; n++)
		now.sums[n] -= before->sums[n];
	return now;
}

/* A started EventSet of one event; or PAPI_NULL, and that is reported */
static int start(const char *what, const struct precis_papi_sampling *sampling, int *code)
{
	int event_set = PAPI_NULL;
	int error = PAPI_event_name_to_code("precis:::IBS_OP_UOPS", code);

	if (!error)
		error = PAPI_create_eventset(&event_set);
	if (!error)
		error = PAPI_add_event(event_set, *code);
	if (!error)
		error = precis_papi_set_sampling(event_set, *code, sampling);
	if (!error)
		error = PAPI_start(event_set);
	if (!error)
		return event_set;
	printf("# %s\n", precis_papi_strerror(error));
	report(0, what);
	return PAPI_NULL;
}

static void run(const char *what, uint32_t delivery, uint64_t ring_bytes, uint32_t stores)
{
	const struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = delivery,
		.period = PERIOD,
		.watermark_samples = delivery == PRECIS_PAPI_WATERMARK ? 32 : 0,
		.ring_bytes = ring_bytes,
		.callback = on_sample,
	};
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };
	struct bpf_payload_counts zero, before, sent;
	int event_set, code;
	char text[160];

	memset(&zero, 0, sizeof(zero));
	memset(&arrived, 0, sizeof(arrived));
	wrong = lost_before = 0;
	event_set = start(what, &sampling, &code);
	if (event_set == PAPI_NULL)
		return;
	before = since(&zero);
	store(stores);
	PAPI_stop(event_set, NULL);
	sent = since(&before);
	precis_papi_get_statistics(event_set, code, &statistics);
	printf("# %s: %" PRIu64 " sent, %" PRIu64 " refused; %" PRIu64 " arrived, %" PRIu64
	       " lost, %" PRIu64 " wakeups, %" PRIu64 " wrong, %.0f ns a sample in the component\n",
	       what, sent.sent, sent.refused, arrived.sent, statistics.lost, statistics.wakeups,
	       wrong, arrived.sent ? (double)statistics.component_ns / (double)arrived.sent : 0.0);
	snprintf(text, sizeof(text), "%s: every payload arrives or is counted as lost", what);
	report(!wrong && sent.overflows == stores && arrived.sent == sent.sent &&
		       statistics.samples == sent.sent && statistics.lost == sent.refused,
	       text);
	snprintf(text, sizeof(text), "%s: the sum of each register is what was sent", what);
	report(arrived.caps_sum == sent.caps_sum &&
		       !memcmp(arrived.sums, sent.sums, sizeof(sent.sums)),
	       text);
	PAPI_cleanup_eventset(event_set);
	PAPI_destroy_eventset(&event_set);
}

/* ---- payloads that are cut off ---- */

#define CUT_EACH 4u /* slots: one of so many */
#define CUT_BYTES 28u /* the capability word and three registers */

static uint64_t cut, whole;

/* What is there stays, what is not has no value. */
static void on_cut(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		   void *user)
{
	uint64_t value;

	(void)arrival;
	(void)user;
	if (sample->payload_error) {
		cut++;
		wrong += !precis_get_ip(sample, &value) || precis_get_mem_level(sample, &value);
	} else {
		whole++;
	}
}

static void run_cut(void)
{
	const struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.period = PERIOD,
		.ring_bytes = 1 << 20,
		.callback = on_cut,
	};
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };
	uint8_t payload[CUT_BYTES] = { CAPS_ZEN4 & 0xff, CAPS_ZEN4 >> 8 };
	int event_set, code;

	for (uint32_t slot = 0; slot < BPF_PAYLOAD_SLOTS; slot += CUT_EACH) {
		if (bpf_payload_set(&bpf, slot, payload, sizeof(payload)))
			skip_all("payloads", EINVAL);
	}
	wrong = cut = whole = 0;
	event_set = start("payloads cut off", &sampling, &code);
	if (event_set == PAPI_NULL)
		return;
	store(STORES);
	PAPI_stop(event_set, NULL);
	precis_papi_get_statistics(event_set, code, &statistics);
	printf("# %" PRIu64 " cut off, %" PRIu64 " whole, %" PRIu64 " wrong\n", cut, whole, wrong);
	report(cut == STORES / CUT_EACH && cut + whole == STORES && statistics.truncated == cut,
	       "payloads cut off: delivered, and counted as truncated");
	report(!wrong, "payloads cut off: the instruction has an address, the data no source");
	PAPI_cleanup_eventset(event_set);
	PAPI_destroy_eventset(&event_set);
}

int main(void)
{
	int error = bpf_payload_open(&bpf);

	if (error)
		skip_all(bpf.step, -error);
	set_payloads();
	open_trigger();
	error = fake_ibs_begin(&bpf);
	if (error)
		skip_all("a sysfs tree", -error);
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
		report(0, "PAPI_library_init");
	} else {
		run("batch", PRECIS_PAPI_BATCH, 1 << 20, STORES);
		run("watermark", PRECIS_PAPI_WATERMARK, 1 << 16, STORES);
		run("thread", PRECIS_PAPI_THREAD, 1 << 20, STORES);
		run("sample", PRECIS_PAPI_SAMPLE, 1 << 16, STORES);
		run("batch, a ring too small", PRECIS_PAPI_BATCH, 4096, STORES_TOO_MANY);
		run_cut();
		PAPI_shutdown();
	}
	fake_ibs_end();
	bpf_payload_close(&bpf);
	printf("1..%d\n", cases);
	return 0;
}
