/* SPDX-License-Identifier: BSD-3-Clause */
/* What Fortran calls, by all the names that compilers make of it. */
#include "precis_test.h"

typedef void callback(int *event_set, int *event_code, int64_t *present, int64_t *values);

#define DECLARE(prefix, set_sampling, drain, get_statistics, field, suffix)                        \
	void prefix##set_sampling##suffix(int *, int *, int *, int64_t *, double *, callback *,    \
					  int *);                                                  \
	void prefix##drain##suffix(int *, int *, int *);                                           \
	void prefix##get_statistics##suffix(int *, int *, int64_t *, int *, int *);                \
	void prefix##field##suffix(const char *, int *, int *, int);
DECLARE(precisf_, set_sampling, drain, get_statistics, field, )
DECLARE(precisf_, set_sampling, drain, get_statistics, field, _)
DECLARE(precisf_, set_sampling, drain, get_statistics, field, __)
DECLARE(PRECISF_, SET_SAMPLING, DRAIN, GET_STATISTICS, FIELD, )

static const struct mangling {
	const char *name;
	void (*set_sampling)(int *, int *, int *, int64_t *, double *, callback *, int *);
	void (*drain)(int *, int *, int *);
	void (*get_statistics)(int *, int *, int64_t *, int *, int *);
	void (*field)(const char *, int *, int *, int);
} manglings[] = {
	{ "plain", precisf_set_sampling, precisf_drain, precisf_get_statistics, precisf_field },
	{ "_", precisf_set_sampling_, precisf_drain_, precisf_get_statistics_, precisf_field_ },
	{ "__", precisf_set_sampling__, precisf_drain__, precisf_get_statistics__,
	  precisf_field__ },
	{ "capitals", PRECISF_SET_SAMPLING, PRECISF_DRAIN, PRECISF_GET_STATISTICS, PRECISF_FIELD },
};

#define WRITES 1000
#define PERIOD 10

static volatile long cell;
static int set_seen, code_seen, addr_number;
static int64_t calls, right;

static void count(int *event_set, int *event_code, int64_t *present, int64_t *values)
{
	int bit = addr_number - 1;

	calls++;
	set_seen = *event_set;
	code_seen = *event_code;
	right += (present[bit / 64] >> bit % 64 & 1) && values[bit] == (int64_t)(intptr_t)&cell;
}

static void check_mangling(const struct mangling *mangling, int set, int code)
{
	int delivery = PRECIS_PAPI_BATCH, check = 1, delivered = -1, most = 14;
	int64_t period = PERIOD, off = 0, statistics[15] = { 0 };
	double no_limit = 0, too_much = 2;
	long long value;

	mangling->field("no_such_field ", &addr_number, &check, 14);
	tap_ok(check == PAPI_EINVAL && !addr_number, "%s: no_such_field", mangling->name);
	mangling->field("addr      ", &addr_number, &check, 10);
	tap_ok(check == PAPI_OK && addr_number == PRECIS_FIELD_ADDR + 1, "%s: field",
	       mangling->name);
	mangling->set_sampling(&set, &code, &delivery, &period, &too_much, count, &check);
	tap_equal(check, PAPI_EINVAL, "%s: max_overhead of 2", mangling->name);
	mangling->set_sampling(&set, &code, &delivery, &period, &no_limit, count, &check);
	tap_call(check, "%s: set_sampling", mangling->name);
	calls = right = 0;
	test_must(PAPI_start(set), "PAPI_start");
	for (int i = 0; i < WRITES; i++)
		cell = i;
	mangling->drain(&set, &delivered, &check);
	tap_call(check, "%s: drain", mangling->name);
	test_must(PAPI_stop(set, &value), "PAPI_stop");
	tap_equal(delivered, WRITES / PERIOD, "%s: samples delivered", mangling->name);
	tap_equal(calls, WRITES / PERIOD, "%s: calls", mangling->name);
	tap_equal(right, WRITES / PERIOD, "%s: calls with the address", mangling->name);
	tap_ok(set_seen == set && code_seen == code, "%s: EventSet and event", mangling->name);
	statistics[14] = -7;
	mangling->get_statistics(&set, &code, statistics, &most, &check);
	tap_ok(check == PAPI_OK && statistics[0] == WRITES / PERIOD && statistics[9] == PERIOD &&
		       statistics[13] > 0 && statistics[14] == -7,
	       "%s: statistics", mangling->name);
	mangling->set_sampling(&set, &code, &delivery, &off, &no_limit, count, &check);
	tap_call(check, "%s: no longer sampled", mangling->name);
	calls = 0;
	test_must(PAPI_start(set), "PAPI_start");
	for (int i = 0; i < WRITES; i++)
		cell = i;
	test_must(PAPI_stop(set, &value), "PAPI_stop");
	tap_ok(!calls && value == WRITES, "%s: only counted", mangling->name);
}

int main(int argc, char **argv)
{
	int set, code;

	test_begin(argc, argv);
	test_init_breakpoints();
	set = test_set_of_breakpoint(&cell, &code);
	for (size_t n = 0; n < sizeof(manglings) / sizeof(manglings[0]); n++)
		check_mangling(&manglings[n], set, code);
	test_destroy(&set);
	return tap_done();
}
