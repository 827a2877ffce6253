/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts of errors. */
#include <precis/error.h>

static const char *const error_texts[] = {
	[-PRECIS_OK] = "no error",
	[-PRECIS_E_ARGUMENT] = "invalid argument",
	[-PRECIS_E_NO_MEMORY] = "out of memory",
	[-PRECIS_E_IO] = "input/output error",
	[-PRECIS_E_NOT_PERF_DATA] = "not a perf.data file",
	[-PRECIS_E_TRUNCATED] = "truncated",
	[-PRECIS_E_BAD_SIZE] = "a size contradicts what surrounds it",
	[-PRECIS_E_UNSUPPORTED] = "not supported by this version",
	[-PRECIS_E_ENDIAN] = "written by a machine of the other byte order",
	[-PRECIS_E_NO_PAYLOAD] = "no raw payload in the sample",
	[-PRECIS_E_NOT_A_SAMPLE] = "the payload's control register is not that of a sample",
	[-PRECIS_E_BAD_CAPS] = "invalid IBS capability word",
	[-PRECIS_E_BAD_ID] = "the sample's id belongs to no event",
	[-PRECIS_E_UNKNOWN_BITS] = "bits whose layout is not known",
	[-PRECIS_E_SYNTAX] = "syntax error",
	[-PRECIS_E_NO_FIELD] = "no such field",
	[-PRECIS_E_NO_SPACE] = "too long",
	[-PRECIS_E_DIRECTORY] = "is a directory",
	[-PRECIS_E_EXPANSION] = "compressed data become too many",
	[-PRECIS_E_COMPRESSION] = "compressed data that does not decompress",
	[-PRECIS_E_NOT_OBJECTS] = "not a side file of objects",
	[-PRECIS_E_FRAGMENT] = "a fragment without the record that it continues",
};

const char *precis_strerror(int code)
{
	if (code > 0 || -(long)code >= (long)(sizeof(error_texts) / sizeof(error_texts[0])))
		return "unknown error";
	return error_texts[-code];
}
