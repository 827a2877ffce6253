/* SPDX-License-Identifier: BSD-3-Clause */
/* A library whose function calls back, from a frame of ROOM bytes. Two of these differ by that alone. */
int call_back(int (*called)(void));

int call_back(int (*called)(void))
{
	volatile char room[ROOM];
	int result;

	room[0] = 1;
	result = called();
	return result + room[0];
}
