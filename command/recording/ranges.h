/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of numbers and spans of time, in perf's notation. */
#ifndef RANGES_H
#define RANGES_H

#include <stddef.h>
#include <stdint.h>

/* "0-3,7": sorted, not overlapping. Zeroed memory is no list at all. */
struct number_list {
	struct number_range {
		uint32_t low, high;
	} *range;
	size_t count;
};

/* Adds to what the list has. 0; -1 on a syntax error; -2 if memory is short. */
int number_list_parse(struct number_list *list, const char *text);
int number_list_has(const struct number_list *list, uint64_t number);
void number_list_free(struct number_list *list);

/* "3.85,4.0", "3.85,", ",4.0": seconds of the recording's clock, both ends included. */
struct time_span {
	uint64_t start, stop; /* ns */
};

/* 0, or -1 on a syntax error. */
int time_span_parse(struct time_span *span, const char *text);

#endif
