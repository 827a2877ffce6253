/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine that a recording is of: CPUs, memory, caches, clock; and its groups of events. */
#ifndef INFO_SYSTEM_H
#define INFO_SYSTEM_H

#include "info.h"
#include "document/wrap.h"

void info_print_system_text(const struct info *info, struct output *output);
void info_print_system_json(const struct info *info, struct json *json);

/* info_text.c: the column of names, and what begins behind it */
void info_label(struct output *output, unsigned int indent, const char *text);
struct wrap info_words(struct output *output, unsigned int indent, const char *name);

#endif
