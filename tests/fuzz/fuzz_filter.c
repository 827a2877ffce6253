/* SPDX-License-Identifier: BSD-3-Clause */
/* Filter expressions: compile any text, match what compiles. */
#include <stdlib.h>
#include <string.h>

#include <precis/filter.h>

#include "tests/fuzz/target.h"

static int find_event(const char *name, size_t length, void *data)
{
	(void)data;
	return length == 6 && !memcmp(name, "ibs_op", 6) ? 3 : -1;
}

static const char *find_name(const struct precis_sample *sample, uint32_t name, void *data)
{
	uint64_t number = 0;

	(void)data;
	precis_get(sample, PRECIS_FIELD_TID, &number);
	return (number + name) % 3 ? "/usr/lib/[kernel] a*b" : NULL;
}

static const char *const names[] = { "comm", "dso", "cgroup" };
static const struct precis_filter_names known = {
	.size = sizeof(known), .count = 3, .names = names, .paths = 2, .find = find_name,
};

static void check_match(const struct precis_filter *filter)
{
	struct precis_sample sample;
	int result;

	precis_sample_init(&sample);
	result = precis_filter_match(filter, &sample);
	PROMISE(result == 0 || result == 1);
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		precis_set(&sample, (enum precis_field)field, field % 3);
	result = precis_filter_match(filter, &sample);
	PROMISE(result == 0 || result == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct precis_filter_error error = { .size = sizeof(error) };
	struct precis_filter filter;
	char *text = malloc(size + 1);
	int code;

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	code = precis_filter_compile(text, find_event, NULL, &filter, &error);
	if (code == 0) {
		check_match(&filter);
	} else {
		PROMISE(code < 0);
		PROMISE(error.column >= 1 && error.column <= strlen(text) + 1);
		PROMISE(memchr(error.message, '\0', sizeof(error.message)) && *error.message);
	}
	/* an event's name without anybody who knows events, and nobody who wants the error */
	code = precis_filter_compile(text, NULL, NULL, &filter, NULL);
	if (code == 0)
		check_match(&filter);
	code = precis_filter_compile_names(text, find_event, NULL, &known, &filter, &error);
	if (code == 0) {
		PROMISE(precis_filter_names_used(&filter) < 8);
		check_match(&filter);
	}
	free(text);
	return 0;
}
