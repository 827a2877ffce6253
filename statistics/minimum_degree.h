/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In which order to eliminate the unknowns of a sparse symmetric system so that few entries come up that
 * were zero: each time one with about the fewest neighbours.
 *
 * P. Amestoy, T. Davis, I. Duff, "An approximate minimum degree ordering algorithm", SIAM J. Matrix
 * Anal. Appl. 17 (1996): the quotient graph, its bound of degrees, absorption of elements.
 */
#ifndef STATISTICS_MINIMUM_DEGREE_H
#define STATISTICS_MINIMUM_DEGREE_H

#include <stddef.h>
#include <stdint.h>

/**
 * @param n       unknowns
 * @param starts  n + 1 places in 'neighbours', where those of each unknown begin
 * @param neighbours  each once, in both directions, nobody his own; they are overwritten
 * @param order   receives the unknowns, first eliminated first
 * @return 0, or -1 if memory is short
 */
int minimum_degree_order(uint32_t n, const size_t *starts, uint32_t *neighbours, uint32_t *order);

#endif
