/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples by the node of the CPU and that of the memory: all of one against all of the other. */
#ifndef ANALYSIS_BY_NODE_MATRIX_H
#define ANALYSIS_BY_NODE_MATRIX_H

#include "state.h"

/* Are the keys these two, in whatever order? */
int by_has_node_matrix(const struct by *by);

/* A table more: rows of CPUs' nodes, columns of memory's. What it is called and about is the caller's. */
void by_add_node_matrix(struct document *document, const struct by *by,
			const struct by_event *event, const char *name);

#endif
