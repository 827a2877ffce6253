/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code of what is mapped, by what it is and not by where it is mapped: a text is a build of a file, the
 * kernel or a module, or a function made at run time. Two mappings of a build, of one process or several,
 * are one text.
 *
 * Bytes come from the files that <precis/symbols.h> finds (binaries and build-id caches by build id, vdso,
 * kcore, vmlinux), from jitdumps, and from TEXT_POKE records, which change them in the order of time. What
 * cannot be had has a reason.
 */
#ifndef LIBDECODE_CODE_TEXTS_H
#define LIBDECODE_CODE_TEXTS_H

#include <precis/code.h>
#include <precis/symbols.h>

#include "absence.h"

struct code_texts;
struct code_text;

/** A place in a text. */
struct code_place {
	struct code_text *text; /* NULL: 'absent' says why */
	uint64_t offset;        /* in the file; of the kernel and of run-time code from its start */
	uint32_t absent;        /* enum code_absence */
	uint32_t reserved;
};

/**
 * @param symbols  is asked for places and bytes; must outlive the texts
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
int code_texts_new(struct precis_symbols *symbols, struct code_texts **texts);
void code_texts_free(struct code_texts *texts);

/** Opens a file that the recording names. @return a descriptor, or -1 */
typedef int code_open_fn(const void *data, const char *path);

/** Have jitdumps opened that way, not just where they were. */
void code_texts_open_with(struct code_texts *texts, code_open_fn *open_file, const void *data);

/**
 * Learn from a record that 'symbols' has learnt from: TEXT_POKE, KSYMBOL, and mappings of jitdumps, which
 * are read then.
 *
 * @return 0, PRECIS_E_NO_MEMORY, or the error of a body that does not parse
 */
int code_texts_record(struct code_texts *texts, const struct precis_record *record, uint64_t time);

/** A jitdump whose bytes the caller has. @return as code_jitdump_parse(), or PRECIS_E_NO_MEMORY */
int code_texts_jitdump(struct code_texts *texts, const void *bytes, size_t count);

/**
 * Code of BPF programs: the recording's feature BPF_PROG_INFO.
 * @param bits  of the machine: 64, PRECIS_CODE_AARCH64
 * @return 0, PRECIS_E_TRUNCATED, PRECIS_E_NO_MEMORY
 */
int code_texts_bpf(struct code_texts *texts, const void *section, size_t count, uint32_t bits);

/**
 * Where an address of a sample lies. No file is opened.
 *
 * @param pid, cpumode, time  as of precis_symbols_locate()
 * @return 1; 0: 'absent' says why; or negative
 */
int code_texts_locate(struct code_texts *texts, uint32_t pid, uint32_t cpumode, uint64_t time,
		      uint64_t address, struct code_place *place);

/**
 * Since when [start, end) of a text has the bytes that it has at a time, and until when, not included.
 * Counts of ranges can be kept by 'since' in place of their times: it is 0 for all that does not change.
 */
void code_text_valid(const struct code_text *text, uint64_t start, uint64_t end, uint64_t time,
		     uint64_t *since, uint64_t *until);

/**
 * Bytes from an offset on, as they were at a time.
 *
 * @param bytes  room for PRECIS_CODE_BYTES_MOST: an instruction
 * @return how many; 0: 'absent' says why; PRECIS_E_NO_MEMORY
 */
int code_text_read(struct code_text *text, uint64_t offset, uint64_t time, uint8_t *bytes, uint32_t *absent);

/** By the file: what a location of <precis/symbols.h> has. Valid as long as the texts. */
const char *code_text_name(const struct code_text *text);
/** A function made at run time has one from its jitdump. @return NULL: it is none, or nameless */
const char *code_text_made_name(const struct code_text *text);
/** 0, 1, ...: in the order in which they were found */
uint32_t code_text_number(const struct code_text *text);
uint32_t code_texts_count(const struct code_texts *texts);
/**
 * Other numbers, before anybody has made use of one: where several threads found them, the order was chance.
 * @param order  all of them, which may be in any order: text n gets number n
 */
void code_texts_renumber(struct code_texts *texts, struct code_text *const *order);
/** 64 or 32: what the first bytes that were read are made for; 0 before that */
uint32_t code_text_bits(const struct code_text *text);
/** From an offset to the address that instructions have there, as far as bytes were read. */
uint64_t code_text_address(const struct code_text *text, uint64_t offset);

/**
 * What <precis/symbols.h> can be asked of an offset: its symbol, its line, the build id.
 * @return 0: nothing, as it is a function made at run time
 */
int code_text_location(const struct code_text *text, uint64_t offset, struct precis_location *location);

/** The function around an offset. @return 1; 0 if none is known, or not how long it is; or negative */
int code_text_function(struct code_text *text, uint64_t offset, uint64_t *start, uint64_t *end);

/** TEXT_POKE records that there was no room for; jitdumps that are none, or damaged */
uint64_t code_texts_not_kept(const struct code_texts *texts);
uint64_t code_texts_bad_jitdumps(const struct code_texts *texts);

#endif
