/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See code_changes.h. The list of what is loaded is read and changed within dl_iterate_phdr(3) alone, whose
 * lock is its own: with another one a thread that allocates in a function that it gave to dl_iterate_phdr()
 * would wait for one that waits for it.
 */
#define _GNU_SOURCE
#include "code_changes.h"

#include <link.h>
#include <string.h>

#include "libraries.h"
#include "system.h"

#define MODULES_MOST                                                                               \
	8192u /* of more, those that are loaded later are taken for code that never goes */
#define RANGES_MOST 512u /* where there are more, all code is taken for such that may go */

struct module {
	uint64_t start, end;
	uint64_t identity; /* of its name, segments, and build id */
	uint64_t look; /* at which it was there */
};

struct range {
	uint64_t start, end;
};

static struct module *modules; /* as the dynamic linker has them, but for those that are gone */
static uint32_t module_count;
static uint64_t looks, noticed; /* libraries_changes() then */

static struct range *ranges; /* where code was that is gone; each is whole before it is counted */
static uint32_t range_count;

int code_changes_begin(void)
{
	modules = own_memory(MODULES_MOST * sizeof(*modules));
	ranges = own_memory(RANGES_MOST * sizeof(*ranges));
	return modules && ranges ? 0 : -1;
}

void code_changes_mend(void)
{
	module_count = 0;
	noticed = 0;
}

/* --- what is loaded --- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
	const uint8_t *at = bytes;

	while (count--)
		hash = (hash ^ *at++) * UINT64_C(0x100000001b3);
	return hash;
}

static struct module describe(const struct dl_phdr_info *info)
{
	struct module module = { .start = UINT64_MAX, .identity = UINT64_C(0xcbf29ce484222325) };
	uint8_t id[64];
	uint32_t bytes = libraries_build_id(info, id, sizeof(id));

	module.identity = mix(module.identity, info->dlpi_name, strlen(info->dlpi_name) + 1);
	module.identity = mix(module.identity, id, bytes);
	module.identity = mix(module.identity, &info->dlpi_addr, sizeof(info->dlpi_addr));
	for (int n = 0; n < info->dlpi_phnum; n++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[n];
		const uint64_t start = info->dlpi_addr + segment->p_vaddr;

		module.identity = mix(module.identity, segment, sizeof(*segment));
		if (segment->p_type != PT_LOAD)
			continue;
		module.start = start < module.start ? start : module.start;
		module.end = start + segment->p_memsz > module.end ? start + segment->p_memsz
								   : module.end;
	}
	return module;
}

static int is_first_of_more(const struct dl_phdr_info *info)
{
	return info->dlpi_adds + info->dlpi_subs != noticed;
}

struct look {
	uint32_t expected; /* place of the next one, if it is there still */
	int is_begun;
};

/* Its place in the list, from the expected one on; module_count: it is not there */
static uint32_t find(uint32_t expected, const struct module *module)
{
	for (uint32_t n = 0; n < module_count; n++) {
		const uint32_t at =
			expected + n < module_count ? expected + n : expected + n - module_count;

		if (modules[at].start == module->start && modules[at].identity == module->identity)
			return at;
	}
	return module_count;
}

static int see(struct dl_phdr_info *info, size_t size, void *data)
{
	struct look *look = data;
	struct module module;
	uint32_t at;

	(void)size;
	if (!look->is_begun && !is_first_of_more(info))
		return 1;
	looks += !look->is_begun;
	look->is_begun = 1;
	noticed = info->dlpi_adds + info->dlpi_subs;
	module = describe(info);
	at = find(look->expected, &module);
	if (at == MODULES_MOST)
		return 0;
	module.look = looks;
	modules[at] = module;
	module_count += at == module_count;
	look->expected = at + 1 < module_count ? at + 1 : 0;
	return 0;
}

static int is_within(const struct range *range, uint64_t address)
{
	return address - range->start < range->end - range->start;
}

/* One that is there already, as of what comes and goes again and again, is no other. */
static void add_range(const struct module *gone)
{
	const uint32_t count = range_count;

	for (uint32_t n = 0; n < count; n++)
		if (is_within(&ranges[n], gone->start) && is_within(&ranges[n], gone->end - 1))
			return;
	if (count < RANGES_MOST)
		ranges[count] = (struct range){ gone->start, gone->end };
	else
		ranges[RANGES_MOST - 1] = (struct range){ 0, UINT64_MAX };
	__atomic_store_n(&range_count, count < RANGES_MOST ? count + 1 : count, __ATOMIC_RELEASE);
}

/* Those that the last look has not seen */
static int part(struct dl_phdr_info *info, size_t size, void *data)
{
	uint32_t kept = 0;

	(void)info;
	(void)size;
	for (uint32_t n = 0; n < module_count; n++) {
		if (modules[n].look == looks) {
			modules[kept++] = modules[n];
			continue;
		}
		if (modules[n].end > modules[n].start)
			add_range(&modules[n]);
		*(int *)data = 1;
	}
	module_count = kept;
	return 1;
}

int code_changes_notice(uint64_t libraries)
{
	struct look look = { 0 };
	int is_gone = 0;

	if (__atomic_load_n(&noticed, __ATOMIC_RELAXED) == libraries)
		return 0;
	if (!libraries_each(see, &look))
		libraries_each(part, &is_gone);
	return is_gone;
}

/* --- stacks --- */

static int was_other(uint64_t address)
{
	const uint32_t count = __atomic_load_n(&range_count, __ATOMIC_ACQUIRE);

	for (uint32_t n = 0; n < count; n++)
		if (is_within(&ranges[n], address))
			return 1;
	return 0;
}

int code_changes_are_at(const uint64_t *addresses, uint32_t count)
{
	if (__builtin_expect(!__atomic_load_n(&range_count, __ATOMIC_RELAXED), 1))
		return 0;
	for (uint32_t n = 0; n < count; n++)
		if (was_other(addresses[n]))
			return 1;
	return 0;
}

struct asked {
	const uint64_t *addresses;
	uint32_t count;
	uint64_t identity;
};

static uint64_t identity_at(uint64_t address)
{
	for (uint32_t n = 0; n < module_count; n++)
		if (address - modules[n].start < modules[n].end - modules[n].start)
			return modules[n].identity;
	return 1; /* of no library, as of a compiler at run time */
}

static int identify(struct dl_phdr_info *info, size_t size, void *data)
{
	struct asked *asked = data;

	(void)info;
	(void)size;
	for (uint32_t n = 0; n < asked->count; n++)
		if (was_other(asked->addresses[n]))
			asked->identity = (asked->identity ^ identity_at(asked->addresses[n])) *
					  UINT64_C(0x9e3779b97f4a7c15);
	return 1;
}

uint64_t code_changes_identity(const uint64_t *addresses, uint32_t count)
{
	struct asked asked = { addresses, count, 0 };

	if (!code_changes_are_at(addresses, count))
		return 0;
	code_changes_notice(libraries_changes());
	libraries_each(identify, &asked);
	return asked.identity;
}
