/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of numbers and ranges of time, in perf's notation. */
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

#define TIME_RANGES_MOST 64u

/* ns of the recording's clock, both ends included */
struct time_range {
	uint64_t start, stop;
	double from, to; /* of those in percent, 0 to 100: what they become when the span is known */
};

/* Zeroed memory has none. */
struct time_ranges {
	uint32_t count;
	int is_percent; /* of the span of a recording's samples: see time_ranges_place() */
	struct time_range list[TIME_RANGES_MOST];
};

/*
 * "3.85,4.0", "3.85,", ",4.0": seconds of the recording's clock, several separated by spaces.
 * "10%-20%,30%-40%", "10%/2" (the second tenth), "10%" (the first). 0, or -1 on a syntax error.
 */
int time_ranges_parse(struct time_ranges *ranges, const char *text);

/* Those in percent of a recording whose samples are from 'first' to 'last', as perf has them. */
void time_ranges_place(struct time_ranges *ranges, uint64_t first, uint64_t last);

int time_ranges_have(const struct time_ranges *ranges, uint64_t time);

#endif
