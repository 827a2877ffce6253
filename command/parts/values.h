/* SPDX-License-Identifier: BSD-3-Clause */
/* What each part of parts.def is made of. */
#ifndef PARTS_VALUES_H
#define PARTS_VALUES_H

#include "parts.h"

struct part_value {
	/* NULL: it is there if one of its row's bits is. Else as part_is_absent() */
	int (*is_absent)(struct parts *parts, struct part_absence *absence);
	void (*put)(struct parts *parts, struct value_sink *sink);
};

extern const struct part_value part_values[PART_COUNT];

/* part_lists.c */
void put_read(struct parts *parts, struct value_sink *sink);
void put_callchain(struct parts *parts, struct value_sink *sink);
void put_callchain_symbols(struct parts *parts, struct value_sink *sink);
void put_branch_stack(struct parts *parts, struct value_sink *sink);
void put_branch_stack_symbols(struct parts *parts, struct value_sink *sink);
void put_user_registers(struct parts *parts, struct value_sink *sink);
void put_interrupt_registers(struct parts *parts, struct value_sink *sink);

#endif
