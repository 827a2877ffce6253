/* SPDX-License-Identifier: BSD-3-Clause */
/* Another file of the program: a variable that is declared there, a type that is complete only here. */
#include "truth_other.h"

struct hidden_there {
	long first, second;
};

struct other_unit elsewhere = { 'a', 1 };
struct hidden_there of_other_unit[2];
static int counter_of_other = 3;

int *other_counter(void)
{
	return &counter_of_other;
}
