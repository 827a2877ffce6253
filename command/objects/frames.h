/* SPDX-License-Identifier: BSD-3-Clause */
/* Return addresses of a side file's stacks as functions, by the modules that it says were there. */
#ifndef OBJECTS_FRAMES_H
#define OBJECTS_FRAMES_H

#include <precis/precis.h>

#include "analysis/objects/stack_times.h"
#include "command/symbols/places.h"

struct frames {
	struct places places;
	const struct precis_object_file *file;
	uint32_t pid;
	const char *executable;
	struct stack_times stacks;
};

/* @return 0, -1: no memory */
int frames_open(struct frames *frames, const struct precis_object_file *file, struct symbol_options *options);
void frames_close(struct frames *frames);

/*
 * From any event, in the order of their times: which code is where, and when a stack is there first. It is
 * asked for stacks when all are known. @return 0, -1: no memory
 */
int frames_learn(struct frames *frames, const struct precis_object_event *event);

/*
 * The innermost frames of a stack, "function < caller < ..."; of what has no symbol "file+0xoffset", of what
 * is in no file the address.
 *
 * @param first  frames that are left out
 * @param most   frames in the text, 0: all; " < ..." says that there are more
 * @return 'room', "" if there are none
 */
const char *frames_text(struct frames *frames, uint32_t stack, uint32_t first, uint32_t most, char *room,
			size_t bytes);

#endif
