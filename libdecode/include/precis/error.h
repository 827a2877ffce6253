/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of the library, and their texts. */
#ifndef PRECIS_ERROR_H
#define PRECIS_ERROR_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

/**
 * What a libprecis function says when it cannot do what was asked.
 *
 * Functions return 0 or a count on success and one of these, negative, on
 * failure. The numbers are ABI: new ones are added at the end.
 */
enum precis_error {
	PRECIS_OK = 0,
	PRECIS_E_ARGUMENT = -1,      /* a null pointer, a size that no struct has, a bad option */
	PRECIS_E_NO_MEMORY = -2,     /* malloc failed */
	PRECIS_E_IO = -3,            /* a system call failed; the file's error has errno */
	PRECIS_E_NOT_PERF_DATA = -4, /* the magic is none of perf's */
	PRECIS_E_TRUNCATED = -5,     /* the bytes end before the structure does */
	PRECIS_E_BAD_SIZE = -6,      /* a size field contradicts what surrounds it */
	PRECIS_E_UNSUPPORTED = -7,   /* recognised, and not read by this version */
	PRECIS_E_ENDIAN = -8,        /* written by a machine of the other byte order */
	PRECIS_E_NO_PAYLOAD = -9,    /* RAW is only the kernel's 4-byte filler, or absent */
	PRECIS_E_NOT_A_SAMPLE = -10, /* the control register has Val=0 or En=0 */
	PRECIS_E_BAD_CAPS = -11,     /* an IBS capability word without bit 0 */
	PRECIS_E_BAD_ID = -12,       /* a sample's id belongs to no event of the recording */
	PRECIS_E_UNKNOWN_BITS = -13, /* bits whose layout is not known: sample_type, PEBS */
	PRECIS_E_SYNTAX = -14,       /* an expression or a list does not parse */
	PRECIS_E_NO_FIELD = -15,     /* no field of that name */
	PRECIS_E_NO_SPACE = -16,     /* the caller's buffer is too small */
	PRECIS_E_DIRECTORY = -17,    /* a directory was given where a file is read */
	PRECIS_E_COMPRESSION = -18,  /* compressed data that does not decompress */
	PRECIS_E_FRAGMENT = -19,     /* architectural PEBS: a fragment that begins no record */
	PRECIS_E_EXPANSION = -20,    /* compressed data become more than the caller's limit */
	PRECIS_E_NOT_OBJECTS = -21   /* the magic is not that of a side file of objects */
};

/**
 * The meaning of an error in a few words, without a final full stop.
 *
 * @param code  any value; one that is no enum precis_error gives "unknown error"
 * @return a static string, never NULL
 */
PRECIS_API const char *precis_strerror(int code);

PRECIS_END_DECLS

#endif
