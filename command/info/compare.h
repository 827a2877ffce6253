/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precis info --compare: what each generation's samples measure of a memory access, stage by
 * stage.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "document/matrix.h"

/* Rows are fields under the stage of an access that they are of, columns are generations. */
void compare_gather(struct matrix *matrix);

#endif
