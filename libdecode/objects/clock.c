/* SPDX-License-Identifier: BSD-3-Clause */
/* One clock's time on another one, by moments at which both were read. */
#include <math.h>

#include "private.h"

#define SPAN_MOST (UINT64_C(1) << 61)
#define NUMBER_MOST 9e18 /* fits into 64 bits, with a sign */

/* The middle of a point: where the other clock was read, give or take half */
static double middle(const struct precis_object_point *point, uint64_t origin)
{
	return (double)(int64_t)(point->before - origin) + (double)(point->after - point->before) / 2;
}

static double half(const struct precis_object_point *point)
{
	return (double)(point->after - point->before) / 2;
}

static double larger(double one, double other)
{
	return one > other ? one : other;
}

/*
 * How far a point is from the line of its neighbours, or may be: of the other clock, ns. Where each of the
 * three was read is not known better than its width, which may hide as much of a bend as it makes up.
 */
static double residual(const struct precis_object_point *points, size_t n)
{
	const struct precis_object_point *at = &points[n], *before = at - 1, *behind = at + 1;
	double left = middle(before, at->before), here = middle(at, at->before),
	       right = middle(behind, at->before);
	double low = (double)(int64_t)(before->time - at->time),
	       high = (double)(int64_t)(behind->time - at->time);
	double rate = (high - low) / (right - left);

	return fabs(low + rate * (here - left)) + rate * (half(at) + larger(half(before), half(behind)));
}

/* The first of the two points whose line is taken */
static size_t segment(const struct precis_object_point *points, size_t count, uint64_t time)
{
	size_t low = 0, high = count - 1;

	while (low + 1 < high) {
		size_t between = low + (high - low) / 2;

		if (points[between].before <= time)
			low = between;
		else
			high = between;
	}
	return low;
}

/*
 * A kink of the other clock between two points, as when NTP changes its rate, is no further from the line
 * than the worse of both points is from the line of its neighbours; a smooth bend four times less.
 */
static double bend(const struct precis_object_point *points, size_t count, size_t n)
{
	double left = n > 0 ? residual(points, n) : 0;
	double right = n + 2 < count ? residual(points, n + 1) : 0;

	return larger(left, right);
}

/* One behind the other, on both clocks, and not so far that differences do not fit into 64 bits */
static int are_in_order(const struct precis_object_point *one, const struct precis_object_point *next)
{
	return one->before <= one->after && one->after < next->before && next->before <= next->after &&
	       next->after - one->before < SPAN_MOST && one->time <= next->time &&
	       next->time - one->time < SPAN_MOST;
}

int precis_object_clock_convert(const struct precis_object_point *points, size_t count, uint64_t time,
				uint64_t *converted, uint64_t *error)
{
	double start, length, rate, at, beyond, open;
	size_t n;

	if (!points || !converted || !error || count < 2)
		return PRECIS_E_ARGUMENT;
	n = segment(points, count, time);
	for (size_t i = n ? n - 1 : 0; i < count - 1 && i <= n + 1; i++)
		if (!are_in_order(&points[i], &points[i + 1]))
			return PRECIS_E_ARGUMENT;
	start = middle(&points[n], points[n].before);
	length = middle(&points[n + 1], points[n].before) - start;
	rate = (double)(points[n + 1].time - points[n].time) / length;
	at = (double)(int64_t)(time - points[n].before) - start;
	beyond = at < 0 ? -at : at > length ? at - length : 0;
	open = larger(half(&points[n]), half(&points[n + 1]));
	open = (open * rate + bend(points, count, n)) * (1 + 2 * beyond / length);
	if (!(fabs(at * rate) < NUMBER_MOST && open < NUMBER_MOST))
		return PRECIS_E_ARGUMENT;
	*converted = points[n].time + (uint64_t)(int64_t)llround(at * rate);
	*error = 1 + (uint64_t)ceil(open);
	return 0;
}

int precis_object_file_monotonic(const struct precis_object_file *file, uint64_t time, uint64_t *ns,
				 uint64_t *error)
{
	if (!file || !ns || !error)
		return PRECIS_E_ARGUMENT;
	if (file->header.clock == OBJECTS_CLOCK_MONOTONIC) {
		*ns = time;
		*error = 0;
		return 0;
	}
	if (file->point_count < 2 ||
	    precis_object_clock_convert(file->points, file->point_count, time, ns, error))
		return PRECIS_E_UNSUPPORTED;
	return 0;
}
