/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "options.h"

#include <stdlib.h>

#include "command/usage/complain.h"

static int add(const char ***list, const char *command, const char *value)
{
	size_t count = 0;
	const char **larger;

	while (*list && (*list)[count])
		count++;
	larger = realloc(*list, (count + 2) * sizeof(*larger));
	if (!larger) {
		complain(command, "out of memory");
		return EXIT_FAILED;
	}
	larger[count] = value;
	larger[count + 1] = NULL;
	*list = larger;
	return EXIT_OK;
}

int symbol_option(struct symbol_options *symbols, const char *command, int option,
		  const char *value)
{
	switch (option) {
	case OPTION_SYMFS:
		symbols->options.symfs = value;
		return EXIT_OK;
	case OPTION_DEBUG_DIR:
		return add(&symbols->debug_directories, command, value);
	case OPTION_BUILDID_DIR:
		return add(&symbols->build_id_caches, command, value);
	case OPTION_KALLSYMS:
		symbols->options.kallsyms = value;
		return EXIT_OK;
	case OPTION_ANY_BUILD_ID:
		symbols->options.flags |= PRECIS_SYMBOLS_ANY_BUILD_ID;
		return EXIT_OK;
	case OPTION_NO_DEMANGLE:
		symbols->no_demangle = 1;
		return EXIT_OK;
	case OPTION_NO_SYMBOLS:
		symbols->is_off = 1;
		return EXIT_OK;
	default:
		return -1;
	}
}

int sample_option(struct symbol_options *symbols, struct selection *selection,
		  struct recording_options *recording, const char *command, int option,
		  const char *value)
{
	int code = symbol_option(symbols, command, option, value);

	if (code < 0)
		code = selection_option(selection, command, option, value);
	if (code < 0)
		code = recording_option(recording, command, option, value);
	return code;
}

const struct precis_symbols_options *symbol_options_finish(struct symbol_options *symbols,
							   const struct precis_file *file)
{
	struct precis_file_info info = { .size = sizeof(info) };

	precis_file_info(file, &info);
	symbols->options.size = sizeof(symbols->options);
	symbols->options.debug_directories = symbols->debug_directories;
	symbols->options.build_id_caches = symbols->build_id_caches;
	symbols->options.recording_directory = info.directory;
	if (symbols->fetching.library) {
		symbols->options.fetch = fetch_file;
		symbols->options.fetch_data = &symbols->fetching;
	}
	return symbols->is_off ? NULL : &symbols->options;
}

void symbol_options_free(struct symbol_options *symbols)
{
	free(symbols->debug_directories);
	free(symbols->build_id_caches);
	fetching_end(&symbols->fetching);
}
