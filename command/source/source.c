/* SPDX-License-Identifier: BSD-3-Clause */
/* See source.h. */
#include "source.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/usage/complain.h"
#include "libdecode/symbols/text_file.h"

#define FILE_BYTES_MOST ((off_t)32 << 20)
#define TAB 8u

int sources_take_directory(struct sources *sources, const char *command, const char *directory)
{
	const char **larger;
	size_t count = 0;

	while (sources->directories && sources->directories[count])
		count++;
	larger = realloc(sources->directories, (count + 2) * sizeof(*larger));
	if (!larger) {
		complain(command, "out of memory");
		return EXIT_FAILED;
	}
	larger[count] = directory;
	larger[count + 1] = NULL;
	sources->directories = larger;
	return EXIT_OK;
}

/* --- finding --- */

/* Without "//", "." and "..", which take what is before them away. 0 if it is too long */
static int normalise(const char *path, char room[PATH_MAX])
{
	size_t used = 0;

	if (strlen(path) >= PATH_MAX)
		return 0;
	for (const char *at = path; *at;) {
		size_t length = strcspn(at, "/");

		if (length == 2 && memcmp(at, "..", 2) == 0) {
			while (used && room[--used] != '/')
				;
		} else if (length && !(length == 1 && *at == '.')) {
			if (used || *path == '/')
				room[used++] = '/';
			memcpy(room + used, at, length);
			used += length;
		}
		at += length + (at[length] == '/');
	}
	room[used] = '\0';
	return used > 0;
}

/* 'root': "", or the directory where it stands for another machine's /. -1: there is none */
static int open_source(const char *root, const char *directory, const char *path,
		       struct stat *status)
{
	char full[PATH_MAX];
	int fd;

	if (snprintf(full, sizeof(full), "%s%s%s", directory, *directory && *path != '/' ? "/" : "",
		     path) >= (int)sizeof(full))
		return -1;
	fd = precis_regular_open(root, full, status);
	if (fd >= 0 && status->st_size > FILE_BYTES_MOST) {
		close(fd);
		return -1;
	}
	return fd;
}

/* With fewer and fewer of its first directories */
static int open_below(const char *directory, const char *path, struct stat *status)
{
	int fd = -1;

	for (const char *rest = path; rest && fd < 0; rest = strchr(rest + 1, '/'))
		fd = open_source("", directory, rest, status);
	return fd;
}

static int open_fetched(const struct sources *sources, struct precis_bytes id, const char *file,
			struct stat *status)
{
	char path[PATH_MAX];

	return sources->fetching && fetch_source(sources->fetching, id, file, path, sizeof(path)) ?
		       open_source("", "", path, status) : -1;
}

static int find(const struct sources *sources, struct precis_bytes id, const char *file,
		struct stat *status)
{
	const char *root = sources->symfs ? sources->symfs : "";
	char path[PATH_MAX];
	int fd = -1;

	if (!normalise(file, path))
		return -1;
	for (size_t n = 0; sources->directories && sources->directories[n] && fd < 0; n++)
		fd = open_below(sources->directories[n], path, status);
	if (fd < 0)
		fd = open_source(root, root, path, status);
	return fd < 0 ? open_fetched(sources, id, file, status) : fd;
}

/* --- reading --- */

static int read_all(int fd, char *bytes, size_t size, size_t *done)
{
	*done = 0;
	while (*done < size) {
		ssize_t got = read(fd, bytes + *done, size - *done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -1 : 0;
		*done += (size_t)got;
	}
	return 0;
}

static int find_lines(struct source_file *file)
{
	uint32_t count = 1;

	for (size_t n = 0; n < file->size; n++)
		count += file->bytes[n] == '\n';
	file->lines = calloc((size_t)count + 1, sizeof(*file->lines));
	if (!file->lines)
		return -1;
	file->count = 1;
	for (size_t n = 0; n < file->size; n++) {
		if (file->bytes[n] == '\n')
			file->lines[file->count++] = n + 1;
	}
	file->lines[file->count] = file->size + 1;
	return 0;
}

static void read_file(const struct sources *sources, struct precis_bytes id, struct source_file *file)
{
	struct stat status;
	int fd = find(sources, id, file->name, &status);

	if (fd < 0)
		return;
	file->bytes = malloc((size_t)status.st_size + 1);
	if (!file->bytes || read_all(fd, file->bytes, (size_t)status.st_size, &file->size) < 0 ||
	    find_lines(file) < 0) {
		free(file->bytes);
		file->bytes = NULL;
	}
	close(fd);
}

static void forget(struct source_file *file)
{
	free(file->name);
	free(file->bytes);
	free(file->lines);
	memset(file, 0, sizeof(*file));
}

/* NULL if memory is short */
static const struct source_file *file_of(struct sources *sources, struct precis_bytes id,
					 const char *name)
{
	struct source_file *file;

	for (uint32_t n = 0; n < SOURCE_FILES; n++) {
		if (sources->files[n].name && strcmp(sources->files[n].name, name) == 0)
			return &sources->files[n];
	}
	file = &sources->files[sources->next];
	sources->next = (sources->next + 1) % SOURCE_FILES;
	forget(file);
	file->name = strdup(name);
	if (!file->name)
		return NULL;
	read_file(sources, id, file);
	return file;
}

const char *sources_line(void *data, struct precis_bytes id, const char *name, uint32_t number)
{
	struct sources *sources = data;
	const struct source_file *file = file_of(sources, id, name);
	const char *at, *end;
	size_t used = 0;

	if (!file || !file->bytes || !number || number > file->count)
		return NULL;
	at = file->bytes + file->lines[number - 1];
	end = file->bytes + file->lines[number] - 1;
	if (end > at && end[-1] == '\r')
		end--;
	for (; at < end && used < sizeof(sources->text) - TAB - 1; at++) {
		if (*at != '\t') {
			sources->text[used++] = *at ? *at : ' ';
			continue;
		}
		do {
			sources->text[used++] = ' ';
		} while (used % TAB);
	}
	sources->text[used] = '\0';
	return sources->text;
}

void sources_free(struct sources *sources)
{
	for (uint32_t n = 0; n < SOURCE_FILES; n++)
		forget(&sources->files[n]);
	free(sources->directories);
}
