/* SPDX-License-Identifier: BSD-3-Clause */
/* Which files: DWARF 5, appendix F; GDB manual, "Debugging Information in Separate Files", for dwz. */
#include "debug_file.h"

#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "split_package.h"

static int has_entries(const struct elf_source *source)
{
	return precis_elf_section_bytes(source, ".debug_info").bytes ||
	       precis_elf_section_bytes(source, ".debug_info.dwo").bytes;
}

static int is_of_this_order(const struct elf_source *source)
{
	GElf_Ehdr header;

	return gelf_getehdr(source->elf, &header) && header.e_ident[EI_DATA] == ELFDATA2LSB;
}

static void close_file(struct debug_file *file)
{
	dwarf_end(file->dwarf);
	precis_elf_close(&file->source);
}

static const char *const texts[DEBUG_TEXTS] = {
	".debug_str",      ".debug_line_str", ".debug_info", ".debug_types",
	".debug_info.dwo", ".debug_types.dwo", ".debug_str.dwo",
};

/* @param lent  NULL: it is no split file. @return why not */
static enum precis_data_type_absent begin(struct precis_data_types *types, struct debug_file *file,
					  const struct split_lent *lent)
{
	const int error = precis_elf_unpack_debug(&file->source, TYPES_SECTION_BYTES, &types->section_bytes);

	if (error)
		return error == PRECIS_E_EXPANSION ? PRECIS_DATA_TYPE_TOO_MANY : PRECIS_DATA_TYPE_MALFORMED;
	if (!is_of_this_order(&file->source))
		return PRECIS_DATA_TYPE_MALFORMED;
	if (!has_entries(&file->source))
		return PRECIS_DATA_TYPE_NO_DEBUG_INFO;
	if (lent && precis_split_image_lend(&file->source, lent, TYPES_SECTION_BYTES,
					    &types->section_bytes))
		return PRECIS_DATA_TYPE_TOO_MANY;
	file->dwarf = dwarf_begin_elf(file->source.elf, DWARF_C_READ, NULL);
	if (!file->dwarf)
		return PRECIS_DATA_TYPE_MALFORMED;
	for (uint32_t n = 0; n < DEBUG_TEXTS; n++)
		file->texts[n] = precis_elf_section_bytes(&file->source, texts[n]);
	file->addresses = precis_elf_section_bytes(&file->source, ".debug_addr");
	file->ranges = precis_elf_section_bytes(&file->source, ".debug_ranges");
	file->lines = precis_elf_section_bytes(&file->source, ".debug_line");
	file->line_strings = precis_elf_section_bytes(&file->source, ".debug_line_str");
	return PRECIS_DATA_TYPE_PRESENT;
}

/* @return the file, which owns 'source'; NULL: that is closed, and the reason noted */
static struct debug_file *add(struct precis_data_types *types, struct elf_source *source,
			      const char *root, const char *path, const struct split_lent *lent)
{
	struct debug_file *file = budget_alloc(&types->budget, sizeof(*file)), **last = &types->files;
	enum precis_data_type_absent absent;

	if (!file) {
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		precis_elf_close(source);
		return NULL;
	}
	file->source = *source;
	absent = begin(types, file, lent);
	if (absent) {
		types_lack(types, absent);
		close_file(file);
		budget_free(&types->budget, file, sizeof(*file));
		return NULL;
	}
	snprintf(file->path, sizeof(file->path), "%s", path);
	file->root = root;
	while (*last)
		last = &(*last)->next;
	*last = file;
	return file;
}

/* --- supplementary files ----------------------------------------------------------------- */

static int is_build(const struct elf_source *source, const struct build_id *id)
{
	const uint8_t *found = NULL;
	const size_t bytes = precis_elf_build_id(source, &found);

	return id->bytes && precis_build_id_matches(id, found, bytes);
}

static int open_build(const char *root, const char *path, const struct build_id *id,
		      struct elf_source *source)
{
	if (precis_elf_open_debug(root, path, source))
		return 0;
	if (is_build(source, id))
		return 1;
	precis_elf_close(source);
	return 0;
}

/* NAME in the directory of a file. @return 0 if that is too long */
static int beside(char path[PLACE_PATH], const struct debug_file *file, const char *name)
{
	const char *slash = strrchr(file->path, '/');

	return snprintf(path, PLACE_PATH, "%.*s/%s", slash ? (int)(slash - file->path) : 1,
			slash ? file->path : ".", name) < PLACE_PATH;
}

/* Of a distribution: /usr/lib/debug/.dwz/REST is DIRECTORY/.dwz/REST. @return 0 if it is another name */
static int below_debug(char path[PLACE_PATH], const char *directory, const char *name)
{
	const char *rest = strstr(name, "/.dwz/");

	return rest && !precis_places_leads_up(rest) && precis_places_join(path, directory, rest, NULL);
}

/* By the name: as it is, beside the file, in debug directories; or by the build id. @return its root */
static const char *open_supplement(const struct precis_data_types *types, const struct debug_file *file,
				   const char *name, const struct build_id *id, char path[PLACE_PATH],
				   struct elf_source *source)
{
	const struct places *places = &types->places;

	if (name[0] == '/' ? precis_places_join(path, places->symfs, name, NULL) : beside(path, file, name)) {
		const char *root = name[0] == '/' ? places->symfs : file->root;

		if (open_build(root, path, id, source))
			return root;
	}
	for (char **debug = places->debug_directories; *debug; debug++) {
		const char *root = places->debug_root;

		if ((below_debug(path, *debug, name) && open_build(root, path, id, source)) ||
		    (precis_places_debug(path, *debug, id) && open_build(root, path, id, source)))
			return root;
	}
	return NULL;
}

static void add_supplement(struct precis_data_types *types, struct debug_file *file)
{
	struct debug_file *supplement = NULL;
	struct elf_source source;
	struct build_id id;
	const char *name, *root;
	const void *bytes;
	char path[PLACE_PATH];
	const ssize_t count = dwelf_dwarf_gnu_debugaltlink(file->dwarf, &name, &bytes);

	if (count <= 0)
		return;
	precis_build_id_set(&id, bytes, (size_t)count);
	root = open_supplement(types, file, name, &id, path, &source);
	if (root)
		supplement = add(types, &source, root, path, NULL);
	if (!supplement) {
		types_lack(types, PRECIS_DATA_TYPE_NO_SUPPLEMENT);
		return;
	}
	file->has_supplement = 1;
	dwarf_setalt(file->dwarf, supplement->dwarf);
}

int precis_debug_file_add(struct precis_data_types *types, struct elf_source *source, const char *root,
			  const char *path)
{
	struct debug_file *file = add(types, source, root, path, NULL);

	if (file)
		add_supplement(types, file);
	return file != NULL;
}

/* --- split files ------------------------------------------------------------------------- */

static void lack_package(struct precis_data_types *types, int error)
{
	types_lack(types, error == PRECIS_E_BAD_SIZE ? PRECIS_DATA_TYPE_PACKAGE
						     : PRECIS_DATA_TYPE_TOO_MANY);
}

static void open_package(struct precis_data_types *types, const char *root, const char *path)
{
	struct split_package *package = malloc(sizeof(*package));
	const int result =
		package ? precis_split_package_open(package, root, path, TYPES_SECTION_BYTES,
						    &types->section_bytes)
			: PRECIS_E_NO_MEMORY;

	if (result > 0) {
		types->package = package;
		return;
	}
	free(package);
	if (result < 0)
		lack_package(types, result);
}

/* Beside the file with the skeletons, or beside the program where that is a debug file of its own */
static void find_package(struct precis_data_types *types)
{
	const struct debug_file *skeletons = types->files;
	const char *symfs = types->places.symfs;
	char path[PLACE_PATH];

	types->has_asked_package = 1;
	if (precis_places_join(path, skeletons->path, ".dwp", NULL))
		open_package(types, skeletons->root, path);
	if (types->package || !precis_places_join(path, symfs, types->path, NULL) ||
	    strcmp(path, skeletons->path) == 0)
		return;
	if (precis_places_join(path, symfs, types->path, ".dwp"))
		open_package(types, symfs, path);
}

/* @return 1; 0: no package has it; negative: the reason is noted */
static int from_package(struct precis_data_types *types, uint64_t id, const struct split_lent *lent,
			struct elf_source *source)
{
	int result;

	if (!types->has_asked_package)
		find_package(types);
	if (!types->package)
		return 0;
	result = precis_split_package_unit(types->package, id, lent, TYPES_SECTION_BYTES,
					   &types->section_bytes, source);
	if (result < 0)
		lack_package(types, result);
	return result;
}

/* As the compiler named it, or moved to where the program is. @return its root */
static const char *open_split(const struct precis_data_types *types, const char *name, const char *directory,
			      char path[PLACE_PATH], struct elf_source *source)
{
	const char *symfs = types->places.symfs;
	const char *slash = strrchr(name, '/');
	const int is_whole = name[0] == '/';

	if ((is_whole || (directory && directory[0] == '/')) &&
	    snprintf(path, PLACE_PATH, "%s%s%s%s", symfs, is_whole ? "" : directory, is_whole ? "" : "/",
		     name) < PLACE_PATH &&
	    precis_elf_open_debug(symfs, path, source) == 0)
		return symfs;
	if (beside(path, types->files, slash ? slash + 1 : name) &&
	    precis_elf_open_debug(types->files->root, path, source) == 0)
		return types->files->root;
	return NULL;
}

static struct debug_file *add_split(struct precis_data_types *types, const char *name,
				    const char *directory, const struct split_lent *lent)
{
	struct elf_source source;
	char path[PLACE_PATH];
	const char *root = name ? open_split(types, name, directory, path, &source) : NULL;

	if (!root) {
		types_lack(types, PRECIS_DATA_TYPE_NO_SPLIT_FILE);
		return NULL;
	}
	/* There are as many as sources: they cannot all stay open */
	if (source.bytes > TYPES_SECTION_BYTES - types->section_bytes || precis_elf_detach(&source)) {
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		precis_elf_close(&source);
		return NULL;
	}
	return add(types, &source, root, path, lent);
}

struct debug_file *precis_debug_file_split(struct precis_data_types *types, const char *name,
					   const char *directory, uint64_t id,
					   const struct split_lent *lent)
{
	struct elf_source source;
	int packed;

	if (types->split_files++ >= TYPES_SPLIT_FILES) {
		types_lack(types, PRECIS_DATA_TYPE_TOO_MANY);
		return NULL;
	}
	packed = from_package(types, id, lent, &source);
	if (packed > 0)
		return add(types, &source, types->package->root, types->package->path, NULL);
	return packed < 0 ? NULL : add_split(types, name, directory, lent);
}

void precis_debug_files_free(struct precis_data_types *types)
{
	struct debug_file *file, *next;

	for (file = types->files; file; file = file->next)
		dwarf_end(file->dwarf);
	for (file = types->files; file; file = next) {
		next = file->next;
		precis_elf_close(&file->source);
		free(file);
	}
	if (types->package)
		precis_split_package_close(types->package);
	free(types->package);
}
