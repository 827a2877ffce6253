/* SPDX-License-Identifier: BSD-3-Clause */
/* Rings made by hand: records that wrap round anywhere, sizes that lie, what is overwritten. */
#include <sys/mman.h>

#include <precis/error.h>
#include <precis/ring.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

/* struct perf_event_mmap_page */
enum { HEAD = 0x400, TAIL = 0x408, OFFSET = 0x410, SIZE = 0x418, CONTROL = 4096 };
#define LARGEST 65528u /* header.size is a u16, records are multiples of 8 */

/* A mapping in memory that ends with it, and what the kernel knows of it */
struct made {
	uint8_t *mapping;
	size_t bytes;
	uint64_t data_bytes;
	uint64_t head;
	uint8_t *wrapped; /* as large as it must be, and no larger */
	struct precis_ring ring;
};

static void put(struct made *made, size_t at, uint64_t value)
{
	memcpy(made->mapping + at, &value, sizeof(value));
}

static uint64_t get(const struct made *made, size_t at)
{
	uint64_t value;

	memcpy(&value, made->mapping + at, sizeof(value));
	return value;
}

static int start(struct made *made)
{
	memset(&made->ring, 0xa5, sizeof(made->ring));
	made->ring.size = sizeof(made->ring);
	return precis_ring_init(&made->ring, made->mapping, made->bytes, made->wrapped);
}

/* An empty ring: head and tail are both 'at'. */
static void make(struct made *made, uint64_t data_bytes, uint64_t at)
{
	made->bytes = CONTROL + data_bytes;
	made->data_bytes = data_bytes;
	made->mapping = calloc(1, made->bytes);
	made->wrapped = malloc(PRECIS_RING_WRAPPED_BYTES);
	if (!made->mapping || !made->wrapped)
		abort();
	made->head = at;
	put(made, HEAD, at);
	put(made, TAIL, at);
	put(made, OFFSET, CONTROL);
	put(made, SIZE, data_bytes);
	CU_ASSERT_EQUAL_FATAL(start(made), 0);
}

static void discard(struct made *made)
{
	free(made->mapping);
	free(made->wrapped);
}

static void poke(struct made *made, uint64_t at, uint8_t byte)
{
	made->mapping[CONTROL + (at & (made->data_bytes - 1))] = byte;
}

static uint8_t body_byte(uint32_t number, uint32_t i)
{
	return (uint8_t)(number * 37 + i * 3 + (i >> 8));
}

/* Record 'number': type and misc tell it, too. 'claimed' is what the header says of its size. */
static void write_at(struct made *made, uint64_t at, uint32_t number, uint32_t bytes,
		     uint16_t claimed)
{
	const uint16_t misc = (uint16_t)(number * 7);
	uint8_t header[8];

	memcpy(header, &number, 4);
	memcpy(header + 4, &misc, 2);
	memcpy(header + 6, &claimed, 2);
	for (uint32_t i = 0; i < bytes; i++)
		poke(made, at + i, i < 8 ? header[i] : body_byte(number, i));
}

/* The kernel's two ways: behind the last record, or before it */
static void append(struct made *made, uint32_t number, uint32_t bytes)
{
	write_at(made, made->head, number, bytes, (uint16_t)bytes);
	made->head += bytes;
	put(made, HEAD, made->head);
}

static void prepend(struct made *made, uint32_t number, uint32_t bytes)
{
	made->head -= bytes;
	write_at(made, made->head, number, bytes, (uint16_t)bytes);
	put(made, HEAD, made->head);
}

static void check_record(const struct precis_record *record, uint32_t number, uint32_t bytes)
{
	uint32_t wrong = 0;

	CU_ASSERT_EQUAL(record->type, number);
	CU_ASSERT_EQUAL(record->misc, (uint16_t)(number * 7));
	CU_ASSERT_EQUAL_FATAL(record->size, bytes);
	CU_ASSERT_EQUAL(record->offset, 0);
	CU_ASSERT_EQUAL(record->data_file, 0);
	for (uint32_t i = 8; i < bytes; i++)
		wrong += record->data[i] != body_byte(number, i);
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_FALSE(memcmp(record->data, &number, sizeof(number)));
}

/* Nothing is copied but what wraps round. */
static void check_place(const struct made *made, const struct precis_record *record, uint64_t at)
{
	uint64_t place = at & (made->data_bytes - 1);

	CU_ASSERT_PTR_EQUAL(record->data, record->size > made->data_bytes - place
						  ? made->wrapped
						  : made->mapping + CONTROL + place);
}

static void expect(struct made *made, uint32_t number, uint32_t bytes)
{
	struct precis_record record;

	memset(&record, 0xa5, sizeof(record));
	CU_ASSERT_EQUAL_FATAL(precis_ring_next(&made->ring, &record), 1);
	check_record(&record, number, bytes);
}

static void expect_code(struct made *made, int code)
{
	struct precis_record record;

	CU_ASSERT_EQUAL(precis_ring_next(&made->ring, &record), code);
}

/* Each size, beginning at each place of the ring */
static void wraps_anywhere(void)
{
	static const uint64_t rings[] = { 8, 16, 64, 256 };

	for (size_t r = 0; r < sizeof(rings) / sizeof(rings[0]); r++) {
		for (uint64_t place = 0; place < rings[r]; place += 8) {
			for (uint32_t bytes = 8; bytes <= rings[r]; bytes += 8) {
				struct precis_record record;
				struct made made;

				make(&made, rings[r], 3 * rings[r] + place);
				append(&made, bytes, bytes);
				CU_ASSERT_EQUAL(precis_ring_look(&made.ring), bytes);
				CU_ASSERT_EQUAL_FATAL(precis_ring_next(&made.ring, &record), 1);
				check_record(&record, bytes, bytes);
				check_place(&made, &record, place);
				expect_code(&made, 0);
				CU_ASSERT_EQUAL(made.ring.bytes, bytes);
				discard(&made);
			}
		}
	}
}

static void sizes(void)
{
	static const uint32_t some[] = { 8, 16, 24, 4088, 4096, 4104, 32768, 65520, LARGEST };
	struct made made;
	uint64_t bytes = 0;
	uint32_t number = 0;

	make(&made, 65536, 0);
	for (uint32_t round = 0; round < 20; round++) {
		for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
			append(&made, ++number, some[i]);
			bytes += some[i];
			precis_ring_look(&made.ring);
			expect(&made, number, some[i]);
			precis_ring_release(&made.ring);
			CU_ASSERT_EQUAL(get(&made, TAIL), made.head);
		}
	}
	CU_ASSERT_EQUAL(made.ring.records, number);
	CU_ASSERT_EQUAL(made.ring.bytes, bytes);
	CU_ASSERT_EQUAL(made.ring.unreadable_bytes, 0);
	CU_ASSERT_EQUAL(made.ring.overwritten_bytes, 0);
	discard(&made);
}

/* The free-running positions go past 2^64, too. */
static void positions_wrap(void)
{
	struct made made;

	make(&made, 128, UINT64_MAX - 39);
	append(&made, 1, 32);
	append(&made, 2, 64);
	CU_ASSERT_EQUAL(precis_ring_look(&made.ring), 96);
	expect(&made, 1, 32);
	expect(&made, 2, 64);
	expect_code(&made, 0);
	precis_ring_release(&made.ring);
	CU_ASSERT_EQUAL(get(&made, TAIL), 56);
	discard(&made);
}

static void empty_and_full(void)
{
	struct made made;

	make(&made, 64, 40);
	expect_code(&made, 0);
	CU_ASSERT_EQUAL(precis_ring_look(&made.ring), 0);
	expect_code(&made, 0);
	append(&made, 1, 24);
	expect_code(&made, 0); /* not looked yet */
	append(&made, 2, 40);
	CU_ASSERT_EQUAL(precis_ring_look(&made.ring), 64);
	expect(&made, 1, 24);
	CU_ASSERT_EQUAL(get(&made, TAIL), 40); /* not released yet */
	expect(&made, 2, 40);
	expect_code(&made, 0);
	CU_ASSERT_EQUAL(get(&made, TAIL), 40);
	precis_ring_release(&made.ring);
	CU_ASSERT_EQUAL(get(&made, TAIL), 104);
	CU_ASSERT_EQUAL(get(&made, HEAD), 104);
	CU_ASSERT_EQUAL(made.ring.records, 2);
	discard(&made);
}

/* Whoever maps a ring that has been read from before goes on where it was left. */
static void goes_on(void)
{
	struct made made;

	make(&made, 256, 0);
	append(&made, 1, 32);
	append(&made, 2, 48);
	precis_ring_look(&made.ring);
	expect(&made, 1, 32);
	precis_ring_release(&made.ring);
	CU_ASSERT_EQUAL_FATAL(start(&made), 0);
	CU_ASSERT_EQUAL(precis_ring_look(&made.ring), 48);
	expect(&made, 2, 48);
	CU_ASSERT_EQUAL(made.ring.records, 1);
	discard(&made);
}

/* A size that cannot be: what was seen is skipped, and the next look goes on behind it. */
static void lying_sizes(void)
{
	static const struct {
		uint16_t claimed;
		uint32_t behind; /* bytes up to the head */
	} rows[] = {
		{ 0, 32 },  { 4, 32 },       { 7, 32 },    { 9, 32 },     { 12, 32 },
		{ 20, 32 }, { 40, 32 },      { 36, 32 },   { 65535, 32 }, { 65528, 32 },
		{ 16, 8 },  { 0xfff8, 248 }, { 256, 248 }, { 4, 8 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct made made;

		make(&made, 256, 512);
		append(&made, 1, 8);
		write_at(&made, made.head, 2, rows[i].behind, rows[i].claimed);
		made.head += rows[i].behind;
		put(&made, HEAD, made.head);
		CU_ASSERT_EQUAL(precis_ring_look(&made.ring), 8 + rows[i].behind);
		expect(&made, 1, 8);
		expect_code(&made, PRECIS_E_BAD_SIZE);
		expect_code(&made, 0);
		CU_ASSERT_EQUAL(made.ring.unreadable_bytes, rows[i].behind);
		CU_ASSERT_EQUAL(made.ring.records, 1);
		CU_ASSERT_EQUAL(made.ring.bytes, 8);
		precis_ring_release(&made.ring);
		CU_ASSERT_EQUAL(get(&made, TAIL), made.head);
		append(&made, 3, 64);
		precis_ring_look(&made.ring);
		expect(&made, 3, 64);
		expect_code(&made, 0);
		discard(&made);
	}
}

/* A head that cannot be */
static void lying_heads(void)
{
	static const uint64_t ahead[] = { 257,       264, 65536, UINT64_C(1) << 40, UINT64_MAX - 7,
					  UINT64_MAX };
	struct made made;

	for (size_t i = 0; i < sizeof(ahead) / sizeof(ahead[0]); i++) {
		make(&made, 256, 512);
		append(&made, 1, 16);
		put(&made, HEAD, 512 + ahead[i]);
		CU_ASSERT_EQUAL(precis_ring_look(&made.ring), ahead[i]);
		expect_code(&made, PRECIS_E_BAD_SIZE);
		CU_ASSERT_EQUAL(made.ring.unreadable_bytes, ahead[i]);
		CU_ASSERT_EQUAL(made.ring.records, 0);
		expect_code(&made, 0);
		discard(&made);
	}
}

/* A head in the middle of a header: the record before it is whole, what follows is not. */
static void misaligned_head(void)
{
	struct made made;

	for (uint64_t odd = 1; odd < 8; odd++) {
		make(&made, 256, 0);
		append(&made, 1, 16);
		write_at(&made, 16, 2, 16, 16);
		put(&made, HEAD, 16 + odd);
		CU_ASSERT_EQUAL(precis_ring_look(&made.ring), 16 + odd);
		expect(&made, 1, 16);
		expect_code(&made, PRECIS_E_BAD_SIZE);
		CU_ASSERT_EQUAL(made.ring.unreadable_bytes, odd);
		/* the next one begins nowhere; behind it all is well again */
		put(&made, HEAD, 32);
		CU_ASSERT_EQUAL(precis_ring_look(&made.ring), 16 - odd);
		expect_code(&made, PRECIS_E_BAD_SIZE);
		CU_ASSERT_EQUAL(made.ring.unreadable_bytes, 16);
		made.head = 32;
		append(&made, 3, 24);
		precis_ring_look(&made.ring);
		expect(&made, 3, 24);
		discard(&made);
	}
}

/* A tail that no reader of ours wrote */
static void misaligned_tail(void)
{
	struct made made;

	make(&made, 64, 60);
	append(&made, 1, 36);
	precis_ring_look(&made.ring);
	expect_code(&made, PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(made.ring.unreadable_bytes, 36);
	append(&made, 2, 32);
	precis_ring_look(&made.ring);
	expect(&made, 2, 32);
	discard(&made);
}

static void control_pages(void)
{
	static const struct {
		uint64_t offset, size;
		int code;
	} rows[] = {
		{ 4096, 4096, 0 },
		{ 4096, 2048, 0 },
		{ 4096, 8, 0 },
		{ 4104, 2048, 0 },
		{ 8184, 8, 0 },
		{ 0x420, 1024, 0 },
		{ 0, 4096, PRECIS_E_BAD_SIZE },
		{ 0x41f, 1024, PRECIS_E_BAD_SIZE },
		{ 4096, 0, PRECIS_E_BAD_SIZE },
		{ 4096, 4, PRECIS_E_BAD_SIZE },
		{ 4096, 24, PRECIS_E_BAD_SIZE },
		{ 4096, 4095, PRECIS_E_BAD_SIZE },
		{ 4096, 8192, PRECIS_E_BAD_SIZE },
		{ 4104, 4096, PRECIS_E_BAD_SIZE },
		{ 8192, 8, PRECIS_E_BAD_SIZE },
		{ 8200, 8, PRECIS_E_BAD_SIZE },
		{ UINT64_MAX, 8, PRECIS_E_BAD_SIZE },
		{ 4096, UINT64_MAX, PRECIS_E_BAD_SIZE },
		{ 4096, UINT64_C(1) << 63, PRECIS_E_BAD_SIZE },
		{ UINT64_MAX - 4095, 4096, PRECIS_E_BAD_SIZE },
	};
	struct made made;

	make(&made, 4096, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put(&made, OFFSET, rows[i].offset);
		put(&made, SIZE, rows[i].size);
		CU_ASSERT_EQUAL(start(&made), rows[i].code);
	}
	discard(&made);
}

static void arguments(void)
{
	uint32_t starts[1];
	struct made made;

	make(&made, 64, 0);
	CU_ASSERT_EQUAL(precis_ring_init(NULL, made.mapping, made.bytes, made.wrapped),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ring_init(&made.ring, NULL, made.bytes, made.wrapped),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ring_init(&made.ring, made.mapping, made.bytes, NULL),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ring_init(&made.ring, made.mapping, 0x41f, made.wrapped),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ring_init(&made.ring, made.mapping, 0x420, made.wrapped),
			PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(precis_ring_freeze(NULL, starts, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, NULL, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, 0), PRECIS_E_ARGUMENT);
	made.ring.size--;
	CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_ring_init(&made.ring, made.mapping, made.bytes, made.wrapped),
			PRECIS_E_ARGUMENT);
	discard(&made);
}

/* What precis_ring_freeze() must find of records 1 to 'last', of sizes 'bytes', newest kept */
static uint32_t kept(uint64_t data_bytes, const uint32_t *bytes, uint32_t last, size_t room,
		     uint64_t *kept_bytes)
{
	uint32_t count = 0;

	*kept_bytes = 0;
	while (last && count < room && *kept_bytes + bytes[last] <= data_bytes) {
		*kept_bytes += bytes[last--];
		count++;
	}
	return count;
}

/* Freeze, and read what must be there, oldest first. @return the bytes of it */
static uint64_t expect_frozen(struct made *made, const uint32_t *bytes, uint32_t last,
			      uint32_t before, uint32_t *starts, size_t room)
{
	uint64_t kept_bytes;
	uint32_t count = kept(made->data_bytes, bytes + before, last - before, room, &kept_bytes);

	CU_ASSERT_EQUAL_FATAL(precis_ring_freeze(&made->ring, starts, room), count);
	for (uint32_t number = last - count + 1; number <= last; number++)
		expect(made, number, bytes[number]);
	expect_code(made, 0);
	return kept_bytes;
}

enum { MOST = 400 };

/* Sizes from a few to all of the ring, each row of them often enough to come round */
static void frozen(void)
{
	static const uint32_t rows[][4] = {
		{ 8, 8, 8, 8 },         { 16, 24, 40, 8 },   { 56, 56, 56, 56 },
		{ 256, 256, 256, 256 }, { 248, 8, 256, 16 }, { 104, 32, 72, 200 },
	};
	static uint32_t bytes[MOST + 1], starts[32];

	for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		for (uint32_t burst = 1; burst < 50; burst++) {
			uint64_t written = 0, read = 0;
			struct made made;
			uint32_t number = 0;

			make(&made, 256, 0);
			while (number + burst <= MOST) {
				uint32_t before = number;

				for (uint32_t i = 0; i < burst; i++) {
					number++;
					bytes[number] = rows[row][number % 4];
					prepend(&made, number, bytes[number]);
					written += bytes[number];
				}
				read += expect_frozen(&made, bytes, number, before, starts, 32);
			}
			CU_ASSERT_EQUAL(made.ring.bytes, read);
			CU_ASSERT_EQUAL(made.ring.overwritten_bytes, written - read);
			CU_ASSERT_EQUAL(made.ring.unreadable_bytes, 0);
			CU_ASSERT_EQUAL(get(&made, TAIL), 0); /* it cannot be written to */
			discard(&made);
		}
	}
}

static void frozen_with_little_room(void)
{
	static const uint32_t bytes[] = { 0, 16, 24, 16, 32, 8 };

	for (size_t room = 1; room <= 5; room++) {
		uint32_t *starts = malloc(room * sizeof(*starts));
		uint64_t read;
		struct made made;

		make(&made, 128, 0);
		for (uint32_t number = 1; number <= 5; number++)
			prepend(&made, number, bytes[number]);
		read = expect_frozen(&made, bytes, 5, 0, starts, room);
		CU_ASSERT_EQUAL(made.ring.records, room);
		CU_ASSERT_EQUAL(made.ring.overwritten_bytes, 96 - read);
		/* and they are not found again */
		CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, room), 0);
		expect_code(&made, 0);
		CU_ASSERT_EQUAL(made.ring.overwritten_bytes, 96 - read);
		discard(&made);
		free(starts);
	}
}

/* Records left unread when it is frozen again are gone. */
static void frozen_twice(void)
{
	struct made made;
	uint32_t starts[16];

	make(&made, 128, 0);
	prepend(&made, 1, 16);
	prepend(&made, 2, 24);
	CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, 16), 2);
	expect(&made, 1, 16);
	prepend(&made, 3, 32);
	CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, 16), 1);
	expect(&made, 3, 32);
	expect_code(&made, 0);
	discard(&made);
}

/* Sizes that lie end the walk; those beyond it count as overwritten. */
static void frozen_lies(void)
{
	static const uint16_t lies[] = { 0, 4, 7, 12, 17, 264, 65535 };
	uint32_t starts[16];

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		struct made made;

		make(&made, 256, 0);
		prepend(&made, 1, 16);
		prepend(&made, 2, 32);
		write_at(&made, made.head, 2, 32, lies[i]);
		prepend(&made, 3, 40);
		CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, 16), 1);
		expect(&made, 3, 40);
		expect_code(&made, 0);
		CU_ASSERT_EQUAL(made.ring.overwritten_bytes, 48);
		discard(&made);
	}
}

/* A ring that was not paused: what has been written over since says so, or is some record. */
static void frozen_and_written(void)
{
	uint32_t starts[16];
	struct made made;

	make(&made, 64, 0);
	prepend(&made, 1, 24);
	prepend(&made, 2, 32);
	CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, 16), 2);
	write_at(&made, UINT64_MAX - 23, 3, 24, 12);
	expect_code(&made, PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(made.ring.unreadable_bytes, 8);
	/* longer than before, round the end of the ring, but never longer than the ring */
	write_at(&made, made.head, 4, 64, 64);
	expect(&made, 4, 64);
	CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, 16), 0);
	prepend(&made, 5, 16);
	CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, 16), 1);
	write_at(&made, made.head, 5, 16, 72);
	expect_code(&made, PRECIS_E_BAD_SIZE);
	discard(&made);
}

static void frozen_misaligned(void)
{
	uint32_t starts[16];
	struct made made;

	make(&made, 64, 0);
	prepend(&made, 1, 24);
	put(&made, HEAD, made.head - 4);
	CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, 16), 0);
	CU_ASSERT_EQUAL(made.ring.overwritten_bytes, 28);
	expect_code(&made, 0);
	discard(&made);
}

/* Offsets of frozen records are u32s. The memory is never touched. */
static void frozen_too_large(void)
{
	size_t bytes = CONTROL + (size_t)(UINT64_C(1) << 33);
	struct made made = { .bytes = bytes };
	uint32_t starts[16];

	made.wrapped = malloc(PRECIS_RING_WRAPPED_BYTES);
	made.mapping = bytes > UINT32_MAX ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
						 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
					  : MAP_FAILED;
	if (made.mapping == MAP_FAILED) {
		tap_skip("no 8 GiB of addresses");
		free(made.wrapped);
		return;
	}
	put(&made, OFFSET, CONTROL);
	for (uint32_t shift = 32; shift <= 33; shift++) {
		put(&made, SIZE, UINT64_C(1) << shift);
		CU_ASSERT_EQUAL_FATAL(start(&made), 0);
		CU_ASSERT_EQUAL(precis_ring_freeze(&made.ring, starts, 16),
				shift == 32 ? 0 : PRECIS_E_BAD_SIZE);
	}
	munmap(made.mapping, bytes);
	free(made.wrapped);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "records that wrap round at every place", wraps_anywhere },
		{ "sizes from 8 to 65528", sizes },
		{ "positions past 2^64", positions_wrap },
		{ "empty and full", empty_and_full },
		{ "a tail that was left by another reader", goes_on },
		{ "sizes that lie", lying_sizes },
		{ "heads that lie", lying_heads },
		{ "a misaligned head", misaligned_head },
		{ "a misaligned tail", misaligned_tail },
		{ "control pages", control_pages },
		{ "arguments", arguments },
		{ "a frozen ring", frozen },
		{ "a frozen ring and little room", frozen_with_little_room },
		{ "a ring frozen twice", frozen_twice },
		{ "a frozen ring with sizes that lie", frozen_lies },
		{ "a frozen ring that was not paused", frozen_and_written },
		{ "a frozen ring with a misaligned head", frozen_misaligned },
		{ "a frozen ring of more than 4 GiB", frozen_too_large },
	};

	return tap_main("ring", cases, sizeof(cases) / sizeof(cases[0]));
}
