/* SPDX-License-Identifier: BSD-3-Clause */
/* What two files of one program share. */
#ifndef TESTS_TYPES_TRUTH_OTHER_H
#define TESTS_TYPES_TRUTH_OTHER_H

struct other_unit {
	char letter;
	long number;
};

#endif
