/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorded kernel: what is mapped in its address space, and its list of symbols. */
#ifndef PRECIS_SYMBOLS_KERNEL_H
#define PRECIS_SYMBOLS_KERNEL_H

#include <precis/kernel_records.h>

#include "images.h"
#include "objects.h"
#include "places.h"

#define KERNEL_NAME "[kernel.kallsyms]"
#define KERNEL_REFERENCE_ROOM 32

struct kernel {
	struct images images; /* functions come and go */
	/* The symbol that the recorder took to tell where the kernel was loaded, "" if none */
	char reference[KERNEL_REFERENCE_ROOM];
	uint64_t reference_address; /* in the recording */
	int is_read; /* or the attempt was made */
	enum precis_symbol_absent absent; /* why the table has nothing */
	struct symbol_table table; /* by the addresses of the list */
	uint64_t moved; /* from there to the recording's */
};

/**
 * The name by which perf has an object of the kernel: "[ext4]" for /lib/modules/…/ext4.ko.xz.
 * @param name  as recorded
 * @param room  at least KERNEL_NAME_ROOM
 * @return the name, and its length
 */
const char *precis_kernel_object_name(const char *name, char *room, size_t *length);
#define KERNEL_NAME_ROOM 72

/** A mapping of the kernel's. @return 0, PRECIS_E_NO_MEMORY */
int precis_kernel_map(struct kernel *kernel, struct objects *objects, const struct precis_mmap *map,
		      struct budget *budget);

/**
 * KSYMBOL: a function that was made or thrown away.
 * @return 0, PRECIS_E_NO_MEMORY, or the error of a body that does not parse
 */
int precis_kernel_ksymbol(struct kernel *kernel, struct objects *objects,
			  const struct precis_record *record, uint64_t time, struct budget *budget);

/** The symbol at an offset of an object of the kernel's, or NULL: 'absent' is set. */
const struct symbol *precis_kernel_symbol(struct kernel *kernel, struct objects *objects,
					  const struct places *places, const struct object *object,
					  uint64_t offset, uint64_t *symbol_offset,
					  enum precis_symbol_absent *absent);

void precis_kernel_free(struct kernel *kernel, struct budget *budget);

#endif
