/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of numbers and ranges of time, in perf's notation. */
#include <math.h>
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

/* "START,STOP" up to a space or the end */
static int parse_span(const char **at, struct time_range *range)
{
	range->start = 0;
	range->stop = UINT64_MAX;
	if (**at != ',' && parse_seconds(at, &range->start))
		return -1;
	if (*(*at)++ != ',')
		return -1;
	if (**at && **at != ' ' && parse_seconds(at, &range->stop))
		return -1;
	return range->stop < range->start ? -1 : 0;
}

/* "12.5%" */
static int parse_percent(const char **at, double *percent)
{
	uint64_t billionths;

	/* the notation is that of seconds */
	if (parse_seconds(at, &billionths) || **at != '%' || billionths > 100 * SECOND)
		return -1;
	++*at;
	*percent = (double)billionths / (double)SECOND;
	return 0;
}

/* "10%-20%", "10%/2", "10%" */
static int parse_part(const char **at, struct time_range *range)
{
	uint64_t number;

	range->from = 0;
	if (parse_percent(at, &range->to))
		return -1;
	if (**at == '-') {
		++*at;
		range->from = range->to;
		return parse_percent(at, &range->to) || range->to < range->from ? -1 : 0;
	}
	if (**at != '/')
		return 0;
	++*at;
	if (parse_number(at, UINT32_MAX, &number) || !number || range->to * (double)number > 100)
		return -1;
	range->from = range->to * (double)(number - 1);
	range->to *= (double)number;
	return 0;
}

int time_ranges_parse(struct time_ranges *ranges, const char *text)
{
	ranges->count = 0;
	ranges->is_percent = strchr(text, '%') != NULL;
	do {
		struct time_range *range = &ranges->list[ranges->count];

		if (ranges->count == TIME_RANGES_MOST ||
		    (ranges->is_percent ? parse_part(&text, range) : parse_span(&text, range)))
			return -1;
		ranges->count++;
	} while (*text++ == (ranges->is_percent ? ',' : ' '));
	return text[-1] ? -1 : 0;
}

static uint64_t place_of(double percent, uint64_t first, uint64_t last)
{
	return first + (uint64_t)round(percent / 100 * (double)(last - first));
}

/* What one part ends with the next one does not begin with */
void time_ranges_place(struct time_ranges *ranges, uint64_t first, uint64_t last)
{
	for (uint32_t n = 0; ranges->is_percent && n < ranges->count; n++) {
		struct time_range *range = &ranges->list[n];

		range->start = place_of(range->from, first, last);
		range->stop = place_of(range->to, first, last);
		if (range->stop > range->start && range->stop != last)
			range->stop--;
	}
}

int time_ranges_have(const struct time_ranges *ranges, uint64_t time)
{
	for (uint32_t n = 0; n < ranges->count; n++) {
		if (time >= ranges->list[n].start && time <= ranges->list[n].stop)
			return 1;
	}
	return 0;
}
