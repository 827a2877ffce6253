/* SPDX-License-Identifier: BSD-3-Clause */
/* Callchains: addresses, and words between them that say whose they are. */
#include <precis/kernel_records.h>

#include "libdecode/perf/records/record_body.h"
#include "libdecode/sample/abi.h"

#define WORD 8u
/* PERF_CONTEXT_MAX: from here on words are no addresses */
#define FIRST_CONTEXT ((uint64_t)-4095)
#define USER_DEFERRED ((uint64_t)-640)

/* PERF_CONTEXT_* */
static const struct {
	uint64_t word;
	const char *name;
} contexts[] = {
	{ (uint64_t)-32, "hypervisor" },   { (uint64_t)-128, "kernel" },
	{ (uint64_t)-512, "user" },        { USER_DEFERRED, "user deferred" },
	{ (uint64_t)-2048, "guest" },      { (uint64_t)-2176, "guest kernel" },
	{ (uint64_t)-2560, "guest user" },
};

static const char *context_name(uint64_t word)
{
	for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++) {
		if (contexts[i].word == word)
			return contexts[i].name;
	}
	return NULL;
}

int precis_callchain_entry(struct precis_bytes callchain, uint64_t n,
			   struct precis_callchain_entry *entry)
{
	uint64_t before;

	ABI_OUT(struct precis_callchain_entry, entry, precis_callchain_entry(callchain, n, &abi));
	if (precis_bytes_u64(callchain, n, &entry->value))
		return PRECIS_E_ARGUMENT;
	entry->kind = PRECIS_CALLCHAIN_ADDRESS;
	entry->context = NULL;
	if (n && !precis_bytes_u64(callchain, n - 1, &before) && before == USER_DEFERRED) {
		entry->kind = PRECIS_CALLCHAIN_COOKIE;
	} else if (entry->value >= FIRST_CONTEXT) {
		entry->kind = PRECIS_CALLCHAIN_CONTEXT;
		entry->context = context_name(entry->value);
	}
	return 0;
}

int precis_callchain_deferred_parse(const struct precis_record *record,
				    struct precis_callchain_deferred *deferred)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_CALLCHAIN_DEFERRED, &body);

	ABI_OUT(struct precis_callchain_deferred, deferred,
		precis_callchain_deferred_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &deferred->cookie) ||
	    !cursor_counted(&body, WORD, &deferred->count, &deferred->callchain))
		return PRECIS_E_TRUNCATED;
	return 0;
}
