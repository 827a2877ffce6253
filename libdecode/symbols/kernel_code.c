/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's code, and where its vmlinux has it. The order is that of perf annotate, dso__load() and
 * dso__load_kernel_sym() in tools/perf/util of Linux 7.3: memory before files, since a kernel patches
 * itself.
 */
#include "kernel.h"

/* --- memory --- */

static enum precis_symbol_absent read_recorded(const struct places *places, uint64_t address,
					       struct elf_bytes *bytes)
{
	char path[PLACE_PATH];

	if (!places->recording_directory ||
	    !precis_places_join(path, places->recording_directory, "/kcore_dir/kcore", NULL))
		return PRECIS_SYMBOL_NO_FILE;
	return precis_elf_core_read(path, address, bytes);
}

/* The kernel that runs here, if it is the recorded one; since another start modules lie elsewhere. */
static enum precis_symbol_absent read_running(struct kernel *kernel, struct objects *objects,
					      const struct object *object, uint64_t address,
					      struct elf_bytes *bytes)
{
	enum precis_symbol_absent absent;

	precis_kernel_seek_running(kernel, objects);
	if (!kernel->is_running || (kernel->running_moved && !precis_is_kernel_itself(object)))
		return PRECIS_SYMBOL_NO_FILE;
	absent = precis_elf_core_read("/proc/kcore", address - kernel->running_moved, bytes);
	bytes->address = address;
	return absent;
}

/* --- vmlinux --- */

static void seek_image(struct kernel *kernel, const struct places *places, const struct object *itself)
{
	kernel->image_is_sought = 1;
	kernel->image_absent = PRECIS_SYMBOL_KERNEL_CODE;
	if (!kernel->reference[0] || !itself->build_id.bytes || itself->is_contradicted)
		return;
	kernel->image_absent = precis_elf_image_read(places, KERNEL_NAME, &itself->build_id,
						     kernel->reference, &kernel->image);
	if (kernel->image_absent == PRECIS_SYMBOL_NO_FILE)
		kernel->image_absent = PRECIS_SYMBOL_KERNEL_CODE;
}

enum precis_symbol_absent precis_kernel_place(struct kernel *kernel, const struct places *places,
					      const struct object *object, uint64_t offset,
					      uint64_t *place)
{
	uint64_t linked;

	if (!precis_is_kernel_itself(object))
		return PRECIS_SYMBOL_KERNEL_CODE;
	if (!kernel->image_is_sought)
		seek_image(kernel, places, object);
	if (kernel->image_absent)
		return kernel->image_absent;
	linked = object->start + offset - kernel->reference_address + kernel->image.reference;
	for (uint32_t n = 0; n < kernel->image.count; n++) {
		const uint64_t into = linked - kernel->image.segment[n].address;

		if (into >= kernel->image.segment[n].bytes)
			continue;
		*place = kernel->image.segment[n].offset + into;
		return PRECIS_SYMBOL_PRESENT;
	}
	return PRECIS_SYMBOL_NONE_THERE;
}

enum precis_symbol_absent precis_kernel_code(struct kernel *kernel, struct objects *objects,
					     const struct places *places,
					     const struct object *object, uint64_t offset,
					     struct elf_bytes *bytes)
{
	const uint64_t address = object->start + offset;
	enum precis_symbol_absent absent;
	uint64_t place;

	if (read_recorded(places, address, bytes) == PRECIS_SYMBOL_PRESENT ||
	    read_running(kernel, objects, object, address, bytes) == PRECIS_SYMBOL_PRESENT)
		return PRECIS_SYMBOL_PRESENT;
	absent = precis_kernel_place(kernel, places, object, offset, &place);
	if (!absent)
		absent = precis_elf_bytes_read(places, object->name, &object->build_id, place, bytes);
	bytes->address = address;
	return absent;
}
