// SPDX-License-Identifier: BSD-3-Clause
// Functions inlined into each other, from several files, with several pieces of code on a line: for test_functions.py.
#include <cstdio>
#include <cstdlib>

namespace work {

template <typename number> struct summing {
	number sum = 0;

	__attribute__((always_inline)) inline void add(number value)
	{
		sum = value % 3 ? sum + value : value % 5 ? sum ^ value : sum - value;
	}
	void add_all(const number *values, int count);
};

template <typename number>
__attribute__((noinline)) void summing<number>::add_all(const number *values, int count)
{
	for (int n = 0; n < count; n++) if (values[n] > 7) add(values[n]); else add(values[n] * 9);
}

#line 200 "/made/twice.h"
__attribute__((always_inline)) static inline long twice(long value)
{
	summing<long> both;

	both.add(value);
	both.add(value + 1);
	return both.sum;
}

} // namespace work

#line 300 "/made/outer.h"
__attribute__((noinline)) long outer(const long *values, int count)
{
	work::summing<long> all;

	all.add_all(values, count);
	while (count-- > 0)
		all.sum += values[count] & 1 ? work::twice(values[count]) : -work::twice(count);
	return all.sum;
}

int main(int argc, char **)
{
	long values[64];

	for (int n = 0; n < 64; n++)
		values[n] = n * 7919L % 61 + argc;
	std::printf("%ld\n", outer(values, 64));
	return EXIT_SUCCESS;
}
