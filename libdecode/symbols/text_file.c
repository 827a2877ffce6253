/* SPDX-License-Identifier: BSD-3-Clause */
#include "text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define TEXT_MOST ((size_t)64 << 20)
#define TEXT_FIRST ((size_t)1 << 16)

int precis_regular_open(const char *path, struct stat *status)
{
	int fd;

	/* Look first, and again at what was opened */
	if (stat(path, status) != 0 || !S_ISREG(status->st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (fstat(fd, status) != 0 || !S_ISREG(status->st_mode)) {
		close(fd);
		return -1;
	}
	return fd;
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

char *precis_text_read(const char *path, enum text_owner owner, size_t *bytes)
{
	struct stat status;
	char *text = NULL;
	int fd = precis_regular_open(path, &status);

	if (fd < 0)
		return NULL;
	if (owner == TEXT_OF_ANYONE || status.st_uid == 0 || status.st_uid == geteuid())
		text = read_all(fd, bytes);
	close(fd);
	return text;
}
