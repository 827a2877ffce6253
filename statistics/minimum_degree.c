/* SPDX-License-Identifier: BSD-3-Clause */
/* Minimum degree on the quotient graph. */
#include "minimum_degree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/*
 * An unknown with more neighbours than that many times the square root of how many unknowns there are comes
 * last, whatever else there is: its list would be gone through whenever one of its neighbours goes.
 */
#define DENSE_TIMES 10
#define DENSE_LEAST 16

/*
 * What an unknown has in its part of 'neighbours': first elements (unknowns that were eliminated, and
 * stand for all that these were neighbours of), then neighbours that no element has. Both together
 * never become more than there were neighbours at the start.
 */
struct quotient {
	uint32_t n;
	const size_t *starts;
	uint32_t *lists;
	uint32_t *elements, *variables; /* how many of each; of what is eliminated: 'variables' is unused */
	uint32_t *members; /* of all elements, one behind the other */
	size_t member_count, member_room;
	size_t *first_member; /* of an element */
	uint32_t *size;       /* of an element; 0: it is none any more */
	uint32_t *outside;    /* of an element's members, those that the new one has not */
	uint32_t *stamp, *outside_stamp;
	uint32_t now;
	uint32_t *degree, *next, *previous, *head;
	uint32_t least;
	size_t dense; /* more neighbours than that */
};

static void unlink_degree(struct quotient *graph, uint32_t v)
{
	if (graph->previous[v] == NONE)
		graph->head[graph->degree[v]] = graph->next[v];
	else
		graph->next[graph->previous[v]] = graph->next[v];
	if (graph->next[v] != NONE)
		graph->previous[graph->next[v]] = graph->previous[v];
}

static void link_degree(struct quotient *graph, uint32_t v, uint32_t degree)
{
	graph->degree[v] = degree;
	graph->previous[v] = NONE;
	graph->next[v] = graph->head[degree];
	if (graph->next[v] != NONE)
		graph->previous[graph->next[v]] = v;
	graph->head[degree] = v;
	if (degree < graph->least)
		graph->least = degree;
}

static int push_member(struct quotient *graph, uint32_t v)
{
	uint32_t *members;

	if (graph->member_count == graph->member_room) {
		graph->member_room *= 2;
		members = realloc(graph->members, graph->member_room * sizeof(*members));
		if (!members)
			return -1;
		graph->members = members;
	}
	graph->members[graph->member_count++] = v;
	return 0;
}

static int push_once(struct quotient *graph, uint32_t v)
{
	if (graph->stamp[v] == graph->now)
		return 0;
	graph->stamp[v] = graph->now;
	return push_member(graph, v);
}

/* The new element: all neighbours of the pivot, by itself or by elements, which it absorbs */
static int make_element(struct quotient *graph, uint32_t pivot)
{
	const uint32_t *list = graph->lists + graph->starts[pivot];
	const uint32_t elements = graph->elements[pivot];

	graph->now++;
	graph->stamp[pivot] = graph->now;
	graph->first_member[pivot] = graph->member_count;
	for (uint32_t n = 0; n < elements; n++) {
		const size_t first = graph->first_member[list[n]];

		for (uint32_t m = 0; m < graph->size[list[n]]; m++) {
			if (push_once(graph, graph->members[first + m]) < 0)
				return -1;
		}
		graph->size[list[n]] = 0;
	}
	for (uint32_t n = 0; n < graph->variables[pivot]; n++) {
		if (push_once(graph, list[elements + n]) < 0)
			return -1;
	}
	graph->size[pivot] = (uint32_t)(graph->member_count - graph->first_member[pivot]);
	return 0;
}

/* How many members of other elements the new one has not */
static void count_outside(struct quotient *graph, const uint32_t *members, uint32_t count)
{
	for (uint32_t m = 0; m < count; m++) {
		const uint32_t *list = graph->lists + graph->starts[members[m]];

		for (uint32_t n = 0; n < graph->elements[members[m]]; n++) {
			const uint32_t element = list[n];

			if (graph->outside_stamp[element] != graph->now) {
				graph->outside_stamp[element] = graph->now;
				graph->outside[element] = graph->size[element];
			}
			graph->outside[element]--;
		}
	}
}

/* A member's lists: what the new element covers goes, the element itself comes. @return its degree */
static uint64_t rewrite(struct quotient *graph, uint32_t pivot, uint32_t v)
{
	uint32_t *list = graph->lists + graph->starts[v], kept = 0, variables = 0;
	const uint32_t elements = graph->elements[v], old = graph->variables[v];
	uint64_t degree = graph->size[pivot] - 1;
	uint32_t left[2];

	for (uint32_t n = 0; n < elements; n++) {
		if (graph->size[list[n]] && graph->outside[list[n]]) {
			degree += graph->outside[list[n]];
			list[kept++] = list[n];
		}
	}
	/* One entry at least goes, an element or the pivot itself: there is room for the new one. */
	left[0] = kept;
	for (uint32_t n = 0; n < old; n++) {
		const uint32_t other = list[elements + n];

		if (graph->stamp[other] != graph->now)
			list[kept + variables++] = other;
	}
	left[1] = variables;
	memmove(list + left[0] + 1, list + left[0], left[1] * sizeof(*list));
	list[left[0]] = pivot;
	graph->elements[v] = left[0] + 1;
	graph->variables[v] = left[1];
	return degree + left[1];
}

static int eliminate(struct quotient *graph, uint32_t pivot, uint32_t left)
{
	uint32_t *members;

	unlink_degree(graph, pivot);
	if (make_element(graph, pivot) < 0)
		return -1;
	members = graph->members + graph->first_member[pivot];
	count_outside(graph, members, graph->size[pivot]);
	for (uint32_t m = 0; m < graph->size[pivot]; m++) {
		const uint64_t degree = rewrite(graph, pivot, members[m]);

		unlink_degree(graph, members[m]);
		link_degree(graph, members[m], degree < left ? (uint32_t)degree : left);
	}
	return 0;
}

static uint32_t least_degree(struct quotient *graph)
{
	while (graph->head[graph->least] == NONE)
		graph->least++;
	return graph->head[graph->least];
}

static int is_dense(const struct quotient *graph, uint32_t v)
{
	return graph->starts[v + 1] - graph->starts[v] > graph->dense;
}

/* What is dense is nobody's neighbour. @return how many others there are */
static uint32_t leave_out_dense(struct quotient *graph, uint32_t *order)
{
	uint32_t sparse = graph->n;

	for (uint32_t v = graph->n; v-- > 0;) {
		uint32_t *list = graph->lists + graph->starts[v];
		const size_t count = graph->starts[v + 1] - graph->starts[v];

		if (is_dense(graph, v)) {
			order[--sparse] = v;
			continue;
		}
		for (size_t n = 0; n < count; n++) {
			if (!is_dense(graph, list[n]))
				list[graph->variables[v]++] = list[n];
		}
	}
	return sparse;
}

static int eliminate_all(struct quotient *graph, uint32_t *order)
{
	uint32_t sparse;

	graph->dense = (size_t)fmax(DENSE_LEAST, DENSE_TIMES * sqrt(graph->n));
	sparse = leave_out_dense(graph, order);
	for (uint32_t v = 0; v < graph->n; v++)
		graph->head[v] = NONE;
	for (uint32_t v = graph->n; v-- > 0;) {
		if (!is_dense(graph, v))
			link_degree(graph, v, graph->variables[v]);
	}
	for (uint32_t n = 0; n < sparse; n++) {
		order[n] = least_degree(graph);
		if (eliminate(graph, order[n], sparse - n - 1) < 0)
			return -1;
	}
	return 0;
}

int minimum_degree_order(uint32_t n, const size_t *starts, uint32_t *neighbours, uint32_t *order)
{
	struct quotient graph = { .n = n, .starts = starts, .lists = neighbours };
	uint32_t *words = n ? calloc((size_t)n * 10, sizeof(*words)) : NULL;
	int status = n ? -1 : 0;

	graph.member_room = starts[n] + 16;
	graph.members = malloc(graph.member_room * sizeof(*graph.members));
	graph.first_member = calloc((size_t)n + 1, sizeof(*graph.first_member));
	if (words && graph.members && graph.first_member) {
		uint32_t **const arrays[] = { &graph.elements, &graph.variables,     &graph.size,
					      &graph.outside,  &graph.stamp,	     &graph.outside_stamp,
					      &graph.degree,   &graph.next,	     &graph.previous,
					      &graph.head };

		for (size_t array = 0; array < sizeof(arrays) / sizeof(arrays[0]); array++)
			*arrays[array] = words + array * n;
		status = eliminate_all(&graph, order);
	}
	free(words);
	free(graph.members);
	free(graph.first_member);
	return status;
}
