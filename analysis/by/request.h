/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What samples are to be told apart by, and what is to be told of those that are alike: the keys and
 * columns that there are.
 */
#ifndef ANALYSIS_BY_REQUEST_H
#define ANALYSIS_BY_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include <precis/precis.h>

struct mix_executions;

#define BY_KEYS_MOST 4u
#define BY_COLUMNS_MOST 24u

/* Keys that are no field of the catalogue, but worked out */
enum by_key {
	BY_SYMBOL,
	BY_LINE,
	BY_INSTRUCTION,
	BY_DSO,
	BY_COMM,
	BY_NODE,
	BY_MEMORY_NODE,
	BY_PAGE,
	BY_CACHE_LINE,
	BY_OBJECT, /* of data */
	BY_MEMORY,
	BY_TYPE, /* of the variable, and what of it */
	BY_MEMBER,
	BY_ELEMENT,
	BY_ALLOCATION, /* of the block that the data is in */
	BY_TAG,
	BY_PHASE, /* of the program */
	BY_CGROUP,
	BY_CALLER, /* of the function */
	BY_STACK, /* functions from the outermost call to the sample's */
	BY_EVENT,
	BY_TIME, /* parts of the time that the recording's samples are of */
	BY_FIELD, /* the field itself */
	BY_KEY_KINDS
};

/* Of data: what it is in */
static inline int by_is_of_memory(enum by_key key)
{
	return key >= BY_OBJECT && key <= BY_TAG;
}

/* and what a program had made of that memory then */
static inline int by_is_of_object(enum by_key key)
{
	return by_is_of_memory(key) && key != BY_MEMORY;
}

/* by what its recorder of objects wrote, beside the recording */
static inline int by_is_recorded_beside(enum by_key key)
{
	return by_is_of_object(key) || key == BY_PHASE;
}

enum by_figure {
	BY_SAMPLES,
	BY_EVENTS,      /* that samples stand for */
	BY_SHARE,       /* of all samples of the event */
	BY_CYCLES,      /* sum of the latency, each times what its sample weighs */
	BY_CYCLE_SHARE, /* of that sum of all samples */
	BY_N,           /* samples that have the latency */
	BY_MEAN,
	BY_MEDIAN,
	BY_P95,
	BY_P99,
	BY_MAX,
	BY_TREND, /* what samples of each part of the time weigh */
	BY_IS /* the share of those samples that have a field in which it has some of its values */
};

struct by_asked_key {
	enum by_key key;
	uint32_t field; /* of BY_FIELD */
	const char *name; /* static */
	/* Of BY_TIME: so many equal parts of each recording, or those of so many ns from its start */
	uint32_t parts;
	uint64_t interval;
};

/* Parts of the time where nobody says how many, and the most; those that a trend has */
#define BY_PARTS 50u
#define BY_PARTS_MOST 10000u
#define BY_TREND_PARTS 32u

struct by_column {
	const char *name, *title;
	enum by_figure figure;
	/* Of BY_IS: bits of the field's values that count, and of those of which it is not known */
	uint32_t field, values, unknown;
	uint32_t flag; /* likewise: its number among those of a table */
	int better; /* 1: more of it is, -1: less, 0: neither */
};

/* Code that samples are to be told beside, instruction by instruction, or a type. Zeroed memory: none */
struct by_annotated {
	int is_asked;
	const char *type;   /* in place of code, of that type the members; NULL: code is asked for */
	const char *symbol; /* of that function; NULL: of that with the most samples */
	const char *dso;    /* in that file; NULL: in any */
	const char *file;   /* instead of a function the instructions of a source line; NULL: none */
	uint32_t line;
	uint32_t syntax;    /* enum precis_code_syntax */
	int has_context;    /* without samples only so many instructions before and behind those with: */
	uint32_t context;
	/*
	 * The text of a source line of the build with that id, if it is known; NULL: it is not there.
	 * Valid until the next call
	 */
	const char *(*source)(void *data, struct precis_bytes id, const char *file, uint32_t line);
	void *source_data;
	struct mix_executions *executions; /* how often instructions ran; NULL: that is not known: */
	const char *no_executions;         /* why; NULL: it is not asked for */
};

struct by_request {
	uint32_t key_count;
	struct by_asked_key keys[BY_KEYS_MOST];
	uint32_t column_count; /* 0: those that everybody wants */
	struct by_column columns[BY_COLUMNS_MOST];
	int is_sorted; /* by 'sort'; else by samples */
	struct by_column sort;
	int latency; /* field that cycles are; -1: that of the event's kind */
	/* So many recordings one behind the other are runs of the same, to be compared; 0: no comparison */
	uint32_t runs;
	double level; /* of all intervals of a comparison together */
	struct by_annotated annotated;
};

/* 1: there is a key, or a column, of that name; 0: there is none */
int by_find_key(const char *name, size_t length, struct by_asked_key *key);
int by_find_column(const char *name, size_t length, struct by_column *column);

/* Do objects come and go, so that samples are wanted in the order of their times? */
int by_needs_order(const struct by_request *request);

/* Is it needed to know from when to when samples are? The word that asks for it; NULL: it is not */
const char *by_needs_span(const struct by_request *request);

/* Has the figure an interval, so that it can be compared? */
int by_is_compared(const struct by_column *column);

/* Is the field a latency of samples, one that cycles can be? */
int by_is_latency(uint32_t field);

/* What cycles are of samples of that kind (enum precis_event_kind); -1: none, or that of the event */
int by_latency_of(const struct by_request *request, uint32_t kind);

/* A key or a column in words: what it is of, 'kind' and 'what' one behind the other */
struct by_word {
	const char *name, *kind, *what; /* static; 'name' NULL: there are no more */
};

/* All of them: the n-th */
struct by_word by_key_word(uint32_t n);
struct by_word by_column_word(uint32_t n);

/* Their names, for whoever mistypes one; NULL past the last */
const char *by_key_name(uint32_t n);
const char *by_column_name(uint32_t n);

#endif
