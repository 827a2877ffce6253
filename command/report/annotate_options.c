/* SPDX-License-Identifier: BSD-3-Clause */
/* See annotate_options.h. */
#include "annotate_options.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/annotate/annotate.h"
#include "analysis/annotate/asked.h"
#include "command/recording/recording.h"
#include "command/usage/complain.h"
#include "command/usage/nearest.h"

/* What is behind the last colon, if that is a number; NULL */
static const char *line_number(const char *word)
{
	const char *colon = strrchr(word, ':');

	if (!colon || colon == word || colon[-1] == ':' || !colon[1] ||
	    strspn(colon + 1, "0123456789") != strlen(colon + 1))
		return NULL;
	return colon + 1;
}

int annotate_take_place(struct by_annotated *annotated, const char *command, const char *word)
{
	const char *number = line_number(word);
	unsigned long line = number ? strtoul(number, NULL, 10) : 0;

	if (!*word)
		return complain_usage(command, "expected a function, or FILE:LINE, found ''");
	if (!number) {
		annotated->symbol = word;
		return EXIT_OK;
	}
	if (!line || line > UINT32_MAX)
		return complain_usage(command, "'%s': lines are numbered from 1", word);
	annotated->line = (uint32_t)line;
	annotated->file = strndup(word, (size_t)(number - 1 - word));
	if (annotated->file)
		return EXIT_OK;
	complain(command, "out of memory");
	return EXIT_FAILED;
}

/* "PERFILE2", or of the other byte order */
static int has_magic(const char *path)
{
	char magic[8];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), is_it;

	if (fd < 0)
		return 0;
	is_it = read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
		(memcmp(magic, "PERFILE", 7) == 0 || memcmp(magic + 1, "ELIFREP", 7) == 0);
	close(fd);
	return is_it;
}

int annotate_is_recording(const char *path)
{
	struct stat status;

	if (strcmp(path, "-") == 0 || recording_is_stream(path))
		return 1;
	if (stat(path, &status))
		return 0;
	return S_ISDIR(status.st_mode) || (S_ISREG(status.st_mode) && has_magic(path));
}

void annotate_choose_keys(struct by_request *request)
{
	static const char *const of_code[] = { "symbol", "instruction" }, *const of_types[] = { "type" };
	const int is_type = request->annotated.type != NULL;
	const char *const *keys = is_type ? of_types : of_code;

	for (request->key_count = 0; request->key_count < (is_type ? 1 : 2); request->key_count++)
		by_find_key(keys[request->key_count], strlen(keys[request->key_count]),
			    &request->keys[request->key_count]);
}

static void offer(void *data, const char *name)
{
	nearest_offer(data, name);
}

static void offer_type(void *data, const char *name)
{
	nearest_offer(data, asked_bare_type(name));
}

int annotate_complain_none(const struct by_annotated *annotated, const char *command,
			   const struct by *by)
{
	const char *word = annotated->type     ? annotated->type
			   : annotated->symbol ? annotated->symbol
					       : "";
	struct nearest nearest = nearest_to(word, strlen(word));
	const char *in = annotated->dso ? " in " : "", *dso = annotated->dso ? annotated->dso : "";
	char hint[NEAREST_ROOM];

	annotate_each_name(by, annotated->type ? offer_type : offer, &nearest);
	if (annotated->type)
		complain(command, "no sample is in a type '%s'%s%s%s (precis report --by type lists them)",
			 word, in, dso, nearest_hint(&nearest, hint));
	else if (annotated->file)
		complain(command, "no sample is of the line %s:%u%s%s", annotated->file,
			 (unsigned int)annotated->line, in, dso);
	else if (annotated->symbol)
		complain(command, "no sample is in a function '%s'%s%s%s", word, in, dso,
			 nearest_hint(&nearest, hint));
	else
		complain(command, "no sample has an address in a file%s%s", *dso ? " " : "", dso);
	return EXIT_FAILED;
}
