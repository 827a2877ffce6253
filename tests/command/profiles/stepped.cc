// SPDX-License-Identifier: BSD-3-Clause
// A program whose counts are known: of 1000 rounds 900 take one branch, 100 the other. For test_profiles.py.
#include <unistd.h>

static volatile long sink;

__attribute__((always_inline)) static inline long mixed(long value)
{
	return value % 3 == 0 ? value * 5 : value ^ 21;
}

extern "C" __attribute__((noinline)) long often(long value)
{
	return mixed(value) + 1;
}

extern "C" __attribute__((noinline)) long seldom(long value)
{
	long sum = 0;

	for (int n = 0; n < 8; n++)
		sum += mixed(value + n);
	return sum;
}

using function = long (*)(long);
static function volatile pointed = often;

extern "C" __attribute__((noinline)) long round_of(long n)
{
	if (n % 10 == 7)
		return seldom(n);
	return n % 2 ? often(n) : pointed(n);
}

int main()
{
	long sum = 0;

	for (long n = 0; n < 1000; n++)
		sum += round_of(n);
	sink = sum;
	return write(1, "done\n", 5) == 5 ? 0 : 1;
}
