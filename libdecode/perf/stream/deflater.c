/* SPDX-License-Identifier: BSD-3-Clause */
/* See deflater.h. */
#include "deflater.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "libdecode/perf/records/record_header.h"

#ifdef HAVE_ZSTD

#include <zstd.h>

int precis_deflater_new(int level, struct deflater **deflater)
{
	struct deflater *made = malloc(sizeof(*made));
	ZSTD_CStream *stream = made ? ZSTD_createCStream() : NULL;

	if (!stream) {
		free(made);
		return PRECIS_E_NO_MEMORY;
	}
	ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, level);
	made->stream = stream;
	made->level = level;
	made->taken = 0;
	made->in = 0;
	made->out = 0;
	*deflater = made;
	return 0;
}

void precis_deflater_free(struct deflater *deflater)
{
	if (!deflater)
		return;
	ZSTD_freeCStream(deflater->stream);
	free(deflater);
}

int precis_deflater_flush(struct deflater *deflater)
{
	ZSTD_inBuffer in = { deflater->chunk, deflater->taken, 0 };
	ZSTD_outBuffer out = { deflater->record, RECORD_MAX_BYTES, RECORD_HEADER_BYTES };

	if (!deflater->taken)
		return 0;
	if (ZSTD_compressStream2(deflater->stream, &out, &in, ZSTD_e_flush))
		return PRECIS_E_COMPRESSION;
	record_header_store(deflater->record, PRECIS_RECORD_COMPRESSED, (uint16_t)out.pos);
	deflater->in += deflater->taken;
	deflater->out += out.pos;
	deflater->taken = 0;
	return (int)out.pos;
}

#else

int precis_deflater_new(int level, struct deflater **deflater)
{
	(void)level;
	(void)deflater;
	return PRECIS_E_UNSUPPORTED;
}

void precis_deflater_free(struct deflater *deflater)
{
	(void)deflater;
}

int precis_deflater_flush(struct deflater *deflater)
{
	(void)deflater;
	return PRECIS_E_UNSUPPORTED;
}

#endif

size_t precis_deflater_take(struct deflater *deflater, const uint8_t *bytes, size_t count)
{
	size_t room = DEFLATER_CHUNK - deflater->taken;

	if (count > room)
		count = room;
	memcpy(deflater->chunk + deflater->taken, bytes, count);
	deflater->taken += count;
	return count;
}
