#ifndef PRECIS_ESCAPE_H
#define PRECIS_ESCAPE_H

#include <precis/export.h>

#include <stddef.h>
#include <stdint.h>

PRECIS_BEGIN_DECLS

#define PRECIS_ESCAPE_MOST 10u

#define PRECIS_ESCAPE_CELL 1u

PRECIS_API size_t precis_escape(const char *text, size_t count, uint32_t flags, char *out,
				size_t room, size_t *used);

PRECIS_API size_t precis_utf8_bytes(const char *text, size_t count);

PRECIS_END_DECLS

#endif
