// SPDX-License-Identifier: BSD-3-Clause
/* Programs whose instruction mix is measured: small, each with a way of its own to go through code. */
#ifdef __aarch64__
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state = 1;

static uint32_t next(void)
{
	return state = state * 1664525u + 1013904223u;
}

/* Bodies that attract each other: divisions and square roots in straight code */
static double bodies(int rounds)
{
	double place[5][3], speed[5][3] = { { 0 } }, sum = 0;

	for (int n = 0; n < 15; n++)
		place[n / 3][n % 3] = next() / 4e9;
	while (rounds--) {
		for (int a = 0; a < 5; a++) {
			for (int b = 0; b < 5; b++) {
				double way[3], square = 0.01, pull;

				for (int d = 0; d < 3; d++) {
					way[d] = place[b][d] - place[a][d];
					square += way[d] * way[d];
				}
				pull = 0.001 / (square * sqrt(square));
				for (int d = 0; d < 3; d++)
					speed[a][d] += way[d] * pull;
			}
		}
		for (int n = 0; n < 15; n++)
			place[n / 3][n % 3] += 0.01 * speed[n / 3][n % 3];
	}
	for (int n = 0; n < 15; n++)
		sum += place[n / 3][n % 3];
	return sum;
}

#define SIZE 64

static float left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];

static void fill(void)
{
	for (int n = 0; n < SIZE * SIZE; n++) {
		left[n / SIZE][n % SIZE] = next() / 4e9f;
		right[n / SIZE][n % SIZE] = next() / 4e9f;
	}
}

/* A product of matrices in vectors: long blocks in short loops */
#ifdef __aarch64__
static double matrices(int rounds)
{
	fill();
	while (rounds--) {
		for (int row = 0; row < SIZE; row++) {
			for (int column = 0; column < SIZE; column += 4) {
				float32x4_t sum = vdupq_n_f32(0);

				for (int n = 0; n < SIZE; n++)
					sum = vfmaq_n_f32(sum, vld1q_f32(&right[n][column]),
							  left[row][n]);
				vst1q_f32(&product[row][column], sum);
			}
		}
	}
	return product[3][4];
}
#else
__attribute__((target("avx2,fma"))) static double matrices(int rounds)
{
	fill();
	while (rounds--) {
		for (int row = 0; row < SIZE; row++) {
			for (int column = 0; column < SIZE; column += 16) {
				__m256 a = _mm256_setzero_ps(), b = a;

				for (int n = 0; n < SIZE; n++) {
					const __m256 one = _mm256_set1_ps(left[row][n]);

					a = _mm256_fmadd_ps(one, _mm256_loadu_ps(&right[n][column]), a);
					b = _mm256_fmadd_ps(one, _mm256_loadu_ps(&right[n][column + 8]), b);
				}
				_mm256_storeu_ps(&product[row][column], a);
				_mm256_storeu_ps(&product[row][column + 8], b);
			}
		}
	}
	return product[3][4];
}
#endif

static int compare(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Calls by pointer out of the C library, branches that nobody can predict */
static double sorting(int rounds)
{
	static uint32_t values[20000];
	double sum = 0;

	while (rounds--) {
		for (int n = 0; n < 20000; n++)
			values[n] = next();
		qsort(values, 20000, sizeof(values[0]), compare);
		sum += values[100];
	}
	return sum;
}

/* An interpreter: jumps by a table; and a hash of what it computes */
static double interpreter(int rounds)
{
	uint32_t code[256], registers[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, counts[64] = { 0 };

	for (int n = 0; n < 256; n++)
		code[n] = next();
	while (rounds--) {
		for (int n = 0; n < 256; n++) {
			uint32_t *to = &registers[code[n] >> 8 & 7], from = registers[code[n] >> 12 & 7];

			switch (code[n] >> 16 & 15) {
			case 0:
				*to += from;
				break;
			case 1:
				*to -= from;
				break;
			case 2:
				*to ^= from;
				break;
			case 3:
				*to = *to << 3 | from >> 29;
				break;
			case 4:
				*to = *to * 31 + 1;
				break;
			case 5:
				*to |= from & 0xff;
				break;
			case 6:
				n += *to & 1;
				break;
			case 7:
				*to = ~from;
				break;
			case 8:
				*to = *to > from ? from : *to;
				break;
			case 9:
				counts[*to % 61]++;
				break;
			case 10:
				*to /= (from | 1);
				break;
			case 11:
				n += from % 3 == 0;
				break;
			default:
				*to += (uint32_t)n;
				break;
			}
		}
	}
	return registers[0] + counts[5];
}

/* By itself, so that another counter of instructions finds it by its name */
__attribute__((noinline)) static int queens(int size, uint32_t columns, uint32_t up, uint32_t down)
{
	const uint32_t all = (1u << size) - 1;
	uint32_t free_places = all & ~(columns | up | down);
	int count = columns == all;

	while (free_places) {
		const uint32_t place = free_places & -free_places;

		free_places ^= place;
		count += queens(size, columns | place, (up | place) << 1, (down | place) >> 1);
	}
	return count;
}

/* Two loops that have nothing in common, one after the other, joined by an edge that is taken rarely */
static double phases(int rounds)
{
	static uint8_t bytes[4096];
	double sum = 0;

	while (rounds--) {
		for (int n = 0; n < 4096; n++)
			bytes[n] = (uint8_t)(bytes[(n * 7 + 1) & 4095] + n);
		for (int n = 1; n < 3000; n++)
			sum += n % 3 ? 1.0 / n : sqrt(n);
	}
	return sum + bytes[17];
}

int main(int count, char **texts)
{
	const char *name = count > 2 ? texts[1] : "";
	const int rounds = count > 2 ? atoi(texts[2]) : 0;
	double result;

	if (strcmp(name, "bodies") == 0)
		result = bodies(rounds);
	else if (strcmp(name, "matrices") == 0)
		result = matrices(rounds);
	else if (strcmp(name, "sorting") == 0)
		result = sorting(rounds);
	else if (strcmp(name, "interpreter") == 0)
		result = interpreter(rounds);
	else if (strcmp(name, "queens") == 0)
		result = queens(rounds, 0, 0, 0);
	else if (strcmp(name, "phases") == 0)
		result = phases(rounds);
	else
		return 2;
	printf("%g\n", result);
	return 0;
}
