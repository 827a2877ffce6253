/* SPDX-License-Identifier: BSD-3-Clause */
/* See named.h. */
#include "named.h"

void sharing_memory_of(const struct sharing *sharing, const struct sharing_line *line,
		       struct precis_memory *memory)
{
	struct precis_symbols *symbols = sharing_symbols(sharing, line->recording);

	*memory = (struct precis_memory){ .size = sizeof(*memory) };
	if (line->told)
		*memory = sharing->told_of.memories[line->told - 1];
	else if (symbols)
		precis_symbols_memory(symbols, line->pid, line->time, line->address, memory);
}

void sharing_place_of(const struct sharing *sharing, const struct sharing_line *line,
		      const struct sharing_way *way, struct sharing_place *place)
{
	const uint32_t mode =
		way->flags & SHARING_KERNEL ? PRECIS_CPUMODE_KERNEL : PRECIS_CPUMODE_USER;
	struct precis_symbols *symbols = sharing_symbols(sharing, line->recording);
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line source = { .size = sizeof(source) };

	if (way->told) {
		*place = sharing->told_of.places[way->told - 1];
		return;
	}
	if (symbols && sharing->about->symbols)
		precis_symbols_find(symbols, way->pid, mode, way->time, way->ip, &location);
	else if (symbols)
		precis_symbols_locate(symbols, way->pid, mode, way->time, way->ip, &location);
	if (symbols && sharing->about->symbols && location.object)
		precis_symbols_line(symbols, &location, &source);
	*place = (struct sharing_place){ location.object, location.symbol, location.symbol_offset,
					 source.file, source.number };
}
