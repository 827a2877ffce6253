/* SPDX-License-Identifier: BSD-3-Clause */
/* See saving.h. */
#define _GNU_SOURCE /* tdestroy() */
#include "saving.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In place of the length of a text: there is none */
#define TEXT_NONE UINT32_MAX

enum saving_sums saving_sums(void)
{
#ifdef __SIZEOF_INT128__
	return SAVING_SUMS_INTEGER;
#else
	return SAVING_SUMS_DOUBLE;
#endif
}

struct saving saving_begin(void)
{
	return (struct saving){ .version = SAVING_VERSION };
}

struct saving loading_begin(const void *bytes, size_t count, uint64_t offset, uint32_t version,
			    struct saved_texts *texts)
{
	return (struct saving){
		.is_loading = 1, .bytes = (uint8_t *)(uintptr_t)bytes, .room = count, .offset = offset,
		.version = version, .texts = texts,
	};
}

void saving_free(struct saving *saving)
{
	if (!saving->is_loading)
		free(saving->bytes);
	saving->bytes = NULL;
}

void saving_damaged(struct saving *saving, const char *format, ...)
{
	va_list arguments;

	if (saving_failed(saving))
		return;
	saving->is_damaged = 1;
	saving->damaged_at = saving->offset + saving->count;
	va_start(arguments, format);
	vsnprintf(saving->expected, sizeof(saving->expected), format, arguments);
	va_end(arguments);
}

void saving_no_memory(struct saving *saving)
{
	saving->is_out_of_memory |= !saving_failed(saving);
}

void loading_end(struct saving *saving)
{
	if (saving->count < saving->room)
		saving_damaged(saving, "expected the end, found %zu more bytes",
			       saving->room - saving->count);
}

/* --- bytes --- */

#define SPILL_BYTES ((size_t)1 << 20)

void saving_spill(struct saving *saving)
{
	if (saving_failed(saving))
		return;
	if (saving->spill(saving->spill_to, saving->bytes, saving->count) < 0)
		saving_damaged(saving, "what is to be saved cannot be kept in a temporary file: %s",
			       strerror(errno));
	saving->count = 0;
}

static int make_room(struct saving *saving, size_t count)
{
	size_t room = saving->room ? saving->room : 256;
	uint8_t *more;

	if (saving->spill && saving->count >= SPILL_BYTES)
		saving_spill(saving);
	if (saving_failed(saving))
		return -1;
	if (saving->room - saving->count >= count)
		return 0;
	while (room - saving->count < count)
		room *= 2;
	more = realloc(saving->bytes, room);
	if (!more) {
		saving_no_memory(saving);
		return -1;
	}
	saving->bytes = more;
	saving->room = room;
	return 0;
}

/* The next so many bytes to be filled, or that are there; NULL: there are none */
static uint8_t *next(struct saving *saving, size_t count)
{
	uint8_t *at;

	if (saving_failed(saving))
		return NULL;
	if (saving->is_loading && saving->room - saving->count < count) {
		saving_damaged(saving, "expected %zu bytes, found %zu before the end", count,
			       saving->room - saving->count);
		return NULL;
	}
	if (!saving->is_loading && make_room(saving, count) < 0)
		return NULL;
	at = saving->bytes + saving->count;
	saving->count += count;
	return at;
}

void saved_bytes(struct saving *saving, void *bytes, size_t count)
{
	uint8_t *at = count ? next(saving, count) : NULL;

	if (!at && saving->is_loading && count)
		memset(bytes, 0, count);
	if (at)
		memcpy(saving->is_loading ? bytes : at, saving->is_loading ? at : bytes, count);
}

/* A number of so many bytes, the low one first */
static void number(struct saving *saving, uint64_t *value, uint32_t bytes)
{
	uint8_t *at = next(saving, bytes);
	uint64_t found = 0;

	for (uint32_t n = 0; at && n < bytes; n++) {
		if (saving->is_loading)
			found |= (uint64_t)at[n] << 8 * n;
		else
			at[n] = (uint8_t)(*value >> 8 * n);
	}
	if (saving->is_loading)
		*value = found;
}

void saved_u8(struct saving *saving, uint8_t *value)
{
	uint64_t wide = *value;

	number(saving, &wide, 1);
	*value = (uint8_t)wide;
}

void saved_u32(struct saving *saving, uint32_t *value)
{
	uint64_t wide = *value;

	number(saving, &wide, 4);
	*value = (uint32_t)wide;
}

void saved_u64(struct saving *saving, uint64_t *value)
{
	number(saving, value, 8);
}

void saved_double(struct saving *saving, double *value)
{
	uint64_t bits;

	_Static_assert(sizeof(bits) == sizeof(*value), "IEEE 754");
	memcpy(&bits, value, sizeof(bits));
	number(saving, &bits, 8);
	memcpy(value, &bits, sizeof(bits));
}

void saved_int(struct saving *saving, int *value)
{
	uint32_t bits = (uint32_t)*value;

	saved_u32(saving, &bits);
	*value = (int)bits;
}

/* --- numbers of something --- */

void saved_below(struct saving *saving, uint32_t *value, uint64_t limit, const char *what)
{
	const size_t at = saving->count;
	uint64_t found;

	saved_u32(saving, value);
	found = *value;
	if (!saving->is_loading || found < limit)
		return;
	*value = 0;
	saving->count = saving_failed(saving) ? saving->count : at;
	saving_damaged(saving, "expected %s below %" PRIu64 ", found %" PRIu64, what, limit, found);
}

uint32_t saved_count(struct saving *saving, uint64_t count, uint64_t most, size_t least_bytes,
		     const char *what)
{
	const size_t at = saving->count;

	saved_u64(saving, &count);
	if (!saving->is_loading || saving_failed(saving))
		return saving_failed(saving) ? 0 : (uint32_t)count;
	if (count <= most && count <= (saving->room - saving->count) / least_bytes)
		return (uint32_t)count;
	saving->count = at;
	saving_damaged(saving, "expected at most %" PRIu64 " %s, found %" PRIu64 " of %zu bytes or more",
		       most,
		       what, count, least_bytes);
	return 0;
}

int saved_is_there(struct saving *saving, int is_there)
{
	uint8_t byte = is_there != 0;

	saved_u8(saving, &byte);
	if (byte > 1)
		saving_damaged(saving, "expected 0 or 1, found %u", byte);
	return byte == 1 && !saving_failed(saving);
}

/* --- texts --- */

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* A text that is another one than those that are the same */
struct saved_copy {
	struct saved_copy *next;
	char text[];
};

void saved_texts_free(struct saved_texts *texts)
{
	while (texts->copies) {
		struct saved_copy *next = texts->copies->next;

		free(texts->copies);
		texts->copies = next;
	}
	tdestroy(texts->tree, free);
	texts->tree = NULL;
}

/* The one that is the same, or that one, which is the pool's then. NULL: memory is short */
static const char *intern(struct saved_texts *texts, char *text)
{
	char **found = tsearch(text, &texts->tree, by_text);

	if (!found || *found != text)
		free(text);
	return found ? *found : NULL;
}

static const char *load_text(struct saving *saving, uint32_t length)
{
	char *text = malloc((size_t)length + 1);
	const char *kept;

	if (!text) {
		saving_no_memory(saving);
		return NULL;
	}
	saved_bytes(saving, text, length);
	text[length] = '\0';
	if (strlen(text) != length)
		saving_damaged(saving, "expected a text of %" PRIu32 " characters", length);
	if (saving_failed(saving)) {
		free(text);
		return NULL;
	}
	kept = intern(saving->texts, text);
	if (!kept)
		saving_no_memory(saving);
	return kept;
}

void saved_text(struct saving *saving, const char **text)
{
	uint32_t length = !saving->is_loading && *text ? (uint32_t)strlen(*text) : TEXT_NONE;

	saved_u32(saving, &length);
	if (!saving->is_loading) {
		if (*text)
			saved_bytes(saving, (void *)(uintptr_t)*text, length);
		return;
	}
	*text = NULL;
	if (saving_failed(saving) || length == TEXT_NONE)
		return;
	if (length > saving->room - saving->count)
		saving_damaged(saving, "expected a text, found a length of %" PRIu32, length);
	else
		*text = load_text(saving, length);
}

void saved_own_text(struct saving *saving, const char **text)
{
	struct saved_copy *copy;
	size_t bytes;

	saved_text(saving, text);
	if (!saving->is_loading || !*text)
		return;
	bytes = strlen(*text) + 1;
	copy = malloc(sizeof(*copy) + bytes);
	if (!copy) {
		saving_no_memory(saving);
		*text = NULL;
		return;
	}
	memcpy(copy->text, *text, bytes);
	copy->next = saving->texts->copies;
	saving->texts->copies = copy;
	*text = copy->text;
}
