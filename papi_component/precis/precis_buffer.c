/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_buffer.c
 * @see precis_buffer.h
 *
 * What reads is called in signal handlers: it allocates nothing.
 */
#include "precis_buffer.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "papi.h"
#include "precis_debug.h"
#include "precis_errors.h"
#include "precis_memory.h"

#define RING_DEFAULT ((uint64_t)128 << 10)
#define RING_MOST ((uint64_t)1 << 30)
/* The least that a record of an overwritten ring takes */
#define RECORD_LEAST 16u

/* perf_event_mlock_kb and RLIMIT_MEMLOCK may allow less than was asked for. */
static int map(struct precis_buffer *buffer, uint64_t wanted)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), bytes = page;
	int protection = buffer->is_overwritten ? PROT_READ : PROT_READ | PROT_WRITE;

	while (bytes < wanted)
		bytes *= 2;
	for (; bytes >= page; bytes /= 2) {
		buffer->mapping_bytes = (size_t)(page + bytes);
		buffer->mapping =
			mmap(NULL, buffer->mapping_bytes, protection, MAP_SHARED, buffer->fd, 0);
		if (buffer->mapping != MAP_FAILED) {
			buffer->bytes = (uint32_t)bytes;
			SUBDBG("%s: a ring of %u bytes\n", buffer->event, buffer->bytes);
			return PAPI_OK;
		}
		buffer->mapping = NULL;
		if (errno != EPERM && errno != ENOMEM && errno != EAGAIN)
			break;
	}
	return precis_fail(errno == EPERM ? PAPI_EPERM : PAPI_ENOMEM,
			   "%s: no memory may be locked for a ring: kernel.perf_event_mlock_kb and "
			   "ulimit -l are used up (%s)",
			   buffer->event, strerror(errno));
}

static int no_memory(const struct precis_buffer *buffer)
{
	return precis_fail(PAPI_ENOMEM, "%s: no memory", buffer->event);
}

int precis_buffer_map(struct precis_buffer *buffer, uint64_t wanted)
{
	int error;

	if (wanted > RING_MOST)
		return precis_fail(PAPI_EINVAL, "%s: a ring has at most %llu bytes", buffer->event,
				   (unsigned long long)RING_MOST);
	buffer->wrapped = papi_malloc(PRECIS_RING_WRAPPED_BYTES);
	if (!buffer->wrapped)
		return no_memory(buffer);
	error = map(buffer, wanted ? wanted : RING_DEFAULT);
	if (error)
		return error;
	buffer->ring.size = sizeof(buffer->ring);
	if (precis_ring_init(&buffer->ring, buffer->mapping, buffer->mapping_bytes,
			     buffer->wrapped))
		return precis_fail(PAPI_ESYS, "%s: the kernel's ring has a strange size",
				   buffer->event);
	if (buffer->is_overwritten) {
		buffer->start_count = buffer->bytes / RECORD_LEAST;
		buffer->starts = papi_calloc(buffer->start_count, sizeof(*buffer->starts));
		if (!buffer->starts)
			return no_memory(buffer);
	}
	return PAPI_OK;
}

void precis_buffer_abandon(struct precis_buffer *buffer)
{
	buffer->mapping = NULL;
	papi_free(buffer->starts);
	papi_free(buffer->wrapped);
	buffer->starts = NULL;
	buffer->wrapped = NULL;
}

void precis_buffer_unmap(struct precis_buffer *buffer)
{
	if (buffer->mapping)
		munmap(buffer->mapping, buffer->mapping_bytes);
	precis_buffer_abandon(buffer);
}

int precis_buffer_waits(struct precis_buffer *buffer)
{
	return buffer->mapping && (buffer->is_overwritten || precis_ring_look(&buffer->ring));
}

int precis_buffer_begin(struct precis_buffer *buffer)
{
	if (!precis_buffer_waits(buffer))
		return 0;
	if (buffer->is_overwritten) {
		ioctl(buffer->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
		precis_ring_freeze(&buffer->ring, buffer->starts, buffer->start_count);
	}
	return 1;
}

int precis_buffer_next(struct precis_buffer *buffer, struct precis_record *record)
{
	return precis_ring_next(&buffer->ring, record);
}

void precis_buffer_release(struct precis_buffer *buffer)
{
	if (!buffer->is_overwritten)
		precis_ring_release(&buffer->ring);
}

void precis_buffer_end(struct precis_buffer *buffer)
{
	precis_buffer_release(buffer);
	if (buffer->is_overwritten)
		ioctl(buffer->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
}
