/* SPDX-License-Identifier: BSD-3-Clause */
/* What the dynamic linker says of the libraries that are loaded, the program among them. */
#ifndef PRECIS_RECORDER_LIBRARIES_H
#define PRECIS_RECORDER_LIBRARIES_H

#include <stddef.h>
#include <stdint.h>

struct dl_phdr_info; /* <link.h> with _GNU_SOURCE */

/* How often one was loaded or unloaded: where that is the same, so are they. */
uint64_t libraries_changes(void);

/* @return bytes of the build id; 0: it has none, or one of more than 'room' */
uint32_t libraries_build_id(const struct dl_phdr_info *info, uint8_t *id, size_t room);

#endif
