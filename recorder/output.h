/* SPDX-License-Identifier: BSD-3-Clause */
/* The side file of this process. */
#ifndef PRECIS_RECORDER_OUTPUT_H
#define PRECIS_RECORDER_OUTPUT_H

#include "libdecode/objects/format.h"

#define OUTPUT_PATH_MOST 4352u

/* Before anything is said: standard error is what it is now. */
void say_begin(void);
/* One line on standard error, behind the recorder's name; nowhere, where its number is another file's */
void say(const char *what, const char *about);

/*
 * Make a directory's path absolute, as wherever the program goes, its children have their files there, and
 * each is found again. @return 0; -1: there is none, or no room for it
 */
int output_settle(char *directory, size_t room);

/*
 * Make a file of its own for 'pid' in a directory: precis-PID.objects, or precis-PID.N.objects where that is
 * there. Write the header, and map a page of it, so that recordings name it. Sets OBJECTS_NOT_MAPPED.
 * @return 0; -1, which is told
 */
int output_open(const char *directory, struct objects_header *header);

/*
 * Write a chunk, with signals blocked: the payload stands behind the struct, with room for its padding. Sets
 * magic and checksum. @return 0; -1: it could not be written, and nothing will be from here on but clocks and
 * a trailer
 */
int output_chunk(struct objects_chunk *chunk);

/* Events from then on may not be in the file, which its header tells. @param time  ticks */
void output_lost_from(uint64_t time);

/* Its number; -1: there is none. It may be another file's by now. */
int output_descriptor(void);

/* What a forked child does with its parent's file */
void output_forget(void);

#endif
