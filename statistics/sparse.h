/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse symmetric systems of equations: K x = b by K = L D L'.
 *
 * K is quasi-definite: some unknowns have a positive diagonal, and the block of these is positive
 * definite, the others a negative one, and minus their block is. Any order of elimination has pivots of
 * these signs then (R. Vanderbei, "Symmetric quasidefinite matrices", SIAM J. Optimization 5 (1995)).
 * Least squares have that form when the residuals of long equations are unknowns of their own: an
 * equation of a thousand unknowns costs a thousand entries so, and not a million as in normal equations.
 *
 * It is a method of its own because the order and the factors of graphs of code stay as sparse as these
 * are, which takes a plain elimination without dense blocks; and because the library that has the other
 * kind (CHOLMOD) is packaged with parts under the GPL in it, and would be one more that figures depend on.
 */
#ifndef STATISTICS_SPARSE_H
#define STATISTICS_SPARSE_H

#include <stddef.h>
#include <stdint.h>

struct sparse;

/* Where a value stands, in either triangle; what is there twice is added. */
struct sparse_place {
	uint32_t row, column;
};

/**
 * Work out the order of elimination and the shape of the factors.
 *
 * @param unknowns  1 or more
 * @param places    of values, which sparse_factor() is given in the same order
 * @return NULL: memory is short
 */
struct sparse *sparse_new(uint32_t unknowns, const struct sparse_place *places, size_t count);

/**
 * Factorize. A pivot of the wrong sign, or next to nothing beside its diagonal, which a quasi-definite
 * matrix has by rounding alone, is replaced by a tiny one of the right sign.
 */
void sparse_factor(struct sparse *sparse, const double *values);

/**
 * Solve; the right side becomes the solution. One step of refinement takes out what rounding did.
 * @param work  twice as long as 'right'
 */
void sparse_solve(const struct sparse *sparse, double *right, double *work);

/**
 * Several at once, which is faster: the right sides of the first unknown, those of the next, … What rounding
 * did stays in it.
 * @param work  as long as 'right'
 */
#define SPARSE_SIDES 4u
void sparse_solve_sides(const struct sparse *sparse, double *right, double *work);

/**
 * b' x of the solution x of K x = b, for a fifth of what solving takes: of L y = b it is the sum of y y / D.
 * What rounding did stays in it.
 * @param work  as long as 'right'
 */
double sparse_quadratic(const struct sparse *sparse, const double *right, double *work);

/** How many entries the factors have */
size_t sparse_entries(const struct sparse *sparse);

void sparse_free(struct sparse *sparse);

#endif
