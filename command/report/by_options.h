/* SPDX-License-Identifier: BSD-3-Clause */
/* What samples are to be told apart by, as the command line has it. */
#ifndef REPORT_BY_OPTIONS_H
#define REPORT_BY_OPTIONS_H

#include "analysis/by/request.h"

/* Values of options. Each: EXIT_OK, or an exit code after the error has been printed */
int by_take_keys(struct by_request *request, const char *command, const char *value);
int by_take_columns(struct by_request *request, const char *command, const char *value);
int by_take_latency(struct by_request *request, const char *command, const char *value);

/* What "help" in place of keys or columns prints. An exit code */
int by_help_keys(const struct by_request *request, const char *command);
int by_help_columns(const struct by_request *request, const char *command);

/* When the others are known; NULL: it was not given */
int by_take_sort(struct by_request *request, const char *command, const char *value);

#endif
