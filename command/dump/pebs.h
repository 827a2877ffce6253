/* SPDX-License-Identifier: BSD-3-Clause */
/* precis dump --pebs-format: the records of a PEBS buffer instead of a recording's. */
#ifndef DUMP_PEBS_H
#define DUMP_PEBS_H

#include "dump.h"
#include "command/pebs/options.h"

/*
 * Read the records of a file that recording_name() named, and print what is selected, at most
 * 'max'. An exit code; errors have been printed. 'dump' has its format and columns; 'output'
 * is the path of -o.
 */
int dump_pebs(struct dump *dump, const struct pebs_options *options,
	      const struct selection *selection, struct recording *file, const char *output,
	      uint64_t max);

#endif
