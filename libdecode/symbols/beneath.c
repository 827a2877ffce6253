/* SPDX-License-Identifier: BSD-3-Clause */
/* By openat2(2), or by hand where the kernel (before 5.6) or a sandbox has none. */
#define _GNU_SOURCE /* O_PATH */
#include "beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "places.h"

#define LINKS_MOST 40u /* MAXSYMLINKS of Linux */

/* include/uapi/linux/openat2.h, which systems may not have */
struct open_how_in_root {
	uint64_t flags, mode, resolve;
};
#define IN_ROOT 0x10u
#define NO_MAGICLINKS 0x02u

static int open_by_kernel(int root, const char *path, int flags)
{
#ifdef SYS_openat2
	const struct open_how_in_root how = {
		.flags = (uint64_t)flags,
		.resolve = IN_ROOT | NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
#else
	(void)root;
	(void)path;
	(void)flags;
	errno = ENOSYS;
	return -1;
#endif
}

/* A path that is being resolved: 'done' has no link and no "..", 'ahead' is what follows */
struct walk {
	char done[PLACE_PATH], ahead[PLACE_PATH];
	unsigned int links;
};

/* The next component, taken off 'ahead'. 0: there is none */
static int take_component(struct walk *walk, char component[PLACE_PATH])
{
	char *from = walk->ahead + strspn(walk->ahead, "/");
	size_t length = strcspn(from, "/");

	memcpy(component, from, length);
	component[length] = '\0';
	memmove(walk->ahead, from + length, strlen(from + length) + 1);
	return length != 0;
}

/* "." and ".." are of directories alone. 0, or -1 with errno */
static int stay_or_go_up(int root, struct walk *walk, int is_up)
{
	struct stat status;
	char *slash = strrchr(walk->done, '/');

	if (walk->done[0] && fstatat(root, walk->done, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	if (walk->done[0] && !S_ISDIR(status.st_mode)) {
		errno = ENOTDIR;
		return -1;
	}
	if (is_up)
		*(slash ? slash : walk->done) = '\0';
	return 0;
}

/* What a link says comes before what was ahead. 0, or -1 with errno */
static int follow(struct walk *walk, const char *target)
{
	char joined[PLACE_PATH];

	if (++walk->links > LINKS_MOST) {
		errno = ELOOP;
		return -1;
	}
	if (!precis_places_join(joined, target, "/", walk->ahead)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(walk->ahead, joined);
	if (target[0] == '/')
		walk->done[0] = '\0';
	return 0;
}

static int step(int root, struct walk *walk, const char *component)
{
	char next[PLACE_PATH], target[PLACE_PATH];
	ssize_t length;

	if (!strcmp(component, ".") || !strcmp(component, ".."))
		return stay_or_go_up(root, walk, component[1] == '.');
	if (!precis_places_join(next, walk->done, walk->done[0] ? "/" : "", component)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	length = readlinkat(root, next, target, sizeof(target) - 1);
	if (length >= 0) {
		target[length] = '\0';
		return follow(walk, target);
	}
	if (errno != EINVAL) /* is no link */
		return -1;
	strcpy(walk->done, next);
	return 0;
}

/* 'path' has no link: should one have come meanwhile, it is not followed. */
static int open_step_by_step(int root, char *path, int flags)
{
	int at = dup(root);

	for (char *slash; at >= 0 && (slash = strchr(path, '/')) != NULL; path = slash + 1) {
		int next;

		*slash = '\0';
		next = openat(at, path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(at);
		at = next;
	}
	if (at >= 0) {
		int file = openat(at, path[0] ? path : ".", flags | O_NOFOLLOW);

		close(at);
		at = file;
	}
	return at;
}

static int open_by_hand(int root, const char *path, int flags)
{
	struct walk walk = { .done = "" };
	char component[PLACE_PATH];

	if (!precis_places_join(walk.ahead, path, NULL, NULL)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	while (take_component(&walk, component)) {
		if (step(root, &walk, component) < 0)
			return -1;
	}
	return open_step_by_step(root, walk.done, flags);
}

int precis_open_beneath(const char *root, const char *path, int flags)
{
	int directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, failed;

	if (directory < 0)
		return -1;
	fd = open_by_kernel(directory, path, flags);
	/* EAGAIN: something was renamed meanwhile */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN))
		fd = open_by_hand(directory, path, flags);
	failed = errno;
	close(directory);
	errno = failed;
	return fd;
}
