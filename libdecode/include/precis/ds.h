/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel's debug store: the management area that IA32_DS_AREA points to, which
 * says where the buffers of PEBS and of branch trace store (BTS) are and how
 * far they are filled; and the records of branch trace store.
 *
 * A dump of a debug store is two pieces of memory or three: the management
 * area, and the buffers that it names by their linear addresses.
 *
 * Nothing here allocates, prints, locks or keeps state outside the caller's
 * structs: all of it may be called from a signal handler.
 *
 * Source: Intel SDM vol. 3, "BTS and DS Save Area"; Linux 7.3
 * arch/x86/include/asm/intel_ds.h, arch/x86/events/intel/ds.c.
 */
#ifndef PRECIS_DS_H
#define PRECIS_DS_H

#include <precis/export.h>
#include <precis/pebs_record.h>

PRECIS_BEGIN_DECLS

/** How the management area is laid out. */
enum precis_ds_layout {
	PRECIS_DS_32 = 0,   /* 32-bit words, one reset value: NetBurst, Core in 32-bit mode */
	PRECIS_DS_64 = 1,   /* 64-bit words, one reset value: NetBurst with IA-32e, Core 2 */
	PRECIS_DS_64_4 = 2, /* general-purpose counters 0 to 3: from Nehalem on */
	PRECIS_DS_64_8 = 3, /* 8 general-purpose and 16 fixed: PEBS format 4, Goldmont Plus */
	PRECIS_DS_64_32 = 4 /* 32 general-purpose and 16 fixed: PEBS formats 5 and 6 */
};

#define PRECIS_DS_GP_RESETS 32
#define PRECIS_DS_FIXED_RESETS 16

/** From where to where a buffer is filled: linear addresses. */
struct precis_ds_buffer {
	uint64_t base;
	uint64_t index;     /* where the next record is written */
	uint64_t maximum;   /* "absolute maximum": the first byte behind the buffer */
	uint64_t threshold; /* interrupt when 'index' reaches it */
};

/** The management area. Reset values whose bit in the masks is 0 are meaningless. */
struct precis_ds {
	uint32_t size;   /* sizeof(struct precis_ds), set by the caller */
	uint32_t layout; /* enum precis_ds_layout */
	uint32_t gp_captured, fixed_captured; /* which reset values there are: bits by number */
	struct precis_ds_buffer bts, pebs;
	uint64_t gp_reset[PRECIS_DS_GP_RESETS]; /* a counter's value after a record */
	uint64_t fixed_reset[PRECIS_DS_FIXED_RESETS];
};

/** Bytes of the longest management area. */
#define PRECIS_DS_AREA_MAX 448

/**
 * The layout of a CPU with a format of PEBS: 64_4 for 1 to 3 (Goldmont Plus,
 * which has 3, has 64_8: nobody can tell from the format).
 *
 * @return enum precis_ds_layout; PRECIS_E_UNSUPPORTED for architectural PEBS, which has no
 *         debug store; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_ds_layout_of(uint32_t format);

/**
 * Read a management area.
 *
 * How long the 32-bit form's reset value is, is not certain: 8 bytes are read,
 * of which the counter has 40 bits.
 *
 * @param layout  enum precis_ds_layout
 * @param count   bytes that may be read; reset values beyond it are not captured
 * @return 0; PRECIS_E_TRUNCATED: not even the buffers' addresses are there; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_ds_parse(uint32_t layout, const void *bytes, size_t count,
			       struct precis_ds *ds);

/**
 * Build a management area: the reverse. Reset values that are not captured are written as 0.
 *
 * @return its bytes; PRECIS_E_NO_SPACE; PRECIS_E_ARGUMENT, also for an address of more than 32
 *         bits in the 32-bit form
 */
PRECIS_API int precis_ds_encode(const struct precis_ds *ds, void *bytes, size_t room);

/** What is wrong with a buffer. The first that holds is told. */
enum precis_ds_fault {
	PRECIS_DS_SOUND = 0,
	PRECIS_DS_NO_BUFFER = 1,            /* all four are 0: it is not in use */
	PRECIS_DS_MAXIMUM_BELOW_BASE = 2,
	PRECIS_DS_INDEX_BELOW_BASE = 3,
	PRECIS_DS_INDEX_BEYOND_MAXIMUM = 4,
	PRECIS_DS_MISALIGNED = 5,           /* base or index is no multiple of a word */
	PRECIS_DS_NOT_IN_MEMORY = 6,        /* base to index does not lie in the caller's memory */
	PRECIS_DS_PARTIAL_RECORD = 7,       /* base to index is no whole number of records */
	PRECIS_DS_THRESHOLD_OUTSIDE = 8     /* not from base to maximum: no interrupt will come,
					     * which circular branch trace buffers want */
};

/**
 * Judge what the area says of a buffer.
 *
 * @param word          4 or 8: bytes of a word, by the layout
 * @param record_bytes  of each record; 0 if they have no common size
 */
PRECIS_API enum precis_ds_fault precis_ds_check(const struct precis_ds_buffer *buffer,
						uint32_t word, uint32_t record_bytes);

/** A fault in a few words: "index beyond the maximum"; NULL for a number that is none. */
PRECIS_API const char *precis_ds_fault_text(uint32_t fault);

/**
 * Begin a walk through the PEBS records of a debug store: see precis_pebs_buffer_next().
 *
 * Faults up to NOT_IN_MEMORY are refused, but NO_BUFFER is a walk without
 * records. PARTIAL_RECORD and THRESHOLD_OUTSIDE are told, no more: the walk
 * gives the whole records, then PRECIS_E_TRUNCATED for the partial one.
 *
 * @param format   enum precis_pebs_format
 * @param memory   that holds the PEBS buffer
 * @param count    its bytes
 * @param address  linear address of its first byte
 * @param fault    if not NULL: enum precis_ds_fault
 * @return 0; PRECIS_E_TRUNCATED: NOT_IN_MEMORY; PRECIS_E_BAD_SIZE: another fault;
 *         PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_ds_pebs(const struct precis_ds *ds, uint32_t format, const void *memory,
			      size_t count, uint64_t address, struct precis_pebs_buffer *buffer,
			      uint32_t *fault);

/**
 * Which bytes of a dump of the PEBS buffer are records.
 *
 * Faults as precis_ds_pebs() has them; that the dump ends before the records do is for who reads it
 * to see.
 *
 * @param format   enum precis_pebs_format
 * @param address  linear address of the dump's first byte; NULL: the buffer's base
 * @param skip     set to the bytes before the first record
 * @param count    set to the bytes of records
 * @param fault    if not NULL: enum precis_ds_fault
 * @return 0; PRECIS_E_TRUNCATED: the dump begins behind the buffer's base (NOT_IN_MEMORY);
 *         PRECIS_E_BAD_SIZE: another fault; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_ds_extent(const struct precis_ds *ds, uint32_t format,
				const uint64_t *address, uint64_t *skip, uint64_t *count,
				uint32_t *fault);

/* Branch trace store */

/** One taken branch, interrupt or exception. */
struct precis_bts_branch {
	uint64_t from, to;
	uint64_t flags; /* bit 4: predicted, NetBurst only */
};

#define PRECIS_BTS_PREDICTED (UINT64_C(1) << 4)

/** Bytes of a branch record by layout: 12 or 24; 0 for a layout that is none. */
PRECIS_API uint32_t precis_bts_record_bytes(uint32_t layout);

/**
 * A walk through branch records. Members may be read; they are written by the functions below. The
 * struct does not grow.
 */
struct precis_bts_buffer {
	uint32_t size; /* set by precis_bts_init() */
	uint32_t layout;
	const uint8_t *bytes;
	size_t count;
	size_t next;   /* offset of what is read next */
	size_t offset; /* of the branch that was read last; after an error: of what is wrong */
	uint64_t branches; /* so far */
	uint64_t reserved[4];
};

/** Begin a walk from a buffer's base up to its index. @return 0 or PRECIS_E_ARGUMENT */
PRECIS_API int precis_bts_init(struct precis_bts_buffer *buffer, uint32_t layout,
			       const void *bytes, size_t count);

/** The same by the management area; arguments and errors as in precis_ds_pebs(). */
PRECIS_API int precis_ds_bts(const struct precis_ds *ds, const void *memory, size_t count,
			     uint64_t address, struct precis_bts_buffer *buffer, uint32_t *fault);

/**
 * The next branch, oldest first (in a circular buffer that has wrapped: from its base).
 *
 * @return 1; 0 at the end; PRECIS_E_TRUNCATED: the last record is there only in part, the next
 *         call returns 0; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_bts_next(struct precis_bts_buffer *buffer, struct precis_bts_branch *branch);

/** Build a branch record. @return its bytes, PRECIS_E_NO_SPACE, PRECIS_E_ARGUMENT */
PRECIS_API int precis_bts_encode(const struct precis_bts_branch *branch, uint32_t layout,
				 void *bytes, size_t room);

PRECIS_END_DECLS

#endif
