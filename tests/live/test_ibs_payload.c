/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * IBS payloads through the kernel: what a BPF program sends arrives, in order, register by
 * register, and the decoder makes of it what the IBS decoder makes of the registers.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <precis/cpu.h>
#include <precis/error.h>
#include <precis/ibs.h>
#include <precis/kernel_records.h>

#include "tests/property/random.h"
#include "tests/support/bpf_payload.h"
#include "tests/support/live_event.h"
#include "tests/support/tap.h"

#define CAPS_ZEN4 0xbffu
#define CAPS_ZEN5 0x81bffu

enum {
	OUTPUT_PARTS = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
		       PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW
};

static struct live_event output, trigger;
static struct bpf_payload bpf;
static struct precis_ibs_op ops[BPF_PAYLOAD_SLOTS];
static struct precis_ibs_fetch fetches[BPF_PAYLOAD_SLOTS];
static struct precis_ibs_context context, direct_context;
static volatile uint64_t watched;
static unsigned int failures_before; /* the case that runs */
enum { ENOUGH_FAILURES = 20 };

static void use_cpu(const char *cpuid)
{
	struct precis_cpu cpu = { .size = sizeof(cpu) };

	CU_ASSERT_EQUAL_FATAL(precis_cpu_parse(cpuid, &cpu), 0);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&context, &cpu), 0);
	CU_ASSERT_EQUAL_FATAL(precis_ibs_context_init(&direct_context, &cpu), 0);
}

/* Random registers in each slot, the corners among them */
static void set_payloads(uint32_t kind, uint32_t caps)
{
	uint64_t state = random_seed("live payloads");
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];

	for (uint32_t slot = 0; slot < BPF_PAYLOAD_SLOTS; slot++) {
		int bytes;

		random_op(&state, caps, &ops[slot]);
		random_fetch(&state, caps, &fetches[slot]);
		bytes = kind == PRECIS_EVENT_IBS_OP
				? precis_ibs_op_encode(&ops[slot], payload)
				: precis_ibs_fetch_encode(&fetches[slot], 0, payload);
		CU_ASSERT_FATAL(bytes > 0);
		CU_ASSERT_EQUAL_FATAL(bpf_payload_set(&bpf, slot, payload, (size_t)bytes), 0);
	}
}

static void close_all(void)
{
	live_close(&trigger);
	live_close(&output);
	bpf_payload_close(&bpf);
}

/* @return 1 if something is not there; then the case is skipped, or has failed */
static int cannot(int error, const char *what)
{
	const char *reason = error ? live_why_not(error) : NULL;

	if (!error)
		return 0;
	printf("# %s: %s\n", what, strerror(-error));
	if (reason)
		tap_skip(reason);
	else
		CU_FAIL("what the kernel has could not be set up");
	if (*bpf.log)
		printf("# %s\n", bpf.log);
	close_all();
	return 1;
}

/* Program, output with a ring of so many pages, and trigger. @return 0 if the case has ended */
static int open_all(uint32_t kind, uint32_t caps, const struct perf_event_attr *trigger_attr,
		    size_t pages)
{
	struct perf_event_attr attr =
		live_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT, 1, OUTPUT_PARTS);
	int error;

	failures_before = CU_get_number_of_failure_records();
	attr.disabled = 0;
	trigger.fd = output.fd = -1;
	trigger.mapping = output.mapping = NULL;
	error = bpf_payload_open(&bpf);
	if (cannot(error, bpf.step) ||
	    cannot(live_open(&output, &attr, pages), "perf_event_open, bpf-output") ||
	    cannot(live_open(&trigger, trigger_attr, 0), "perf_event_open, trigger"))
		return 0;
	set_payloads(kind, caps);
	output.decoder.kind = kind;
	output.decoder.index = 3;
	output.decoder.ibs = &context;
	if (cannot(bpf_payload_send_to(&bpf, output.fd), "the output in BPF's array") ||
	    cannot(bpf_payload_trigger(&bpf, trigger.fd), "PERF_EVENT_IOC_SET_BPF"))
		return 0;
	return 1;
}

static struct bpf_payload_counts read_counts(void)
{
	struct bpf_payload_counts counts;

	memset(&counts, 0, sizeof(counts));
	CU_ASSERT_EQUAL_FATAL(bpf_payload_read(&bpf, &counts), 0);
	return counts;
}

static void add_word(uint64_t *sum, const uint8_t *payload, size_t bytes, size_t at)
{
	uint64_t word = 0;

	if (at + 8 <= bytes)
		memcpy(&word, payload + at, sizeof(word));
	*sum += word;
}

/* What has arrived, added up as the program does */
static void add_raw(struct bpf_payload_counts *arrived, const struct precis_perf_sample *perf)
{
	uint32_t caps = 0;

	CU_ASSERT_FATAL(perf->raw.bytes >= sizeof(caps));
	memcpy(&caps, perf->raw.data, sizeof(caps));
	arrived->sent++;
	arrived->caps_sum += caps;
	for (uint32_t n = 0; n < BPF_PAYLOAD_REGISTERS; n++)
		add_word(&arrived->sums[n], perf->raw.data, perf->raw.bytes, 4 + 8 * n);
}

/* The fields of word 0 that do not come from the registers */
static uint64_t generic_fields(void)
{
	uint64_t fields[PRECIS_FIELD_WORDS] = { 0 };

	precis_fields_add(fields, PRECIS_FIELD_EVENT);
	precis_fields_add(fields, PRECIS_FIELD_CPU);
	precis_fields_add(fields, PRECIS_FIELD_PID);
	precis_fields_add(fields, PRECIS_FIELD_TID);
	precis_fields_add(fields, PRECIS_FIELD_TIME);
	precis_fields_add(fields, PRECIS_FIELD_PERIOD);
	precis_fields_add(fields, PRECIS_FIELD_IP_EXACT);
	precis_fields_add(fields, PRECIS_FIELD_CPUMODE);
	return fields[0];
}

/* The same registers by the IBS decoder alone; payload n of all */
static int decode_directly(uint64_t n, struct precis_sample *direct)
{
	precis_sample_init(direct);
	if (output.decoder.kind == PRECIS_EVENT_IBS_OP) {
		struct precis_ibs_op op = ops[n % BPF_PAYLOAD_SLOTS];

		op.op_rip = n;
		return precis_ibs_op_decode(&direct_context, &op, NULL, direct);
	} else {
		struct precis_ibs_fetch fetch = fetches[n % BPF_PAYLOAD_SLOTS];

		fetch.fetch_lin_ad = n;
		return precis_ibs_fetch_decode(&direct_context, &fetch, NULL, direct);
	}
}

static void check_sample(const struct precis_sample *sample, uint64_t n)
{
	struct precis_sample direct;
	uint64_t generic = generic_fields();

	CU_ASSERT_EQUAL_FATAL(decode_directly(n, &direct), 0);
	CU_ASSERT_EQUAL(sample->payload_error, 0);
	CU_ASSERT_EQUAL(sample->source, direct.source);
	CU_ASSERT_EQUAL(sample->present[0] & ~generic, direct.present[0] & ~generic);
	for (uint32_t field = 0; field < 64; field++) {
		if (!(generic >> field & 1) && sample->value[field] != direct.value[field]) {
			printf("# payload %llu, %s: %llx, directly %llx\n", (unsigned long long)n,
			       precis_field_name(field), (unsigned long long)sample->value[field],
			       (unsigned long long)direct.value[field]);
			CU_FAIL("a field that the IBS decoder makes otherwise");
		}
	}
	if (output.decoder.kind == PRECIS_EVENT_IBS_OP) {
		CU_ASSERT_EQUAL(sample->registers.ibs_op.op_rip, n);
		CU_ASSERT_FALSE(memcmp(&sample->registers.ibs_op, &direct.registers.ibs_op,
				       sizeof(direct.registers.ibs_op)));
	} else {
		CU_ASSERT_EQUAL(sample->registers.ibs_fetch.fetch_lin_ad, n);
		CU_ASSERT_FALSE(memcmp(&sample->registers.ibs_fetch, &direct.registers.ibs_fetch,
				       sizeof(direct.registers.ibs_fetch)));
	}
}

static void check_generic(const struct precis_sample *sample, const struct precis_perf_sample *perf)
{
	uint64_t value = 0;

	CU_ASSERT_TRUE(precis_get_event(sample, &value));
	CU_ASSERT_EQUAL(value, 3);
	CU_ASSERT_TRUE(precis_get_pid(sample, &value));
	CU_ASSERT_EQUAL(value, (uint64_t)getpid());
	CU_ASSERT_TRUE(precis_get_time(sample, &value));
	CU_ASSERT_EQUAL(value, perf->time);
	CU_ASSERT_TRUE(precis_get_cpu(sample, &value));
	CU_ASSERT_EQUAL(value, perf->cpu);
	CU_ASSERT_TRUE(precis_get_period(sample, &value));
	CU_ASSERT_EQUAL(value, perf->period);
}

/* Both ways of the decoder, with the parts and without, come to the same. */
static void check_record(const struct precis_record *record, uint64_t n,
			 struct bpf_payload_counts *arrived)
{
	static struct precis_sample sample, shortly;
	struct precis_perf_sample perf = { .size = sizeof(perf) };

	if (CU_get_number_of_failure_records() - failures_before > ENOUGH_FAILURES)
		return;
	if (!n) { /* from then on they are used again */
		precis_sample_init(&sample);
		precis_sample_init(&shortly);
	}
	CU_ASSERT_EQUAL_FATAL(precis_decoder_sample(&output.decoder, record, NULL, &perf, &sample),
			      0);
	add_raw(arrived, &perf);
	check_sample(&sample, n);
	check_generic(&sample, &perf);
	CU_ASSERT_EQUAL(precis_decoder_sample(&output.decoder, record, NULL, NULL, &shortly), 0);
	check_sample(&shortly, n);
	check_generic(&shortly, &perf);
}

/* All that waits in the ring. @return the samples that LOST records speak of */
static uint64_t drain(struct bpf_payload_counts *arrived)
{
	struct precis_record record;
	uint64_t lost_samples = 0;
	int code;

	precis_ring_look(&output.ring);
	while ((code = precis_ring_next(&output.ring, &record)) == 1) {
		struct precis_lost lost = { .size = sizeof(lost) };

		if (record.type == PRECIS_RECORD_SAMPLE) {
			check_record(&record, arrived->sent + lost_samples, arrived);
		} else if (record.type == PRECIS_RECORD_LOST) {
			CU_ASSERT_EQUAL(precis_lost_parse(&record, &lost), 0);
			lost_samples += lost.lost;
		}
	}
	CU_ASSERT_EQUAL(code, 0);
	precis_ring_release(&output.ring);
	return lost_samples;
}

static void check_counts(const struct bpf_payload_counts *arrived)
{
	struct bpf_payload_counts sent = read_counts();

	printf("# %llu overflows, %llu payloads sent, %llu refused\n",
	       (unsigned long long)sent.overflows, (unsigned long long)sent.sent,
	       (unsigned long long)sent.refused);
	CU_ASSERT_TRUE(sent.sent > 0);
	CU_ASSERT_EQUAL(sent.overflows, sent.sent + sent.refused);
	CU_ASSERT_EQUAL(arrived->sent, sent.sent);
	CU_ASSERT_EQUAL(arrived->caps_sum, sent.caps_sum);
	CU_ASSERT_FALSE(memcmp(arrived->sums, sent.sums, sizeof(sent.sums)));
	CU_ASSERT_EQUAL(output.ring.unreadable_bytes, 0);
}

static void count_stores(uint32_t count)
{
	CU_ASSERT_EQUAL_FATAL(ioctl(trigger.fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	for (uint32_t i = 0; i < count; i++)
		watched = i;
	CU_ASSERT_EQUAL_FATAL(ioctl(trigger.fd, PERF_EVENT_IOC_DISABLE, 0), 0);
}

/* A store, a payload: exactly, through a ring that comes round many times */
static void at_stores(const char *cpuid, uint32_t kind, uint32_t caps)
{
	struct perf_event_attr attr = live_store_attr(&watched, PERF_SAMPLE_IP);
	struct bpf_payload_counts arrived;
	uint64_t stores = 0;

	memset(&arrived, 0, sizeof(arrived));
	use_cpu(cpuid);
	if (!open_all(kind, caps, &attr, 1))
		return;
	for (uint32_t round = 0; round < 200; round++) {
		count_stores(1 + round % 17);
		stores += 1 + round % 17;
		CU_ASSERT_EQUAL(drain(&arrived), 0);
	}
	check_counts(&arrived);
	CU_ASSERT_EQUAL(read_counts().refused, 0);
	CU_ASSERT_EQUAL(read_counts().sent, stores);
	close_all();
}

static void ops_of_zen4(void)
{
	at_stores("AuthenticAMD,25,17,1", PRECIS_EVENT_IBS_OP, CAPS_ZEN4);
}

static void ops_of_zen5(void)
{
	at_stores("AuthenticAMD,26,2,1", PRECIS_EVENT_IBS_OP, CAPS_ZEN5);
}

static void fetches_of_zen4(void)
{
	at_stores("AuthenticAMD,25,17,1", PRECIS_EVENT_IBS_FETCH, CAPS_ZEN4);
}

/* A full ring: what was refused is what LOST tells, and the count goes on behind it. */
static void full_ring(void)
{
	struct perf_event_attr attr = live_store_attr(&watched, PERF_SAMPLE_IP);
	struct bpf_payload_counts arrived;
	uint64_t lost;

	memset(&arrived, 0, sizeof(arrived));
	use_cpu("AuthenticAMD,25,17,1");
	if (!open_all(PRECIS_EVENT_IBS_OP, CAPS_ZEN4, &attr, 1))
		return;
	count_stores(500);
	CU_ASSERT_EQUAL(drain(&arrived), 0);
	CU_ASSERT_TRUE(arrived.sent < 500);
	count_stores(1);
	memset(&arrived, 0, sizeof(arrived));
	arrived.sent = read_counts().sent - 1;
	lost = drain(&arrived);
	CU_ASSERT_EQUAL(lost, read_counts().refused);
	CU_ASSERT_EQUAL(arrived.sent + lost, 501);
	CU_ASSERT_EQUAL(arrived.sent, read_counts().sent);
	close_all();
}

/* The clock's interrupt comes wherever it likes. */
static void at_clock(void)
{
	struct perf_event_attr attr =
		live_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 250000, PERF_SAMPLE_IP);
	struct bpf_payload_counts arrived;

	memset(&arrived, 0, sizeof(arrived));
	use_cpu("AuthenticAMD,25,17,1");
	if (!open_all(PRECIS_EVENT_IBS_OP, CAPS_ZEN4, &attr, 8))
		return;
	CU_ASSERT_EQUAL_FATAL(ioctl(trigger.fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	/* a clock that does not run must not make this endless */
	for (uint32_t round = 0; read_counts().overflows < 300 && round < 300000; round++) {
		for (uint32_t i = 0; i < 100000; i++)
			watched = i;
		CU_ASSERT_EQUAL(drain(&arrived), 0);
	}
	CU_ASSERT_EQUAL_FATAL(ioctl(trigger.fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	CU_ASSERT_EQUAL(drain(&arrived), 0);
	check_counts(&arrived);
	close_all();
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each store sends an op of Zen 4", ops_of_zen4 },
		{ "each store sends an op of Zen 5", ops_of_zen5 },
		{ "each store sends a fetch of Zen 4", fetches_of_zen4 },
		{ "a full ring", full_ring },
		{ "the CPU clock sends ops", at_clock },
	};

	return tap_main("live_ibs_payload", cases, sizeof(cases) / sizeof(cases[0]));
}
