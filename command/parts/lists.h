/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that are lists, and members. */
#ifndef PARTS_LISTS_H
#define PARTS_LISTS_H

#include "document/value_sink.h"
#include "part_set.h"

void put_read(struct parts *parts, struct value_sink *sink);
void put_callchain(struct parts *parts, struct value_sink *sink);
void put_callchain_symbols(struct parts *parts, struct value_sink *sink);
void put_branch_stack(struct parts *parts, struct value_sink *sink);
void put_branch_stack_symbols(struct parts *parts, struct value_sink *sink);
void put_user_registers(struct parts *parts, struct value_sink *sink);
void put_interrupt_registers(struct parts *parts, struct value_sink *sink);

#endif
