/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of a running code as a perf.data file, by the writer of libprecis: stock perf script
 * and precis read it. The callback runs in a thread of the component, where files may be written.
 *
 * Usage: stream [FILE]
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <precis/error.h>
#include <precis/writer.h>

#include "pick.h"

#define ELEMENTS ((size_t)1 << 20)
#define SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)

static uint64_t written;
static int failed;

static uint64_t value_of(const struct precis_sample *sample, enum precis_field field)
{
	uint64_t value = 0; /* perf.data has no way to say that there is none */

	precis_get(sample, field, &value);
	return value;
}

static void write_sample(const struct precis_sample *sample,
			 const struct precis_papi_arrival *arrival, void *user)
{
	/* the members follow SAMPLE_TYPE, in the order of perf_event_open(2) */
	struct {
		struct perf_event_header header;
		uint64_t ip;
		uint32_t pid, tid;
		uint64_t time, addr;
	} record = {
		{ PERF_RECORD_SAMPLE, (uint16_t)value_of(sample, PRECIS_FIELD_CPUMODE),
		  sizeof(record) },
		value_of(sample, PRECIS_FIELD_IP),
		(uint32_t)value_of(sample, PRECIS_FIELD_PID),
		(uint32_t)value_of(sample, PRECIS_FIELD_TID),
		value_of(sample, PRECIS_FIELD_TIME),
		value_of(sample, PRECIS_FIELD_ADDR),
	};

	(void)arrival;
	failed |= precis_writer_record(user, &record, sizeof(record));
	written++;
}

/* The name that perf shows for the process */
static int write_comm(struct precis_writer *writer)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[16];
	} record = { { PERF_RECORD_COMM, 0, sizeof(record) }, (uint32_t)getpid(),
		     (uint32_t)getpid(), "stream" };

	return precis_writer_record(writer, &record, sizeof(record));
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "perf.data";
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE, /* perf shows its name only */
					.config = PERF_COUNT_SW_DUMMY,
					.sample_type = SAMPLE_TYPE };
	struct precis_papi_sampling sampling = { .size = sizeof(sampling),
						 .delivery = PRECIS_PAPI_THREAD,
						 .callback = write_sample };
	struct precis_papi_statistics statistics = { .size = sizeof(statistics) };
	struct precis_writer *writer;
	struct choice choice;
	int set, code;
	volatile double *array; /* compilers would leave out what nobody reads */

	start_papi();
	choice = pick_event(&set, &code, 1);
	attr.sample_period = choice.period;
	if (precis_writer_open(path, &writer) ||
	    precis_writer_event(writer, &attr, sizeof(attr), NULL, 0, choice.event) ||
	    write_comm(writer)) {
		fprintf(stderr, "%s cannot be written\n", path);
		return 1;
	}
	sampling.user = writer;
	sampling.period = choice.period;
	must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");

	must(PAPI_start(set), "PAPI_start");
	array = malloc(ELEMENTS * sizeof(*array));
	for (size_t i = 0; array && i < ELEMENTS; i++)
		array[i] = (double)i;
	must(PAPI_stop(set, NULL), "PAPI_stop"); /* no callback runs after it */

	must(precis_papi_get_statistics(set, code, &statistics), "precis_papi_get_statistics");
	failed |= precis_writer_close(writer);
	printf("event %s\nsamples %" PRIu64 ", lost %" PRIu64 "\nwritten %" PRIu64 " to %s\n",
	       choice.event, statistics.samples, statistics.lost + statistics.lost_pmu, written, path);
	return failed || !array;
}
