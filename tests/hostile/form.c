/* SPDX-License-Identifier: BSD-3-Clause */
/* See form.h. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/hostile/form.h"
#include "tests/support/build.h"

static int by_name(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Names in a directory, sorted: the same everywhere. */
static uint32_t list(const char *directory, char **names, uint32_t room)
{
	DIR *stream = opendir(directory);
	struct dirent *entry;
	uint32_t count = 0;

	if (!stream)
		return 0;
	while ((entry = readdir(stream)) != NULL && count < room) {
		if (entry->d_name[0] == '.')
			continue;
		names[count] = strdup(entry->d_name);
		if (!names[count++])
			abort();
	}
	closedir(stream);
	qsort(names, count, sizeof(*names), by_name);
	return count;
}

static void set_name(char name[32], const char *text)
{
	if (snprintf(name, 32, "%s", text) >= 32)
		abort();
}

static void load_part(struct form *form, const char *path, const char *name)
{
	struct form_part *part = &form->parts[form->part_count++];

	set_name(part->name, name);
	part->bytes = build_slurp(path, &part->count);
}

static void load(const char *path, const char *name, struct form *form)
{
	char *names[FORM_PARTS], inside[512];
	struct stat status;
	uint32_t count;

	memset(form, 0, sizeof(*form));
	set_name(form->name, name);
	if (stat(path, &status))
		abort();
	if (!S_ISDIR(status.st_mode)) {
		load_part(form, path, name);
		return;
	}
	form->is_directory = 1;
	count = list(path, names, FORM_PARTS);
	for (uint32_t n = 0; n < count; n++) {
		snprintf(inside, sizeof(inside), "%s/%s", path, names[n]);
		load_part(form, inside, names[n]);
		free(names[n]);
	}
}

uint32_t form_load_all(const char *directory, struct form *forms, uint32_t room)
{
	char *names[64], path[256];
	uint32_t count = list(directory, names, room < 64 ? room : 64);

	for (uint32_t n = 0; n < count; n++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[n]);
		load(path, names[n], &forms[n]);
		free(names[n]);
	}
	return count;
}

void form_free_all(struct form *forms, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		for (uint32_t part = 0; part < forms[n].part_count; part++)
			free(forms[n].parts[part].bytes);
	}
}

void form_place_open(struct form_place *place, const struct form *form)
{
	char path[256];

	memset(place, 0, sizeof(*place));
	place->form = form;
	if (!form->is_directory) {
		place->fds[0] = memfd_create("perf.data", MFD_CLOEXEC);
		snprintf(place->path, sizeof(place->path), "/proc/self/fd/%d", place->fds[0]);
		return;
	}
	snprintf(place->path, sizeof(place->path), "%s/precis-hostile-XXXXXX",
		 access("/dev/shm", W_OK) ? "." : "/dev/shm");
	if (!mkdtemp(place->path))
		abort();
	for (uint32_t n = 0; n < form->part_count; n++) {
		snprintf(path, sizeof(path), "%s/%s", place->path, form->parts[n].name);
		place->fds[n] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (place->fds[n] < 0)
			abort();
	}
}

void form_place_write(struct form_place *place, const struct form_part *parts)
{
	for (uint32_t n = 0; n < place->form->part_count; n++) {
		if (ftruncate(place->fds[n], 0) ||
		    pwrite(place->fds[n], parts[n].bytes, parts[n].count, 0) !=
			    (ssize_t)parts[n].count)
			abort();
	}
}

void form_place_close(struct form_place *place)
{
	char path[256];

	for (uint32_t n = 0; n < place->form->part_count; n++) {
		close(place->fds[n]);
		snprintf(path, sizeof(path), "%s/%s", place->path, place->form->parts[n].name);
		if (place->form->is_directory)
			unlink(path);
	}
	if (place->form->is_directory)
		rmdir(place->path);
}
