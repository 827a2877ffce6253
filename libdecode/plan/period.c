/* SPDX-License-Identifier: BSD-3-Clause */
/* Periods that are in step with no usual loop. */
#include <precis/plan.h>

#include "setup.h"

int precis_plan_is_prime(uint64_t number)
{
	if (number < 4)
		return number > 1;
	if (number % 2 == 0)
		return 0;
	for (uint64_t n = 3; n <= number / n; n += 2) {
		if (number % n == 0)
			return 0;
	}
	return 1;
}

/* The first number that is not within some of 100 of a power, or so many times it; 'period' if it is that */
static uint64_t behind_power(uint64_t period, uint64_t base, uint64_t times)
{
	uint64_t power = times;

	if (period < times)
		return period;
	while (power <= period / base)
		power *= base;
	if (period - power < power / 50)
		return power + power / 50;
	if (base * power - period < power * base / 50)
		return base * power + base * power / 50;
	return period;
}

static uint64_t behind_powers(uint64_t period)
{
	uint64_t before;

	do {
		before = period;
		period = behind_power(period, 2, 1);
		period = behind_power(period, 10, 1);
		period = behind_power(period, 10, 2);
		period = behind_power(period, 10, 5);
	} while (period != before);
	return period;
}

static uint64_t divided_up(uint64_t period, uint64_t unit)
{
	return period / unit + !!(period % unit);
}

uint64_t precis_plan_period(uint64_t least, uint64_t unit)
{
	uint64_t number, behind;

	if (!unit || least > PERIOD_MOST || unit > PERIOD_MOST)
		return 0;
	number = divided_up(least, unit);
	if (number < 2)
		number = 2;
	while (1) {
		behind = divided_up(behind_powers(number * unit), unit);
		if (behind > number)
			number = behind;
		/* 16 times 2 is no odd multiple */
		else if (precis_plan_is_prime(number) && (unit == 1 || number > 2))
			return number * unit;
		else
			number++;
	}
}
