/* SPDX-License-Identifier: BSD-3-Clause */
/* What struct precis_symbols is made of. */
#ifndef PRECIS_SYMBOLS_MODEL_H
#define PRECIS_SYMBOLS_MODEL_H

#include <precis/symbols.h>

#include "found.h"
#include "images.h"
#include "kernel.h"
#include "names.h"
#include "objects.h"
#include "past.h"
#include "places.h"
#include "tasks.h"

struct process {
	uint32_t pid;
	struct images images;
	/*
	 * What is no code, or has another name as code: over what is in 'images'; empty where that is
	 * not learnt
	 */
	struct images memory;
};

struct precis_symbols {
	struct budget budget;
	int learns_data;
	struct places places;
	struct objects objects;
	struct kernel kernel;
	struct tasks tasks;
	void *processes; /* of tsearch(3): no choice of pids makes it slow */
	struct pasts pasts; /* of their mappings */
	struct process *last; /* that was looked up: samples come in runs */
	uint64_t state; /* counts what changed the model */
	struct found_cache found;
	struct names source_files;
	struct object *with_lines; /* list by 'next_with_lines' */
	size_t lines_bytes; /* that these take */
};

/** What a location names. @return NULL: 'absent' is set */
struct object *precis_symbols_object(struct precis_symbols *symbols,
				     const struct precis_location *location,
				     enum precis_symbol_absent *absent);

/** @return NULL if no record told of mappings of that process */
struct process *precis_process_find(struct precis_symbols *symbols, uint32_t pid);

#endif
