/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What analyses counted, as bytes, and from bytes again.
 *
 * There is one description of a state, which is gone through in both directions: what is saved and what is
 * loaded cannot differ. Where a struct allows it the description is a table of its members (fields.h);
 * where it does not, a function that calls those below for each thing in turn, which write what they are
 * given, or fill it. Numbers stand with their low byte first, on any machine.
 *
 * Bytes may be anything: counts are bounded by the bytes that are left, before memory is taken for them,
 * and what is used as a number of something is checked by who knows how many there are.
 */
#ifndef ANALYSIS_SAVING_SAVING_H
#define ANALYSIS_SAVING_SAVING_H

#include <stddef.h>
#include <stdint.h>

/* Of what is saved. Members that came later say since when they are there (fields.h) */
#define SAVING_VERSION 7u

/*
 * Whether sums of weights are integers of 128 bits or, where there are none, doubles
 * (statistics/weighted.h)
 */
enum saving_sums { SAVING_SUMS_INTEGER = 1, SAVING_SUMS_DOUBLE = 2 };
enum saving_sums saving_sums(void);

/* Texts that were loaded, each once, as static strings are. Zeroed memory has none. */
struct saved_texts {
	void *tree; /* tsearch(3) */
	struct saved_copy *copies;
};
void saved_texts_free(struct saved_texts *texts);

#define SAVING_EXPECTED 160

struct saving {
	int is_loading;
	uint8_t *bytes; /* those written so far; of loading all there are */
	size_t count, room; /* loading: how far it is; how many there are */
	/* Of saving: takes all there are, where they are many. 0, or -1 with errno set; NULL: all stay */
	int (*spill)(void *to, const uint8_t *bytes, size_t count);
	void *spill_to;
	uint64_t offset; /* of the first one in the file */
	uint32_t version; /* of the file */
	struct saved_texts *texts; /* of loading: texts live as long as these */
	int is_out_of_memory;
	int is_damaged;
	uint64_t damaged_at; /* in the file … */
	char expected[SAVING_EXPECTED]; /* … and what was expected there */
};

/* Zeroed otherwise. Bytes that are written are to be freed. */
struct saving saving_begin(void);
struct saving loading_begin(const void *bytes, size_t count, uint64_t offset, uint32_t version,
			    struct saved_texts *texts);
void saving_free(struct saving *saving);

/* Those that are there go to spill(), whatever their number. */
void saving_spill(struct saving *saving);

static inline int saving_failed(const struct saving *saving)
{
	return saving->is_out_of_memory || saving->is_damaged;
}

/* Something else was expected than what was read last: no more is read. The first one counts. */
void saving_damaged(struct saving *saving, const char *format, ...) __attribute__((format(printf, 2, 3)));
void saving_no_memory(struct saving *saving);

/* All has been loaded: nothing is left. */
void loading_end(struct saving *saving);

/* One thing each. Of what cannot be loaded there is 0. */
void saved_u8(struct saving *saving, uint8_t *value);
void saved_u32(struct saving *saving, uint32_t *value);
void saved_u64(struct saving *saving, uint64_t *value);
void saved_double(struct saving *saving, double *value);
void saved_int(struct saving *saving, int *value);
void saved_bytes(struct saving *saving, void *bytes, size_t count);

/* Less than that, or the bytes are damaged: then it is 0. 'what' it is a number of, for the error */
void saved_below(struct saving *saving, uint32_t *value, uint64_t limit, const char *what);

/* How many of something follow, at most so many, each of at least so many bytes */
uint32_t saved_count(struct saving *saving, uint64_t count, uint64_t most, size_t least_bytes,
		     const char *what);

/* Is there something? 0 or 1 */
int saved_is_there(struct saving *saving, int is_there);

/* NULL is a text of its own. */
void saved_text(struct saving *saving, const char **text);

/* Loaded, it is one of its own, as a pointer that stands for something. */
void saved_own_text(struct saving *saving, const char **text);

#endif
