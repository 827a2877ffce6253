/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts of the scheduler. Which values a record has, and in what order,
 * follows the version of /proc/schedstat that it was made from.
 * Source: tools/lib/perf/include/perf/schedstat-v{15,16,17}.h of Linux 7.0.
 */
#include <precis/tool_records.h>

#include "libdecode/sample/abi.h"
#include "record_body.h"

#define CPU_PADDING 2u

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* The first are u32s, the others u64s: as all versions have them */
#define CPU_SHORT_VALUES 6u
static const char *const cpu_values[] = {
	"yld_count",  "array_exp",   "sched_count", "sched_goidle", "ttwu_count",
	"ttwu_local", "rq_cpu_time", "run_delay",   "pcount",
};

/* Values of load balancing on a CPU that is busy, idle, or newly idle; all of a domain are u32s */
#define BALANCE(state)                                                                             \
	state "_lb_count", state "_lb_balanced", state "_lb_failed", state "_lb_imbalance",        \
		state "_lb_gained", state "_lb_hot_gained", state "_lb_nobusyq",                   \
		state "_lb_nobusyg"
#define BALANCE_17(state)                                                                          \
	state "_lb_count", state "_lb_balanced", state "_lb_failed", state "_lb_imbalance_load",   \
		state "_lb_imbalance_util", state "_lb_imbalance_task",                            \
		state "_lb_imbalance_misfit", state "_lb_gained", state "_lb_hot_gained",          \
		state "_lb_nobusyq", state "_lb_nobusyg"
#define OTHERS                                                                                     \
	"alb_count", "alb_failed", "alb_pushed", "sbe_count", "sbe_balanced", "sbe_pushed",        \
		"sbf_count", "sbf_balanced", "sbf_pushed", "ttwu_wake_remote", "ttwu_move_affine", \
		"ttwu_move_balance"

static const char *const domain_values_15[] = { BALANCE("idle"), BALANCE("busy"),
						BALANCE("newidle"), OTHERS };
static const char *const domain_values_16[] = { BALANCE("busy"), BALANCE("idle"),
						BALANCE("newidle"), OTHERS };
static const char *const domain_values_17[] = { BALANCE_17("busy"), BALANCE_17("idle"),
						BALANCE_17("newidle"), OTHERS };

static const struct version {
	uint16_t version;
	uint16_t count;
	const char *const *domain_values;
} versions[] = {
	{ 15, COUNT(domain_values_15), domain_values_15 },
	{ 16, COUNT(domain_values_16), domain_values_16 },
	{ 17, COUNT(domain_values_17), domain_values_17 },
};

static const struct version *find_version(uint16_t number)
{
	for (size_t i = 0; i < COUNT(versions); i++) {
		if (versions[i].version == number)
			return &versions[i];
	}
	return NULL;
}

/* Where value n begins; for n values, their size */
static size_t value_offset(const struct precis_schedstat *schedstat, uint32_t n)
{
	uint32_t words = n;

	if (!schedstat->is_domain && n > CPU_SHORT_VALUES)
		words += n - CPU_SHORT_VALUES;
	return words * sizeof(uint32_t);
}

int precis_schedstat_parse(const struct precis_record *record, struct precis_schedstat *schedstat)
{
	struct cursor body;
	const uint8_t *padding;
	const struct version *version;
	int error = record_open_either(record, PRECIS_RECORD_SCHEDSTAT_CPU,
				       PRECIS_RECORD_SCHEDSTAT_DOMAIN, &body);

	ABI_OUT(struct precis_schedstat, schedstat, precis_schedstat_parse(record, &abi));
	if (error)
		return error;
	schedstat->is_domain = record->type == PRECIS_RECORD_SCHEDSTAT_DOMAIN;
	if (!cursor_u64(&body, &schedstat->timestamp) || !cursor_u32(&body, &schedstat->cpu) ||
	    !cursor_u16(&body, &schedstat->version))
		return PRECIS_E_TRUNCATED;
	if (schedstat->is_domain ? !cursor_u16(&body, &schedstat->domain)
				 : !cursor_array(&body, CPU_PADDING, 1, &padding))
		return PRECIS_E_TRUNCATED;
	version = find_version(schedstat->version);
	schedstat->count = 0;
	if (!version) {
		cursor_rest(&body, &schedstat->values);
		return 0;
	}
	schedstat->count = schedstat->is_domain ? version->count : COUNT(cpu_values);
	if (!cursor_view(&body, value_offset(schedstat, schedstat->count), 1, &schedstat->values))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_schedstat_value(const struct precis_schedstat *schedstat, uint32_t n, const char **name,
			   uint64_t *value)
{
	const struct version *version;
	const uint8_t *at;

	ABI_IN(struct precis_schedstat, schedstat, precis_schedstat_value(&abi, n, name, value));
	if (!name || !value || n >= schedstat->count)
		return PRECIS_E_ARGUMENT;
	version = find_version(schedstat->version);
	if (!version)
		return PRECIS_E_ARGUMENT;
	at = schedstat->values.data + value_offset(schedstat, n);
	*name = schedstat->is_domain ? version->domain_values[n] : cpu_values[n];
	*value = schedstat->is_domain || n < CPU_SHORT_VALUES ? load_u32(at) : load_u64(at);
	return 0;
}
