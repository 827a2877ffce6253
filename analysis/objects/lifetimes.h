/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What was at an address at a time, replayed from the side files of the recorder of objects in the order of
 * time. Only what is there at that time is kept, so that an address that is used again is told right.
 */
#ifndef ANALYSIS_OBJECTS_LIFETIMES_H
#define ANALYSIS_OBJECTS_LIFETIMES_H

#include "lifetime.h"
#include "side_clock.h"

struct lifetime_file;

/* Processes of one recording whose side files are read, in the order in which they begin */
#define LIFETIME_FILES_MOST 4096u

/* Zeroed memory has none. */
struct lifetimes {
	struct lifetime_file **files;
	uint32_t count, room;
	uint64_t left_out; /* files, and processes that were forked or became other programs, of which there
			    * are too many: nothing is told of these */
	struct lifetime_file *last; /* that was asked for; NULL: none, or another has come since */
	uint64_t last_until; /* time from which on it is not what its process is */
	struct side_moments moments;
	const char *beside; /* a recording's path: files are looked for in its directory, too */
	int can_start_over; /* what is recorded after the first samples may be asked for */
	int starts_over; /* that is wanted */
	int is_complete; /* all records are known … */
	uint32_t mapped; /* … and so many files are those that are mapped, the first … */
	uint64_t mapped_left_out; /* … but for these */
};

/* @param beside  or NULL; it is kept */
void lifetimes_begin(struct lifetimes *lifetimes, struct precis_file *file, const char *beside);
/* Any record, in the order of time. 0, or -1 if memory is short */
int lifetimes_record(struct lifetimes *lifetimes, const struct precis_record *record,
		     uint64_t time);
/* Samples, and records, come from the first one on once more, and all records are known. */
void lifetimes_again(struct lifetimes *lifetimes);

/*
 * What was there? Times of one process must not go back.
 * @return 0, or -1 if memory is short
 */
int lifetimes_find(struct lifetimes *lifetimes, uint32_t pid, uint64_t time, uint64_t address,
		   struct lifetime *found);

/*
 * What the program said that it does then; NULL: nothing, or nothing is known of it. Times likewise.
 * @return 0, or -1 if memory is short
 */
int lifetimes_phase(struct lifetimes *lifetimes, uint32_t pid, uint64_t time, const char **phase);

/* Those of flags below that say so */
#define LIFETIME_FLAGS                                                                             \
	(PRECIS_OBJECT_SMALL_DROPPED | PRECIS_OBJECT_OTHER_MALLOC | PRECIS_OBJECT_OTHER_NEW |      \
	 PRECIS_OBJECT_LARGE_SAMPLED)

/* What a table's notes tell of the next file; 'n' begins with 0. 1, or 0: there are no more */
struct lifetime_facts {
	uint32_t pid;
	const char *path;
	enum lifetime_absent absent; /* PRESENT: it was used */
	int error; /* NOT_OPENED: enum precis_error */
	enum side_clock_kind clock;
	uint64_t clock_error; /* ns, the worst of the times that were asked for */
	uint64_t interval; /* mean bytes between blocks that are recorded, the most; 0: all are */
	uint64_t lost; /* events */
	uint32_t flags; /* enum precis_object_flag: of what blocks are not recorded */
	uint64_t threshold; /* bytes; SMALL_DROPPED: smaller blocks are none of them */
};
int lifetimes_facts(const struct lifetimes *lifetimes, uint32_t *n, struct lifetime_facts *facts);

const char *lifetime_absent_text(enum lifetime_absent absent);

void lifetimes_free(struct lifetimes *lifetimes);

#endif
