/* SPDX-License-Identifier: BSD-3-Clause */
/* See text_file.h. */
#define _GNU_SOURCE /* O_PATH */
#include "text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "beneath.h"

#define TEXT_MOST ((size_t)64 << 20)
#define TEXT_FIRST ((size_t)1 << 16)

static int open_in(const char *root, const char *path, int flags)
{
	return root[0] ? precis_open_beneath(root, path + strlen(root), flags) : open(path, flags);
}

/* @return 'fd' if it is a regular file; else -1, and it is closed */
static int only_regular(int fd, struct stat *status)
{
	if (fd < 0 || (fstat(fd, status) == 0 && S_ISREG(status->st_mode)))
		return fd;
	close(fd);
	return -1;
}

int precis_regular_open(const char *root, const char *path, struct stat *status)
{
	int fd = only_regular(open_in(root, path, O_PATH | O_CLOEXEC), status);

	if (fd < 0)
		return -1;
	close(fd);
	/* It was one when it was looked at: look again at what is opened */
	return only_regular(open_in(root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY),
			    status);
}

/* Files of /proc have no size: read until there is no more */
static char *read_all(int fd, size_t *bytes)
{
	size_t room = TEXT_FIRST;
	char *text = malloc(room);
	ssize_t got;

	*bytes = 0;
	while (text) {
		got = read(fd, text + *bytes, room - *bytes - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0) {
			text[*bytes] = '\0';
			return text;
		}
		if (got < 0)
			break;
		*bytes += (size_t)got;
		if (room - *bytes > 1)
			continue;
		char *larger = room < TEXT_MOST ? realloc(text, room * 2) : NULL;

		if (!larger)
			break;
		text = larger;
		room *= 2;
	}
	free(text);
	return NULL;
}

char *precis_text_read(const char *root, const char *path, enum text_owner owner, size_t *bytes)
{
	struct stat status;
	char *text = NULL;
	int fd = precis_regular_open(root, path, &status);

	if (fd < 0)
		return NULL;
	if (owner == TEXT_OF_ANYONE || status.st_uid == 0 || status.st_uid == geteuid())
		text = read_all(fd, bytes);
	close(fd);
	return text;
}
