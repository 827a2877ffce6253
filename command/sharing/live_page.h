/* SPDX-License-Identifier: BSD-3-Clause */
/* What experiments with a running program say, as a document. */
#ifndef SHARING_LIVE_PAGE_H
#define SHARING_LIVE_PAGE_H

#include "analysis/sharing/answer.h"
#include "live_run.h"
#include "statistics/table.h"

/* What tables and plots are made from. Zeroed memory is empty. */
struct live_page {
	struct analysis_about about;
	struct sharing_request request;
	struct sharing sharing;
	struct sharing_answer answer;
	uint32_t pid;
	uint32_t party_of[WATCH_THREADS_MOST]; /* of each thread (live_parties.h) */
	double within; /* transfers that are between no two parties */
};

/* @param by  enum sharing_by, not SHARING_BY_PROCESS. 0, or -1 if memory is short; to be freed in any case */
int live_page_init(struct live_page *page, const struct live_observed *observed, uint32_t top,
		   unsigned int by);
void live_page_free(struct live_page *page);

/* Of the matrix */
const char *live_page_title(const struct live_request *request);

void live_page_tables(struct document *document, const struct live_page *page,
		      const struct live_request *request, const struct live_observed *observed);

#endif
