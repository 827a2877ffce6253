/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Precise events of libpfm4 in the list of events, and names without colons for some of them.
 * libpfm4 is told to take this CPU for others: what it then says is real, only that no such event
 * can be opened here.
 */

#include "precis_test.h"

/* What a name without colons is on a CPU, in its description; NULL: nothing that is precise */
static const struct {
	const char *pmu, *alias, *is;
} expected[] = {
	{ "nhm", "INST_RETIRED_PREC", ": INST_RETIRED:ANY_P" },
	{ "nhm", "MEM_LOADS_RETIRED", ": MEM_INST_RETIRED:LOADS" },
	{ "nhm", "MEM_LOAD_RETIRED_L1_MISS", NULL },
	{ "snb", "INST_RETIRED_PREC", ": INST_RETIRED:PREC_DIST" },
	{ "snb", "MEM_LOADS_RETIRED", ": MEM_UOPS_RETIRED:ALL_LOADS" },
	{ "hsw", "MEM_LOAD_RETIRED_L3_MISS", ": MEM_LOAD_UOPS_RETIRED:L3_MISS" },
	{ "skl", "INST_RETIRED_PREC", ": INST_RETIRED:PREC_DIST" },
	{ "skl", "MEM_LOAD_RETIRED_L3_MISS", ": MEM_LOAD_RETIRED:L3_MISS" },
	{ "skl", "STLB_MISS_LOADS_RETIRED", ": MEM_INST_RETIRED:STLB_MISS_LOADS" },
	{ "icl", "MEM_STORES_RETIRED", ": MEM_INST_RETIRED:ALL_STORES" },
	{ "spr", "MEM_LOAD_L3_HIT_RETIRED_XSNP_HITM", ": MEM_LOAD_L3_HIT_RETIRED:XSNP_FWD" },
	/* libpfm4's Knights Landing counts loads, but not precisely */
	{ "knl", "MEM_LOADS_RETIRED", NULL },
};

static int info_of(const char *name, PAPI_event_info_t *info)
{
	char full[PAPI_MAX_STR_LEN];
	int code = PAPI_NULL, error;

	snprintf(full, sizeof(full), "precis:::%s", name);
	error = PAPI_event_name_to_code(full, &code);
	return error ? error : PAPI_get_event_info(code, info);
}

static void check_alias(const char *pmu, const char *alias, const char *is)
{
	PAPI_event_info_t info;

	if (!tap_call(info_of(alias, &info), "%s: %s is an event", pmu, alias))
		return;
	info.long_descr[strcspn(info.long_descr, "(")] = 0; /* why it is not here in any case */
	if (!tap_ok(is ? strstr(info.long_descr, is) != NULL : !strchr(info.long_descr, ':'),
		    "%s: %s%s", pmu, alias, is ? is : " is none"))
		printf("# %s\n", info.long_descr);
}

/* PAPI gives an event another code each time: what it says of it must be the same. */
static int is_found(const PAPI_event_info_t *info)
{
	PAPI_event_info_t again;
	int code = PAPI_NULL;

	return !PAPI_event_name_to_code(info->symbol, &code) &&
	       !PAPI_get_event_info(code, &again) && !strcmp(again.symbol, info->symbol) &&
	       !strcmp(again.long_descr, info->long_descr);
}

/* Each name of the list is found again. */
static void check_list(const char *pmu)
{
	int component = PAPI_get_component_index("precis"), code = PAPI_NATIVE_MASK, mask;
	int events = 0, masks = 0, others = 0, is_there = 0;
	PAPI_event_info_t info;
	int error = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component);

	while (!error) {
		events++;
		test_must(PAPI_get_event_info(code, &info), "PAPI_get_event_info");
		others += !is_found(&info);
		mask = code;
		while (!PAPI_enum_cmp_event(&mask, PAPI_NTV_ENUM_UMASKS, component)) {
			test_must(PAPI_get_event_info(mask, &info), "PAPI_get_event_info");
			if (strchr(info.symbol, '='))
				continue; /* a qualifier of the component's own, which wants a value */
			masks++;
			is_there |= !strcmp(info.symbol, "precis:::MEM_LOAD_RETIRED:L3_MISS");
			others += !is_found(&info);
		}
		error = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component);
	}
	tap_equal(others, 0, "%s: %d events and %d masks are found by their names", pmu, events,
		  masks);
	tap_equal(events, PAPI_get_component_info(component)->num_native_events,
		  "%s: the component says how many events there are", pmu);
	tap_equal(is_there, strcmp(pmu, "snb") != 0,
		  "%s: MEM_LOAD_RETIRED:L3_MISS is %sin the list", pmu,
		  strcmp(pmu, "snb") ? "" : "not ");
}

static void check_adding(const char *pmu)
{
	int set = PAPI_NULL, error;

	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	error = PAPI_add_named_event(set, "precis:::MEM_LOAD_RETIRED:L3_MISS");
	if (!error) {
		tap_skip("it can: the CPU has one", "%s: an event of another CPU cannot be added",
			 pmu);
		return;
	}
	tap_equal(error, PAPI_ENOSUPP, "%s: an event of another CPU cannot be added", pmu);
	tap_ok(strstr(precis_papi_strerror(error), "MEM_LOAD_RETIRED:L3_MISS: ") != NULL,
	       "%s: it is told why: %s", pmu, precis_papi_strerror(error));
}

/* In a process of its own: libpfm4 looks at the variable once. @return its exit status */
static int on(const char *pmu)
{
	tap_count = tap_failed = tap_skipped = 0;
	setenv("LIBPFM_FORCE_PMU", pmu, 1);
	test_init();
	for (size_t n = 0; n < sizeof(expected) / sizeof(expected[0]); n++) {
		if (!strcmp(expected[n].pmu, pmu))
			check_alias(pmu, expected[n].alias, expected[n].is);
	}
	if (!strcmp(pmu, "skl") || !strcmp(pmu, "snb"))
		check_list(pmu);
	if (!strcmp(pmu, "skl"))
		check_adding(pmu);
	fflush(stdout);
	return tap_done();
}

/* The child's lines are shown as remarks. @return what waitpid(2) says of it */
static int in_child(const char *pmu)
{
	int status = -1, ends[2];
	char line[512];
	pid_t child;
	FILE *lines;

	if (pipe(ends))
		return -1;
	fflush(stdout);
	child = fork();
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		_exit(on(pmu));
	}
	close(ends[1]);
	lines = fdopen(ends[0], "r");
	while (lines && fgets(line, sizeof(line), lines))
		printf("# %s", line);
	if (lines)
		fclose(lines);
	waitpid(child, &status, 0);
	return status;
}

int main(int argc, char **argv)
{
	static const char *const pmus[] = { "nhm", "snb", "hsw", "skl", "icl", "spr", "knl" };

	test_begin(argc, argv);
	for (size_t n = 0; n < sizeof(pmus) / sizeof(pmus[0]); n++)
		tap_child(in_child(pmus[n]), pmus[n]);
	return tap_done();
}
