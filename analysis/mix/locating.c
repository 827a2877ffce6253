/* SPDX-License-Identifier: BSD-3-Clause */
/* See locating.h. */
#include "locating.h"

#include <precis/fields.h>

/* Code that a branch or a sample may be in one block with: what changes further away is another's matter. */
#define AROUND 4096u

/* What a place's key has beside text, offset and time: without a text the reason is in the first word. */
#define ABSENT_SHIFT 8
#define KERNEL_BIT 1u
#define TEXT_BIT 2u

static uint64_t since_of(const struct code_place *place, uint64_t time)
{
	const uint64_t start = place->offset > AROUND ? place->offset - AROUND : 0;
	const uint64_t end =
		place->offset < UINT64_MAX - AROUND ? place->offset + AROUND : UINT64_MAX;
	uint64_t since, until;

	code_text_valid(place->text, start, end, time, &since, &until);
	return since;
}

/* The processor's, of x86: the upper half of the address space is the kernel's. Guests are seen alone. */
static uint32_t mode_of(const struct mix_witness *who, uint64_t address)
{
	if (who->cpumode != PRECIS_CPUMODE_KERNEL && who->cpumode != PRECIS_CPUMODE_USER)
		return who->cpumode;
	return address >> 63 ? PRECIS_CPUMODE_KERNEL : PRECIS_CPUMODE_USER;
}

static int locate(struct mix_locating *locating, const struct mix_witness *who, uint64_t address,
		  struct numbering_key *key)
{
	const uint32_t cpumode = mode_of(who, address);
	struct code_place place;

	if (code_texts_locate(locating->texts, who->pid, cpumode, who->time, address, &place) < 0)
		return -1;
	*key = (struct numbering_key){ { 0 } };
	key->word[1] = place.text ? place.offset : address;
	key->word[2] = (uint64_t)who->context << 32 |
		       (place.text ? TEXT_BIT : place.absent << ABSENT_SHIFT) |
		       (cpumode == PRECIS_CPUMODE_KERNEL ? KERNEL_BIT : 0);
	if (place.text) {
		key->word[0] = (uint64_t)(uintptr_t)place.text;
		key->word[3] = since_of(&place, who->time);
	}
	return 0;
}

int mix_locate(struct mix_locating *locating, const struct mix_witness *who, uint64_t address,
	       struct numbering_key *key)
{
	int failed;

	if (!locating->is_shared)
		return locate(locating, who, address, key);
	pthread_mutex_lock(&locating->lock);
	failed = locate(locating, who, address, key);
	pthread_mutex_unlock(&locating->lock);
	return failed;
}

void mix_leave_out(struct numbering_key *key)
{
	const uint64_t kept = UINT64_C(0xffffffff) << 32 | KERNEL_BIT;

	*key = (struct numbering_key){
		{ 0, 0, (key->word[2] & kept) | (uint64_t)CODE_ABSENT_TOO_MANY << ABSENT_SHIFT, 0 }
	};
}

struct mix_place mix_place_of(const struct numbering_key *key)
{
	const uint32_t rest = (uint32_t)key->word[2];

	return (struct mix_place){
		.text = (struct code_text *)(uintptr_t)key->word[0],
		.offset = key->word[1],
		.since = key->word[3],
		.context = (uint32_t)(key->word[2] >> 32),
		.absent = rest & TEXT_BIT ? CODE_PRESENT : (uint8_t)(rest >> ABSENT_SHIFT),
		.is_kernel = (rest & KERNEL_BIT) != 0,
	};
}
