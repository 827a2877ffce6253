/* SPDX-License-Identifier: BSD-3-Clause */
/* See chi_square_by_normal.h. */
#include "chi_square_by_normal.h"

#include "root.h"

double chi_square_by_normal(double degrees, double z)
{
	const double part = 2 / (9 * degrees), root = 1 - part + z * root_of(part);

	return root > 0 ? degrees * root * root * root : 0;
}
