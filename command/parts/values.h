/* SPDX-License-Identifier: BSD-3-Clause */
/* What each part of parts.def is made of. */
#ifndef PARTS_VALUES_H
#define PARTS_VALUES_H

#include "document/value_sink.h"
#include "part_set.h"

struct part_value {
	/* NULL: it is there if one of its row's bits is. Else as part_is_absent() */
	int (*is_absent)(struct parts *parts, struct part_absence *absence);
	void (*put)(struct parts *parts, struct value_sink *sink);
};

extern const struct part_value part_values[PART_COUNT];

#endif
