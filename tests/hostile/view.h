/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading all of what a parser points to, which lets a sanitizer have its say. */
#ifndef TESTS_HOSTILE_VIEW_H
#define TESTS_HOSTILE_VIEW_H

#include <string.h>

#include <precis/record.h>

#include "tests/fuzz/target.h"

static inline void read_text(const char *text)
{
	volatile size_t length = text ? strlen(text) : 0;

	(void)length;
}

/* Text of a length, without a NUL */
static inline void read_name(const char *name, uint32_t length)
{
	volatile char sum = 0;

	for (uint32_t i = 0; i < length; i++)
		sum = (char)(sum ^ name[i]);
}

static inline void read_bytes(struct precis_bytes view)
{
	volatile uint8_t sum = 0;

	for (uint32_t i = 0; i < view.bytes; i++)
		sum = (uint8_t)(sum + view.data[i]);
}

/* A view must lie inside its record. */
static inline void read_view(const struct precis_record *record, struct precis_bytes view)
{
	if (!view.bytes)
		return;
	PROMISE(view.data >= record->data && view.bytes <= record->size);
	PROMISE(view.data + view.bytes <= record->data + record->size);
	read_bytes(view);
}

#endif
