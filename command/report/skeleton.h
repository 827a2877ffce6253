/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording without its records: events, the machine, what recorded. What was counted of the
 * recording, and such a file, are all that is to be known of it when its samples are counted
 * (precis_file_state()).
 */
#ifndef REPORT_SKELETON_H
#define REPORT_SKELETON_H

#include <stddef.h>
#include <stdint.h>

#include <precis/precis.h>

/* As bytes, to be freed. 0, or -1 and errno */
int skeleton_make(const struct precis_file *file, uint8_t **bytes, size_t *count);

/* A descriptor that reads these bytes; -1 and errno */
int skeleton_open(const uint8_t *bytes, size_t count);

#endif
