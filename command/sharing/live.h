/* SPDX-License-Identifier: BSD-3-Clause */
/* Who shares lines with whom in a program that runs: its stores, and experiments with some of these. */
#ifndef SHARING_LIVE_H
#define SHARING_LIVE_H

#include "live_result.h"

/* EXIT_OK; or an exit code, after the error was printed. To be freed in any case */
int live_run(const struct live_request *request, struct live_result *result);
void live_free(struct live_result *result);

/* So many stores of the writer's there were for each that its experiments stand for; 0: none was made */
double live_scale(const struct live_result *result, const struct live_thread *writer);

#endif
