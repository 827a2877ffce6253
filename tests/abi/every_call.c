/* SPDX-License-Identifier: BSD-3-Clause */
/* All calls of one set of headers: compiled once for each, with -DABI_SET=calls_of_older … */
#include "every_call.h"

void ABI_SET(struct calls *calls)
{
	CALLS_OF(_values)(calls);
	CALLS_OF(_pebs)(calls);
	CALLS_OF(_records)(calls);
	CALLS_OF(_files)(calls);
}
