/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of numbers and spans of time, in perf's notation. */
#include <stdlib.h>
#include <string.h>

#include "ranges.h"

#define SECOND UINT64_C(1000000000)
#define SECOND_DIGITS 9

/* Decimal digits only: no sign, no space. 0, or -1 if there is none or it is above 'limit'. */
static int parse_number(const char **at, uint64_t limit, uint64_t *number)
{
	const char *from = *at;

	*number = 0;
	for (; **at >= '0' && **at <= '9'; (*at)++) {
		uint64_t digit = (uint64_t)(**at - '0');

		if (*number > (limit - digit) / 10)
			return -1;
		*number = *number * 10 + digit;
	}
	return *at == from ? -1 : 0;
}

static int parse_range(const char **at, struct number_range *range)
{
	uint64_t low, high;

	if (parse_number(at, UINT32_MAX, &low))
		return -1;
	high = low;
	if (**at == '-') {
		(*at)++;
		if (parse_number(at, UINT32_MAX, &high) || high < low)
			return -1;
	}
	range->low = (uint32_t)low;
	range->high = (uint32_t)high;
	return 0;
}

static int by_low(const void *a, const void *b)
{
	const struct number_range *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

static void merge(struct number_list *list)
{
	size_t kept = 0;

	qsort(list->range, list->count, sizeof(list->range[0]), by_low);
	for (size_t i = 1; i < list->count; i++) {
		struct number_range *last = &list->range[kept];

		if (list->range[i].low > last->high)
			list->range[++kept] = list->range[i];
		else if (list->range[i].high > last->high)
			last->high = list->range[i].high;
	}
	list->count = kept + 1;
}

int number_list_parse(struct number_list *list, const char *text)
{
	for (;; text++) {
		struct number_range *range;

		range = realloc(list->range, (list->count + 1) * sizeof(list->range[0]));
		if (!range)
			return -2;
		list->range = range;
		if (parse_range(&text, &list->range[list->count]))
			return -1;
		list->count++;
		if (*text != ',')
			break;
	}
	merge(list);
	return *text ? -1 : 0;
}

int number_list_has(const struct number_list *list, uint64_t number)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->range[middle].high < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list->count && list->range[low].low <= number;
}

void number_list_free(struct number_list *list)
{
	free(list->range);
	list->range = NULL;
	list->count = 0;
}

/* "3.85": up to nine digits behind the point */
static int parse_seconds(const char **at, uint64_t *ns)
{
	uint64_t seconds, fraction = 0, scale = SECOND;

	if (parse_number(at, UINT64_MAX / SECOND - 1, &seconds))
		return -1;
	if (**at == '.') {
		const char *from = ++*at;

		if (parse_number(at, SECOND - 1, &fraction) || *at - from > SECOND_DIGITS)
			return -1;
		for (; from < *at; from++)
			scale /= 10;
		fraction *= scale;
	}
	*ns = seconds * SECOND + fraction;
	return 0;
}

int time_span_parse(struct time_span *span, const char *text)
{
	span->start = 0;
	span->stop = UINT64_MAX;
	if (*text != ',' && parse_seconds(&text, &span->start))
		return -1;
	if (*text++ != ',')
		return -1;
	if (*text && parse_seconds(&text, &span->stop))
		return -1;
	return *text || span->stop < span->start ? -1 : 0;
}
