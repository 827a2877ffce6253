/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the library asks of a vendor: all their rooms have this one shape, and know nothing of each
 * other. CONTRIBUTING.md, "How to add a vendor".
 */
#ifndef PRECIS_SAMPLE_VENDOR_H
#define PRECIS_SAMPLE_VENDOR_H

#include <stddef.h>
#include <stdint.h>

#include <precis/access.h>
#include <precis/cpu.h>
#include <precis/data_source.h>
#include <precis/errata.h>
#include <precis/sample.h>

struct text;

/* Why a field is absent. PRESENT: that is not for the one who was asked to say. */
struct why {
	enum precis_reason reason;
	const char *detail;
};

static inline struct why because(enum precis_reason reason, const char *detail)
{
	return (struct why){ reason, detail };
}

/* A maker of its CPUs, as CPUID has it. */
struct vendor_cpu {
	const char *name;
	uint32_t vendor; /* enum precis_vendor */
};

/* Who wrote a data source word, and of what. */
struct words_origin {
	uint32_t cores;  /* that the CPU can be, as bits of the vendor's own numbers; 0: any */
	uint32_t kernel; /* precis_kernel_number(); 0: not known */
};

/*
 * What the kernel's words (PERF_SAMPLE_DATA_SRC, ADDR, WEIGHT) say of samples of this vendor, where
 * they say something else than precis_data_source_access() reads.
 */
struct vendor_words {
	uint32_t event_kind; /* enum precis_event_kind of its events, where the CPU is not known */
	uint32_t all_cores;
	/* What the hardware must have said for the kernel to write that word */
	void (*access)(const struct words_origin *origin, uint64_t word,
		       struct precis_access *access);
	/* Does the word say that an address of 0 is one? */
	int (*has_address)(uint64_t word);
	/* Fields that a load's weights are. 'missed': it missed the L1 for sure */
	void (*add_weights)(const struct precis_perf_words *words, int missed,
			    const uint64_t *wanted, struct precis_sample *sample);
};

/* All functions are there; what may be NULL says so. */
struct vendor {
	const struct vendor_cpu *cpus; /* ends with a name that is NULL */
	/* The cores that a CPU of its can be, as bits of its own numbers; 0: none of them */
	uint32_t (*cores_of)(const struct precis_cpu *cpu);

	/* Where a field of the catalogue comes from, and when it is valid; nothing of others */
	void (*add_source)(uint32_t field, struct text *text);
	void (*add_rule)(uint32_t field, struct text *text);

	/* Row n of its errata. @return 0, or PRECIS_E_ARGUMENT past the last */
	int (*erratum)(uint32_t n, struct precis_erratum *erratum);
	uint32_t errata;

	/* Why a field that was asked for is absent from a sample, which may be anybody's */
	struct why (*why)(const struct precis_sample *sample, uint32_t field);
	/* Why a sample of one of its events that nothing was decoded of lacks it */
	struct why (*why_of_event)(const struct precis_sample *sample, uint32_t field);

	const struct vendor_words *words; /* may be NULL */
	/*
	 * What its driver in the kernel meant by a cache one hop away when mem_lvl alone told: a
	 * level, or 0 if it never wrote a word of that form. May be NULL.
	 */
	uint32_t (*level_one_hop_away)(const struct precis_data_source *source);
};

/* The list of vendors: libdecode/vendors.c. It ends with NULL. */
extern const struct vendor *const precis_vendors[];

/* What precis_why_detail() says of an event that is none of theirs */
extern const char precis_no_vendors_event[];

#endif
