/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a sample as text: "name=value …", or a line of CSV. */
#ifndef DLFILTER_ROW_H
#define DLFILTER_ROW_H

#include <stdio.h>

#include "arguments.h"

void row_header(const struct arguments *arguments, FILE *to);

/* 'event' is the name of the sample's event. */
void row_write(const struct arguments *arguments, const struct precis_sample *sample,
	       const char *event, FILE *to);

#endif
