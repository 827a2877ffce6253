/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorded kernel: what is mapped in its address space, and its list of symbols. */
#ifndef PRECIS_SYMBOLS_KERNEL_H
#define PRECIS_SYMBOLS_KERNEL_H

#include <precis/kernel_records.h>

#include "elf_image.h"
#include "images.h"
#include "objects.h"
#include "places.h"

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
	int running_is_sought;
	int is_running; /* here, wherever the list is of */
	uint64_t running_moved; /* from where it runs to the recording's */
	int image_is_sought;
	enum precis_symbol_absent image_absent;
	struct elf_image image; /* its vmlinux, if there is one */
};

int precis_is_kernel_itself(const struct object *object);

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

/** Whether the recorded kernel is the one that runs here, and where, if that has not been sought before. */
void precis_kernel_seek_running(struct kernel *kernel, struct objects *objects);

/** The symbol at an offset of an object of the kernel's, or NULL: 'absent' is set. */
const struct symbol *precis_kernel_symbol(struct kernel *kernel, struct objects *objects,
					  const struct places *places, const struct object *object,
					  uint64_t offset, uint64_t *symbol_offset,
					  enum precis_symbol_absent *absent);

/**
 * Code at an offset of an object of the kernel's: of its memory, as recorded beside the samples or as it
 * is here, or else of its vmlinux, which has not what a kernel changes of itself as it starts.
 * @param bytes  'room' and 'most' are set
 * @return PRECIS_SYMBOL_PRESENT, or why there is none
 */
enum precis_symbol_absent precis_kernel_code(struct kernel *kernel, struct objects *objects,
					     const struct places *places,
					     const struct object *object, uint64_t offset,
					     struct elf_bytes *bytes);

/** The same offset in the file of its vmlinux. @return PRECIS_SYMBOL_PRESENT, or why it is not known */
enum precis_symbol_absent precis_kernel_place(struct kernel *kernel, const struct places *places,
					      const struct object *object, uint64_t offset,
					      uint64_t *place);

void precis_kernel_free(struct kernel *kernel, struct budget *budget);

#endif
