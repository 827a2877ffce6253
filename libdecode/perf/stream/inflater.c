/* SPDX-License-Identifier: BSD-3-Clause */
/* See inflater.h. */
#include "inflater.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#ifdef HAVE_ZSTD

#include <zstd.h>

/* Of zstd's own limits of the window: 27 is what perf's highest level makes. */
#define WINDOW_LOG_LEAST 20
#define WINDOW_LOG_MOST 27

static int window_log(uint64_t memory)
{
	int log = WINDOW_LOG_MOST;

	while (log > WINDOW_LOG_LEAST && UINT64_C(1) << log > memory)
		log--;
	return log;
}

int precis_inflater_new(size_t window_bytes, uint64_t memory, struct inflater **inflater)
{
	struct inflater *made = malloc(sizeof(*made) + window_bytes);
	ZSTD_DStream *stream = made ? ZSTD_createDStream() : NULL;

	if (!stream) {
		free(made);
		return PRECIS_E_NO_MEMORY;
	}
	ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, window_log(memory));
	made->stream = stream;
	made->window_bytes = window_bytes;
	made->limit = INFLATER_LIMIT;
	precis_inflater_reset(made);
	*inflater = made;
	return 0;
}

void precis_inflater_free(struct inflater *inflater)
{
	if (!inflater)
		return;
	ZSTD_freeDStream(inflater->stream);
	free(inflater);
}

void precis_inflater_reset(struct inflater *inflater)
{
	ZSTD_DCtx_reset(inflater->stream, ZSTD_reset_session_only);
	inflater->at = inflater->window;
	inflater->end = inflater->window;
	inflater->end_offset = 0;
	inflater->input = NULL;
	inflater->input_bytes = 0;
	inflater->fed = 0;
	inflater->magic_seen = 0;
	inflater->is_drained = 1;
	inflater->reason = NULL;
	inflater->is_over = 0;
}

/*
 * A frame has to begin as perf's do. zstd may also have been built to read the
 * formats of before 2016, by code that was not made for damaged input.
 */
static int begins_well(struct inflater *inflater, const ZSTD_inBuffer *in)
{
	static const uint8_t magic[] = { 0x28, 0xb5, 0x2f, 0xfd }; /* RFC 8878, 3.1.1 */
	const uint8_t *bytes = in->src;

	for (size_t at = in->pos; at < in->size && inflater->magic_seen < sizeof(magic); at++) {
		if (bytes[at] != magic[inflater->magic_seen])
			return 0;
		inflater->magic_seen++;
	}
	return 1;
}

/* Decompress into the window behind its end, until it is full or the input is used up. */
static void inflate(struct inflater *inflater)
{
	size_t used = (size_t)(inflater->end - inflater->window), code = 0, before;
	ZSTD_outBuffer out = { inflater->window, inflater->window_bytes, used };
	ZSTD_inBuffer in = { inflater->input, inflater->input_bytes, 0 };

	do {
		if (!begins_well(inflater, &in)) {
			inflater->reason = "another magic where a frame should begin";
			break;
		}
		before = in.pos + out.pos;
		code = ZSTD_decompressStream(inflater->stream, &out, &in);
		if (!code)
			inflater->magic_seen = 0;
	} while (!ZSTD_isError(code) && out.pos < out.size && in.pos + out.pos > before);
	inflater->is_drained = out.pos < out.size;
	inflater->end = inflater->window + out.pos;
	inflater->end_offset += out.pos - used;
	inflater->input = in.pos ? inflater->input + in.pos : inflater->input;
	inflater->input_bytes -= in.pos;
	if (ZSTD_isError(code))
		inflater->reason = ZSTD_getErrorName(code);
}

static void stop_if_too_much(struct inflater *inflater)
{
	if (inflater->reason || inflater->end_offset <= INFLATER_FREE ||
	    inflater->end_offset / inflater->limit <= inflater->fed)
		return;
	inflater->reason = "more than the limit of expansion";
	inflater->is_over = 1;
}

int precis_inflater_need(struct inflater *inflater, size_t count)
{
	size_t left = (size_t)(inflater->end - inflater->at);

	if (left >= count)
		return 0;
	if (!inflater->reason && (inflater->input_bytes || !inflater->is_drained)) {
		if (left)
			memmove(inflater->window, inflater->at, left);
		inflater->at = inflater->window;
		inflater->end = inflater->window + left;
		inflate(inflater);
		stop_if_too_much(inflater);
		left = (size_t)(inflater->end - inflater->at);
	}
	if (left >= count || !inflater->reason)
		return 0;
	return inflater->is_over ? PRECIS_E_EXPANSION : PRECIS_E_COMPRESSION;
}

#else

int precis_inflater_new(size_t window_bytes, uint64_t memory, struct inflater **inflater)
{
	(void)window_bytes;
	(void)memory;
	(void)inflater;
	return PRECIS_E_UNSUPPORTED;
}

void precis_inflater_free(struct inflater *inflater)
{
	(void)inflater;
}

void precis_inflater_reset(struct inflater *inflater)
{
	(void)inflater;
}

int precis_inflater_need(struct inflater *inflater, size_t count)
{
	(void)inflater;
	(void)count;
	return PRECIS_E_UNSUPPORTED;
}

#endif

void precis_inflater_feed(struct inflater *inflater, const uint8_t *bytes, size_t count)
{
	inflater->input = bytes;
	inflater->input_bytes = count;
	inflater->fed += count;
}
