/* SPDX-License-Identifier: BSD-3-Clause */
/* The checksum by which .gnu_debuglink names a file: CRC-32 of ISO 3309, reflected. */
#ifndef PRECIS_SYMBOLS_CRC32_H
#define PRECIS_SYMBOLS_CRC32_H

#include <stdint.h>

/** Of a whole file, from its start. @return 0 if it cannot be read */
int precis_crc32_of_file(int fd, uint32_t *crc);

#endif
