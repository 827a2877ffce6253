/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which cache lines were accessed, by whom, where and how, in bounded memory.
 *
 * As long as lines and ways to access them have room all is exact. When they have not, the lighter half of
 * the lines goes, with all that is known of them, as in statistics/heavy.h: a line weighs its samples, and
 * SHARING_TRANSFER_WEIGHT for each that says that the line came from another cache. So of a line that is not
 * there no more samples came than 'floor', and one that came late may have had 'missed' before.
 */
#ifndef ANALYSIS_SHARING_LINES_H
#define ANALYSIS_SHARING_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "c2c.h"
#include "spots.h"
#include "statistics/tally.h"

#define SHARING_LINE_BYTES 64u
/* 25 MiB, beside which there is the process model */
#define SHARING_LINES_MOST 65536u
#define SHARING_WAYS_MOST 98304u
/* Saved files may have more, which come without a process model: 45 MiB */
#define SHARING_SAVED_WAYS_MOST (UINT32_C(1) << 18)
#define SHARING_TRANSFER_WEIGHT 16u

/* What an access is */
enum {
	SHARING_LOAD = 1 << 0,
	SHARING_STORE = 1 << 1,
	SHARING_TRANSFER = 1 << 2, /* a load that got the line from another cache */
	SHARING_LOCKED = 1 << 3,
	SHARING_KERNEL = 1 << 4    /* by the kernel's code */
};

/* Bytes of a line that an access has. 'bytes' 0: how many from 'offset' on is not known */
struct sharing_span {
	uint8_t offset, bytes;
};

/* Which latency a load's is: what these measure are different things, by the fields' names */
enum sharing_latency {
	SHARING_NO_LATENCY,
	SHARING_LOAD_LATENCY,
	SHARING_CACHE_LATENCY,
	SHARING_MISS_LATENCY, /* PRECIS_FIELD_DCACHE_MISS_LATENCY */
	SHARING_LATENCIES
};

/* Cycles of loads: how many of these, and what each stands for */
struct sharing_cycles {
	uint64_t samples;
	double weight, sum;
};

/* From this node, and from others */
enum { SHARING_NEAR, SHARING_FAR, SHARING_DISTANCES };

/* One access that was sampled */
struct sharing_sample {
	uint64_t space, line; /* the line's key: whose address, and the address by SHARING_LINE_BYTES */
	uint64_t address;     /* the program's own, of the line's start */
	uint64_t ip, time;
	uint32_t pid, party, recording;
	uint32_t flags;
	struct sharing_span span;
	double weight; /* accesses that it stands for */
	int has_cpu;
	uint32_t cpu, memory_node; /* 'memory_node' NODE_UNKNOWN (analysis/by/nodes.h): not known */
	uint32_t latency_is; /* enum sharing_latency: which 'latency' that is */
	uint64_t latency;
	int is_far; /* the data came from another node or socket */
	int has_source;
	uint64_t source; /* perf's word of it */
};

/* Accesses of one party to one line that are alike */
struct sharing_way {
	uint64_t ip, time; /* of the first */
	uint64_t samples;
	double weight, squares, most;
	uint32_t line, next; /* numbers from 1; 0: it is the last of its line */
	uint32_t pid;
	uint32_t told; /* of a run that was saved: where the instruction is (told.h); 0: symbols say */
	uint32_t datum; /* what it accesses, by a side file or a saved run; 0: symbols say */
	uint32_t spots; /* CPUs (spots.h) */
	uint16_t party;
	struct sharing_span span;
	uint8_t flags;
	uint8_t latency_is; /* enum sharing_latency */
	struct sharing_cycles cycles[SHARING_DISTANCES];
};

struct sharing_line {
	uint64_t space, line;
	uint64_t address, time;
	uint64_t weight, missed;
	uint64_t sourced; /* samples that have a word of perf's data source, which 'c2c' is of */
	uint64_t samples, crowded; /* 'crowded': of these so many that no way had room for */
	uint32_t pid, recording;
	uint32_t memory_node; /* NODE_UNKNOWN: not known */
	uint32_t first; /* way, from 1 */
	uint32_t told;  /* of a run that was saved: what it is (told.h); 0: symbols say */
	uint32_t c2c[SHARING_C2C_COUNTS];
};

struct sharing_lines {
	struct tally_hash hash;
	struct sharing_line *lines;
	struct sharing_way *ways;
	struct sharing_spots spots;
	uint32_t *line_slots, *way_slots; /* open addressing: numbers from 1; 0: free */
	uint32_t line_count, line_room, line_limit, line_bits;
	uint32_t way_count, way_room, way_limit, way_bits;
	uint64_t floor;   /* samples that a line which is not there can have had */
	uint64_t dropped; /* lines that had to go */
	uint64_t crowded; /* samples of lines that are there which no way had room for */
};

/* At most so many lines and ways, 2 or more. 0, or -1 if memory is short */
int sharing_lines_init(struct sharing_lines *lines, uint32_t line_limit, uint32_t way_limit);
void sharing_lines_free(struct sharing_lines *lines);
void sharing_lines_clear(struct sharing_lines *lines);

/* 0, or -1 if memory is short */
int sharing_lines_add(struct sharing_lines *lines, const struct sharing_sample *sample);

/*
 * One as it was in another table, behind those that are there: a line without its ways, or a way of a line
 * that is there, by its number. 0, or -1: it is there already, there is no room, or memory is short
 */
int sharing_lines_put(struct sharing_lines *lines, const struct sharing_line *line);
int sharing_lines_put_way(struct sharing_lines *lines, const struct sharing_way *way);

/* Where the way was seen that was put there last. 0, or -1 if memory is short */
int sharing_lines_put_spot(struct sharing_lines *lines, uint32_t cpu, uint32_t samples);

/*
 * All of another one. 'party': the other's parties here; 'recording': whose its lines are, in place of what
 * they have, and bits for their space. 0, or -1 if memory is short
 */
int sharing_lines_merge(struct sharing_lines *lines, const struct sharing_lines *others,
			const uint16_t *party, uint32_t recording, uint64_t space);

/* Do several access it, or did it come from another cache? */
int sharing_line_is_shared(const struct sharing_lines *lines, const struct sharing_line *line);

/* A line's ways, one by one: the one behind; NULL: the first. NULL behind the last */
const struct sharing_way *sharing_way_next(const struct sharing_lines *lines,
					   const struct sharing_line *line,
					   const struct sharing_way *way);

#endif
