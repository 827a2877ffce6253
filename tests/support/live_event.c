/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_event.h. */
#include "tests/support/live_event.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/hw_breakpoint.h>

#include "tests/support/causeless_traps.h"

struct perf_event_attr live_attr(uint32_t type, uint64_t config, uint64_t period,
				 uint64_t sample_type)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = type;
	attr.config = config;
	attr.sample_period = period;
	attr.sample_type = sample_type;
	attr.disabled = 1;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	return attr;
}

struct perf_event_attr live_store_attr(const volatile uint64_t *watched, uint64_t sample_type)
{
	struct perf_event_attr attr = live_attr(PERF_TYPE_BREAKPOINT, 0, 1, sample_type);

	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = (uintptr_t)watched;
	attr.bp_len = sizeof(*watched);
	return attr;
}

static int map_ring(struct live_event *event, size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int protection = PROT_READ | (event->attr.write_backward ? 0 : PROT_WRITE);
	void *mapping;

	event->bytes = (1 + pages) * page;
	mapping = mmap(NULL, event->bytes, protection, MAP_SHARED, event->fd, 0);
	if (mapping == MAP_FAILED)
		return -errno;
	event->mapping = mapping;
	event->ring.size = sizeof(event->ring);
	if (precis_ring_init(&event->ring, mapping, event->bytes, event->wrapped))
		return -EPROTO;
	return 0;
}

/* Some virtual machines let a data breakpoint be set and never deliver it. */
static int breakpoints_fire(void)
{
	static volatile uint64_t cell;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&cell,
		.bp_len = HW_BREAKPOINT_LEN_8,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	uint64_t count = 0;
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return 1; /* no room: the test is told of that */
	cell = 1;
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		count = 0;
	close(fd);
	return count > 0;
}

int live_open(struct live_event *event, const struct perf_event_attr *attr, size_t pages)
{
	int error = 0;

	event->attr = *attr;
	event->mapping = NULL;
	event->fd =
		(int)syscall(SYS_perf_event_open, &event->attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (event->fd < 0)
		return -errno;
	event->decoder.size = sizeof(event->decoder);
	if (attr->type == PERF_TYPE_BREAKPOINT && !breakpoints_fire())
		error = -ENOMSG;
	else if (precis_decoder_init(&event->decoder, &event->attr, sizeof(event->attr)))
		error = -EPROTO;
	else if (pages)
		error = map_ring(event, pages);
	if (error)
		live_close(event);
	return error;
}

void live_close(struct live_event *event)
{
	if (event->mapping)
		munmap(event->mapping, event->bytes);
	if (event->fd >= 0)
		close(event->fd);
	event->mapping = NULL;
	event->fd = -1;
}

const char *live_why_not(int error)
{
	switch (-error) {
	case EPERM:
	case EACCES:
		return "not permitted (kernel.perf_event_paranoid, capabilities, seccomp)";
	case ENOSYS:
		return "the kernel has no such system call";
	case ENOMSG:
		return "data breakpoints can be set here, but never fire (virtual machine)";
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return "the kernel or CPU has no such event";
	default:
		return NULL;
	}
}
